// A known program as the `command` runner calls it: it goes on with the session of the conversation, and its output is
// read by its preset. A session that keeps failing is given up, because its memory itself may be what fails.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TurnUsage } from '../../protocol/usage.ts';
import { webRandom } from '../agent-deps.ts';
import { placeKey } from '../event.ts';
import { spoken } from '../rules.ts';
import type { ChildEnd } from './child.ts';
import type { CommandOutcome, Program, ProgramCall } from './command.ts';
import { errorIn } from './error-text.ts';
import { record, string, wholeJson } from './presets/json-output.ts';
import type { PermissionServer, Preset, PresetOutput } from './presets/preset.ts';
import { errorLine } from './redacted.ts';
import { Said } from './said.ts';
import { type SessionMemory, shortSessionMemory } from './session-memory.ts';

export interface PresetOptions {
  preset: Preset;
  /** The folder it works in. Absolute. */
  cwd: string;
  model?: string | undefined;
  mode?: string | undefined;
  /** Arguments of the user's own, after those of the preset. */
  extra?: readonly string[];
  /** The server that asks in chat, for a preset that `asks`. Default: nobody is asked. */
  permission?: (() => PermissionServer) | undefined;
  /** Default: sessions are lost with the process. */
  memory?: SessionMemory | undefined;
}

/** With its events and its tools' output a run prints more than it says. */
const OUTPUT_BYTES = 16 * 1024 * 1024;
/** After so many failures in a row a session is given up. */
const FAILURES = 2;

/** What is known of a conversation's session beside its id. Lost with the process. */
interface Known {
  failures: number;
  /** Totals of the session after its last run. Undefined while they are not known. */
  total: TurnUsage | undefined;
}

export function presetProgram(options: PresetOptions): Program {
  const { preset, memory = shortSessionMemory() } = options;
  const conversations = new Map<string, Known>();
  return {
    outputBytes: OUTPUT_BYTES,
    call(turn) {
      const conversation = placeKey(turn.conversation);
      const session = memory.get(conversation);
      const known = conversations.get(conversation) ?? { failures: 0, total: undefined };
      conversations.set(conversation, known);
      const newSession = `earshot-${webRandom.id()}`;
      const read: ProgramCall['read'] = (end, answerBytes) => {
        const told = end.type === 'exited' ? outputOf(preset, end) : undefined;
        if (told === undefined) return undefined;
        const outcome = outcomeOf(preset, told, answerBytes);
        if (session !== undefined && outcome.type === 'failed' && preset.lost.test(textOf(end))) {
          memory.forget(conversation);
          return { type: 'lost' };
        }
        const usage = usageOf(preset, told.usage, session === undefined, known);
        known.failures = outcome.type === 'failed' ? known.failures + 1 : 0;
        const id = told.session ?? (preset.namesSessions === true ? (session ?? newSession) : undefined);
        if (known.failures >= FAILURES) memory.forget(conversation);
        else if (id !== undefined && outcome.type !== 'failed') memory.keep(conversation, id);
        return { ...outcome, usage };
      };
      const { cwd, model, mode, extra = [], permission } = options;
      const inGit = isInGit(cwd);
      const ours = { session, newSession, cwd, inGit, model, mode, extra };
      const args = preset.args({ ...ours, permission: permission?.() });
      return { args, input: session === undefined ? turn.prompt : turn.fresh, read };
    },
  };
}

type Exited = Extract<ChildEnd, { type: 'exited' }>;

function outputOf(preset: Preset, { output, errorTail, code, lastLine }: Exited): PresetOutput {
  if (output.leftOutBytes > 0)
    return { text: '', error: `it printed more than ${OUTPUT_BYTES} bytes, too much to be read` };
  const told = preset.read({ stdout: output.text, stderr: errorTail });
  if (code === 0 || told.error !== undefined) return told;
  return { ...told, text: '', error: `it exited with ${code}${lastLine === '' ? '' : `: ${lastLine}`}` };
}

function textOf(end: ChildEnd): string {
  return end.type === 'exited' ? `${end.errorTail}\n${end.output.text.slice(-4_096)}` : '';
}

function outcomeOf({ command }: Preset, { text, error }: PresetOutput, answerBytes: number): CommandOutcome {
  const wrong = error ?? errorIn(text);
  if (wrong !== undefined) return { type: 'failed', why: `${command} failed: ${lineOf(wrong)}` };
  const said = spoken(text);
  if (said === undefined) return { type: 'silence' };
  const answer = new Said(answerBytes);
  answer.add(said);
  return { type: 'reply', text: answer.text };
}

/** Some programs quote the provider's answer as it came: the message in it is what counts. */
function lineOf(text: string): string {
  const quoted = record(wholeJson(text));
  const message = string(record(quoted['error'])['message']) ?? string(quoted['message']);
  if (message !== undefined) return errorLine(message);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return errorLine(lines.at(-1) ?? 'it did not say why');
}

/** What this run has cost, where the program tells totals. Nothing while the total before is not known. */
function usageOf(
  { totals }: Preset,
  told: TurnUsage | undefined,
  isNew: boolean,
  known: Known,
): TurnUsage | undefined {
  if (told === undefined) return undefined;
  const before = isNew ? undefined : known.total;
  const baseless = !isNew && known.total === undefined;
  known.total = told;
  if (totals.tokens && baseless) return undefined;
  const { costUsd, cachedInputTokens, ...tokens } = told;
  const spent = totals.tokens
    ? {
        ...tokens,
        inputTokens: since(told.inputTokens, before?.inputTokens),
        outputTokens: since(told.outputTokens, before?.outputTokens),
      }
    : tokens;
  const cached =
    cachedInputTokens === undefined || !totals.tokens
      ? cachedInputTokens
      : since(cachedInputTokens, before?.cachedInputTokens);
  const cost =
    costUsd === undefined || !totals.cost ? costUsd : baseless ? undefined : since(costUsd, before?.costUsd);
  return {
    ...spent,
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    ...(cost === undefined ? {} : { costUsd: cost }),
  };
}

function since(now: number, then: number | undefined): number {
  return Math.max(0, now - (then ?? 0));
}

function isInGit(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return true;
    if (dirname(at) === at) return false;
  }
}
