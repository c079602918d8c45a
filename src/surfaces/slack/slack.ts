// Slack as a surface: one workspace, one app. Events come over Socket Mode or HTTP; agents post under their own names
// through the one login. Everything that Slack may do wrong is an outcome or a state of health, never a crash.
import type { WebClient, WebClientOptions } from '@slack/web-api';
import type { Clock } from '../../runtime/clock.ts';
import type { Secret } from '../secret.ts';
import type { Session } from '../session.ts';
import type { PostOutcome, Surface, SurfaceHost } from '../surface.ts';
import { within } from '../within.ts';
import { amend } from './amend.ts';
import { createApi, type SlackApi } from './api.ts';
import { readFile } from './files.ts';
import { takeRequest } from './http-events.ts';
import { messageAt } from './link.ts';
import { createPeople, type People } from './people.ts';
import { PLATFORM } from './read-event.ts';
import { historyOf, type LoggedInApi, membersOf, openDirect } from './reads.ts';
import { ask, find, post, react, type SayDeps, showDecided, type Style } from './say.ts';
import { type Current, startSlackSession } from './session.ts';
import type { SocketClient } from './socket.ts';
import { createTakeAct, type TakeAct } from './take-act.ts';
import { createTaker, type Login, type Taker } from './take.ts';
import { channelOf, MAX_CHARS } from './write.ts';

export interface SlackOptions {
  id: string;
  clock: Clock;
  /** Slack's own packages, loaded by the caller. */
  WebClient: new (
    token: string,
    options: WebClientOptions,
  ) => WebClient;
  botToken: Secret;
  /** Events over a connection that we open. */
  socket?: { Client: SocketClient; appToken: Secret };
  /** Events that Slack posts to us. */
  signingSecret?: Secret;
  replies?: 'thread' | 'room' | undefined;
  /** The agents that speak through the app. Left out: all. */
  agents?: readonly string[] | undefined;
  /** Another address than https://slack.com/api/. */
  apiUrl?: string | undefined;
}

/** How many messages one text may become. */
const MAX_PARTS = 20;
/** Slack takes a gigabyte. */
const FILE_BYTES = 1_000_000_000;
/** Slack waits three seconds for an answer, and the first event of a conversation waits for its history. */
const HISTORY_MS = 1_500;

export const CAPABILITIES: Surface['capabilities'] = {
  hears: { edits: true, deletes: true, reactions: true, typing: false, bots: true },
  does: {
    edits: true,
    deletes: true,
    reactions: true,
    typing: true,
    ephemeral: true,
    questions: true,
    files: true,
  },
  threads: 'any',
  membership: true,
  idempotentForMs: 0,
  findable: true,
  maxChars: MAX_CHARS,
  maxParts: MAX_PARTS,
  files: { maxBytes: FILE_BYTES, apart: true },
};

export function slackSurface(options: SlackOptions): Surface {
  const { id, clock, replies } = options;
  const app = new App(options);
  return {
    id,
    platform: PLATFORM,
    capabilities: CAPABILITIES,
    ...(replies !== undefined && { replies }),
    start: (host) => app.start(host),
    stop: () => app.stop(),
    post: (message) => app.say((deps) => post(deps, message)),
    react: (reaction) => app.say((deps) => react(deps, reaction)),
    amend: (amendment) => app.say((deps) => amend(deps, amendment)),
    find: (message) => app.say((deps) => find(deps, message)),
    ask: (question) => app.say((deps) => ask(deps, question)),
    decided: (question) => app.say((deps) => showDecided(deps, question)),
    async typing(place, _agent, on) {
      if (place.parentId === undefined) return; // Slack shows it in threads only
      const args = { channel_id: channelOf(place), thread_ts: place.conversationId };
      await app.current()?.api.call('assistant.threads.setStatus', {
        ...args,
        status: on ? 'is working on it…' : '',
      });
    },
    attachment: (request) => app.readFile(request),
    async history(request) {
      const current = app.current();
      if (current === undefined) return [];
      // What is still being caught up is no history: it is handed over to be decided.
      const before = Math.min(request.before, app.missingSince() ?? Infinity);
      const told = historyOf(current, app.people, { ...request, before });
      return (await within(clock, HISTORY_MS, told)) ?? [];
    },
    async members(place) {
      const current = app.current();
      return current === undefined ? undefined : membersOf(current, app.people, place);
    },
    async direct(person) {
      const current = app.current();
      return current === undefined ? NOT_YET : openDirect(current, person);
    },
    fromLink: (link) => messageAt(link, app.current()?.login),
    ...(options.signingSecret !== undefined && { request: (given) => app.take(given) }),
  };
}

const NOT_YET = { type: 'retry', error: 'not logged in to Slack yet' } as const;

/** The app in the workspace: its login, and what it takes in while it runs. */
class App {
  readonly people: People;
  readonly #options: SlackOptions;
  /** Kept from one post to the next. */
  readonly #style: Style = { markdown: true, markdownBlock: true, persona: true };
  #running: { host: SurfaceHost; session: Session<Current>; taker: Taker; takeAct: TakeAct } | undefined;

  constructor(options: SlackOptions) {
    this.#options = options;
    this.people = createPeople(options.clock);
  }

  async start(host: SurfaceHost): Promise<void> {
    const { clock, botToken, socket, apiUrl } = this.#options;
    const { people } = this;
    const session = (): LoggedInApi | undefined => this.current();
    const taker = createTaker({ host, people, now: () => clock.now(), session });
    const takeAct = createTakeAct({ host, people, clock, apiUrl, session });
    const running = startSlackSession({
      clock,
      host,
      people,
      taker,
      takeAct,
      botToken,
      makeApi: (token) => this.#api(token),
      agents: this.#options.agents ?? '*',
      loggedIn: (_login, missing) => {
        this.#style.persona = !missing.includes('chat:write.customize');
      },
      ...(socket !== undefined && { socket: { ...socket, apiUrl } }),
    });
    this.#running = { host, taker, takeAct, session: running };
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
  async say(work: (deps: SayDeps) => Promise<PostOutcome>): Promise<PostOutcome> {
    const found = await this.#use();
    if (found === undefined) return { type: 'refused', scope: 'account', error: this.#missing() };
    const { clock, apiUrl } = this.#options;
    const outcome = await work({ ...found, people: this.people, style: this.#style, clock, apiUrl });
    if (outcome.type === 'refused' && outcome.scope === 'account') this.#running?.session.lost(outcome.error);
    return outcome;
  }

  async readFile(request: Parameters<typeof readFile>[1]): ReturnType<typeof readFile> {
    const found = await this.#use();
    if (found === undefined) return { type: 'retry', error: this.#missing() };
    return readFile({ ...found, apiUrl: this.#options.apiUrl }, request);
  }

  take: NonNullable<Surface['request']> = async (given) => {
    const { signingSecret } = this.#options;
    const running = this.#running;
    if (running === undefined || signingSecret === undefined) return { status: 503, body: 'not started yet' };
    const { host, taker, takeAct } = running;
    return takeRequest({ signingSecret, host, take: (body) => taker.take(body), takeAct }, given);
  };

  async #use(): Promise<{ api: SlackApi; login: Login | undefined; token: string } | undefined> {
    const token = await this.#options.botToken.read();
    if (token === undefined) return undefined;
    const current = this.current();
    return { api: current?.api ?? this.#api(token), login: current?.login, token };
  }

  #api(token: string): SlackApi {
    return createApi(this.#options.WebClient, token, this.#options.apiUrl);
  }

  #missing(): string {
    return `${this.#options.botToken.name} is missing`;
  }
}
