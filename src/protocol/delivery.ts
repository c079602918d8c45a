// Delivery: the shape in which the host hands an event to a session, before a protocol version is applied. It has all
// that any version needs and nothing else. `policy` is the one that the host enforces; a version may show less of it.
import type { z } from 'zod';
import type { Author, attachmentSchema, Conversation, Mention } from './chat-event.ts';
import type { Identity } from './identity.ts';
import type { KnockSubject, KnockTask } from './knock-topic.ts';
import type { Unanswered } from './unanswered.ts';
import type { NotShown } from './not-shown.ts';
import type {
  Blocks,
  Directedness,
  InjectionContext,
  InjectionMode,
  Intent,
  Policy,
  Priority,
  Reason,
  Signal,
} from './vocabulary.ts';

export type Attachment = z.infer<typeof attachmentSchema>;

export interface Delivery {
  /** The same on every attempt. A follow-up has a derived id (`evt_123/return-2`) and `refersTo`. */
  eventId: string;
  refersTo?: string;
  /** The source's own id of the event, where the host's is another one. */
  sourceId?: string;
  platform: string;
  workspaceId: string;
  conversation: Conversation;
  author: Author;
  /** The agent it is for, by its configured id: `lead`, not `agent:lead`. */
  agent: string;
  mentions: readonly Mention[];
  text: string;
  attachments?: readonly Attachment[];
  /** Epoch ms, the source's clock. */
  createdAt: number;
  /** Epoch ms, the host's clock when it handed this attempt over. A knock's age is computed from it. */
  handedAt: number;
  sequence: number;
  /** Within what time its author usually adds something. Missing: they seldom do, or nobody knows. */
  goesOnMs?: number;
  /** The same for an author who takes longer than a compose window may wait. */
  addsWithinMs?: number;

  directedness: Directedness;
  policy: Policy;
  mode: InjectionMode;
  context: InjectionContext;
  reason: Reason;
  intent: Intent;
  priority: Priority;
  deadlineMs?: number;
  /** The event is old: the agent should read the thread before it answers. */
  requiresThreadCheck?: boolean;
  attempt: number;
  /** The platform's own kind of message, such as `review_requested`. A knock names its kind of task from it. */
  subtype?: string;
  /** It follows from something that went wrong. A knock says so. */
  after?: KnockSubject['after'];
  /** Earlier knocks in the conversation that still wait for the agent. */
  waiting?: readonly KnockTask[];

  obligation?: DeliveredObligation;
  recipients?: readonly Identity[];
  /** Set when it is an escalation of a debt: who does not answer, and the debts that wait for them. */
  escalation?: { blockedOn: Identity; items: readonly EscalatedDebt[] };
  /** Set when the delivered event is a reaction. */
  reaction?: { targetEventId: string; signal: Signal; recipient?: Identity };
  /** A send of the agent about this event was not shown, and why. */
  notShown?: NotShown;
  /** Set when another agent did not answer it: which, and why. */
  unanswered?: Unanswered;
  /** Code words, never prose. The harness turns them into notices: `loop`, `group`, `claim_first`, … */
  notices?: readonly string[];
}

/** A debt on the list of an escalation. `createdAt` in epoch ms. */
export interface EscalatedDebt {
  eventId: string;
  author: Identity;
  recipient: Identity;
  blocks: Blocks;
  defaultAction: string;
  createdAt: number;
}

export interface DeliveredObligation {
  blocks: Blocks;
  defaultAction: string;
  dischargeDelegate?: Identity;
}
