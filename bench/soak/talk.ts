// What people say in a soak: many rooms, each with its regulars. Most of it is small talk; some of it names an agent, and
// some of it edits or reacts to what was said before.
import type { Random } from '../../src/runtime/random.ts';
import { LINES } from '../load.ts';

const ROOMS = 200;
const REGULARS = 10;
const SHARES = { mention: 0.05, edit: 0.06, reaction: 0.06 } as const;
const SIGNALS = ['agree', 'seen', 'done'] as const;
const SMALL_TALK = [
  'the second run passed on my machine',
  'lunch was good today, the soup above all',
  'I will be back in ten minutes',
  'nobody knows why the old importer did that, but it did it for nine years',
];
/** Messages that can be edited or reacted to. */
const REMEMBERED = 400;

export interface Said {
  eventId: string;
  conversation: { id: string; kind: 'channel' };
  author: { id: string; kind: 'human'; displayName: string };
}
export type Spoken = Said & { type: string; [more: string]: unknown };

export class SoakTalk {
  readonly #random: Random;
  readonly #agents: readonly string[];
  readonly #recent: Said[] = [];
  #count = 0;

  constructor(random: Random, agents: readonly string[]) {
    this.#random = random;
    this.#agents = agents;
  }

  /** The next event, and which agent it names, if it names one. */
  next(): { event: Spoken; names: string | undefined } {
    const draw = this.#random.next();
    const old = this.#recent[this.#below(this.#recent.length)];
    if (draw < SHARES.mention) return this.#mention();
    if (old === undefined || draw > SHARES.mention + SHARES.edit + SHARES.reaction)
      return { event: this.#message(this.#pick(SMALL_TALK)), names: undefined };
    const about = { ...this.#base(old.conversation), targetEventId: old.eventId };
    if (draw < SHARES.mention + SHARES.edit) {
      const text = `${this.#pick(SMALL_TALK)} (mended)`;
      return { event: { ...about, author: old.author, type: 'edit', text }, names: undefined };
    }
    return { event: { ...about, type: 'reaction', signal: this.#pick(SIGNALS) }, names: undefined };
  }

  #mention(): { event: Spoken; names: string } {
    const names = this.#pick(this.#agents);
    const event = this.#message(`@${names} ${this.#pick(LINES)}`);
    return { event: { ...event, mentions: [{ kind: 'agent', id: names }] }, names };
  }

  #message(text: string): Spoken {
    const room = { id: `C${this.#below(ROOMS)}`, kind: 'channel' } as const;
    const event = { ...this.#base(room), type: 'message', text };
    if (this.#recent.length < REMEMBERED) this.#recent.push(event);
    else this.#recent[this.#below(REMEMBERED)] = event;
    return event;
  }

  #base(conversation: Said['conversation']) {
    const person = `${conversation.id}-${this.#below(REGULARS)}`;
    return {
      eventId: `soak-${this.#count++}`,
      at: Date.now(),
      platform: 'bench',
      workspaceId: 'w',
      conversation,
      author: { id: `U${person}`, kind: 'human', displayName: `Person ${person}` } as const,
    };
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#below(from.length)] as T;
  }

  #below(count: number): number {
    return Math.floor(this.#random.next() * count);
  }
}
