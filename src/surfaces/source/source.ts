// The surface of a source without an adapter. The source posts its events to the host over HTTP. It gets what agents
// say at a URL of its own (signed, retried, with an idempotency header), or by pulling the outbox. Every attempt has
// the key, so the source can show each message at most once.
import type { ChatEvent } from '../../protocol/chat-event.ts';
import { amendmentBody, messageBody, reactionBody, typingBody } from '../../protocol/outbound-body.ts';
import {
  type AttachmentOutcome,
  type AttachmentRequest,
  DOES_NOTHING,
  HEARS_ALL,
  type HistoryRequest,
  type PostOutcome,
  type Surface,
} from '../surface.ts';

export interface SourceOptions {
  id: string;
  platform: string;
  maxChars: number;
  /** It may also tell of platforms that no surface has. */
  anyPlatform?: boolean;
  /** Everybody on it may read all of its channels. */
  openChannels?: boolean;
  /** It shows files, and fetches them from the host. */
  files?: boolean;
  /** `any`: answers may open a thread on any message. Left out: threads are as people make them. */
  threads?: 'topics' | 'any';
  replies?: 'thread' | 'room' | undefined;
  /** Posts one signed body and says what became of it. Missing: the source pulls. */
  deliver?: (id: string, body: string) => Promise<PostOutcome>;
  /** Posts a sign that an agent is at work, once. Missing: it shows none, or reads them with its pulls. */
  tell?: (body: string) => Promise<void>;
  /** Asks for the bytes of an attachment. Missing: its attachments are names only. */
  attachment?: (request: AttachmentRequest) => Promise<AttachmentOutcome>;
  /** Asks for what was said before. Missing: a conversation begins with its first event. */
  history?: (request: HistoryRequest) => Promise<readonly ChatEvent[]>;
}

export function sourceSurface(options: SourceOptions): Surface {
  const {
    id,
    platform,
    maxChars,
    openChannels = false,
    threads = 'topics',
    replies,
    files = false,
    anyPlatform = false,
  } = options;
  const { deliver, tell, attachment, history } = options;
  const post = (key: string, body: Record<string, unknown>): Promise<PostOutcome> =>
    deliver === undefined ? Promise.resolve({ type: 'pending' }) : deliver(key, JSON.stringify(body));
  return {
    id,
    platform,
    source: anyPlatform ? 'free' : 'held',
    capabilities: {
      hears: HEARS_ALL,
      does: {
        ...DOES_NOTHING,
        edits: true,
        deletes: true,
        reactions: true,
        files,
        typing: tell !== undefined,
      },
      threads,
      membership: false,
      // The receiver knows the key, so after an unknown outcome the host posts the same message again.
      idempotentForMs: Infinity,
      findable: true,
      pulled: deliver === undefined,
      openChannels,
      maxChars,
      maxParts: MAX_PARTS,
    },
    ...(replies === undefined ? {} : { replies }),
    start: () => Promise.resolve(),
    post: (message) => post(message.idempotencyKey, messageBody(message)),
    react: (reaction) => post(reaction.idempotencyKey, reactionBody(reaction)),
    amend: (amendment) => post(amendment.idempotencyKey, amendmentBody(amendment)),
    find: (message) => post(message.idempotencyKey, messageBody(message)),
    ...(tell === undefined
      ? {}
      : { typing: (place, agent, on) => tell(JSON.stringify(typingBody(place, agent, on))) }),
    ...(attachment === undefined ? {} : { attachment }),
    ...(history === undefined ? {} : { history }),
    stop: () => Promise.resolve(),
  };
}

/** How many messages one text may become. */
const MAX_PARTS = 20;
