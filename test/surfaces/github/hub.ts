// GitHub on loopback: `emulate` behind the fault proxy, with the repository acme/app. What the emulator lacks is added
// here and is ours, not GitHub's: reactions, replies to review comments, `since` of a thread's comments, pull requests
// among the issues, the list of what happened, who was asked for a review, and dead tokens.
import { type Emulator, createEmulator } from 'emulate';
import { type App, type Call, emulatedPlugin, type Webhooks } from '../emulated-plugin.ts';
import { type FaultProxy, faultProxy } from '../fault-proxy.ts';

export const REPOSITORY = 'acme/app';
export const WEBHOOK_SECRET = 'github-webhook-secret-of-the-tests';
export const TOKEN = 'ghp-tests-of-earshot';
export const BOT = 'earshot-bot';
/** A second account for an agent. */
export const BUILDER_TOKEN = 'ghp-builder-of-earshot';
export const BUILDER = 'builder-bot';
export const APP_ID = 4711;
/** The login of the app. */
export const APP = 'earshot[bot]';
const PEOPLE = ['ada', 'bob'] as const;
export type Person = (typeof PEOPLE)[number];

export interface Shown {
  id: number;
  user: { login: string };
  body: string;
  in_reply_to_id?: number | null;
}

export interface Reaction {
  id: number;
  on: string;
  login: string;
  content: string;
}

export interface Told {
  event: string;
  payload: Record<string, unknown>;
}

export interface Hub {
  /** The API through the fault proxy: what the surface uses. */
  apiUrl: string;
  proxy: FaultProxy;
  /** The key of the app. */
  privateKey: string;
  /** Calls the API as somebody, around the proxy. */
  call<T = Record<string, unknown>>(who: Person | 'bot', route: string, body?: object): Promise<T>;
  /** Somebody opens an issue; answers with its number. */
  open(who: Person, title: string, body?: string): Promise<number>;
  /** Somebody comments; answers with the id of the comment. */
  say(who: Person, number: number, body: string): Promise<number>;
  /** Comments of an issue, oldest first. */
  comments(number: number): Promise<Shown[]>;
  reactions: Reaction[];
  /** Where events are posted, signed. Undefined: nobody listens. Several: each is told everything. */
  listen(...urls: readonly (string | undefined)[]): void;
  /** Every call of the API, with who asked. */
  calls: { token: string; path: string }[];
  /** Tokens that do not see the repository. */
  blind: Set<string>;
  /** Every event that was told. */
  told: Told[];
  /** Whether an event is posted to whoever listens. Default: every one. */
  tells: (told: Told) => boolean;
  /** Called when whoever listens has taken an event. */
  taken: (told: Told) => void;
  /** Resolves when every event that was told has been answered. */
  settled(): Promise<void>;
  /** Tokens that GitHub no longer takes. */
  dead: Set<string>;
  /** What the token may do, as GitHub says it in a header. */
  scopes: string | undefined;
}

/** `now`: its time is the test's. Without it, the machine's. */
export async function githubHub(
  finished: (end: () => Promise<void>) => void,
  now: () => number = Date.now,
): Promise<Hub> {
  const plugin = await emulatedPlugin('githubPlugin');
  const { register } = plugin;
  const restore = timeOf(now);
  const hub = {
    told: [],
    dead: new Set(),
    blind: new Set(),
    calls: [],
    reactions: [],
  } as unknown as Hub;
  hub.tells = () => true;
  hub.taken = () => undefined;
  const happened: object[] = [];
  let webhooks: Webhooks | undefined;
  plugin.register = (app, store, given, ...rest) => {
    webhooks = given;
    addGuards(app, hub);
    addReactions(app, hub);
    addLists(app, happened);
    register(app, store, given, ...rest);
    watch(given, hub, happened);
  };
  let emulator: Emulator;
  try {
    emulator = await createEmulator({ service: 'github', port: 0, seed: SEED });
  } finally {
    plugin.register = register;
  }
  const direct = emulator.url.replace('localhost', '127.0.0.1');
  hub.proxy = await faultProxy(direct);
  hub.apiUrl = hub.proxy.url;
  hub.privateKey = keyIn(emulator);
  finished(async () => {
    restore();
    await hub.proxy.close();
    await emulator.close();
  });
  addCalls(hub, direct, () => webhooks);
  return hub;
}

const EVENTS = [
  'issues',
  'issue_comment',
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
];
const PERMISSIONS = { issues: 'write', pull_requests: 'write', metadata: 'read', contents: 'write' };

const SEED = {
  tokens: {
    [TOKEN]: { login: BOT, scopes: ['repo'] },
    [BUILDER_TOKEN]: { login: BUILDER, scopes: ['repo'] },
    ...Object.fromEntries(PEOPLE.map((login) => [`ghp-${login}`, { login, scopes: ['repo'] }])),
  },
  github: {
    users: [...PEOPLE, BOT, BUILDER].map((login) => ({ login })),
    orgs: [{ login: 'acme' }],
    repos: [{ owner: 'acme', name: 'app', auto_init: true }],
    apps: [
      {
        app_id: APP_ID,
        slug: 'earshot',
        name: 'Earshot',
        permissions: PERMISSIONS,
        events: EVENTS,
        installations: [{ installation_id: 99, account: 'acme', repository_selection: 'all' }],
      },
    ],
  },
};

function keyIn(emulator: Emulator): string {
  const secrets = JSON.stringify((emulator as unknown as { generatedSecrets?: unknown }).generatedSecrets);
  const [key = ''] = /-----BEGIN[^"]*-----END [A-Z ]+-----(?:\\n)?/.exec(secrets ?? '') ?? [];
  return key.replaceAll('\\n', '\n');
}

/** GitHub's time is the test's, in whole seconds. */
function timeOf(now: () => number): () => void {
  const { Date: Real } = globalThis;
  class Timed extends Real {
    constructor(...args: unknown[]) {
      super(...((args.length === 0 ? [Math.floor(now() / 1_000) * 1_000] : args) as [number]));
    }

    static override now(): number {
      return now();
    }
  }
  if (now !== Real.now) globalThis.Date = Timed as DateConstructor;
  return () => {
    globalThis.Date = Real;
  };
}

function addGuards(app: App, hub: Hub): void {
  app.use('*', async (c, next) => {
    const token = c.req.header('authorization')?.replace(/^\w+ /, '') ?? '';
    hub.calls.push({ token, path: c.req.path });
    if (hub.dead.has(token)) return c.json({ message: 'Bad credentials' }, 401);
    if (hub.blind.has(token) && c.req.path.startsWith('/repos/'))
      return c.json({ message: 'Not Found' }, 404);
    if (hub.scopes !== undefined) c.header('x-oauth-scopes', hub.scopes);
    await next();
    return undefined;
  });
  app.post('/repos/:owner/:repo/pulls/:number/comments/:comment/replies', async (c) => {
    const { body } = JSON.parse(await c.req.text()) as { body?: string };
    const reply = { body, in_reply_to_id: Number(c.req.param('comment')) };
    return again(c, c.req.url.replace(/\/\d+\/replies$/, ''), {
      method: 'POST',
      body: JSON.stringify(reply),
    });
  });
}

let readsOfTheTest = 0;

/** Asks the emulator itself. It counts calls by token, and those of the test are not the surface's. */
async function again(c: Call, url: string, init: RequestInit = {}): Promise<Response> {
  const isRead = init.method === undefined;
  const response = await fetch(url, {
    ...init,
    headers: {
      authorization: isRead
        ? `Bearer of-the-test-${++readsOfTheTest}`
        : (c.req.header('authorization') ?? ''),
      'content-type': 'application/json',
      [AGAIN]: '1',
    },
  });
  return c.json(await response.json(), response.status);
}

const AGAIN = 'x-asked-by-the-test';

function addReactions(app: App, hub: Hub): void {
  for (const path of ['issues/:id', 'issues/comments/:id', 'pulls/comments/:id']) {
    const route = `/repos/:owner/:repo/${path}/reactions`;
    const onOf = (c: Call): string => path.replace(':id', c.req.param('id'));
    app.post(route, async (c) => {
      const { content } = JSON.parse(await c.req.text()) as { content: string };
      const [on, login] = [onOf(c), loginOf(c)];
      const had = hub.reactions.find(
        (one) => one.on === on && one.login === login && one.content === content,
      );
      if (had !== undefined) return c.json({ ...had, user: { login } }, 200);
      const made = { id: hub.reactions.length + 1, on, login, content };
      hub.reactions.push(made);
      return c.json({ ...made, user: { login } }, 201);
    });
    app.get(route, (c) => {
      const wanted = c.req.query('content');
      const found = hub.reactions.filter((one) => one.on === onOf(c) && one.content === wanted);
      return c.json(found.map((one) => ({ ...one, user: { login: one.login } })));
    });
    app.delete(`${route}/:reaction`, (c) => {
      const id = Number(c.req.param('reaction'));
      hub.reactions = hub.reactions.filter((one) => one.id !== id);
      return new Response(null, { status: 204 });
    });
  }
}

function loginOf(c: Call): string {
  const { login, installation } = c.get('authUser') as { login: string; installation?: object };
  return installation === undefined ? login : APP;
}

function addLists(app: App, happened: object[]): void {
  app.get('/repos/:owner/:repo/issues/events', (c) => c.json(happened.toReversed()));
  app.use('*', async (c, next) => {
    const list =
      c.req.header(AGAIN) === undefined && c.req.method === 'GET'
        ? LISTS.find((one) => one.test(c.req.path))
        : undefined;
    if (list === undefined) {
      await next();
      return undefined;
    }
    const from = Date.parse(c.req.query('since') ?? '1970-01-01T00:00:00Z');
    const all = (await listed(c)).filter((one) => changedAt(one) >= from);
    const inOrder = all.toSorted((one, other) => changedAt(one) - changedAt(other));
    const page = Number(c.req.query('page') ?? 1) * PAGE;
    if (inOrder.length > page) c.header('link', `<${c.req.url}>; rel="next"`);
    return c.json(inOrder.slice(page - PAGE, page));
  });
}

function changedAt(one: object): number {
  return Date.parse((one as { updated_at: string }).updated_at);
}

/** Of every list. */
const PAGE = 100;

/** Lists that the emulator has not, or whose `since` it ignores. GitHub lists pull requests among the issues. */
const LISTS = [/\/(?:issues|pulls)(?:\/\d+)?\/comments$/, /^\/repos\/[^/]+\/[^/]+\/issues$/];

async function listed(c: Call, path?: string): Promise<Record<string, unknown>[]> {
  const { origin, pathname: asked } = new URL(c.req.url);
  const pathname = path ?? asked;
  const ask = async (at: string): Promise<Record<string, unknown>[]> => {
    const all: Record<string, unknown>[] = [];
    for (let page = 1; all.length === (page - 1) * PAGE; page++) {
      const url = `${origin}${at}?state=all&per_page=${PAGE}&page=${page}`;
      const items: unknown = await (await again(c, url)).json();
      if (!Array.isArray(items) || items.length === 0) break;
      all.push(...(items as Record<string, unknown>[]));
    }
    return all;
  };
  if (/\d+\/comments$/.test(pathname)) return ask(pathname);
  const kind = /\/(issues|pulls)\/comments$/.exec(pathname)?.[1];
  if (kind !== undefined) {
    // Pull requests have comments of both kinds.
    const folder = pathname.replace(/\/comments$/, '');
    const numbers = (await listed(c, folder.replace(/pulls$/, 'issues'))).map((one) => one['number']);
    const all = await Promise.all(numbers.map((number) => ask(`${folder}/${String(number)}/comments`)));
    return all.flat();
  }
  const pulls = await ask(pathname.replace(/issues$/, 'pulls'));
  const issues = await ask(pathname);
  return [...issues, ...pulls.map((pull) => ({ ...pull, pull_request: { url: pull['url'] } }))];
}

/** Keeps what is told, and adds what the emulator leaves out. */
function watch(webhooks: Webhooks, hub: Hub, happened: object[]): void {
  const dispatch = webhooks.dispatch.bind(webhooks);
  const underWay = new Set<Promise<void>>();
  webhooks.dispatch = (event, action, payload, owner, repo) => {
    const told = { event, payload: enriched(action, payload as Record<string, unknown>) };
    hub.told.push(told);
    keep(happened, told.payload);
    if (!hub.tells(told)) return Promise.resolve();
    const answered = dispatch(event, action, told.payload, owner, repo)
      .then(() => {
        if (webhooks.getDeliveries().findLast((one) => isOf(one.payload, told))?.success) hub.taken(told);
      })
      .finally(() => underWay.delete(answered));
    underWay.add(answered);
    return answered;
  };
  hub.settled = async () => {
    while (underWay.size > 0) await Promise.all(underWay);
  };
}

/** The emulator hands a copy of the payload on. */
function isOf(payload: unknown, told: Told): boolean {
  const [one, other] = [payload as Told['payload'], told.payload];
  return ['comment', 'issue', 'action'].every((name) => one[name] === other[name]);
}

function enriched(action: string | undefined, payload: Record<string, unknown>): Record<string, unknown> {
  if (action !== 'review_requested') return payload;
  const { requested_reviewers: reviewers = [] } = payload['pull_request'] as {
    requested_reviewers?: object[];
  };
  return { ...payload, requested_reviewer: reviewers.at(-1) };
}

const HAPPENS = new Set(['assigned', 'closed', 'reopened', 'labeled', 'review_requested']);

function keep(happened: object[], payload: Record<string, unknown>): void {
  const {
    action,
    issue,
    pull_request: pull,
    sender,
  } = payload as {
    action?: string;
    issue?: { updated_at: string };
    pull_request?: { updated_at: string };
    sender?: object;
  };
  const about = issue ?? pull;
  if (about === undefined || action === undefined || !HAPPENS.has(action)) return;
  happened.push({ ...payload, event: action, actor: sender, created_at: about.updated_at, issue: about });
}

function addCalls(hub: Hub, address: string, webhooks: () => Webhooks | undefined): void {
  hub.call = async <T>(who: Person | 'bot', route: string, body?: object): Promise<T> => {
    const [method = 'GET', path = '/'] = route.split(' ');
    const response = await fetch(`${address}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${who === 'bot' ? TOKEN : `ghp-${who}`}`,
        'content-type': 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${who} could not ${route}: ${response.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };
  hub.open = async (who, title, body = '') => {
    const { number } = await hub.call<{ number: number }>(who, `POST /repos/${REPOSITORY}/issues`, {
      title,
      body,
    });
    await hub.settled();
    return number;
  };
  hub.say = async (who, number, body) => {
    const route = `POST /repos/${REPOSITORY}/issues/${number}/comments`;
    const { id } = await hub.call<{ id: number }>(who, route, { body });
    await hub.settled();
    return id;
  };
  hub.comments = async (number) => {
    const all: Shown[] = [];
    for (let page = 1; all.length === (page - 1) * PAGE; page++) {
      const query = `per_page=${PAGE}&page=${page}`;
      const route = `GET /repos/${REPOSITORY}/issues/${number}/comments?${query}`;
      const items = await hub.call<Shown[]>('ada', route);
      if (items.length === 0) break;
      all.push(...items);
    }
    return all.toSorted((a, b) => a.id - b.id);
  };
  hub.listen = (...to) => {
    const hooks = webhooks();
    for (const { id } of hooks?.getSubscriptions() ?? []) hooks?.unregister(id);
    const [owner = '', repo = ''] = REPOSITORY.split('/');
    for (const url of to)
      if (url !== undefined)
        hooks?.register({ url, events: ['*'], active: true, owner, repo, secret: WEBHOOK_SECRET });
  };
}
