// The driver around the fold: sequence, time, facts from outside, ticks, repeats; and that it can be cut anywhere.
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createReplay, type Fed, type ReplaySnapshot } from '../../src/attention/replay.ts';
import { ReplayIndex } from '../../src/attention/replay-index.ts';
import { attentionSettingsSchema } from '../../src/attention/settings.ts';
import { type ChatEvent, chatEventSchema } from '../../src/protocol/chat-event.ts';
import { MODES, SIGNALS } from '../../src/protocol/vocabulary.ts';
import { EXAMPLE, line } from './fake-io.ts';

const settings = attentionSettingsSchema.parse({
  agents: [{ id: 'lead' }, { id: 'builder', roles: ['oncall'], lead: 'lead' }],
});
const ROOM = { id: 'room', kind: 'channel' };
const THREAD = { id: 't1', kind: 'thread', parentId: 'room' };
const LEAD = { id: 'lead', kind: 'agent' };
const BUILDER = { id: 'builder', kind: 'agent' };

let ids = 0;
function event(at: number, more: Record<string, unknown> = {}): ChatEvent {
  return chatEventSchema.parse(JSON.parse(line({ eventId: `d${++ids}`, at, ...more })));
}

function folded(fed: Fed): Extract<Fed, { type: 'folded' }> {
  if (fed.type !== 'folded') throw new Error('expected the event to be folded');
  return fed;
}

describe('a replay', () => {
  it('counts records per conversation and never lets fold time go back', () => {
    const replay = createReplay(settings);
    const records = [
      event(5_000),
      event(4_000),
      event(1_000, { conversation: { id: 'other', kind: 'channel' } }),
      event(6_000),
    ].map((one) => folded(replay.feed(one)).record);
    expect(records.map(({ seq, at }) => [seq, at])).toEqual([
      [1, 5_000],
      [2, 5_000],
      [1, 1_000],
      [3, 6_000],
    ]);
    expect(replay.now()).toBe(6_000);
  });

  it('ignores a repeated eventId, counts it, and keeps ids of different workspaces apart', () => {
    const replay = createReplay(settings);
    const first = event(1_000, { eventId: 'same' });
    expect(replay.feed(first).type).toBe('folded');
    expect(replay.feed({ ...first, at: 9_000 })).toEqual({ type: 'duplicate' });
    expect(replay.feed({ ...first, workspaceId: 'else' }).type).toBe('folded');
    expect(replay.duplicates()).toBe(1);
    expect(replay.now()).toBe(1_000);
  });

  it('keeps ids of different conversations and platforms apart, and recognises the repeat of each', () => {
    const replay = createReplay(settings);
    const first = event(1_000, { eventId: '42' });
    const places = [
      {},
      { conversation: { id: 'other', kind: 'channel' } as const },
      { conversation: { id: 't1', kind: 'thread', parentId: 'room' } as const },
      { platform: 'else' },
    ];
    for (const place of places) expect(replay.feed({ ...first, ...place }).type).toBe('folded');
    const resumed = createReplay(settings, JSON.parse(JSON.stringify(replay.snapshot())) as ReplaySnapshot);
    for (const place of places) {
      expect(replay.feed({ ...first, ...place }).type).toBe('duplicate');
      expect(resumed.feed({ ...first, ...place }).type).toBe('duplicate');
    }
  });

  it('reads a name as the message of the place where it is said', () => {
    const replay = createReplay(settings);
    const other = { id: 'other', kind: 'channel' };
    replay.feed(event(1_000, { eventId: '42', text: '@lead look' }));
    replay.feed(event(1_000, { eventId: '42', text: '@builder look', conversation: other }));
    replay.feed(event(1_000, { eventId: '42', text: 'look', conversation: THREAD }));
    const spoken = (conversation: object) =>
      Array.from({ length: 20 }, (_, i) => event(2_000 + i, { text: `line ${i}`, conversation }));
    for (const one of [ROOM, other, THREAD].flatMap(spoken)) replay.feed(one);
    const original = (conversation: object) =>
      folded(replay.feed(event(9_000, { type: 'edit', targetEventId: '42', text: 'look now', conversation })))
        .record.facts.original;
    expect(original(ROOM)?.addressed).toEqual(['lead']);
    expect(original(other)?.addressed).toEqual(['builder']);
    expect(original(THREAD)?.addressed).toEqual([]);
    replay.feed(event(10_000, { type: 'delete', text: undefined, targetEventId: '42', conversation: other }));
    expect(original(other)).toBeUndefined();
    expect(original(ROOM)).toBeDefined();
    const root = (parentId: string) =>
      folded(
        replay.feed(
          event(11_000, {
            conversation: { id: `of-${parentId}`, kind: 'thread', parentId },
            replyTo: { eventId: '42' },
          }),
        ),
      ).record.facts.root;
    expect(root('room')).toMatchObject({ eventId: '42' });
    expect(root('elsewhere')).toBeUndefined();
  });

  it('stamps the membership read with its time, and no older one over a newer', () => {
    const replay = createReplay(settings);
    const read = (at: number, membership: object) =>
      folded(replay.feed(event(at, { membership }))).record.facts;
    expect(read(1_000, { humans: 3, complete: true }).membership).toEqual({
      humans: 3,
      agents: 0,
      complete: true,
      at: 1_000,
    });
    expect(read(2_000, { humans: 9, complete: true, at: 500 }).membership).toBeUndefined();
  });

  it('gives a thread its root, its parent room and the modes set there', () => {
    const replay = createReplay(settings);
    replay.feed(
      event(1_000, {
        eventId: 't1',
        mentions: [
          { kind: 'agent', id: 'lead' },
          { kind: 'human', id: 'U2' },
        ],
      }),
    );
    replay.feed(
      event(2_000, {
        type: 'mode',
        text: undefined,
        mode: 'left',
        agent: 'lead',
        author: { id: 'U1', kind: 'human' },
      }),
    );
    const first = folded(replay.feed(event(3_000, { conversation: THREAD }))).record.facts;
    expect(first.root).toEqual({ eventId: 't1', authorId: 'human:U1', mentions: ['lead', 'human:U2'] });
    expect(first.parent).toEqual({ modes: [{ agent: 'lead', mode: 'left' }], humans: 1 });
    const second = folded(replay.feed(event(4_000, { conversation: THREAD }))).record.facts;
    expect(second.root).toBeUndefined();
    expect(second.parent).toBeDefined();
  });

  it('finds the root by the native reply, too', () => {
    const replay = createReplay(settings);
    replay.feed(event(1_000, { eventId: 'root', author: LEAD }));
    const conversation = { ...THREAD, id: 'T99' };
    const fed = replay.feed(event(2_000, { conversation, replyTo: { eventId: 'root' } }));
    expect(folded(fed).record.facts.root).toEqual({ eventId: 'root', authorId: 'lead', mentions: [] });
  });

  it('stamps focus in every conversation until it ends', () => {
    const replay = createReplay(settings);
    const focusOf = (at: number) =>
      folded(replay.feed(event(at, { conversation: { id: `c${at}`, kind: 'channel' } }))).record.facts.focus;
    replay.feed(event(1_000, { type: 'focus', text: undefined, author: LEAD, ttlMs: 5_000 }));
    expect(focusOf(2_000)).toEqual([{ agent: 'lead', until: 6_000 }]);
    expect(focusOf(6_000)).toBeUndefined();
  });

  it('remembers what an old edit, delete or reaction refers to', () => {
    const replay = createReplay(settings);
    replay.feed(event(1_000, { eventId: 'old', text: '@lead look' }));
    replay.feed(event(2_000, { author: LEAD, inReplyTo: 'old', text: 'looking' }));
    for (let i = 0; i < 20; i++) replay.feed(event(10_000 * (i + 1), { text: `line ${i}` }));
    const edit = folded(
      replay.feed(event(900_000, { type: 'edit', targetEventId: 'old', text: '@lead look now' })),
    );
    expect(edit.record.facts.original).toMatchObject({
      authorId: 'human:U1',
      addressed: ['lead'],
      answeredBy: ['lead'],
    });
    expect(edit.decisions.map(({ reason }) => reason)).toEqual(['edited_after_response']);
    const same = folded(
      replay.feed(event(901_000, { type: 'edit', targetEventId: 'old', text: '@lead look now' })),
    );
    expect(same.decisions).toEqual([]);
    replay.feed(event(902_000, { type: 'delete', text: undefined, targetEventId: 'old' }));
    const late = folded(
      replay.feed(event(903_000, { type: 'edit', targetEventId: 'old', text: '@builder' })),
    );
    expect(late.record.facts.original).toBeUndefined();
  });

  it('tells nothing about a message of another conversation', () => {
    const replay = createReplay(settings);
    replay.feed(event(1_000, { eventId: 'here' }));
    const conversation = { id: 'elsewhere', kind: 'channel' };
    const fed = replay.feed(
      event(2_000, { conversation, type: 'delete', text: undefined, targetEventId: 'here' }),
    );
    expect(folded(fed).record.facts.original).toBeUndefined();
  });

  it('folds a tick where a claim ended before the next event of any conversation', () => {
    const replay = createReplay(settings);
    replay.feed(event(1_000, { eventId: 'job', text: '@oncall look' }));
    replay.feed(
      event(2_000, { type: 'claim', text: undefined, author: BUILDER, targetEventId: 'job', ttlMs: 1_000 }),
    );
    const { ticks } = folded(replay.feed(event(9_000, { conversation: { id: 'other', kind: 'channel' } })));
    expect(
      ticks.map(({ record }) => [record.kind, record.at, record.seq, record.event.conversation.id]),
    ).toEqual([['tick', 3_000, 3, 'room']]);
    expect(ticks[0]?.effects).toMatchObject([{ type: 'claim_released', why: 'expired' }]);
    expect(folded(replay.feed(event(10_000))).record.seq).toBe(4);
  });
});

it('forgets the oldest event first when it remembers as many as it may', () => {
  const replay = createReplay(settings);
  const index = new ReplayIndex([], 2);
  const events = [event(1), event(2), event(3)];
  for (const one of events) index.note(one, [], [], replay.rosterOf(one));
  expect(events.map((one) => index.has(one))).toEqual([false, true, true]);
});

const author = fc.constantFrom({ id: 'U1', kind: 'human' }, { id: 'U2', kind: 'human' }, LEAD, BUILDER);
const target = fc.integer({ min: 0, max: 30 }).map((n) => `p${n}`);
const body = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('message'),
      text: fc.constantFrom(
        'hi',
        '@lead can you look?',
        'thanks',
        '@builder leave',
        'yes',
        '@oncall who can help?',
        'lead, stop',
        'shall I go on?',
      ),
    }),
  },
  fc.record({ type: fc.constant('message'), text: fc.constant('on it'), inReplyTo: target }),
  fc.record({
    type: fc.constant('edit'),
    text: fc.constantFrom('@builder now?', 'never mind'),
    targetEventId: target,
  }),
  fc.record({ type: fc.constant('delete'), targetEventId: target }),
  fc.record({ type: fc.constant('reaction'), targetEventId: target, signal: fc.constantFrom(...SIGNALS) }),
  fc.record({
    type: fc.constant('claim'),
    targetEventId: target,
    ttlMs: fc.integer({ min: 1, max: 60_000 }),
  }),
  fc.record({ type: fc.constant('mode'), mode: fc.constantFrom(...MODES), agent: fc.constant('lead') }),
  fc.record({ type: fc.constant('focus'), ttlMs: fc.integer({ min: 0, max: 60_000 }) }),
);
const chat = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 30_000 }), author, fc.constantFrom(ROOM, THREAD), body), {
    minLength: 2,
    maxLength: 30,
  })
  .map((steps) => {
    let at = 1_780_000_000_000;
    return steps.map(([gap, who, conversation, what], n) => {
      at += gap;
      return chatEventSchema.parse(
        JSON.parse(line({ text: undefined, eventId: `p${n}`, at, author: who, conversation, ...what })),
      );
    });
  });

it('events of other conversations never change a decision here', () => {
  fc.assert(
    fc.property(chat, fc.array(fc.nat({ max: 29 })), (events, places) => {
      const alone = createReplay(settings);
      const expected = events.map((one) => folded(alone.feed(one)).decisions);
      const crowded = createReplay(settings);
      for (const [index, one] of events.entries()) {
        for (const [n] of places.filter((place) => place === index).entries()) {
          const other = {
            eventId: `x${index}-${n}`,
            conversation: { id: 'other', kind: 'channel' } as const,
          };
          crowded.feed({ ...event(0), ...other, at: one.at });
        }
        expect(folded(crowded.feed(one)).decisions).toEqual(expected[index]);
      }
    }),
  );
});

describe('a replay cut at any point and resumed from its JSON snapshot', () => {
  it('gives the same records, decisions and effects', () => {
    fc.assert(
      fc.property(chat, fc.nat(), (events, cut) => {
        const whole = createReplay(settings);
        const expected = events.map((one) => whole.feed(one));
        const at = cut % events.length;
        const before = createReplay(settings);
        for (const one of events.slice(0, at)) before.feed(one);
        const snapshot = JSON.parse(JSON.stringify(before.snapshot())) as ReplaySnapshot;
        const after = createReplay(settings, snapshot);
        expect(events.slice(at).map((one) => after.feed(one))).toEqual(expected.slice(at));
        expect(after.snapshot()).toEqual(whole.snapshot());
      }),
    );
  });

  it('does so at every line of the example', () => {
    const events = readFileSync(EXAMPLE, 'utf8')
      .trimEnd()
      .split('\n')
      .map((text) => chatEventSchema.parse(JSON.parse(text)));
    const whole = createReplay(settings);
    const expected = events.map((one) => whole.feed(one));
    let replay = createReplay(settings);
    for (const [index, one] of events.entries()) {
      expect(replay.feed(one)).toEqual(expected[index]);
      replay = createReplay(settings, JSON.parse(JSON.stringify(replay.snapshot())) as ReplaySnapshot);
    }
  });
});
