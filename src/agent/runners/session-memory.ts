// Which session of a program belongs to which conversation. It outlives the runner, so that after a restart the program
// goes on where it was. Losing it loses nothing but that: the next turn begins a new session, with the history.
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pid } from 'node:process';
import { record, string } from '../read-event.ts';

export interface SessionMemory {
  get(conversation: string): string | undefined;
  keep(conversation: string, session: string): void;
  forget(conversation: string): void;
}

/** How many sessions are remembered. One more forgets the one that was used least recently. */
export const REMEMBERED_SESSIONS = 500;

/** For a runner that is not given a file. */
export function shortSessionMemory(): SessionMemory {
  return memoryOver(new Map(), () => undefined);
}

export interface SessionFileOptions {
  file: string;
  /** A session belongs to one program in one folder. Under another one it is not taken up. */
  program: string;
  cwd: string;
  /** Told once when the file cannot be read or written. */
  onProblem: (problem: string) => void;
}

const VERSION = 1;

/** The file is replaced whole, readable for its owner alone: who has the id can read the session. */
export function sessionFile({ file, program, cwd, onProblem }: SessionFileOptions): SessionMemory {
  const key = JSON.stringify([program, cwd]);
  const all = read(file, onProblem);
  const own = all.get(key) ?? new Map<string, string>();
  all.set(key, own);
  let told = false;
  return memoryOver(own, () => {
    try {
      write(file, all);
    } catch (error) {
      if (!told) onProblem(`${file} cannot be written (${codeOf(error)}): sessions are lost with a restart`);
      told = true;
    }
  });
}

function memoryOver(sessions: Map<string, string>, changed: () => void): SessionMemory {
  return {
    get: (conversation) => sessions.get(conversation),
    keep(conversation, session) {
      sessions.delete(conversation);
      sessions.set(conversation, session);
      for (const oldest of sessions.keys()) {
        if (sessions.size <= REMEMBERED_SESSIONS) break;
        sessions.delete(oldest);
      }
      changed();
    },
    forget(conversation) {
      if (sessions.delete(conversation)) changed();
    },
  };
}

type AllSessions = Map<string, Map<string, string>>;

function read(file: string, onProblem: (problem: string) => void): AllSessions {
  const all: AllSessions = new Map();
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) !== 'ENOENT')
      onProblem(`${file} cannot be read (${codeOf(error)}): sessions begin anew`);
    return all;
  }
  const kept = parsed(text);
  if (kept === undefined || kept['v'] !== VERSION) {
    onProblem(`${file} is no list of sessions of this version: sessions begin anew`);
    return all;
  }
  for (const [key, sessions] of Object.entries(record(kept['programs']))) {
    const entries = Object.entries(record(sessions)).filter(([, id]) => string(id) !== undefined);
    all.set(key, new Map(entries as [string, string][]));
  }
  return all;
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return record(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function write(file: string, all: AllSessions): void {
  const programs = Object.fromEntries([...all].map(([key, sessions]) => [key, Object.fromEntries(sessions)]));
  const partial = `${file}.${pid}.partial`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(partial, `${JSON.stringify({ v: VERSION, programs }, null, 2)}\n`, { mode: 0o600 });
    chmodSync(partial, 0o600);
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

function codeOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}
