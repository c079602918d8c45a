// `earshot add slack`: from nothing to a platform that works. It prints the manifest to paste, asks the platform whether
// the tokens are right and what they lack, and writes the entry into earshot.yaml.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { loadOptional } from '../runtime/optional-package.ts';
import { createApi } from '../surfaces/slack/api.ts';
import { checkSlack, type Finding } from '../surfaces/slack/check.ts';
import { manifestText } from '../surfaces/slack/manifest.ts';
import { type SlackSettings, slackSettingsSchema } from '../surfaces/slack/settings.ts';
import { type Command, parseFlags } from './args.ts';
import { DEFAULT_CONFIG, parseHostConfig } from './config.ts';
import { CommandError, type Io } from './io.ts';
import { secretsOf } from './secrets.ts';

const HELP = `Usage: earshot add slack [--config FILE] [--http [--address URL]] [--manifest]

Without tokens it prints the manifest of the app and what to do with it. With SLACK_BOT_TOKEN and SLACK_APP_TOKEN in the
environment, or where the file says that they are kept, it asks Slack whether they work, what they lack and what that
costs, and adds Slack to the file. It never writes a token.

  --config FILE   the file to add it to; ./earshot.yaml
  --http          Slack posts the events to this host, instead of over a connection that Earshot opens
  --address URL   with --http: where Slack reaches this host, such as https://earshot.example.com
  --manifest      print the manifest and nothing else
  --json          one JSON object per line: what was found, what was written, or the manifest
  -h, --help      this text

Example:
  earshot add slack
`;

const OPTIONS = {
  config: { type: 'string' },
  http: { type: 'boolean' },
  address: { type: 'string' },
  manifest: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

export const addCommand: Command = { help: HELP, run: (argv, io) => run(argv, io, { env: process.env }) };

export interface AddPorts {
  env: Readonly<Record<string, string | undefined>>;
  /** Another address than Slack's own. */
  apiUrl?: string;
}

/** Prints something for people, or as JSON. */
type Print = (text: string, json: object) => Promise<void>;

export async function run(argv: readonly string[], io: Io, { env, apiUrl }: AddPorts): Promise<number> {
  const { values, positionals } = parseFlags('add', argv, OPTIONS, 1);
  if (values.help === true) {
    await io.out(HELP);
    return 0;
  }
  if (positionals[0] !== 'slack')
    throw new CommandError(2, 'add: say which platform: earshot add slack (see: earshot add --help)');
  const events = values.http === true ? 'http' : 'socket';
  const { address } = values;
  const manifest = manifestText({ events, ...(address !== undefined && { address }) });
  const print: Print = (text, json) => io.out(values.json === true ? `${JSON.stringify(json)}\n` : text);
  if (values.manifest === true) {
    await print(manifest, { manifest });
    return 0;
  }
  const file = values.config ?? DEFAULT_CONFIG;
  if (!existsSync(file)) throw new CommandError(1, `${file}: no such file; write one with "earshot init"`);
  const text = readFileSync(file, 'utf8');
  const settings = slackIn(text, file) ?? slackSettingsSchema.parse({ type: 'slack', events, apiUrl });
  const secret = secretsOf(env, () => undefined);
  if ((await secret(settings.botToken).read()) === undefined) {
    await print(steps(manifest, settings, secret), { manifest });
    return 0;
  }
  const ok = await check(settings, secret, (finding) => print(lineOf(finding, io), finding));
  const written = add(text, file, settings);
  await print(`${file} has Slack ${written ? 'now: restart the host' : 'already'}\n`, { file, written });
  return ok ? 0 : 1;
}

function slackIn(text: string, file: string): SlackSettings | undefined {
  return parseHostConfig(text, file).surfaces.find((one) => one.type === 'slack');
}

function steps(manifest: string, settings: SlackSettings, secret: ReturnType<typeof secretsOf>): string {
  const second =
    settings.events === 'socket'
      ? `an app-level token with connections:write (Basic Information) into ${secret(settings.appToken).name}`
      : `the signing secret (Basic Information) into ${secret(settings.signingSecret).name}`;
  return `1. Open https://api.slack.com/apps, Create New App, From a manifest, and paste:

${manifest}
2. Install the app. Put its bot token (OAuth & Permissions) into ${secret(settings.botToken).name},
   ${second}.
3. Run this command again: it checks them and adds Slack to the file.
`;
}

async function check(
  settings: SlackSettings,
  secret: ReturnType<typeof secretsOf>,
  tell: (finding: Finding) => Promise<void>,
): Promise<boolean> {
  const { WebClient } = await loadOptional(
    ['@slack/web-api', '@slack/socket-mode'],
    () => import('@slack/web-api'),
  );
  const deps = {
    botToken: secret(settings.botToken),
    ...(settings.events === 'socket'
      ? { appToken: secret(settings.appToken) }
      : { signingSecret: secret(settings.signingSecret) }),
    makeApi: (token: string) => createApi(WebClient, token, settings.apiUrl),
  };
  let ok = true;
  for await (const finding of checkSlack(deps)) {
    ok &&= finding.ok;
    await tell(finding);
  }
  return ok;
}

function lineOf({ what, ok, said, fix }: Finding, { paint }: Io): string {
  const mark = ok ? paint('green', 'ok ') : paint('red', '!! ');
  return `${mark} ${what.padEnd(8)} ${said}${fix === undefined ? '' : `; ${fix}`}\n`;
}

/** Adds the entry, unless there is one, and leaves the rest of the file as it is, comments included. */
function add(text: string, file: string, { events }: SlackSettings): boolean {
  if (slackIn(text, file) !== undefined) return false;
  const document = parseDocument(text);
  const entry = events === 'http' ? { type: 'slack', events } : { type: 'slack' };
  if (document.has('surfaces')) document.addIn(['surfaces'], document.createNode(entry));
  else document.set('surfaces', [entry]);
  const next = document.toString();
  parseHostConfig(next, file);
  writeFileSync(file, next);
  return true;
}
