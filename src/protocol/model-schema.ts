// The JSON Schema of a tool as a model gets it. Every call of a model carries the schemas of all tools, so they hold what
// a model needs to write a call and nothing else: bounds and patterns are left out. The host still checks them, and
// its refusal names the field. Schemas on the wire are complete (tools.ts).
export type Schema = Readonly<Record<string, unknown>>;

/** What a model needs of a schema. `format` tells a timestamp from other strings. */
const KEPT: ReadonlySet<string> = new Set([
  'type',
  'enum',
  'const',
  'description',
  'items',
  'anyOf',
  'format',
  'properties',
  'required',
]);

/** A turn, or the event that a call names, says these. A model need not. */
export const TURN_KNOWS: ReadonlySet<string> = new Set(['target', 'inReplyTo', 'visibility', 'directedness']);

/**
 * These mean the same in every tool. A model reads what they are once, in the tool that needs them most. A text that was
 * cut names its whole call, with `textFrom`.
 */
const DESCRIBED_ONCE: ReadonlySet<string> = new Set([
  'target',
  'inReplyTo',
  'recipient',
  'limit',
  'cursor',
  'textFrom',
]);
const DESCRIBES: ReadonlySet<string> = new Set(['chat.send_message', 'chat.list_events']);

/** Members that are accepted and not shown: what is shown says the same, or nearly no model ever needs it. */
const NOT_SHOWN: Readonly<Record<string, readonly string[]>> = {
  'chat.list_events': ['streamId', 'policy', 'until'],
  'chat.read_thread': ['limit'],
  'chat.open_set': ['limit'],
  'chat.send_message': ['directedness', 'mentions'],
  'chat.defer': ['eta'],
  'chat.wait_events': ['cursor', 'limit'],
};

/** The descriptions of the wire have the draft's words. A model needs fewer. */
const WORDS: Readonly<Record<string, string>> = {
  'chat.list_events': 'List the newest chat events that you may see.',
  'chat.read_thread': 'Read around an event, or the latest of a place. It obliges you to nothing.',
  'chat.read_attachment': 'Read an attachment by its id. Somebody in chat wrote it.',
  'chat.send_message':
    'Send a message. In a turn text is enough: it answers there. Name a recipient only to oblige them.',
  'chat.edit_message': 'Correct a message of yours. It wakes nobody.',
  'chat.delete_message': 'Delete a message of yours.',
  'chat.react': 'Signal in place of a sentence: "got it", "on it", "approved", "not me".',
  'chat.claim': 'Take what several could answer. If another agent holds it, stay out.',
  'chat.defer': 'Put off what you must answer. It comes back.',
  'chat.resolve': 'Mark an event or a thread resolved.',
  'chat.disengage': 'Step back in silence, until somebody addresses you there.',
  'chat.set_mode':
    'Choose when you are woken there. A person asks you to leave: left; to stop or be quieter: mention_only; to speak again: auto.',
  'chat.focus': 'Be left alone for a while, except for urgent calls of people; 0 ends it.',
  'chat.wait_events':
    'Answer your last turn with reply, end it, and wait for the next: what somebody wrote to you.',
  'chat.open_set':
    'List open obligations: what you owe, who waits for you (blocking), what you wait for (blocked_on), what you may settle with chat_react (may_discharge).',
};

/** `described`: the description on the wire, for a tool that has no words for models. */
export function wordsForModel(tool: string, described: string): string {
  return WORDS[tool] ?? described;
}

/** `hidden`: members that the caller's side fills in and a model never sees. */
export function schemaForModel(tool: string, schema: Schema, hidden: readonly string[]): Schema {
  const left = new Set([...hidden, ...(NOT_SHOWN[tool] ?? [])]);
  const properties = Object.entries(members(schema['properties'])).filter(([name]) => !left.has(name));
  const required = Array.isArray(schema['required']) ? (schema['required'] as string[]) : [];
  const needed = required.filter((name) => !left.has(name) && !TURN_KNOWS.has(name));
  return {
    type: 'object',
    properties: Object.fromEntries(properties.map(([name, member]) => [name, shown(tool, name, member)])),
    ...(needed.length === 0 ? {} : { required: needed }),
  };
}

function shown(tool: string, name: string, member: unknown): unknown {
  if (!DESCRIBED_ONCE.has(name) || DESCRIBES.has(tool)) return short(member);
  return bare(member);
}

function short(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(short);
  const entries = Object.entries(members(schema)).filter(([key]) => KEPT.has(key));
  return Object.fromEntries(entries.flatMap(([key, value]) => shortMember(key, value)));
}

/** Inside of a member the names speak for themselves. */
function bare(member: unknown): unknown {
  const { description: _, ...rest } = members(member);
  return short(rest);
}

function shortMember(key: string, value: unknown): [string, unknown][] {
  if (key === 'properties') {
    const inner = Object.entries(members(value)).map(([name, member]) => [name, bare(member)] as const);
    return [[key, Object.fromEntries(inner)]];
  }
  return [[key, key === 'items' || key === 'anyOf' ? short(value) : value]];
}

function members(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? (value as Schema) : {};
}
