// Drawn conversations with three agents behind one account, through the real host: people call the account in a room, in
// threads and in direct messages, agents answer, claim, decline or are late, and whatever they post is handed back by the
// platform, at times without a mark.
import { unpackDecisions } from '../../src/host/kernel/log-row.ts';
import { type Random, seededRandom } from '../../src/runtime/random.ts';
import type { Handed, Harness } from './harness.ts';
import { type Line, type World, world } from './world.ts';

const IDS = ['lead', 'builder', 'scout'] as const;
const PEOPLE = ['ada', 'ben', 'eve'] as const;
const ACCOUNT = 'U1';
const NAME = 'Earshot';

/** What went wrong; empty when nothing did. */
export interface DrawnCalls {
  calls: number;
  answers: number;
  problems: string[];
}

export async function drawnCalls(seed: number): Promise<DrawnCalls> {
  const random = seededRandom(seed);
  const responder = random.next() < 0.4 ? pick(random, IDS) : undefined;
  const conversations = responder === undefined ? [] : [{ match: '*', defaultResponder: responder }];
  const w = await world({
    seed,
    agents: IDS.map((id) => ({ id })),
    attention: { conversations },
    accounts: [{ id: ACCOUNT, workspaceId: 'w', agents: '*', name: NAME }],
  });
  const scene = new Scene(w, random);
  for (const id of IDS) scene.harnesses.push(await w.harness(id));
  const lines = 6 + below(random, 8);
  for (let line = 0; line < lines; line++) await scene.step();
  await w.advance(120_000);
  await scene.settle();
  return scene.judged();
}

const ASKS = ['is it green?', 'can you look at the build?', 'who broke the tests?', 'when is the release?'];
const TELLS = ['lunch was good', 'the game was great', 'back in five minutes'];
const ANSWERS = ['It is.', 'Looking at it now.', 'builder, can you check that?', 'scout: is it green?'];

class Scene {
  readonly harnesses: Harness[] = [];
  readonly #world: World;
  readonly #random: Random;
  readonly #calls: { id: string; where: string }[] = [];
  readonly #acted = new Set<string>();
  #echoed = 0;
  #answers = 0;

  constructor(w: World, random: Random) {
    this.#world = w;
    this.#random = random;
  }

  /** Somebody says something, time passes, the agents do what they do, and the platform hands it back. */
  async step(): Promise<void> {
    const by = pick(this.#random, PEOPLE);
    const where = this.#where(by);
    const calls = this.#random.next() < 0.65;
    const text = calls ? this.#called() : pick(this.#random, [...ASKS, ...TELLS]);
    const mentions = calls ? [{ kind: 'agent', id: ACCOUNT }] : [];
    const isDirect = where.kind === 'dm';
    const recipients = isDirect ? { recipients: [ACCOUNT] } : {};
    const more = { mentions, mentionsResolved: true, ...recipients };
    const id = await this.#world.say(text, { ...where, by, more });
    if (calls && !isDirect) this.#calls.push({ id, where: where.in ?? 'C1' });
    await this.settle();
  }

  /** Until nobody has anything to do without a long wait. */
  async settle(): Promise<void> {
    for (let round = 0; round < 4; round++) {
      await this.#world.advance(round === 2 ? 21_000 : 3_000);
      for (const harness of this.harnesses) await this.#act(harness);
      await this.#echo();
    }
  }

  #where(by: string): Line {
    const drawn = this.#random.next();
    if (drawn < 0.15) return { in: `D-${by}`, kind: 'dm' };
    const [first] = this.#calls;
    if (drawn < 0.4 && first !== undefined) return { in: `${first.id}-thread`, kind: 'thread', parent: 'C1' };
    return { in: 'C1', kind: 'channel' };
  }

  #called(): string {
    const ask = pick(this.#random, ASKS);
    const who = pick(this.#random, IDS);
    return pick(this.#random, [
      `@${NAME} ${ask}`,
      `@${NAME} ${ask}`,
      `hey @${NAME}, ${ask}`,
      `@${NAME} ${who}: ${ask}`,
      `@${NAME} ${who} ${ask}`,
      `${who}, ${ask} @${NAME}`,
      `@${NAME} ${ask.replace('?', '')}, ${who}?`,
      `@${NAME} what did ${who} say about that?`,
    ]);
  }

  async #act(harness: Harness): Promise<void> {
    for (const event of harness.turns) {
      const key = `${harness.agent} ${event.eventId}`;
      if (this.#acted.has(key)) continue;
      this.#acted.add(key);
      if (event.author?.kind !== 'human') continue;
      if (isOffer(event)) await this.#take(harness, event.eventId);
      else await this.#reply(harness, event.eventId);
    }
  }

  async #take(harness: Harness, id: string): Promise<void> {
    const drawn = this.#random.next();
    if (drawn < 0.3) return; // late: the next one is asked
    if (drawn < 0.5) return void (await harness.call('chat.react', { inReplyTo: id, signal: 'declined' }));
    const claimed = await harness.call('chat.claim', { inReplyTo: id });
    if (claimed.ok) await this.#reply(harness, id);
  }

  async #reply(harness: Harness, id: string): Promise<void> {
    const sent = await harness.reply(id, `${pick(this.#random, ANSWERS)} (${this.#answers})`);
    if (sent.ok) this.#answers++;
  }

  /** The platform hands back whatever is new, now and then in a form that nobody recognises. */
  async #echo(): Promise<void> {
    const { seen } = this.#world.platform;
    for (; this.#echoed < seen.length; this.#echoed++) {
      const post = seen[this.#echoed];
      if (post === undefined) return;
      const number = this.#echoed + 1;
      const { conversationId, parentId } = post.message.place;
      const kind = conversationId.startsWith('D-') ? 'dm' : parentId === undefined ? 'channel' : 'thread';
      const place: Line = { in: conversationId, kind, ...(parentId !== undefined && { parent: parentId }) };
      const event = this.#world.event(post.text, {
        ...place,
        id: `p${number}`,
        by: ACCOUNT,
        byKind: 'agent',
        more: { mentionsResolved: true },
      });
      const isMarked = this.#random.next() < 0.7;
      await this.#world.ingest(
        isMarked ? { ...event, platformId: `p${number}` } : { ...event, eventId: `lost${number}` },
      );
    }
  }

  async judged(): Promise<DrawnCalls> {
    const problems = await this.#world.sound();
    for (const { id } of this.#calls) problems.push(...(await this.#reached(id)));
    const answered = new Map<string, number>();
    for (const { message } of this.#world.platform.seen) {
      const to = message.replyTo?.eventId;
      if (to !== undefined) answered.set(to, (answered.get(to) ?? 0) + 1);
    }
    for (const [id, times] of answered) if (times > 1) problems.push(`${id} was answered ${times} times`);
    for (const { agent, got } of this.harnesses) {
      for (const { author, eventId } of got) {
        if (author?.id === ACCOUNT || author?.id === agent)
          problems.push(`${agent} was handed its own ${eventId}`);
      }
    }
    return { calls: this.#calls.length, answers: this.#answers, problems };
  }

  /** A call at the front door is for exactly one agent, or is one offer. */
  async #reached(id: string): Promise<string[]> {
    const row = await this.#world.store.get('log', id);
    const decisions = row === undefined ? [] : unpackDecisions(row.decisions, id);
    const called = decisions.filter(({ trace }) => trace.facts['door'] !== undefined);
    const offered = called.filter(({ trace }) => trace.facts['door'] === 'offered');
    const woken = decisions.filter(({ policy }) => policy === 'must_respond' || policy === 'may_respond');
    const isOne = offered.length === 0 && called.length === 1 && woken.length === 1;
    const isOneOffer =
      offered.length > 1 && called.length === offered.length && woken.length === offered.length;
    const ways = decisions.map(
      ({ agent, policy, trace }) => `${agent} ${policy} ${trace.facts['door'] ?? '-'}`,
    );
    return isOne || isOneOffer
      ? []
      : [`${id} reached ${ways.join(', ')}: ${JSON.stringify(row?.record.event)}`];
  }
}

function isOffer({ attention }: Handed): boolean {
  return attention?.notices?.includes('claim_first') === true;
}

function below(random: Random, count: number): number {
  return Math.floor(random.next() * count);
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[below(random, list.length)] as T;
}
