// Asks a source at its configured addresses for the bytes of an attachment or for history. The question is signed like
// everything else it gets. The address never comes from chat.
import type { ChatEvent } from '../protocol/chat-event.ts';
import type { Clock } from '../runtime/clock.ts';
import type { AttachmentOutcome, AttachmentRequest, HistoryRequest } from '../surfaces/surface.ts';
import { askWebhook } from '../transport/webhook-ask.ts';

export interface Asking {
  url: string;
  secret: string;
  clock: Clock;
}

/** The host has its own, shorter limit. This one is for a source whose answer never ends. */
const TIMEOUT_MS = 60_000;
/** The size of a history. A longer one is not read. */
const HISTORY_BYTES = 2_097_152;

export function askAttachment(asking: Asking): (request: AttachmentRequest) => Promise<AttachmentOutcome> {
  return async ({ place, eventId, attachment, maxBytes, signal }) => {
    const id = safeId(`attachment:${eventId}:${attachment.id}`);
    const body = JSON.stringify({ type: 'attachment', place, eventId, attachment, maxBytes });
    const reply = await askWebhook({ ...asking, id, body, maxBytes, timeoutMs: TIMEOUT_MS, signal });
    switch (reply.kind) {
      case 'answered':
        return { type: 'bytes', bytes: reply.bytes, contentType: reply.contentType };
      case 'too_large':
        return { type: 'too_large' };
      case 'refused':
        return { type: 'refused', error: `its source answered ${reply.status}` };
      case 'failed':
        return { type: 'retry', error: reply.problem };
    }
  };
}

/** The host checks the events of the list one by one. */
export function askHistory(asking: Asking): (request: HistoryRequest) => Promise<readonly ChatEvent[]> {
  return async ({ place, before, limit, signal }) => {
    const at = new Date(before).toISOString();
    const id = safeId(`history:${place.workspaceId}:${place.conversationId}:${at}`);
    const body = JSON.stringify({ type: 'history', place, before: at, limit });
    const bounds = { maxBytes: HISTORY_BYTES, timeoutMs: TIMEOUT_MS, signal };
    const reply = await askWebhook({ ...asking, ...bounds, id, body });
    switch (reply.kind) {
      case 'answered':
        return eventsIn(reply.bytes);
      case 'too_large':
        throw new Error(`the source's history is larger than ${HISTORY_BYTES} bytes`);
      case 'refused':
        throw new Error(`the source answered ${reply.status}`);
      case 'failed':
        throw new Error(reply.problem);
    }
  };
}

function eventsIn(bytes: Uint8Array): readonly ChatEvent[] {
  const { events } = JSON.parse(new TextDecoder().decode(bytes)) as { events?: unknown };
  if (!Array.isArray(events)) throw new Error('the source answered without a list of events');
  return events as ChatEvent[];
}

/** An id may contain any character, a header may not. */
function safeId(id: string): string {
  return encodeURIComponent(id.toWellFormed());
}
