// The bots of one workspace: whose login does what. An agent acts through its own. What is only read, such as a history, is
// asked of whichever bot is in the room.
import { createHandOver } from '../hand-over.ts';
import { isOwnLogin, loginOf, pathOfLogin, Roll } from '../logins.ts';
import type { AttachmentOutcome, AttachmentRequest, Surface, SurfaceHost, SurfacePlace } from '../surface.ts';
import { Bot, type BotIdentity, type LoginOptions } from './bot.ts';
import { createPeople, type People } from './people.ts';
import type { LoggedInApi } from './reads.ts';
import type { SlackOptions } from './slack.ts';
import type { Login } from './take.ts';
import { channelOf } from './write.ts';

/** So many rooms are remembered with the bot that hears them. For others, one bot after the other is asked. */
const ROOMS_MAX = 20_000;

/** What Slack posts: events, and what people do by buttons and commands. */
const PATHS = ['events', 'actions'];

export class Bots {
  readonly people: People;
  readonly #options: SlackOptions;
  readonly #bots: readonly Bot[];
  readonly #rooms = new Map<string, Bot>();

  constructor(options: SlackOptions) {
    const { clock, WebClient, apiUrl, more = [] } = options;
    this.#options = options;
    this.people = createPeople(clock);
    const logins: LoginOptions[] = [options, ...more];
    const isOnly = logins.length === 1;
    this.#bots = logins.map((login) => {
      const hasPersona = (agent: string): boolean => isOnly || !isOwnLogin(login, agent);
      return new Bot({ options: login, clock, WebClient, apiUrl, people: this.people, hasPersona });
    });
  }

  async start(host: SurfaceHost): Promise<void> {
    const { clock } = this.#options;
    const roll = new Roll<LoginOptions, BotIdentity>(
      { clock, host },
      this.#bots.map(({ options }) => options),
    );
    await roll.load();
    roll.begin();
    // One queue: what several bots hear of a channel is handed over in one order.
    const handOver = createHandOver(host);
    const isOneOfSeveral = this.#bots.length > 1;
    const all = this.#bots.map((bot) => {
      const heard = (channel: string): void => this.#note(channel, bot);
      return bot.start({ host, roll, handOver, heard, isOneOfSeveral });
    });
    await Promise.all(all);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#bots.map((bot) => bot.stop()));
  }

  /** Through which the agent speaks. */
  of(agent: string): Bot {
    const login = loginOf(
      this.#bots.map(({ options }) => options),
      agent,
    );
    const found = this.#bots.find(({ options }) => options === login);
    if (found === undefined) throw new Error('every login has a bot');
    return found;
  }

  anyLogin(): Login | undefined {
    return this.#bots.map((bot) => bot.current()?.login).find((login) => login !== undefined);
  }

  /** Epoch ms. What was said from then on is still being caught up by some bot. */
  missingSince(): number | undefined {
    const all = this.#bots.flatMap((bot) => bot.missingSince() ?? []);
    return all.length === 0 ? undefined : Math.min(...all);
  }

  /** Asks the bot that hears the room; if it cannot tell, the others. */
  async ask<T>(
    place: SurfacePlace,
    work: (current: LoggedInApi) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    let problem: unknown;
    for (const bot of this.#nearest(place)) {
      const current = bot.current();
      if (current === undefined) continue;
      try {
        const answer = await work(current);
        if (answer !== undefined) return answer;
      } catch (error) {
        problem ??= error;
      }
    }
    if (problem !== undefined) throw problem;
    return undefined;
  }

  async readFile(request: AttachmentRequest): Promise<AttachmentOutcome> {
    let first: AttachmentOutcome | undefined;
    for (const bot of this.#nearest(request.place)) {
      const outcome = await bot.readFile(request);
      if (outcome.type !== 'refused') return outcome;
      first ??= outcome;
    }
    return first ?? { type: 'refused', error: 'no app is in this conversation' };
  }

  get takesRequests(): boolean {
    return this.#bots.some(({ options }) => options.signingSecret !== undefined);
  }

  /** Each app posts to an address of its own, because each signs with a secret of its own. */
  take: NonNullable<Surface['request']> = async (request) => {
    const logins = this.#bots.map(({ options }) => options);
    for (const path of PATHS) {
      const bot = this.#bots.find(({ options }) => pathOfLogin(path, options, logins) === request.path);
      if (bot !== undefined) return bot.take({ ...request, path });
    }
    const paths = logins.flatMap((login) => PATHS.map((path) => `…/${pathOfLogin(path, login, logins)}`));
    return { status: 404, body: `Slack posts to ${paths.join(' or ')} here.` };
  };

  #note(channel: string, bot: Bot): void {
    if (this.#rooms.get(channel) === bot) return;
    if (this.#rooms.size >= ROOMS_MAX) this.#rooms.clear();
    this.#rooms.set(channel, bot);
  }

  #nearest(place: SurfacePlace): Bot[] {
    const near = this.#rooms.get(channelOf(place));
    return near === undefined ? [...this.#bots] : [near, ...this.#bots.filter((bot) => bot !== near)];
  }
}
