// The largest state there can be: every list at its limit, every key its own and of full length, every name at its
// byte limit, every number as long as a room of ten years and ten million messages can make it. Folding reaches
// less (an open window and a message of last year do not go together); what holds here holds for any fold.
import {
  type AttentionState,
  STATE_LIMITS,
  STATE_VERSION,
  agentKey,
  shortKey,
} from '../../src/attention/index.ts';
import { KEPT_FORMS } from '../../src/attention/scorer/line.ts';

const NOW = Date.parse('2036-06-24T09:00:00.123Z');
const MESSAGES = 10_000_000;
const YEAR_MIN = 525_600;

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

export function fullState(): AttentionState {
  let made = 0;
  const person = (): string => shortKey(`U${String(++made).repeat(20)}`);
  const agent = (): string => agentKey(`agent-with-a-long-id-${++made}`);
  const event = (): string => shortKey(`event/${String(++made).repeat(60)}`);
  const addressed = () => many(STATE_LIMITS.addressed, () => ({ agent: agent(), rung: 'ambient' as const }));
  const speakers = many(STATE_LIMITS.speakers, (i) => ({
    key: i % 2 === 0 ? person() : agent(),
    kind: 'system' as const,
    name: '語'.repeat(Math.floor(STATE_LIMITS.nameBytes / 3)) + 'x'.repeat(STATE_LIMITS.nameBytes % 3),
    atMin: Math.floor(NOW / 60_000) - YEAR_MIN - i,
    partner: person(),
    spokeLast: true,
    partnerN: 1 + i,
    partnerAtMin: Math.floor(NOW / 60_000) - YEAR_MIN - i,
    said: STATE_LIMITS.said,
    called: STATE_LIMITS.said,
    askedN: 1 + i,
    words: 'Az'.repeat(STATE_LIMITS.words),
  }));
  const who = (i: number): string => speakers[i % speakers.length]?.key ?? '';
  return {
    v: STATE_VERSION,
    at: NOW,
    seq: MESSAGES * 2,
    since: NOW - 10 * YEAR_MIN * 60_000,
    n: MESSAGES,
    last: who(0),
    speakers,
    forgotten: { humans: 100_000, atMin: Math.floor(NOW / 60_000) },
    agents: many(STATE_LIMITS.agents, (i) => ({
      key: agent(),
      mode: 'left' as const,
      spokeN: 1 + i,
      disengaged: true,
      batchAt: NOW - YEAR_MIN * 60_000 - i,
      dial: { notch: 'keen' as const, from: 99 },
    })),
    credits: many(STATE_LIMITS.credits, () => ({
      author: person(),
      agent: agent(),
      until: NOW + 30 * 86_400_000,
    })),
    asks: many(STATE_LIMITS.asks, () => ({
      agent: agent(),
      to: person(),
      event: event(),
      n: MESSAGES - 5_000,
    })),
    // Whoever has an open window has spoken within half a minute.
    windows: many(STATE_LIMITS.windows, (i) => ({
      author: who(i),
      firstAt: NOW - 29_999,
      until: NOW + 29_999,
      addressed: addressed(),
    })),
    claims: many(STATE_LIMITS.claims, () => ({
      event: event(),
      agent: agent(),
      until: NOW + 7 * 86_400_000,
      token: MESSAGES,
    })),
    // Its authors are the last ones to have spoken; an answer is itself one of these, so there are fewer than of them.
    recent: many(STATE_LIMITS.recent, (i) => ({
      event: event(),
      author: who(i),
      seq: MESSAGES,
      at: NOW - YEAR_MIN * 60_000,
      textHash: 0xffffffff,
      addressed: i * STATE_LIMITS.addressed < STATE_LIMITS.addressedInAll ? addressed() : [],
      answeredBy: i === 0 ? [] : [who(i - 1)],
    })),
    loop: {
      pairs: many(STATE_LIMITS.loopPairs, () => {
        const to = agent();
        return {
          a: agent(),
          b: to,
          last: to,
          atMin: Math.floor(NOW / 60_000) - YEAR_MIN,
          openA: STATE_LIMITS.loopOpen,
          openB: STATE_LIMITS.loopOpen,
          ask: 'task' as const,
          count: 1_003,
          passed: 1_003,
          stopped: 'told' as const,
          asked: 'xyz'.repeat(STATE_LIMITS.loopAsks),
          figures: 'xyz'.repeat(STATE_LIMITS.loopFigures),
          about: 'xyz'.repeat(STATE_LIMITS.loopWords),
        };
      }),
      peers: {
        count: MESSAGES,
        humanAt: NOW - YEAR_MIN * 60_000,
        at: many(STATE_LIMITS.peerTurns, (i) => Math.floor(NOW / 1_000) - 30 - i),
      },
    },
    membership: { humans: Number.MAX_SAFE_INTEGER, agents: 1_000_000, complete: true, at: 0 },
    // Its authors are speakers. Each line may be for somebody of its own.
    lines: many(STATE_LIMITS.lines, (i) => ({ author: who(i), to: person(), form: KEPT_FORMS })),
    pace: 200,
    root: { key: event(), author: person(), mentions: many(4, person), othersSpoke: true },
  };
}
