// Drawn dialogues of a lead, two workers and two people, through the real host. There is work with its answers, reports,
// and sometimes a ping-pong, in one of nine languages, with people talking all the while. An agent says something only
// when it is woken, as a harness would.
import { type Random, seededRandom } from '../../src/runtime/random.ts';
import { decisionForAgent } from '../../src/host/kernel/log-row.ts';
import { LOOP_KINDS, type LoopKind, TONGUES, type Tongue } from './dialogue-words.ts';
import { type World, world } from './world.ts';

export interface Dialogue {
  seed: number;
  tongue: string;
  tasks: number;
  /** Tasks and answers that a worker or the lead did not hear: not woken, or stopped. */
  unheard: string[];
  /** Work that the guard stopped. */
  stoppedWork: string[];
  /** The kind of the ping-pong, if there was one, and how many turns it had. */
  loop: { kind: LoopKind; turns: number; stops: number } | undefined;
  /** Lines in the room that say somebody is stopped. */
  notices: number;
}

const LEAD = 'lead';
const WORKERS = ['ivy', 'otto'] as const;
const PEOPLE = ['ada', 'ben'] as const;
const NAMES = ['Priya', 'Marek', 'Chidi', 'Yuki', 'Lena', 'Omar'];
const SERVICES = ['billing', 'search', 'checkout', 'mailer', 'gateway', 'reports'];
const CITIES = ['Lyon', 'Osaka', 'Quito', 'Bergen', 'Austin', 'Perth'];

/** A ping-pong that is still going after so many turns is not stopped. */
export const MOST_TURNS = 16;

export async function dialogue(seed: number): Promise<Dialogue> {
  const random = seededRandom(seed);
  const tongue = pick(random, Object.keys(TONGUES));
  const words = TONGUES[tongue] as Tongue;
  const agents = [{ id: LEAD }, ...WORKERS.map((id) => ({ id, lead: LEAD }))];
  const w = await world({ agents, seed });
  const scene = new Scene(w, random, words, { seed, tongue });
  await w.say(`@${LEAD} ${words.people[0]}`, { by: 'ada', more: mentions(LEAD) });
  const parts = 2 + below(random, 3);
  for (let part = 0; part < parts; part++) await scene.work();
  if (random.next() < 0.6) await scene.pingPong();
  const problems = await w.sound();
  if (problems.length > 0) throw new Error(problems.join('\n'));
  scene.played.notices = w.texts().filter((text) => text.includes('stopped here')).length;
  return scene.played;
}

class Scene {
  readonly played: Dialogue;
  readonly #world: World;
  readonly #random: Random;
  readonly #words: Tongue;
  #figure = 4_000;

  constructor(w: World, random: Random, words: Tongue, { seed, tongue }: { seed: number; tongue: string }) {
    this.#world = w;
    this.#random = random;
    this.#words = words;
    const none = { unheard: [], stoppedWork: [], loop: undefined, notices: 0 };
    this.played = { seed, tongue, tasks: 0, ...none };
  }

  /** A list of tasks for one worker, mostly of one or two templates, or reports of one side. */
  async work(): Promise<void> {
    const worker = pick(this.#random, WORKERS);
    const few = [pick(this.#random, this.#words.tasks), pick(this.#random, this.#words.tasks)];
    const templates = this.#random.next() < 0.5 ? few : this.#words.tasks;
    const count = 3 + below(this.#random, 10);
    if (this.#random.next() < 0.25) return this.#reports(worker, count);
    for (let nr = 0; nr < count; nr++) await this.#task(worker, pick(this.#random, templates));
  }

  async #reports(worker: string, count: number): Promise<void> {
    const template = pick(this.#random, this.#words.reports);
    for (let nr = 0; nr < count; nr++) {
      await this.#say(worker, LEAD, this.#filled(template));
      await this.#people();
    }
  }

  async #task(worker: string, template: string): Promise<void> {
    this.played.tasks++;
    const task = await this.#say(LEAD, worker, this.#filled(template));
    if (!task.woken) return void this.played.unheard.push(task.text);
    await this.#people();
    let asked = task.id;
    if (this.#random.next() < 0.15) {
      const [unclear, clear] = pick(this.#random, this.#words.unclear);
      const question = await this.#say(worker, LEAD, this.#filled(unclear), asked);
      if (!question.woken) this.played.unheard.push(question.text);
      const answer = await this.#say(LEAD, worker, this.#filled(clear), question.id);
      if (!answer.woken) this.played.unheard.push(answer.text);
      asked = answer.id;
    }
    const { done, doneAndAsks } = this.#words;
    const answers = this.#random.next() < 0.3 ? doneAndAsks : done;
    const answer = await this.#say(worker, LEAD, this.#filled(pick(this.#random, answers)), asked);
    if (!answer.woken) this.played.unheard.push(answer.text);
    await this.#people();
  }

  /** Two agents that answer whatever wakes them. */
  async pingPong(): Promise<void> {
    const kind = pick(this.#random, LOOP_KINDS);
    const lines = this.#words.loops[kind];
    const loop = { kind, turns: 0, stops: 0 };
    this.played.loop = loop;
    let [from, to]: [string, string] = this.#random.next() < 0.5 ? [LEAD, WORKERS[0]] : [...WORKERS];
    let asked: string | undefined;
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      const said = await this.#say(from, to, pick(this.#random, lines), asked, loop);
      if (!said.woken) return;
      loop.turns++;
      asked = said.id;
      [from, to] = [to, from];
      await this.#people();
    }
  }

  async #say(
    from: string,
    to: string,
    text: string,
    inReplyTo?: string,
    loop?: { stops: number },
  ): Promise<Said> {
    const full = `@${to} ${text}`;
    const more = { ...mentions(to), ...(inReplyTo === undefined ? {} : { inReplyTo }) };
    const id = await this.#world.say(full, { by: from, byKind: 'agent', more });
    await this.#world.advance(3_000 + below(this.#random, 60_000));
    const row = await this.#world.store.get('log', id);
    const outcome = row === undefined ? undefined : decisionForAgent(row, to);
    if (outcome?.reason === 'loop_stopped') {
      if (loop === undefined) this.played.stoppedWork.push(full);
      else loop.stops++;
    }
    return { id, text: full, woken: outcome?.mode === 'buffered' || outcome?.mode === 'immediate' };
  }

  /** People talk to each other and to nobody. */
  async #people(): Promise<void> {
    if (this.#random.next() < 0.4) return;
    const [by, other] = this.#random.next() < 0.5 ? PEOPLE : [PEOPLE[1], PEOPLE[0]];
    const text = pick(this.#random, this.#words.people);
    if (this.#random.next() < 0.5) await this.#world.say(text, { by });
    else {
      const more = { mentions: [{ kind: 'human', id: other }] };
      await this.#world.say(`@${other} ${text}`, { by, more });
    }
  }

  #filled(template: string): string {
    return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      this.#figure += 1 + below(this.#random, 3);
      const services = pick(this.#random, SERVICES);
      if (name === 'n') return String(this.#figure);
      if (name === 'id') return `OPS-${this.#figure}`;
      if (name === 'link') return `https://ci.example/${services}/${this.#figure}`;
      if (name === 'name') return pick(this.#random, NAMES);
      return name === 'city' ? pick(this.#random, CITIES) : services;
    });
  }
}

interface Said {
  id: string;
  text: string;
  woken: boolean;
}

function mentions(agent: string): Record<string, unknown> {
  return { mentions: [{ kind: 'agent', id: agent }] };
}

function below(random: Random, count: number): number {
  return Math.floor(random.next() * count);
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[below(random, list.length)] as T;
}
