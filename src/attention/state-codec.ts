// The stored form of attention state: the same data by position instead of by name, so that it stays under 4 KB.
// decode(encode(state)) is the state itself, to the last digit: a fold may be cut anywhere and resumed.
// A newer version than ours is refused: an older node must not fold what it does not understand.
import { AUTHOR_KINDS, MODES } from '../protocol/vocabulary.ts';
import { LADDER, type RungId } from './directedness.ts';
import { type Addressed, type AttentionState, type LoopCause, STATE_VERSION } from './state.ts';

/** Larger than this is a bug: every list has a limit. A property test holds it against hostile input. */
export const STATE_MAX_BYTES = 4_096;

const CAUSES: readonly LoopCause[] = ['unproductive', 'hard_limit', 'day_limit', 'repeating', 'pair_rate'];

export function encodeState(state: AttentionState): string {
  const { loop, membership, root } = state;
  return JSON.stringify([
    state.v,
    [state.at, state.seq, state.since, state.n, state.last, state.forgotten.humans, state.forgotten.atMin],
    state.speakers.map((s) => [
      s.key,
      AUTHOR_KINDS.indexOf(s.kind),
      s.name,
      s.atMin,
      ...(s.partner === '' && s.partnerN === 0
        ? []
        : [s.partner, flag(s.spokeLast), s.partnerN, s.partnerAtMin]),
    ]),
    state.agents.map((a) => [a.key, place(MODES, a.mode), a.spokeN, flag(a.disengaged), a.batchAt]),
    state.credits.map((c) => [c.author, c.agent, c.until]),
    state.asks.map((a) => [a.agent, a.to, a.event, a.n]),
    state.windows.map((w) => [w.author, w.firstAt, w.until, packAddressed(w.addressed)]),
    state.claims.map((c) => [c.event, c.agent, c.until, c.token]),
    state.recent.map((r) => [
      r.event,
      r.author,
      r.seq,
      r.at,
      r.textHash,
      packAddressed(r.addressed),
      r.answeredBy,
    ]),
    [
      loop.count,
      flag(loop.progressed),
      loop.humanAt,
      place(CAUSES, loop.stopped),
      loop.turns.flatMap((turn) => [turn.at, turn.pair]),
      loop.marks,
    ],
    membership && [membership.humans, membership.agents, flag(membership.complete), membership.at],
    root && [root.key, root.author, root.mentions, flag(root.othersSpoke)],
  ]);
}

export function decodeState(stored: string): AttentionState {
  const packed = JSON.parse(stored) as Packed;
  if (packed[0] !== STATE_VERSION) {
    throw new Error(
      `attention state has version ${String(packed[0])}, this Earshot reads ${STATE_VERSION}: upgrade this node`,
    );
  }
  const [
    ,
    [at, seq, since, n, last, humans, atMin],
    speakers,
    agents,
    credits,
    asks,
    windows,
    claims,
    recent,
  ] = packed;
  const [loop, membership, root] = packed.slice(9) as [
    PackedLoop,
    PackedMembership | null,
    PackedRoot | null,
  ];
  return {
    v: STATE_VERSION,
    at,
    seq,
    since,
    n,
    last,
    forgotten: { humans, atMin },
    speakers: speakers.map(
      ([key, kind, name, spokeMin, partner = '', spokeLast = 0, partnerN = 0, partnerAtMin = 0]) => ({
        key,
        kind: AUTHOR_KINDS[kind] ?? 'system',
        name,
        atMin: spokeMin,
        partner,
        spokeLast: spokeLast === 1,
        partnerN,
        partnerAtMin,
      }),
    ),
    agents: agents.map(([key, mode, spokeN, disengaged, batchAt]) => ({
      key,
      mode: mode < 0 ? null : (MODES[mode] ?? null),
      spokeN,
      disengaged: disengaged === 1,
      batchAt,
    })),
    credits: credits.map(([author, agent, until]) => ({ author, agent, until })),
    asks: asks.map(([agent, to, event, askedN]) => ({ agent, to, event, n: askedN })),
    windows: windows.map(([author, firstAt, until, addressed]) => ({
      author,
      firstAt,
      until,
      addressed: unpackAddressed(addressed),
    })),
    claims: claims.map(([event, agent, until, token]) => ({ event, agent, until, token })),
    recent: recent.map(([event, author, eventSeq, eventAt, textHash, addressed, answeredBy]) => ({
      event,
      author,
      seq: eventSeq,
      at: eventAt,
      textHash,
      addressed: unpackAddressed(addressed),
      answeredBy,
    })),
    loop: unpackLoop(loop),
    membership: membership && unpackMembership(membership),
    root: root && { key: root[0], author: root[1], mentions: root[2], othersSpoke: root[3] === 1 },
  };
}

function unpackLoop([count, progressed, humanAt, stopped, turns, marks]: PackedLoop): AttentionState['loop'] {
  const pairs = [];
  for (let i = 0; i < turns.length; i += 2) pairs.push({ at: turns[i] ?? 0, pair: turns[i + 1] ?? 0 });
  const cause = stopped < 0 ? null : (CAUSES[stopped] ?? null);
  return { count, progressed: progressed === 1, humanAt, turns: pairs, marks, stopped: cause };
}

function unpackMembership([humans, agents, complete, at]: PackedMembership): AttentionState['membership'] {
  return { humans, agents, complete: complete === 1, at };
}

/** Agent, rung, agent, rung … */
function packAddressed(addressed: readonly Addressed[]): (string | number)[] {
  return addressed.flatMap(({ agent, rung }) => [agent, LADDER.findIndex(({ id }) => id === rung)]);
}

function unpackAddressed(packed: readonly (string | number)[]): Addressed[] {
  const addressed: Addressed[] = [];
  for (let i = 0; i < packed.length; i += 2) {
    const rung: RungId = LADDER[Number(packed[i + 1])]?.id ?? 'ambient';
    addressed.push({ agent: String(packed[i]), rung });
  }
  return addressed;
}

function flag(value: boolean): 0 | 1 {
  return value ? 1 : 0;
}

/** Position in its list; -1 is null. */
function place<T>(list: readonly T[], value: T | null): number {
  return value === null ? -1 : list.indexOf(value);
}

type PackedLoop = [number, 0 | 1, number, number, number[], number[]];
type PackedMembership = [number, number, 0 | 1, number];
type PackedRoot = [string, string, string[], 0 | 1];
type PackedSpeaker = [string, number, string, number, string?, (0 | 1)?, number?, number?];
type Packed = [
  number,
  [number, number, number, number, string, number, number],
  PackedSpeaker[],
  [string, number, number, 0 | 1, number][],
  [string, string, number][],
  [string, string, string, number][],
  [string, number, number, (string | number)[]][],
  [string, string, number, number][],
  [string, string, number, number, number, (string | number)[], string[]][],
  PackedLoop,
  PackedMembership | null,
  PackedRoot | null,
];
