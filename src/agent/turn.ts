// The turn as a handler sees it: what happened, rendered for a model, and everything it may do about it. A turn that
// was cancelled (`signal`) says nothing any more: its calls come back refused.
import type { Policy, Signal } from '../protocol/vocabulary.ts';
import type { NoAnswer } from './open-ask.ts';
import type { SeenEvent, TurnConversation, TurnEvent } from './event.ts';
import type { ToolOutcome, TurnTool } from './tools.ts';

/** A returned string is the reply; `NO_REPLY`, an empty string or nothing at all is silence. */
export type TurnHandler = (turn: Turn) => Promise<string | void> | string | void;

export interface TurnMessage {
  role: 'system' | 'user';
  content: string;
}

export interface ReplyOptions {
  /** Somewhere else than where it was asked: `channel:C1`, `agent:builder`, `human:U1`. */
  target?: string;
  /** The one who is asked to act: obliges them. */
  recipient?: string;
  mentions?: readonly string[];
  inReplyTo?: string;
  directedness?: 'to_me' | 'to_my_role' | 'to_other' | 'ambient';
  visibility?: 'dm' | 'thread' | 'channel' | 'ephemeral';
  obligation?: { blocks: 'halted' | 'degraded' | 'none'; defaultAction: string };
}

export interface AskOptions {
  /** Somewhere else than where the turn is. */
  target?: string;
  /** Somebody else than the turn's author: `human:U1`, `agent:builder`. Only their answer counts. */
  who?: string;
  /** `limits.askMs` unless given. */
  timeoutMs?: number;
}

/** `answer` is anything that is neither a plain yes nor a no. `none`: nobody answered, `why` says how that came. */
export interface Answer {
  type: 'agree' | 'declined' | 'answer' | 'none';
  /** What was said; untrusted. Empty for a reaction. For a refused question, what to do instead. */
  text?: string;
  /** The last event of the answer. */
  event?: TurnEvent;
  /** The answer for the model, as a further user message. */
  prompt?: string;
  why?: NoAnswer;
}

/** An urgent event, taken into the running turn at a boundary. */
export interface Interrupt {
  events: readonly TurnEvent[];
  /** For the model, as a further user message. */
  prompt: string;
}

export interface Turn {
  readonly id: string;
  /** Who we are. */
  readonly agent: string;
  /** What the turn is about, in the order it was said: one author, one conversation. */
  readonly events: readonly TurnEvent[];
  readonly conversation: TurnConversation;
  /** The strongest of the events' policies. */
  readonly policy: Policy;
  /** Said while the agent was quiet; not addressed to it. Each line once. */
  readonly context: readonly SeenEvent[];
  /** Said before in this conversation, our own words included; empty where the host asks for none. */
  readonly history: readonly SeenEvent[];
  /** Knocks and digests that waited for this turn. */
  readonly knocks: readonly TurnEvent[];
  readonly digests: readonly TurnEvent[];
  /** All that was said to us, as plain text. Untrusted. */
  readonly text: string;

  /** Everything as one string: the standing rules, then the user turn. */
  readonly prompt: string;
  /** The two halves of it. The rules never change, so a cached prefix survives. */
  readonly system: string;
  readonly user: string;
  /** `user` without `history`, for an agent that remembers this conversation. */
  readonly fresh: string;
  readonly messages: readonly TurnMessage[];
  readonly tools: readonly TurnTool[];

  /** Aborted when the turn is cancelled: an edit, a delete, "stop", a further fragment, the end of the session. */
  readonly signal: AbortSignal;

  reply(text: string, options?: ReplyOptions): Promise<ToolOutcome>;
  /** Puts a question and waits for its answer, inside this turn. Throws when the turn is cancelled. */
  ask(text: string, options?: AskOptions): Promise<Answer>;
  react(
    signal: Signal,
    options?: { inReplyTo?: string; eta?: string; recipient?: string },
  ): Promise<ToolOutcome>;
  /** Needed to answer what is offered to a role; the body comes with it. */
  claim(): Promise<ToolOutcome & { event?: TurnEvent }>;
  defer(reason: string, options?: { ttlMs?: number; eta?: string }): Promise<ToolOutcome>;
  readThread(options?: { limit?: number; cursor?: string }): Promise<ToolOutcome>;
  /** A boundary between two steps of the model: what is urgent may come in here. Throws when the turn was cancelled. */
  step(): Promise<Interrupt | undefined>;
}
