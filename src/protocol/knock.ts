// The knock of a `notify` delivery: who, where, directedness, policy, priority, age and a topic. From it an agent
// decides whether to pull the message. Invariant: a knock has nothing that people wrote, no text and no title, except
// a sanitised name. `topic` comes from the fixed list below ("never raw untrusted content").
import { z } from 'zod';
import type { Delivery } from './delivery.ts';
import { displayName, headerWord, identity } from './identity.ts';
import {
  type ConversationKind,
  DIRECTEDNESS,
  type Intent,
  POLICIES,
  PRIORITIES,
  type Policy,
  type Reason,
} from './vocabulary.ts';
import { WIRE_LIMITS, count, printable } from './wire-fields.ts';

export const KNOCK_TOPICS = [
  'answer',
  'approval',
  'assignment',
  'blocker',
  'cancellation',
  'edited message',
  'message',
  'obligation',
  'question',
  'reaction',
  'rejection',
  'request',
  'role mention',
  'safety issue',
  'status',
  'stop request',
  'thanks',
  'thread reply',
  'urgent message',
] as const;
export type KnockTopic = (typeof KNOCK_TOPICS)[number];

/** The draft leaves the topic's words to the host, so any short line is valid. Earshot sends a KnockTopic. */
export const knockSchema = z.object({
  from: printable,
  name: printable.max(WIRE_LIMITS.lineChars).optional(),
  where: printable,
  directedness: z.enum(DIRECTEDNESS),
  policy: z.enum(POLICIES),
  priority: z.enum(PRIORITIES),
  ageMs: count.optional(),
  topic: printable.max(WIRE_LIMITS.lineChars),
  pullWith: z.enum(['chat.read_thread', 'chat.list_events']),
});

/** All that a knock may be made from. It has neither text nor title. */
export interface KnockSource<P extends Policy = Policy>
  extends Pick<
    Delivery,
    'author' | 'directedness' | 'priority' | 'intent' | 'reason' | 'createdAt' | 'handedAt'
  > {
  conversation: { id: string; kind: ConversationKind };
  policy: P;
}

export interface Knock<P extends Policy = Policy> extends z.infer<typeof knockSchema> {
  policy: P;
  topic: KnockTopic;
  ageMs: number;
}

export function knockFor<P extends Policy>(source: KnockSource<P>): Knock<P> {
  const { author, conversation } = source;
  const name = displayName(author.displayName ?? '');
  return {
    from: headerWord(identity(author.kind, author.id), WIRE_LIMITS.lineChars),
    ...(name === '' ? {} : { name }),
    where: headerWord(`${conversation.kind}:${conversation.id}`, WIRE_LIMITS.lineChars),
    directedness: source.directedness,
    policy: source.policy,
    priority: source.priority,
    ageMs: Math.max(0, source.handedAt - source.createdAt),
    topic: TOPIC_OF_REASON[source.reason] ?? TOPIC_OF_INTENT[source.intent] ?? placeTopic(source.reason),
    pullWith: PULL_WITH[conversation.kind],
  };
}

/** Used where the kind of event says more than its intent. */
const TOPIC_OF_REASON: Partial<Record<Reason, KnockTopic>> = {
  obligation: 'obligation',
  assignment: 'assignment',
  signal: 'reaction',
  edited_after_response: 'edited message',
};

const TOPIC_OF_INTENT: Record<Intent, KnockTopic | undefined> = {
  thanks: 'thanks',
  ack: 'thanks',
  question: 'question',
  request: 'request',
  approval: 'approval',
  rejection: 'rejection',
  answer: 'answer',
  cancel: 'cancellation',
  urgent: 'urgent message',
  safety: 'safety issue',
  blocker: 'blocker',
  status: 'status',
  leave: 'stop request',
  stop: 'stop request',
  mode_change: 'request',
  statement: undefined,
};

const PLACE_TOPICS: Partial<Record<Reason, KnockTopic>> = {
  role_mention: 'role mention',
  reply: 'thread reply',
  owned_thread: 'thread reply',
  thread_question: 'thread reply',
  thread_participation: 'thread reply',
};

function placeTopic(reason: Reason): KnockTopic {
  return PLACE_TOPICS[reason] ?? 'message';
}

/** An agent reads a conversation of people as a window of the thread, and a platform's own stream as a list. */
const PULL_WITH: Record<ConversationKind, 'chat.read_thread' | 'chat.list_events'> = {
  dm: 'chat.read_thread',
  channel: 'chat.read_thread',
  thread: 'chat.read_thread',
  system: 'chat.list_events',
  tool: 'chat.list_events',
};
