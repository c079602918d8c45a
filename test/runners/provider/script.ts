// What a script of the local provider sees and says: one request, whatever protocol it came in, and one reply.

export type Protocol = 'openai' | 'anthropic';

export interface ProviderToolCall {
  id: string;
  name: string;
  /** As the model wrote it. */
  input: unknown;
}

export interface ProviderMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  text: string;
  toolCalls: readonly ProviderToolCall[];
  /** Of a tool's result: the call it answers. */
  toolCallId?: string;
}

/** What a protocol's reader makes of a body. */
export interface ReadRequest {
  model: string;
  stream: boolean;
  messages: readonly ProviderMessage[];
  tools: readonly string[];
  toolChoice: string;
}

export interface ProviderRequest extends ReadRequest {
  /** From 1, over all requests that were not refused. */
  nth: number;
  protocol: Protocol;
  /** All system texts. */
  system: string;
  /** Everything the model is told, in order, without the system texts. */
  said: string;
  /** The text of the last message: a person's words or a tool's result. */
  last: string;
  body: Readonly<Record<string, unknown>>;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Resolves when the client has gone before its answer was out. */
  hungUp: Promise<void>;
  gone: boolean;
}

export interface ProviderReply {
  text?: string;
  toolCalls?: readonly { name: string; input?: unknown }[];
  /** Before the answer; ended when the client goes. */
  delayMs?: number;
  /** In the middle of a stream. */
  hold?: Promise<void>;
  /** An error: its status, and the provider's words. */
  status?: number;
  error?: string;
  /** Instead of an answer: this page. */
  page?: string;
  /** Why the model stopped; from the tool calls when left out. */
  finish?: 'stop' | 'length' | 'content_filter';
  usage?: { input: number; output: number; cached?: number };
}

/** A text is a reply too. */
export type ProviderScript = (
  request: ProviderRequest,
) => string | ProviderReply | Promise<string | ProviderReply>;

/** A reply made ready to be written. */
export interface Said {
  text: string;
  toolCalls: readonly ProviderToolCall[];
  finish: 'stop' | 'tool' | 'length' | 'content_filter';
  usage: { input: number; output: number; cached: number };
}

/** What the real service would answer 400 to. */
export class Refused extends Error {
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

export type Fields = Readonly<Record<string, unknown>>;

export function fields(value: unknown, where: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new Refused(`${where}: expected an object`);
}

export function list(value: unknown, where: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw new Refused(`${where}: expected an array`);
}

export function words(value: unknown, where: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new Refused(`${where}: expected a non-empty string`);
}

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** A tool as a real service takes it: its name, its schema, and no two alike. */
export function toolName(name: unknown, schema: unknown, where: string, known: readonly string[]): string {
  const text = words(name, `${where}.name`);
  if (!TOOL_NAME.test(text)) throw new Refused(`${where}.name: '${text}' does not match ${TOOL_NAME.source}`);
  if (known.includes(text)) throw new Refused(`${where}.name: tool names must be unique`);
  const { type, oneOf, anyOf, allOf } = fields(schema, `${where}: its schema`);
  if (type !== 'object') throw new Refused(`${where}: its schema must have type 'object'`);
  if ([oneOf, anyOf, allOf].some((part) => part !== undefined))
    throw new Refused(`${where}: its schema must not have oneOf, anyOf or allOf at the top level`);
  return text;
}
