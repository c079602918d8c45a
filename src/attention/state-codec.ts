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
  const { at, n, forgotten, membership, root } = state;
  for (const value of [at, state.seq, state.since, n, forgotten.humans, forgotten.atMin]) to.number(value);
  to.list(state.speakers, (speaker) => packSpeaker(to, speaker, state));
  to.key(state.last);
  to.list(state.agents, (agent) => {
    to.key(agent.key);
    to.number((agent.mode === null ? 0 : MODES.indexOf(agent.mode) + 1) * 2 + (agent.disengaged ? 1 : 0));
    to.since(n, agent.spokeN);
    to.since(at, agent.batchAt);
  });
  to.list(state.credits, ({ author, agent, until }) => {
    to.key(author);
    to.key(agent);
    to.number(until - at);
  });
  to.list(state.asks, (ask) => {
    for (const key of [ask.agent, ask.to, ask.event]) to.key(key);
    to.number(n - ask.n);
  });
  to.list(state.windows, (window) => {
    to.key(window.author);
    to.number(at - window.firstAt);
    to.number(window.until - at);
    packAddressed(to, window.addressed);
  });
  to.list(state.claims, ({ event, agent, until, token }) => {
    to.key(event);
    to.key(agent);
    to.number(until - at);
    to.number(state.seq - token);
  });
  to.list(state.recent, (recent) => {
    to.key(recent.event);
    to.key(recent.author);
    to.number(state.seq - recent.seq);
    to.number(at - recent.at);
    to.number(recent.textHash);
    packAddressed(to, recent.addressed);
    to.list(recent.answeredBy, (agent) => to.key(agent));
  });
  packLoop(to, state);
  to.list(membership === null ? [] : [membership], (read) => {
    for (const value of [read.humans, read.agents, read.complete ? 1 : 0, at - read.at]) to.number(value);
  });
  to.list(root === null ? [] : [root], (thread) => {
    to.key(thread.key);
    to.key(thread.author);
    to.list(thread.mentions, (key) => to.key(key));
    to.number(thread.othersSpoke ? 1 : 0);
  });
  return JSON.stringify([state.v, ...to.packed()]);
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
  to.list(addressed, ({ agent, rung }) => {
    to.key(agent);
    to.number(RUNGS.indexOf(rung));
  });
}

function unpackAddressed(from: Unpacker): Addressed[] {
  return from.list(() => ({ agent: from.key(), rung: RUNGS[from.number()] ?? 'ambient' }));
}

function packLoop(to: Packer, { loop, at }: AttentionState): void {
  to.number(loop.count);
  to.number((loop.stopped === null ? 0 : CAUSES.indexOf(loop.stopped) + 1) * 2 + (loop.progressed ? 1 : 0));
  to.since(at, loop.humanAt);
  let later = Math.floor(at / 1_000);
  to.list(loop.turns, (turn) => {
    to.number(later - turn.at);
    to.number(turn.pair);
    later = turn.at;
  });
  to.list(loop.marks, (mark) => to.number(mark));
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
