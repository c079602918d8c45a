// Delivery: the one shape in which the host hands an event to a session, before any version is chosen. Everything a
// wire version needs is here and nothing else; `policy` is the internal one, which enforcement uses whatever a
// version shows. Plain data, types only.
import type { z } from 'zod';
import type { Author, attachmentSchema, Conversation, Mention } from './chat-event.ts';
import type { Identity } from './identity.ts';
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
  /** Stable over attempts. A follow-up carries a derived id (`evt_123/return-2`) and `refersTo`. */
  eventId: string;
  refersTo?: string;
  platform: string;
  workspaceId: string;
  conversation: Conversation;
  author: Author;
  /** The agent it is for, as configured: `lead`, not `agent:lead`. */
  agent: string;
  mentions: readonly Mention[];
  text: string;
  attachments?: readonly Attachment[];
  /** Epoch ms, the source's clock. */
  createdAt: number;
  /** Epoch ms, the host's clock when this attempt was handed over: gives a knock its age. */
  handedAt: number;
  sequence: number;

  directedness: Directedness;
  policy: Policy;
  mode: InjectionMode;
  context: InjectionContext;
  reason: Reason;
  intent: Intent;
  priority: Priority;
  deadlineMs?: number;
  /** The event went stale: look at the thread before answering. */
  requiresThreadCheck?: boolean;
  attempt: number;

  obligation?: DeliveredObligation;
  recipients?: readonly Identity[];
  /** Set when the delivered event is a reaction. */
  reaction?: { targetEventId: string; signal: Signal; recipient?: Identity };
  /** Code words the harness turns into host notices (`loop`, `group`, `reminder`, `claim_first`); never prose. */
  notices?: readonly string[];
}

export interface DeliveredObligation {
  blocks: Blocks;
  defaultAction: string;
  dischargeDelegate?: Identity;
}
