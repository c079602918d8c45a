// Event ids as the host makes them. A source's event keeps the source's id where that is free on this host. Where
// another conversation has an event with that id, it gets the scoped id: the same with a tag (protocol/derived-id.ts).
// Ids of the host's own that would be too long become a hash. Ordinary events need none of this.
import { createHash } from 'node:crypto';
import { hostId, type HostIdKind, isHostId, TAG_CHARS, withTag } from '../../protocol/derived-id.ts';
import type { LogRow } from '../../store/tables.ts';

/** The id that this conversation's event has when its source's id cannot be used as it is. Always the same one. */
export function scopedId(conversation: string, sourceId: string): string {
  return withTag(sourceId, hashOf(`${conversation}\n${sourceId}`).slice(0, TAG_CHARS));
}

/** An id of the host's own that is too long, as a hash. */
export function shortened(kind: HostIdKind, id: string): string {
  return hostId(kind, hashOf(id));
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** Conversations that are remembered. When there are more, the longest remembered is forgotten. */
const REMEMBERED_MAX = 10_000;

/**
 * An id that is taken is found by the insert that fails, and the whole batch runs again. In a conversation where that
 * has happened, the id is looked for first. This is working memory: after a restart the first such event tells again.
 */
export function rememberSharedIds(
  remembered: Set<string>,
  { sourceId, conversation }: Pick<LogRow, 'sourceId' | 'conversation'>,
): void {
  if (sourceId === undefined || isHostId(sourceId) || remembered.has(conversation)) return;
  const [oldest] = remembered;
  if (remembered.size >= REMEMBERED_MAX && oldest !== undefined) remembered.delete(oldest);
  remembered.add(conversation);
}
