// The chat tools as a model gets them: names with underscores, schemas from the host's `tools/list` without the fields
// that the SDK fills in (keys, tokens, the turn). The model may leave out what the turn already knows.
import { schemaForModel, wordsForModel } from '../protocol/model-schema.ts';
import { inModelNames, isToolName, toolNameForModel, type ToolName } from '../protocol/tool-name.ts';
import { record, string } from './read-event.ts';

export interface ListedTool {
  name: ToolName;
  description: string;
  inputSchema: Readonly<Record<string, unknown>>;
}

/** One tool in a turn, ready for any provider. */
export interface TurnTool {
  /** In the form that models and MCP clients take: `chat_send_message`. */
  name: string;
  description: string;
  /** JSON Schema. */
  inputSchema: Readonly<Record<string, unknown>>;
  call(args?: unknown): Promise<ToolOutcome>;
}

/** A refusal is an outcome too. Its `text` is for the model and says what to do instead. */
export interface ToolOutcome {
  ok: boolean;
  text: string;
  data: Readonly<Record<string, unknown>>;
  /** The name of the refusal: `must_not_respond`, `claimed_by_other`, … */
  error?: string;
}

/** The SDK fills these in (protocol/tool.ts, MODEL_HIDDEN; a test keeps the two lists equal). */
export const HIDDEN: readonly string[] = ['idempotencyKey', 'token', 'turnId', 'approver'];
/** Only for harnesses that pull, and for programs that ask before they act. This one is pushed to, and has `turn.ask`. */
const NOT_OFFERED: ReadonlySet<ToolName> = new Set(['chat.wait_events', 'chat.ask_permission']);

export function readListing(result: unknown): ListedTool[] {
  const tools = record(result)['tools'];
  return (Array.isArray(tools) ? tools : []).map(record).flatMap((fields): ListedTool[] => {
    const name = string(fields['name']);
    if (name === undefined || !isToolName(name) || NOT_OFFERED.has(name)) return [];
    const description = inModelNames(wordsForModel(name, string(fields['description']) ?? name));
    return [{ name, description, inputSchema: schemaForModel(name, record(fields['inputSchema']), HIDDEN) }];
  });
}

export function turnTools(
  listing: readonly ListedTool[],
  call: (name: ToolName, args: unknown) => Promise<ToolOutcome>,
): TurnTool[] {
  return listing.map(({ name, description, inputSchema }) => ({
    name: toolNameForModel(name),
    description,
    inputSchema,
    call: (args) => call(name, args),
  }));
}

export function readOutcome(result: unknown): ToolOutcome {
  const fields = record(result);
  const data = record(fields['structuredContent']);
  const content = Array.isArray(fields['content']) ? fields['content'] : [];
  const text = content.map((part) => string(record(part)['text']) ?? '').join('\n');
  if (fields['isError'] !== true) return { ok: true, text, data };
  return {
    ok: false,
    text: inModelNames(text),
    data,
    error: string(record(data['data'])['name']) ?? 'refused',
  };
}

type Call = (name: ToolName, args: unknown) => Promise<ToolOutcome>;

/**
 * Refuses a tool call that comes more than `limit` times in a row: the model is going round in circles. The host has
 * its own loop guard between agents.
 */
export function withoutCircles(call: Call, limit: number): Call {
  let last = '';
  let times = 0;
  return (name, args) => {
    const key = `${name} ${JSON.stringify(args)}`;
    times = key === last ? times + 1 : 1;
    last = key;
    return times > limit ? Promise.resolve(refused(limit)) : call(name, args);
  };
}

function refused(limit: number): ToolOutcome {
  const text = `You have made this very call ${limit} times in a row and its answer will not change. Do something else, or end your turn.`;
  return { ok: false, text, data: {}, error: 'same_call' };
}
