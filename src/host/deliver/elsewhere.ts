// What happens on other nodes, and concerns this one. Everything here is found in the store once a second at the latest; a
// hint only brings the look forward. What this node commits is hinted to whoever may wait for it.
//
// A host that is alone follows nobody and hints nothing.
import type { HostContext } from '../kernel/context.ts';
import { ANSWERED_QUESTION } from '../kernel/questions.ts';
import type { HostNews } from '../kernel/change.ts';
import { SWEEP_LEASE, surfaceLease } from '../kernel/leases.ts';
import type { Found, Hint, Watch } from '../../store/nodes.ts';
import type { PostsUnderWay } from '../outbox/posts-under-way.ts';
import type { Directory } from '../session/directory.ts';
import { isEnded } from '../outbox/outbox-row.ts';
import type { Courier } from './courier.ts';

export interface ElsewhereDeps {
  context: HostContext;
  courier: Courier;
  directory: Directory;
  posts: PostsUnderWay;
  /** Agents that wait for deliveries over HTTP. */
  pulling: () => readonly string[];
  surfaces: readonly string[];
  post: (key: string) => void;
  /** The sweep looks at this time. */
  wakeSweep: (at: number) => void;
  /** A send that waited for a person is decided. */
  decided: (approval: string) => void;
  /** Signs that are only told, and of which nothing depends: who works, what grows. */
  shows: { working(sign: unknown): void; growing(hint: unknown): void };
  /** Ends every session of this node. */
  closeSessions: () => void;
}

/** After what could not be taken up. */
const AGAIN_MS = 500;
/** So many deliveries in hand are asked about at a time. An agent that never answers has any number of them. */
const ASKED_AT_A_TIME = 1_000;

/** Returns how to end it. */
export function followOthers(deps: ElsewhereDeps): () => void {
  const { context } = deps;
  const { nodes } = context.store;
  if (nodes.id === undefined) return () => undefined;
  let isTelling = false;
  /** News that another node has told is not told back. */
  const tell = (news: HostNews): void => {
    isTelling = true;
    context.bus.publish(news);
    isTelling = false;
  };
  const failed = (error: unknown): void =>
    context.log.warn({ err: error }, 'what another node did could not be taken up; it is tried again');
  const ending = new AbortController();
  /** One after the other, because deliveries keep their order. What was found is not found again, so it is tried until done. */
  let before: Promise<void> = Promise.resolve();
  const takeUp = async (found: Found): Promise<void> => {
    while (!ending.signal.aborted) {
      try {
        return await takeIn(deps, tell, found);
      } catch (error) {
        failed(error);
        await new Promise<void>((resolve) => void context.clock.after(AGAIN_MS, resolve));
      }
    }
  };
  const unlisten = context.bus.listen((news) => {
    if (news.type === 'settings') nodes.announce({ config: context.configVersion });
    const hint = isTelling || nodes.count() === 1 ? undefined : hintOf(deps, news);
    if (hint !== undefined) nodes.hint(hint);
  });
  const end = nodes.follow({
    watch: (isBeat) => watchOf(deps, isBeat),
    found(found) {
      before = before.then(() => takeUp(found));
    },
    hinted(hint) {
      const heeded = (): Promise<void> => heed(deps, tell, hint).catch(failed);
      // One that has ended may be among those that are just taken up.
      if ('ended' in hint) before = before.then(heeded);
      else void heeded();
    },
    fenced() {
      context.log.warn({ node: nodes.id }, 'this node was taken for dead; its sessions end, and it goes on');
      deps.closeSessions();
    },
  });
  return () => {
    ending.abort();
    unlisten();
    end();
  };
}

function watchOf({ context, courier, pulling, surfaces }: ElsewhereDeps, isBeat: boolean): Watch {
  const { nodes } = context.store;
  // Another node may have begun a moment ago: only what it ends can wait until it is known.
  const isOne = nodes.count() === 1;
  return {
    agents: [...new Set([...courier.served(), ...pulling()])],
    deliveries: isBeat && !isOne ? courier.inHand(ASKED_AT_A_TIME) : [],
    surfaces: surfaces.filter((id) => nodes.holds(surfaceLease(id))),
    sweeps: !isOne && nodes.holds(SWEEP_LEASE),
  };
}

/** What others may wait for. Nobody else serves an agent whose session is here. */
function hintOf({ context, courier }: ElsewhereDeps, news: HostNews): Hint | undefined {
  switch (news.type) {
    case 'deliver':
      return courier.serves(news.delivery.agent) ? undefined : { agent: news.delivery.agent };
    case 'withdraw':
    case 'settled': {
      const { agent, key, why } = news.delivery;
      if (news.type === 'settled' && why === ANSWERED_QUESTION) return { changed: 'question' };
      return courier.serves(agent) ? undefined : { agent, ended: key };
    }
    case 'outbox_done':
      return courier.serves(news.row.agent) ? undefined : { done: news.row.key };
    case 'due':
      return context.store.nodes.holds(SWEEP_LEASE) ? undefined : { due: news.at ?? null };
    case 'session':
      return { session: news.agent };
    case 'token_revoked':
      return { token: news.row.key };
    case 'typing':
      return { typing: news };
    case 'settings':
      return { changed: 'settings' };
    case 'outbox': // the poster says so where it is not for this node
    case 'logged':
    case 'ready':
    case 'cancel_turn':
    case 'inbox':
    case 'surface':
    case 'turn_failed':
    case 'progress':
    case 'clock':
    case 'warning':
      return undefined;
  }
}

async function heed(deps: ElsewhereDeps, tell: (news: HostNews) => void, hint: Hint): Promise<void> {
  const { context, courier, posts, pulling } = deps;
  const { nodes } = context.store;
  if ('agent' in hint && hint.ended !== undefined) {
    if (courier.has(hint.agent, hint.ended)) await tellEnded(deps, hint.ended);
  } else if ('agent' in hint) {
    if (courier.serves(hint.agent) || pulling().includes(hint.agent)) nodes.look();
  } else if ('session' in hint) nodes.look();
  else if ('surface' in hint) {
    if (nodes.holds(surfaceLease(hint.surface))) nodes.look();
  } else if ('due' in hint) {
    if (nodes.holds(SWEEP_LEASE)) deps.wakeSweep(hint.due ?? context.clock.now());
  } else if ('done' in hint) {
    if (posts.isAwaited(hint.done)) await tellDone(deps, hint.done);
  } else if ('token' in hint || 'changed' in hint) await context.changes.look();
  else if ('typing' in hint) tell(hint.typing as HostNews);
  else if ('working' in hint) deps.shows.working(hint.working);
  else if ('growing' in hint) deps.shows.growing(hint.growing);
  else if ('cancelTurn' in hint) {
    const { agent, turnId, reason } = hint.cancelTurn;
    courier.cancelTurn(agent, turnId, reason);
  } else if ('decided' in hint) deps.decided(hint.decided);
  // A node of a newer Earshot may say what this one does not know. It finds out by itself.
}

async function tellEnded({ context, courier }: ElsewhereDeps, key: string): Promise<void> {
  const row = await context.store.get('delivery', key);
  if (row !== undefined && row.open === 0) courier.ended(row);
}

async function tellDone({ context, posts }: ElsewhereDeps, key: string): Promise<void> {
  const row = await context.store.get('outbox', key);
  if (row !== undefined && isEnded(row)) posts.told(row);
}

async function takeIn(deps: ElsewhereDeps, tell: (news: HostNews) => void, found: Found): Promise<void> {
  const { context, courier, directory, post, wakeSweep } = deps;
  const { store } = context;
  const { came, left } = directory.note(found.sessions);
  for (const { key, epoch } of found.sessions) courier.fence(key, epoch);
  for (const agent of came) if (!courier.serves(agent)) tell({ type: 'session', agent, connected: true });
  for (const agent of left) if (!courier.serves(agent)) tell({ type: 'session', agent, connected: false });
  if (found.knowsAlive && store.nodes.holds(SWEEP_LEASE)) await directory.closeLost();
  for (const key of found.sends) post(key);
  if (found.dueAt !== undefined) wakeSweep(found.dueAt);
  for (const key of found.ended) await tellEnded(deps, key);
  for (const { agent, key } of found.ready) {
    if (courier.knows(agent, key)) continue;
    const row = await store.get('delivery', key);
    if (row?.state !== 'queued') continue;
    if (courier.serves(row.agent)) courier.ready(row);
    else tell({ type: 'ready', agent: row.agent });
  }
}
