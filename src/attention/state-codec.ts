// The stored form of attention state, made to stay under 6 KB whatever ids and names a platform has: every key once,
// numbers as one run in base 36, times as distances from the state's own. Four parts: version, keys, names, numbers.
// decode(encode(state)) is the state itself, to the last digit: a fold may be cut anywhere and resumed.
// Stored text outlives the code that wrote it: words are kept by their codes (state-codes.ts), and every version that
// was ever stored keeps its reader here.
import {
  ASK_CODES,
  AUTHOR_KIND_BASE,
  AUTHOR_KIND_CODES,
  CAUSE_CODES,
  CAUSE_CODES_V1,
  MODE_CODES,
  NOTCH_BASE,
  NOTCH_CODES,
  RUNG_CODES,
} from './state-codes.ts';
import { type Packed, Packer, Unpacker, idOrNone, orNone, packedOf } from './state-packing.ts';
import {
  type Addressed,
  type AgentState,
  type AttentionState,
  type LoopPair,
  type LoopState,
  STATE_LIMITS,
  STATE_VERSION,
  type Speaker,
  minuteOf,
} from './state.ts';

/** Larger than this is a bug: every list has a limit. A property test holds it against hostile input. */
export const STATE_MAX_BYTES = 6_144;

/** Written by a newer Earshot: an older one must neither fold it nor write over it. */
export class NewerState extends Error {
  constructor(what: string, version: number, known: number) {
    super(
      `${what} has version ${version}, this Earshot reads up to ${known}: ` +
        'start the Earshot that wrote it, or a newer one',
    );
    this.name = 'NewerState';
  }
}

/** One reader for each version. The next version adds one and keeps the others. */
const READERS: Readonly<Record<number, (packed: Packed) => AttentionState>> = {
  // Version 1 watched the room as a whole: what it counted says nothing about a pair, so every pair begins anew.
  1: (packed) => readState(packed, { ...VERSION_2, loop: unpackLoopV1 }),
  // Version 2 knew nothing of the scorer: it begins to remember with the next record that names one.
  2: (packed) => readState(packed, VERSION_2),
  // Version 3 had no dial in the chat.
  3: (packed) => readState(packed, { ...VERSION_4, dial: () => null }),
  4: (packed) => readState(packed, VERSION_4),
};

/** The parts in which versions differ. */
interface VersionReader {
  loop: (from: Unpacker, at: number) => LoopState;
  speaker: (from: Unpacker, at: number, n: number) => Speaker;
  lines: (from: Unpacker) => Pick<AttentionState, 'lines' | 'pace'>;
  dial: (from: Unpacker) => AgentState['dial'];
}

const VERSION_4: VersionReader = {
  loop: unpackLoop,
  speaker: unpackHabits,
  lines: unpackLines,
  dial: unpackDial,
};
const VERSION_2: VersionReader = {
  loop: unpackLoop,
  speaker: unpackSpeaker,
  lines: () => ({ lines: [], pace: 0 }),
  dial: () => null,
};

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
    to.number(orNone(MODE_CODES, agent.mode, agent.disengaged));
    to.since(n, agent.spokeN);
    to.since(at, agent.batchAt);
    packDial(to, agent.dial);
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
  packLines(to, state);
  packMembership(to, state);
  packRoot(to, state);
  const [keys, names, numbers] = to.packed();
  // The numbers are half of it and need no escapes.
  return `[${state.v},${JSON.stringify(keys)},${JSON.stringify(names)},"${numbers}"]`;
}

/** Throws NewerState for a newer version, another error for what cannot be read. It never guesses. */
export function decodeState(stored: string): AttentionState {
  const parts: unknown = JSON.parse(stored);
  const version: unknown = Array.isArray(parts) ? parts[0] : undefined;
  if (typeof version === 'number' && version > STATE_VERSION)
    throw new NewerState('attention state', version, STATE_VERSION);
  const read = typeof version === 'number' ? READERS[version] : undefined;
  if (read === undefined) throw new Error('attention state has no version: its stored form is damaged');
  return read(packedOf(parts as unknown[]));
}

function readState(packed: Packed, version: VersionReader): AttentionState {
  const from = new Unpacker(packed);
  const [at, seq, since, n, humans, atMin] = from.numbers(6);
  const speakers = from.list(() => version.speaker(from, at, n));
  const last = from.key();
  const agents = from.list(() => {
    const key = from.key();
    const bits = from.count();
    return {
      key,
      mode: idOrNone(MODE_CODES, bits),
      spokeN: from.since(n),
      disengaged: bits % 2 === 1,
      batchAt: from.since(at),
      dial: version.dial(from),
    };
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
  const loop = version.loop(from, at);
  const { lines, pace } = version.lines(from);
  const [membership = null] = from.list(() => {
    const [readHumans, readAgents] = from.numbers(2);
    return { humans: readHumans, agents: readAgents, complete: from.flag(), at: at - from.number() };
  });
  const [root = null] = from.list(() => ({
    key: from.key(),
    author: from.key(),
    mentions: from.list(() => from.key()),
    othersSpoke: from.flag(),
  }));
  from.end();
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
    lines,
    pace,
    root,
  };
}

/** 0 is no notch of its own. */
function packDial(to: Packer, dial: AgentState['dial']): void {
  to.number(dial === null ? 0 : 1 + NOTCH_CODES.codes[dial.notch] + NOTCH_BASE * dial.from);
}

function unpackDial(from: Unpacker): AgentState['dial'] {
  const digits = from.count();
  if (digits === 0) return null;
  const notch = NOTCH_CODES.idOf((digits % NOTCH_BASE) - 1);
  return { notch, from: Math.floor(digits / NOTCH_BASE) };
}

function packSpeaker(to: Packer, speaker: Speaker, { at, n }: AttentionState): void {
  const paired = speaker.partner !== '' || speaker.partnerN !== 0 || speaker.partnerAtMin !== 0;
  to.key(speaker.key);
  to.name(speaker.name);
  const scored = speaker.said !== 0 || speaker.called !== 0 || speaker.askedN !== 0 || speaker.words !== '';
  const flags = (speaker.spokeLast ? 1 : 0) + (paired ? 2 : 0) + (scored ? 4 : 0);
  to.number(AUTHOR_KIND_CODES.codes[speaker.kind] + AUTHOR_KIND_BASE * flags);
  to.number(minuteOf(at) - speaker.atMin);
  if (paired) {
    to.key(speaker.partner);
    to.number(n - speaker.partnerN);
    to.number(minuteOf(at) - speaker.partnerAtMin);
  }
  if (!scored) return;
  to.number(speaker.said);
  to.number(speaker.called);
  to.since(n, speaker.askedN);
  to.name(speaker.words);
}

function unpackSpeaker(from: Unpacker, at: number, n: number): Speaker {
  return readSpeaker(from, at, n, 3);
}

function unpackHabits(from: Unpacker, at: number, n: number): Speaker {
  return readSpeaker(from, at, n, 7);
}

/** `most`: the flags that its version has. */
function readSpeaker(from: Unpacker, at: number, n: number, most: 3 | 7): Speaker {
  const key = from.key();
  const name = from.name();
  const bits = from.count();
  const flags = Math.floor(bits / AUTHOR_KIND_BASE);
  if (flags > most) throw new Error(`a speaker has flags ${flags}: the stored form is damaged`);
  const paired = flags % 4 >= 2;
  const scored = flags >= 4;
  return {
    key,
    kind: AUTHOR_KIND_CODES.idOf(bits % AUTHOR_KIND_BASE),
    name,
    atMin: minuteOf(at) - from.number(),
    partner: paired ? from.key() : '',
    spokeLast: flags % 2 === 1,
    partnerN: paired ? n - from.number() : 0,
    partnerAtMin: paired ? minuteOf(at) - from.number() : 0,
    said: scored ? from.count() : 0,
    called: scored ? from.count() : 0,
    askedN: scored ? from.since(n) : 0,
    words: scored ? from.name() : '',
  };
}

function packLines(to: Packer, { lines, pace }: AttentionState): void {
  to.number(pace);
  to.number(lines.length);
  for (const { author, to: target, form } of lines) {
    to.key(author);
    to.key(target);
    to.number(form);
  }
}

function unpackLines(from: Unpacker): Pick<AttentionState, 'lines' | 'pace'> {
  const pace = from.count();
  return { pace, lines: from.list(() => ({ author: from.key(), to: from.key(), form: from.count() })) };
}

function packAddressed(to: Packer, addressed: readonly Addressed[]): void {
  to.number(addressed.length);
  for (const { agent, rung } of addressed) {
    to.key(agent);
    to.number(RUNG_CODES.codes[rung]);
  }
}

function unpackAddressed(from: Unpacker): Addressed[] {
  return from.list(() => ({ agent: from.key(), rung: RUNG_CODES.idOf(from.count()) }));
}

function packKeys(to: Packer, keys: readonly string[]): void {
  to.number(keys.length);
  for (const key of keys) to.key(key);
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

// The loop guard. Version 2 keeps pairs of agents. Version 1 kept counts of the whole room: only those that the preset
// `typeclaw` still uses are read.

/** Small numbers of a pair, packed into one: each is less than its base. */
const LAST_BASE = 3; // 0 nobody, 1 the first, 2 the second
const OPEN_BASE = 4;
const ASK_BASE = 4;

function packLoop(to: Packer, { loop, at }: AttentionState): void {
  to.number(loop.pairs.length);
  for (const pair of loop.pairs) {
    to.key(pair.a);
    to.key(pair.b);
    to.number(bitsOf(pair));
    to.number(minuteOf(at) - pair.atMin);
    to.number(pair.count);
    to.number(pair.passed);
    to.name(`${pair.asked} ${pair.figures} ${pair.about}`);
  }
  to.number(loop.peers.count);
  to.since(at, loop.peers.humanAt);
  let later = secondOf(at);
  to.number(loop.peers.at.length);
  for (const turn of loop.peers.at) {
    to.number(later - turn);
    later = turn;
  }
}

function bitsOf({ a, last, openA, openB, ask, stopped }: LoopPair): number {
  const cause = stopped === null ? 0 : CAUSE_CODES.codes[stopped] + 1;
  const spoke = last === '' ? 0 : last === a ? 1 : 2;
  return (
    spoke + LAST_BASE * (openA + OPEN_BASE * (openB + OPEN_BASE * (ASK_CODES.codes[ask] + ASK_BASE * cause)))
  );
}

function unpackLoop(from: Unpacker, at: number): LoopState {
  const pairs = from.list(() => unpackPair(from, at));
  const count = from.number();
  const humanAt = from.since(at);
  let later = secondOf(at);
  const turns = from.list(() => (later -= from.number()));
  return { pairs, peers: { count, humanAt, at: turns } };
}

function unpackPair(from: Unpacker, at: number): LoopPair {
  const a = from.key();
  const b = from.key();
  let bits = from.count();
  const next = (base: number): number => {
    const digit = bits % base;
    bits = Math.floor(bits / base);
    return digit;
  };
  const last = ['', a, b][next(LAST_BASE)] ?? '';
  const [openA, openB] = [next(OPEN_BASE), next(OPEN_BASE)];
  const ask = ASK_CODES.idOf(next(ASK_BASE));
  const stopped = bits === 0 ? null : CAUSE_CODES.idOf(bits - 1);
  const atMin = minuteOf(at) - from.number();
  const [count, passed] = from.numbers(2);
  const [asked, figures, about, ...more] = from.name().split(' ');
  if (asked === undefined || figures === undefined || about === undefined || more.length > 0)
    throw new Error('a pair of agents lacks what it asked: its stored form is damaged');
  return { a, b, last, atMin, openA, openB, ask, count, passed, stopped, asked, figures, about };
}

function unpackLoopV1(from: Unpacker, at: number): LoopState {
  const count = from.number();
  idOrNone(CAUSE_CODES_V1, from.count()); // throws for a code that stands for nothing
  const humanAt = from.since(at);
  let later = secondOf(at);
  const turns = from.list(() => {
    later -= from.number();
    from.number(); // the pair, as a hash
    return later;
  });
  from.list(() => from.number()); // signatures of texts
  return { pairs: [], peers: { count, humanAt, at: turns.slice(0, STATE_LIMITS.peerTurns) } };
}

function secondOf(at: number): number {
  return Math.floor(at / 1_000);
}
