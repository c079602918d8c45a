// What a source gets for a message, a reaction or an amendment of an agent, in the same shape by push and by pull. Another message is
// named by the id that the source knows.

interface Named {
  eventId: string;
  platformId?: string;
}

export function messageBody(message: {
  replyTo?: Named;
  mentions: readonly { identity: string }[];
  createdAt: number;
  attachments?: readonly { id: string; name: string; contentType: string; size: number }[];
  following?: unknown;
  notes?: unknown;
}): Record<string, unknown> {
  const { replyTo, mentions, attachments, createdAt: _, following: __, notes: ___, ...rest } = message;
  const named = replyTo === undefined ? {} : { replyTo: idOf(replyTo) };
  const files = attachments?.map(({ id, name, contentType, size: bytes }) => ({
    id,
    name,
    contentType,
    bytes,
  }));
  return {
    type: 'message',
    ...rest,
    ...named,
    mentions: mentions.map(({ identity }) => identity),
    ...(files !== undefined && { attachments: files }),
  };
}

export function reactionBody(reaction: { target: Named }): Record<string, unknown> {
  const { target, ...rest } = reaction;
  return { type: 'reaction', ...rest, targetEventId: idOf(target) };
}

/** A change of a message by its agent. `targetEventIds`: of a message in parts, all of them. */
export function amendmentBody(amendment: {
  target: { platformIds: readonly string[] };
  mentions?: readonly { identity: string }[];
  createdAt: number;
}): Record<string, unknown> {
  const { target, mentions, createdAt: _, ...rest } = amendment;
  const { platformIds } = target;
  return {
    ...rest,
    targetEventId: platformIds.at(-1),
    ...(platformIds.length > 1 && { targetEventIds: platformIds }),
    ...(mentions !== undefined && { mentions: mentions.map(({ identity }) => identity) }),
  };
}

/** A sign that an agent is at work, or no longer is. */
export function typingBody(place: object, agent: string, typing: boolean): Record<string, unknown> {
  return { type: 'typing', agent, place, typing };
}

function idOf({ eventId, platformId }: Named): string {
  return platformId ?? eventId;
}
