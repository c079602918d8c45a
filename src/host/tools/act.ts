// The tools that do something. Each becomes a log record or an outbox row in one transaction and settles what it
// answers; a repeated call finds its first result. A refusal carries a reason the model can act on.
import type { ChatEvent } from '../../protocol/chat-event.ts';
import { printableLine } from '../../protocol/display-name.ts';
import { wireError } from '../../protocol/errors.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import type { ToolInput } from '../../protocol/tools.ts';
import { defaultGlyph } from '../../protocol/glyphs.ts';
import type { Disposition, Signal } from '../../protocol/vocabulary.ts';
import type { UnitView, Write } from '../../store/store.ts';
import type { DeliveryRow, LogRow, OutboxRow } from '../../store/tables.ts';
import { type AgentRecord, EMPTY_AGENT_RECORD } from '../agent-record.ts';
import type { HostNews } from '../context.ts';
import { type ConversationState, agentStateKey, conversationKeyOf } from '../conversation.ts';
import { putOff, settle } from '../delivery-state.ts';
import { hostKey } from '../effects.ts';
import { escalateUnanswered } from '../escalate.ts';
import { answeredBy } from '../follow-up.ts';
import { commit } from '../ingest.ts';
import { endOffer } from '../offers.ts';
import { resolveTarget } from '../places.ts';
import { mayReadRoom } from '../reading.ts';
import { type Carried, join, nothingCarried } from '../scene.ts';
import { send, tooMany } from '../send.ts';
import { disposedBy, toldDisposition } from '../signal-disposition.ts';
import { tellAll } from '../tell.ts';
import { listedEvent, readableEvent } from './read.ts';
import { type ToolAnswer, type ToolContext, iso } from './tool-context.ts';

/** Of what a platform says about a refusal. */
const PROBLEM_CHARS = 200;
const missing = (what: string) => ({ ok: false as const, error: wireError('not_found', { what }) });

export async function sendMessage(
  input: ToolInput<'chat.send_message'>,
  tools: ToolContext,
): Promise<ToolAnswer<'chat.send_message'>> {
  const sent = await send(tools, tools.agent, input);
  if (!sent.ok) return sent;
  const state = await tools.poster.outcome(sent.key, tools.context.settings.limits.sendWaitMs);
  if (state === 'cancelled') return { ok: false, error: wireError('fenced') };
  if (state === 'failed') {
    const row = await tools.context.store.get('outbox', sent.key);
    const problem = printableLine(row?.error ?? 'the platform refused it', PROBLEM_CHARS);
    return { ok: false, error: wireError('not_delivered', { problem }) };
  }
  const status = state === 'visible' ? 'sent' : 'pending';
  return { ok: true, result: { eventId: sent.row.eventId, status, replayed: sent.replayed } };
}

export async function react(
  input: ToolInput<'chat.react'>,
  tools: ToolContext,
): Promise<ToolAnswer<'chat.react'>> {
  const { context, agent } = tools;
  const event = await readableEvent(tools, input.inReplyTo);
  if (event === undefined) return missing('event');
  const purpose = `react:${input.signal}:${input.remove === true ? 'off' : 'on'}:${input.recipient ?? ''}`;
  const key = hostKey(agent, purpose, event.key);
  const limited = await tooMany(tools, agent, event.conversation, key);
  if (limited !== undefined) return { ok: false, error: limited };
  const row = await outboxReaction(tools, event, key, input);
  const disposition =
    input.remove === true ? null : await settleBy(tools, input.inReplyTo, aboutOf(event), input.signal);
  context.bus.tell({ type: 'outbox', key });
  await tools.poster.outcome(key, context.settings.limits.sendWaitMs);
  return { ok: true, result: { reactionId: row.eventId, disposition } };
}

/** An edit is about the message it edits. */
function aboutOf({ key, record: { event } }: LogRow): string {
  return event.type === 'edit' ? event.targetEventId : key;
}

async function outboxReaction(
  { context, agent }: ToolContext,
  event: LogRow,
  key: string,
  input: ToolInput<'chat.react'>,
): Promise<OutboxRow> {
  const { signal, recipient, remove } = input;
  const body = { targetEventId: event.key, signal, glyph: defaultGlyph(signal), recipient, remove };
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
  tools: ToolContext,
  eventId: string,
  about: string,
  signal: Signal,
): Promise<Disposition | null> {
  const { context, agent } = tools;
  const key = deliveryKey(eventId, agent);
  const { news, row } = await context.store.transact<{ news: HostNews[]; row: DeliveryRow | undefined }>({
    states: [],
    rows: [
      ['delivery', key],
      ['offer', about],
    ],
    run(view) {
      const before = answeredBy(view, key);
      const next =
        before?.open === 1
          ? disposedBy(before, signal, view.now, context.settings.limits.lapseMs)
          : undefined;
      if (before === undefined || next === undefined)
        return { writes: [], result: { news: [], row: before } };
      const told: HostNews = next.open === 0 ? { type: 'settled', delivery: next } : { type: 'due' };
      const parts: Carried[] = [{ writes: [{ table: 'delivery', row: next }], news: [told] }];
      if (signal === 'done') parts.push(endOffer(view, about, 'answered_by_other', view.now, agent));
      if (signal === 'declined' && before.policy === 'must_respond')
        parts.push(escalateUnanswered(context, view, before, 'declined'));
      if (signal === 'declined') parts.push(passOffer(view, about, agent));
      const { writes, news: all } = join(parts);
      return { writes, result: { news: all, row: next } };
    },
  });
  await tellAll(context, news);
  return toldDisposition(signal, row);
}

/** A declined offer need not wait out its time with the holder who declined. */
function passOffer(view: UnitView, eventId: string, agent: string): Carried {
  const offer = view.row('offer', eventId);
  if (offer === undefined || offer.open === 0 || offer.holders[offer.turn] !== agent) return nothingCarried();
  return {
    writes: [{ table: 'offer', row: { ...offer, dueAt: view.now } }],
    news: [{ type: 'due' }],
  };
}

export async function claim(
  input: ToolInput<'chat.claim'>,
  tools: ToolContext,
): Promise<ToolAnswer<'chat.claim'>> {
  const op = input.op ?? 'claim';
  const event = input.inReplyTo === undefined ? undefined : await readableEvent(tools, input.inReplyTo);
  if (input.inReplyTo !== undefined && event === undefined) return missing('event');
  const place = event?.record.event ?? (await targetPlace(tools, input.target));
  if (place === undefined) return missing('conversation');
  const committed = await act(tools, place, {
    type: 'claim',
    op,
    ...(event === undefined ? {} : { targetEventId: aboutOf(event) }),
    ...(input.ttlMs === undefined ? {} : { ttlMs: input.ttlMs }),
    ...(input.token === undefined ? {} : { token: input.token }),
  });
  const effect = committed.effects.find(({ type }) => type.startsWith('claim_'));
  if (effect?.type === 'claim_granted') {
    const status = op === 'renew' ? 'renewed' : 'claimed';
    const body = event === undefined ? {} : { event: await listedEvent(tools, event) };
    return { ok: true, result: { status, token: effect.token, expiresAt: iso(effect.until), ...body } };
  }
  if (effect?.type === 'claim_released') return { ok: true, result: { status: 'released' } };
  // Given back twice is given back once.
  if (op === 'release' && effect?.type === 'claim_refused' && effect.why === 'not_holder')
    return { ok: true, result: { status: 'released' } };
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
  return commit(ingest, { ...fields, eventId, at, platform, workspaceId, conversation, author }, '');
}

async function placeAt({ context }: ToolContext, key: string): Promise<ActPlace | undefined> {
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
      const current = answeredBy(view, key);
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
  const { context, agent } = tools;
  const event = input.inReplyTo === undefined ? undefined : await readableEvent(tools, input.inReplyTo);
  if (input.inReplyTo !== undefined && event === undefined) return missing('event');
  const place = event?.record.event ?? (await targetPlace(tools, input.target));
  if (place === undefined) return missing('conversation');
  const conversation = event?.conversation ?? conversationKeyOf(place);
  const about = event === undefined ? undefined : aboutOf(event);
  await act(tools, place, { type: 'resolve', ...(about === undefined ? {} : { targetEventId: about }) });
  const rows = await resolvable(tools, conversation);
  const concerned = rows.filter(
    (row) =>
      event === undefined ||
      row.source === event.key ||
      row.source === about ||
      row.eventId === input.inReplyTo,
  );
  const resolved: string[] = [];
  for (const { key, eventId } of concerned) {
    const { row: done, news } = await context.store.transact({
      states: [],
      rows: [
        ['delivery', key],
        ['offer', about ?? ''],
      ],
      run(view) {
        const row = view.row('delivery', key);
        const next = row === undefined ? undefined : settle(row, 'responded', 'resolved', view.now);
        const offer =
          about === undefined ? undefined : endOffer(view, about, 'answered_by_other', view.now, agent);
        const writes: Write[] = [...(offer?.writes ?? [])];
        if (next !== undefined) writes.push({ table: 'delivery', row: next });
        return { writes, result: { row: next ?? row, news: [...(offer?.news ?? [])] } };
      },
    });
    await tellAll(context, news);
    // Resolved twice is resolved once, and the second call hears the same.
    if (done?.why !== 'resolved') continue;
    resolved.push(eventId);
    context.bus.tell({ type: 'settled', delivery: done });
  }
  return { ok: true, result: { resolved } };
}

const RESOLVED_AT_ONCE = 200;

/** What is open there, and what was resolved before. */
async function resolvable({ context, agent }: ToolContext, conversation: string): Promise<DeliveryRow[]> {
  const page = { limit: RESOLVED_AT_ONCE, descending: true } as const;
  const open = await context.store.scan('delivery', 'byAgentConversation', {
    eq: [agent, conversation, 1],
    ...page,
  });
  const ended = await context.store.scan('delivery', 'byAgentConversation', {
    eq: [agent, conversation, 0],
    ...page,
  });
  return [...open, ...ended.filter(({ why }) => why === 'resolved')].toReversed();
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

/** A place the agent may read: any other does not exist for it. */
async function targetPlace(tools: ToolContext, target: string | undefined): Promise<ActPlace | undefined> {
  if (target === undefined) return undefined;
  const resolved = resolveTarget(tools.places, target, tools.agent, undefined);
  if (resolved.type !== 'known' || !(await mayReadRoom(tools.context, tools.agent, resolved.key)))
    return undefined;
  return placeAt(tools, resolved.key);
}

export async function setMode(
  input: ToolInput<'chat.set_mode'>,
  tools: ToolContext,
): Promise<ToolAnswer<'chat.set_mode'>> {
  const place = await targetPlace(tools, input.target);
  if (place === undefined) return missing('conversation');
  const committed = await act(tools, place, { type: 'mode', mode: input.mode });
  const effect = committed.effects.find(({ type }) => type === 'mode');
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
  if (until === 0) await endHolding(tools);
  return { ok: true, result: { until: until === 0 ? null : iso(until) } };
}

const HELD_AT_ONCE = 500;

/** Focus is over before its time: what it held back comes now. */
async function endHolding({ context, agent }: ToolContext): Promise<void> {
  const { store, bus } = context;
  const open = await store.scan('delivery', 'openByAgent', { eq: [agent, 1], limit: HELD_AT_ONCE });
  for (const { key } of open.filter(({ state, dueFor }) => state === 'held' && dueFor === 'hand')) {
    await store.transact({
      states: [],
      rows: [['delivery', key]],
      run(view) {
        const row = view.row('delivery', key);
        if (row?.state !== 'held' || row.dueFor !== 'hand') return { writes: [], result: undefined };
        return { writes: [{ table: 'delivery', row: { ...row, dueAt: view.now } }], result: undefined };
      },
    });
  }
  bus.tell({ type: 'due' });
}
