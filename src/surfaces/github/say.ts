// What agents do on GitHub: comment, react, and look for a comment whose answer was lost.
import { findOutcomeOf, outcomeOf } from '../failure.ts';
import type { OutboundMessage, OutboundReaction, PostOutcome } from '../surface.ts';
import type { GithubApi } from './api.ts';
import { readList } from './lists.ts';
import { commentSchema } from './payload.ts';
import { messageId, namedBy, type Thread, threadOf } from './place.ts';
import { contentOf } from './reactions.ts';
import type { Self } from './read-text.ts';
import { bodyOf, keyIn, MAX_CHARS } from './write.ts';

export interface SayDeps {
  /** For a repository of this owner. Undefined: there is no login for it. */
  apiFor: (owner: string) => GithubApi | undefined;
  self: Self | undefined;
  /** Whether the login speaks for several agents. */
  persona: boolean;
}

/** Our clock may be wrong by so much without a comment being missed. */
const SKEW_MS = 24 * 3_600_000;
const PAGES = 10;

export async function post(deps: SayDeps, message: OutboundMessage): Promise<PostOutcome> {
  const thread = threadOf(message.place);
  if (thread === undefined) return NO_THREAD;
  const api = deps.apiFor(thread.owner);
  if (api === undefined) return NOT_YET;
  const body = bodyOf(message, deps);
  if (body === undefined)
    return { type: 'refused', error: `longer than ${MAX_CHARS} characters: shorten or split it` };
  const { owner, repo } = thread;
  const called = await api.call<{ id?: number }>(
    thread.review === undefined
      ? 'POST /repos/{owner}/{repo}/issues/{number}/comments'
      : 'POST /repos/{owner}/{repo}/pulls/{number}/comments/{comment}/replies',
    { owner, repo, number: thread.number, comment: thread.review, body },
  );
  if (!called.ok) return outcomeOf(called.failure);
  const { id } = called.value;
  return id === undefined
    ? { type: 'unknown', error: 'GitHub gave no id' }
    : { type: 'visible', platformId: messageId(kindIn(thread), id) };
}

const NO_THREAD: PostOutcome = {
  type: 'refused',
  error: 'on GitHub agents speak in issues and pull requests only: name one, such as channel:acme/app#12',
};
const NOT_YET: PostOutcome = { type: 'retry', error: 'not logged in to GitHub yet' };

function kindIn({ review }: Thread): 'comment' | 'review_comment' {
  return review === undefined ? 'comment' : 'review_comment';
}

/** Looks through the comments of the thread since shortly before it was sent. */
export async function find(deps: SayDeps, message: OutboundMessage): Promise<PostOutcome> {
  const { place, createdAt, idempotencyKey } = message;
  const thread = threadOf(place);
  if (thread === undefined) return NO_THREAD;
  const api = deps.apiFor(thread.owner);
  const { self } = deps;
  if (api === undefined || self === undefined)
    return { type: 'unknown', error: 'not logged in to GitHub yet' };
  const { owner, repo, number } = thread;
  const listed = await readList(api, {
    route: `GET /repos/{owner}/{repo}/${thread.review === undefined ? 'issues' : 'pulls'}/{number}/comments`,
    args: { owner, repo, number },
    schema: commentSchema,
    since: createdAt - SKEW_MS,
    pages: PAGES,
  });
  if (!listed.ok) return findOutcomeOf(listed.failure);
  const found = listed.value.items.find(
    ({ user, body }) => user?.login.toLowerCase() === self.login && keyIn(body ?? '') === idempotencyKey,
  );
  if (found !== undefined) return { type: 'visible', platformId: messageId(kindIn(thread), found.id) };
  if (listed.value.isWhole) return { type: 'absent' };
  return { type: 'unknowable', error: 'too much was said since then to look through' };
}

export async function react(deps: SayDeps, reaction: OutboundReaction): Promise<PostOutcome> {
  const { place, target, glyph, signal, remove } = reaction;
  const thread = threadOf(place);
  const named = namedBy(target.platformId);
  if (thread === undefined || named === undefined)
    return { type: 'refused', error: 'the message has no id on GitHub' };
  const content = contentOf(glyph, signal);
  const route = REACTIONS[named.kind];
  const done: PostOutcome = { type: 'visible', platformId: `${target.platformId}:${content ?? signal}` };
  // What GitHub cannot show counts as shown: nobody has to be told that it is missing.
  if (content === undefined || route === undefined) return done;
  const api = deps.apiFor(thread.owner);
  if (api === undefined) return NOT_YET;
  const args = { owner: thread.owner, repo: thread.repo, id: named.id };
  // Setting it again changes nothing.
  if (remove === true) return takeAway(api, route, { ...args, content }, deps.self, done);
  const called = await api.call(`POST ${route}`, { ...args, content });
  return called.ok ? done : outcomeOf(called.failure);
}

/** A review has none. */
const REACTIONS: Readonly<Record<string, string | undefined>> = {
  issue: '/repos/{owner}/{repo}/issues/{id}/reactions',
  comment: '/repos/{owner}/{repo}/issues/comments/{id}/reactions',
  review_comment: '/repos/{owner}/{repo}/pulls/comments/{id}/reactions',
};

async function takeAway(
  api: GithubApi,
  route: string,
  args: Record<string, unknown>,
  self: Self | undefined,
  done: PostOutcome,
): Promise<PostOutcome> {
  const called = await api.call<{ id: number; user?: { login?: string } | null }[]>(`GET ${route}`, args);
  if (!called.ok) return outcomeOf(called.failure);
  const own = called.value.find(({ user }) => user?.login?.toLowerCase() === self?.login);
  if (own === undefined) return done;
  const gone = await api.call(`DELETE ${route}/{reaction}`, { ...args, reaction: own.id });
  return gone.ok ? done : outcomeOf(gone.failure);
}
