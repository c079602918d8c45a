// A surface that a test scripts: each post is told what becomes of it, and what people see outlives the host that
// posted it, as on a real platform.
import type { ChatEvent } from '../../src/protocol/chat-event.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import {
  type AttachmentOutcome,
  type AttachmentRequest,
  DOES_NOTHING,
  HEARS_ALL,
  type HistoryRequest,
  type OutboundAmendment,
  type OutboundMessage,
  type OutboundReaction,
  type PostOutcome,
  type Surface,
  type SurfaceAccount,
} from '../../src/surfaces/surface.ts';

/**
 * `unknown_shown`: it arrived and the answer was lost. `unknown_lost`: neither did. `hang`: no answer ever comes.
 * `unknowable`: it arrived, the answer was lost, and nobody can tell. `account`: the login is dead. `throw`: the adapter fails. A number: shown after so many ms.
 */
export type Step =
  | 'visible'
  | 'retry'
  | 'refused'
  | 'unknown_shown'
  | 'unknown_lost'
  | 'unknowable'
  | 'account'
  | 'hang'
  | 'throw'
  | 'pending'
  | number;

export interface Seen {
  key: string;
  agent: string;
  text: string;
  conversation: string;
  at: number;
  message: OutboundMessage;
}

/** What people see; kept by the world, not by the host. */
export interface Platform {
  seen: Seen[];
  reactions: OutboundReaction[];
  /** Every edit and delete that arrived. `seen` is as it leaves it. */
  amendments: OutboundAmendment[];
  /** One step an amendment; then `visible`. */
  amendScript: ('visible' | 'done_and_hang' | 'hang')[];
  posts: OutboundMessage[];
  finds: string[];
  /** One step a post; then `visible`. */
  script: Step[];
  /** What `find` answers: the truth, or that it does not know either. */
  findKnows: boolean;
  idempotentPosts: boolean;
  /** What a membership read answers, and how long it takes; undefined: the platform has none. */
  members: { humans: number; agents: number; complete: boolean; afterMs: number } | undefined;
  /** What is behind attachments, by id; undefined: the platform hands over none. A step in its place happens instead. */
  files:
    | Map<string, { type: string; bytes: Uint8Array } | 'retry' | 'refused' | 'hang' | 'throw'>
    | undefined;
  /** What was said before, by conversation, and how long telling takes; undefined: the platform keeps none. */
  history: { events: Map<string, unknown[]>; afterMs: number; fails?: boolean } | undefined;
  /** Histories that were asked for. */
  past: HistoryRequest[];
  /** Attachments that were asked for. */
  asked: AttachmentRequest[];
  /** Who we are there, as the surface tells it when it starts. */
  accounts: readonly SurfaceAccount[];
  /** Called for every post before its outcome. */
  onPost: ((message: OutboundMessage) => void) | undefined;
}

export function newPlatform(): Platform {
  return {
    seen: [],
    reactions: [],
    amendments: [],
    amendScript: [],
    posts: [],
    finds: [],
    script: [],
    findKnows: true,
    idempotentPosts: false,
    members: undefined,
    files: undefined,
    history: undefined,
    past: [],
    asked: [],
    accounts: [],
    onPost: undefined,
  };
}

function attachmentOf(platform: Platform, request: AttachmentRequest): Promise<AttachmentOutcome> {
  platform.asked.push(request);
  const file = platform.files?.get(request.attachment.id);
  if (file === 'hang') return new Promise(() => undefined);
  if (file === 'throw') return Promise.reject(new Error('the adapter failed'));
  if (file === 'retry') return Promise.resolve({ type: 'retry', error: 'busy' });
  if (file === undefined || file === 'refused')
    return Promise.resolve({ type: 'refused', error: 'it is gone' });
  return Promise.resolve({ type: 'bytes', bytes: file.bytes, contentType: file.type });
}

function historyOf(platform: Platform, clock: Clock): NonNullable<Surface['history']> {
  return (request) => {
    platform.past.push(request);
    const { events, afterMs, fails } = platform.history ?? { events: new Map(), afterMs: 0 };
    const said = (events.get(request.place.conversationId) ?? []) as ChatEvent[];
    if (fails === true) return Promise.reject(new Error('no access'));
    if (afterMs === 0) return Promise.resolve(said);
    return new Promise((resolve) => clock.after(afterMs, () => resolve(said)));
  };
}

/** A deleted message keeps its place, because the ids are places. */
function applyAmendment({ seen }: Platform, amendment: OutboundAmendment): void {
  for (const id of amendment.target.platformIds) {
    const message = seen[Number(id.slice(1)) - 1];
    if (message !== undefined) message.text = amendment.type === 'edit' ? amendment.text : '';
  }
}

export function fakeSurface(id: string, platform: Platform, clock: Clock): Surface {
  const show = (message: OutboundMessage): PostOutcome => {
    const known = platform.seen.find(({ key }) => key === message.idempotencyKey);
    if (known === undefined || !platform.idempotentPosts) {
      const { idempotencyKey: key, agent, text, place } = message;
      platform.seen.push({ key, agent, text, conversation: place.conversationId, at: clock.now(), message });
    }
    return { type: 'visible', platformId: `p${platform.seen.length}` };
  };
  const perform = (message: OutboundMessage, step: Step): Promise<PostOutcome> => {
    if (typeof step === 'number')
      return new Promise((resolve) => clock.after(step, () => resolve(show(message))));
    switch (step) {
      case 'visible':
        return Promise.resolve(show(message));
      case 'unknown_shown':
        show(message);
        return Promise.resolve({ type: 'unknown', error: 'the answer was lost' });
      case 'unknown_lost':
        return Promise.resolve({ type: 'unknown', error: 'the answer was lost' });
      case 'unknowable':
        show(message);
        return Promise.resolve({ type: 'unknowable', error: 'the answer was lost' });
      case 'account':
        return Promise.resolve({ type: 'refused', error: 'token revoked', scope: 'account' });
      case 'retry':
        return Promise.resolve({ type: 'retry', error: 'busy' });
      case 'refused':
        return Promise.resolve({ type: 'refused', error: 'the channel is archived' });
      case 'pending':
        return Promise.resolve({ type: 'pending' });
      case 'hang':
        return new Promise(() => undefined);
      case 'throw':
        return Promise.reject(new Error('the adapter failed'));
    }
  };
  return {
    id,
    platform: id,
    source: 'free',
    capabilities: {
      hears: HEARS_ALL,
      does: { ...DOES_NOTHING, edits: true, deletes: true, reactions: true, typing: true },
      threads: 'topics',
      membership: true,
      idempotentForMs: platform.idempotentPosts ? Infinity : 0,
      findable: true,
      maxChars: 40_000,
      maxParts: 20,
    },
    start(host) {
      if (platform.accounts.length > 0) host.accounts(platform.accounts);
      return Promise.resolve();
    },
    post(message) {
      platform.posts.push(message);
      platform.onPost?.(message);
      return perform(message, platform.script.shift() ?? 'visible');
    },
    react(reaction) {
      platform.reactions.push(reaction);
      return Promise.resolve({ type: 'visible', platformId: `r${platform.reactions.length}` });
    },
    amend(amendment) {
      platform.amendments.push(amendment);
      const step = platform.amendScript.shift() ?? 'visible';
      if (step !== 'hang') applyAmendment(platform, amendment);
      const { platformIds } = amendment.target;
      return step === 'visible'
        ? Promise.resolve({ type: 'visible', platformId: platformIds.at(-1) ?? '' })
        : new Promise(() => undefined);
    },
    find(message) {
      platform.finds.push(message.idempotencyKey);
      if (!platform.findKnows) return Promise.resolve({ type: 'unknown', error: 'the platform is down' });
      const index = platform.seen.findIndex(({ key }) => key === message.idempotencyKey);
      return Promise.resolve(
        index < 0 ? { type: 'absent' } : { type: 'visible', platformId: `p${index + 1}` },
      );
    },
    ...(platform.files === undefined
      ? {}
      : { attachment: (request: AttachmentRequest) => attachmentOf(platform, request) }),
    ...(platform.history === undefined ? {} : { history: historyOf(platform, clock) }),
    members() {
      const { members } = platform;
      if (members === undefined) return Promise.resolve(undefined);
      const { afterMs, ...read } = members;
      return new Promise((resolve) => clock.after(afterMs, () => resolve(read)));
    },
    stop: () => Promise.resolve(),
  };
}
