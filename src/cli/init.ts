// `earshot init`: writes a commented earshot.yaml that runs as it is, and says what to type next. It never overwrites a
// file without --force.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Command, oneOfFlag, parseFlags } from './args.ts';
import { DEFAULT_CONFIG, parseHostConfig } from './config.ts';
import { isTerminal, makePlan } from './init-ask.ts';
import { configText } from './init-file.ts';
import { type Plan, RUN_KINDS, type RunKind } from './init-plan.ts';
import { CommandError, type Io } from './io.ts';

const HELP = `Usage: earshot init [DIR] [--out FILE] [--agents A,B] [--lead A] [--run KIND] [--source NAME] [--yes] [--force] [--json]

Writes ${DEFAULT_CONFIG}: your agents, the usual rules, and the other options as comments. On a terminal it asks for what
it needs, and Enter takes what stands in brackets; elsewhere, and with --yes, it asks nothing.

  DIR            the folder to write it to; this one when left out
  --out FILE     the file itself, under any name
  --agents A,B   names of your agents; lead,builder
  --lead A       which of them leads the others, or none; the first
  --run KIND     demo: our scripts play those called lead, builder and reviewer
                 command: a program, started once a turn
                 own: a harness that you write or have. It changes only what you are told to type next
  --source NAME  a program that brings chat in over HTTP, or none; none
  -y, --yes      ask nothing
  --force        write over a file that is there
  --json         what was written, as one JSON line
  -h, --help     this text

Example:
  earshot init --agents nova,scribe --lead nova --run command
`;

const OPTIONS = {
  out: { type: 'string' },
  agents: { type: 'string' },
  lead: { type: 'string' },
  run: { type: 'string' },
  source: { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
  force: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

export const initCommand: Command = { help: HELP, run };

async function run(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseFlags('init', argv, OPTIONS, 1);
  if (values.help === true) {
    await io.out(HELP);
    return 0;
  }
  const file = placeOf(positionals[0], values.out);
  const force = values.force === true;
  if (!force && existsSync(file)) throw alreadyThere(file);
  oneOfFlag('run', values.run, RUN_KINDS);
  const asks = values.yes !== true && isTerminal(io.stdin);
  const plan = await makePlan(values, asks ? io : undefined);
  const text = configText(plan);
  parseHostConfig(text, file);
  write(file, text, force);
  const next = nextSteps(plan, file);
  const { agents, lead, run: kind, source } = plan;
  const row = { file, agents, lead: lead ?? null, run: kind, source: source ?? null, next };
  await io.out(values.json === true ? `${JSON.stringify(row)}\n` : said(file, plan, next, io));
  return 0;
}

function placeOf(dir: string | undefined, out: string | undefined): string {
  if (dir === undefined) return out ?? DEFAULT_CONFIG;
  if (out === undefined) return join(dir, DEFAULT_CONFIG);
  throw new CommandError(2, 'init: give a folder or --out FILE, not both (see: earshot init --help)');
}

function alreadyThere(file: string): CommandError {
  return new CommandError(
    1,
    `${file} is there already and was left as it is: name another place, or write over it with --force`,
  );
}

/** Uses `wx`, because somebody may have made the file while questions were answered. */
function write(file: string, text: string, force: boolean): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && existsSync(file)) throw alreadyThere(file);
    const hint =
      code === 'EISDIR' ? 'it is a folder: leave out --out' : 'choose a place that you may write to';
    throw new CommandError(1, `${file} cannot be written (${code ?? message}): ${hint}`, { cause: error });
  }
}

function nextSteps({ agents: [agent = 'lead'], run: kind }: Plan, file: string): string[] {
  const config = file === DEFAULT_CONFIG ? '' : ` --config ${shellWord(file)}`;
  const steps: Record<RunKind, string[]> = {
    demo: [`npx earshot up${config} --demo`, `npx earshot say "@${agent} are you there?"`],
    command: [`npx earshot up${config}`, `npx earshot run --agent ${agent} -- claude -p`],
    own: [`npx earshot up${config}`, `npx earshot connect --stdio --agent ${agent}`],
  };
  return steps[kind];
}

const AFTER: Record<RunKind, string> = {
  demo: 'the second in another terminal, or talk in the web chat at the address that the first prints',
  command: 'the second in another terminal, once for each agent; any program will do',
  own: 'the second copies the wire to its standard streams; docs/agent.md and docs/harness.md have other ways',
};

function said(file: string, { agents, lead, run: kind }: Plan, next: readonly string[], io: Io): string {
  const who = lead === undefined ? agents.join(', ') : `${agents.join(', ')}; ${lead} leads`;
  const steps = next.map((step) => `  ${step}\n`).join('');
  return `${io.paint('green', 'wrote')} ${file} (${who})\n\nNext, ${AFTER[kind]}:\n\n${steps}`;
}

function shellWord(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
