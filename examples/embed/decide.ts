// Deciding without a host: the words of the protocol, the fold that decides, and the window that makes one turn of
// several messages. All three are pure. Run it: node decide.ts
import { attend, attentionSettingsSchema, emptyState, explainDecision, rosterFor } from 'earshot/attention';
import { compose, initialCompose, wakeAt } from 'earshot/compose';
import { chatEventSchema, type LogRecord } from 'earshot/protocol';

const event = chatEventSchema.parse({
  eventId: 'evt_1',
  at: '2026-06-02T19:10:00Z',
  platform: 'slack',
  workspaceId: 'T1',
  conversation: { id: 'C1', kind: 'channel' },
  author: { id: 'U1', kind: 'human', displayName: 'Will' },
  type: 'message',
  text: '@lead is the deploy blocked?',
});
const settings = attentionSettingsSchema.parse({ agents: [{ id: 'lead' }, { id: 'builder' }] });
const { platform, workspaceId, conversation } = event;
const roster = rosterFor(settings, { platform, workspaceId, conversation });
const record: LogRecord = { kind: 'event', seq: 1, at: Date.parse('2026-06-02T19:10:01Z'), event, facts: {} };
for (const decision of attend(emptyState(), record, roster).decisions)
  console.log(explainDecision(decision, roster).headline);

const fragment = { eventId: 'evt_1', author: 'U1', at: 0, chars: 28, addressee: 'lead' };
const { state } = compose(initialCompose(), { type: 'fragment', mode: 'buffered', ...fragment });
console.log(`the turn starts after ${wakeAt(state)} ms of silence`);
