// Remembers how people write, by conversation and author, for compose windows and for answers that are ready early: it is
// handed over with a delivery, and the host's own windows use it too. Working memory: after a restart nobody is known, and everybody is
// waited for as usual. What other hosts of the store log is not counted here.
import { type Rhythm, noteAnswered, noteSaid } from '../../compose/index.ts';
import type { ChatEventOf } from '../../protocol/chat-event.ts';
import type { LogRow } from '../../store/tables.ts';
import type { HostBus } from './change.ts';

export interface Rhythms {
  /** How the author writes there. Undefined: nobody knows. */
  of(conversation: string, author: string): Rhythm | undefined;
}

export const RHYTHMS_LIMITS = {
  /** Conversations. The one with the oldest line is forgotten. */
  conversations: 500,
  /** Authors of one conversation. The one whose last line is the oldest is forgotten. */
  authors: 50,
} as const;

export function createRhythms(bus: Pick<HostBus, 'listen'>): Rhythms {
  const rooms = new Latest<Latest<Rhythm>>(RHYTHMS_LIMITS.conversations);
  bus.listen((news) => {
    if (news.type === 'logged') note(rooms, news.row);
  });
  return { of: (conversation, author) => rooms.get(conversation)?.get(author) };
}

function note(rooms: Latest<Latest<Rhythm>>, { conversation, author, record }: LogRow): void {
  const { event, at, facts } = record;
  if (event.type !== 'message' || facts.origin === 'backfill') return;
  if (event.author.kind === 'agent') answer(rooms.get(conversation), event.replyTo?.authorId);
  else if (event.author.kind === 'human') {
    const room = rooms.used(conversation, () => new Latest<Rhythm>(RHYTHMS_LIMITS.authors));
    room.change(author, (rhythm) => noteSaid(rhythm, at));
    answerSpokenTo(room, event);
  }
}

/** Whom a person answers or calls: what these say next is no addition to what they said before. */
function answerSpokenTo(room: Latest<Rhythm>, { author, replyTo, mentions }: ChatEventOf<'message'>): void {
  const answered = replyTo?.authorId;
  if (answered !== undefined && answered !== author.id) answer(room, answered);
  if (mentions === undefined) return;
  for (const { kind, id } of mentions) if (kind === 'human' && id !== author.id) answer(room, id);
}

/** An agent has spoken: what the one it answers says next is another thought. It may answer everybody. */
function answer(room: Latest<Rhythm> | undefined, whom: string | undefined): void {
  room?.each((rhythm, author) =>
    whom === undefined || author === `human:${whom}` ? noteAnswered(rhythm) : rhythm,
  );
}

/**
 * Keeps so many values. Where one is too many, the one is forgotten that was set or used the longest ago. It is looked for
 * then: to keep them in order would remove and add a key of a Map for every message, which takes a dozen times as long.
 */
export class Latest<V> {
  readonly #limit: number;
  readonly #entries = new Map<string, { value: V; turn: number }>();
  #turn = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key)?.value;
  }

  /** Sets what is made of the value that it had. It now is the latest. */
  change(key: string, to: (value: V | undefined) => V): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) this.#add(key, to(undefined));
    else {
      entry.value = to(entry.value);
      entry.turn = ++this.#turn;
    }
  }

  /** The value of this key, which now is the latest. */
  used(key: string, make: () => V): V {
    const entry = this.#entries.get(key);
    if (entry === undefined) return this.#add(key, make());
    entry.turn = ++this.#turn;
    return entry.value;
  }

  /** Changes values. None becomes later by that. */
  each(change: (value: V, key: string) => V): void {
    for (const [key, entry] of this.#entries) entry.value = change(entry.value, key);
  }

  #add(key: string, value: V): V {
    if (this.#entries.size >= this.#limit) this.#forgetOldest();
    this.#entries.set(key, { value, turn: ++this.#turn });
    return value;
  }

  #forgetOldest(): void {
    let oldest: string | undefined;
    let first = Number.POSITIVE_INFINITY;
    for (const [key, { turn }] of this.#entries) {
      if (turn >= first) continue;
      oldest = key;
      first = turn;
    }
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
