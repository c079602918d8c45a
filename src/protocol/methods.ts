// Every JSON-RPC method of the wire in one table: who calls it, whether it is answered, what it carries. There are no
// other methods. The schemas ignore unknown members, except in events that enter the log.
import { z } from 'zod';
import { contentPartSchema } from './envelope.ts';
import { growingParamsSchema, growingResultSchema } from './growing.ts';
import { initializeParamsSchema, initializeResultSchema } from './initialize.ts';
import { participantsSchema } from './participants.ts';
import { PROMPT_LIMITS } from './turn-report.ts';
import { sourceEventSchema } from './source-event.ts';
import { TOOL_NAMES } from './tool-name.ts';
import { toolCallResultSchema } from './tool.ts';
import { toolListingSchema } from './tools.ts';
import { turnUsageSchema } from './usage.ts';
import { wireEventSchema } from './wire-event.ts';
import {
  WIRE_LIMITS,
  count,
  printable,
  shortText,
  timestamp,
  wireAuthorSchema,
  wireId,
} from './wire-fields.ts';

export type MethodDirection = 'host_to_harness' | 'harness_to_host' | 'both';
interface MethodRow {
  direction: MethodDirection;
  kind: 'request' | 'notification';
  params: z.ZodType;
  /** Null for a notification, which has no answer. */
  result: z.ZodType | null;
}

const empty = z.object({});
const token = z.union([wireId, z.int()]);
const eventIds = z.array(wireId).max(WIRE_LIMITS.holding);

const cancelledParams = z
  .object({
    /** The id of the request to stop. A delivery that was accepted on an earlier connection is named by its event. */
    requestId: token.optional(),
    eventId: wireId.optional(),
    turnId: wireId.optional(),
    reason: shortText.optional(),
  })
  .refine(({ requestId, eventId, turnId }) => (requestId ?? eventId ?? turnId) !== undefined, {
    error: 'name what is cancelled: requestId, eventId or turnId',
  })
  .meta({ anyOf: [{ required: ['requestId'] }, { required: ['eventId'] }, { required: ['turnId'] }] });

const progressParams = z.object({
  progressToken: token,
  progress: z.number().nonnegative(),
  total: z.number().positive().optional(),
  message: shortText.optional(),
  /** The event that the progress is about, if there is one. */
  eventId: wireId.optional(),
});

const messageParams = z.object({
  level: z.enum(['info', 'warning', 'error']),
  /** What it is about, such as the method of a notification that was refused. */
  logger: z.string().max(WIRE_LIMITS.wordChars),
  message: shortText,
  /** For a refusal its name, as in the table of errors. */
  data: z.record(z.string(), z.unknown()).optional(),
});

const typingParams = z.object({
  conversation: z.object({ id: wireId, threadId: wireId.optional() }),
  author: wireAuthorSchema,
  typing: z.boolean(),
});

/** An event that was not for the agent. The turn gets it as context. */
const seenEventSchema = z.object({
  eventId: wireId,
  author: wireAuthorSchema,
  createdAt: timestamp,
  content: z.array(contentPartSchema).max(WIRE_LIMITS.parts),
  /** Whom it was for: `agent:builder`, `human:U1`, `role:ops`, `broadcast:here`, `somebody`. Missing: nobody. */
  to: z.array(wireId).max(WIRE_LIMITS.saidTo).optional(),
  /** True for the author's own lines to nobody just before the message: they belong to the turn. */
  leadIn: z.boolean().optional(),
});
export type SeenWireEvent = z.infer<typeof seenEventSchema>;

const ingestResult = z.object({
  /** One row per event, in the order sent. */
  events: z
    .array(
      z.object({
        /** The host's id of the event, unique there; `sourceId` is the source's own, where that is another one. */
        eventId: wireId,
        sourceId: wireId.optional(),
        status: z.enum(['stored', 'duplicate', 'refused']),
        sequence: count.optional(),
        problem: printable.optional(),
        /** Why it was refused, for code: `invalid_event`, `rate_limited`, `wrong_platform`, `wrong_source`, `unavailable`. */
        code: printable.optional(),
        /** When to send the same event again. */
        retryAfterMs: count.optional(),
      }),
    )
    .max(WIRE_LIMITS.batchEvents),
});

export const METHODS = {
  /** Sent by whoever opened the connection; "the peer responds with the negotiated version and capabilities". */
  initialize: {
    direction: 'both',
    kind: 'request',
    params: initializeParamsSchema,
    result: initializeResultSchema,
  },
  'notifications/initialized': { direction: 'both', kind: 'notification', params: empty, result: null },
  ping: { direction: 'both', kind: 'request', params: empty, result: empty },

  /** Answered once the event is accepted or stored. The answer means accepted, not agreed. A refusal is an error. */
  'chat/deliver': {
    direction: 'host_to_harness',
    kind: 'request',
    params: wireEventSchema,
    result: z.object({ eventId: wireId.optional(), duplicate: z.boolean().optional() }),
  },
  'notifications/cancelled': {
    direction: 'both',
    kind: 'notification',
    params: cancelledParams,
    result: null,
  },
  'notifications/progress': { direction: 'both', kind: 'notification', params: progressParams, result: null },
  /** To a harness that agreed to `logging`: what the host did with something that has no answer. */
  'notifications/message': {
    direction: 'host_to_harness',
    kind: 'notification',
    params: messageParams,
    result: null,
  },
  /** What the model of a turn read, so that operators can look at it. The last one of a turn counts. */
  'notifications/prompt': {
    direction: 'harness_to_host',
    kind: 'notification',
    params: z.object({ turnId: wireId, prompt: z.string().min(1).max(PROMPT_LIMITS.chars) }),
    result: null,
  },
  /** To a harness: somebody types, so its window waits. To the host: the agent works on an answer. */
  'notifications/typing': {
    direction: 'both',
    kind: 'notification',
    params: typingParams,
    result: null,
  },

  'tools/list': {
    direction: 'harness_to_host',
    kind: 'request',
    params: z.object({ cursor: wireId.optional() }),
    result: z.object({ tools: z.array(toolListingSchema), nextCursor: wireId.optional() }),
  },
  'tools/call': {
    direction: 'harness_to_host',
    kind: 'request',
    params: z.object({
      name: z.enum(TOOL_NAMES),
      arguments: z.record(z.string(), z.unknown()).optional(),
    }),
    result: toolCallResultSchema,
  },

  'turn/started': {
    direction: 'harness_to_host',
    kind: 'request',
    params: z.object({ turnId: wireId, eventIds: eventIds.min(1), attempt: z.int().positive().optional() }),
    result: z.object({
      /** The events of the turn that must no longer be answered. */
      superseded: eventIds.optional(),
      /** What the agent overheard since its last turn in the conversation: oldest first, each once. */
      seen: z.array(seenEventSchema).max(WIRE_LIMITS.pageSize).optional(),
      /** True where people see the answer grow (`turn/growing`), for a harness that agreed to `streaming`. */
      streams: z.boolean().optional(),
      /** Who is in the conversation. The same in every turn there until somebody joins. */
      ...participantsSchema.partial().shape,
    }),
  },
  /** The answer of a turn so far, while its model still writes. Nothing of it is kept. */
  'turn/growing': {
    direction: 'harness_to_host',
    kind: 'request',
    params: growingParamsSchema,
    result: growingResultSchema,
  },
  'turn/ended': {
    direction: 'harness_to_host',
    kind: 'request',
    params: z.object({
      turnId: wireId,
      outcome: z.enum(['answered', 'silent', 'cancelled', 'failed']),
      reason: shortText.optional(),
      usage: turnUsageSchema.optional().describe('What the turn has cost, if the harness knows.'),
      /** Of a failed turn: what went wrong, for operators. The host keeps one line of it, without secrets. */
      error: shortText.optional(),
      /** Of a failed turn: false when trying again is useless. */
      retryable: z.boolean().optional(),
    }),
    /**
     * From now on the host refuses sends of this turn. When it committed none, a cancelled turn may run again,
     * merged.
     */
    result: z.object({ sendsCommitted: count }),
  },

  /** The caller is a surface in another process. It connects as a harness does. */
  'ingest/events': {
    direction: 'harness_to_host',
    kind: 'request',
    params: z.object({ events: z.array(sourceEventSchema).min(1).max(WIRE_LIMITS.batchEvents) }),
    result: ingestResult,
  },
} as const satisfies Record<string, MethodRow>;

export type MethodName = keyof typeof METHODS;
export type MethodParams<M extends MethodName> = z.infer<(typeof METHODS)[M]['params']>;
export type MethodResult<M extends MethodName> = (typeof METHODS)[M]['result'] extends z.ZodType
  ? z.infer<(typeof METHODS)[M]['result']>
  : null;

export function isMethodName(name: string): name is MethodName {
  return Object.hasOwn(METHODS, name);
}
export const METHOD_NAMES: readonly MethodName[] = Object.keys(METHODS).filter(isMethodName);
