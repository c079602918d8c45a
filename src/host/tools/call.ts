// The entry for every tool call, over any transport (C2A, HTTP, MCP). The tool's own schema reads the arguments, the
// call is audited, the answer passes the gate (security/agent-gate.ts) and has MCP's shape. `callTool` never throws, whatever the caller passes.
import { readParams } from '../../protocol/read-params.ts';
import { type WireError, wireError } from '../../protocol/errors.ts';
import type { AgreedCapabilities } from '../../protocol/capabilities.ts';
import type { Agreement } from '../../protocol/initialize.ts';
import { TOOL_NAMES, type ToolName } from '../../protocol/tool-name.ts';
import { type ToolCallResult, toolRefusal, toolSuccess } from '../../protocol/tool.ts';
import { TOOLS, listTool } from '../../protocol/tools.ts';
import { logFailure, storeWireError } from '../kernel/store-refusal.ts';
import { claim, defer, disengage, focus, resolve, sendMessage, setMode } from './act.ts';
import { deleteMessage, editMessage } from './amend.ts';
import { readAttachment } from './attachment.ts';
import { derivedKey } from './derived-key.ts';
import { react } from './react.ts';
import { askPermission } from './permission.ts';
import { openSet } from './open-set.ts';
import { listEvents } from './read.ts';
import { readThread } from './read-thread.ts';
import { roomsOf } from './rooms.ts';
import { isRead, withinShare } from './tool-share.ts';
import type { ToolCaller, ToolContext, ToolHandlers } from './tool-context.ts';

const EVENTS_AT_ONCE = 20;

const HANDLERS: ToolHandlers = {
  'chat.list_events': listEvents,
  'chat.read_thread': readThread,
  'chat.read_attachment': readAttachment,
  'chat.open_set': openSet,
  'chat.wait_events': async (input, tools) => {
    const { agent, agreement, signal } = tools;
    const { limit = EVENTS_AT_ONCE, timeoutMs = 0 } = input;
    const { events, more } = await tools.puller.wait({ agent, agreement, limit, timeoutMs, signal });
    const rooms = await roomsOf(events, tools);
    const cursor = String(tools.context.clock.now());
    for (const event of events)
      await tools.prompts.shown(agent, event.eventId, JSON.stringify({ event, rooms }, undefined, 2));
    const hasMore = more ? { hasMore: true } : {};
    return { ok: true, result: { events, cursor, ...hasMore, ...(rooms.length === 0 ? {} : { rooms }) } };
  },
  'chat.send_message': sendMessage,
  'chat.edit_message': editMessage,
  'chat.delete_message': deleteMessage,
  'chat.react': react,
  'chat.claim': claim,
  'chat.defer': defer,
  'chat.resolve': resolve,
  'chat.disengage': disengage,
  'chat.set_mode': setMode,
  'chat.focus': focus,
  'chat.ask_permission': askPermission,
};

/** The capability without which a tool is neither listed nor run. Other tools need none. */
const NEEDS: Partial<Record<ToolName, (agreed: AgreedCapabilities) => boolean>> = {
  'chat.list_events': ({ injection }) => injection.tool_mailbox,
  'chat.read_thread': ({ chatTools }) => chatTools.readThread,
  'chat.send_message': ({ chatTools }) => chatTools.sendMessage,
  'chat.react': ({ chatTools }) => chatTools.react,
  'chat.claim': ({ chatTools }) => chatTools.claim,
  'chat.defer': ({ chatTools }) => chatTools.defer,
  'chat.resolve': ({ chatTools }) => chatTools.resolve,
};

function mayCall(name: ToolName, agreed: AgreedCapabilities): boolean {
  return NEEDS[name]?.(agreed) ?? true;
}

/** The tools that a caller with this agreement may use. */
export function listTools({ capabilities }: Agreement) {
  return TOOL_NAMES.filter((name) => mayCall(name, capabilities)).map(listTool);
}

export async function callTool(name: ToolName, args: unknown, caller: ToolCaller): Promise<ToolCallResult> {
  if (!mayCall(name, caller.agreement.capabilities))
    return toolRefusal(wireError('not_negotiated', { what: name }));
  return withinShare(name, caller, (admitted) => runTool(name, args, admitted));
}

async function runTool(name: ToolName, args: unknown, caller: ToolCaller): Promise<ToolCallResult> {
  const { context, agent } = caller;
  const { gate, shares } = context;
  const refuse = (error: WireError): ToolCallResult => gate.passed(toolRefusal(gate.out(error)));
  const read = readParams(TOOLS[name].input, withKey(name, gate.in(args), caller));
  if (!read.ok) return refuse(read.error);
  caller.called(agent);
  const audit = caller.trail.call(`agent:${agent}`, name, auditedFields(read.value));
  try {
    // The cast is safe: the handler's input type comes from the schema that read the arguments.
    const handler = HANDLERS[name] as (
      input: unknown,
      tools: ToolContext,
    ) => ReturnType<ToolHandlers[ToolName]>;
    const answer = await handler(read.value, { ...caller, audit: audit.write });
    const refused = answer.ok ? undefined : answer.error.data.name;
    if (refused !== undefined) context.log.info({ agent, tool: name, refused }, 'a tool call was refused');
    audit.end(refused);
    if (!answer.ok) return refuse(answer.error);
    const isLong = isRead(name);
    if (isLong) await shares.nextSlice();
    const result = gate.out(answer.result);
    if (isLong) await shares.nextSlice();
    const shown = answer.shown === undefined ? result : gate.out(answer.shown);
    return gate.passed(toolSuccess(result, gate.shown(shown)));
  } catch (error) {
    logFailure(context.log, error, { agent, tool: name }, 'a tool call failed');
    return toolRefusal(storeWireError(error) ?? wireError('internal'));
  }
}

/** A caller that gave up `idempotency` brings no keys, so the host derives the key of a send. */
function withKey(name: ToolName, args: unknown, { agreement, agent, context }: ToolCaller): unknown {
  if (name !== 'chat.send_message' || agreement.capabilities.delivery.idempotency) return args;
  if (typeof args !== 'object' || args === null || 'idempotencyKey' in args) return args;
  return { ...args, idempotencyKey: `host_${derivedKey(agent, { ...args }, context.clock.now())}` };
}

const AUDITED = [
  'eventId',
  'inReplyTo',
  'target',
  'attachmentId',
  'signal',
  'idempotencyKey',
  'mode',
  'op',
  'query',
] as const;

/** What the call is about and what it asks for. The audit never has the text of a message. */
function auditedFields(args: unknown): Record<string, unknown> {
  const given = args as Record<string, unknown>;
  return Object.fromEntries(AUDITED.flatMap((field) => (field in given ? [[field, given[field]]] : [])));
}
