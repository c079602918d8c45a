import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ChatEvent } from '../../protocol/chat-event.ts';
import type { LogRow } from '../../store/tables.ts';
import { digestText } from '../deliver/digest-text.ts';
import { DIGEST_LIMITS, digestLines } from './digest-lines.ts';

function row(event: Partial<ChatEvent>): LogRow {
  const full = {
    eventId: 'e',
    at: 0,
    platform: 'p',
    workspaceId: 'w',
    conversation: { id: 'C1', kind: 'channel' },
    author: { id: 'builder', kind: 'agent' },
    ...event,
  } as ChatEvent;
  return {
    key: full.eventId,
    conversation: 'c/p/w/C1',
    seq: 1,
    at: 0,
    type: full.type,
    author: `${full.author.kind}:${full.author.id}`,
    record: { kind: 'event', seq: 1, at: 0, event: full, facts: {} },
    decisions: [],
    secrets: [],
  };
}

const textOf = (covered: readonly LogRow[], acts: readonly LogRow[] = []): string =>
  digestText(digestLines([{ covered, acts, state: undefined }], () => undefined, 0));

it('holds no word of a message, a report, a token, a title or a note', () => {
  const marker = fc.stringMatching(/^[a-z0-9]{12,24}$/);
  fc.assert(
    fc.property(marker, fc.string({ unit: 'binary' }), fc.nat(), (word, around, progress) => {
      const text = `${around}${word}`;
      const conversation = { id: 'C1', kind: 'channel' as const, title: text };
      const author = { id: 'builder', kind: 'agent' as const, displayName: text };
      const said = row({ type: 'message', text, conversation, author });
      const report = row({ type: 'progress', text, progressToken: word, progress, conversation, author });
      const reaction = row({ type: 'reaction', signal: 'done', targetEventId: 'e1', eta: text, author });
      expect(textOf([said, report], [reaction])).not.toContain(word);
    }),
  );
});

it('names a bounded number of reports and resolved events, the newest, each as one word', () => {
  const reports = Array.from({ length: 9 }, (_, n) =>
    row({ type: 'progress', progressToken: `t${n}`, progress: n, total: 9 }),
  );
  const resolved = Array.from({ length: 9 }, (_, n) => row({ type: 'resolve', targetEventId: `e ${n}` }));
  const [line] = digestLines([{ covered: reports, acts: resolved, state: undefined }], () => undefined, 0);
  expect(line?.progress?.map(({ done }) => done)).toEqual([4, 5, 6, 7, 8]);
  expect(line?.resolved).toHaveLength(DIGEST_LIMITS.named);
  const words = textOf([], resolved).replaceAll(/…\w+/g, '');
  expect(words).toBe(
    `channel:C1: resolved: ${[4, 5, 6, 7, 8].map((n) => `e_${n} by agent:builder`).join(', ')}`,
  );
});
