// What a tool call would do, read from whatever the agent tells about it: the command, the files and their change, the
// address. Agents put these into different fields and call the kinds by different names. Only short texts are kept.
import { record, string } from '../read-event.ts';
import { type Change, changeBetween, changeOf } from './change-lines.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A field that the agent has not told is missing. */
export interface ToolCall {
  kind?: string;
  title?: string;
  status?: string;
  command?: string;
  /** The folder that the command runs in. */
  folder?: string;
  url?: string;
  paths?: readonly string[];
  change?: Change;
  /** Where a chat tool sends to. */
  target?: string;
  /** The whole input as one line, for a tool that is none of the above. */
  input?: string;
}

const TEXT_CHARS = 4_000;
const PATHS = 20;

export function toolCallOf(update: Fields): ToolCall {
  const input = record(update['rawInput']);
  const content = list(update['content']).map(record);
  return defined({
    kind: text(update['kind']),
    title: text(update['title']) ?? text(update['name']),
    status: text(update['status']),
    command: commandOf(input),
    folder: first(input, ['cwd', 'workdir', 'directory']),
    url: first(input, ['url', 'uri', 'href']),
    paths: pathsOf(update, input, content),
    change: changeIn(input, content),
    target: text(input['target']) ?? text(record(input['arguments'])['target']) ?? invoked(input),
    input: Object.keys(input).length === 0 ? undefined : JSON.stringify(input).slice(0, TEXT_CHARS),
  });
}

/** Codex wraps the call of an MCP tool. */
function invoked(input: Fields): string | undefined {
  return text(record(record(input['invocation'])['arguments'])['target']);
}

/** A program with its arguments is shown as they would be typed. What a shell is given is the command itself. */
function commandOf(input: Fields): string | undefined {
  const given = input['command'] ?? input['cmd'] ?? input['script'] ?? input['code'];
  if (!Array.isArray(given)) return text(given);
  const words = given.filter((word) => typeof word === 'string');
  const [shell = '', flag = '', script] = words;
  if (script !== undefined && words.length === 3 && SHELL.test(shell) && /^-\w*c$/.test(flag))
    return text(script);
  return text(words.join(' '));
}

const SHELL = /(?:^|\/)(?:ba|z|da)?sh$/;

const PATH_FIELDS = [
  'file_path',
  'filePath',
  'path',
  'absolute_path',
  'notebook_path',
  'destination',
] as const;

function pathsOf(update: Fields, input: Fields, content: readonly Fields[]): readonly string[] | undefined {
  const found = new Set<string>();
  const add = (path: unknown): void => {
    const one = text(path);
    if (one !== undefined && found.size < PATHS) found.add(one);
  };
  for (const block of content) if (block['type'] === 'diff') add(block['path']);
  for (const name of PATH_FIELDS) add(input[name]);
  for (const path of Object.keys(record(input['changes']))) add(path);
  for (const place of list(update['locations'])) add(record(place)['path']);
  return found.size === 0 ? undefined : [...found];
}

function changeIn(input: Fields, content: readonly Fields[]): Change | undefined {
  const diff = content.find(({ type }) => type === 'diff');
  if (diff !== undefined) return changeBetween(string(diff['oldText']) ?? '', string(diff['newText']) ?? '');
  const after = string(input['new_string']) ?? string(input['newString']) ?? string(input['content']);
  if (after !== undefined)
    return changeBetween(string(input['old_string']) ?? string(input['oldString']) ?? '', after);
  const patch = string(input['patch']) ?? string(input['diff']);
  return patch === undefined ? undefined : changeOf(patch);
}

function first(input: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const found = text(input[name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function text(value: unknown): string | undefined {
  return string(value)?.slice(0, TEXT_CHARS);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Without the fields that are undefined, so that a later update does not wipe out what an earlier one told. */
function defined(call: { [Name in keyof ToolCall]: ToolCall[Name] | undefined }): ToolCall {
  return Object.fromEntries(Object.entries(call).filter(([, value]) => value !== undefined));
}
