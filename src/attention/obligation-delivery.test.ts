import { describe, expect, test } from 'vitest';
import type { MessageEvent } from '../protocol/chat-event.ts';
import type { ConversationKind, InjectionMode } from '../protocol/vocabulary.ts';
import { attend, attentionSettingsSchema, emptyState, rosterFor } from './index.ts';
import { ask, T0 } from './obligation.fixture.ts';

type Given = Partial<Pick<MessageEvent, 'text' | 'subtype' | 'target' | 'author'>>;

/** What attention decides for the worker about a message that obliges it. */
function decided(
  given: Given,
  kind: ConversationKind = 'channel',
  can: Partial<Record<InjectionMode, boolean>> = {},
) {
  const record = ask(T0, 'q', { conversation: { id: 'C1', kind }, ...given });
  const settings = attentionSettingsSchema.parse({
    agents: [{ id: 'worker', injection: can }, { id: 'asker' }, { id: 'other' }],
  });
  const { decisions } = attend(emptyState(), record, rosterFor(settings, record.event));
  const ofWorker = decisions.find(({ agent }) => agent === 'worker');
  if (ofWorker === undefined) throw new Error('no decision for the worker');
  return { ofWorker, others: decisions.filter((decision) => decision !== ofWorker) };
}

/** Words and kinds of message that without the obligation are for nobody, or for a digest. */
const CASES: [string, Given][] = [
  ['a question', { text: 'May I deploy?' }],
  ['thanks', { text: 'thanks!' }],
  ['a status line', { text: 'deploy finished' }],
  ['a request to leave', { text: 'please leave this channel' }],
  ['a log line', { text: 'GET /health 200', subtype: 'log' }],
  ['a status broadcast', { text: 'all green', subtype: 'status' }],
  ['what its sender called ambient', { text: 'May I deploy?', target: { directedness: 'ambient' } }],
  ['a person’s words', { text: 'ok', author: { id: 'U1', kind: 'human' } }],
];

describe('an event with an obligation', () => {
  test.each(CASES)('is must_respond for its recipient, be it %s [OBL/1/must-respond]', (_, given) => {
    const { ofWorker, others } = decided(given);
    expect(ofWorker).toMatchObject({ directedness: 'to_me', policy: 'must_respond', reason: 'obligation' });
    for (const decision of others) expect(decision.policy).not.toBe('must_respond');
  });

  test.each(CASES)(
    'is never digest or silent for its recipient, be it %s [OBL/1/never-digest-or-silent]',
    (_, given) => {
      for (const kind of ['channel', 'thread', 'system', 'tool'] as const) {
        for (const can of [{}, { immediate: false, notify: false, tool_mailbox: false, digest: true }]) {
          const { mode } = decided(given, kind, can).ofWorker;
          expect(['immediate', 'buffered', 'notify', 'tool_mailbox']).toContain(mode);
        }
      }
    },
  );
});
