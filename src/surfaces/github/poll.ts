// What is new in a repository, from its lists. GitHub never sends a webhook again by itself, so this is how a time without
// the host is filled, and how the surface hears at all where GitHub cannot reach the host. The mark moves after the events
// that it covers are stored. What was deleted is in no list.
import { instantMs } from '../../protocol/log-record.ts';
import type { SourceEvent } from '../../protocol/source-event.ts';
import type { Failure } from '../failure.ts';
import type { GithubApi } from './api.ts';
import { type ListRequest, readList } from './lists.ts';
import type { Login } from './login.ts';
import type { Marks } from './marks.ts';
import {
  type GithubComment,
  type GithubIssue,
  happenedSchema,
  listedCommentSchema,
  listedIssueSchema,
  listedReviewCommentSchema,
  reviewSchema,
} from './payload.ts';
import { conversationOf } from './place.ts';
import { statusOf } from './read-event.ts';
import {
  asHeard,
  type Known,
  isOurs,
  type Message,
  readComment,
  readEdit,
  readIssue,
  readReview,
  readReviewComment,
  readStatus,
  reviewPlace,
  rootOf,
} from './read-message.ts';
import type { Taker } from './take.ts';
import type { z } from 'zod';

const LIMITS = {
  /** Older events are no longer anybody's business. */
  ageMs: 7 * 24 * 3_600_000,
  /** Of a hundred each. The rest comes with the next round. */
  pages: 5,
  /** Bodies of issues that are remembered. An edit of another one is handed over even if nothing has changed. */
  bodies: 10_000,
} as const;

export interface PollDeps {
  login: Login;
  marks: Marks;
  taker: Taker;
  known: Known;
  /** The last text of every issue, by its thread. GitHub does not tell when a body was edited. */
  bodies: Map<string, string>;
}

/** Hands over what is new. Answers why it could not; the next try goes on from the same mark. */
export async function readNew(deps: PollDeps, repository: string): Promise<Failure | undefined> {
  const { login, marks, taker, known } = deps;
  const [owner = '', repo = ''] = repository.split('/');
  const api = login.apiFor(owner);
  if (api === undefined) return undefined;
  const since = Math.max(marks.of(repository), known.now - LIMITS.ageMs);
  const news = new News(deps, repository);
  const lists = new Lists(api, { owner, repo });
  await readLists(lists, since, news);
  if (lists.failure !== undefined) return lists.failure;
  for (const [number, { root, events }] of news.threads) {
    const inOrder = events.toSorted((a, b) => instantMs(a.at) - instantMs(b.at));
    const taken = await taker.handOver(conversationOf({ repository, number }).id, inOrder, root);
    if (taken.type !== 'done')
      return { type: 'lost', error: taken.type === 'later' ? taken.why : taken.problem };
  }
  await marks.move(repository, Math.min(news.newest, lists.heardUntil));
  return undefined;
}

type Asked<S extends z.ZodType> = Omit<ListRequest<S>, 'args' | 'pages'> & {
  more?: Record<string, unknown>;
  /** Of a list with the oldest first: the time of an item. A list that is cut off goes on from there. */
  changedAt?: (item: z.infer<S>) => string;
};

/** The lists of one repository. After a failure nothing more is asked. */
class Lists {
  failure: Failure | undefined;
  /** Epoch ms. Infinity: they were read to their ends. */
  heardUntil = Number.POSITIVE_INFINITY;
  readonly #api: GithubApi;
  readonly #args: { owner: string; repo: string };

  constructor(api: GithubApi, args: { owner: string; repo: string }) {
    this.#api = api;
    this.#args = args;
  }

  async read<S extends z.ZodType>({ more, changedAt, ...asked }: Asked<S>): Promise<z.infer<S>[]> {
    if (this.failure !== undefined) return [];
    const args = { ...this.#args, ...more };
    const listed = await readList(this.#api, { ...asked, args, pages: LIMITS.pages });
    if (!listed.ok) {
      // A repository without issues, or a permission that is missing: the other lists are read.
      if (listed.failure.type !== 'refused') this.failure = listed.failure;
      return [];
    }
    const { items, isWhole } = listed.value;
    const last = items.at(-1);
    if (!isWhole && last !== undefined && changedAt !== undefined)
      this.heardUntil = Math.min(this.heardUntil, instantMs(changedAt(last)));
    return items;
  }
}

const OLDEST_FIRST = { sort: 'updated', direction: 'asc' };
const changedAt = ({ updated_at: at }: { updated_at: string }): string => at;

async function readLists(lists: Lists, since: number, news: News): Promise<void> {
  const issues = await lists.read({
    route: 'GET /repos/{owner}/{repo}/issues',
    schema: listedIssueSchema,
    more: { ...OLDEST_FIRST, state: 'all' },
    since,
    changedAt,
  });
  for (const issue of issues) news.issue(issue);
  const comments = await lists.read({
    route: 'GET /repos/{owner}/{repo}/issues/comments',
    schema: listedCommentSchema,
    more: OLDEST_FIRST,
    since,
    changedAt,
  });
  for (const comment of comments) news.comment(comment);
  const reviewComments = await lists.read({
    route: 'GET /repos/{owner}/{repo}/pulls/comments',
    schema: listedReviewCommentSchema,
    more: OLDEST_FIRST,
    since,
    changedAt,
  });
  for (const comment of reviewComments) news.reviewComment(comment);
  const happened = await lists.read({
    route: 'GET /repos/{owner}/{repo}/issues/events',
    schema: happenedSchema,
    isPast: ({ created_at: at }) => instantMs(at) < since,
  });
  for (const one of happened) if (instantMs(one.created_at) >= since) news.happened(one);
  for (const issue of issues) {
    if (!issue.pull_request) continue;
    const route = 'GET /repos/{owner}/{repo}/pulls/{number}/reviews';
    const reviews = await lists.read({ route, schema: reviewSchema, more: { number: issue.number } });
    for (const review of reviews)
      if (instantMs(review.submitted_at ?? 0) >= since) news.review(review, issue);
  }
}

/** What is new, thread by thread. */
class News {
  readonly threads = new Map<number, { root?: SourceEvent; events: SourceEvent[] }>();
  /** Epoch ms. Of the latest change. */
  newest = 0;
  readonly #titles = new Map<number, string | null | undefined>();
  readonly #deps: PollDeps;
  readonly #repository: string;

  constructor(deps: PollDeps, repository: string) {
    this.#deps = deps;
    this.#repository = repository;
  }

  issue(issue: GithubIssue): void {
    const { known, bodies } = this.#deps;
    const said = readIssue(issue, this.#repository, known);
    const { text = '' } = said;
    const { id } = said.conversation;
    this.#titles.set(issue.number, issue.title);
    const thread = this.#thread(issue.number, issue.updated_at);
    thread.root = rootOf(issue, this.#repository, known);
    const before = bodies.get(id);
    const isChanged = before === undefined ? issue.updated_at !== issue.created_at : before !== text;
    if (isChanged && !isOurs(issue, known)) thread.events.push(readEdit(said, issue.updated_at, known));
    if (bodies.size >= LIMITS.bodies) bodies.clear();
    bodies.set(id, text);
  }

  comment(comment: z.infer<typeof listedCommentSchema>): void {
    const number = numberIn(comment.issue_url);
    if (number === undefined) return;
    const where = { repository: this.#repository, number, title: this.#titles.get(number) };
    this.#said(number, comment, readComment(comment, where, this.#deps.known));
  }

  reviewComment(comment: z.infer<typeof listedReviewCommentSchema>): void {
    const number = numberIn(comment.pull_request_url);
    if (number === undefined) return;
    const where = reviewPlace(this.#repository, { number, title: this.#titles.get(number) }, comment);
    this.#said(number, comment, readReviewComment(comment, where, this.#deps.known));
  }

  happened(one: z.infer<typeof happenedSchema>): void {
    const status = statusOf(one.event, one, this.#repository);
    if (status === undefined) return;
    const { number, title } = one.issue;
    const where = { repository: this.#repository, number, title };
    const event = readStatus({ ...status, where, by: one.actor, at: one.created_at }, this.#deps.known);
    this.#thread(number, one.created_at).events.push(event);
  }

  review(
    review: z.infer<typeof reviewSchema>,
    { number, title }: Pick<GithubIssue, 'number' | 'title'>,
  ): void {
    const at = review.submitted_at;
    if (at === undefined || at === null) return;
    const where = { repository: this.#repository, number, title };
    const said = readReview(review, where, at, this.#deps.known);
    if (said !== undefined) this.#thread(number, at).events.push(said);
  }

  #said(number: number, comment: GithubComment, said: Message): void {
    const { known } = this.#deps;
    const { events } = this.#thread(number, comment.updated_at);
    events.push(asHeard(said, this.#repository, known));
    if (comment.updated_at !== comment.created_at && !isOurs(comment, known))
      events.push(readEdit(said, comment.updated_at, known));
  }

  #thread(number: number, at: string): { root?: SourceEvent; events: SourceEvent[] } {
    this.newest = Math.max(this.newest, instantMs(at));
    const found = this.threads.get(number) ?? { events: [] };
    this.threads.set(number, found);
    return found;
  }
}

/** Addresses end with the number of the issue or pull request. */
function numberIn(address: string): number | undefined {
  const [, digits] = /\/(\d+)$/.exec(address) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
