// docs/reference/protocol.md: methods, tools, events, errors, close codes and words of the wire, from the host's own
// tables.
import { z } from 'zod';
import { WITHOUT_CAPABILITY } from './capability-words.ts';
import { agreedCapabilitiesSchema, declaredCapabilitiesSchema } from '../../src/protocol/capabilities.ts';
import { chatEventSchema } from '../../src/protocol/chat-event.ts';
import { contentPartSchema, fullEnvelopeSchema } from '../../src/protocol/envelope.ts';
import { WIRE_ERRORS } from '../../src/protocol/errors.ts';
import { knockSchema } from '../../src/protocol/knock.ts';
import { type MethodDirection, METHOD_NAMES, METHODS, type MethodName } from '../../src/protocol/methods.ts';
import {
  obligationFields,
  openObligationSchema,
  reactionRecordSchema,
  wireObligationSchema,
} from '../../src/protocol/obligation.ts';
import { shortEventSchema } from '../../src/protocol/short-event.ts';
import { listedEventSchema } from '../../src/protocol/tool-fields.ts';
import { TOOL_NAMES, type ToolName, toolNameForModel } from '../../src/protocol/tool-name.ts';
import { TOOLS } from '../../src/protocol/tools.ts';
import { sourceEventSchema } from '../../src/protocol/source-event.ts';
import { identitySchema, wireAuthorSchema } from '../../src/protocol/wire-fields.ts';
import { wireEventSchema } from '../../src/protocol/wire-event.ts';
import type { CloseReason } from '../../src/transport/transport.ts';
import { closeCode } from '../../src/transport/websocket-codes.ts';
import * as events from './event-examples.ts';
import { type Field, fieldsOf, type Shapes } from './fields.ts';
import { wordsFor } from './field-words.ts';
import { METHOD_WORDS } from './method-examples.ts';
import { code, GENERATED, jsonBlock, table } from './markdown.ts';
import { CLOSE_WORDS, vocabularyText } from './protocol-words.ts';
import { TOOL_EXAMPLES } from './tool-examples.ts';

/** Shapes that are expanded once and named everywhere else. */
const SHAPES: Shapes = new Map<unknown, string>([
  [wireEventSchema, '[event](#events)'],
  [chatEventSchema, '[chat event](#a-chat-event)'],
  [sourceEventSchema, '[chat event](#a-chat-event)'],
  [listedEventSchema, '[listed event](#a-listed-event)'],
  [contentPartSchema, '[part](#parts)'],
  [wireAuthorSchema, '[author](#parts)'],
  [wireObligationSchema, '[obligation](#parts)'],
  [openObligationSchema, '[open obligation](#an-open-obligation)'],
  [knockSchema, '[knock](#parts)'],
  [declaredCapabilitiesSchema, '[capabilities](#capabilities)'],
  [agreedCapabilitiesSchema, '[capabilities](#capabilities)'],
  [identitySchema, 'identity'],
]);

export function protocolPage(): string {
  return `${GENERATED}
# The protocol

C2A, JSON-RPC 2.0: over the WebSocket \`/c2a\` (subprotocol \`c2a\`), over \`POST /c2a\`, or over standard streams with
\`earshot connect --stdio\`; [harness.md](../harness.md) shows how. Receivers drop members they do not know. In events that
enter the log and in the arguments of tools an unknown member is an error that names it. Times are ISO 8601 with an
offset. An identity is \`human:ID\`, \`agent:ID\`, \`role:ID\`, \`system:ID\` or \`broadcast:ID\`. The JSON Schemas are in
\`schema/\`.

## Methods

${table(['method', 'who calls', 'kind'], METHOD_NAMES.map(methodRow))}
${METHOD_NAMES.map(methodText).join('\n')}
## Tools

Called with \`tools/call\`. Where a model provider or an MCP client sees them, the dot is an underscore. What is marked
_hidden_ a model never sees: the SDK and the MCP server fill it in.

${table(['tool', 'for models', 'repeating it'], TOOL_NAMES.map(toolRow))}
${TOOL_NAMES.map(toolText).join('\n')}
${eventsText()}
${capabilitiesText()}
## Errors

${errorsText()}
## Close codes

${table(['code', 'reason', 'means'], closeRows())}
Other codes are read as the nearest of these; no farewell at all (1006) is \`lost\`.

${vocabularyText()}`;
}

const CALLERS: Record<MethodDirection, string> = {
  host_to_harness: 'the host',
  harness_to_host: 'the harness',
  both: 'either',
};

function methodRow(name: MethodName): string[] {
  const { direction, kind } = METHODS[name];
  return [code(name), name === 'initialize' ? 'who connected' : CALLERS[direction], kind];
}

function methodText(name: MethodName): string {
  const { params, result } = METHODS[name];
  const { what, params: sent, result: answer } = METHOD_WORDS[name];
  const parts = [`### ${code(name)}\n\n${what}\n`];
  if (name === 'chat/deliver') parts.push('Its params are an [event](#events).\n');
  else parts.push(...fieldTable(params, name));
  parts.push(jsonBlock({ method: name, params: sent }));
  if (result !== null) parts.push('The answer:\n', ...fieldTable(result, name), jsonBlock(answer));
  return parts.join('\n');
}

const REPEATING: Record<string, string> = {
  true: 'changes nothing',
  false: 'does it again',
  with_key: 'with the same key and body is the same message',
};

function toolRow(name: ToolName): string[] {
  return [code(name), code(toolNameForModel(name)), REPEATING[String(TOOLS[name].idempotent)] ?? ''];
}

function toolText(name: ToolName): string {
  const { description, input, modelInput, result } = TOOLS[name];
  const visible = new Set(fieldsOf(modelInput, SHAPES).map(({ path }) => path));
  const { input: sent, result: answer } = TOOL_EXAMPLES[name];
  return [
    `### ${code(name)}\n\n${description}\n`,
    ...fieldTable(input, name, (path) => (visible.has(path) ? '' : ' _Hidden._')),
    jsonBlock({ name, arguments: sent }),
    'The result:\n',
    ...fieldTable(result, name),
    jsonBlock(answer),
  ].join('\n');
}

function fieldTable(schema: z.ZodType, shape: string, mark: (path: string) => string = () => ''): string[] {
  const rows = fieldsOf(schema, SHAPES).map((field) => [
    code(field.path),
    field.required ? 'yes' : '',
    field.limit === '' ? field.type : `${field.type}, ${field.limit}`,
    `${meaning(field, shape)}${mark(field.path)}`.trim(),
  ]);
  return rows.length === 0 ? [] : [table(['field', 'required', 'type', 'what'], rows)];
}

function meaning({ path, what }: Field, shape: string): string {
  return what === '' ? wordsFor(path, shape) : what;
}

function shown(title: string, said: string, schema: z.ZodType, ...examples: unknown[]): string {
  return [`### ${title}\n\n${said}\n`, ...fieldTable(schema, title), ...examples.map(jsonBlock)].join('\n');
}

function eventsText(): string {
  return [
    '## Events\n',
    shown(
      'The short event, 2026-06-24',
      'And a knock, which withholds the content.',
      shortEventSchema,
      events.SHORT_EVENT_EXAMPLE,
      events.KNOCK_EXAMPLE,
    ),
    shown(
      'The short event with obligations, 2026-08-11',
      'The same, and what the author is blocked on.',
      z.object(obligationFields),
      events.OBLIGATION_EVENT_EXAMPLE,
    ),
    shown(
      'The full envelope, 2026-06-02',
      'Everything the host knows and may say.',
      fullEnvelopeSchema,
      events.FULL_EVENT_EXAMPLE,
    ),
    shown(
      'A reaction',
      'As it stands in the log: who, about what, and whose debt it speaks of.',
      reactionRecordSchema,
      events.REACTION_EXAMPLE,
    ),
    shown(
      'A listed event',
      'A stored event as tools show it. What the reader may not see is not there.',
      listedEventSchema,
    ),
    shown('An open obligation', 'One row of the open set.', openObligationSchema),
    chatEventText(),
    partsText(),
  ].join('\n');
}

function chatEventText(): string {
  const rows = chatEventSchema.options.map((option) => {
    const own = Object.keys(option.shape).filter((name) => !BASE.has(name) && name !== 'type');
    return [code(option.shape.type.value), own.map(code).join(', ')];
  });
  const base = fieldsOf(chatEventSchema.options[0], SHAPES).filter(({ path }) =>
    BASE.has(path.replace(/\..*/, '')),
  );
  const baseRows = base.map((field) => [
    code(field.path),
    field.required ? 'yes' : '',
    field.limit === '' ? field.type : `${field.type}, ${field.limit}`,
    meaning(field, 'chat event'),
  ]);
  const marks = fieldsOf(sourceEventSchema.options[0], SHAPES)
    .filter(({ path }) => path === 'echoOf' || path === 'platformId')
    .map((field) => [code(field.path), `${field.type}, ${field.limit}`, meaning(field, 'source event')]);
  return `### A chat event

What a source posts to \`/v1/events\`, sends with \`ingest/events\`, and a line of a file for \`earshot replay\`. Unknown members
are refused. All types have:

${table(['field', 'required', 'type', 'what'], baseRows)}
${table(['type', 'and its own'], rows)}
${jsonBlock(events.CHAT_EVENT_EXAMPLE)}
What a source hands over may carry one of two marks, on messages and reactions; they are not stored:

${table(['mark', 'type', 'what'], marks)}`;
}

const BASE: ReadonlySet<string> = new Set([
  'eventId',
  'sourceId',
  'at',
  'platform',
  'workspaceId',
  'conversation',
  'author',
  'membership',
  'origin',
  'type',
]);

function partsText(): string {
  return [
    '### Parts\n',
    'An author:\n',
    ...fieldTable(wireAuthorSchema, 'author'),
    'A part of the content is `{"type":"text","text":…}` or an attachment: a reference of `type` `attachment` with `id`, `kind` (`image`, `file`, `audio`, `video`, `link`), `name` and `bytes`.\n',
    'A knock:\n',
    ...fieldTable(knockSchema, 'knock'),
    'An obligation:\n',
    ...fieldTable(wireObligationSchema, 'obligation'),
  ].join('\n');
}

function capabilitiesText(): string {
  const blocks = Object.entries(WITHOUT_CAPABILITY);
  return `### Capabilities

A capability is agreed when both sides declare it. A flag that is left out of a block is false. A block that is left out
gives nothing up: every tool, \`progress\` and \`cancellation\`; of the modes \`notify\` and \`tool_mailbox\`. Besides
these: \`obligations\`; \`streaming\`, for [growing answers](../harness.md#growing-answers); and \`glyphs\`, an object from signals to the glyph shown or to a list of it and its aliases. The
glyphs that an agent agreed to last, over any way, are those of its reactions on platforms and of reactions to it.

${table(
  ['block', 'flag', 'without it'],
  blocks.flatMap(([block, flags]) =>
    Object.entries(flags).map(([flag, words]) => [code(block), code(flag), words]),
  ),
)}`;
}

function errorsText(): string {
  const rows = Object.entries(WIRE_ERRORS).map(([name, { code: number, retryable, message }]) => [
    String(number),
    code(name),
    retryable ? 'yes' : '',
    message,
  ]);
  const example = {
    code: -32_022,
    message: 'This is claimed by agent:builder. Do not answer; it is being handled.',
    data: { name: 'claimed_by_other', retryable: false, holder: 'agent:builder' },
  };
  return `\`data.name\` is what code switches on; \`data.retryable\` says whether the very same call may succeed soon. The message says
what to do next, since its reader is often a model.

${table(['code', 'name', 'retryable', 'message'], rows)}
${jsonBlock(example)}`;
}

function closeRows(): string[][] {
  return (Object.keys(CLOSE_WORDS) as CloseReason[]).map((reason) => [
    String(closeCode(reason)),
    code(reason),
    CLOSE_WORDS[reason],
  ]);
}
