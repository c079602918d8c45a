// People who write to agents, through whatever node answers, and a source that shows what agents send. Whoever gets no
// answer asks again under the same id.
import { setTimeout as rest } from 'node:timers/promises';
import type { Random } from '../../../src/runtime/random.ts';
import type { Caller } from './calls.ts';

/** Answer whatever they are asked, over a session. */
export const AGENTS = ['lead', 'builder', 'reviewer'] as const;
/** Have a role, and claim what nobody in particular was asked. */
export const ROLE = 'ops';
export const RACERS = ['early', 'late', 'night'] as const;

export class People {
  /** Event ids that a node has acknowledged. Each wants one answer. */
  readonly acknowledged = new Set<string>();
  /** By idempotency key, what was shown. */
  readonly shown = new Map<string, string>();
  readonly #caller: Caller;
  readonly #random: Random;
  #count = 0;
  #isOver = false;
  #shows = true;
  #hurries = true;

  constructor(caller: Caller, random: Random) {
    this.#caller = caller;
    this.#random = random;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** One person: writes, waits for the acknowledgement, writes again. */
  async talk(conversations: number, pauseMs: number): Promise<void> {
    while (!this.#isOver) {
      const agent = AGENTS[this.#count % AGENTS.length] ?? AGENTS[0];
      await this.unhurried();
      await this.say(this.room(conversations), (number) => `@${agent} question ${number}, please.`);
      await rest(pauseMs);
    }
  }

  /** False: they wait with the next question. */
  hurry(hurries: boolean): void {
    this.#hurries = hurries;
  }

  /** Resolves when the next question may be asked. */
  async unhurried(): Promise<void> {
    while (!this.#hurries && !this.#isOver) await rest(50);
  }

  room(conversations: number): string {
    return `room-${Math.floor(this.#random.next() * conversations)}`;
  }

  /** Resolves with the id of the event once a node has acknowledged it. */
  async say(room: string, words: (number: number) => string): Promise<string> {
    const number = ++this.#count;
    const event = {
      eventId: `chaos-${number}`,
      at: new Date(1_780_000_000_000 + number).toISOString(),
      platform: 'dev',
      workspaceId: 'local',
      conversation: { id: room, kind: 'channel' },
      author: { id: `person-${number}`, kind: 'human', displayName: `Person ${number}` },
      type: 'message',
      text: words(number),
    };
    for (;;) {
      const answer = await this.#caller.call('POST', '/v1/events', event);
      if (answer?.ok === true && everyAccepted(answer.body)) break;
      await rest(50);
    }
    this.acknowledged.add(event.eventId);
    return event.eventId;
  }

  /** The source: shows what is new, once for each key, and says so. */
  async show(): Promise<void> {
    while (!this.#isOver || this.#shows) {
      const answer = await this.#caller.call('GET', '/v1/outbox?limit=100');
      const messages = (answer?.body as { messages?: Shown[] } | undefined)?.messages ?? [];
      await Promise.all(
        messages.map(({ idempotencyKey: key, text = '' }) => {
          this.shown.set(key, text);
          return this.#caller.call('POST', '/v1/outbox/ack', { key, platformId: `p-${key}` });
        }),
      );
      await rest(100);
    }
  }

  quiet(): void {
    this.#isOver = true;
  }

  stopShowing(): void {
    this.#shows = false;
  }
}

const ANSWER = 'Answer to ';

export function answerTo(eventIds: readonly string[]): string {
  return `${ANSWER}${eventIds.join(' ')}`;
}

/** The events that were answered, one entry for each answer that people saw. */
export function answeredIn(texts: Iterable<string>): string[] {
  return [...texts].flatMap((text) =>
    text.startsWith(ANSWER) ? text.slice(ANSWER.length).split(/\s+/) : [],
  );
}

interface Shown {
  idempotencyKey: string;
  text?: string;
}

/** A batch of one is stored when its event is. */
function everyAccepted(answer: unknown): boolean {
  const { events } = answer as { events?: { status: string }[] };
  return events === undefined || events.every(({ status }) => status !== 'refused');
}
