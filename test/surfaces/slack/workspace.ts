// A Slack workspace on loopback: `emulate` behind the fault proxy. What it lacks is added here and is ours, not Slack's:
// a place to subscribe events, channel_type in them and event_ts of reactions, scopes, dead tokens, `markdown_text`, rules
// for blocks, response_url, what people do by buttons and commands (acts.ts), a second app, which rooms each app is in, and
// Socket Mode (socket-server.ts). It ignores `oldest` and `latest`.
import { type Emulator, createEmulator } from 'emulate';
import { vi } from 'vitest';
import { type App, type Call, emulatedPlugin, type Webhooks } from '../emulated-plugin.ts';
import { type FaultProxy, faultProxy } from '../fault-proxy.ts';
import { blocksProblem, noteEphemeral, takeResponses } from './blocks.ts';

export const SIGNING_SECRET = 'slack-signing-secret-of-the-tests';
export const BOT_TOKEN = 'xoxb-tests-of-earshot';
export const APP_TOKEN = 'xapp-tests-of-earshot';
export const BOT = 'U0EARSHOT';
/** A second app, which is in no room unless a test invites it. */
export const BUILDER_TOKEN = 'xoxb-builder-of-earshot';
export const BUILDER_APP_TOKEN = 'xapp-builder-of-earshot';
export const BUILDER_BOT = 'U0BUILDER';
const APPS = {
  earshot: { bot: BOT, tokens: [BOT_TOKEN, APP_TOKEN], owner: 'slack' },
  builder: { bot: BUILDER_BOT, tokens: [BUILDER_TOKEN, BUILDER_APP_TOKEN], owner: 'slack-builder' },
} as const;
export type AppName = keyof typeof APPS;
const APP_NAMES = Object.keys(APPS) as AppName[];
const PEOPLE = ['ada', 'bob'] as const;
export type Person = (typeof PEOPLE)[number];

/** A message as conversations.history tells it. */
export interface Shown {
  ts: string;
  user: string;
  text: string;
  username?: string;
  thread_ts?: string;
  reactions?: { name: string; users: string[] }[];
  metadata?: { event_payload?: { key?: string } };
  blocks?: Block[];
  files?: { id: string; name: string; size: number }[];
}

export interface Block {
  type: string;
  text?: string | { type: string; text: string };
  elements?: { action_id?: string; value?: string; text?: string | { text: string } }[];
}

/** What one person alone was shown. */
export interface Alone {
  user: string;
  text: string;
  thread_ts?: string;
  /** How: by Slack's own address for the answer, or as an ephemeral message. */
  by: 'response_url' | 'ephemeral';
}

export interface Workspace {
  /** The Web API through the fault proxy: what the surface uses. */
  apiUrl: string;
  proxy: FaultProxy;
  team: string;
  channel: string;
  /** The Slack ids of people. */
  users: Record<Person, string>;
  /** Calls a method of the API as somebody, around the proxy. */
  call(who: Person | 'bot', method: string, args?: Record<string, unknown>): Promise<Answer>;
  /** Somebody writes; answers with the ts. */
  say(who: Person, text: string, more?: Record<string, unknown>): Promise<string>;
  /** The conversation of somebody with the app. */
  direct(who: Person, app?: AppName): Promise<string>;
  /** Whether the app is in the room. */
  isIn(app: AppName, channel: string): boolean;
  /** Puts the app into the channel, or out of it. */
  invite(app: AppName, isIn?: boolean): Promise<void>;
  /** Everything that people see in the channel, or another, and its threads, oldest first. */
  shown(channel?: string): Promise<Shown[]>;
  /** Where events are posted, signed: the app's, and the second app's. Undefined: nobody listens. */
  listen(url: string | undefined, builderUrl?: string): void;
  /** Every event that was told, as it was told. */
  told: Told[];
  /** Whether an event is posted to whoever listens. Default: every one. */
  tells: (envelope: Told, app: AppName) => boolean;
  /** Tokens that Slack no longer takes, by the error it gives. */
  dead: Map<string, string>;
  /** What the token may do, as Slack says it in a header. */
  scopes: readonly string[];
  /** `endless`: every page of messages says that there is another one. */
  pages: 'endless' | undefined;
  /** Whether it knows `markdown_text`. */
  markdown: boolean;
  /** Whether it knows blocks of Markdown. */
  markdownBlocks: boolean;
  /** What people alone were shown, in order. */
  alone: Alone[];
  /** The address for an answer to this person. */
  responseUrl(user: string): string;
  /** Where the app is, by name. */
  invited: string[];
  /** Conversations of somebody with an app, by id. */
  directs: Map<string, AppName>;
  /** Apps that are in the channel. */
  inChannel: Set<AppName>;
  /** What files.info tells instead of the truth. */
  file: Record<string, unknown> | undefined;
  /** Where files are uploaded to instead of the proxy. */
  uploadsTo: string | undefined;
  /** Methods that Slack refuses, by the error it gives. */
  refused: Map<string, string>;
  /** Where Socket Mode connects to. */
  socketUrl: string | undefined;
}

export interface Told {
  event: Record<string, unknown>;
}

export type Answer = Record<string, unknown> & { ok: boolean; error?: string; ts?: string };

/** `now`: its time is the test's. Without it, the machine's. */
export async function slackWorkspace(
  finished: (end: () => Promise<void>) => void,
  now?: () => number,
): Promise<Workspace> {
  const slack = await emulatedPlugin('slackPlugin');
  const time = now === undefined ? undefined : vi.spyOn(Date, 'now').mockImplementation(now);
  const register = slack.register;
  let webhooks: Webhooks | undefined;
  const workspace = {
    told: [],
    dead: new Map(),
    refused: new Map(),
    scopes: [],
    markdown: true,
    markdownBlocks: true,
    alone: [],
    invited: ['dev'],
    directs: new Map(),
    inChannel: new Set<AppName>(['earshot']),
  } as unknown as Workspace;
  workspace.tells = () => true;
  slack.register = (app, store, given, ...rest) => {
    webhooks = given;
    addRoutes(app, workspace);
    enrich(given, workspace);
    register(app, store, given, ...rest);
  };
  let emulator: Emulator;
  try {
    emulator = await createEmulator({ service: 'slack', port: 0, seed: { slack: SEED } });
  } finally {
    slack.register = register;
  }
  const direct = emulator.url.replace('localhost', '127.0.0.1');
  workspace.proxy = await faultProxy(direct);
  workspace.apiUrl = `${workspace.proxy.url}/api/`;
  workspace.responseUrl = (user) => `${workspace.proxy.url}/response/${user}`;
  finished(async () => {
    time?.mockRestore();
    await workspace.proxy.close();
    await emulator.close();
  });
  addCalls(workspace, direct, () => webhooks);
  await learn(workspace);
  return workspace;
}

const SEED = {
  team: { name: 'Tests', domain: 'tests' },
  users: PEOPLE.map((name) => ({ name, real_name: name[0]?.toUpperCase() + name.slice(1) })),
  channels: [{ name: 'dev' }],
  signing_secret: SIGNING_SECRET,
  oauth_apps: [
    {
      client_id: '1.1',
      client_secret: 'unused',
      app_id: 'A0EARSHOT',
      name: 'earshot',
      redirect_uris: [],
      scopes: [],
      bot_name: 'earshot',
      bot_id: 'B0EARSHOT',
      bot_user_id: BOT,
    },
    {
      client_id: '2.2',
      client_secret: 'unused',
      app_id: 'A0BUILDER',
      name: 'builder',
      redirect_uris: [],
      scopes: [],
      bot_name: 'builder-bot',
      bot_id: 'B0BUILDER',
      bot_user_id: BUILDER_BOT,
    },
  ],
  tokens: [
    {
      token: BUILDER_TOKEN,
      user: BUILDER_BOT,
      type: 'bot',
      bot_id: 'B0BUILDER',
      bot_user_id: BUILDER_BOT,
      app_id: 'A0BUILDER',
    },
    { token: BOT_TOKEN, user: BOT, type: 'bot', bot_id: 'B0EARSHOT', bot_user_id: BOT, app_id: 'A0EARSHOT' },
    ...PEOPLE.map((name) => ({ token: `xoxp-${name}`, user: name, type: 'user' })),
  ],
};

/** Ours: dead tokens, scopes, Socket Mode. */
function addRoutes(app: App, workspace: Workspace): void {
  app.use('*', async (c, next) => {
    const token = c.req.header('authorization')?.replace('Bearer ', '') ?? '';
    const error = workspace.dead.get(token);
    if (error !== undefined) return c.json({ ok: false, error });
    const refusal = workspace.refused.get(c.req.path.slice('/api/'.length));
    if (refusal !== undefined) return c.json({ ok: false, error: refusal });
    const caller = APP_NAMES.find((name) => APPS[name].tokens.some((one) => one === token));
    if (caller !== undefined && c.req.header(INNER) === undefined && c.req.method === 'POST') {
      const channel = await channelIn(c);
      if (channel !== undefined && !workspace.isIn(caller, channel) && !c.req.path.endsWith('.join'))
        return c.json({ ok: false, error: 'channel_not_found' });
    }
    if (workspace.pages === 'endless' && /conversations\.(?:history|replies)$/.test(c.req.path)) {
      const messages = [
        { type: 'message', user: 'U1', text: 'x', ts: `${Math.floor(Date.now() / 1_000)}.000001` },
      ];
      return c.json({ ok: true, messages, has_more: true, response_metadata: { next_cursor: 'next' } });
    }
    if (workspace.file !== undefined && c.req.path === '/api/files.info')
      return c.json({ ok: true, file: workspace.file });
    if (workspace.markdown && /^\/api\/chat\.(?:postMessage|update)$/.test(c.req.path)) {
      const problem = await withMarkdown(c);
      if (problem !== undefined) return c.json({ ok: false, error: problem });
    }
    if (/chat\.(?:postMessage|update)$/.test(c.req.path)) {
      const problem = await blocksProblem(c, workspace);
      if (problem !== undefined) return c.json({ ok: false, error: problem });
    }
    if (c.req.path === '/api/chat.postEphemeral') await noteEphemeral(c, workspace);
    if (c.req.path === '/api/files.getUploadURLExternal' && c.req.header(INNER) === undefined)
      return throughProxy(c, workspace);
    if (workspace.scopes.length > 0) c.header('x-oauth-scopes', workspace.scopes.join(','));
    if (c.req.path === '/api/conversations.history' && c.req.header(INNER) === undefined)
      return withLatestReply(c, workspace);
    await next();
    return undefined;
  });
  app.post('/api/users.conversations', async (c) => {
    const types = new URLSearchParams(await c.req.raw.text()).get('types') ?? 'public_channel';
    const token = c.req.header('authorization')?.replace('Bearer ', '');
    const me = token === BUILDER_TOKEN ? 'builder' : 'earshot';
    const rooms = workspace.invited
      .map((name) => ({ id: name === 'dev' ? workspace.channel : name, name }))
      .filter(({ id }) => workspace.isIn(me, id));
    const directs = [...workspace.directs].flatMap(([id, owner]) =>
      owner === me ? [{ id, is_im: true }] : [],
    );
    const channels = [
      ...(types.includes('public_channel') ? rooms : []),
      ...(types.split(',').includes('im') ? directs : []),
    ];
    return Response.json({ ok: true, channels });
  });
  takeResponses(app, workspace);
  app.post('/api/apps.connections.open', (c) => {
    if (workspace.socketUrl === undefined) return Response.json({ ok: false, error: 'internal_error' });
    const name = c.req.header('authorization')?.endsWith(BUILDER_APP_TOKEN) ? 'builder' : 'earshot';
    return Response.json({ ok: true, url: `${workspace.socketUrl}/?app=${name}` });
  });
}

/** The channel that a call is about. */
async function channelIn(c: Call): Promise<string | undefined> {
  const text = await c.req.raw.clone().text();
  if (!text.startsWith('{')) return new URLSearchParams(text).get('channel') ?? undefined;
  return (JSON.parse(text) as { channel?: string }).channel;
}

/** The place for an upload, behind the proxy as everything else. */
async function throughProxy(c: Call, { proxy, uploadsTo }: Workspace): Promise<Response> {
  const { url, headers } = c.req.raw;
  const inner = { ...Object.fromEntries(headers), [INNER]: '1' };
  const answer = await fetch(url, { method: 'POST', headers: inner, body: await c.req.raw.text() });
  const body = (await answer.json()) as { upload_url?: string };
  const to = URL.parse(body.upload_url ?? '');
  const behind = to === null ? undefined : `${proxy.url}${to.pathname}`;
  return c.json({ ...body, upload_url: uploadsTo ?? behind });
}

/** As much Markdown as Slack takes in one message. */
export const MARKDOWN_CHARS = 12_000;

/** Slack's `markdown_text` as the emulator's `text`. Answers with what is wrong. */
async function withMarkdown(c: Call): Promise<string | undefined> {
  const args = new URLSearchParams(await c.req.raw.clone().text());
  const text = args.get('markdown_text');
  if (text === null) return undefined;
  if (args.has('text') || args.has('blocks')) return 'markdown_text_conflict';
  if (text.length > MARKDOWN_CHARS) return 'msg_too_long';
  args.delete('markdown_text');
  args.set('text', text);
  const { url, headers } = c.req.raw;
  c.req.raw = new Request(url, { method: 'POST', headers, body: args.toString() });
  return undefined;
}

/** Slack says of a root when it was answered last. */
async function withLatestReply(c: Call, { told }: Workspace): Promise<Response> {
  const { url, headers } = c.req.raw;
  const inner = { ...Object.fromEntries(headers), [INNER]: '1' };
  const answer = await fetch(url, { method: 'POST', headers: inner, body: await c.req.raw.text() });
  const body = (await answer.json()) as { messages?: { ts: string; reply_count?: number }[] };
  const latest = new Map(told.map(({ event }) => [event['thread_ts'], event['ts']]));
  const messages = body.messages?.map((one) =>
    one.reply_count === undefined ? one : { ...one, latest_reply: latest.get(one.ts) },
  );
  return c.json({ ...body, ...(messages !== undefined && { messages }) });
}
/** The emulator asked by its own door. */
const INNER = 'x-inner';

/** Ours: what Slack's events have and the emulator's have not. */
function enrich(webhooks: Webhooks, workspace: Workspace): void {
  const dispatch = webhooks.dispatch.bind(webhooks);
  webhooks.dispatch = async (event, action, payload, owner) => {
    const envelope = payload as { event: Record<string, unknown> };
    const { channel, item } = envelope.event as { channel?: unknown; item?: { channel?: unknown } };
    const id = String(channel ?? item?.channel);
    const full = {
      ...envelope,
      event: {
        channel_type: id.startsWith('D') ? 'im' : 'channel',
        ...(item !== undefined && { event_ts: reactionTs() }),
        ...envelope.event,
      },
    };
    workspace.told.push(full);
    // Every app that is there is told, each under an id of its own.
    for (const app of APP_NAMES.filter((name) => workspace.isIn(name, id))) {
      const copy = app === 'earshot' ? full : { ...full, event_id: `Ev0BUILDER${workspace.told.length}` };
      if (workspace.tells(copy, app)) await dispatch(event, action, copy, ownerOf(app, owner));
    }
  };
}

function ownerOf(app: AppName, owner: string): string {
  return app === 'earshot' ? owner : APPS[app].owner;
}

let reactions = 0;

function reactionTs(): string {
  return `${Math.floor(Date.now() / 1_000)}.${String(++reactions).padStart(6, '0')}`;
}

function addCalls(workspace: Workspace, url: string, webhooks: () => Webhooks | undefined): void {
  workspace.call = async (who, method, args = {}) => {
    const response = await fetch(`${url}/api/${method}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${who === 'bot' ? BOT_TOKEN : `xoxp-${who}`}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(args),
    });
    return (await response.json()) as Answer;
  };
  workspace.say = async (who, text, more = {}) => {
    const answer = await workspace.call(who, 'chat.postMessage', {
      channel: workspace.channel,
      text,
      ...more,
    });
    if (answer.ts === undefined) throw new Error(`${who} could not say it: ${answer.error}`);
    return answer.ts;
  };
  workspace.direct = async (who, app = 'earshot') => {
    const { channel } = await workspace.call(who, 'conversations.open', { users: APPS[app].bot });
    const { id } = channel as { id: string };
    workspace.directs.set(id, app);
    return id;
  };
  workspace.isIn = (app, channel) => {
    if (channel === workspace.channel) return workspace.inChannel.has(app);
    return (workspace.directs.get(channel) ?? 'earshot') === app;
  };
  workspace.invite = async (app, isIn = true) => {
    if (!isIn) return void workspace.inChannel.delete(app);
    workspace.inChannel.add(app);
    const headers = {
      authorization: `Bearer ${APPS[app].tokens[0]}`,
      'content-type': 'application/json',
    };
    const body = JSON.stringify({ channel: workspace.channel });
    await fetch(`${url}/api/conversations.join`, { method: 'POST', headers, body });
  };
  workspace.shown = async (channel = workspace.channel) => {
    const who = workspace.isIn('earshot', channel) ? 'bot' : 'ada';
    const rooms = await workspace.call(who, 'conversations.history', { channel, limit: 1_000 });
    const roots = (rooms['messages'] as Shown[]) ?? [];
    const all = await Promise.all(
      roots.map(async ({ ts }) => {
        const replies = await workspace.call(who, 'conversations.replies', { channel, ts });
        return replies['messages'] as Shown[];
      }),
    );
    return all.flat().toSorted((a, b) => (a.ts < b.ts ? -1 : 1));
  };
  workspace.listen = (...to) => {
    const hooks = webhooks();
    for (const { id } of hooks?.getSubscriptions() ?? []) hooks?.unregister(id);
    for (const [index, at] of to.entries()) {
      const owner = APPS[APP_NAMES[index] ?? 'earshot'].owner;
      if (at !== undefined) hooks?.register({ url: at, events: ['*'], active: true, owner });
    }
  };
}

async function learn(workspace: Workspace): Promise<void> {
  const users = {} as Record<Person, string>;
  for (const name of PEOPLE) {
    const me = await workspace.call(name, 'auth.test');
    users[name] = String(me['user_id']);
    workspace.team = String(me['team_id']);
  }
  workspace.users = users;
  const { channels } = (await workspace.call('ada', 'conversations.list')) as unknown as {
    channels: { id: string; name: string }[];
  };
  workspace.channel = channels.find(({ name }) => name === 'dev')?.id ?? '';
  await workspace.call('bot', 'conversations.join', { channel: workspace.channel });
}
