// The topic of a knock: what kind of task, how many, where, how old, and what hangs on it. It is a small grammar over the
// host's own words ("2 questions and a request in your thread, oldest 4 min"). Nothing that anybody wrote can get into
// it: its input is code words, counts and times.
import type { Blocks, Intent, Reason } from './vocabulary.ts';

/** One and several, the most pressing first. */
const NOUNS = {
  safety_issue: ['safety issue', 'safety issues'],
  urgent_message: ['urgent message', 'urgent messages'],
  cancellation: ['cancellation', 'cancellations'],
  blocker: ['blocker', 'blockers'],
  owed_answer: ['owed answer', 'owed answers'],
  clarification: ['owed explanation', 'owed explanations'],
  undelivered_answer: ['undelivered answer', 'undelivered answers'],
  stopped_loop: ['stopped loop', 'stopped loops'],
  review_request: ['review request', 'review requests'],
  assignment: ['assignment', 'assignments'],
  question: ['question', 'questions'],
  request: ['request', 'requests'],
  approval: ['approval', 'approvals'],
  rejection: ['rejection', 'rejections'],
  answer: ['answer', 'answers'],
  edit: ['edited message', 'edited messages'],
  reaction: ['reaction', 'reactions'],
  stop_request: ['stop request', 'stop requests'],
  role_mention: ['role mention', 'role mentions'],
  thread_reply: ['thread reply', 'thread replies'],
  status: ['status report', 'status reports'],
  thanks: ['thanks', 'thanks'],
  message: ['message', 'messages'],
} as const satisfies Record<string, readonly [one: string, several: string]>;
export type KnockKind = keyof typeof NOUNS;
const KINDS = Object.keys(NOUNS) as KnockKind[];

/** One message or debt that the knock is about. */
export interface KnockTask {
  kind: KnockKind;
  /** Epoch ms. */
  createdAt: number;
}

/** What says which kind of task it is: code words of the decision, and what the platform calls the message. */
export interface KnockSubject {
  reason: Reason;
  intent: Intent;
  subtype?: string | undefined;
  /** It is a further delivery about something that went wrong: `unanswered` by another agent, `undelivered`. */
  after?: 'unanswered' | 'undelivered' | 'unclear' | undefined;
}

export function knockKind({ reason, intent, subtype, after }: KnockSubject): KnockKind {
  if (after === 'undelivered') return 'undelivered_answer';
  if (after === 'unclear') return 'clarification';
  const known = KIND_OF_REASON[reason] ?? (subtype === undefined ? undefined : KIND_OF_SUBTYPE[subtype]);
  return known ?? KIND_OF_INTENT[intent] ?? KIND_OF_PLACE[reason] ?? 'message';
}

/** Used where the kind of event says more than its words. */
const KIND_OF_REASON: Partial<Record<Reason, KnockKind>> = {
  obligation: 'owed_answer',
  signal: 'reaction',
  edited_after_response: 'edit',
  loop_stopped: 'stopped_loop',
};

const KIND_OF_SUBTYPE: Readonly<Partial<Record<string, KnockKind>>> = {
  assigned: 'assignment',
  review_requested: 'review_request',
};

const KIND_OF_INTENT: Record<Intent, KnockKind | undefined> = {
  thanks: 'thanks',
  ack: 'thanks',
  question: 'question',
  request: 'request',
  approval: 'approval',
  rejection: 'rejection',
  answer: 'answer',
  cancel: 'cancellation',
  urgent: 'urgent_message',
  safety: 'safety_issue',
  blocker: 'blocker',
  status: 'status',
  leave: 'stop_request',
  stop: 'stop_request',
  mode_change: 'request',
  statement: undefined,
};

const KIND_OF_PLACE: Partial<Record<Reason, KnockKind>> = {
  assignment: 'assignment',
  role_mention: 'role_mention',
  reply: 'thread_reply',
  owned_thread: 'thread_reply',
  thread_question: 'thread_reply',
  thread_participation: 'thread_reply',
};

/** Where it is, as the reader is concerned. */
const PLACES: Partial<Record<Reason, string>> = {
  role_mention: 'to your role',
  owned_thread: 'in your thread',
  thread_participation: 'in your thread',
  thread_question: 'in your thread',
};
/** These kinds say the place themselves. */
const PLACED: ReadonlySet<KnockKind> = new Set(['role_mention', 'thread_reply']);

const STAKES: Record<Blocks, string> = { halted: 'work halted', degraded: 'work slowed', none: '' };
const UNANSWERED = 'unanswered';

/** Kinds that are named. The rest are counted together. */
const NAMED_MAX = 3;

export interface KnockTopicInput extends Pick<KnockSubject, 'reason' | 'after'> {
  /** At least one. */
  tasks: readonly KnockTask[];
  blocks?: Blocks | undefined;
  now: number;
}

export function knockTopic({ tasks, reason, after, blocks = 'none', now }: KnockTopicInput): string {
  const counts = KINDS.flatMap((kind) => {
    const count = tasks.filter((task) => task.kind === kind).length;
    return count === 0 ? [] : [{ kind, count }];
  });
  const phrase = counts.length === 1 && counts[0]?.count === 1 ? NOUNS[counts[0].kind][0] : listed(counts);
  const isPlaced = counts.every(({ kind }) => PLACED.has(kind));
  const parts = [
    after === 'unanswered' ? UNANSWERED : '',
    phrase,
    isPlaced ? '' : (PLACES[reason] ?? ''),
  ].filter((part) => part !== '');
  const age = ageWords(tasks, now);
  return [parts.join(' '), age, STAKES[blocks]].filter((part) => part !== '').join(', ');
}

function listed(counts: readonly { kind: KnockKind; count: number }[]): string {
  const words = counts.slice(0, NAMED_MAX).map(({ kind, count }) => counted(kind, count));
  const more = counts.slice(NAMED_MAX).reduce((sum, { count }) => sum + count, 0);
  if (more > 0) words.push(`${more} more`);
  const last = words.pop() ?? '';
  return words.length === 0 ? last : `${words.join(', ')} and ${last}`;
}

function counted(kind: KnockKind, count: number): string {
  const [one, several] = NOUNS[kind];
  if (count > 1) return `${count} ${several}`;
  return kind === 'thanks' ? one : `${/^[aeiou]/.test(one) ? 'an' : 'a'} ${one}`;
}

const UNITS = [
  { ms: 86_400_000, from: 2 * 86_400_000, word: 'days' },
  { ms: 3_600_000, from: 3_600_000, word: 'h' },
  { ms: 60_000, from: 60_000, word: 'min' },
] as const;

/** Nothing for what is younger than a minute. */
function ageWords(tasks: readonly KnockTask[], now: number): string {
  const ageMs = now - Math.min(...tasks.map(({ createdAt }) => createdAt));
  const unit = UNITS.find(({ from }) => ageMs >= from);
  if (unit === undefined) return '';
  const age = `${Math.floor(ageMs / unit.ms)} ${unit.word}`;
  return tasks.length === 1 ? `${age} old` : `oldest ${age}`;
}

/** Every word that a topic can have, besides numbers. */
export const KNOCK_WORDS: ReadonlySet<string> = new Set(
  [
    ...Object.values(NOUNS).flat(),
    ...Object.values(PLACES),
    ...Object.values(STAKES),
    ...UNITS.map(({ word }) => word),
    UNANSWERED,
    'a an and more oldest old',
  ].flatMap((words) => words.split(' ').filter((word) => word !== '')),
);

/** Whether a topic is made of these words and of numbers alone. */
export function isKnockTopic(topic: string): boolean {
  return topic.split(/[ ,]+/).every((word) => KNOCK_WORDS.has(word) || /^\d+$/.test(word));
}
