// One call of each tool and its answer. Complete by type; a test reads each with the tool's own schemas.
import type { ToolInput, ToolResult } from '../../src/protocol/tools.ts';
import type { ToolName } from '../../src/protocol/tool-name.ts';
import { SHORT_EVENT_EXAMPLE } from './event-examples.ts';

const LISTED = {
  eventId: 'evt_123',
  target: 'channel:C123',
  author: { id: 'U123', kind: 'human', displayName: 'Will' },
  createdAt: '2026-06-02T19:10:00Z',
  type: 'message',
  content: [{ type: 'text', text: '@oncall is the build green?' }],
  directedness: 'to_my_role',
  policy: 'may_respond',
  mode: 'notify',
} as const;

const listed = (): ToolResult<'chat.list_events'>['events'] => [{ ...LISTED, content: [...LISTED.content] }];

export const TOOL_EXAMPLES: { readonly [N in ToolName]: { input: ToolInput<N>; result: ToolResult<N> } } = {
  'chat.list_events': {
    input: { policy: 'may_respond', unsettled: true, limit: 20 },
    result: { events: listed() },
  },
  'chat.read_thread': {
    input: { inReplyTo: 'evt_123' },
    result: { target: 'channel:C123', events: listed() },
  },
  'chat.send_message': {
    input: {
      target: 'channel:C123',
      text: 'No, it is green.',
      inReplyTo: 'evt_123',
      visibility: 'channel',
      directedness: 'ambient',
      idempotencyKey: 'answer-to-evt_123',
    },
    result: { eventId: 'evt_126', status: 'sent', replayed: false },
  },
  'chat.edit_message': {
    input: { eventId: 'evt_126', text: 'No, it has been green since noon.' },
    result: { eventId: 'evt_126', status: 'sent', replayed: false },
  },
  'chat.delete_message': {
    input: { eventId: 'evt_126' },
    result: { eventId: 'evt_126', status: 'sent', replayed: false },
  },
  'chat.react': {
    input: { inReplyTo: 'evt_123', signal: 'queued', eta: 'after the deploy completes' },
    result: { reactionId: 'rx_1', disposition: 'deferred' },
  },
  'chat.claim': {
    input: { inReplyTo: 'evt_123', ttlMs: 600_000 },
    result: { status: 'claimed', token: 43, expiresAt: '2026-06-02T19:20:00Z', event: listed()[0] },
  },
  'chat.defer': {
    input: { inReplyTo: 'evt_123', reason: 'the build still runs', ttlMs: 600_000 },
    result: { disposition: 'deferred', until: '2026-06-02T19:20:00Z' },
  },
  'chat.resolve': {
    input: { inReplyTo: 'evt_123', note: 'fixed by 1.4.2' },
    result: { resolved: ['evt_123'] },
  },
  'chat.disengage': { input: { target: 'channel:C123' }, result: { target: 'channel:C123' } },
  'chat.set_mode': {
    input: { target: 'thread:1748890000.000100', mode: 'follow' },
    result: {
      target: 'thread:1748890000.000100',
      mode: 'follow',
      next: 'What is said in this thread comes to you in batches.',
    },
  },
  'chat.focus': { input: { ttlMs: 1_800_000 }, result: { until: '2026-06-02T19:40:00Z' } },
  'chat.read_attachment': {
    input: { attachmentId: 'F77' },
    result: {
      attachmentId: 'F77',
      eventId: 'evt_123',
      kind: 'file',
      name: 'build.log',
      mediaType: 'text/plain',
      bytes: 43,
      text: 'step 4 of 6: tests failed, 2 of 1,204 broken',
    },
  },
  'chat.wait_events': {
    input: { timeoutMs: 25_000 },
    result: { events: [SHORT_EVENT_EXAMPLE], cursor: 'c-17' },
  },
  'chat.open_set': {
    input: { query: 'owe' },
    result: {
      obligations: [
        {
          obligationId: 'evt_124/agent:reviewer',
          eventId: 'evt_124',
          author: 'agent:builder',
          recipient: 'agent:reviewer',
          obligation: { blocks: 'halted', defaultAction: 'I roll back at 17:00.' },
          createdAt: '2026-08-11T15:02:00Z',
          ageMs: 180_000,
          returns: 1,
          askedNow: 'agent:reviewer',
          state: 'open',
        },
      ],
    },
  },
  'chat.ask_permission': {
    input: { tool_name: 'Bash', input: { command: 'npm run deploy' }, inReplyTo: 'evt_123' },
    result: { behavior: 'allow', updatedInput: { command: 'npm run deploy' } },
  },
};
