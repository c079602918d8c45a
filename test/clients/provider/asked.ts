// What a program asked of its model, whatever protocol it used. Real programs send more than the scripted ones of the
// gate (beta fields, tools of the provider's own, titles to be made), so nothing here refuses anything.
import type { IncomingMessage } from 'node:http';

export type Wire = 'chat' | 'messages' | 'responses' | 'gemini';

export interface OfferedTool {
  name: string;
  /** Names of its parameters, with the type that its schema gives. */
  parameters: Readonly<Record<string, string>>;
  required: readonly string[];
}

export interface Line {
  role: 'user' | 'assistant' | 'result';
  text: string;
  calls: boolean;
}

export interface Asked {
  wire: Wire;
  model: string;
  stream: boolean;
  tools: readonly OfferedTool[];
  /** What was said to the model since its last whole answer. */
  turn: string;
  /** Results of tools since then. */
  results: readonly string[];
  /** Resolves when the program has hung up before it was answered. */
  hungUp: Promise<void>;
}

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

export function wordOf(value: unknown, otherwise = ''): string {
  return typeof value === 'string' ? value : otherwise;
}

/** The texts in a content: a string, or parts of any kind. */
export function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textIn).filter(Boolean).join('\n');
  const { text, content: inner, output } = fieldsOf(content);
  return textIn(text ?? inner ?? output ?? '');
}

export function toolOf(name: unknown, schema: unknown): OfferedTool {
  const { properties, required } = fieldsOf(schema);
  const parameters = Object.entries(fieldsOf(properties)).map(([key, one]) => [
    key,
    wordOf(fieldsOf(one)['type'], 'string').toLowerCase(),
  ]);
  return {
    name: String(name),
    parameters: Object.fromEntries(parameters) as Record<string, string>,
    required: Array.isArray(required) ? required.map(String) : [],
  };
}

/** Everything after the model's last answer. What it said beside a call of a tool is none: a person speaks after one. */
export function sinceAnswer(lines: readonly Line[]): Pick<Asked, 'turn' | 'results'> {
  const at = lines.findLastIndex(
    ({ role, calls }, index) => role === 'assistant' && !calls && lines[index + 1]?.role === 'user',
  );
  const after = lines.slice(at + 1);
  const texts = (role: Line['role']): string[] =>
    after.filter((line) => line.role === role).map(({ text }) => text);
  return { turn: texts('user').join('\n'), results: texts('result') };
}

export async function bodyOf(incoming: IncomingMessage): Promise<Fields> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  try {
    return fieldsOf(JSON.parse(Buffer.concat(chunks).toString('utf8')));
  } catch {
    return {};
  }
}
