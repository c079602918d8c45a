// Any source without an adapter: it posts its events to the host over HTTP, and gets what agents say back at a URL of
// its own (signed, retried, with an idempotency header) or by pulling the outbox. At most one visible message per key is
// its promise too: the key comes with every attempt.
import type { ChatEvent } from '../../protocol/chat-event.ts';
import type {
  AttachmentOutcome,
  AttachmentRequest,
  HistoryRequest,
  OutboundMessage,
  OutboundReaction,
  PostOutcome,
  Surface,
} from '../surface.ts';

export interface SourceOptions {
  id: string;
  platform: string;
  maxChars: number;
  /** Posts one signed body; the outcome says what became of it. Missing: the source pulls. */
  deliver?: (id: string, body: string) => Promise<PostOutcome>;
  /** Asks for the bytes of an attachment. Missing: its attachments are names only. */
  attachment?: (request: AttachmentRequest) => Promise<AttachmentOutcome>;
  /** Asks for what was said before. Missing: a conversation begins with the first event of it. */
  history?: (request: HistoryRequest) => Promise<readonly ChatEvent[]>;
}

export function sourceSurface(options: SourceOptions): Surface {
  const { id, platform, maxChars, deliver, attachment, history } = options;
  const post = (key: string, body: Record<string, unknown>): Promise<PostOutcome> =>
    deliver === undefined ? Promise.resolve({ type: 'pending' }) : deliver(key, JSON.stringify(body));
  return {
    id,
    platform,
    capabilities: {
      edits: true,
      deletes: true,
      reactions: true,
      typing: true,
      threads: true,
      membership: true,
      // The receiver keeps the key: posting the same again is how an unknown outcome is reconciled.
      idempotentPosts: true,
      ephemeral: false,
      maxChars,
    },
    start: () => Promise.resolve(),
    post: (message) => post(message.idempotencyKey, messageBody(message)),
    react: (reaction) => post(reaction.idempotencyKey, reactionBody(reaction)),
    find: (message) => post(message.idempotencyKey, messageBody(message)),
    ...(attachment === undefined ? {} : { attachment }),
    ...(history === undefined ? {} : { history }),
    stop: () => Promise.resolve(),
  };
}

/** The same shape whether it is pushed or pulled. */
export function messageBody(message: OutboundMessage): Record<string, unknown> {
  return { type: 'message', ...message };
}

export function reactionBody(reaction: OutboundReaction): Record<string, unknown> {
  return { type: 'reaction', ...reaction };
}
