// Random rooms, with the truth about every line: whom it was said to, as its author meant it. People and agents, tags,
// names, native replies, roles, broadcasts, fragments and edits. Every text holds a word of its own, so that it can be
// found wherever it ends up.
import type { Random } from '../../src/runtime/random.ts';

export const PEOPLE = ['ada', 'bob', 'cyn'] as const;
export const AGENTS = ['lead', 'builder', 'scout'] as const;
/** The holders of the role `ops`. */
const OPS: readonly string[] = ['builder', 'scout'];

export interface Line {
  /** From the beginning of the room. */
  atMs: number;
  id: string;
  by: string;
  text: string;
  /** Unique to this line. */
  word: string;
  more: Record<string, unknown>;
  /** The line of the same author that it goes on with, without a pause. */
  goesOn?: string;
  /** The line that it edits. */
  edits?: string;
  /** Whom it was said to. Empty: nobody. */
  to: readonly string[];
}

const SECOND = 1_000;
/** Long enough after the line before to begin something new. */
const PAUSES = [3, 5, 8, 12, 20, 45].map((seconds) => seconds * SECOND);
/** Short enough to go on with it. */
const QUICK_MS = SECOND;

export function randomRoom(random: Random, name: string, lines: number): Line[] {
  const said: Line[] = [];
  for (let index = 0; index < lines; index++) said.push(nextLine(random, name, index, said));
  return said;
}

function nextLine(random: Random, room: string, index: number, said: readonly Line[]): Line {
  const word = `w${room}x${index}z`;
  const last = said.at(-1);
  const base = { id: `${room}-${index}`, word, more: {} };
  if (last !== undefined && last.edits === undefined && chance(random, 0.25)) {
    // A fragment: the same author goes on without a pause, to whomever the line before was said.
    return {
      ...base,
      by: last.by,
      atMs: last.atMs + QUICK_MS,
      text: `and also ${word}`,
      to: last.to,
      goesOn: last.id,
    };
  }
  const by = pick(random, PEOPLE);
  const atMs = (last?.atMs ?? 0) + pick(random, PAUSES);
  const mine = said.filter((line) => line.by === by && line.edits === undefined && line.to.length === 0);
  if (mine.length > 0 && chance(random, 0.08)) {
    const edited = pick(random, mine);
    return { ...base, by, atMs, edits: edited.id, text: `@builder please see to ${word}`, to: ['builder'] };
  }
  return { ...base, by, atMs, ...addressed(random, by, word, said) };
}

type Addressed = Pick<Line, 'text' | 'to'> & { more?: Record<string, unknown> };

function addressed(random: Random, by: string, word: string, said: readonly Line[]): Addressed {
  const ways: (() => Addressed | undefined)[] = [
    () => ({ text: `we should look at ${word} some day`, to: [] }),
    () => ({ text: `${word} is odd`, to: [] }),
    () => tagged(pick(random, AGENTS), word),
    () => tagged('lead', word),
    () => toPerson(random, by, word),
    () => called(pick(random, AGENTS), word),
    () => calledPerson(random, by, word, said),
    () => reply(random, by, word, said),
    () => ({ text: `@ops please check ${word}`, to: OPS }),
    () => ({ text: `@here news about ${word}`, to: ['everybody'] }),
    () => ({ text: `@lead @builder what about ${word}?`, to: ['lead', 'builder'] }),
  ];
  for (;;) {
    const found = pick(random, ways)();
    if (found !== undefined) return found;
  }
}

function tagged(agent: string, word: string): Addressed {
  return { text: `@${agent} what about ${word}?`, to: [agent] };
}

function toPerson(random: Random, by: string, word: string): Addressed {
  const person = pick(
    random,
    PEOPLE.filter((one) => one !== by),
  );
  const mentions = [{ kind: 'human', id: person }];
  return { text: `@${person} could you take ${word}?`, more: { mentions }, to: [person] };
}

function called(agent: string, word: string): Addressed {
  return { text: `${agent}, can you check ${word}?`, to: [agent] };
}

/** The host knows the names of those who have spoken. */
function calledPerson(
  random: Random,
  by: string,
  word: string,
  said: readonly Line[],
): Addressed | undefined {
  const others = PEOPLE.filter((one) => one !== by && said.some((line) => line.by === one));
  if (others.length === 0) return undefined;
  const person = pick(random, others);
  return { text: `${person}, can you check ${word}?`, to: [person] };
}

function reply(random: Random, by: string, word: string, said: readonly Line[]): Addressed | undefined {
  const others = said.slice(-6).filter((line) => line.by !== by && line.edits === undefined);
  if (others.length === 0) return undefined;
  const { id, by: author } = pick(random, others);
  return { text: `that is because of ${word}`, more: { replyTo: { eventId: id } }, to: [author] };
}

/** Whether the agent may find the line inside its message. */
export function isFor({ to }: Line, agent: string): boolean {
  return to.length === 0 || to.includes(agent) || to.includes('everybody');
}

function pick<T>(random: Random, from: readonly T[]): T {
  const found = from[Math.floor(random.next() * from.length)];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
}

function chance(random: Random, share: number): boolean {
  return random.next() < share;
}
