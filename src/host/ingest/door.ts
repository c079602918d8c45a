// The checks of the door: what a source may not post, for whom it may not speak, and how much it may. They are the same
// for every way in. Whose a room is, is checked where the event is stored (attend/commit-event.ts), because events of one
// batch decide about each other. Every refusal names the field, or says when to come back.
import type { ChatEvent } from '../../protocol/chat-event.ts';
import type { IngestResult } from '../../surfaces/surface.ts';
import type { Speakers } from '../kernel/speakers.ts';
import type { InboundLimits } from '../security/rate-limit.ts';

export type Refusal = Extract<IngestResult, { status: 'refused' }>['error'];

/** Why a source may not post this event; undefined when it may. */
export function refusalFor(speakers: Speakers, event: ChatEvent, surface: string): Refusal | undefined {
  const broken = illFormedId(event);
  if (broken !== undefined) return invalid(`${broken}: not well-formed Unicode`);
  return speakers.refusal(surface, event.platform) ?? notForSources(event);
}

/** Acts of agents, which use tools, and ticks. */
const ACTS: ReadonlySet<ChatEvent['type']> = new Set([
  'claim',
  'mode',
  'focus',
  'disengage',
  'turn',
  'resolve',
  'tick',
]);

function notForSources({ type, author }: ChatEvent): Refusal | undefined {
  if (type === 'tick' || type === 'escalation' || (ACTS.has(type) && author.kind !== 'human'))
    return invalid(`type: "${type}" is for agents' tools and the host; a source posts what happened in chat`);
  return undefined;
}

/** All of a batch passes, or nothing of it: a source then sends the same again. */
export function tooManyFrom(limits: InboundLimits, surface: string, count: number): Refusal | undefined {
  const taken = limits.perSurface.take(surface, count);
  if (taken.ok) return undefined;
  const message =
    'This source sends more events than it may. Wait as Retry-After says, then send the same again.';
  return { code: 'rate_limited', message, retryAfterMs: taken.retryAfterMs };
}

export function tooManyOf(
  limits: InboundLimits,
  { platform, workspaceId, author }: ChatEvent,
  surface: string,
): Refusal | undefined {
  const taken = limits.perAuthor.take(`${surface}\n${platform}\n${workspaceId}\n${author.id}`);
  if (taken.ok) return undefined;
  const message = 'This author writes more than one account may. Send the same event again later.';
  return { code: 'rate_limited', message, retryAfterMs: taken.retryAfterMs };
}

function invalid(message: string): Refusal {
  return { code: 'invalid_event', message };
}

/** The first id that is not well-formed Unicode. Ids become keys, and a lone surrogate cannot be stored. */
export function illFormedId({
  eventId,
  sourceId,
  platform,
  workspaceId,
  conversation,
  author,
}: ChatEvent): string | undefined {
  if (!eventId.isWellFormed()) return 'eventId';
  if (sourceId?.isWellFormed() === false) return 'sourceId';
  if (!platform.isWellFormed()) return 'platform';
  if (!workspaceId.isWellFormed()) return 'workspaceId';
  if (!conversation.id.isWellFormed()) return 'conversation.id';
  if (conversation.parentId?.isWellFormed() === false) return 'conversation.parentId';
  return author.id.isWellFormed() ? undefined : 'author.id';
}
