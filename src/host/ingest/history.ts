// History: when something happens in a conversation that nothing is known of, its surface is asked once for what was said
// there before, within a time. That is stored in front of the event, all of it or nothing, as history (`backfill`): it
// feeds facts and is context for the first turn, and is never decided.
import { isPairingText } from '../../attention/index.ts';
import { type ChatEvent, chatEventSchema } from '../../protocol/chat-event.ts';
import { instantMs } from '../../protocol/log-record.ts';
import { readParams } from '../../protocol/read-params.ts';
import type { HistoryRequest, Surface } from '../../surfaces/surface.ts';
import { combineUnits } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import { conversationKeyOf, placeOf } from '../kernel/conversation.ts';
import { surfacePlace } from '../outbox/on-platform.ts';
import type { Committer } from './committer.ts';
import type { Echoes } from './echo.ts';
import { refusedBy } from './ingest.ts';

export interface Histories {
  /** Is this the first that is heard of its conversation, on a surface that remembers? */
  isDue(event: ChatEvent, conversation: string, surface: string): boolean;
  /** Never rejects: without history it goes on as without a past. */
  take(event: ChatEvent, conversation: string, surface: string): Promise<void>;
}

export const HISTORY_LIMITS = {
  /** Older than this is no context for what is said now. */
  ageMs: 24 * 3_600_000,
  /** Conversations asked about and not yet known; beyond it a few may be asked about twice. */
  asked: 10_000,
} as const;

export interface HistoryDeps {
  context: HostContext;
  committer: Committer;
  echoes: Echoes;
  surface: (id: string) => Surface | undefined;
  isKnown: (conversation: string) => boolean;
}

export function createHistories(deps: HistoryDeps): Histories {
  const { context } = deps;
  const { historyEvents, historyTimeoutMs } = context.settings.limits;
  const off = historyEvents === 0 || historyTimeoutMs === 0;
  const asked = new Set<string>();
  return {
    isDue: (event, conversation, surface) =>
      !off &&
      deps.surface(surface)?.history !== undefined &&
      !deps.isKnown(conversation) &&
      !asked.has(conversation) &&
      event.origin !== 'backfill',
    async take(event, conversation, surface) {
      if (asked.size >= HISTORY_LIMITS.asked) asked.clear();
      asked.add(conversation);
      try {
        const answer = await ask(deps, event, surface);
        await store(deps, pastOf(context, answer, event, surface), surface);
      } catch (error) {
        context.log.warn({ err: error, conversation }, 'the history could not be read; it begins here');
      }
    },
  };
}

/** Whatever comes later than the limit is not waited for, and not used: by then people have gone on. */
function ask({ context, surface }: HistoryDeps, event: ChatEvent, id: string): Promise<readonly unknown[]> {
  const { historyEvents, historyTimeoutMs } = context.settings.limits;
  const abort = new AbortController();
  const request: HistoryRequest = {
    place: surfacePlace(placeOf(event)),
    before: instantMs(event.at),
    limit: historyEvents,
    signal: abort.signal,
  };
  return new Promise((resolve, reject) => {
    const cancel = context.clock.after(historyTimeoutMs, () => {
      reject(new Error(`no answer within ${historyTimeoutMs} ms`));
      abort.abort();
    });
    Promise.resolve()
      .then(() => surface(id)?.history?.(request) ?? [])
      .then(resolve, reject)
      .finally(cancel);
  });
}

/** The newest messages of the conversation before the event, the oldest first by the source's clock. */
function pastOf(
  { clock, settings: { limits }, log }: HostContext,
  answer: readonly unknown[],
  live: ChatEvent,
  surface: string,
): ChatEvent[] {
  const before = instantMs(live.at);
  const since = clock.now() - HISTORY_LIMITS.ageMs;
  const conversation = conversationKeyOf(placeOf(live));
  const past = new Map<string, ChatEvent>();
  let unusable = 0;
  for (const value of answer) {
    const read = readParams(chatEventSchema, value);
    const event = read.ok ? read.value : undefined;
    if (event === undefined || refusedBy(event, surface) !== undefined || !isOf(event, conversation)) {
      unusable++;
      continue;
    }
    const at = instantMs(event.at);
    // What is not older may still come by itself, and is then to be decided.
    if (event.eventId === live.eventId || at >= before || at < since) continue;
    // A code in the past is nobody's to use any more.
    if (isPairingText(event.text ?? '')) continue;
    past.set(event.eventId, { ...event, conversation: live.conversation, origin: 'backfill' });
  }
  if (unusable > 0) log.warn({ surface, unusable }, 'a history held what is no message of its conversation');
  const inOrder = [...past.values()].toSorted((a, b) => instantMs(a.at) - instantMs(b.at));
  return inOrder.slice(-limits.historyEvents);
}

function isOf(event: ChatEvent, conversation: string): event is Extract<ChatEvent, { type: 'message' }> {
  return event.type === 'message' && conversationKeyOf(placeOf(event)) === conversation;
}

async function store(
  { context, committer, echoes }: HistoryDeps,
  past: readonly ChatEvent[],
  surface: string,
): Promise<void> {
  if (past.length === 0) return;
  const inputs = await Promise.all(past.map((event) => echoes.prepareNamed(committer, event, surface)));
  await context.apply(combineUnits(inputs.map((input) => committer.unit(input))));
}
