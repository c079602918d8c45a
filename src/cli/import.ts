// `earshot import`: turns a platform's own export into the lines that `earshot replay` reads, and into a report about
// what agents would have done with it. Nothing is sent anywhere and nothing needs to be installed on the platform.
import { existsSync } from 'node:fs';
import { printableLine } from '../protocol/identity.ts';
import { type Command, oneOfFlag, parseFlags } from './args.ts';
import { DEFAULT_CONFIG, loadConfig } from './config.ts';
import { createAccount } from './import/account.ts';
import { chooseAgents } from './import/agents.ts';
import { type App, countApps } from './import/apps.ts';
import type { ChatExport } from './import/chat-export.ts';
import { discordExport } from './import/discord-export.ts';
import { type ExportFiles, openExport } from './import/files.ts';
import { type LineSink, lineSink } from './import/line-sink.ts';
import { createPass } from './import/pass.ts';
import { slackExport } from './import/slack-export.ts';
import { summaryRow, summaryText } from './import/summary.ts';
import { CommandError, type Io } from './io.ts';
import { createReport, writeReport } from './report/report.ts';

const HELP = `Usage: earshot import slack|discord EXPORT [--report FILE] [--out FILE] [--agent NAME]... [--config FILE] [--since DATE] [--json]

Reads a platform's own export: what would agents have done with it? Nothing is sent anywhere.

  EXPORT         Slack: the zip, or the folder it was unpacked to
                 Discord: JSON files of DiscordChatExporter (one, a folder, a zip), or the data package
  --report FILE  write a report for people: one HTML file
  --out FILE     write one ChatEvent a line, as earshot replay reads them; - for standard output, which it is
                 anyway when there is no --report and something reads it
  --agent NAME   an agent: an app of the export, by name or id, or a new name; may stand several times
  --config FILE  the agents and rules; ./earshot.yaml when there is one and no --agent is given.
                 Without either, the apps that people called most
  --since DATE   only what is not older, such as 2026-10-01
  --json         what was read and left out, as one JSON line
  -h, --help     this text

Examples:
  earshot import slack acme-export.zip --report report.html
  earshot import discord ./channels --agent lead --agent builder --report report.html
  earshot import slack acme-export.zip | earshot replay - --config earshot.yaml
`;

const OPTIONS = {
  report: { type: 'string' },
  out: { type: 'string' },
  agent: { type: 'string', multiple: true },
  config: { type: 'string' },
  since: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const PROBLEM_CHARS = 300;
const READERS = { slack: slackExport, discord: discordExport };
const PLATFORMS = Object.keys(READERS) as (keyof typeof READERS)[];

export const importCommand: Command = { help: HELP, run };

async function run(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseFlags('import', argv, OPTIONS, 2);
  if (values.help === true) {
    await io.out(HELP);
    return 0;
  }
  const [word, path] = positionals;
  const platform = oneOfFlag('import', word, PLATFORMS);
  if (platform === undefined || path === undefined) {
    throw new CommandError(
      2,
      'import: say what and where: earshot import slack EXPORT, or discord (see: earshot import --help)',
    );
  }
  const { report, agent: names = [], config, json = false } = values;
  // Lines are for programs. On a terminal, somebody would rather know what is in the export.
  const out = values.out ?? (report === undefined && io.isTerminal !== true && !json ? '-' : undefined);
  const since = sinceOf(values.since);
  const files = await openExport(path);
  let sink: LineSink | undefined;
  try {
    const account = createAccount((line) => io.err(`${path}/${printableLine(line, PROBLEM_CHARS)}\n`));
    const chat = await READERS[platform](files, account);
    const apps = await appsOf(chat, since, io);
    const chosen = chooseAgents(apps, names, await configOf(config, names));
    const counted = createReport(chosen.settings);
    sink = out === undefined ? undefined : lineSink(out, io);
    const pass = createPass(chat, account, since, io);
    for await (const event of pass.events()) {
      await sink?.write(event);
      counted.feed(event);
    }
    await sink?.end();
    if (pass.stats.messages === 0) throw nothingIn(files, values.since);
    const { tally } = counted;
    if (report !== undefined)
      await writeReport(report, {
        source: path,
        tally,
        chosen: chosen.notes,
        caveats: [...chat.warnings, ...chat.caveats],
        account: account.lines(),
      });
    const summary = {
      path,
      platform,
      stats: pass.stats,
      account: account.lines(),
      apps,
      chosen,
      warnings: chat.warnings,
      tally,
      out,
      report,
    };
    const said = json ? `${JSON.stringify(summaryRow(summary))}\n` : summaryText(summary, io.paint);
    if (out === '-') io.err(said);
    else await io.out(said);
  } finally {
    await sink?.close();
    await files.close();
  }
  return 0;
}

/** Who the apps are is known only when everything has been read once. */
async function appsOf(chat: ChatExport, since: number, io: Io): Promise<App[]> {
  const count = countApps(chat);
  for await (const event of chat.events(createAccount(), since)) count.see(event);
  io.progress.clear();
  return count.apps();
}

async function configOf(config: string | undefined, names: readonly string[]) {
  if (config !== undefined && names.length > 0)
    throw new CommandError(2, 'import: the agents are named by --config or by --agent, not by both');
  const file = config ?? (names.length === 0 && existsSync(DEFAULT_CONFIG) ? DEFAULT_CONFIG : undefined);
  return file === undefined ? undefined : { settings: await loadConfig(file), file };
}

function sinceOf(text: string | undefined): number {
  if (text === undefined) return 0;
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at))
    throw new CommandError(2, `--since: "${text}" is no date; write one such as 2026-10-01`);
  return at;
}

function nothingIn({ name }: ExportFiles, since: string | undefined): CommandError {
  const later =
    since === undefined
      ? 'was the export made for a time without messages?'
      : `nothing since ${since}: leave --since out`;
  return new CommandError(1, `${name}: no messages in it; ${later}`);
}
