// What Earshot knows about one program: how it is called for one turn, how its output is read, what it does unasked.
import type { TurnUsage } from '../../../protocol/usage.ts';

export type PresetName = 'claude' | 'codex' | 'gemini' | 'opencode' | 'goose' | 'qwen' | 'pi';

/** What one run of a program is to do. */
export interface PresetOrder {
  /** The session to go on with. */
  session: string | undefined;
  /** A name for a new session, for programs that want one from us. */
  newSession: string;
  /** The folder it works in. */
  cwd: string;
  inGit: boolean;
  model: string | undefined;
  mode: string | undefined;
  /** Arguments of the user's own. A default that they replace is left out. */
  extra: readonly string[];
  /** The MCP server whose only tool asks the people in chat. Undefined: nobody can be asked. */
  permission?: PermissionServer | undefined;
}

/** A server that the program starts. It gets no token: it finds one in the data folder. */
export interface PermissionServer {
  command: string;
  args: readonly string[];
}

/** What a program printed, read. */
export interface PresetOutput {
  text: string;
  session?: string | undefined;
  /** Of this run, or of the whole session so far (`totals`). */
  usage?: TurnUsage | undefined;
  /** It has failed, whatever its exit code says. */
  error?: string | undefined;
}

export interface Printed {
  stdout: string;
  /** The end of standard error. */
  stderr: string;
}

export interface Preset {
  name: PresetName;
  command: string;
  /** How to get it. */
  install: string;
  /** The prompt comes on standard input in every case. */
  args(order: PresetOrder): string[];
  read(printed: Printed): PresetOutput;
  /** A session goes by the name that we gave it. The program tells no id. */
  namesSessions?: true;
  /** Which of the numbers are totals of the session: a run has cost the difference to the run before. */
  totals: { tokens: boolean; cost: boolean };
  /** What it says when it does not know the session to go on with. */
  lost: RegExp;
  /** What `--mode` is for this program, for people. Undefined: it has none. */
  mode?: string;
  /** It asks the people in chat with the tool of `PresetOrder.permission`. */
  asks?: true;
  /** What it does without asking anybody. Undefined: nothing that changes anything. */
  unasked?: string;
}

/** The default, unless the user gave one of these flags. */
export function unless(extra: readonly string[], flags: readonly string[], ...defaults: string[]): string[] {
  const given = extra.some((word) => flags.some((name) => word === name || word.startsWith(`${name}=`)));
  return given ? [] : defaults;
}

export function flag(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [name, value];
}
