// Rebuilds a state whose stored text cannot be read. A conversation is rebuilt by folding its log again, the
// obligations by folding every log of their workspace again; an agent's record starts empty. If retention has cut the oldest rows, the
// rest is folded, and seq and time continue from the last row.
import {
  type AttentionSettings,
  type AttentionState,
  type ObligationEffect,
  type ObligationOptions,
  type ObligationsState,
  type Place,
  attend,
  emptyState,
  foldObligations,
  initialObligations,
  obligationsWakeAt,
} from '../../attention/index.ts';
import { deliveryKey, parseIdentity } from '../../protocol/identity.ts';
import type { StateCodec, StoredRows } from '../../store/store.ts';
import type { LogRow } from '../../store/tables.ts';
import { EMPTY_AGENT_RECORD } from '../kernel/agent-record.ts';
import { type HostContext, directoryOf } from '../kernel/context.ts';
import { createRosters } from '../kernel/in-force.ts';
import {
  type ConversationState,
  headerOf,
  hostStateCodec,
  isAgentStateKey,
  isConversationKey,
  isObligationsKey,
  obligationsKeyOf,
  OLD_OBLIGATIONS_KEY,
  placeAfter,
  placeOf,
} from '../kernel/conversation.ts';
import { unpackDecisions } from '../kernel/log-row.ts';
import { inboxKeys } from '../inbox/inbox-row.ts';
import { shownAsKeys } from '../outbox/on-platform.ts';
import { obligationOptionsFor, obligationTick } from './obligation-effects.ts';

/** The host's codec for this configuration. States that cannot be read are rebuilt with its rosters. */
export function createHostStateCodec(
  attention: AttentionSettings,
  obligationOptions: ObligationOptions = {},
): StateCodec {
  const context = { attention, obligationOptions, rosterAt: createRosters(attention) };
  return {
    ...hostStateCodec,
    rebuild(key, text, stored) {
      if (isConversationKey(key)) return rebuildConversation(context, key, text, stored);
      if (isObligationsKey(key)) return rebuildObligations(context, key, stored);
      if (isAgentStateKey(key)) return EMPTY_AGENT_RECORD;
      return rebuildShownAs(key, stored);
    },
  };
}

type Settings = Pick<HostContext, 'attention' | 'obligationOptions' | 'rosterAt'>;

/** Undefined when neither log rows nor a header are left. The next event then starts the conversation anew. */
function rebuildConversation(
  context: Settings,
  key: string,
  text: string,
  stored: StoredRows,
): ConversationState | undefined {
  let state: AttentionState = emptyState();
  let place: Place | undefined;
  for (const { record } of stored.rows('log', 'byConversation', key)) {
    place = placeAfter(place, record.event);
    state = attend(state, record, context.rosterAt(place, key)).state;
  }
  const header = readableHeader(text);
  place ??= header?.place;
  if (place === undefined) return undefined;
  return { place, surface: header?.surface ?? surfaceOf(context, key, place, stored), attention: state };
}

/** The first line of the stored text, if only the second is damaged. */
function readableHeader(text: string): ReturnType<typeof headerOf> | undefined {
  try {
    return headerOf(text.slice(0, text.indexOf('\n')));
  } catch {
    return undefined;
  }
}

/** The surface of any send to the conversation. Without a send, the surface with the platform's name. */
function surfaceOf({ attention }: Settings, key: string, { platform }: Place, stored: StoredRows): string {
  for (const { id } of attention.agents) {
    for (const { surface } of stored.rows('outbox', 'byAgentConversation', id, key)) return surface;
  }
  return platform;
}

/** Folds every log row of the workspace again in order, with the returns that were due in between. */
function rebuildObligations(context: Settings, key: string, stored: StoredRows): ObligationsState {
  const rooms = new Map<string, AttentionState>();
  let debts = initialObligations();
  for (const row of stored.rows('log', 'byPosition')) {
    const { conversation, record, at } = row;
    if (key !== OLD_OBLIGATIONS_KEY && obligationsKeyOf(record.event) !== key) continue;
    const roster = context.rosterAt(placeOf(record.event), conversation);
    const room = attend(rooms.get(conversation) ?? emptyState(), record, roster).state;
    rooms.set(conversation, room);
    debts = tickUntil(context, debts, (due) => due <= at);
    const decisions = unpackDecisions(row.decisions, row.key);
    const logged = (eventId: string): LogRow | undefined => stored.row('log', eventId);
    const options = obligationOptionsFor(context, record, decisions, room, logged);
    debts = foldObligations(debts, record, directoryOf(context), options).state;
  }
  // After the last row there may have been further returns. Those with a stored delivery or item have happened.
  return tickUntil(context, debts, (_, effects) => effects.every((effect) => isStored(effect, stored)));
}

/** Applies the due ticks one by one, as long as `hasHappened` says so. */
function tickUntil(
  context: Settings,
  debts: ObligationsState,
  hasHappened: (due: number, effects: readonly ObligationEffect[]) => boolean,
): ObligationsState {
  for (let state = debts; ; ) {
    const due = obligationsWakeAt(state);
    if (due === null) return state;
    const ticked = foldObligations(
      state,
      obligationTick(due),
      directoryOf(context),
      context.obligationOptions,
    );
    // With returns switched off a tick changes nothing and stays due for ever.
    if (ticked.state === state || ticked.effects.length === 0) return state;
    if (!hasHappened(due, ticked.effects)) return state;
    state = ticked.state;
  }
}

function isStored(effect: ObligationEffect, stored: StoredRows): boolean {
  if (!('derivedId' in effect)) return true;
  const who = parseIdentity(effect.recipient);
  // A person has one item for an escalation, however often its list grew.
  const items = [effect.derivedId, effect.eventId].map((id) => inboxKeys.obligation(id));
  if (items.some((key) => stored.row('inbox', key) !== undefined)) return true;
  return who?.kind === 'agent' && stored.row('delivery', deliveryKey(effect.derivedId, who.id)) !== undefined;
}

/** A state `sent/SURFACE/…`: the event id that belongs to a platform id (on-platform.ts). */
function rebuildShownAs(key: string, stored: StoredRows): string | undefined {
  const surface = decodeURIComponent(key.split('/')[1] ?? '');
  for (const row of stored.rows('outbox', 'bySurface', surface, 'visible')) {
    if (shownAsKeys(row).includes(key)) return row.eventId;
  }
  return undefined;
}
