// kill -9 of the host at random moments of in and out, for any platform behind a surface: people go on writing while it is
// down, and for hours at times. Nothing that the platform holds is missing in the log, no answer is visible twice, every
// question is answered, and what became older than its deadline meanwhile is not answered as if it were new. Moments are
// drawn from one seed; a life lasts a number of happenings, not a time.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storeFile } from '../../../src/cli/data-dir.ts';
import { attentionSettingsSchema } from '../../../src/attention/index.ts';
import { detailOf } from '../../../src/host/delivery/delivery-row.ts';
import { hostStateCodec } from '../../../src/host/kernel/conversation.ts';
import { instantMs } from '../../../src/protocol/log-record.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { type Random, seededRandom } from '../../../src/runtime/random.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import type { Store } from '../../../src/store/store.ts';
import { Harness } from '../../crash/harness.ts';
import { Life } from '../../crash/lives.ts';
import { cases, SEED } from '../../long.ts';
import { until } from '../../wire/host.ts';
import type { FaultProxy } from '../fault-proxy.ts';
import { AT_LENGTH, LAST_LINE, longAnswer } from './long-answer.ts';
import type { Ready, ToChild } from './roles.ts';

export interface KillSubject {
  /** The surface's id. */
  surface: string;
  /** earshot.yaml, with one agent that is called `lead`. */
  config: string;
  /** Where its secrets are. */
  env: Record<string, string>;
  /** Between the surface and the platform. */
  proxy: FaultProxy;
  /** Something was told to the host, or the host has acknowledged something. */
  happened: () => void;
  /** The host is at this address. Undefined: it is gone. */
  reach(url: string | undefined): void;
  /** Somebody says something in one of the rooms; `asks`: it calls the agent. */
  say(text: string, asks: boolean, random: Random): Promise<Said>;
  /** Everything that people see there, in order. */
  held(): Promise<Held[]>;
}

export interface Said {
  /** Under which the log has it. */
  id: string;
  /** Resolves when the host has acknowledged it. Never, if nobody heard it. */
  heard: Promise<unknown>;
}

export interface Held {
  id: string;
  text: string;
  /** Of an agent's message: the key of the send. Of a part: with its number. */
  key?: string;
}

/** `now`: the platform's time. It jumps while the host is down for long. */
export type MakeKillSubject = (now: () => number) => Promise<KillSubject>;

const KILLS = cases(5, 100);
const TIMEOUT_MS = cases(600_000, 1_200_000);
const HOST = new URL('./host-child.ts', import.meta.url);
const AGENT = 'lead';
/** A life ends at one of so many happenings. */
const HAPPENINGS = 50;
const SPEAKERS = 2;
const WHILE_DOWN = 4;
/** After every so many kills the host is down for longer than anything may wait for an answer. */
const LONG_DOWN_EVERY = 3;
const LONG_DOWN_MS = 20 * 60_000;
const DEADLINE_MS = attentionSettingsSchema.parse({}).limits.deadlineMs;
const CHANCE = { asks: 0.6, long: 0.15 };
/** What the platform does with the request at which the host dies. */
const LAST = ['pass', 'reset_before', 'reset_after'] as const;

class World {
  readonly random = seededRandom(SEED);
  readonly folder = mkdtempSync(join(tmpdir(), 'earshot-kill-'));
  readonly asked = new Set<string>();
  /** Said while the host was down for long. */
  readonly old = new Set<string>();
  readonly harness: Harness;
  aheadMs = 0;
  subject!: KillSubject;
  #token = '';
  #texts = 0;

  constructor() {
    this.harness = new Harness(AGENT, {
      token: () => this.#token,
      text: ({ eventId, content }) => {
        const [question = eventId] = eventId.split('/');
        return JSON.stringify(content).includes(AT_LENGTH) ? longAnswer(question) : answerTo(question);
      },
    });
  }

  now = (): number => Math.floor(performance.timeOrigin + performance.now()) + this.aheadMs;

  draw(below: number): number {
    return Math.floor(this.random.next() * below);
  }

  async say(): Promise<Said> {
    const asks = this.random.next() < CHANCE.asks;
    const length = this.random.next() < CHANCE.long ? AT_LENGTH : 'in short';
    const number = ++this.#texts;
    const text = asks ? `can you explain number ${number} ${length}?` : `lunch was good, number ${number}`;
    const said = await this.subject.say(text, asks, this.random);
    if (asks) this.asked.add(said.id);
    return said;
  }

  async open(life: Life<Ready>): Promise<Ready | undefined> {
    const { folder, aheadMs } = this;
    const { env } = this.subject;
    const ready = await life.open({ type: 'open', folder, env, aheadMs } satisfies ToChild);
    if (ready === undefined) return undefined;
    this.subject.reach(ready.url);
    this.#token = ready.tokens.agents[AGENT] ?? '';
    // Half of the time the agent has lost its memory too.
    await this.harness.connect(`${ready.url.replace('http', 'ws')}/c2a`, this.random.next() < 0.5);
    return ready;
  }

  /** What was said before the first login is history. From here on, everything counts. */
  async begin(life: Life<Ready>): Promise<void> {
    const ready = await this.open(life);
    expect(ready, life.complaints.join('')).toBeDefined();
    await until(async () => {
      const { surfaces = [] } = await readFrom(ready, '/v1/surfaces');
      return surfaces.some((one) => {
        const { id, state } = one as { id: string; state: string };
        return id === this.subject.surface && (state === 'up' || state === 'limited');
      });
    }, 'the first login');
    expect(await life.close()).toBe(0);
    this.harness.close();
    this.subject.reach(undefined);
  }

  /** People write until the host is dead. */
  async live(life: Life<Ready>): Promise<void> {
    const over = new AbortController();
    let left = 1 + this.draw(HAPPENINGS);
    const isLast = (): boolean => {
      if (--left !== 0) return false;
      life.kill();
      return true;
    };
    this.subject.happened = () => void isLast();
    this.subject.proxy.fault = () => (isLast() ? (LAST[this.draw(LAST.length)] ?? 'pass') : 'pass');
    const ended = life.ended.then(() => over.abort());
    if ((await this.open(life)) !== undefined) {
      const speak = async (): Promise<void> => {
        while (!over.signal.aborted) {
          const { heard } = await this.say();
          await Promise.race([heard, ended]);
        }
      };
      await Promise.all(Array.from({ length: SPEAKERS }, speak));
    }
    expect(await life.ended, life.complaints.join('')).toBe('SIGKILL');
    this.harness.close();
    this.subject.reach(undefined);
  }

  async beDown(forLong: boolean): Promise<void> {
    const said = [];
    for (let count = this.draw(WHILE_DOWN + 1); count > 0; count--) said.push(await this.say());
    if (!forLong) return;
    for (const { id } of said) this.old.add(id);
    this.aheadMs += LONG_DOWN_MS;
    await this.say();
  }

  /** The last life: nothing new is said, everything that is open comes to its end. */
  async settle(life: Life<Ready>): Promise<void> {
    this.subject.happened = () => undefined;
    this.subject.proxy.fault = () => 'pass';
    const ready = await this.open(life);
    expect(ready, life.complaints.join('')).toBeDefined();
    const read = (path: string): Promise<Record<string, unknown[]>> => readFrom(ready, path);
    let missing = (await this.subject.held()).flatMap(({ key, id }) => (key === undefined ? id : []));
    await until(async () => {
      const answers = await Promise.all(missing.map((id) => read(`/v1/why/${id}`)));
      missing = missing.filter((_, index) => answers[index]?.['agents'] === undefined);
      if (missing.length > 0) return false;
      const { deliveries = [] } = await read('/v1/deliveries?limit=10');
      return deliveries.length === 0 && this.harness.holding.size === 0;
    }, 'the end of everything').catch(() => undefined); // the judge says what is missing
    expect(await life.close()).toBe(0);
    this.harness.close();
  }
}

async function readFrom(ready: Ready | undefined, path: string): Promise<Record<string, unknown[]>> {
  const headers = { authorization: `Bearer ${ready?.tokens.operator}` };
  return (await (await fetch(`${ready?.url}${path}`, { headers })).json()) as Record<string, unknown[]>;
}

const answerTo = (question: string): string => `The answer to ${question} is known.`;

const PAGE = 1_000;

async function all<Row extends { position: number }>(
  page: (after: number) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let next = await page(0); next.length > 0; next = await page(rows.at(-1)?.position ?? 0)) {
    rows.push(...next);
  }
  return rows;
}

const twice = (values: readonly string[]): string[] =>
  values.filter((value, index) => values.indexOf(value) !== index);

/** The parts of a send are one answer. */
const sendOf = (key: string): string => key.replace(/#\d+$/, '');
/** `lead:answer-ID`, or `lead:answer-ID/reminder-2`. */
const questionOf = (key: string): string => sendOf(key).replace(`${AGENT}:answer-`, '').replace(/\/.*$/, '');

async function judge({ subject, asked, old, harness }: World, store: Store): Promise<void> {
  const log = await all((after) => store.scan('log', 'byPosition', { after, limit: PAGE }));
  const rows = new Map(log.map((row) => [row.key, row]));
  const held = await subject.held();
  // Nothing is lost: what people said is in the log.
  const said = held.filter(({ key }) => key === undefined);
  expect(said.length).toBeGreaterThan(KILLS);
  expect(said.filter(({ id }) => !rows.has(id))).toEqual([]);
  for (const state of ['queued', 'sending', 'unknown', 'failed', 'lost'] as const) {
    const sends = await store.scan('outbox', 'bySurface', { eq: [subject.surface, state], limit: PAGE });
    expect(
      sends.map(({ key, error }) => `${key}: ${error}`),
      state,
    ).toEqual([]);
  }
  // Nothing is visible twice: by key, by part, or by another answer to the same question.
  const posts = held.filter((one): one is Held & { key: string } => one.key !== undefined);
  expect(twice(posts.map(({ key }) => key))).toEqual([]);
  const answers = Map.groupBy(posts, ({ key }) => sendOf(key));
  const answered = [...answers.keys()].map(questionOf);
  expect(twice(answered)).toEqual([]);
  // Every answer is whole: its parts are all there, in order.
  for (const [send, parts] of answers) {
    const numbers = parts.map(({ key }) => Number(/#(\d+)$/.exec(key)?.[1] ?? 1));
    const isLong = JSON.stringify(rows.get(questionOf(send))?.record.event).includes(AT_LENGTH);
    const count = isLong ? Math.max(...numbers) : 1;
    expect(numbers, send).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    if (isLong) expect(parts.at(-1)?.text.trimEnd().endsWith(LAST_LINE), send).toBe(true);
  }
  // Every question is answered, but for those that were older than their deadline when they were heard.
  const isLate = (id: string): boolean => {
    const record = rows.get(id)?.record;
    return record !== undefined && record.at - instantMs(record.event.at) > DEADLINE_MS;
  };
  const deliveries = await all((after) =>
    store.scan('delivery', 'byAgent', { eq: [AGENT], after, limit: PAGE }),
  );
  const became = (id: string): string => {
    const row = rows.get(id);
    const { facts, at } = row?.record ?? {};
    const decided = JSON.stringify(row?.decisions);
    const ends = deliveries
      .filter(({ source }) => source === id)
      .map(({ eventId, policy, disposition, why }) => [eventId, policy, disposition, why].join(' '));
    const saidAt = row && instantMs(row.record.event.at);
    return [id, facts?.origin, `said ${saidAt}`, `logged ${at}`, decided, ...ends].join(', ');
  };
  expect([...old].filter((id) => !isLate(id)).map(became)).toEqual([]);
  expect(answered.filter(isLate).map(became)).toEqual([]);
  // An answer to lines that were composed to one turn is an answer to each.
  const composed = deliveries
    .filter(({ eventId }) => answered.includes(eventId))
    .flatMap((row) => detailOf(row).fragments ?? []);
  const done = new Set([...answered, ...composed]);
  // Its time ran out while the host was down: it came again as something that need not be answered.
  const ranOut = deliveries.flatMap(({ source, why, policy }) =>
    why === 'expired' || policy === 'may_respond' ? [source] : [],
  );
  const unanswered = [...asked].filter((id) => !isLate(id) && !done.has(id) && !ranOut.includes(id));
  expect(unanswered.map(became)).toEqual([]);
  expect(deliveries.flatMap(({ open, key, state }) => (open === 1 ? [`${key} ${state}`] : []))).toEqual([]);
  expect(harness.refusals.filter((refusal) => !isSecondTry(refusal, done))).toEqual([]);
  expect(await store.check()).toEqual([]);
}

/**
 * The agent took up what it held while the host asked the same again, because its time had run out. It answers both; the
 * host shows the first and refuses the second.
 */
function isSecondTry(refusal: string, done: ReadonlySet<string>): boolean {
  const [, question = ''] = /^([^/:]+)\/expired-\d+: /.exec(refusal) ?? [];
  return done.has(question) && refusal.includes('"repeated_text"');
}

export function killTest(name: string, make: MakeKillSubject): void {
  test(
    `kill -9 of the host on ${name}, ${KILLS} times from seed ${SEED}: nothing is lost, nothing is visible twice`,
    async () => {
      const world = new World();
      world.subject = await make(world.now);
      writeFileSync(join(world.folder, 'earshot.yaml'), world.subject.config);
      let next = new Life<Ready>(HOST);
      try {
        await world.begin(next);
        next = new Life<Ready>(HOST);
        for (let kills = 1; kills <= KILLS; kills++) {
          const life = next;
          next = new Life<Ready>(HOST);
          await world.live(life).finally(() => life.kill());
          await world.beDown(kills % LONG_DOWN_EVERY === 0);
        }
        await world.settle(next);
        const file = storeFile(world.folder);
        const store = await openSqliteStore({ file, clock: systemClock, codec: hostStateCodec });
        try {
          await judge(world, store);
        } finally {
          await store.close();
        }
      } finally {
        next.kill();
        rmSync(world.folder, { recursive: true, force: true });
      }
    },
    TIMEOUT_MS,
  );
}
