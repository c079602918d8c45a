// What a request for permission looks like in chat: what would be done, as one short line in code marks that mentions
// nobody. A model that has read untrusted chat wrote the request.
import { printableLine } from '../../protocol/identity.ts';

/** How much of what would be done is shown. */
const SHOWN_CHARS = 500;
const TOOL_CHARS = 80;
/** The members that say what a tool does, most telling first. Any other input is shown whole. */
const TELLING = [
  'command',
  'file_path',
  'path',
  'notebook_path',
  'url',
  'query',
  'pattern',
  'input_preview',
] as const;

export function permissionQuestion(toolName: string, input: Readonly<Record<string, unknown>>): string {
  const tool = harmless(printableLine(toolName, TOOL_CHARS));
  const telling = TELLING.map((name) => input[name]).find((value) => typeof value === 'string');
  const what = quoted(telling ?? JSON.stringify(input));
  return `May I use ${tool}: ${what}? Please answer yes or no.`;
}

/** Says how much is left out, because a person cannot agree to what they do not see. */
function quoted(text: string): string {
  const rest = text.trim().length - SHOWN_CHARS;
  const line = `\`${harmless(printableLine(text, SHOWN_CHARS))}\``;
  return rest > 0 ? `${line} (and ${rest} more characters, not shown)` : line;
}

/** An @ that would mention somebody, unlike the one in an e-mail address. */
const CALLS = /(^|[^\p{L}\p{N}_])@/gu;

function harmless(line: string): string {
  return line.replaceAll('`', "'").replace(CALLS, '$1@\u2060');
}
