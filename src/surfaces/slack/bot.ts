// One login on Slack: the bot of one app in the workspace. It hears for itself, and its agents post, react and look through
// it. A surface has one for all of its agents, or one for each.
import type { WebClient, WebClientOptions } from '@slack/web-api';
import type { Clock } from '../../runtime/clock.ts';
import type { Failure } from '../failure.ts';
import type { HandOver } from '../hand-over.ts';
import { nameOfLogin, type Roll } from '../logins.ts';
import type { Secret } from '../secret.ts';
import type { Session } from '../session.ts';
import type { PostOutcome, Surface, SurfaceAccount, SurfaceHost } from '../surface.ts';
import { createApi, type SlackApi } from './api.ts';
import { readFile } from './files.ts';
import { takeRequest } from './http-events.ts';
import type { People } from './people.ts';
import type { LoggedInApi } from './reads.ts';
import type { SayDeps, Style } from './say.ts';
import { type Current, startSlackSession } from './session.ts';
import type { SocketClient } from './socket.ts';
import { createTakeAct, type TakeAct } from './take-act.ts';
import { createTaker, type Login, type Taker } from './take.ts';

/** One app: its secrets, and whose it is. */
export interface LoginOptions {
  botToken: Secret;
  /** Events over a connection that we open. */
  socket?: { Client: SocketClient; appToken: Secret };
  /** Events that Slack posts to us. */
  signingSecret?: Secret;
  /** The agents that speak through the app. Left out: all, or all that have no app of their own. */
  agents?: readonly string[] | undefined;
}

/** Who a bot is, as it is remembered. */
export type BotIdentity = Pick<SurfaceAccount, 'id' | 'workspaceId' | 'name'> & {
  bot: string | undefined;
  host: string | undefined;
};

export interface BotDeps {
  options: LoginOptions;
  clock: Clock;
  WebClient: new (token: string, options: WebClientOptions) => WebClient;
  apiUrl: string | undefined;
  people: People;
  /** Whether its posts have the agent's name. */
  hasPersona: (agent: string) => boolean;
}

/** What a bot is started with. */
export interface BotStart {
  host: SurfaceHost;
  roll: Roll<LoginOptions, BotIdentity>;
  handOver: HandOver;
  /** Called with the channel of whatever it hears. */
  heard: (channel: string) => void;
  isOneOfSeveral: boolean;
}

interface Running extends BotStart {
  session: Session<Current>;
  taker: Taker;
  takeAct: TakeAct;
}

export class Bot {
  readonly options: LoginOptions;
  readonly #deps: BotDeps;
  /** Kept from one post to the next. */
  readonly #style: Style = { markdown: true, markdownBlock: true, persona: true };
  /** Through its own app an agent has the name and the picture of the app. */
  readonly #ownStyle: Style = { markdown: true, markdownBlock: true, persona: false };
  #running: Running | undefined;
  /** Epoch ms. */
  #heardAt: number | undefined;

  constructor(deps: BotDeps) {
    this.#deps = deps;
    this.options = deps.options;
  }

  async start(given: BotStart): Promise<void> {
    const { clock, people, apiUrl } = this.#deps;
    const { host, roll, handOver, isOneOfSeveral } = given;
    const { options } = this;
    const hears = {
      ...host,
      health: (state: Parameters<SurfaceHost['health']>[0]) => roll.note(options, state),
    };
    const heard = (channel?: string): void => {
      this.#heardAt = clock.now();
      if (channel !== undefined) given.heard(channel);
    };
    const session = (): LoggedInApi | undefined => (roll.isIntroduced ? this.current() : undefined);
    const taker = createTaker({ host, people, now: () => clock.now(), session, handOver, heard });
    const takeAct = createTakeAct({ host, people, clock, apiUrl, session });
    const running = startSlackSession({
      clock,
      host: hears,
      people,
      taker,
      takeAct,
      botToken: options.botToken,
      makeApi: (token) => this.#api(token),
      mark: options.agents === undefined || !isOneOfSeveral ? 'gap' : `gap/${nameOfLogin(options)}`,
      isOneOfSeveral,
      heardAt: () => (isOneOfSeveral ? this.#heardAt : undefined),
      loggedIn: (login, missing) => this.#loggedIn(login, missing, roll),
      tried: () => roll.tried(options),
      introduced: () => roll.introduced,
      listening: () => heard(),
      ...(options.socket !== undefined && { socket: { ...options.socket, apiUrl } }),
    });
    this.#running = { ...given, taker, takeAct, session: running };
    await running.ready;
  }

  async stop(): Promise<void> {
    await this.#running?.session.stop();
    this.#running = undefined;
  }

  current(): LoggedInApi | undefined {
    return this.#running?.session.current();
  }

  /** Epoch ms. What was said from then on is still being caught up. Undefined: nothing is missing. */
  missingSince(): number | undefined {
    const current = this.#running?.session.current();
    return current?.isFilled === false ? current.before.since : undefined;
  }

  /** Does it with the login in force; while there is none, with the token as it is kept. */
  async say(agent: string, work: (deps: SayDeps) => Promise<PostOutcome>): Promise<PostOutcome> {
    const found = await this.#use();
    if (found === undefined) return { type: 'refused', scope: 'account', error: this.#missing() };
    // The others would take its post for that of a stranger.
    if (found.login === undefined && this.#running?.isOneOfSeveral === true) return NOT_YET;
    const style = this.#deps.hasPersona(agent) ? this.#style : this.#ownStyle;
    const { people, clock, apiUrl } = this.#deps;
    const outcome = await work({ ...found, people, style, clock, apiUrl });
    if (outcome.type === 'refused' && outcome.scope === 'account') this.#running?.session.lost(outcome.error);
    return outcome;
  }

  async readFile(request: Parameters<typeof readFile>[1]): ReturnType<typeof readFile> {
    const found = await this.#use();
    if (found === undefined) return { type: 'retry', error: this.#missing() };
    return readFile({ ...found, apiUrl: this.#deps.apiUrl }, request);
  }

  take: NonNullable<Surface['request']> = async (given) => {
    const { signingSecret } = this.options;
    const running = this.#running;
    if (running === undefined || signingSecret === undefined) return { status: 503, body: 'not started yet' };
    const { host, taker, takeAct } = running;
    return takeRequest({ signingSecret, host, take: (body) => taker.take(body), takeAct }, given);
  };

  async #loggedIn(
    login: Login,
    missing: readonly string[],
    roll: BotStart['roll'],
  ): Promise<Failure | undefined> {
    const { team, user, bot, host, name } = login;
    const shown = this.#deps.people.nameOf(user)?.name ?? name ?? user;
    const identity = { id: user, workspaceId: team, name: shown, bot, host };
    const error = roll.problem(this.options, identity);
    if (error !== undefined) return { type: 'refused', code: 'login', error };
    login.others = () => this.#others(roll);
    this.#style.persona = !missing.includes('chat:write.customize');
    await roll.learn(this.options, identity);
    return undefined;
  }

  #others(roll: BotStart['roll']): Pick<Login, 'user' | 'bot'>[] {
    return roll.others(this.options).map(({ id, bot }) => ({ user: id, bot }));
  }

  async #use(): Promise<{ api: SlackApi; login: Login | undefined; token: string } | undefined> {
    const token = await this.options.botToken.read();
    if (token === undefined) return undefined;
    const current = this.current();
    return { api: current?.api ?? this.#api(token), login: current?.login ?? this.#remembered(), token };
  }

  /** Who it was before, of several. */
  #remembered(): Login | undefined {
    const { roll } = this.#running ?? {};
    const kept = roll?.identityOf(this.options);
    if (roll === undefined || kept === undefined) return undefined;
    const { id: user, workspaceId: team, bot, host, name } = kept;
    return { team, user, bot, host, name, others: () => this.#others(roll) };
  }

  #api(token: string): SlackApi {
    return createApi(this.#deps.WebClient, token, this.#deps.apiUrl);
  }

  #missing(): string {
    return `${this.options.botToken.name} is missing`;
  }
}

const NOT_YET: PostOutcome = { type: 'retry', error: 'not logged in to Slack yet' };
