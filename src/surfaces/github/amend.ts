// What agents change on GitHub: an edit or a delete of a comment of the login's own. Doing it again is the same. An edit
// keeps the mark of the send in front, by which the comment is recognised, and the name of the agent.
import { type Failure, outcomeOf } from '../failure.ts';
import type { OutboundAmendment, PostOutcome } from '../surface.ts';
import type { GithubApi } from './api.ts';
import { namedBy, type Thread, threadOf } from './place.ts';
import type { SayDeps } from './say.ts';
import { bodyOf, MAX_CHARS } from './write.ts';

const ROUTES: Readonly<Record<string, string | undefined>> = {
  comment: '/repos/{owner}/{repo}/issues/comments/{id}',
  review_comment: '/repos/{owner}/{repo}/pulls/comments/{id}',
};

export async function amend(deps: SayDeps, amendment: OutboundAmendment): Promise<PostOutcome> {
  const { place, target } = amendment;
  const thread = threadOf(place);
  if (thread === undefined) return { type: 'refused', error: 'the comment is in no issue or pull request' };
  const api = deps.apiFor(thread.owner);
  if (api === undefined) return { type: 'retry', error: 'not logged in to GitHub yet' };
  for (const platformId of target.platformIds) {
    const named = namedBy(platformId);
    const route = named === undefined ? undefined : ROUTES[named.kind];
    if (named === undefined || route === undefined)
      return { type: 'refused', error: 'only comments can be changed on GitHub' };
    const args = { owner: thread.owner, repo: thread.repo, id: named.id };
    const failed =
      amendment.type === 'edit'
        ? await edit(deps, api, { route, args }, amendment)
        : await remove(api, { route, args }, thread);
    if (failed !== undefined) return failed;
  }
  return { type: 'visible', platformId: target.platformIds.at(-1) ?? '' };
}

interface Comment {
  route: string;
  args: Record<string, unknown>;
}

async function edit(
  deps: SayDeps,
  api: GithubApi,
  { route, args }: Comment,
  amendment: Extract<OutboundAmendment, { type: 'edit' }>,
): Promise<PostOutcome | undefined> {
  const { idempotencyKey } = amendment.target;
  const body = bodyOf({ ...amendment, idempotencyKey }, deps);
  if (body === undefined)
    return { type: 'refused', error: `longer than ${MAX_CHARS} characters: shorten it` };
  const called = await api.call(`PATCH ${route}`, { ...args, body });
  return called.ok ? undefined : outcomeOf(called.failure);
}

/** A comment that is gone is deleted, as long as its issue can be seen: else the login may not see either. */
async function remove(
  api: GithubApi,
  { route, args }: Comment,
  { owner, repo, number }: Thread,
): Promise<PostOutcome | undefined> {
  const called = await api.call(`DELETE ${route}`, args);
  if (called.ok) return undefined;
  if (!isMissing(called.failure)) return outcomeOf(called.failure);
  const issue = await api.call('GET /repos/{owner}/{repo}/issues/{number}', { owner, repo, number });
  return issue.ok ? undefined : outcomeOf(issue.failure);
}

function isMissing(failure: Failure): boolean {
  return failure.type === 'refused' && (failure.code === '404' || failure.code === '410');
}
