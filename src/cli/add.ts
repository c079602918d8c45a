// `earshot add slack`, `earshot add github`: from nothing to a platform that works. It prints what to paste, asks the
// platform whether the secrets are right and what they lack, and writes the entry into earshot.yaml.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import type { Finding } from '../surfaces/finding.ts';
import type { Secret } from '../surfaces/secret.ts';
import { addGithub } from './add-github.ts';
import { checkAgent, type OneLogin, withLogin } from './add-login.ts';
import { addSlack } from './add-slack.ts';
import { type Command, parseFlags } from './args.ts';
import { DEFAULT_CONFIG, parseHostConfig } from './config.ts';
import { CommandError, type Io } from './io.ts';
import type { SurfaceSettings } from './platforms.ts';
import { secretsOf } from './secrets.ts';

const HELP = `Usage: earshot add slack [--agent ID] [--config FILE] [--http [--address URL]] [--manifest]
       earshot add github --repo OWNER/NAME [--agent ID] [--app ID] [--config FILE] [--http [--address URL]]
         [--manifest]

Without tokens it prints what to paste where, and what to do with it. With SLACK_BOT_TOKEN and SLACK_APP_TOKEN, or with
GITHUB_TOKEN, in the environment or where the file says that they are kept, it asks the platform whether they work, what
they lack and what that costs, and adds the platform to the file. It never writes a token.

  --config FILE   the file to add it to; ./earshot.yaml
  --agent ID      a login for this agent alone, beside those that the file has; its secrets end in _ID, such as
                  SLACK_BOT_TOKEN_LEAD
  --repo NAME     github: a repository to be in, owner/name; may be given several times
  --app ID        github: a GitHub App with this id and GITHUB_PRIVATE_KEY, instead of GITHUB_TOKEN
  --http          the platform posts the events to this host, instead of Earshot asking for them
  --address URL   with --http: where the platform reaches this host, such as https://earshot.example.com
  --manifest      print the manifest, or the address that has it, and nothing else
  --json          one JSON object per line: what was found, what was written, or the manifest
  -h, --help      this text

Example:
  earshot add slack
  earshot add slack --agent lead
  earshot add github --repo acme/app
`;

const OPTIONS = {
  config: { type: 'string' },
  agent: { type: 'string' },
  repo: { type: 'string', multiple: true },
  app: { type: 'string' },
  http: { type: 'boolean' },
  address: { type: 'string' },
  manifest: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

export const addCommand: Command = { help: HELP, run: (argv, io) => run(argv, io, { env: process.env }) };

export interface AddPorts {
  env: Readonly<Record<string, string | undefined>>;
  /** Another address than the platform's own. */
  apiUrl?: string;
}

/** What was asked for on the command line. */
export interface Asked {
  http: boolean;
  address: string | undefined;
  repositories: readonly string[];
  app: string | undefined;
  /** Whose login it is to be. */
  agent: string | undefined;
  apiUrl: string | undefined;
}

export interface Adding<S extends SurfaceSettings = SurfaceSettings> {
  /** For people. */
  name: string;
  /** The entry as it would be without one in the file. */
  settings(asked: Asked): S;
  /** Without it nothing can be checked. */
  firstSecret(settings: S): string;
  /** What is pasted into the platform, or the address that has it. */
  manifest(settings: S, asked: Asked): string;
  steps(settings: S, manifest: string, secret: (place: string) => Secret): string;
  check(settings: S, secret: (place: string) => Secret): Promise<AsyncIterable<Finding>>;
  /** What is written into the file. */
  entry(settings: S): object;
  /** The settings with each login alone. */
  eachLogin(settings: S): S[];
  /** The login of one agent, as it is written into the file. */
  loginFor(agent: string, settings: S, asked: Asked): Login<S>;
  /** The form with one login, of such an entry. */
  oneLogin(settings: S): OneLogin;
}

type Login<S extends SurfaceSettings> = NonNullable<S['logins']>[number];

/** Prints something for people, or as JSON. */
type Print = (text: string, json: object) => Promise<void>;

export async function run(argv: readonly string[], io: Io, { env, apiUrl }: AddPorts): Promise<number> {
  const { values, positionals } = parseFlags('add', argv, OPTIONS, 1);
  if (values.help === true) {
    await io.out(HELP);
    return 0;
  }
  const { http = false, address, repo: repositories = [], app, agent } = values;
  const asked: Asked = { http, address, repositories, app, agent, apiUrl };
  const print: Print = (text, json) => io.out(values.json === true ? `${JSON.stringify(json)}\n` : text);
  const one = {
    asked,
    print,
    io,
    env,
    file: values.config ?? DEFAULT_CONFIG,
    only: values.manifest === true,
  };
  switch (positionals[0]) {
    case 'slack':
      return addTo(addSlack, 'slack', one);
    case 'github':
      return addTo(addGithub, 'github', one);
    case undefined:
    default:
      throw new CommandError(
        2,
        'add: say which platform: earshot add slack, or earshot add github (see: earshot add --help)',
      );
  }
}

interface Run {
  asked: Asked;
  print: Print;
  io: Io;
  env: AddPorts['env'];
  file: string;
  /** The manifest and nothing else. */
  only: boolean;
}

async function addTo<T extends SurfaceSettings['type']>(
  adding: Adding<Extract<SurfaceSettings, { type: T }>>,
  type: T,
  { asked, print, io, env, file, only }: Run,
): Promise<number> {
  type Settings = Extract<SurfaceSettings, { type: T }>;
  const isIt = (settings: SurfaceSettings): settings is Settings => settings.type === type;
  if (only) {
    const [login = adding.settings(asked)] = planned(adding, undefined, asked).logins;
    const manifest = adding.manifest(login, asked);
    await print(`${manifest.trimEnd()}\n`, { manifest });
    return 0;
  }
  if (!existsSync(file)) throw new CommandError(1, `${file}: no such file; write one with "earshot init"`);
  const text = readFileSync(file, 'utf8');
  const { surfaces, attention } = parseHostConfig(text, file);
  const ids = attention.agents.map(({ id }) => id);
  if (asked.agent !== undefined) checkAgent(asked.agent, ids, file);
  const plan = planned(adding, surfaces.find(isIt), asked);
  const secret = secretsOf(env, () => undefined);
  let ok = true;
  for (const login of plan.logins) {
    if ((await secret(adding.firstSecret(login)).read()) === undefined) {
      const manifest = adding.manifest(login, asked);
      await print(adding.steps(login, manifest, secret), { manifest });
      return 0;
    }
    for await (const finding of await adding.check(login, secret)) {
      ok &&= finding.ok;
      await print(lineOf(finding, io), finding);
    }
  }
  const next = plan.write(text);
  if (next !== undefined) {
    parseHostConfig(next, file);
    writeFileSync(file, next);
  }
  const written = next !== undefined;
  const name = asked.agent === undefined ? adding.name : `${adding.name} for ${asked.agent}`;
  await print(`${file} has ${name} ${written ? 'now: restart the host' : 'already'}\n`, { file, written });
  return ok ? 0 : 1;
}

interface Plan<S> {
  /** What is checked: the settings with each login alone. */
  logins: S[];
  /** The file with what is added. Undefined: it has that already. */
  write(text: string): string | undefined;
}

function planned<S extends SurfaceSettings>(adding: Adding<S>, inFile: S | undefined, asked: Asked): Plan<S> {
  const settings = inFile ?? adding.settings(asked);
  const { agent } = asked;
  const { type } = settings;
  if (agent === undefined) {
    const write = (text: string) =>
      inFile === undefined ? withEntry(text, adding.entry(settings)) : undefined;
    return { logins: adding.eachLogin(settings), write };
  }
  const found = settings.logins?.find(({ agents }) => agents?.includes(agent) === true);
  const login = found ?? adding.loginFor(agent, settings, asked);
  const write = (text: string): string | undefined => {
    if (found !== undefined) return undefined;
    const form = adding.oneLogin(settings);
    if (inFile !== undefined) return withLogin(text, type, login, form);
    const entry = Object.entries(adding.entry(settings)).filter(([key]) => !form.keys.includes(key));
    return withEntry(text, { ...Object.fromEntries(entry), logins: [login] });
  };
  return { logins: adding.eachLogin({ ...settings, logins: [login] }), write };
}

function lineOf({ what, ok, said, fix }: Finding, { paint }: Io): string {
  const mark = ok ? paint('green', 'ok ') : paint('red', '!! ');
  return `${mark} ${what.padEnd(8)} ${said}${fix === undefined ? '' : `; ${fix}`}\n`;
}

/** The file with the entry. The rest stays as it is, comments included. */
function withEntry(text: string, entry: object): string {
  const document = parseDocument(text);
  if (document.has('surfaces')) document.addIn(['surfaces'], document.createNode(entry));
  else document.set('surfaces', [entry]);
  return document.toString();
}
