// The purpose of each method of the wire, with one call and its answer. Complete by type: a new method does not compile
// without words here. A test reads every example with the method's own schema.
import type { MethodName, MethodParams, MethodResult } from '../../src/protocol/methods.ts';
import { SHORT_EVENT_EXAMPLE } from './event-examples.ts';

interface MethodWords<M extends MethodName> {
  what: string;
  params: MethodParams<M>;
  result: MethodResult<M>;
}

export const METHOD_WORDS: { readonly [M in MethodName]: MethodWords<M> } = {
  initialize: {
    what: 'The first call of a connection: version, capabilities, and what the harness still holds. A block of capabilities that is missing gives nothing up ([capabilities](#capabilities)).',
    params: {
      protocolVersion: '2026-08-11',
      supportedVersions: ['2026-06-24'],
      clientInfo: { name: 'my-harness', version: '1.0.0' },
      capabilities: { injection: { buffered: true, notify: true, tool_mailbox: true, immediate: true } },
      holding: ['evt_122'],
    },
    result: {
      protocolVersion: '2026-08-11',
      capabilities: {
        delivery: { ack: true, redelivery: true, idempotency: true },
        injection: {
          immediate: true,
          buffered: true,
          notify: true,
          tool_mailbox: true,
          digest: false,
          interrupt: false,
        },
        chatTools: {
          readThread: true,
          sendMessage: true,
          react: true,
          reactionSignals: true,
          claim: true,
          defer: true,
          resolve: true,
        },
        utilities: { progress: true, cancellation: true, logging: false },
        obligations: true,
        glyphs: {
          seen: ['👀'],
          agree: ['👍'],
          working: ['🔧'],
          queued: ['🕐'],
          claimed: ['✋'],
          done: ['✅'],
          declined: ['🙅'],
          blocked: ['🚧'],
          unclear: ['❓'],
        },
      },
      agent: 'agent:lead',
      superseded: ['evt_122'],
    },
  },
  'notifications/initialized': {
    what: 'The harness has read the answer. Deliveries follow.',
    params: {},
    result: null,
  },
  ping: {
    what: 'Is the other side there? Three unanswered in a row end the session.',
    params: {},
    result: {},
  },
  'chat/deliver': {
    what: 'One event for the agent, in the shape of the version agreed. The answer means accepted, not agreed: without it the event comes again, with the same id. After an error that may pass (`data.retryable`, or a code of the table below) it comes again too; any other refuses it for good.',
    params: SHORT_EVENT_EXAMPLE,
    result: { eventId: 'evt_123' },
  },
  'notifications/cancelled': {
    what: 'Stop: the message was edited, deleted or taken back, or a person said stop. Names the event, and the request that delivered it in this session; or a turn.',
    params: { requestId: 'deliver-456', eventId: 'evt_123', reason: 'Message was edited before response' },
    result: null,
  },
  'notifications/progress': {
    what: 'How far something is. Shown and put into digests; it wakes nobody. Names the event in which the work was asked for. Sent with an id it is answered, over HTTP also without one: progress without `eventId`, or about an event that the agent may not see, is refused.',
    params: {
      progressToken: 'deploy-check-1',
      progress: 2,
      total: 5,
      message: 'Checked build status',
      eventId: 'evt_123',
    },
    result: null,
  },
  'notifications/message': {
    what: 'The host says what it did with something that has no answer, such as progress without `eventId`. Only for a session that agreed to `logging`.',
    params: {
      level: 'warning',
      logger: 'notifications/progress',
      message:
        'eventId: name the event that the work was asked for in. Correct the arguments and call again.',
      data: { name: 'invalid_params', retryable: false },
    },
    result: null,
  },
  'notifications/prompt': {
    what: 'What the model of a turn read, for operators to look at: at most 65,536 characters, without the secrets that the host finds. The last one of a turn counts.',
    params: { turnId: 'turn_1', prompt: 'C2A EVENT\nevent_id: evt_123\n…' },
    result: null,
  },
  'notifications/typing': {
    what: 'To a harness: somebody types, so its compose window waits. To the host: the agent is at work on an answer.',
    params: { conversation: { id: 'C123' }, author: { id: 'U123', kind: 'human' }, typing: true },
    result: null,
  },
  'tools/list': {
    what: 'The tools, with their input as JSON Schema.',
    params: {},
    result: {
      tools: [
        {
          name: 'chat.react',
          description: 'Send a typed reaction signal as a zero-turn disposition.',
          inputSchema: { type: 'object' },
          annotations: { readOnlyHint: false, idempotentHint: true },
        },
      ],
    },
  },
  'tools/call': {
    what: 'Calls one of the tools below. A refusal is a result with `isError`, for the model to read; its `structuredContent` is the error.',
    params: { name: 'chat.react', arguments: { inReplyTo: 'evt_123', signal: 'working' } },
    result: {
      content: [{ type: 'text', text: '{"reactionId":"rx_1","disposition":"claimed"}' }],
      structuredContent: { reactionId: 'rx_1', disposition: 'claimed' },
    },
  },
  'turn/started': {
    what: 'A turn begins with these events. The answer says which of them are not to be answered any more, and what was said while the agent was quiet.',
    params: { turnId: 'turn_9', eventIds: ['evt_123'], attempt: 1 },
    result: {
      seen: [
        {
          eventId: 'evt_120',
          author: { id: 'U7', kind: 'human', displayName: 'Ada' },
          createdAt: '2026-06-02T19:08:00Z',
          content: [{ type: 'text', text: 'the pipeline is red again' }],
        },
      ],
    },
  },
  'turn/growing': {
    what: 'The answer of a turn so far, while its model still writes ([growing answers](../harness.md#growing-answers)). The answer says how much the host has; the next frame goes on from there.',
    params: {
      turnId: 'turn_9',
      target: 'channel:general',
      inReplyTo: 'evt_123',
      visibility: 'channel',
      from: 0,
      text: 'The deploy is waiting for ',
    },
    result: { length: 26, more: true },
  },
  'turn/ended': {
    what: 'The turn is over, and nothing of it is accepted any more. With no send committed, a cancelled turn may be run again, merged with what came in.',
    params: { turnId: 'turn_9', outcome: 'answered' },
    result: { sendsCommitted: 1 },
  },
  'ingest/events': {
    what: 'A source in another process brings events, in order. It connects like a harness, with the token of a source.',
    params: {
      events: [
        {
          eventId: 'm1',
          at: '2026-06-02T19:10:00Z',
          platform: 'irc',
          workspaceId: 'libera',
          conversation: { id: '#ops', kind: 'channel' },
          author: { id: 'ada', kind: 'human', displayName: 'Ada' },
          type: 'message',
          text: 'lead: is the deploy blocked?',
        },
      ],
    },
    result: { events: [{ eventId: 'm1', status: 'stored', sequence: 42 }] },
  },
};
