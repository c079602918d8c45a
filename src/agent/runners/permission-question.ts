// Puts into words what an agent wants to do, for the person who is asked. A model that has read untrusted chat wrote the
// request, so everything of it stands in code marks, mentions nobody and is bounded; the question says what it leaves
// out, because a person cannot agree to what they do not see.
import { printableLine } from '../../protocol/identity.ts';
import type { ToolCall } from './acp-tool-call.ts';
import type { Change } from './change-lines.ts';
import { withoutKeys } from './redacted.ts';

export interface QuestionBounds {
  /** How much of each part is shown. */
  chars: number;
  /** The agent's own folder. Another one is named. */
  cwd: string;
}

/** More files than this are counted. */
const PATHS_SHOWN = 5;

const VERBS: Readonly<Record<string, string>> = {
  read: 'read',
  edit: 'edit',
  delete: 'delete',
  move: 'move',
  search: 'search',
  execute: 'run',
  fetch: 'fetch',
};

export function permissionQuestion(call: ToolCall, { chars, cwd }: QuestionBounds): string {
  const asked = `May I ${deedOf(call, chars, cwd)}? Please answer yes or no.`;
  const { change } = call;
  if (call.command !== undefined || change === undefined || change.lines.length === 0) return asked;
  return `${asked}\n\n${changeBlock(change)}`;
}

/** What is known counts more than the kind that the agent calls it. */
function deedOf(call: ToolCall, chars: number, cwd: string): string {
  const { kind = '', title, command, folder, url, paths = [], change, input } = call;
  const quote = (text: string): string => quoted(text, chars);
  if (command !== undefined) {
    const where = folder === undefined || folder === cwd ? '' : ` in ${quote(folder)}`;
    return `run ${quote(command)}${where}`;
  }
  if (url !== undefined) return `fetch ${quote(url)}`;
  const verb = VERBS[kind];
  if (paths.length > 0) {
    const files = paths.slice(0, PATHS_SHOWN).map(quote).join(', ');
    const more = paths.length - PATHS_SHOWN;
    const rest = more > 0 ? ` and ${more} more files` : '';
    // An edit whose change is not told is shown as the agent has put it.
    const told = change === undefined && title !== undefined ? ` (${quote(title)})` : '';
    return `${verb ?? (change === undefined ? 'use' : 'edit')} ${files}${rest}${told}`;
  }
  if (verb !== undefined && title !== undefined) return `${verb} ${quote(title)}`;
  const deed = title ?? 'something that it does not name';
  return input === undefined || input === '{}'
    ? `do this: ${quote(deed)}`
    : `do this: ${quote(deed)} with ${quote(input)}`;
}

function quoted(text: string, chars: number): string {
  const shown = withoutKeys(text);
  const line = harmless(printableLine(shown, chars));
  const rest = shown.trim().length - chars;
  return rest > 0 ? `\`${line}\` (and ${rest} more characters, not shown)` : `\`${line}\``;
}

function changeBlock({ lines, more }: Change): string {
  // Each line is made printable by itself: the first character says whether it goes or comes.
  const shown = lines.map((line) => {
    const indent = /^[-+ ]\s*/.exec(line)?.[0].replace(/[^-+ \t]/g, '') ?? '';
    return harmless(withoutKeys(`${indent}${printableLine(line.slice(indent.length), line.length + 1)}`));
  });
  const rest = more > 0 ? [`… and ${more} more lines, not shown`] : [];
  return ['```diff', ...shown, ...rest, '```'].join('\n');
}

/** Ends no code mark and mentions nobody. */
function harmless(text: string): string {
  return text.replaceAll('`', "'").replace(CALLS, '$1@\u2060');
}

/** An @ that would mention somebody, unlike the one in an e-mail address. */
const CALLS = /(^|[^\p{L}\p{N}_])@/gu;
