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

/** What only the host writes. */
const HOSTS_OWN: ReadonlySet<ChatEvent['type']> = new Set(['escalation', 'correction', 'opinion']);

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

/** A 🔇 of a person on an agent's message arrives as a correction (read-glyph.ts). */
function isMute(event: ChatEvent): boolean {
  return event.type === 'correction' && event.how === 'reaction' && event.author.kind === 'human';
}

function notForSources(event: ChatEvent): Refusal | undefined {
  const { type, author } = event;
  const refused = ACTS.has(type) ? author.kind !== 'human' : HOSTS_OWN.has(type) && !isMute(event);
  if (type === 'tick' || refused)
    return invalid(`type: "${type}" is for agents' tools and the host; a source posts what happened in chat`);
  return undefined;
}

/**
 * All of a batch passes, or nothing of it: a source then sends the same again. `chars`: of its texts. They pass while
 * nothing is owed, so that a batch of any length passes, and are made up for before the next.
 */
export function tooManyFrom(
  limits: InboundLimits,
  surface: string,
  { count, chars }: { count: number; chars: number },
): Refusal | undefined {
  const rested = limits.charsPerSurface.take(surface, 0);
  if (!rested.ok) return tooMuch('longer texts', rested.retryAfterMs);
  const taken = limits.perSurface.take(surface, count);
  if (!taken.ok) return tooMuch('more events', taken.retryAfterMs);
  if (chars > 0) limits.charsPerSurface.spend(surface, chars);
  return undefined;
}

/** What a source is told before its next batch is read, when that would be refused whatever is in it. */
export function mustRest(limits: InboundLimits, surface: string): Refusal | undefined {
  return tooManyFrom(limits, surface, { count: 0, chars: 0 });
}

function tooMuch(what: string, retryAfterMs: number): Refusal {
  const message = `This source sends ${what} than it may. Wait as Retry-After says, then send the same again.`;
  return { code: 'rate_limited', message, retryAfterMs };
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
