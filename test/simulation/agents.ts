// The agents of a simulated world: the real SDK, with handlers that do what agents do. What a handler does is drawn by
// the agent and the events of its turn. An agent may die in the middle of a turn, come back without its memory, and
// meet a twin with the same identity.
import {
  type AgentConnection,
  connect,
  type ReplyOptions,
  type ToolOutcome,
  type Turn,
} from '../../src/agent/index.ts';
import { seededRandom } from '../../src/runtime/random.ts';
import type { Transport } from '../../src/transport/transport.ts';
import { type Life, lifeOf } from '../host/stepped-clock.ts';
import { answerTo } from './answer.ts';
import { between, pick } from './draw.ts';
import { type SimLink, simLink } from './link.ts';
import { ROLE } from './plan.ts';
import type { SimWorld, WorldAgent } from './world.ts';

const CONNECT_FAILS_MS = 200;
const SLOWEST_MS = 4_000;
const LONG_ANSWER = 6_000;

/** An event as `readThread` lists it. */
interface Listed {
  eventId: string;
  content?: readonly { text?: string }[];
}

/** One process of an agent. */
interface Process {
  life: Life;
  connection: AgentConnection;
  links: SimLink[];
}

export class SimAgent implements WorldAgent {
  readonly id: string;
  readonly #world: SimWorld;
  #processes: Process[] = [];
  #started = 0;
  #tries = new Map<string, number>();
  /** The events of its turns. */
  readonly #had = new Set<string>();

  constructor(id: string, world: SimWorld) {
    this.id = id;
    this.#world = world;
  }

  start(): void {
    const life = lifeOf(this.#world.clock);
    const links: SimLink[] = [];
    const count = ++this.#started;
    const connection = connect({
      agent: this.id,
      clock: life,
      random: seededRandom(this.#world.plan.seed * 31 + count * 7 + this.id.length),
      log: QUIET,
      limits: { requestMs: 5_000, turnMs: 30_000, askMs: 20_000 },
      transport: () => this.#open(life, links),
    });
    connection.onTurn((turn) => this.#turn(turn, life));
    this.#processes.push({ life, connection, links });
  }

  /** As by kill -9. */
  die(): void {
    for (const { life, links } of this.#processes) {
      life.end();
      for (const link of links) link.reset();
    }
    this.#processes = [];
  }

  mute(): void {
    for (const { links } of this.#processes) links.at(-1)?.mute();
  }

  cut(): void {
    for (const { links } of this.#processes) for (const link of links.splice(0)) link.reset();
  }

  /** A supervisor starts an agent that has given up, and none that runs. */
  revive(): void {
    this.#processes = this.#processes.filter(({ connection }) => connection.status !== 'closed');
    if (this.#processes.length === 0) this.start();
  }

  #open(life: Life, links: SimLink[]): Promise<Transport> | Transport {
    const { host } = this.#world;
    if (host === undefined) {
      return new Promise((_, reject) =>
        life.after(CONNECT_FAILS_MS, () => reject(new Error('connection refused'))),
      );
    }
    const link = simLink(this.#world.linkPorts(this.id));
    links.push(link);
    host.connect(link.host, { kind: 'agent', agent: this.id }).catch(() => undefined);
    return link.agent;
  }

  async #turn(turn: Turn, life: Life): Promise<string | void> {
    const { draw, plan, trace } = this.#world;
    const ids = turn.events.map(({ eventId }) => eventId).join();
    const tried = this.#tries.get(ids) ?? 0;
    this.#tries.set(ids, tried + 1);
    for (const { eventId } of turn.events) this.#had.add(eventId.split('/')[0] ?? eventId);
    const chance = (what: string): number => draw(what, this.id, ids, tried);
    trace.note(`${this.id} turn on ${ids} ${turn.policy}`);
    const waitMs = this.#world.isHealed ? 10 : between(0, SLOWEST_MS, chance('wait'));
    await new Promise<void>((resolve) => {
      life.after(chance('slow') < 0.4 ? waitMs : 0, resolve);
      turn.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    if (turn.signal.aborted) return;
    const at = this.#world.sinceStart();
    const fails = plan.faults.some(
      (fault) =>
        fault.type === 'turns_fail' && fault.from <= at && at < fault.until && chance('fails') < fault.share,
    );
    if (fails) throw new Error('the model is not there');
    if (!(await this.#claimed(turn))) return;
    if (plan.cast.races === true) await this.#race(turn, life, chance);
    await this.#act(turn, chance);
  }

  /** Thinks for a while, and may claim what was offered to somebody else in the room. */
  async #race(turn: Turn, life: Life, chance: (what: string) => number): Promise<void> {
    const thinksMs = this.#world.isHealed ? 0 : between(0, SLOWEST_MS, chance('thinks'));
    await new Promise<void>((resolve) => life.after(thinksMs, resolve));
    if (turn.signal.aborted || this.#world.isHealed || chance('races') < 0.3) return;
    const { data } = await turn.readThread();
    const offered = (data['events'] as Listed[] | undefined)?.findLast(
      ({ eventId, content }) =>
        !this.#had.has(eventId) && content?.some(({ text }) => text?.startsWith(`@${ROLE}`)),
    );
    if (offered === undefined) return;
    const claim = turn.tools.find(({ name }) => name === 'chat_claim');
    const answer = await claim?.call({ inReplyTo: offered.eventId });
    if (answer?.ok === true) this.#granted(offered.eventId, answer.data);
  }

  /** True unless it is an offer that another agent got. */
  async #claimed(turn: Turn): Promise<boolean> {
    if (!turn.events.some(({ notices }) => notices.includes('claim_first'))) return true;
    const { ok, data } = await turn.claim();
    if (ok) this.#granted(turn.events.at(-1)?.eventId ?? '', data);
    return ok;
  }

  #granted(about: string, data: ToolOutcome['data']): void {
    const { token, expiresAt } = data as { token?: number; expiresAt?: string };
    if (token === undefined || expiresAt === undefined) return;
    const { clock, seen } = this.#world;
    seen.granted.push({ agent: this.id, about, token, until: Date.parse(expiresAt), at: clock.now() });
  }

  async #act(turn: Turn, chance: (what: string) => number): Promise<void> {
    const answer = answerTo(turn.events);
    const kind = this.#world.isHealed ? 1 : chance('does');
    if (turn.policy !== 'must_respond' && chance('speaks') < 0.5) return;
    if (kind < 0.06) return;
    if (kind < 0.12) {
      await turn.react(pick(['working', 'done', 'declined', 'seen'] as const, chance('signal')));
      return;
    }
    if (kind < 0.18) {
      await turn.defer('later', { ttlMs: 4_000 });
      return;
    }
    if (kind < 0.3 && !/\b[qv]\d/.test(turn.text)) return this.#askAgent(turn, answer, chance);
    const tail = kind < 0.36 ? ` ${'and so on '.repeat(LONG_ANSWER / 10)}` : '';
    // Nobody decides any more once the world is healed: an agent that was told so answers without it.
    const isTold = this.#world.isHealed && turn.events.some(({ notShown }) => notShown !== undefined);
    const wantsRefund = this.#world.plan.cast.asksPeople && !isTold && chance('refund') < 0.3;
    const refund = wantsRefund ? ' and refund it' : '';
    const sent = await turn.reply(`${answer}${refund}${tail}`, this.#files(answer, chance));
    const { eventId } = sent.data as { eventId?: string };
    if (kind > 0.36 && kind < 0.42 && sent.ok && eventId !== undefined)
      await turn.edit(eventId, `${answer}.`);
  }

  #files(answer: string, chance: (what: string) => number): ReplyOptions {
    if (!this.#world.plan.cast.files || chance('file') > 0.25) return {};
    return { attachments: [{ name: 'notes.txt', text: `as a file: ${answer}` }] };
  }

  async #askAgent(turn: Turn, answer: string, chance: (what: string) => number): Promise<void> {
    const others = this.#world.plan.cast.agents.filter((id) => id !== this.id);
    const other = pick(others, chance('other'));
    const number = Math.floor(chance('number') * 1e6);
    const mentions = { mentions: [`agent:${other}`], recipient: `agent:${other}` };
    const isOwed = chance('owed') < 0.3;
    const owed = isOwed ? { obligation: { blocks: 'halted', defaultAction: 'I wait.' } as const } : {};
    const word = `${isOwed ? 'v' : 'q'}${number}`;
    await turn.reply(`${answer} @${other} could you check ${word}?`, { ...mentions, ...owed });
  }
}

const quiet = (): void => undefined;
const QUIET = { debug: quiet, info: quiet, warn: quiet, error: quiet };
