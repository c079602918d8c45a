// Discord's data package: everything that one member wrote, a folder for each channel. It is read into the same form as
// an exported channel. What others said is not in it.
import { z } from 'zod';
import type { Account } from './account.ts';
import { type ChannelFile, type DiscordMessage, messagesIn } from './discord-message.ts';
import { type ExportFiles, readJson } from './files.ts';
import { Unreadable } from './zip.ts';

export const PACKAGE_WARNING =
  'A data package of Discord has one person’s messages only. For a whole channel export it with DiscordChatExporter.';

const MESSAGES = /^(.*\/)?c?(\d+)\/messages\.(json|csv)$/;

const channelSchema = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  type: z.union([z.string(), z.number()]).transform(String),
  name: z.string().nullish().catch(null),
  guild: z.object({ id: z.string(), name: z.string().nullish() }).nullish().catch(null),
  recipients: z.array(z.string()).nullish().catch(null),
});
const lineSchema = z.object({
  ID: z.union([z.string(), z.number()]).transform(String),
  Timestamp: z.string(),
  Contents: z.string().nullish(),
  Attachments: z.string().nullish(),
});
const ownerSchema = z.object({
  id: z.string(),
  username: z.string().nullish(),
  global_name: z.string().nullish(),
});

export function isPackage({ paths }: ExportFiles): boolean {
  return paths.some((path) => MESSAGES.test(path));
}

export async function* packageFiles(files: ExportFiles, account: Account): AsyncGenerator<ChannelFile> {
  const owner = await ownerOf(files);
  for (const path of files.paths) {
    const [, above = '', id, form] = MESSAGES.exec(path) ?? [];
    if (id === undefined) continue;
    try {
      if (form === 'csv') throw new Unreadable('an older form of the package: ask Discord for a new one');
      const folder = path.slice(0, path.lastIndexOf('/') + 1);
      const channel = channelSchema.safeParse(await readJson(files, `${folder}channel.json`));
      const list = await readJson(files, path);
      if (!channel.success || !Array.isArray(list))
        throw new Unreadable(`expected a channel and its messages${above === '' ? '' : ` in ${above}`}`);
      yield {
        guild: { id: channel.data.guild?.id ?? 'direct' },
        channel: { id, type: typeOf(channel.data.type), name: channel.data.name, categoryId: undefined },
        messages: messagesIn(
          (list as unknown[]).map((line) => messageOf(line, owner)),
          account,
        ),
      };
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      account.problem(path, error.message);
    }
  }
}

type Owner = Pick<DiscordMessage['author'], 'id' | 'name'>;

async function ownerOf(files: ExportFiles): Promise<Owner> {
  const path = files.paths.find((one) => /(?:^|\/)account\/user\.json$/i.test(one));
  const nobody = { id: 'you', name: 'you' };
  if (path === undefined) return nobody;
  try {
    const parsed = ownerSchema.safeParse(await readJson(files, path));
    if (!parsed.success) return nobody;
    return { id: parsed.data.id, name: parsed.data.global_name ?? parsed.data.username };
  } catch (error) {
    if (error instanceof Unreadable) return nobody;
    throw error;
  }
}

/** Older packages have Discord's numbers, newer ones its words. */
function typeOf(type: string): string {
  if (type === '1' || type === 'DM') return 'DirectTextChat';
  if (type === '3' || type === 'GROUP_DM') return 'DirectGroupTextChat';
  return /^1[012]$|THREAD/.test(type) ? 'GuildPublicThread' : 'GuildTextChat';
}

function messageOf(line: unknown, author: Owner): unknown {
  const parsed = lineSchema.safeParse(line);
  if (!parsed.success) return line;
  const { ID, Timestamp, Contents, Attachments } = parsed.data;
  return {
    id: ID,
    timestamp: timeOf(Timestamp),
    content: Contents ?? '',
    author,
    attachments: (Attachments ?? '')
      .split(' ')
      .flatMap((url, index) =>
        url === ''
          ? []
          : [{ id: `${ID}-${index + 1}`, fileName: url.replace(/[?#].*/, '').replace(/.*\//, '') }],
      ),
  };
}

/** "2023-01-15 10:30:00", with or without a fraction or an offset, is meant in UTC. */
function timeOf(text: string): string {
  const iso = text.trim().replace(' ', 'T');
  return /(?:Z|[+-]\d\d:?\d\d)$/.test(iso) ? iso : `${iso}Z`;
}
