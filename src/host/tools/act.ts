// The tools that do something. Each becomes a log record or an outbox row in one transaction and settles what it
// answers; a repeated call finds its first result. A refusal carries a reason the model can act on.
import { wireError } from '../../protocol/errors.ts';
import type { ChatEvent } from '../../protocol/chat-event.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import type { ToolInput } from '../../protocol/tools.ts';
import { type Disposition, SIGNAL_TABLE } from '../../protocol/vocabulary.ts';
import type { DeliveryRow, LogRow, OutboxRow } from '../../store/tables.ts';
import { type AgentRecord, EMPTY_AGENT_RECORD } from '../agent-record.ts';
import type { HostNews } from '../context.ts';
import { type ConversationState, agentStateKey } from '../conversation.ts';
import { putOff, settle } from '../delivery-state.ts';
import { escalateUnanswered } from '../escalate.ts';
import { commit } from '../ingest.ts';
import { resolveTarget } from '../places.ts';
import { send } from '../send.ts';
import { tellAll } from '../tell.ts';
import { eventOf, maySee } from './read.ts';
import { type ToolAnswer, type ToolContext, iso } from './tool-context.ts';

const missing = (what: string) => ({ ok: false as const, error: wireError('not_found', { what }) });

export async function sendMessage(
  input: ToolInput<'chat.send_message'>,
  tools: ToolContext,
): Promise<ToolAnswer<'chat.send_message'>> {
  const sent = await send(tools, tools.agent, input);
  if (!sent.ok) return sent;
  const state = await tools.poster.outcome(sent.key, tools.context.settings.limits.sendWaitMs);
  if (state === 'failed') {
    const row = await tools.context.store.get('outbox', sent.key);
    return { ok: false, error: wireError('unavailable', { what: row?.error ?? 'The platform' }) };
  }
  const status = state === 'visible' ? 'sent' : 'pending';
  return { ok: true, result: { eventId: sent.row.eventId, status, replayed: sent.replayed } };
}

export async function react(
  input: ToolInput<'chat.react'>,
  tools: ToolContext,
): Promise<ToolAnswer<'chat.react'>> {
  const { context, agent } = tools;
  const event = await eventOf(tools, input.inReplyTo);
  if (event === undefined || !maySee(event, agent)) return missing('event');
  const key = `${agent}:react:${input.signal}:${input.remove === true ? 'off' : 'on'}:${input.recipient ?? ''}:${event.key}`;
  const row = await outboxReaction(tools, event, key, input);
  const { disposition } = SIGNAL_TABLE[input.signal];
  const settled =
    input.remove === true ? null : await settleBy(tools, input.inReplyTo, input.signal, disposition);
  context.bus.tell({ type: 'outbox', key });
  await tools.poster.outcome(key, context.settings.limits.sendWaitMs);
  return { ok: true, result: { reactionId: row.eventId, disposition: settled } };
}

async function outboxReaction(
  { context, agent }: ToolContext,
  event: LogRow,
  key: string,
  input: ToolInput<'chat.react'>,
): Promise<OutboxRow> {
  const { signal, recipient, remove } = input;
  const body = { targetEventId: event.key, signal, glyph: SIGNAL_TABLE[signal].glyph, recipient, remove };
  return context.store.transact<OutboxRow>({
    states: [event.conversation],
    rows: [['outbox', key]],
    run(view) {
      const known = view.row('outbox', key);
      if (known !== undefined) return { writes: [], result: known };
      const { surface } = view.state(event.conversation) as ConversationState;
      const row: OutboxRow = {
        key,
        agent,
        surface,
        conversation: event.conversation,
        kind: 'reaction',
        state: 'queued',
        eventId: `out_${context.random.id()}`,
        inReplyTo: event.key,
        turnId: input.turnId ?? null,
        bodyHash: signal,
        body,
        attempt: 0,
        dueAt: view.now,
        createdAt: view.now,
        platformId: null,
        error: null,
      };
      return { writes: [{ table: 'outbox', row }], result: row };
    },
  });
}

/** The signal's disposition, given to the delivery it answers. `declined` of what must be answered also escalates. */
async function settleBy(
  { context, agent }: ToolContext,
  eventId: string,
  signal: string,
  disposition: Disposition | null,
): Promise<Disposition | null> {
  const key = deliveryKey(eventId, agent);
  const news = await context.store.transact<HostNews[]>({
    states: [],
    rows: [['delivery', key]],
    run(view) {
      const row = view.row('delivery', key);
      if (row === undefined || row.open === 0) return { writes: [], result: [] };
      const next = disposed(row, signal, disposition, view.now, context.settings.limits.lapseMs);
      if (next === undefined) return { writes: [], result: [] };
      const told: HostNews[] = next.open === 0 ? [{ type: 'settled', delivery: next }] : [{ type: 'due' }];
      if (signal !== 'declined' || row.policy !== 'must_respond') {
        return { writes: [{ table: 'delivery', row: next }], result: told };
      }
      const escalation = escalateUnanswered(context, row, 'declined', view.now);
      return {
        writes: [{ table: 'delivery', row: next }, ...escalation.writes],
        result: [...told, ...escalation.news],
      };
    },
  });
  await tellAll(context, news);
  if (signal === 'declined') await passOffer(context.store, context.bus, eventId);
  return disposition;
}

/** A declined offer need not wait out its time with the holder who declined. */
async function passOffer(
  store: ToolContext['context']['store'],
  bus: ToolContext['context']['bus'],
  eventId: string,
): Promise<void> {
  await store.transact({
    states: [],
    rows: [['offer', eventId]],
    run(view) {
      const offer = view.row('offer', eventId);
      if (offer === undefined || offer.open === 0) return { writes: [], result: undefined };
      return { writes: [{ table: 'offer', row: { ...offer, dueAt: view.now } }], result: undefined };
    },
  });
  bus.tell({ type: 'due' });
}

function disposed(
  row: DeliveryRow,
  signal: string,
  disposition: Disposition | null,
  now: number,
  lapseMs: number,
): DeliveryRow | undefined {
  // Waiting for the author, like `blocked`: it comes back when nothing is heard.
  if (disposition === null) return putOff(row, 'deferred', now + lapseMs);
  if (disposition === 'claimed' || disposition === 'deferred') return putOff(row, disposition, now + lapseMs);
  return settle(row, disposition, signal, now);
}

export async function claim(
  input: ToolInput<'chat.claim'>,
  tools: ToolContext,
): Promise<ToolAnswer<'chat.claim'>> {
  const { agent, places } = tools;
  const op = input.op ?? 'claim';
  const event = input.inReplyTo === undefined ? undefined : await eventOf(tools, input.inReplyTo);
  if (input.inReplyTo !== undefined && (event === undefined || !maySee(event, agent)))
    return missing('event');
  const target =
    input.target === undefined ? undefined : resolveTarget(places, input.target, agent, undefined);
  if (target?.type === 'unknown') return missing(target.what);
  const place = event?.record.event ?? (await placeAt(tools, target?.key));
  if (place === undefined) return missing('conversation');
  const committed = await act(tools, place, {
    type: 'claim',
    op,
    ...(event === undefined ? {} : { targetEventId: event.key }),
    ...(input.ttlMs === undefined ? {} : { ttlMs: input.ttlMs }),
    ...(input.token === undefined ? {} : { token: input.token }),
  });
  const effect = committed.attended?.effects.find(({ type }) => type.startsWith('claim_'));
  if (effect?.type === 'claim_granted') {
    const status = op === 'renew' ? 'renewed' : 'claimed';
    return { ok: true, result: { status, token: effect.token, expiresAt: iso(effect.until) } };
  }
  if (effect?.type === 'claim_released') return { ok: true, result: { status: 'released' } };
  if (effect?.type === 'claim_refused' && (effect.why === 'held' || effect.why === 'answered')) {
    return { ok: false, error: wireError('claimed_by_other', { holder: `agent:${effect.holder}` }) };
  }
  return { ok: false, error: wireError('stale_token') };
}

type ActFields = ChatEvent extends infer E
  ? E extends { type: 'claim' | 'resolve' | 'disengage' | 'mode' | 'focus' }
    ? Omit<E, 'eventId' | 'at' | 'platform' | 'workspaceId' | 'conversation' | 'author'>
    : never
  : never;

type ActPlace = Pick<ChatEvent, 'platform' | 'workspaceId' | 'conversation'>;

/** What an agent does, as a record of its conversation. */
function act({ ingest, context, agent }: ToolContext, place: ActPlace, fields: ActFields) {
  const { platform, workspaceId, conversation } = place;
  const eventId = `act_${context.random.id()}`;
  const at = context.clock.now();
  const author = { id: agent, kind: 'agent' as const };
  return commit(
    ingest,
    { ...fields, eventId, at, platform, workspaceId, conversation, author } as ChatEvent,
    '',
  );
}

async function placeAt({ context }: ToolContext, key: string | undefined): Promise<ActPlace | undefined> {
  if (key === undefined) return undefined;
  return ((await context.store.state(key)) as ConversationState | undefined)?.place;
}

export async function defer(
  input: ToolInput<'chat.defer'>,
  tools: ToolContext,
): Promise<ToolAnswer<'chat.defer'>> {
  const { context, agent } = tools;
  const key = deliveryKey(input.inReplyTo, agent);
  const until = context.clock.now() + (input.ttlMs ?? context.settings.limits.lapseMs);
  const row = await context.store.transact({
    states: [],
    rows: [['delivery', key]],
    run(view) {
      const current = view.row('delivery', key);
      const next = current === undefined ? undefined : putOff(current, 'deferred', until);
      if (next === undefined) return { writes: [], result: undefined };
      const detail = { ...next.detail, deferred: input.reason };
      return { writes: [{ table: 'delivery', row: { ...next, detail } }], result: next };
    },
  });
  if (row === undefined) return missing('open delivery');
  context.bus.tell({ type: 'due' });
  return { ok: true, result: { disposition: 'deferred', until: iso(until) } };
}

export async function resolve(
  input: ToolInput<'chat.resolve'>,
  tools: ToolContext,
): Promise<ToolAnswer<'chat.resolve'>> {
  const { context, agent, places } = tools;
  const event = input.inReplyTo === undefined ? undefined : await eventOf(tools, input.inReplyTo);
  if (input.inReplyTo !== undefined && (event === undefined || !maySee(event, agent)))
    return missing('event');
  const target =
    input.target === undefined ? undefined : resolveTarget(places, input.target, agent, undefined);
  if (target?.type === 'unknown') return missing(target.what);
  const conversation = event?.conversation ?? target?.key ?? '';
  const place = event?.record.event ?? (await placeAt(tools, conversation));
  if (place === undefined) return missing('conversation');
  await act(tools, place, { type: 'resolve', ...(event === undefined ? {} : { targetEventId: event.key }) });
  const open = await context.store.scan('delivery', 'byAgentConversation', {
    eq: [agent, conversation, 1],
    limit: 200,
  });
  const concerned = open.filter(
    (row) => event === undefined || row.source === event.key || row.eventId === input.inReplyTo,
  );
  const resolved: string[] = [];
  for (const { key, eventId } of concerned) {
    const done = await context.store.transact({
      states: [],
      rows: [['delivery', key]],
      run(view) {
        const row = view.row('delivery', key);
        const next = row === undefined ? undefined : settle(row, 'responded', 'resolved', view.now);
        return { writes: next === undefined ? [] : [{ table: 'delivery', row: next }], result: next };
      },
    });
    if (done === undefined) continue;
    resolved.push(eventId);
    context.bus.tell({ type: 'settled', delivery: done });
  }
  return { ok: true, result: { resolved } };
}

export async function disengage(
  input: ToolInput<'chat.disengage'>,
  tools: ToolContext,
): Promise<ToolAnswer<'chat.disengage'>> {
  const place = await targetPlace(tools, input.target);
  if (place === undefined) return missing('conversation');
  await act(tools, place, {
    type: 'disengage',
    ...(input.turnId === undefined ? {} : { turnId: input.turnId }),
  });
  return { ok: true, result: { target: input.target } };
}

async function targetPlace(tools: ToolContext, target: string): Promise<ActPlace | undefined> {
  const resolved = resolveTarget(tools.places, target, tools.agent, undefined);
  return resolved.type === 'known' ? placeAt(tools, resolved.key) : undefined;
}

export async function setMode(
  input: ToolInput<'chat.set_mode'>,
  tools: ToolContext,
): Promise<ToolAnswer<'chat.set_mode'>> {
  const place = await targetPlace(tools, input.target);
  if (place === undefined) return missing('conversation');
  const committed = await act(tools, place, { type: 'mode', mode: input.mode });
  const effect = committed.attended?.effects.find(({ type }) => type === 'mode');
  // A direct message cannot be left: the answer says what it became.
  return {
    ok: true,
    result: { target: input.target, mode: effect?.type === 'mode' ? effect.mode : input.mode },
  };
}

export async function focus(
  input: ToolInput<'chat.focus'>,
  tools: ToolContext,
): Promise<ToolAnswer<'chat.focus'>> {
  const { context, agent } = tools;
  const key = agentStateKey(agent);
  const until = input.ttlMs === 0 ? 0 : context.clock.now() + input.ttlMs;
  await context.store.transact({
    states: [key],
    run(view) {
      const record = (view.state(key) as AgentRecord | undefined) ?? EMPTY_AGENT_RECORD;
      return { writes: [{ state: key, value: { ...record, focusUntil: until } }], result: undefined };
    },
  });
  tools.setFocus(agent, until);
  return { ok: true, result: { until: until === 0 ? null : iso(until) } };
}
