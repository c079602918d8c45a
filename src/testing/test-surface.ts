// The chat that people would see: posted messages and reactions, in order. It shows everything it is given, also
// repeats. The host must make sure that nothing appears twice.
import type { OutboundMessage, OutboundReaction, Surface } from '../surfaces/surface.ts';
import { internalSurface } from '../surfaces/internal/internal.ts';
import type { Clock } from '../runtime/clock.ts';

export interface VisibleMessage {
  eventId: string;
  /** The id of the agent or person who said it. */
  by: string;
  kind: 'agent' | 'human';
  text: string;
  /** The conversation's id. */
  in: string;
  /** Epoch ms, virtual. */
  at: number;
  replyTo?: string;
}

export interface VisibleReaction {
  by: string;
  signal: string;
  /** The event it is on. */
  on: string;
  at: number;
}

export interface VisibleChat {
  messages: VisibleMessage[];
  reactions: VisibleReaction[];
}

export function testSurface(id: string, shown: VisibleChat, clock: Clock): Surface {
  const inner = internalSurface(id);
  return {
    ...inner,
    capabilities: { ...inner.capabilities, threads: 'topics', idempotentForMs: 0 },
    post(message) {
      shown.messages.push(messageOf(message, clock.now()));
      return inner.post(message);
    },
    react(reaction) {
      if (reaction.remove === true) takeBack(shown, reaction);
      else shown.reactions.push(reactionOf(reaction, clock.now()));
      return inner.react(reaction);
    },
    typing: () => Promise.resolve(),
  };
}

function messageOf({ eventId, agent, text, place, replyTo }: OutboundMessage, at: number): VisibleMessage {
  return {
    eventId,
    by: agent,
    kind: 'agent',
    text,
    in: place.conversationId,
    at,
    ...(replyTo === undefined ? {} : { replyTo: replyTo.platformId ?? replyTo.eventId }),
  };
}

function reactionOf({ agent, signal, target }: OutboundReaction, at: number): VisibleReaction {
  return { by: agent, signal, on: target.eventId, at };
}

function takeBack({ reactions }: VisibleChat, { agent, signal, target }: OutboundReaction): void {
  const index = reactions.findLastIndex(
    ({ by, signal: left, on }) => by === agent && left === signal && on === target.eventId,
  );
  if (index >= 0) reactions.splice(index, 1);
}
