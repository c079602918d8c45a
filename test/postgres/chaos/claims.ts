// Agents that race for work: what a role is asked, and what nobody in particular is. All claim at once, through whatever
// node answers, each until it hears yes or no. The winner answers under the token of its claim. Now and then it falls
// asleep instead: its claim runs out, another takes over, and what the sleeper sends on waking must be refused.
import { setTimeout as rest } from 'node:timers/promises';
import type { Random } from '../../../src/runtime/random.ts';
import type { Caller } from './calls.ts';
import { answerTo, type People, RACERS, ROLE } from './people.ts';
import type { LogEntry } from '../../../src/protocol/operator-api.ts';

/** Nothing in a run takes so long, so a claim that is worked on does not run out. */
const LONG_MS = 3_600_000;
/** Of one who falls asleep. */
const SHORT_MS = 1_500;
const ASLEEP = 0.3;
const PAUSE_MS = 250;

type Racer = (typeof RACERS)[number];

interface Asked {
  room: string;
  event: string;
}

/** As a host told it. */
export interface Grant extends Asked {
  agent: Racer;
  token: number;
  until: number;
}

export class Claims {
  readonly granted: Grant[] = [];
  /** Answers to claims that said no. */
  refused = 0;
  /** Sends of sleepers, which were refused. */
  late = 0;
  readonly problems: string[] = [];
  readonly #people: People;
  readonly #callers: ReadonlyMap<Racer, Caller>;
  readonly #random: Random;

  constructor(people: People, callerOf: (agent: string) => Caller, random: Random) {
    this.#people = people;
    this.#callers = new Map(RACERS.map((racer) => [racer, callerOf(racer)]));
    this.#random = random;
  }

  /** One race after another. */
  async race(conversations: number): Promise<void> {
    while (!this.#people.isOver) {
      await this.#people.unhurried();
      const isForRole = this.#random.next() < 0.5;
      const room = this.#people.room(conversations);
      const event = await this.#people.say(room, (number) =>
        isForRole ? `@${ROLE} question ${number}, please.` : `Could somebody look at number ${number}?`,
      );
      await this.#run({ room, event });
      await rest(PAUSE_MS);
    }
  }

  async #run(asked: Asked): Promise<void> {
    const asleep: Grant[] = [];
    for (;;) {
      const sleeps = asleep.length === 0 && this.#random.next() < ASLEEP;
      // Whoever sleeps does not claim again: that would only make its claim longer.
      const awake = RACERS.filter((racer) => asleep.every(({ agent }) => agent !== racer));
      const grants = await Promise.all(
        awake.map((racer) => this.#claim(racer, asked, sleeps ? SHORT_MS : LONG_MS)),
      );
      const [won] = grants.filter((grant) => grant !== undefined);
      if (won === undefined) {
        await rest(PAUSE_MS);
        continue;
      }
      if (sleeps) {
        asleep.push(won);
        continue;
      }
      // The token of a claim that has run out opens nothing, whoever holds the event now.
      for (const old of asleep) await this.#wake(old, won);
      const refusal = await this.#send(won);
      if (refusal !== undefined) this.problems.push(`${told(won)} could not answer: ${refusal}`);
      for (const old of asleep) await this.#wake(old, won);
      return;
    }
  }

  async #wake(old: Grant, now: Grant): Promise<void> {
    if (old.token === now.token) return;
    if ((await this.#send(old)) === undefined)
      this.problems.push(`${told(old)} answered after ${told(now)} had it`);
    else this.late++;
  }

  async #claim(agent: Racer, asked: Asked, ttlMs: number): Promise<Grant | undefined> {
    const outcome = await this.#call(agent, 'chat.claim', { inReplyTo: asked.event, ttlMs });
    if ('refusal' in outcome) {
      this.refused++;
      return undefined;
    }
    const { token, expiresAt } = outcome.result as { token: number; expiresAt: string };
    const grant = { ...asked, agent, token, until: Date.parse(expiresAt) };
    this.granted.push(grant);
    return grant;
  }

  /** The refusal, if any. */
  async #send({ agent, room, event, token }: Grant): Promise<string | undefined> {
    const outcome = await this.#call(agent, 'chat.send_message', {
      target: `channel:${room}`,
      text: answerTo([event]),
      inReplyTo: event,
      visibility: 'channel',
      directedness: 'ambient',
      idempotencyKey: `${event} ${agent} ${token}`,
      token,
    });
    return 'refusal' in outcome ? outcome.refusal : undefined;
  }

  /** Asks until somebody answers. The same call twice does no harm. */
  async #call(agent: Racer, name: string, args: unknown): Promise<{ result: unknown } | { refusal: string }> {
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    const caller = this.#callers.get(agent);
    for (;;) {
      const answer = (await caller?.call('POST', '/c2a', request))?.body as RpcAnswer | undefined;
      const said = answer?.result?.structuredContent;
      if (said !== undefined && answer?.result?.isError !== true) return { result: said };
      const why = (answer?.error ?? said)?.data?.name;
      if (why !== undefined && !PASSING.has(why)) {
        caller?.note(why);
        return { refusal: why };
      }
      await rest(50);
    }
  }
}

interface Refused {
  data?: { name?: string };
}
interface RpcAnswer {
  result?: { isError?: boolean; structuredContent?: Refused };
  error?: Refused;
}

/** Refusals that say nothing about the claim. */
const PASSING: ReadonlySet<string> = new Set(['unavailable', 'rate_limited', 'internal', 'not_found']);

function told({ agent, event, token }: Grant): string {
  return `${agent} with token ${token} on ${event}`;
}

type Logged = Pick<
  LogEntry,
  'seq' | 'at' | 'type' | 'author' | 'conversationKey' | 'op' | 'targetEventId' | 'replyTo'
>;

/** Two holders at one time, by what hosts answered and the log. */
export function twoHolders(
  granted: readonly Grant[],
  log: readonly (Logged & { eventId: string })[],
): string[] {
  const places = new Map(log.map((row) => [row.eventId, row.conversationKey]));
  const about = Map.groupBy(log, (row) => row.targetEventId ?? row.replyTo ?? '');
  const found: string[] = [];
  for (const [event, grants] of Map.groupBy(granted, (grant) => grant.event)) {
    const rows = (about.get(event) ?? []).filter((row) => row.conversationKey === places.get(event));
    const holds = [...Map.groupBy(grants, ({ token }) => token).values()].map((same) => ({
      ...(same[0] as Grant),
      agents: new Set(same.map(({ agent }) => agent)),
      until: Math.max(...same.map(({ until }) => until)),
      row: rows.find(({ seq, type }) => type === 'claim' && seq === same[0]?.token),
    }));
    holds.sort((a, b) => a.token - b.token);
    for (const [at, hold] of holds.entries()) {
      if (hold.agents.size > 1)
        found.push(`token ${hold.token} on ${event} was given to ${[...hold.agents].join(' and ')}`);
      if (hold.row?.author.id !== hold.agent) found.push(`${told(hold)} is not in the log`);
      const next = holds[at + 1];
      if (next?.row === undefined || hold.row === undefined) continue;
      const isOver = rows.some(
        ({ seq, type, op, author }) =>
          author.id === hold.agent &&
          seq > hold.token &&
          seq < next.token &&
          (type === 'message' || (type === 'claim' && op === 'release')),
      );
      if (!isOver && hold.until > Date.parse(next.row.at))
        found.push(`${told(next)} while ${told(hold)} held it`);
    }
  }
  return found;
}
