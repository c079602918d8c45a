// Rooms full of people, with three agents in them that always answer and echo the names of what they read. One room is
// written out: sixty messages of four people, sixteen of them for an agent. Others are drawn from templates.
import { type Random, seededRandom } from '../../src/runtime/random.ts';
import { type Handed, textOfEvent } from './harness.ts';
import { type World, world } from './world.ts';

export const PEOPLE = ['ada', 'ben', 'carla', 'dina'] as const;
export const AGENTS = ['lead', 'builder', 'tester'] as const;

/** Who says what, and for which agent it is. '': for people, or for nobody. */
export type Line = readonly [by: string, text: string, forAgent: string];

export const SIXTY: readonly Line[] = [
  ['ada', 'good morning everybody', ''],
  ['ben', 'morning!', ''],
  ['carla', 'did anyone see the storm last night?', ''],
  ['ada', '@lead is the release still planned for today?', 'lead'],
  ['dina', 'my cellar is full of water', ''],
  ['ben', '@dina do you need a pump?', ''],
  ['dina', '@ben that would be great', ''],
  ['carla', '@builder can you build the hotfix branch?', 'builder'],
  ['ben', 'I can bring the pump at six', ''],
  ['dina', '@ben perfect', ''],
  ['ada', 'the customer from Lyon called again', ''],
  ['ada', '@tester please run the smoke tests on staging', 'tester'],
  ['ben', '@ada what did they want?', ''],
  ['ada', '@ben a date for the invoice fix', ''],
  ['carla', 'the coffee machine is out of beans', ''],
  ['dina', 'I ordered some yesterday', ''],
  ['carla', '@builder how long does the build take?', 'builder'],
  ['ben', '@carla you are a hero if you fix the grinder too', ''],
  ['carla', 'haha no', ''],
  ['ada', '@lead who is on call this weekend?', 'lead'],
  ['dina', 'not me, I have a cellar to dry', ''],
  ['ben', 'fair enough', ''],
  ['carla', '@tester did the smoke tests pass?', 'tester'],
  ['ada', 'I will be in the meeting until eleven', ''],
  ['ben', '@ada ok, I take the phone', ''],
  ['dina', 'the insurance wants photos', ''],
  ['carla', '@dina take many', ''],
  ['ben', '@lead please put the invoice fix on the list', 'lead'],
  ['dina', 'done, forty photos', ''],
  ['carla', 'that should do', ''],
  ['ben', '@builder which version is on staging?', 'builder'],
  ['ada', 'the meeting moved to the small room', ''],
  ['carla', 'again?', ''],
  ['ada', '@carla somebody booked the big one', ''],
  ['dina', '@tester can you test the upload of large photos?', 'tester'],
  ['ben', 'lunch at the noodle place?', ''],
  ['carla', 'yes!', ''],
  ['dina', 'I bring an umbrella', ''],
  ['ada', '@ben take me with you', ''],
  ['ben', '@ada at half past', ''],
  ['carla', '@lead what is left before the release?', 'lead'],
  ['dina', 'the upload page is slow for me', ''],
  ['ben', '@dina mine is fast', ''],
  ['carla', '@builder please look at the upload page', 'builder'],
  ['ada', 'the noodles were good', ''],
  ['ben', 'too spicy', ''],
  ['dina', '@ben you took the red sauce', ''],
  ['ada', '@tester what about the invoice tests?', 'tester'],
  ['carla', 'I leave early today', ''],
  ['ben', '@carla enjoy', ''],
  ['dina', '@builder is the upload page better now?', 'builder'],
  ['ada', 'the customer wrote a nice mail', ''],
  ['ben', '@ada forward it please', ''],
  ['ada', '@ben you have it', ''],
  ['dina', '@lead can we release?', 'lead'],
  ['carla', 'fingers crossed', ''],
  ['ben', '@tester one last run, please', 'tester'],
  ['dina', 'the pump works', ''],
  ['ada', '@lead thanks, and what comes tomorrow?', 'lead'],
  ['ben', 'see you all tomorrow', ''],
];

const ASKS = [
  'can you check {thing}?',
  'please restart {thing}',
  'what is the state of {thing}?',
  'how long will {thing} take?',
  'could you send me the numbers of {thing}?',
];
const CHAT = [
  'the {thing} is on the news again',
  'who took my cup?',
  'I am out for a walk',
  'that was a long day',
  'rain again',
  '@{person} are you coming?',
  '@{person} I left it on your desk',
  '@{person} the {thing} looks fine to me',
];
const THINGS = [
  'the export',
  'the mail queue',
  'build 88',
  'the login page',
  'the Lyon server',
  'ticket OPS-7',
];

/** A room drawn from templates: about a third of its sixty messages are for an agent. */
export function drawnRoom(seed: number): Line[] {
  const random = seededRandom(seed);
  return Array.from({ length: 60 }, (): Line => {
    const by = pick(random, PEOPLE);
    const other = pick(
      random,
      PEOPLE.filter((person) => person !== by),
    );
    const filled = (text: string): string =>
      text
        .replace('the {thing}', pick(random, THINGS))
        .replace('{thing}', pick(random, THINGS))
        .replace('{person}', other);
    if (random.next() >= 0.3) return [by, filled(pick(random, CHAT)), ''];
    const agent = pick(random, AGENTS);
    return [by, `@${agent} ${filled(pick(random, ASKS))}`, agent];
  });
}

export interface Played {
  /** Turns that another agent's message started. */
  agentTurns: string[];
  /** Messages for an agent that started none of its turns. */
  unheard: string[];
  turns: number;
}

/** How the model names whom it read about: as they are, or with an @. */
export type Echo = 'plain' | 'marked';

export async function playRoom(lines: readonly Line[], echo: Echo, seed = 1): Promise<Played> {
  const random = seededRandom(seed);
  const agents = [{ id: 'lead' }, { id: 'builder', lead: 'lead' }, { id: 'tester', lead: 'lead' }];
  const w = await world({ agents, seed });
  const room = new BusyRoom(w, random, echo);
  await room.join();
  const asked: (readonly [id: string, agent: string, text: string])[] = [];
  for (const [by, text, forAgent] of lines) {
    const id = await w.say(text, { by, more: personIn(text) });
    if (forAgent !== '') asked.push([id, forAgent, text]);
    await room.settle(2_500 + Math.floor(random.next() * 30_000));
  }
  await room.settle(60_000);
  const heard = (id: string, agent: string): boolean =>
    room.turns.some((turn) => turn.agent === agent && turn.eventId === id);
  return {
    agentTurns: room.turns.filter(({ byAgent }) => byAgent).map(({ text }) => text),
    unheard: asked.filter(([id, agent]) => !heard(id, agent)).map(([, , text]) => text),
    turns: room.turns.length,
  };
}

export function personIn(text: string): Record<string, unknown> {
  const person = PEOPLE.find((one) => text.startsWith(`@${one}`));
  return person === undefined ? {} : { mentions: [{ kind: 'human', id: person }] };
}

/** What a harness declares of a plain answer. */
const TO_ASKER = { directedness: 'to_me' } as const;

interface Turn {
  agent: string;
  eventId: string;
  text: string;
  byAgent: boolean;
}

class BusyRoom {
  readonly turns: Turn[] = [];
  readonly #world: World;
  readonly #random: Random;
  readonly #echo: Echo;
  /** How many of its turns each agent has taken. */
  readonly #taken = new Map<string, number>();

  constructor(w: World, random: Random, echo: Echo) {
    this.#world = w;
    this.#random = random;
    this.#echo = echo;
  }

  async join(): Promise<void> {
    for (const agent of AGENTS) await this.#world.harness(agent);
  }

  /** Lets time pass and everybody answer, until nobody is woken any more. */
  async settle(ms: number): Promise<void> {
    await this.#world.advance(ms);
    for (let rounds = 0; rounds < 100 && (await this.#answerAll()); rounds++)
      await this.#world.advance(3_000);
  }

  async #answerAll(): Promise<boolean> {
    let any = false;
    for (const harness of this.#world.harnesses) {
      const from = this.#taken.get(harness.agent) ?? 0;
      this.#taken.set(harness.agent, harness.turns.length);
      for (const event of harness.turns.slice(from)) {
        any = true;
        this.turns.push(turnOf(harness.agent, event));
        const answered = harness.reply(event.eventId, this.#answer(harness.agent, event), TO_ASKER);
        await this.#world.advance(0);
        await answered;
      }
    }
    return any;
  }

  #answer(agent: string, event: Handed): string {
    const author = (event['author'] as { id?: string } | undefined)?.id ?? 'you';
    return chattyAnswer(this.#random, this.#echo, { agent, author, text: textOfEvent(event) });
  }
}

/** Names its author, everybody in the text, and a colleague. */
export function chattyAnswer(
  random: Random,
  echo: Echo,
  { agent, author, text }: { agent: string; author: string; text: string },
): string {
  const colleague = pick(
    random,
    AGENTS.filter((other) => other !== agent),
  );
  const named = [...PEOPLE, ...AGENTS].filter((name) => name !== agent && text.includes(name));
  const [to, ...others] = [...new Set([author, ...named, colleague])].map((name) =>
    echo === 'marked' ? `@${name}` : name,
  );
  return pick(random, [
    `${to}: noted. ${others.join(' and ')} should know that it is under way.`,
    `Thanks ${to}! I have told ${others.join(', ')} about it.`,
    `${to} it is done, as ${others.join(' and ')} said.`,
    `${others.join(', ')}: ${to} has seen it, all is well.`,
    `I agree with ${to}. ${others.join(' and ')} did a good job there.`,
  ]);
}

function turnOf(agent: string, event: Handed): Turn {
  const author = event['author'] as { kind?: string } | undefined;
  return { agent, eventId: event.eventId, text: textOfEvent(event), byAgent: author?.kind === 'agent' };
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random.next() * list.length)] as T;
}
