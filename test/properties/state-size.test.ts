// Stored state stays under 6 KB: for the largest state the limits allow, and for folds made to reach the limits.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AttentionState,
  SCORER_VERSION,
  STATE_LIMITS,
  STATE_MAX_BYTES,
  type Roster,
  STATE_VERSION,
  attend,
  attentionSettingsSchema,
  decodeState,
  emptyState,
  encodeState,
  rosterFor,
} from '../../src/attention/index.ts';
import { CODE_CHARS } from '../../src/attention/loop-guard.ts';
import type { LoopPair } from '../../src/attention/state.ts';
import type { ChatEvent } from '../../src/protocol/chat-event.ts';
import { recordKind } from '../../src/protocol/log-record.ts';
import { T0 } from './chat.ts';
import { fullState } from './full-state.ts';

const bytes = (state: AttentionState): number => Buffer.byteLength(encodeState(state));

describe('stored state', () => {
  it('of the largest size the limits allow stays under the limit, and comes back whole', () => {
    const full = fullState();
    expect(bytes(full)).toBeLessThanOrEqual(STATE_MAX_BYTES);
    expect(decodeState(encodeState(full))).toEqual(full);
  });

  it.each([false, true])('of an everyday room stays under 1.5 KB (its agents answer: %s)', (answer) => {
    expect(everyday(answer)).toBeLessThan(1_536);
  });

  it('of nothing comes back whole', () => {
    expect(decodeState(encodeState(emptyState()))).toStrictEqual(emptyState());
  });

  it('of a newer version is refused, and so is a damaged one', () => {
    const stored = encodeState(emptyState());
    const newer = stored.replace(`[${STATE_VERSION},`, `[${STATE_VERSION + 1},`);
    expect(() => decodeState(newer)).toThrow(`version ${STATE_VERSION + 1}`);
    const [version, keys, names, numbers] = JSON.parse(stored) as [number, string, string[], string];
    expect(() => decodeState(JSON.stringify([version, keys, names, numbers.slice(0, 8)]))).toThrow('damaged');
  });
});

const EVERYDAY =
  'anybody seen the flaky login test again?|@agent-0 can you check whether the deploy is blocked?|the second run passed here|' +
  'thanks!|Jane, could you look at the billing export when you are back?|ok|every request is a 401 after ten minutes or so|' +
  'lunch?|agent-1 what did we decide about the retry limit?|fyi staging is down for ten minutes';

/** The most bytes of a room of twelve people and three agents. */
function everyday(answer: boolean): number {
  const conversation = { id: 'C1', kind: 'channel' as const };
  const roster = rosterFor(
    attentionSettingsSchema.parse({ agents: [0, 1, 2].map((i) => ({ id: `agent-${i}` })) }),
    { platform: 'web', workspaceId: 'W1', conversation },
  );
  const lines = EVERYDAY.split('|');
  let [state, most, n] = [emptyState(), 0, 0];
  const say = (author: ChatEvent['author'], text: string, inReplyTo?: string): void => {
    const at = T0 + ++n * 7_000;
    const where = { platform: 'web', workspaceId: 'W1', conversation };
    const more = inReplyTo === undefined ? {} : { inReplyTo, replyTo: { eventId: inReplyTo } };
    const event = { type: 'message' as const, eventId: `e${n}`, at, ...where, author, text, ...more };
    const facts = { scorer: SCORER_VERSION };
    ({ state } = attend(state, { kind: 'event', seq: n, at, event, facts }, roster));
    most = Math.max(most, bytes(state));
  };
  for (let i = 0; i < 600; i++) {
    const text = lines[i % lines.length] ?? '';
    const id = `U${(i * 7) % 12}`;
    say({ id, kind: 'human', displayName: `Person ${id}` }, text);
    const called = /agent-\d/.exec(text)?.[0];
    if (answer && called !== undefined) say({ id: called, kind: 'agent' }, 'It is not, all green.', `e${n}`);
  }
  return most;
}

/** Ids as long as the schema lets them be, and names in every script with everything JSON would have to escape. */
const AGENT_IDS = Array.from({ length: 30 }, (_, i) => `agent-${'x'.repeat(50)}-${i}`);
const HUMANS = Array.from({ length: 40 }, (_, i) => `${'사용자"\\'.repeat(40)}${i}`.slice(-256));
const NAMES = [
  '語',
  '\u{1f469}\u200d\u{1f680}',
  '"',
  '\\',
  '\u0000',
  '\ud800',
  '토',
  'ñ',
  'x ',
  'ﷺ',
  '\u2028',
];

interface Line {
  who: number;
  tags: readonly number[];
  kind: number;
  name: string;
  back: number;
}

const line: fc.Arbitrary<Line> = fc.record({
  who: fc.nat({ max: 69 }),
  tags: fc.array(fc.nat({ max: 69 }), { maxLength: 6, size: 'max' }),
  kind: fc.nat({ max: 11 }),
  name: fc.array(fc.constantFrom(...NAMES), { maxLength: 30, size: 'max' }).map((parts) => parts.join('')),
  back: fc.nat({ max: 12 }),
});

/** No human in between, so that the turns of the loop guard add up as well. */
const amongAgents: readonly Line[] = Array.from({ length: 40 }, (_, i) => ({
  who: i % AGENT_IDS.length,
  tags: [1, 2, 3, 4, 5].map((step) => (i + step) % AGENT_IDS.length),
  kind: 3 + (i % 9),
  name: '語'.repeat(20),
  back: i % 4,
}));

/** Two that ask each other, first one alone, then by turns, so that their pair fills up as well. */
const oneAnother: readonly Line[] = [0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1].map((who) => ({
  who,
  tags: [1 - who],
  kind: 4,
  name: 'x',
  back: 0,
}));

const person = (index: number): ChatEvent['author'] =>
  index < AGENT_IDS.length
    ? { id: AGENT_IDS[index] ?? '', kind: 'agent' }
    : { id: HUMANS[index - AGENT_IDS.length] ?? '', kind: 'human' };

const hostileId = (n: number): string => `${'é"'.repeat(120)}${n}`;

function hostileEvent({ who, tags, kind, name, back }: Line, index: number, at: number): ChatEvent {
  const author = { ...person(who), displayName: name.slice(0, 256) };
  const conversation = { id: 'C1', kind: 'thread' as const, parentId: 'C0' };
  const base = { eventId: hostileId(index), at, platform: 'web', workspaceId: 'W1', conversation, author };
  const target = hostileId(Math.max(0, index - 1 - back));
  const agent = person(who % AGENT_IDS.length);
  switch (kind) {
    case 0:
      return { ...base, type: 'claim', author: agent, targetEventId: target, ttlMs: 604_800_000 };
    case 1:
      return { ...base, type: 'mode', mode: 'follow', agent: agent.id };
    case 2:
      return {
        ...base,
        type: 'edit',
        targetEventId: target,
        text: 'please look',
        mentions: mentionsOf(tags),
      };
    default:
      return {
        ...base,
        type: 'message',
        text: kind % 2 === 0 ? `shall I deploy ${index} of it now?` : `please check item ${index} for me`,
        mentions: mentionsOf(tags),
        ...(kind > 6 && { replyTo: { eventId: target } }),
        ...(kind > 8 && { inReplyTo: target }),
      };
  }
}

function mentionsOf(tags: readonly number[]): { kind: 'agent' | 'human'; id: string }[] {
  return tags.map((tag) => ({ kind: tag < AGENT_IDS.length ? 'agent' : 'human', id: person(tag).id }));
}

/** The preset `typeclaw` counts what the other does not. */
const hostileRosters = (['default', 'typeclaw'] as const).map((preset) =>
  rosterFor(
    attentionSettingsSchema.parse({
      preset,
      agents: AGENT_IDS.map((id, i) => ({ id, ...(i % 2 === 0 && { stickiness: 'one_shot' }) })),
      limits: { loopStopTurns: 1_000 },
    }),
    { platform: 'web', workspaceId: 'W1', conversation: { id: 'C1', kind: 'thread', parentId: 'C0' } },
  ),
);

/** No speaker says so much here; its count alone is kept. */
const NOT_FILLED = new Set(['nameBytes', 'peerTurns', 'said']);

describe('a fold of hostile input', () => {
  it('keeps every list within its limit and its stored form under 6 KB, and the lists do fill up', () => {
    const most = new Map<string, number>();
    const note = (what: string, size: number): void =>
      void most.set(what, Math.max(most.get(what) ?? 0, size));
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 60, maxLength: 400, size: 'max' }),
        fc.nat({ max: 1 }),
        (lines, roster) => {
          // Late in a long life: large counts and times.
          let state: AttentionState = { ...emptyState(), n: 9_000_000, seq: 9_000_000, since: 1, at: T0 };
          [...lines, ...amongAgents, ...oneAnother].forEach((drawn, index) => {
            const at = T0 + index * 400;
            const event = hostileEvent(drawn, index, at);
            const facts = {
              scorer: SCORER_VERSION,
              root: { eventId: 'r'.repeat(256), authorId: 'w'.repeat(256), mentions: HUMANS },
              membership: { humans: Number.MAX_SAFE_INTEGER, agents: 9, complete: true, at: 0 },
            };
            ({ state } = attend(
              state,
              { kind: recordKind(event), seq: state.seq + 1, at, event, facts },
              hostileRosters[roster] as Roster,
            ));
            note('bytes', bytes(state));
            for (const [what, size] of sizes(state)) note(what, size);
          });
        },
      ),
      { numRuns: 12 },
    );
    const limits = Object.entries(STATE_LIMITS).map(
      ([what, limit]) => [what, most.get(what), limit] as const,
    );
    for (const [what, reached, limit] of limits) {
      expect([what, reached !== undefined && reached <= limit]).toEqual([what, true]);
    }
    expect(most.get('bytes')).toBeLessThanOrEqual(STATE_MAX_BYTES);
    // The test bites only if the limits are reached; a name may stop a few bytes short, and only states of earlier have
    // the turns of a minute.
    const short = limits.filter(([what, reached, limit]) => !NOT_FILLED.has(what) && reached !== limit);
    expect(short).toEqual([]);
    expect(most.get('bytes')).toBeGreaterThan(2_000);
  });
});

function sizes(state: AttentionState): [keyof typeof STATE_LIMITS, number][] {
  const addressed = state.recent.map((recent) => recent.addressed.length);
  const { pairs } = state.loop;
  const codes = (of: (pair: LoopPair) => string): number =>
    Math.max(0, ...pairs.map((pair) => of(pair).length / CODE_CHARS));
  return [
    ['speakers', state.speakers.length],
    [
      'nameBytes',
      Math.max(0, ...state.speakers.map(({ name }) => Buffer.byteLength(JSON.stringify(name)) - 2)),
    ],
    ['agents', state.agents.length],
    ['credits', state.credits.length],
    ['asks', state.asks.length],
    ['windows', state.windows.length],
    ['claims', state.claims.length],
    ['recent', state.recent.length],
    ['addressed', Math.max(0, ...addressed, ...state.windows.map((window) => window.addressed.length))],
    ['addressedInAll', addressed.reduce((sum, size) => sum + size, 0)],
    ['loopPairs', pairs.length],
    ['loopOpen', Math.max(0, ...pairs.flatMap(({ openA, openB }) => [openA, openB]))],
    ['loopAsks', codes(({ asked }) => asked)],
    ['loopFigures', codes(({ figures }) => figures)],
    ['loopWords', codes(({ about }) => about)],
    ['peerTurns', state.loop.peers.at.length],
    ['lines', state.lines.length],
    ['words', Math.max(0, ...state.speakers.map(({ words }) => words.length / 2))],
    ['said', Math.max(0, ...state.speakers.map(({ said }) => said))],
  ];
}
