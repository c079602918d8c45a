// What is new in a repository, from its lists. GitHub never sends a webhook again by itself, so this is how a time without
// the host is filled, and how the surface hears at all where GitHub cannot reach the host. The mark moves after the events
// that it covers are stored. What was deleted is in no list.
import { instantMs } from '../../protocol/log-record.ts';
import type { SourceEvent } from '../../protocol/source-event.ts';
import type { Called, Failure } from '../failure.ts';
import type { GithubApi } from './api.ts';
import { type Changed, type Listed, type ListRequest, readChanged, readList } from './lists.ts';
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
  /** Of a hundred comments each. Then they are handed over, the mark moves, and reading goes on. */
  commentPages: 5,
  /** Of a hundred each. Issues that changed later are read in the next round; what happened earlier is not told. */
  otherPages: 100,
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
  now: () => number;
  /** The surface is being stopped. */
  isOver: () => boolean;
}

/** Hands over what is new. Answers why it could not; the next try goes on from the same mark. */
export async function readNew(deps: PollDeps, repository: string): Promise<Failure | undefined> {
  const { login, marks, taker, known } = deps;
  const [owner = '', repo = ''] = repository.split('/');
  const api = login.apiFor(owner);
  if (api === undefined) return undefined;
  const begun = deps.now();
  let since = Math.max(marks.of(repository), known.now - LIMITS.ageMs);
  const lists = new Lists(api, { owner, repo });
  const others = await readOthers(lists, since);
  while (!deps.isOver()) {
    const comments = await readComments(lists, since);
    if (lists.failure !== undefined) return lists.failure;
    const until = Math.min(others.until, comments.until);
    const news = new News(deps, repository);
    news.add(others, since, until);
    news.add(comments, since, until);
    for (const [number, { root, events }] of news.threads) {
      const inOrder = events.toSorted((a, b) => instantMs(a.at) - instantMs(b.at));
      const taken = await taker.handOver(conversationOf({ repository, number }).id, inOrder, root);
      if (taken.type !== 'done')
        return { type: 'lost', error: taken.type === 'later' ? taken.why : taken.problem };
    }
    // What changed after the first list was asked for may be missing in it.
    const tookMs = deps.now() - begun;
    await marks.move(repository, Math.min(news.newest, until) - tookMs);
    if (comments.until === Number.POSITIVE_INFINITY) return undefined;
    since = comments.until;
  }
  return undefined;
}

/** The lists of one repository. After a failure nothing more is asked. */
class Lists {
  failure: Failure | undefined;
  readonly #api: GithubApi;
  readonly #args: { owner: string; repo: string };

  constructor(api: GithubApi, args: { owner: string; repo: string }) {
    this.#api = api;
    this.#args = args;
  }

  async read<S extends z.ZodType>(asked: Asked<S>): Promise<z.infer<S>[]> {
    return (await this.#ask(asked, readList)).items;
  }

  /** What has changed, and the time up to which all of it was read. */
  async changed<S extends z.ZodType<Changed>>(
    asked: Asked<S> & { since: number },
  ): Promise<{ items: z.infer<S>[]; until: number }> {
    const { items, isWhole } = await this.#ask(asked, (api, request) =>
      readChanged(api, { ...request, since: asked.since }),
    );
    const last = items.at(-1);
    return { items, until: isWhole || last === undefined ? Number.POSITIVE_INFINITY : changedAt(last) };
  }

  async #ask<S extends z.ZodType>(
    { more, ...asked }: Asked<S>,
    read: (api: GithubApi, request: ListRequest<S>) => Promise<Called<Listed<z.infer<S>>>>,
  ): Promise<Listed<z.infer<S>>> {
    const none = { items: [], isWhole: true };
    if (this.failure !== undefined) return none;
    const listed = await read(this.#api, { ...asked, args: { ...this.#args, ...more } });
    if (listed.ok) return listed.value;
    // A repository without issues, or a permission that is missing: the other lists are read.
    if (listed.failure.type !== 'refused') this.failure = listed.failure;
    return none;
  }
}

type Asked<S extends z.ZodType> = Omit<ListRequest<S>, 'args'> & { more?: Record<string, unknown> };
type Comment = z.infer<typeof listedCommentSchema>;
type ReviewComment = z.infer<typeof listedReviewCommentSchema>;
type Happened = z.infer<typeof happenedSchema>;
type Review = { review: z.infer<typeof reviewSchema>; issue: GithubIssue };

interface Read {
  issues?: GithubIssue[];
  comments?: Comment[];
  reviewComments?: ReviewComment[];
  happened?: Happened[];
  reviews?: Review[];
  /** Epoch ms. Infinity: the lists were read to their ends. */
  until: number;
}

const changedAt = ({ updated_at: at }: { updated_at: string }): number => instantMs(at);

/** Comments can be many. */
async function readComments(lists: Lists, since: number): Promise<Read> {
  const asked = { since, pages: LIMITS.commentPages };
  const comments = await lists.changed({
    ...asked,
    route: 'GET /repos/{owner}/{repo}/issues/comments',
    schema: listedCommentSchema,
  });
  const reviewComments = await lists.changed({
    ...asked,
    route: 'GET /repos/{owner}/{repo}/pulls/comments',
    schema: listedReviewCommentSchema,
  });
  return {
    comments: comments.items,
    reviewComments: reviewComments.items,
    until: Math.min(comments.until, reviewComments.until),
  };
}

/** Issues are read first and to the end: a comment needs the body that it stands below. */
async function readOthers(lists: Lists, since: number): Promise<Read> {
  const pages = LIMITS.otherPages;
  const { items: issues, until } = await lists.changed({
    route: 'GET /repos/{owner}/{repo}/issues',
    schema: listedIssueSchema,
    more: { state: 'all' },
    since,
    pages,
  });
  const happened = await lists.read({
    route: 'GET /repos/{owner}/{repo}/issues/events',
    schema: happenedSchema,
    isPast: ({ created_at: at }) => instantMs(at) < since,
    pages,
  });
  const reviews: Review[] = [];
  for (const issue of issues) {
    if (!issue.pull_request) continue;
    const route = 'GET /repos/{owner}/{repo}/pulls/{number}/reviews';
    const found = await lists.read({ route, schema: reviewSchema, more: { number: issue.number }, pages });
    reviews.push(...found.map((review) => ({ review, issue })));
  }
  return { issues, happened, reviews, until };
}

/** What is new, thread by thread. */
class News {
  readonly threads = new Map<number, { root?: SourceEvent; events: SourceEvent[] }>();
  /** Epoch ms. Of the latest change. */
  newest = 0;
  readonly #titles = new Map<number, string | null | undefined>();
  readonly #roots = new Map<number, SourceEvent>();
  readonly #deps: PollDeps;
  readonly #repository: string;

  constructor(deps: PollDeps, repository: string) {
    this.#deps = deps;
    this.#repository = repository;
  }

  /** What changed from one time to another, both included. */
  add({ issues, comments, reviewComments, happened, reviews }: Read, since: number, until: number): void {
    const isIn = (at: string): boolean => instantMs(at) >= since && instantMs(at) <= until;
    for (const issue of issues ?? []) {
      // Whatever was said below it meanwhile.
      this.#titles.set(issue.number, issue.title);
      this.#roots.set(issue.number, rootOf(issue, this.#repository, this.#deps.known));
      if (isIn(issue.updated_at)) this.#issue(issue);
      // An issue that changed later is as old as it is: the mark moves past its time.
      else if (isIn(issue.created_at)) this.#thread(issue.number, issue.created_at);
    }
    for (const comment of comments ?? []) if (isIn(comment.updated_at)) this.#comment(comment);
    for (const comment of reviewComments ?? []) if (isIn(comment.updated_at)) this.#reviewComment(comment);
    for (const one of happened ?? []) if (isIn(one.created_at)) this.#happened(one);
    for (const { review, issue } of reviews ?? [])
      if (review.submitted_at && isIn(review.submitted_at)) this.#review(review, issue, review.submitted_at);
  }

  #issue(issue: GithubIssue): void {
    const { known, bodies } = this.#deps;
    const said = readIssue(issue, this.#repository, known);
    const { text = '' } = said;
    const { id } = said.conversation;
    const thread = this.#thread(issue.number, issue.updated_at);
    const before = bodies.get(id);
    const isChanged = before === undefined ? issue.updated_at !== issue.created_at : before !== text;
    if (isChanged && !isOurs(issue, known)) thread.events.push(readEdit(said, issue.updated_at, known));
    if (bodies.size >= LIMITS.bodies) bodies.clear();
    bodies.set(id, text);
  }

  #comment(comment: Comment): void {
    const number = numberIn(comment.issue_url);
    if (number === undefined) return;
    const where = { repository: this.#repository, number, title: this.#titles.get(number) };
    this.#said(number, comment, readComment(comment, where, this.#deps.known));
  }

  #reviewComment(comment: ReviewComment): void {
    const number = numberIn(comment.pull_request_url);
    if (number === undefined) return;
    const where = reviewPlace(this.#repository, { number, title: this.#titles.get(number) }, comment);
    this.#said(number, comment, readReviewComment(comment, where, this.#deps.known));
  }

  #happened(one: Happened): void {
    const status = statusOf(one.event, one, this.#repository);
    if (status === undefined) return;
    const { number, title } = one.issue;
    const where = { repository: this.#repository, number, title };
    const event = readStatus({ ...status, where, by: one.actor, at: one.created_at }, this.#deps.known);
    this.#thread(number, one.created_at).events.push(event);
  }

  #review(review: Review['review'], { number, title }: GithubIssue, at: string): void {
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
    const root = this.#roots.get(number);
    const found = this.threads.get(number) ?? { events: [], ...(root !== undefined && { root }) };
    this.threads.set(number, found);
    return found;
  }
}

/** Addresses end with the number of the issue or pull request. */
function numberIn(address: string): number | undefined {
  const [, digits] = /\/(\d+)$/.exec(address) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
