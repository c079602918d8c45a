// A surface that a test scripts: each post is told what becomes of it, and what people see outlives the host that
// posted it, as on a real platform.
import type { Clock } from '../../src/runtime/clock.ts';
import type { OutboundMessage, OutboundReaction, PostOutcome, Surface } from '../../src/surfaces/surface.ts';

/**
 * `unknown_shown`: it arrived and the answer was lost. `unknown_lost`: neither did. `hang`: no answer ever comes.
 * `throw`: the adapter fails. A number: shown after so many ms.
 */
export type Step =
  | 'visible'
  | 'retry'
  | 'refused'
  | 'unknown_shown'
  | 'unknown_lost'
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
  posts: OutboundMessage[];
  finds: string[];
  /** One step a post; then `visible`. */
  script: Step[];
  /** What `find` answers: the truth, or that it does not know either. */
  findKnows: boolean;
  idempotentPosts: boolean;
  /** What a membership read answers, and how long it takes; undefined: the platform has none. */
  members: { humans: number; agents: number; complete: boolean; afterMs: number } | undefined;
  /** Called for every post before its outcome. */
  onPost: ((message: OutboundMessage) => void) | undefined;
}

export function newPlatform(): Platform {
  return {
    seen: [],
    reactions: [],
    posts: [],
    finds: [],
    script: [],
    findKnows: true,
    idempotentPosts: false,
    members: undefined,
    onPost: undefined,
  };
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
    capabilities: {
      edits: true,
      deletes: true,
      reactions: true,
      typing: true,
      threads: true,
      membership: true,
      idempotentPosts: platform.idempotentPosts,
      ephemeral: false,
      maxChars: 40_000,
    },
    start: () => Promise.resolve(),
    post(message) {
      platform.posts.push(message);
      platform.onPost?.(message);
      return perform(message, platform.script.shift() ?? 'visible');
    },
    react(reaction) {
      platform.reactions.push(reaction);
      return Promise.resolve({ type: 'visible', platformId: `r${platform.reactions.length}` });
    },
    find(message) {
      platform.finds.push(message.idempotencyKey);
      if (!platform.findKnows) return Promise.resolve({ type: 'unknown', error: 'the platform is down' });
      const index = platform.seen.findIndex(({ key }) => key === message.idempotencyKey);
      return Promise.resolve(
        index < 0 ? { type: 'absent' } : { type: 'visible', platformId: `p${index + 1}` },
      );
    },
    members() {
      const { members } = platform;
      if (members === undefined) return Promise.resolve(undefined);
      const { afterMs, ...read } = members;
      return new Promise((resolve) => clock.after(afterMs, () => resolve(read)));
    },
    stop: () => Promise.resolve(),
  };
}
