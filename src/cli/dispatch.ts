// From the words after `earshot` to a command and its exit code: 0 done, 1 wrong input, 2 wrong usage. Every expected
// failure is one clear line on standard error; anything else is a bug and keeps its stack.
import { readFileSync } from 'node:fs';
import { agentsCommand } from './agents.ts';
import type { Command } from './args.ts';
import { backupCommand } from './backup.ts';
import { conformCommand } from './conform.ts';
import { claimsCommand } from './claims.ts';
import { connectCommand } from './connect.ts';
import { doctorCommand } from './doctor.ts';
import { explainCommand } from './explain.ts';
import { initCommand } from './init.ts';
import { CommandError, type Io } from './io.ts';
import { mcpCommand } from './mcp.ts';
import { nearest } from './nearest.ts';
import { owedCommand } from './owed.ts';
import { pairCommand } from './pair.ts';
import { replayCommand } from './replay.ts';
import { runCommand } from './run.ts';
import { sayCommand } from './say.ts';
import { tailCommand } from './tail.ts';
import { tokenCommand } from './token.ts';
import { upCommand } from './up.ts';
import { whyCommand } from './why.ts';

export const COMMANDS: readonly Command[] = [
  initCommand,
  upCommand,
  sayCommand,
  tailCommand,
  whyCommand,
  agentsCommand,
  claimsCommand,
  owedCommand,
  tokenCommand,
  pairCommand,
  doctorCommand,
  backupCommand,
  connectCommand,
  mcpCommand,
  runCommand,
  replayCommand,
  explainCommand,
  conformCommand,
];

export async function dispatch(argv: readonly string[], io: Io): Promise<number> {
  try {
    const code = await choose(argv, io);
    await io.flush();
    return code;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    await io.flush();
    io.err(`earshot: ${error.message}\n`);
    return error.exitCode;
  }
}

async function choose(argv: readonly string[], io: Io): Promise<number> {
  const [word, ...rest] = argv;
  if (word === undefined || word === 'help' || word === '--help' || word === '-h') return help(rest[0], io);
  if (word === '--version' || word === '-v' || word === 'version') {
    await io.out(`${version()}\n`);
    return 0;
  }
  return find(word).run(rest, io);
}

function find(word: string): Command {
  const command = COMMANDS.find(({ name }) => name === word);
  if (command !== undefined) return command;
  const near = nearest(word, [...COMMANDS.map(({ name }) => name), 'help']);
  const hint = near === undefined ? 'see: earshot help' : `did you mean "earshot ${near}"?`;
  throw new CommandError(2, `there is no command "${word}"; ${hint}`);
}

async function help(topic: string | undefined, io: Io): Promise<number> {
  await io.out(topic === undefined ? overview() : find(topic).help);
  return 0;
}

function overview(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  const list = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}\n`).join('');
  return `earshot ${version()}: the attention layer between chat and LLM agents

Usage: earshot COMMAND [flags]

${list}
  earshot help COMMAND      what a command does, its flags, an example
  earshot --version

Try: earshot up, then in another terminal: earshot say "@lead are you there?"
`;
}

function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
