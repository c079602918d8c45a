// What a source may hand over: agents act through their tools, time passes by itself, derived ids and the host's own
// platforms are the host's. Every refusal names the field.
import { type ChatEvent, EVENT_LIMITS } from '../../protocol/chat-event.ts';
import { isDerivedId } from '../../protocol/derived-id.ts';
import { INTERNAL_SURFACE } from '../kernel/conversation.ts';

/** What no source may hand over, in words. */
export function refusedBy(event: ChatEvent, surface: string): string | undefined {
  const broken = illFormedId(event);
  return broken === undefined ? notForSources(event, surface) : `${broken}: not well-formed Unicode`;
}

const ACTS: ReadonlySet<ChatEvent['type']> = new Set([
  'claim',
  'mode',
  'focus',
  'disengage',
  'turn',
  'resolve',
  'tick',
]);
/** Platforms of the host's own, and the surfaces that speak for them: another source could forge people there. */
const OWN_PLATFORMS: ReadonlyMap<string, readonly string[]> = new Map([
  [INTERNAL_SURFACE, [INTERNAL_SURFACE, 'web']],
  ['web', ['web']],
]);

/** What a source may not say: agents act through their tools, time passes by itself, derived ids are the host's. */
function notForSources({ type, author, eventId, platform }: ChatEvent, surface: string): string | undefined {
  if (OWN_PLATFORMS.get(platform)?.includes(surface) === false) {
    return `platform: "${platform}" is the host's own; name the platform this source speaks for`;
  }
  if (type === 'tick' || (ACTS.has(type) && author.kind !== 'human')) {
    return `type: "${type}" is for agents' tools and the host; a source posts what happened in chat`;
  }
  return isDerivedId(eventId) ? 'eventId: this ending is reserved; use another id' : undefined;
}

/** What a refused value calls itself, as far as that is an id. */
export function claimedId(value: unknown): string {
  const id = typeof value === 'object' && value !== null && 'eventId' in value ? value.eventId : undefined;
  return typeof id === 'string' ? id.slice(0, EVENT_LIMITS.idChars) : '';
}

/** Ids become keys: half a surrogate pair has no bytes in any store, and two such ids would become one. */
export function illFormedId({
  eventId,
  platform,
  workspaceId,
  conversation,
  author,
}: ChatEvent): string | undefined {
  if (!eventId.isWellFormed()) return 'eventId';
  if (!platform.isWellFormed()) return 'platform';
  if (!workspaceId.isWellFormed()) return 'workspaceId';
  if (!conversation.id.isWellFormed()) return 'conversation.id';
  if (conversation.parentId?.isWellFormed() === false) return 'conversation.parentId';
  return author.id.isWellFormed() ? undefined : 'author.id';
}
