// Runs the command named after `earshot` and returns its exit code: 0 done, 1 wrong input, 2 wrong usage. An expected
// failure prints one clear line on standard error. Anything else is a bug and keeps its stack.
import { VERSION } from '../runtime/manifest.ts';
import { PackageMissing } from '../runtime/optional-package.ts';
import type { Command } from './args.ts';
import { CommandError, type Io } from './io.ts';
import { nearest } from './nearest.ts';

export interface ListedCommand {
  name: string;
  /** One line for `earshot help`. */
  summary: string;
  /** Loads only the requested command, because loading takes most of the time of a short command. */
  load(): Promise<Command>;
}

const LIST: readonly [name: string, summary: string, load: () => Promise<Command>][] = [
  ['init', 'write an earshot.yaml', async () => (await import('./init.ts')).initCommand],
  ['add', 'set up a chat platform, and check it', async () => (await import('./add.ts')).addCommand],
  ['up', 'run the host', async () => (await import('./up.ts')).upCommand],
  [
    'reload',
    'take the settings file as it is now, or show what it would change',
    async () => (await import('./reload.ts')).reloadCommand,
  ],
  [
    'say',
    'post a message as yourself and see what is decided',
    async () => (await import('./say.ts')).sayCommand,
  ],
  ['tail', 'show what happens, as it happens', async () => (await import('./tail.ts')).tailCommand],
  [
    'why',
    'tell why an agent was or was not woken by an event',
    async () => (await import('./why.ts')).whyCommand,
  ],
  [
    'agents',
    'show who is here, what they do, owe and hold',
    async () => (await import('./agents.ts')).agentsCommand,
  ],
  [
    'claims',
    'show who has taken what, and for how long',
    async () => (await import('./claims.ts')).claimsCommand,
  ],
  [
    'owed',
    'show which answers are owed, by whom and to whom',
    async () => (await import('./owed.ts')).owedCommand,
  ],
  [
    'stats',
    'show what agents have spent, and what was spared',
    async () => (await import('./stats.ts')).statsCommand,
  ],
  [
    'tune',
    "fit the agents' attention to people's corrections",
    async () => (await import('./tune.ts')).tuneCommand,
  ],
  [
    'score',
    "measure the settings on people's corrections",
    async () => (await import('./tune.ts')).scoreCommand,
  ],
  [
    'invite',
    'make a link that signs somebody in to the web chat',
    async () => (await import('./invite.ts')).inviteCommand,
  ],
  ['token', 'make, list and revoke tokens', async () => (await import('./token.ts')).tokenCommand],
  ['pair', 'make a code that grants its sender a role', async () => (await import('./pair.ts')).pairCommand],
  [
    'doctor',
    'look for what is wrong, and say what to do',
    async () => (await import('./doctor.ts')).doctorCommand,
  ],
  ['backup', 'write a copy of the store', async () => (await import('./backup.ts')).backupCommand],
  ['restore', 'put such a copy back', async () => (await import('./restore.ts')).restoreCommand],
  [
    'migrate',
    'copy the store from SQLite into PostgreSQL',
    async () => (await import('./migrate.ts')).migrateCommand,
  ],
  [
    'connect',
    'join a harness on standard streams to the host',
    async () => (await import('./connect.ts')).connectCommand,
  ],
  [
    'mcp',
    'serve the chat tools of one agent over MCP on standard input and output',
    async () => (await import('./mcp.ts')).mcpCommand,
  ],
  ['run', 'let a program or a model answer for an agent', async () => (await import('./run.ts')).runCommand],
  [
    'replay',
    'decide a recorded chat again: who must, may or must not answer, and why',
    async () => (await import('./replay.ts')).replayCommand,
  ],
  [
    'import',
    "read a platform's export: what would agents have done with it?",
    async () => (await import('./import.ts')).importCommand,
  ],
  [
    'explain',
    'tell in words what would be decided about one message',
    async () => (await import('./explain.ts')).explainCommand,
  ],
  [
    'conform',
    'check a C2A host against the protocol',
    async () => (await import('./conform.ts')).conformCommand,
  ],
];

export const COMMANDS: readonly ListedCommand[] = LIST.map(([name, summary, load]) => ({
  name,
  summary,
  load,
}));

export async function dispatch(argv: readonly string[], io: Io): Promise<number> {
  try {
    const code = await choose(argv, io);
    await io.flush();
    return code;
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof PackageMissing)) throw error;
    await io.flush();
    io.err(`earshot: ${error.message}\n`);
    return error instanceof CommandError ? error.exitCode : 1;
  }
}

async function choose(argv: readonly string[], io: Io): Promise<number> {
  const [word, ...rest] = argv;
  if (word === undefined || word === 'help' || word === '--help' || word === '-h') return help(rest[0], io);
  if (word === '--version' || word === '-v' || word === 'version') {
    await io.out(`${VERSION}\n`);
    return 0;
  }
  const command = await find(word).load();
  return command.run(rest, io);
}

function find(word: string): ListedCommand {
  const command = COMMANDS.find(({ name }) => name === word);
  if (command !== undefined) return command;
  const near = nearest(word, [...COMMANDS.map(({ name }) => name), 'help']);
  const hint = near === undefined ? 'see: earshot help' : `did you mean "earshot ${near}"?`;
  throw new CommandError(2, `there is no command "${word}"; ${hint}`);
}

async function help(topic: string | undefined, io: Io): Promise<number> {
  await io.out(topic === undefined ? overview() : (await find(topic).load()).help);
  return 0;
}

function overview(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  const list = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}\n`).join('');
  return `earshot ${VERSION}: the attention layer between chat and LLM agents

Usage: earshot COMMAND [flags]

${list}
  earshot help COMMAND      what a command does, its flags, an example
  earshot --version

Try: earshot up, then in another terminal: earshot say "@lead are you there?"
`;
}
