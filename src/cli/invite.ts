// `earshot invite`: makes a link that signs one person in to the web chat. The link holds the person's token behind the
// `#`, which a browser sends to nobody. It asks the running host, or opens the store when no host runs.
import { PERSON_NAME_CHARS, meansTheReader, personIdOf, personName } from '../protocol/person-name.ts';
import { type Command, parseFlags } from './args.ts';
import { readTokens, writeTokens } from './data-dir.ts';
import { STORE_HELP, STORE_OPTIONS, findHost, type HostClient, listIn } from './host-client.ts';
import { resolveConfig, resolveDataDir, resolvePlace } from './host-config.ts';
import { CommandError, type Io } from './io.ts';
import { withStore } from './local-store.ts';

const HELP = `Usage: earshot invite NAME [--label TEXT] [--at URL]

Prints a link. Whoever opens it is that person in the web chat. It is shown once; the host keeps only a hash of it.
"earshot token list" shows who has one, "earshot token revoke KEY" ends it. For somebody who is here already it makes
another link, for another browser.

  --label TEXT    the name that others see; NAME when left out
  --at URL        the address under which they reach the host; from host.allowedHosts, or this machine's
${STORE_HELP}

Examples:
  earshot invite Ada
  earshot invite ada --label "Ada Lovelace" --at https://chat.example.com
`;

const OPTIONS = { ...STORE_OPTIONS, label: { type: 'string' }, at: { type: 'string' } } as const;

export const inviteCommand: Command = {
  help: HELP,
  run,
};

interface Invited {
  subject: string;
  label: string;
}
/** The tokens of people, through the host or in the store. */
interface Guests {
  /** The name of the person, if there is one with this id. */
  named(id: string): Promise<string | undefined>;
  create(wanted: Invited): Promise<string>;
}

async function run(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseFlags('invite', argv, OPTIONS, 1);
  if (values.help === true) {
    await io.out(HELP);
    return 0;
  }
  const id = personIdOf(positionals[0] ?? '');
  if (id === '') {
    throw new CommandError(
      2,
      'invite: say whom, with a letter from a to z or a digit in the name (see: earshot invite --help)',
    );
  }
  const given = checkedName(values.label ?? positionals[0] ?? id);
  const host = await findHost(values);
  const act = async (guests: Guests): Promise<{ token: string; name: string; isNew: boolean }> => {
    const before = await guests.named(id);
    const name = values.label === undefined ? (before ?? given) : given;
    return { token: await guests.create({ subject: id, label: name }), name, isNew: before === undefined };
  };
  const made =
    host === undefined
      ? await withStore(await resolvePlace(values, process.env), true, ({ tokens }) => act(inStore(tokens)))
      : await act(overHttp(host));
  if (values.url === undefined) keep(await resolveDataDir(values, process.env), id, made.token);
  const link = `${await addressOf(values, host)}/#person=${made.token}`;
  if (values.json === true) await io.out(`${JSON.stringify({ person: id, name: made.name, link })}\n`);
  else await io.out(`${link}\n`);
  await io.flush();
  if (values.json !== true) io.err(`${words(made, id, link)}\n`);
  return 0;
}

function checkedName(text: string): string {
  const name = personName(text);
  if (name === '' || text.trim().length > PERSON_NAME_CHARS)
    throw new CommandError(2, `invite: a name is one line of 1 to ${PERSON_NAME_CHARS} characters`);
  if (meansTheReader(name))
    throw new CommandError(2, `invite: "${name}" means whoever reads it; choose a name that others can use`);
  return name;
}

interface TokenView {
  kind: string;
  subject: string;
  label: string;
  revokedAt: unknown;
}

function overHttp(host: HostClient): Guests {
  return {
    named: async (id) => nameIn(listIn<TokenView>(await host.call('GET', '/v1/tokens'), 'tokens'), id),
    create: async (wanted) =>
      ((await host.call('POST', '/v1/tokens', { kind: 'person', ...wanted })) as { token: string }).token,
  };
}

type Tokens = Parameters<Parameters<typeof withStore>[2]>[0]['tokens'];

function inStore(tokens: Tokens): Guests {
  return {
    named: async (id) => nameIn(await tokens.list(), id),
    create: async (wanted) => (await tokens.issue({ kind: 'person', ...wanted })).token,
  };
}

function nameIn(rows: readonly TokenView[], id: string): string | undefined {
  const row = rows.findLast(
    ({ kind, subject, revokedAt }) => kind === 'person' && subject === id && revokedAt === null,
  );
  return row === undefined ? undefined : row.label || id;
}

/** Beside the development tokens, for commands on this machine that speak as somebody. */
function keep(dataDir: string, id: string, token: string): void {
  const kept = readTokens(dataDir);
  if (kept !== undefined) writeTokens(dataDir, { ...kept, people: { ...kept.people, [id]: token } });
}

/** A proxy with TLS answers under the names in `allowedHosts`. Otherwise it is the address of the running host. */
async function addressOf(
  flags: { at?: string; url?: string; data?: string; config?: string },
  host: HostClient | undefined,
): Promise<string> {
  if (flags.at !== undefined) {
    if (!/^https?:$/.test(URL.parse(flags.at)?.protocol ?? ''))
      throw new CommandError(
        2,
        `--at: "${flags.at}" is no address; write for example https://chat.example.com`,
      );
    return flags.at.replace(/\/+$/, '');
  }
  if (flags.url !== undefined && host !== undefined) return host.url;
  const { allowedHosts, listen } = (await resolveConfig(flags, process.env)).host;
  if (allowedHosts[0] !== undefined) return `https://${allowedHosts[0]}`;
  return host?.url ?? `http://${listen.host.includes(':') ? `[${listen.host}]` : listen.host}:${listen.port}`;
}

function words({ name, isNew }: { name: string; isNew: boolean }, id: string, link: string): string {
  const who = isNew
    ? `${name} (@${id}) is invited.`
    : `${name} (@${id}) is here already; this is another link.`;
  const reach = /^http:\/\/(?:127\.|localhost|\[::1\])/.test(link)
    ? ' It works on this machine only: name the address others use with --at URL.'
    : '';
  return `${who} The link signs in whoever has it, and is not shown again.${reach}`;
}
