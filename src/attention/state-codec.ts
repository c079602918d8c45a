// The stored form of attention state, made to stay under 4 KB whatever ids and names a platform has: every key once,
// numbers as one run in base 36, times as distances from the state's own. Four parts: version, keys, names, numbers.
// decode(encode(state)) is the state itself, to the last digit: a fold may be cut anywhere and resumed.
// A newer version than ours is refused: an older node must not fold what it does not understand.
import { AUTHOR_KINDS, MODES } from '../protocol/vocabulary.ts';
import { LADDER, type RungId } from './directedness.ts';
import { type Packed, Packer, Unpacker } from './state-packing.ts';
import {
  type Addressed,
  type AttentionState,
  type LoopCause,
  type Speaker,
  STATE_VERSION,
  minuteOf,
} from './state.ts';

/** Larger than this is a bug: every list has a limit. A property test holds it against hostile input. */
export const STATE_MAX_BYTES = 4_096;

const CAUSES: readonly LoopCause[] = ['unproductive', 'hard_limit', 'day_limit', 'repeating', 'pair_rate'];
const RUNGS: readonly RungId[] = LADDER.map(({ id }) => id);
const KINDS = AUTHOR_KINDS.length;

export function encodeState(state: AttentionState): string {
  const to = new Packer();
  const { at, seq, n, forgotten } = state;
  to.number(at);
  to.number(seq);
  to.number(state.since);
  to.number(n);
  to.number(forgotten.humans);
  to.number(forgotten.atMin);
  to.number(state.speakers.length);
  for (const speaker of state.speakers) packSpeaker(to, speaker, state);
  to.key(state.last);
  to.number(state.agents.length);
  for (const agent of state.agents) {
    to.key(agent.key);
    to.number((agent.mode === null ? 0 : MODES.indexOf(agent.mode) + 1) * 2 + (agent.disengaged ? 1 : 0));
    to.since(n, agent.spokeN);
    to.since(at, agent.batchAt);
  }
  to.number(state.credits.length);
  for (const { author, agent, until } of state.credits) {
    to.key(author);
    to.key(agent);
    to.number(until - at);
  }
  to.number(state.asks.length);
  for (const ask of state.asks) {
    to.key(ask.agent);
    to.key(ask.to);
    to.key(ask.event);
    to.number(n - ask.n);
  }
  to.number(state.windows.length);
  for (const window of state.windows) {
    to.key(window.author);
    to.number(at - window.firstAt);
    to.number(window.until - at);
    packAddressed(to, window.addressed);
  }
  to.number(state.claims.length);
  for (const { event, agent, until, token } of state.claims) {
    to.key(event);
    to.key(agent);
    to.number(until - at);
    to.number(seq - token);
  }
  to.number(state.recent.length);
  for (const recent of state.recent) {
    to.key(recent.event);
    to.key(recent.author);
    to.number(seq - recent.seq);
    to.number(at - recent.at);
    to.number(recent.textHash);
    packAddressed(to, recent.addressed);
    packKeys(to, recent.answeredBy);
  }
  packLoop(to, state);
  packMembership(to, state);
  packRoot(to, state);
  const [keys, names, numbers] = to.packed();
  // The numbers are half of it and need no escapes.
  return `[${state.v},${JSON.stringify(keys)},${JSON.stringify(names)},"${numbers}"]`;
}

export function decodeState(stored: string): AttentionState {
  const [version, ...packed] = JSON.parse(stored) as [number, ...Packed];
  if (version !== STATE_VERSION) {
    throw new Error(
      `attention state has version ${String(version)}, this Earshot reads ${STATE_VERSION}: upgrade this node`,
    );
  }
  const from = new Unpacker(packed);
  const [at, seq, since, n, humans, atMin] = from.numbers(6);
  const speakers = from.list(() => unpackSpeaker(from, at, n));
  const last = from.key();
  const agents = from.list(() => {
    const key = from.key();
    const bits = from.number();
    const mode = bits < 2 ? null : (MODES[(bits >> 1) - 1] ?? null);
    return { key, mode, spokeN: from.since(n), disengaged: bits % 2 === 1, batchAt: from.since(at) };
  });
  const credits = from.list(() => ({ author: from.key(), agent: from.key(), until: at + from.number() }));
  const asks = from.list(() => ({
    agent: from.key(),
    to: from.key(),
    event: from.key(),
    n: n - from.number(),
  }));
  const windows = from.list(() => ({
    author: from.key(),
    firstAt: at - from.number(),
    until: at + from.number(),
    addressed: unpackAddressed(from),
  }));
  const claims = from.list(() => ({
    event: from.key(),
    agent: from.key(),
    until: at + from.number(),
    token: seq - from.number(),
  }));
  const recent = from.list(() => ({
    event: from.key(),
    author: from.key(),
    seq: seq - from.number(),
    at: at - from.number(),
    textHash: from.number(),
    addressed: unpackAddressed(from),
    answeredBy: from.list(() => from.key()),
  }));
  const loop = unpackLoop(from, at);
  const [membership = null] = from.list(() => {
    const [readHumans, readAgents, complete, ago] = from.numbers(4);
    return { humans: readHumans, agents: readAgents, complete: complete === 1, at: at - ago };
  });
  const [root = null] = from.list(() => ({
    key: from.key(),
    author: from.key(),
    mentions: from.list(() => from.key()),
    othersSpoke: from.number() === 1,
  }));
  const forgotten = { humans, atMin };
  return {
    v: STATE_VERSION,
    at,
    seq,
    since,
    n,
    last,
    forgotten,
    speakers,
    agents,
    credits,
    asks,
    windows,
    claims,
    recent,
    loop,
    membership,
    root,
  };
}

function packSpeaker(to: Packer, speaker: Speaker, { at, n }: AttentionState): void {
  const paired = speaker.partner !== '' || speaker.partnerN !== 0 || speaker.partnerAtMin !== 0;
  to.key(speaker.key);
  to.name(speaker.name);
  to.number(AUTHOR_KINDS.indexOf(speaker.kind) + KINDS * ((speaker.spokeLast ? 1 : 0) + (paired ? 2 : 0)));
  to.number(minuteOf(at) - speaker.atMin);
  if (!paired) return;
  to.key(speaker.partner);
  to.number(n - speaker.partnerN);
  to.number(minuteOf(at) - speaker.partnerAtMin);
}

function unpackSpeaker(from: Unpacker, at: number, n: number): Speaker {
  const key = from.key();
  const name = from.name();
  const bits = from.number();
  const flags = Math.floor(bits / KINDS);
  const paired = flags >= 2;
  return {
    key,
    kind: AUTHOR_KINDS[bits % KINDS] ?? 'system',
    name,
    atMin: minuteOf(at) - from.number(),
    partner: paired ? from.key() : '',
    spokeLast: flags % 2 === 1,
    partnerN: paired ? n - from.number() : 0,
    partnerAtMin: paired ? minuteOf(at) - from.number() : 0,
  };
}

function packAddressed(to: Packer, addressed: readonly Addressed[]): void {
  to.number(addressed.length);
  for (const { agent, rung } of addressed) {
    to.key(agent);
    to.number(RUNGS.indexOf(rung));
  }
}

function unpackAddressed(from: Unpacker): Addressed[] {
  return from.list(() => ({ agent: from.key(), rung: RUNGS[from.number()] ?? 'ambient' }));
}

function packKeys(to: Packer, keys: readonly string[]): void {
  to.number(keys.length);
  for (const key of keys) to.key(key);
}

function packLoop(to: Packer, { loop, at }: AttentionState): void {
  to.number(loop.count);
  to.number((loop.stopped === null ? 0 : CAUSES.indexOf(loop.stopped) + 1) * 2 + (loop.progressed ? 1 : 0));
  to.since(at, loop.humanAt);
  let later = Math.floor(at / 1_000);
  to.number(loop.turns.length);
  for (const turn of loop.turns) {
    to.number(later - turn.at);
    to.number(turn.pair);
    later = turn.at;
  }
  to.number(loop.marks.length);
  for (const mark of loop.marks) to.number(mark);
}

/** What there may be one of is a list of none or one. */
function packMembership(to: Packer, { membership, at }: AttentionState): void {
  to.number(membership === null ? 0 : 1);
  if (membership === null) return;
  to.number(membership.humans);
  to.number(membership.agents);
  to.number(membership.complete ? 1 : 0);
  to.number(at - membership.at);
}

function packRoot(to: Packer, { root }: AttentionState): void {
  to.number(root === null ? 0 : 1);
  if (root === null) return;
  to.key(root.key);
  to.key(root.author);
  packKeys(to, root.mentions);
  to.number(root.othersSpoke ? 1 : 0);
}

function unpackLoop(from: Unpacker, at: number): AttentionState['loop'] {
  const [count, bits] = from.numbers(2);
  const humanAt = from.since(at);
  let later = Math.floor(at / 1_000);
  const turns = from.list(() => {
    later -= from.number();
    return { at: later, pair: from.number() };
  });
  const stopped = bits < 2 ? null : (CAUSES[(bits >> 1) - 1] ?? null);
  return {
    count,
    progressed: bits % 2 === 1,
    humanAt,
    turns,
    marks: from.list(() => from.number()),
    stopped,
  };
}
