// The features of a line and one candidate for whom it may be: whole numbers, from the state before the line and the
// line itself. Candidates are agents and people alike. What does not depend on the candidate is worked out once.
import type { LiveExchange } from '../participants.ts';
import type { RosterAgent } from '../roster.ts';
import { type AttentionState, MINUTE_MS, type Speaker, findSpeaker } from '../state.ts';
import { FEATURE, FEATURE_COUNT } from './feature-names.ts';
import { LINE_FORM, type ReadLine } from './line.ts';
import { likeness } from './name-likeness.ts';
import { Distinct } from './distinct.ts';
import { LONG_AGO, NEVER, has, relative } from './scales.ts';
import { type Overlap, overlaps, rarityOf } from './words.ts';
import { lineFeatures } from './line-features.ts';

const MOST_CHARS = 400;
const MOST_RARITY = 30;

/** What is the same for every candidate. */
export interface Scene {
  state: AttentionState;
  author: string;
  at: number;
  read: ReadLine;
  live: LiveExchange | undefined;
  speaker: Speaker | undefined;
  head: string | undefined;
  /** The agents and speakers whose names are in the line, wherever. */
  named: readonly string[];
  /** How rare its words are. */
  rarity: number;
  /** How much of the line is in the last lines of speakers (words.ts). */
  overlap: readonly Overlap[];
  /** By the place of each feature. */
  common: readonly number[];
}

export interface SceneOf {
  state: AttentionState;
  author: string;
  at: number;
  read: ReadLine;
  live: LiveExchange | undefined;
  agents: readonly Pick<RosterAgent, 'key' | 'names'>[];
}

const NO_FEATURES: readonly number[] = Array.from({ length: FEATURE_COUNT }, () => 0);

export function sceneOf({ state, author, at, read, live, agents }: SceneOf): Scene {
  const speaker = findSpeaker(state, author);
  const rarity = rarityOf(read.codes);
  return {
    state,
    author,
    at,
    read,
    live,
    speaker,
    head: read.head(),
    rarity,
    overlap: overlaps(read.codes, state.speakers),
    named: namedIn(read, state, agents),
    common: commonFeatures(state, author, at, read, rarity, speaker),
  };
}

function commonFeatures(
  state: AttentionState,
  author: string,
  at: number,
  read: ReadLine,
  rarity: number,
  speaker: Speaker | undefined,
): number[] {
  const to = NO_FEATURES.slice();
  const { form } = read;
  for (let i = 0; i < FORM_BITS.length; i++) {
    if ((form & (FORM_BITS[i] ?? 0)) !== 0) to[FORM_PLACES[i] ?? 0] = 1;
  }
  to[FEATURE.words] = Math.min(read.words, 40);
  to[FEATURE.toldWords] = Math.min(read.codes.length, 12);
  to[FEATURE.chars] = Math.min(read.chars, MOST_CHARS) >> 2;
  to[FEATURE.rareAll] = Math.min(rarity, 2 * MOST_RARITY);
  to[FEATURE.habit] = share(speaker?.called ?? 0, speaker?.said ?? 0);
  to[FEATURE.said] = speaker?.said ?? 0;
  to[FEATURE.ownAskedAgo] = openAgo(speaker, state.n);
  const before = state.recent[0]?.at;
  to[FEATURE.gap] = before === undefined ? LONG_AGO : relative(at - before, state.pace);
  to[FEATURE.since] = speaker === undefined ? LONG_AGO : relative(at - speaker.atMin * MINUTE_MS, state.pace);
  roomLines(to, state, author);
  return to;
}

/** Of the last lines, so many say who is here. */
const PRESENT_LINES = 20;

// One for all lines: they are filled and counted without waiting.
const present = new Distinct();
const targets = new Distinct();

/** What the author did last, how many take part, and how the room names. */
function roomLines(to: number[], { lines }: AttentionState, author: string): void {
  let own = 0;
  let first = NEVER;
  let span = 0;
  let explicit = 0;
  let open = 0;
  present.clear();
  targets.clear();
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    if (line === undefined) break;
    explicit += has(line, LINE_FORM.explicit);
    if (line.to === '') open++;
    if (i < PRESENT_LINES) present.add(line.author);
    if (line.author !== author) continue;
    own++;
    span = i + 1;
    if (own === 1) {
      first = i + 1;
      to[FEATURE.ownAsked] = has(line, LINE_FORM.asks);
      to[FEATURE.ownExplicit] = has(line, LINE_FORM.explicit);
    }
    if (line.to !== '') targets.add(line.to);
  }
  to[FEATURE.ownAgo] = first;
  to[FEATURE.ownLines] = own;
  to[FEATURE.ownTargets] = targets.count;
  to[FEATURE.present] = present.count;
  to[FEATURE.ownSpan] = span;
  to[FEATURE.roomExplicit] = explicit;
  to[FEATURE.roomOpen] = open;
}

const FORM_FEATURES: readonly (readonly [place: number, bit: number])[] = [
  [FEATURE.asks, LINE_FORM.asks],
  [FEATURE.marked, LINE_FORM.marked],
  [FEATURE.you, LINE_FORM.you],
  [FEATURE.anybody, LINE_FORM.anybody],
  [FEATURE.thanks, LINE_FORM.thanks],
  [FEATURE.yesOrNo, LINE_FORM.yesOrNo],
  [FEATURE.acknowledges, LINE_FORM.acknowledges],
  [FEATURE.laughs, LINE_FORM.laughs],
  [FEATURE.greets, LINE_FORM.greets],
  [FEATURE.myself, LINE_FORM.myself],
  [FEATURE.link, LINE_FORM.link],
  [FEATURE.goesOn, LINE_FORM.goesOn],
  [FEATURE.tells, LINE_FORM.tells],
  [FEATURE.trailsOff, LINE_FORM.trailsOff],
  [FEATURE.ends, LINE_FORM.ends],
  [FEATURE.command, LINE_FORM.command],
];

const FORM_PLACES = FORM_FEATURES.map(([place]) => place);
const FORM_BITS = FORM_FEATURES.map(([, bit]) => bit);

/** How many lines ago they asked the room something. */
function openAgo(speaker: Speaker | undefined, n: number): number {
  return speaker === undefined || speaker.askedN === 0 ? NEVER : Math.min(NEVER, n - speaker.askedN + 1);
}

/** A share in sixteenths; 5 of 16 as long as nothing is known. */
function share(part: number, whole: number): number {
  return whole < 2 ? 5 : Math.floor((16 * part) / whole);
}

/** Whether the scorer has anything to say about a candidate: it was heard or spoken to lately. */
export function isCandidate({ state, live, speaker }: Scene, key: string): boolean {
  if (live?.partner === key || speaker?.partner === key) return true;
  for (const { author, to } of state.lines) if (author === key || to === key) return true;
  return false;
}

export function featuresOf(scene: Scene, key: string, names: readonly string[]): number[] {
  const to = scene.common.slice();
  const { state } = scene;
  const place = placeOf(state, key);
  const other = state.speakers[place];
  exchangeFeatures(to, scene, key, other);
  lineFeatures(to, state, scene.author, key, other);
  sharedFeatures(to, scene, place);
  to[FEATURE.theirTime] =
    other === undefined ? LONG_AGO : relative(scene.at - other.atMin * MINUTE_MS, state.pace);
  if (scene.head !== undefined) nameFeatures(to, scene, scene.head, key, names);
  to[FEATURE.namesOther] = othersNamed(scene, key);
  return to;
}

/** Among the speakers. -1: they have not spoken. */
function placeOf({ speakers }: AttentionState, key: string): number {
  for (let i = 0; i < speakers.length; i++) if (speakers[i]?.key === key) return i;
  return -1;
}

/** Who is whose partner, by the exchange table. */
function exchangeFeatures(
  to: number[],
  { state, author, at, live, speaker }: Scene,
  key: string,
  other: Speaker | undefined,
): void {
  const mine = live?.partner === key;
  to[FEATURE.rule] = live === undefined ? 0 : mine ? (live.turn === 'owes' ? 2 : 1) : -1;
  to[FEATURE.ruleAgo] = mine ? Math.min(live.ago, NEVER) : NEVER;
  const paired = speaker !== undefined && speaker.partner !== '';
  const ago = paired ? Math.min(NEVER, state.n - speaker.partnerN) : NEVER;
  const isPartner = paired && speaker.partner === key;
  to[FEATURE.partnerAgo] = isPartner ? ago : NEVER;
  to[FEATURE.owes] = isPartner ? (speaker.spokeLast ? 1 : 2) : 0;
  to[FEATURE.otherAgo] = paired && !isPartner ? ago : NEVER;
  to[FEATURE.otherOwes] = paired && !isPartner ? (speaker.spokeLast ? 1 : 2) : 0;
  to[FEATURE.partnerSince] = isPartner
    ? relative(at - speaker.partnerAtMin * MINUTE_MS, state.pace)
    : LONG_AGO;
  const theirs = other !== undefined && other.partner !== '';
  to[FEATURE.theirPartner] = theirs ? (other.partner === author ? 1 : -1) : 0;
  to[FEATURE.theirAgo] = theirs ? Math.min(NEVER, state.n - other.partnerN) : NEVER;
  to[FEATURE.theyAsked] = openAgo(other, state.n);
  to[FEATURE.theirHabit] = share(other?.called ?? 0, other?.said ?? 0);
  let open = NEVER;
  const { speakers, n } = state;
  for (let i = 0; i < speakers.length; i++) {
    const one = speakers[i];
    if (one === undefined || one.askedN === 0 || one === other || one === speaker) continue;
    open = Math.min(open, n - one.askedN + 1);
  }
  to[FEATURE.otherAsked] = open;
}

const MOST_SHARED = 12;

/**
 * What the line shares with the last lines of the candidate, of the author, and of whoever shares most beside them: by
 * words, and by how rare they are.
 */
function sharedFeatures(to: number[], { state, speaker, overlap, rarity: all }: Scene, other: number): void {
  let theirs = 0;
  let own = 0;
  let most = 0;
  let rare = 0;
  let newest = 0;
  let ownRare = 0;
  let mostRare = 0;
  for (const shared of overlap) {
    if (shared.place === other) {
      theirs = shared.weight;
      rare = shared.rarity;
      newest = shared.newest;
    } else if (state.speakers[shared.place] === speaker) {
      own = shared.weight;
      ownRare = shared.rarity;
    } else {
      most = Math.max(most, shared.weight);
      mostRare = Math.max(mostRare, shared.rarity);
    }
  }
  to[FEATURE.shared] = Math.min(theirs, MOST_SHARED);
  to[FEATURE.sharedOwn] = Math.min(own, MOST_SHARED);
  to[FEATURE.sharedOther] = Math.min(most, MOST_SHARED);
  to[FEATURE.sharedMore] = Math.max(-MOST_SHARED, Math.min(MOST_SHARED, theirs - most));
  to[FEATURE.sharedRare] = Math.min(rare, MOST_RARITY);
  to[FEATURE.rareNew] = Math.min(newest, MOST_RARITY);
  to[FEATURE.rareShare] = all === 0 ? 0 : Math.floor((16 * rare) / all);
  to[FEATURE.ownRare] = Math.min(ownRare, MOST_RARITY);
  to[FEATURE.otherRare] = Math.min(mostRare, MOST_RARITY);
  to[FEATURE.rareMore] = Math.max(-MOST_RARITY, Math.min(MOST_RARITY, rare - mostRare));
}

/** A first word with a mark that is no name here: is it nearly the candidate's, or somebody else's? */
function nameFeatures(
  to: number[],
  { state, author }: Scene,
  head: string,
  key: string,
  names: readonly string[],
): void {
  to[FEATURE.head] = 1;
  for (const name of names)
    to[FEATURE.headTheirs] = Math.max(to[FEATURE.headTheirs] ?? 0, likeness(head, name));
  for (const { key: who, name } of state.speakers) {
    if (name === '' || who === author) continue;
    const place = who === key ? FEATURE.headTheirs : FEATURE.headOther;
    to[place] = Math.max(to[place] ?? 0, likeness(head, name));
  }
}

/** Shorter names are too often words. */
const NAME_CHARS = 4;

function namedIn(read: ReadLine, { speakers }: AttentionState, agents: SceneOf['agents']): readonly string[] {
  const plain = read.plain();
  const signs = signsOf(plain);
  const isIn = (name: string): boolean => {
    if (name.length < NAME_CHARS) return false;
    if (((signAt(name, 0) | signAt(name, name.length - 1)) & ~signs) !== 0) return false;
    // Most names are not even in the text, and that is sooner seen.
    return plain.includes(name) && read.said().includes(name);
  };
  const found: string[] = [];
  for (let i = 0; i < speakers.length; i++) {
    const speaker = speakers[i];
    if (speaker !== undefined && isIn(speaker.name)) found.push(speaker.key);
  }
  for (let i = 0; i < agents.length; i++) {
    const agent = agents[i];
    if (agent?.names.some(isIn) === true) found.push(agent.key);
  }
  return found;
}

/** The signs of a text, as bits. Two signs may share one. */
function signsOf(text: string): number {
  let signs = 0;
  for (let at = 0; at < text.length; at++) signs |= signAt(text, at);
  return signs;
}

const SIGNS = 31;
const signAt = (text: string, at: number): number => 1 << (text.charCodeAt(at) & SIGNS);

/** Each counts: "Jane is on it, Tom reviews". More than two say no more. */
const MOST_NAMED = 2;

/** "it goes to Jane": how many others are in the line. */
function othersNamed({ author, named }: Scene, key: string): number {
  if (named.length === 0) return 0;
  const others = new Set(named.filter((who) => who !== key && who !== author));
  return Math.min(MOST_NAMED, others.size);
}
