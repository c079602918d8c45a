// A Discord export as events: channels as DiscordChatExporter writes them to JSON, or the data package that Discord
// sends to a member. Discord has no export of a server, so most use the first; the second has one person's messages only.
import type { ChatEvent, Conversation, MessageEvent } from '../../protocol/chat-event.ts';
import { isObject } from '../complaint.ts';
import { CommandError } from '../io.ts';
import type { Account } from './account.ts';
import { type ChatExport, inOrder } from './chat-export.ts';
import { type LearntNames, createDiscordNames } from './discord-names.ts';
import { type ChannelFile, channelFileSchema, messagesIn, readDiscordMessage } from './discord-message.ts';
import { PACKAGE_WARNING, isPackage, packageFiles } from './discord-package.ts';
import { type ExportFiles, readJson } from './files.ts';
import { IMPORT_LIMITS } from './limits.ts';
import { Unreadable } from './zip.ts';

export async function discordExport(files: ExportFiles, account: Account): Promise<ChatExport> {
  for (const path of files.refused) account.add('outside', path);
  const names = createDiscordNames();
  const fromPackage = isPackage(files);
  let read = 0;
  return {
    caveats: ['Discord does not say when a reaction was set, so it stands right after its message.'],
    warnings: fromPackage ? [PACKAGE_WARNING] : [],
    nameOf: (id) => names.nameOf(id),
    isApp: (id) => names.isBot(id),
    async *events(counts, since) {
      const events: ChatEvent[] = [];
      const channels = fromPackage ? packageFiles(files, counts) : exportedFiles(files, counts);
      for await (const channel of channels) {
        read++;
        for (const event of channelEvents(channel, names, counts)) {
          if (Number(event.at) >= since) events.push(event);
        }
        if (events.length > IMPORT_LIMITS.heldMessages)
          throw new CommandError(
            1,
            `${files.name}: more than ${IMPORT_LIMITS.heldMessages} messages; write --since DATE, or export a shorter time`,
          );
      }
      if (read === 0) throw noExport(files);
      yield* inOrder(events);
    },
  };
}

function noExport({ name, paths }: ExportFiles): CommandError {
  const slack = paths.some((path) => /(?:^|\/)channels\.json$/.test(path));
  return new CommandError(
    1,
    `${name} is no Discord export: expected JSON files of DiscordChatExporter, or Discord's data package with its folder messages; ${
      slack ? 'for Slack write  earshot import slack' : 'see docs/import.md for how to make one'
    }`,
  );
}

/** One file for each channel, anywhere in the export, beside pictures and the like. */
async function* exportedFiles(files: ExportFiles, account: Account): AsyncGenerator<ChannelFile> {
  for (const path of files.paths) {
    if (!path.endsWith('.json')) {
      account.add('others', `*.${path.replace(/.*\./, '').slice(0, 16)}`);
      continue;
    }
    try {
      const value = await readJson(files, path);
      const parsed = channelFileSchema.safeParse(value);
      if (parsed.success) yield { ...parsed.data, messages: messagesIn(parsed.data.messages, account) };
      else if (isObject(value) && 'messages' in value)
        throw new Unreadable('expected guild, channel and messages');
      else account.add('others', '*.json');
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      account.problem(path, error.message);
    }
  }
}

function channelEvents(file: ChannelFile, names: LearntNames, account: Account): ChatEvent[] {
  const { guild, channel, messages } = file;
  names.learnChannel(channel);
  for (const message of messages) names.learnFrom(message);
  const conversation = conversationOf(channel);
  const direct = channel.type.startsWith('Direct');
  const apps = direct ? names.appsIn(messages) : [];
  if (direct && apps.length === 0) {
    for (const _ of messages) account.add('direct', channel.type);
    return [];
  }
  const authors = new Map<string, string>();
  return messages.flatMap((raw) => {
    const events = readDiscordMessage(raw, { workspaceId: guild.id, conversation, names, authors, account });
    const [message] = events;
    if (message?.type === 'message' && conversation.kind === 'dm') toTheOther(message, apps, authors);
    return events;
  });
}

/** A direct message is for the other one: the app, or the person who talks with it. */
function toTheOther(message: MessageEvent, apps: readonly string[], authors: Map<string, string>): void {
  const isApp = apps.includes(message.author.id);
  const other = isApp ? [...authors.values()].find((id) => !apps.includes(id)) : apps[0];
  if (other !== undefined) message.recipients = [other];
}

function conversationOf({ id, type, name, categoryId }: ChannelFile['channel']): Conversation {
  if (type.endsWith('Thread'))
    return { id, kind: 'thread', ...(categoryId && { parentId: categoryId }), ...titled(name) };
  if (type === 'DirectTextChat') return { id, kind: 'dm' };
  return { id, kind: 'channel', ...titled(name === undefined || name === null ? name : `#${name}`) };
}

function titled(name: string | null | undefined): { title?: string } {
  return name ? { title: name.slice(0, 256) } : {};
}
