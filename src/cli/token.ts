// `earshot token`: manages who may connect, post and operate. It asks the running host, so that a revocation takes
// effect at once. If no host runs, it opens the store directly.
import {
  isScope,
  SCOPES_OF,
  scopeProblem,
  TOKEN_KINDS,
  type Scope,
  type TokenKind,
} from '../host/security/scopes.ts';
import type { TokenRow } from '../store/tables.ts';
import { type Command, oneOfFlag, parseFlags } from './args.ts';
import { STORE_HELP, STORE_OPTIONS, findHost, type HostClient } from './host-client.ts';
import { resolvePlace } from './host-config.ts';
import { CommandError, type Io } from './io.ts';
import { withStore } from './local-store.ts';
import type { LocalStore } from './local-store.ts';
import { suggestion } from './nearest.ts';
import { showToken } from './token-show.ts';

const HELP = `Usage: earshot token create --kind KIND --subject NAME [--scopes A,B] [--label TEXT]
       earshot token show NAME [--env]
       earshot token list
       earshot token revoke KEY

Tokens say who somebody is to the host. A token is shown once, when it is made; the host keeps only its hash.

  --kind KIND     agent, surface (a source of events), operator or person (of the web chat)
  --subject NAME  which agent, which source, who operates, or the person's id
  --scopes A,B    less than a token of its kind usually has
  --label TEXT    to recognise it in the list; for a person the name that others see
${STORE_HELP}

show prints a token that "earshot up" made for trying things out, of an agent, a person or the source "dev"; with --env as
lines for a shell, with the host's address. Other tokens are not kept anywhere.
revoke takes the first eight or more characters of the key that list shows; connections made with it are closed.

Examples:
  earshot token create --kind agent --subject lead
  earshot token create --kind person --subject ada --label "Ada"
  earshot token revoke 3f9a1c07
  eval "$(earshot token show lead --env)"
`;

const OPTIONS = {
  ...STORE_OPTIONS,
  kind: { type: 'string' },
  subject: { type: 'string' },
  scopes: { type: 'string' },
  label: { type: 'string' },
  env: { type: 'boolean' },
} as const;

export const tokenCommand: Command = {
  help: HELP,
  run,
};

const ACTIONS = ['create', 'show', 'list', 'revoke'] as const;

interface TokenView {
  key: string;
  kind: string;
  subject: string;
  scopes: readonly string[];
  label: string;
  revokedAt: string | null;
}
interface NewToken {
  kind: TokenKind;
  subject: string;
  scopes: readonly Scope[];
  label: string;
}
/** The tokens, through the host or in the store. */
interface Access {
  create(wanted: NewToken): Promise<TokenView & { token: string; note?: string }>;
  list(): Promise<TokenView[]>;
  revoke(prefix: string): Promise<TokenView>;
}

async function run(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseFlags('token', argv, OPTIONS, 2);
  if (values.help === true) {
    await io.out(HELP);
    return 0;
  }
  const [word, prefix] = positionals;
  const action = ACTIONS.find((known) => known === word);
  if (action === undefined) {
    const hint =
      word === undefined
        ? `say what: ${ACTIONS.join(', ')}`
        : `"${word}" is not known; ${suggestion(word, ACTIONS)}`;
    throw new CommandError(2, `token: ${hint} (see: earshot token --help)`);
  }
  const wanted = action === 'create' ? newToken(values) : undefined;
  if (action === 'revoke' && prefix === undefined)
    throw new CommandError(2, 'token revoke: name the key (see: earshot token list)');
  if (action === 'show') return showToken(prefix, values, io);
  const act = async (access: Access): Promise<number> => {
    if (wanted !== undefined) return created(io, await access.create(wanted), values.json === true);
    if (action === 'list') return listed(io, await access.list(), values.json === true);
    const row = await access.revoke(prefix ?? '');
    await io.out(`revoked ${row.kind} ${row.subject} (${row.key})\n`);
    return 0;
  };
  const host = await findHost(values);
  if (host !== undefined) return act(overHttp(host));
  const place = await resolvePlace(values, process.env);
  return withStore(place, action === 'create', (local) => act(direct(local)));
}

function newToken(values: { kind?: string; subject?: string; scopes?: string; label?: string }): NewToken {
  const kind = oneOfFlag('kind', values.kind, TOKEN_KINDS);
  if (kind === undefined || values.subject === undefined) {
    throw new CommandError(2, 'token create: give --kind and --subject (see: earshot token --help)');
  }
  if (!/^[a-z0-9][a-z0-9_.-]{0,63}$/i.test(values.subject)) {
    throw new CommandError(2, '--subject: expected letters, digits, ".", "_" or "-", such as "lead"');
  }
  const scopes = values.scopes?.split(',').map((scope) => scope.trim()) ?? SCOPES_OF[kind].usual;
  const problem = scopeProblem(kind, scopes);
  if (problem !== undefined) throw new CommandError(2, `--scopes: ${problem}`);
  return { kind, subject: values.subject, scopes: scopes.filter(isScope), label: values.label ?? '' };
}

function overHttp(host: HostClient): Access {
  return {
    create: async (wanted) =>
      (await host.call('POST', '/v1/tokens', wanted)) as TokenView & { token: string },
    list: async () => ((await host.call('GET', '/v1/tokens')) as { tokens: TokenView[] }).tokens,
    revoke: async (prefix) =>
      (await host.call('DELETE', `/v1/tokens/${encodeURIComponent(prefix)}`)) as TokenView,
  };
}

function direct({ tokens }: LocalStore): Access {
  return {
    async create(wanted) {
      const { token, row } = await tokens.issue(wanted);
      return { token, ...view(row) };
    },
    list: async () => (await tokens.list()).map(view),
    async revoke(prefix) {
      const revoked = await tokens.revoke(prefix);
      if (!revoked.ok) throw new CommandError(1, revoked.message);
      return view(revoked.row);
    },
  };
}

function view({ key, kind, subject, scopes, label, revokedAt }: TokenRow): TokenView {
  const revoked = revokedAt === null ? null : new Date(revokedAt).toISOString();
  return { key: key.slice(0, 16), kind, subject, scopes, label, revokedAt: revoked };
}

/** Standard output gets only the token, so that it can be piped. The rest is for the person. */
async function created(
  io: Io,
  made: TokenView & { token: string; note?: string },
  json: boolean,
): Promise<number> {
  await io.out(json ? `${JSON.stringify(made)}\n` : `${made.token}\n`);
  await io.flush();
  if (!json)
    io.err(
      `${made.kind} ${made.subject}, key ${made.key}, may: ${made.scopes.join(', ')}. It is not shown again.\n`,
    );
  if (made.note !== undefined) io.err(`${made.note}\n`);
  return 0;
}

async function listed(io: Io, rows: readonly TokenView[], json: boolean): Promise<number> {
  for (const row of rows) {
    const state = row.revokedAt === null ? row.scopes.join(',') : `revoked ${row.revokedAt}`;
    const text = `${row.key}  ${row.kind.padEnd(8)}  ${row.subject.padEnd(16)}  ${state}  ${row.label}`;
    await io.out(
      json
        ? `${JSON.stringify(row)}\n`
        : `${io.paint(row.revokedAt === null ? 'bold' : 'dim', text.trimEnd())}\n`,
    );
  }
  if (rows.length === 0 && !json) await io.out('no tokens\n');
  return 0;
}
