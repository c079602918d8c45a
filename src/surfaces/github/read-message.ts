// One thing that was said on GitHub, as an event: the same whether a webhook told it or a list. Its id has its kind in
// front; an edit is named by the time and the words, so that a list and a webhook name it alike.
import { createHash } from 'node:crypto';
import { type Author, EVENT_LIMITS } from '../../protocol/chat-event.ts';
import { instantMs } from '../../protocol/log-record.ts';
import type { SourceEvent } from '../../protocol/source-event.ts';
import type { GithubComment, GithubIssue, GithubReview, GithubReviewComment, GithubUser } from './payload.ts';
import { conversationOf, issueId, messageId, PLATFORM, type Where } from './place.ts';
import { isSelf, mentionsIn, type Self, withoutComments } from './read-text.ts';
import { keyIn } from './write.ts';

/** What the reader knows. */
export interface Known {
  /** The host of GitHub: `github.com`. */
  workspace: string;
  /** The login that heard it. */
  self: Self;
  /** The other logins of this surface. */
  others?: readonly Self[];
  /** Epoch ms. */
  now: number;
  /** What comes later than this was not told as it happened: agents must not answer it as new. */
  lateMs: number;
  /** Everything of the repository that was said before is with the host, or from before the host was there. */
  heardUntil: (repository: string) => number;
}

export type Message = Extract<SourceEvent, { type: 'message' }>;

export function readIssue(issue: GithubIssue, repository: string, known: Known): Message {
  const { number, title, body, user, created_at: at } = issue;
  const where = { repository, number, title };
  const said = saidIn(body, where, known);
  const text = titled(title?.replaceAll(/\s+/g, ' ').trim() ?? '', said.text);
  return {
    ...messageOf(issueId(number), { at, user, body }, where, known),
    ...said,
    text: cut(text),
  };
}

/** The title stands as a quotation, so that a name at the head of the body is at the head of what the author says. */
function titled(title: string, body: string): string {
  if (title === '' || body === '') return title + body;
  return `> ${title}\n\n${body}`;
}

/** The body of an issue, for what is said below it. It may come before its own event does. */
export function rootOf(issue: GithubIssue, repository: string, known: Known): Message {
  return asHeard(readIssue(issue, repository, known), repository, known);
}

/**
 * What the host should know by now. From before the host was there it is context and decides nothing. Anything newer is
 * handed over as said: if it is news, it was missed.
 */
export function asHeard(message: Message, repository: string, { heardUntil }: Known): Message {
  return instantMs(message.at) < heardUntil(repository) ? { ...message, origin: 'backfill' } : message;
}

export function readComment(comment: GithubComment, where: Where, known: Known): Message {
  const { id, body, user, created_at: at } = comment;
  return {
    ...messageOf(messageId('comment', id), { at, user, body }, where, known),
    ...saidIn(body, where, known),
  };
}

export function readReviewComment(comment: GithubReviewComment, where: Where, known: Known): Message {
  const { id, body, user, created_at: at } = comment;
  return {
    ...messageOf(messageId('review_comment', id), { at, user, body }, where, known),
    ...saidIn(body, where, known),
  };
}

/** A thread is named by its first comment and told by its file. */
export function reviewPlace(
  repository: string,
  { number, title }: Pick<GithubIssue, 'number' | 'title'>,
  { id, in_reply_to_id: first, path }: GithubReviewComment,
): Where {
  const shown = [path, title].filter((part) => part).join(': ');
  return { repository, number, review: first ?? id, title: shown };
}

const STATES: Readonly<Record<string, string>> = {
  approved: 'Approved these changes.',
  changes_requested: 'Requested changes.',
};

/** Undefined: it says nothing of its own. The comments in it are told by themselves. */
export function readReview(
  review: GithubReview,
  where: Where,
  at: string,
  known: Known,
): Message | undefined {
  const { id, body, user, state, submitted_at: submitted } = review;
  const said = saidIn(body, where, known);
  const verdict = STATES[state?.toLowerCase() ?? ''];
  if (said.text === '' && verdict === undefined) return undefined;
  const text = [verdict, said.text].filter((part) => part).join('\n\n');
  return {
    ...messageOf(messageId('review', id), { at: submitted ?? at, user, body }, where, known),
    ...said,
    text: cut(text),
    ...(said.text === '' && { subtype: 'status' as const }),
  };
}

export function readEdit(now: Message, at: string, known: Known): SourceEvent {
  const { eventId, echoOf: _, platformId: __, subtype: ___, ...said } = now;
  const { text = '' } = said;
  const { origin: ____, ...rest } = said;
  return {
    ...rest,
    ...timed(instantMs(at), known),
    eventId: `${eventId}:edited:${at}:${createHash('sha256').update(text).digest('base64url').slice(0, 8)}`,
    type: 'edit',
    targetEventId: eventId,
  };
}

export function deleteOf(target: string, where: Where, by: GithubUser, known: Known): SourceEvent {
  return {
    ...base(`${target}:deleted`, known.now, where, known),
    author: authorOf(by, false),
    type: 'delete',
    targetEventId: target,
  };
}

export interface Status {
  what: 'assigned' | 'review_requested' | 'closed' | 'merged' | 'reopened' | 'labeled';
  to?: { login: string } | { team: string };
  label?: string;
  where: Where;
  by: GithubUser;
  at: string;
}

/** An assignment is a request to whoever it is for. Everything else is told and wakes nobody. */
export function readStatus({ what, to, label, where, by, at }: Status, known: Known): Message {
  const name =
    to === undefined ? (label ?? '') : 'login' in to ? to.login.toLowerCase() : to.team.toLowerCase();
  const detail = name === '' ? '' : `:${name}`;
  const plain = {
    ...base(`${issueId(where.number)}:${what}${detail}:${at}`, instantMs(at), where, known),
    author: authorOf(by, false),
    type: 'message' as const,
    text: WORDS[what](name),
    mentionsResolved: true as const,
  };
  if (to === undefined || (what !== 'assigned' && what !== 'review_requested'))
    return { ...plain, subtype: 'status' };
  if ('team' in to) return { ...plain, subtype: what, mentions: [{ kind: 'role', id: name }] };
  const us = oursOf(known).find((one) => isSelf(name, one));
  return {
    ...plain,
    subtype: what,
    mentions: [{ kind: us === undefined ? 'human' : 'agent', id: name }],
    recipients: [name],
  };
}

const WORDS: Readonly<Record<Status['what'], (name: string) => string>> = {
  assigned: (name) => `Assigned this to @${name}.`,
  review_requested: (name) => `Requested a review from @${name}.`,
  closed: () => 'Closed this.',
  merged: () => 'Merged this.',
  reopened: () => 'Reopened this.',
  labeled: (name) => `Added the label ${name}.`,
};

interface Written {
  at: string;
  user: GithubUser;
  body: string | null | undefined;
}

function messageOf(eventId: string, { at, user, body }: Written, where: Where, known: Known) {
  const ours = isOurs({ user, body }, known);
  const key = ours ? keyIn(body ?? '') : undefined;
  return {
    ...base(eventId, instantMs(at), where, known),
    author: authorOf(user, ours),
    type: 'message' as const,
    ...(ours && { platformId: eventId }),
    ...(key !== undefined && { echoOf: key }),
  };
}

function base(eventId: string, at: number, where: Where, known: Known) {
  return {
    eventId,
    platform: PLATFORM,
    workspaceId: known.workspace,
    conversation: conversationOf(where),
    ...timed(at, known),
  };
}

function timed(at: number, { now, lateMs }: Known): { at: number; origin?: 'gap' } {
  return { at, ...(now - at > lateMs && { origin: 'gap' as const }) };
}

/**
 * Whether an agent of ours wrote it. Of a person's own token, only what has our mark: the rest that person wrote
 * themselves.
 */
export function isOurs(
  { user, body }: { user?: GithubUser; body?: string | null | undefined },
  known: Pick<Known, 'self' | 'others'>,
): boolean {
  const self = oursOf(known).find(({ login }) => user?.login.toLowerCase() === login);
  if (self === undefined) return false;
  return self.isApp || keyIn(body ?? '') !== undefined;
}

function oursOf({ self, others = [] }: Pick<Known, 'self' | 'others'>): Self[] {
  return [self, ...others];
}

/** An account that was deleted is a ghost. */
export function authorOf(user: GithubUser, ours: boolean): Author {
  if (user === undefined || user === null) return { id: 'ghost', kind: 'human', displayName: 'ghost' };
  const kind = ours || user.type === 'Bot' ? 'agent' : 'human';
  return { id: user.login.toLowerCase(), kind, displayName: user.login.slice(0, EVENT_LIMITS.nameChars) };
}

function saidIn(body: string | null | undefined, { repository }: Where, { self, others }: Known) {
  const text = withoutComments(body ?? '');
  const [owner = ''] = repository.split('/');
  const mentions = mentionsIn(text, { self, others, owner });
  return { text: cut(text), mentionsResolved: true as const, ...(mentions.length > 0 && { mentions }) };
}

function cut(text: string): string {
  return text.slice(0, EVENT_LIMITS.textChars);
}
