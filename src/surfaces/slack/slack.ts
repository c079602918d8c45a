// Slack as a surface: one workspace, one app. Events come over Socket Mode or HTTP; agents post under their own names
// through the one login. Everything that Slack may do wrong is an outcome or a state of health, never a crash.
import type { WebClient, WebClientOptions } from '@slack/web-api';
import type { Clock } from '../../runtime/clock.ts';
import type { Secret } from '../secret.ts';
import { withoutMarks } from '../../protocol/source-event.ts';
import type { HistoryRequest, Members, PostOutcome, Surface, SurfaceHost, SurfacePlace } from '../surface.ts';
import { createApi, type SlackApi } from './api.ts';
import { readFile } from './files.ts';
import { messageAt } from './link.ts';
import { takeRequest } from './http-events.ts';
import { readPast } from './past.ts';
import { createPeople, type People, within } from './people.ts';
import { isSaid, PLATFORM, readMessage } from './read-event.ts';
import { find, post, react, type SayDeps } from './say.ts';
import { type Session, type SessionDeps, startSession } from './session.ts';
import type { SocketClient } from './socket.ts';
import { type Login, type Taker, createTaker, knownOf } from './take.ts';
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
  /** Another address than https://slack.com/api/. */
  apiUrl?: string | undefined;
}

const LIMITS = {
  /** Of one text. The host cuts longer ones. */
  parts: 20,
  /** Slack waits three seconds for an answer, and the first event of a conversation waits for its history. */
  historyMs: 1_500,
  /** Of these each is looked up. In a larger room nobody counts heads. */
  members: 20,
} as const;

/** What is needed to do anything. */
interface Use {
  api: SlackApi;
  login: Login | undefined;
  token: string;
}

export function slackSurface(options: SlackOptions): Surface {
  const { id, clock, botToken, replies, apiUrl } = options;
  const people = createPeople(clock);
  const style = { markdown: true, persona: true };
  let running: { host: SurfaceHost; session: Session; taker: Taker } | undefined;

  /** The login in force; while there is none, the token as it is kept. */
  const use = async (): Promise<Use | undefined> => {
    const token = await botToken.read();
    if (token === undefined) return undefined;
    const current = running?.session.current();
    const api = current?.api ?? createApi(options.WebClient, token, apiUrl);
    return { api, login: current?.login, token };
  };
  const say = async (work: (deps: SayDeps) => Promise<PostOutcome>): Promise<PostOutcome> => {
    const found = await use();
    const missing = `${botToken.name} is missing`;
    if (found === undefined) return { type: 'refused', scope: 'account', error: missing };
    const outcome = await work({ ...found, people, style });
    if (outcome.type === 'refused' && outcome.scope === 'account') running?.session.lost(outcome.error);
    return outcome;
  };
  const { signingSecret } = options;
  return {
    id,
    platform: PLATFORM,
    capabilities: CAPABILITIES,
    ...(replies !== undefined && { replies }),
    async start(host) {
      const session = (): { api: SlackApi; login: Login } | undefined => running?.session.current();
      const taker = createTaker({ host, people, now: () => clock.now(), session });
      const loggedIn: SessionDeps['loggedIn'] = (_login, missing) => {
        style.persona = !missing.includes('chat:write.customize');
      };
      const deps = { ...sessionDeps(options, host), people, taker, loggedIn };
      running = { host, taker, session: startSession(deps) };
      await running.session.ready;
    },
    post: (message) => say((deps) => post(deps, message)),
    react: (reaction) => say((deps) => react(deps, reaction)),
    find: (message) => say((deps) => find(deps, message)),
    async typing(place, _agent, on) {
      const found = await use();
      if (found === undefined || place.parentId === undefined) return; // Slack shows it in threads only
      await found.api.call('assistant.threads.setStatus', {
        channel_id: channelOf(place),
        thread_ts: place.conversationId,
        status: on ? 'is working on it…' : '',
      });
    },
    async attachment(request) {
      const found = await use();
      if (found === undefined) return { type: 'retry', error: `${botToken.name} is missing` };
      return readFile({ ...found, apiUrl }, request);
    },
    async history(request) {
      const current = running?.session.current();
      if (current === undefined) return [];
      return (await within(clock, LIMITS.historyMs, historyOf(current, people, request))) ?? [];
    },
    async members(place) {
      const current = running?.session.current();
      return current === undefined ? undefined : membersOf(current, people, place);
    },
    async direct(person) {
      const current = running?.session.current();
      if (current === undefined) return { type: 'retry', error: 'not logged in to Slack yet' };
      return openDirect(current, person);
    },
    fromLink: (link) => messageAt(link, running?.session.current()?.login),
    ...(signingSecret !== undefined && {
      async request(given) {
        if (running === undefined) return { status: 503, body: 'not started yet' };
        const { host, taker } = running;
        const take = (body: unknown): ReturnType<Taker['take']> => taker.take(body);
        return takeRequest({ signingSecret, host, take }, given);
      },
    }),
    async stop() {
      await running?.session.stop();
      running = undefined;
    },
  };
}

const CAPABILITIES: Surface['capabilities'] = {
  hears: { edits: true, deletes: true, reactions: true, typing: false, bots: true },
  does: { edits: false, deletes: false, reactions: true, typing: true, ephemeral: true, questions: false },
  threads: 'any',
  membership: true,
  idempotentForMs: 0,
  findable: true,
  maxChars: MAX_CHARS,
  maxParts: LIMITS.parts,
};

function sessionDeps(
  options: SlackOptions,
  host: SurfaceHost,
): Omit<SessionDeps, 'people' | 'taker' | 'loggedIn'> {
  const { clock, botToken, socket, apiUrl, WebClient: Client } = options;
  return {
    clock,
    host,
    botToken,
    makeApi: (token) => createApi(Client, token, apiUrl),
    ...(socket !== undefined && { socket: { ...socket, apiUrl } }),
  };
}

async function historyOf(
  { api, login }: { api: SlackApi; login: Login },
  people: People,
  { place, before, limit }: HistoryRequest,
) {
  const channel = channelOf(place);
  const thread = place.parentId === undefined ? undefined : place.conversationId;
  const past = await readPast(api, { channel, thread, until: before, limit });
  if (!past.ok) throw new Error(`Slack did not tell the history: ${past.failure.error}`);
  const said = past.value.messages
    .filter((message) => isSaid(message) && message.ts !== thread)
    .slice(-limit);
  await people.learn(
    api,
    said.flatMap(({ user }) => user ?? []),
  );
  const known = knownOf(login, people, before);
  return said.map((message) => withoutMarks(readMessage(message, channel, known)));
}

async function membersOf(
  { api, login }: { api: SlackApi; login: Login },
  people: People,
  place: SurfacePlace,
): Promise<Members | undefined> {
  const called = await api.call<{ members?: string[]; response_metadata?: { next_cursor?: string } }>(
    'conversations.members',
    { channel: channelOf(place), limit: 200 },
  );
  if (!called.ok || called.value.members === undefined) return undefined;
  const { members, response_metadata } = called.value;
  const others = members.filter((member) => member !== login.user);
  const isWhole = !response_metadata?.next_cursor;
  if (!isWhole || others.length > LIMITS.members)
    return { humans: others.length, agents: 1, complete: false };
  await people.learn(api, others);
  const bots = others.filter((member) => people.nameOf(member)?.isBot === true).length;
  const isComplete = others.every((member) => people.nameOf(member) !== undefined);
  return { humans: others.length - bots, agents: bots + 1, complete: isComplete };
}

async function openDirect({ api, login }: { api: SlackApi; login: Login }, person: string) {
  const called = await api.call<{ channel?: { id?: string } }>('conversations.open', { users: person });
  if (!called.ok) {
    const { failure } = called;
    const { error } = failure;
    return failure.type === 'refused'
      ? ({ type: 'refused', error } as const)
      : ({ type: 'retry', error } as const);
  }
  const id = called.value.channel?.id;
  if (id === undefined) return { type: 'retry', error: 'Slack opened no conversation' } as const;
  const conversation = { id, kind: 'dm' } as const;
  return { type: 'place', place: { platform: PLATFORM, workspaceId: login.team, conversation } } as const;
}
