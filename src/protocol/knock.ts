// The knock of a `notify` delivery: who, where, directedness, policy, priority, age and a topic. From it an agent
// decides whether to pull the message. Invariant: a knock has nothing that people wrote, no text and no title, except
// a sanitised name. `topic` is made of the host's own words alone, knock-topic.ts ("never raw untrusted content").
import { z } from 'zod';
import type { Delivery } from './delivery.ts';
import { displayName, headerWord, identity } from './identity.ts';
import { knockKind, knockTopic } from './knock-topic.ts';
import { type ConversationKind, DIRECTEDNESS, POLICIES, PRIORITIES, type Policy } from './vocabulary.ts';
import { WIRE_LIMITS, count, printable } from './wire-fields.ts';

/** The draft leaves the topic's words to the host, so any short line is valid. Earshot's are in knock-topic.ts. */
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
    | 'author'
    | 'directedness'
    | 'priority'
    | 'intent'
    | 'reason'
    | 'createdAt'
    | 'handedAt'
    | 'subtype'
    | 'after'
    | 'waiting'
    | 'obligation'
    | 'escalation'
  > {
  conversation: { id: string; kind: ConversationKind };
  policy: P;
}

export interface Knock<P extends Policy = Policy> extends z.infer<typeof knockSchema> {
  policy: P;
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
    topic: topicOf(source),
    pullWith: PULL_WITH[conversation.kind],
  };
}

function topicOf(source: KnockSource): string {
  const { reason, after, createdAt, handedAt: now, obligation, escalation, waiting = [] } = source;
  const own = { kind: knockKind(source), createdAt };
  const owed = escalation?.items.map((item) => ({ kind: own.kind, createdAt: item.createdAt })) ?? [];
  const tasks = owed.length > 0 ? owed : [...waiting, own];
  return knockTopic({ tasks, reason, after, blocks: obligation?.blocks, now });
}

/** An agent reads a conversation of people as a window of the thread, and a platform's own stream as a list. */
const PULL_WITH: Record<ConversationKind, 'chat.read_thread' | 'chat.list_events'> = {
  dm: 'chat.read_thread',
  channel: 'chat.read_thread',
  thread: 'chat.read_thread',
  system: 'chat.list_events',
  tool: 'chat.list_events',
};
