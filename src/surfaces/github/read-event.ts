// From GitHub's events to ours. Pure. The body of an issue or pull request is the first message of its thread; assignments
// and requested reviews are requests to whoever is named; what else happens to an issue is a status that wakes nobody.
import type { z } from 'zod';
import type { SourceEvent } from '../../protocol/source-event.ts';
import {
  type Delivery,
  commentEventSchema,
  issueEventSchema,
  pullEventSchema,
  reviewCommentEventSchema,
  reviewEventSchema,
} from './payload.ts';
import { conversationOf, issueId, type Where } from './place.ts';
import {
  type Known,
  type Message,
  asHeard,
  deleteOf,
  isOurs,
  readComment,
  readEdit,
  readIssue,
  readReview,
  readReviewComment,
  readStatus,
  reviewPlace,
  rootOf,
} from './read-message.ts';

export type Read =
  | { type: 'events'; events: SourceEvent[]; root?: SourceEvent }
  /** Nothing for the host. `what` names it for the count; an ordinary thing has no name. */
  | { type: 'ignored'; what?: string }
  | { type: 'malformed'; problem: string };

const IGNORED: Read = { type: 'ignored' };
/** Told to every app, and nothing that anybody says. */
const QUIET: ReadonlySet<string> = new Set(['ping', 'installation', 'installation_repositories']);

/** `name`: of the event, as the header says it. */
export function readDelivery(name: string, delivery: Delivery, known: Known): Read {
  const repository = delivery.repository?.full_name;
  const { action } = delivery;
  if (QUIET.has(name)) return IGNORED;
  if (READERS[name] === undefined) return { type: 'ignored', what: name };
  if (repository === undefined) return { type: 'malformed', problem: 'repository: missing' };
  if (action === undefined || action === null) return { type: 'malformed', problem: 'action: missing' };
  return READERS[name]({ delivery, repository, action, known });
}

interface Told {
  delivery: Delivery;
  repository: string;
  action: string;
  known: Known;
}

const READERS: Readonly<Record<string, (told: Told) => Read>> = {
  issues: readIssueEvent,
  pull_request: readPullEvent,
  issue_comment: readCommentEvent,
  pull_request_review_comment: readReviewCommentEvent,
  pull_request_review: readReviewEvent,
};

function readAs<S extends z.ZodType>(schema: S, { delivery }: Told, read: (value: z.infer<S>) => Read): Read {
  const parsed = schema.safeParse(delivery);
  if (parsed.success) return read(parsed.data);
  const [issue] = parsed.error.issues;
  return { type: 'malformed', problem: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}` };
}

function events(all: SourceEvent[], root?: SourceEvent): Read {
  return root === undefined ? { type: 'events', events: all } : { type: 'events', events: all, root };
}

export type Happened = Partial<
  Pick<z.infer<typeof pullEventSchema>, 'assignee' | 'label' | 'requested_reviewer' | 'requested_team'>
> & { merged?: boolean };

type IssueEvent = Omit<z.infer<typeof issueEventSchema>, 'issue'> &
  Partial<Pick<z.infer<typeof pullEventSchema>, 'requested_reviewer' | 'requested_team'>> & {
    issue: z.infer<typeof pullEventSchema>['pull_request'] | z.infer<typeof issueEventSchema>['issue'];
  };

function readIssueEvent(told: Told): Read {
  return readAs(issueEventSchema, told, (event) => readChange(told, event));
}

function readPullEvent(told: Told): Read {
  return readAs(pullEventSchema, told, ({ pull_request: issue, ...rest }) =>
    readChange(told, { ...rest, issue }),
  );
}

/** What happened to an issue or pull request. */
function readChange(told: Told, event: IssueEvent): Read {
  const { repository, action, delivery, known } = told;
  const { issue, changes } = event;
  const where: Where = { repository, number: issue.number, title: issue.title };
  const root = rootOf(issue, repository, known);
  if (action === 'opened') return events([readIssue(issue, repository, known)]);
  if (action === 'edited') {
    if (!changes?.body && !changes?.title) return IGNORED; // a pull request has another base
    const before = {
      ...issue,
      body: changes.body?.from ?? issue.body,
      title: changes.title?.from ?? issue.title,
    };
    if (isOurs(issue, known) || isOurs(before, known)) return IGNORED;
    const edit = readEdit(readIssue(issue, repository, known), issue.updated_at, known);
    return events([edit], rootOf(before, repository, known));
  }
  if (action === 'deleted') return events([deleteOf(issueId(issue.number), where, delivery.sender, known)]);
  const merged = 'merged' in issue && issue.merged === true;
  const status = statusOf(action, { ...event, merged }, repository);
  if (status === undefined) return IGNORED;
  const by = delivery.sender;
  return events([readStatus({ ...status, where, by, at: issue.updated_at }, known)], root);
}

/** What happened, unless nobody needs to be told. A list of what happened has the same fields. */
export function statusOf(action: string, event: Happened, repository: string) {
  const [owner = ''] = repository.split('/');
  const { merged, assignee, label, requested_reviewer: reviewer, requested_team: team } = event;
  switch (action) {
    case 'assigned':
      return assignee ? ({ what: 'assigned', to: { login: assignee.login } } as const) : undefined;
    case 'review_requested':
      if (reviewer) return { what: 'review_requested', to: { login: reviewer.login } } as const;
      return team
        ? ({ what: 'review_requested', to: { team: `${owner}/${team.slug}` } } as const)
        : undefined;
    case 'closed':
      return { what: merged === true ? 'merged' : 'closed' } as const;
    case 'reopened':
      return { what: 'reopened' } as const;
    case 'labeled':
      return label ? ({ what: 'labeled', label: label.name } as const) : undefined;
    default:
      return undefined;
  }
}

function readCommentEvent(told: Told): Read {
  return readAs(commentEventSchema, told, ({ issue, comment, changes }) => {
    const { repository, known } = told;
    const where: Where = { repository, number: issue.number, title: issue.title };
    const root = rootOf(issue, repository, known);
    return readSaid(told, { comment, changes, where, read: readComment }, root, known);
  });
}

function readReviewCommentEvent(told: Told): Read {
  return readAs(reviewCommentEventSchema, told, ({ pull_request: pull, comment, changes }) => {
    const where = reviewPlace(told.repository, pull, comment);
    return readSaid(told, { comment, changes, where, read: readReviewComment }, undefined, told.known);
  });
}

interface SaidEvent<C> {
  comment: C;
  changes: z.infer<typeof commentEventSchema>['changes'];
  where: Where;
  read: (comment: C, where: Where, known: Known) => Message;
}

function readSaid<C extends z.infer<typeof commentEventSchema>['comment']>(
  { action, delivery }: Told,
  { comment, changes, where, read }: SaidEvent<C>,
  root: SourceEvent | undefined,
  known: Known,
): Read {
  const said = read(comment, where, known);
  const from = changes?.body?.from;
  switch (action) {
    case 'created':
      return events([said], root);
    case 'edited': {
      const before = { ...comment, body: from ?? comment.body };
      if (isOurs(comment, known) || isOurs(before, known)) return IGNORED;
      const edit = readEdit(said, comment.updated_at, known);
      if (typeof from !== 'string') return events([edit]);
      // Unless the host has it, what it said before is needed to tell what has changed.
      return events([asHeard(read(before, where, known), where.repository, known), edit]);
    }
    case 'deleted':
      return events([deleteOf(said.eventId, where, delivery.sender, known)]);
    default:
      return IGNORED;
  }
}

function readReviewEvent(told: Told): Read {
  return readAs(reviewEventSchema, told, ({ pull_request: pull, review }) => {
    const { action, repository, known } = told;
    const where: Where = { repository, number: pull.number, title: pull.title };
    const said = readReview(review, where, pull.updated_at, known);
    if (said === undefined) return IGNORED;
    const root = rootOf(pull, repository, known);
    if (action === 'submitted') return events([said], root);
    if (action !== 'edited' || isOurs(review, known)) return IGNORED;
    return events([readEdit(said, pull.updated_at, known)]);
  });
}

/** The thread of a delivery: its events are handed over in order. */
export function threadIn(delivery: Delivery): string {
  const { repository } = delivery;
  const { issue, pull_request: pull } = delivery as { issue?: unknown; pull_request?: unknown };
  const { number } = (issue ?? pull ?? {}) as { number?: unknown };
  if (repository === undefined || repository === null || typeof number !== 'number') return '';
  return conversationOf({ repository: repository.full_name, number }).id;
}
