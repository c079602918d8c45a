// The turn as a handler sees it: what happened, rendered for a model, and everything it may do about it. After a turn
// is cancelled (`signal`), the host refuses its calls.
import type { TurnUsage } from '../protocol/usage.ts';
import type { Policy, Signal } from '../protocol/vocabulary.ts';
import type { NoAnswer } from './open-ask.ts';
import type { SeenEvent, TurnConversation, TurnEvent } from './event.ts';
import type { AnswerStream, Pieces } from './stream.ts';
import type { ToolOutcome, TurnTool } from './tools.ts';

/** A returned string is the reply. `NO_REPLY`, an empty string or nothing at all is silence. */
export type TurnHandler = (turn: Turn) => Promise<string | void> | string | void;

export interface TurnMessage {
  role: 'system' | 'user';
  content: string;
}

export interface ReplyOptions {
  /**
   * It is the turn's answer, and nothing follows. Like a returned string it waits for an author who usually adds something,
   * and is not sent when they do: the turn starts again with all they said.
   */
  final?: boolean;
  /** Another place than the one the turn is in: `channel:C1`, `agent:builder`, `human:U1`. */
  target?: string;
  /** Who is asked to act. The message obliges them. */
  recipient?: string;
  mentions?: readonly string[];
  inReplyTo?: string;
  directedness?: 'to_me' | 'to_my_role' | 'to_other' | 'ambient';
  visibility?: 'dm' | 'thread' | 'channel' | 'ephemeral';
  obligation?: { blocks: 'halted' | 'degraded' | 'none'; defaultAction: string };
  /** Files to send with the text. The host says how many and how large they may be. */
  attachments?: readonly ReplyFile[];
}

/** Exactly one of `text` and `base64`. */
export interface ReplyFile {
  name: string;
  /** Left out: read from the ending of the name. */
  contentType?: string;
  text?: string;
  base64?: string;
}

export interface AskOptions {
  /** Another place than the one the turn is in. */
  target?: string;
  /**
   * Somebody else than the author of the turn: `human:U1`, `agent:builder`. Only their answer counts. Of several, the
   * first who answers decides.
   */
  who?: string | readonly string[];
  /** Default: `limits.askMs`. */
  timeoutMs?: number;
}

/** `answer` is anything that is neither a plain yes nor a plain no. `none`: nobody answered; `why` says the reason. */
export interface Answer {
  type: 'agree' | 'declined' | 'answer' | 'none';
  /** What was said. Untrusted. Empty for a reaction. For a refused question: what to do instead. */
  text?: string;
  /** The last event of the answer. */
  event?: TurnEvent;
  /** The answer for the model, as another user message. */
  prompt?: string;
  why?: NoAnswer;
}

/** An urgent event that a running turn took in at a boundary. */
export interface Interrupt {
  events: readonly TurnEvent[];
  /** For the model, as another user message. */
  prompt: string;
}

export interface Turn {
  readonly id: string;
  /** Our own agent id. */
  readonly agent: string;
  /** What the turn is about, in the order it was said. One author, one conversation. */
  readonly events: readonly TurnEvent[];
  readonly conversation: TurnConversation;
  /** The strongest of the events' policies. */
  readonly policy: Policy;
  /** Messages that were said while the agent was quiet and not addressed to it. Each is shown once. */
  readonly context: readonly SeenEvent[];
  /** Earlier messages of this conversation, our own included. Empty unless the host asks for them. */
  readonly history: readonly SeenEvent[];
  /** Knocks and digests that waited for this turn. */
  readonly knocks: readonly TurnEvent[];
  readonly digests: readonly TurnEvent[];
  /** Everything that was said to us, as plain text. Untrusted. */
  readonly text: string;

  /** The whole prompt: the standing rules, then the user turn. */
  readonly prompt: string;
  /** The two halves of the prompt. The rules never change, so a provider can cache them. */
  readonly system: string;
  readonly user: string;
  /** `user` without `history`, for agents that remember the conversation. */
  readonly fresh: string;
  readonly messages: readonly TurnMessage[];
  readonly tools: readonly TurnTool[];

  /** Aborts when the turn is cancelled: an edit, a delete, "stop", another fragment, the end of the session. */
  readonly signal: AbortSignal;

  reply(text: string, options?: ReplyOptions): Promise<ToolOutcome>;
  /** True where people see an answer grow. Elsewhere `stream` works all the same, and they see the message at its end. */
  readonly streams: boolean;
  /**
   * Shows the answer while it is written: `out.write(piece)`, then `await out.end()`. With pieces it writes them all
   * and sends the whole. One message is sent, at the end.
   */
  stream(): AnswerStream;
  stream(pieces: Pieces): Promise<ToolOutcome>;
  /** Asks a question and waits for its answer inside this turn. Throws when the turn is cancelled. */
  ask(text: string, options?: AskOptions): Promise<Answer>;
  react(
    signal: Signal,
    options?: { inReplyTo?: string; eta?: string; recipient?: string },
  ): Promise<ToolOutcome>;
  /** Corrects a message of our own that is shown: `data.eventId` of the reply. It wakes and pings nobody. */
  edit(eventId: string, text: string): Promise<ToolOutcome>;
  /** Deletes a message of our own that is shown. */
  delete(eventId: string): Promise<ToolOutcome>;
  /** Claims what is offered to a role. Needed before answering an offer; the body comes with it. */
  claim(): Promise<ToolOutcome & { event?: TurnEvent }>;
  defer(reason: string, options?: { ttlMs?: number; eta?: string }): Promise<ToolOutcome>;
  readThread(options?: { limit?: number; cursor?: string }): Promise<ToolOutcome>;
  /** Tells the host what the model read, where that is not `prompt`. Operators see it beside the decision. */
  tellPrompt(text: string): void;
  /** Marks a boundary between two steps of the model, where urgent events may come in. Throws when cancelled. */
  step(): Promise<Interrupt | undefined>;
  /** Tells what the turn cost so far. Several reports add up; the host is told when the turn ends. */
  usage(usage: TurnUsage): void;
}
