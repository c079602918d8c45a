// Places and ids. An issue or pull request is a thread (`acme/app#12`) in its repository (`acme/app`), and so is a
// thread of review comments (`acme/app#12/r345`, by its first comment). Issues, comments, review comments and reviews
// are numbered separately on GitHub, so an id says of which kind it is.
import { type Conversation, EVENT_LIMITS } from '../../protocol/chat-event.ts';
import type { SurfacePlace } from '../surface.ts';

export const PLATFORM = 'github';

export interface Thread {
  owner: string;
  repo: string;
  number: number;
  /** The first comment of a review thread. */
  review?: number;
}

const THREAD = /^([\w.-]+)\/([\w.-]+)#(\d{1,10})(?:\/r(\d{1,16}))?$/;

/** Undefined: it is no thread of GitHub. */
export function threadOf({ conversationId }: Pick<SurfacePlace, 'conversationId'>): Thread | undefined {
  const [, owner, repo, number, review] = THREAD.exec(conversationId) ?? [];
  if (owner === undefined || repo === undefined) return undefined;
  return { owner, repo, number: Number(number), ...(review !== undefined && { review: Number(review) }) };
}

export interface Where {
  /** `acme/app` */
  repository: string;
  number: number;
  review?: number | undefined;
  title?: string | null | undefined;
}

export function conversationOf({ repository, number, review, title }: Where): Conversation {
  const id = `${repository}#${number}${review === undefined ? '' : `/r${review}`}`;
  const shown = title ? { title: title.slice(0, EVENT_LIMITS.nameChars) } : {};
  return { id, kind: 'thread', parentId: repository, ...shown };
}

export const MESSAGE_KINDS = ['issue', 'comment', 'review_comment', 'review'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** Of the body of an issue or pull request. It is unique in its thread; other repositories have the same. */
export function issueId(number: number): string {
  return `issue:${number}`;
}

export function messageId(kind: Exclude<MessageKind, 'issue'>, id: number): string {
  return `${kind}:${id}`;
}

/** What a platform id names: the number of an issue, or the id of a comment. */
export function namedBy(platformId: string | undefined): { kind: MessageKind; id: number } | undefined {
  const [, kind, id] = /^(\w+):(\d+)$/.exec(platformId ?? '') ?? [];
  const known = MESSAGE_KINDS.find((one) => one === kind);
  return known === undefined ? undefined : { kind: known, id: Number(id) };
}
