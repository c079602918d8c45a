// The tools that do something, except chat.react (react.ts). Each call becomes one commit: a log record or a row, what
// it settles, and its audit row. A repeated call finds its first result. A refusal has a reason that the model can act
// on.
import type { ChatEvent } from '../../protocol/chat-event.ts';
import { hostId } from '../../protocol/derived-id.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import { CLAIM_LIMITS } from '../../protocol/act-tools.ts';
import { wireError } from '../../protocol/errors.ts';
import { withoutSilence } from '../../protocol/silence.ts';
import type { ToolInput } from '../../protocol/tools.ts';
import type { ConversationMode } from '../../protocol/vocabulary.ts';
import type { RowRef, UnitView } from '../../store/store.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import type { Committed } from '../attend/commit-event.ts';
import { askedIn } from '../delivery/delivery-row.ts';
import { deferUntil, revise, settle } from '../delivery/move.ts';
import { endOffer } from '../delivery/offers.ts';
import { agentRecordIn, writeAgentRecord } from '../kernel/agent-record.ts';
import { type Change, addChange, noChange } from '../kernel/change.ts';
import {
  agentStateKey,
  conversationKeyOf,
  placeOf,
  readConversation,
  resolveTarget,
} from '../kernel/conversation.ts';
import { subjectOf } from '../kernel/log-row.ts';
import { mayReadRoom } from '../read/may-read.ts';
import { send } from '../send/send.ts';
import { claimRefused } from './claim-refusal.ts';
import { notWoken } from './not-woken.ts';
import { outcomeError } from './outcome-error.ts';
import { listedEvent } from './listed-event.ts';
import { readableEvent } from './read.ts';
import { iso } from '../../protocol/log-record.ts';
import type { ToolAnswer, ToolContext } from './tool-context.ts';

const notFound = (what: string) => ({ ok: false as const, error: wireError('not_found', { what }) });

/** `eventId`: the event that it will be, where the caller has made one. */
export async function sendMessage(
  input: ToolInput<'chat.send_message'>,
  tools: ToolContext,
  eventId?: string,
): Promise<ToolAnswer<'chat.send_message'>> {
  const said = withoutSilence(input.text);
  if (said === undefined) return { ok: false, error: wireError('silence') };
  const deps = eventId === undefined ? tools : { ...tools, eventId };
  const sent = await send(deps, tools.agent, { ...input, text: said });
  if (!sent.ok) return sent;
  const state = await tools.posts.outcome(sent.key, tools.context.settings.limits.sendWaitMs);
  const error = await outcomeError(tools.context, sent.key, state);
  if (error !== undefined) return { ok: false, error };
  const status = state === 'visible' ? 'sent' : 'pending';
  const { row: posted, replayed } = sent;
  const stopped = await notWoken(tools, posted);
  const result = { eventId: posted.eventId, status, replayed } as const;
  return { ok: true, result: stopped.length === 0 ? result : { ...result, notWoken: stopped } };
}

export async function claim(
  input: ToolInput<'chat.claim'>,
  tools: ToolContext,
): Promise<ToolAnswer<'chat.claim'>> {
  const op = input.op ?? 'claim';
  const event = input.inReplyTo === undefined ? undefined : await readableEvent(tools, input.inReplyTo);
  if (input.inReplyTo !== undefined && event === undefined) return notFound('event');
  const place = event?.record.event ?? (await targetPlace(tools, input.target));
  if (place === undefined) return notFound('conversation');
  const isRoom = event === undefined;
  if (isRoom && (input.ttlMs ?? 0) > CLAIM_LIMITS.roomTtlMs) return { ok: false, error: ROOM_TOO_LONG };
  const ttlMs = input.ttlMs ?? (isRoom ? ownTtl(tools) : undefined);
  const committed = await act(
    tools,
    place,
    {
      type: 'claim',
      op,
      ...(event === undefined ? {} : { targetEventId: subjectOf(event) }),
      ...(ttlMs === undefined ? {} : { ttlMs }),
      ...(input.token === undefined ? {} : { token: input.token }),
    },
    { judged: event?.key },
  );
  // Claims that ran out are released first. The last effect is the answer to this call.
  const effect = committed.effects.findLast(({ type }) => type.startsWith('claim_'));
  if (effect?.type === 'claim_granted') {
    const status = op === 'renew' ? 'renewed' : 'claimed';
    const body = event === undefined ? {} : { event: await listedEvent(tools, event) };
    return { ok: true, result: { status, token: effect.token, expiresAt: iso(effect.until), ...body } };
  }
  if (effect?.type === 'claim_released') return { ok: true, result: { status: 'released' } };
  // A repeated release succeeds.
  if (op === 'release' && effect?.type === 'claim_refused' && effect.why === 'not_holder')
    return { ok: true, result: { status: 'released' } };
  return { ok: false, error: claimRefused(effect, tools.context.clock.now()) };
}

const ROOM_TOO_LONG = wireError('invalid_params', {
  problem: `ttlMs: a whole conversation is claimed for at most ${CLAIM_LIMITS.roomTtlMs} ms (1 hour). Renew the claim before it ends, or claim one event`,
  path: 'ttlMs',
});

/** The setting may be longer than a conversation can be claimed. Undefined: the setting counts. */
function ownTtl({ context: { attention } }: ToolContext): number | undefined {
  return attention.limits.claimTtlMs > CLAIM_LIMITS.roomTtlMs ? CLAIM_LIMITS.roomTtlMs : undefined;
}

type ActFields = ChatEvent extends infer E
  ? E extends { type: 'claim' | 'resolve' | 'disengage' | 'mode' | 'focus' }
    ? Omit<E, 'eventId' | 'at' | 'platform' | 'workspaceId' | 'conversation' | 'author'>
    : never
  : never;

type ActPlace = Pick<ChatEvent, 'platform' | 'workspaceId' | 'conversation'>;

interface Beside {
  /** Further changes in the same commit. */
  rows?: readonly RowRef[];
  run?: (view: UnitView) => Change;
  /** For a claim: the logged event whose decision counts. */
  judged?: string | undefined;
}

/** Logs what an agent does as a record of the conversation. */
async function act(
  { committer, context, agent, audit }: ToolContext,
  place: ActPlace,
  fields: ActFields,
  { rows = [], run = noChange, judged }: Beside = {},
): Promise<Committed> {
  const event: ChatEvent = {
    ...fields,
    eventId: hostId('act', context.random.id()),
    at: context.clock.now(),
    ...placeOf(place),
    author: { id: agent, kind: 'agent' },
  };
  const prepared = await committer.prepare(event, undefined, 'host');
  const unit = committer.unit(judged === undefined ? prepared : { ...prepared, judged });
  return context.apply({
    ...unit,
    rows: [...(unit.rows ?? []), ...rows],
    run(view) {
      const change = unit.run(view);
      addChange(change, run(view));
      change.writes.push(...audit(view.now));
      return change;
    },
  });
}

export async function defer(
  input: ToolInput<'chat.defer'>,
  tools: ToolContext,
): Promise<ToolAnswer<'chat.defer'>> {
  const { context, agent, audit } = tools;
  const key = deliveryKey(input.inReplyTo, agent);
  const until = context.clock.now() + (input.ttlMs ?? context.settings.limits.lapseMs);
  const row = await context.apply<DeliveryRow | undefined>({
    states: [],
    rows: [['delivery', key]],
    run(view) {
      const current = askedIn(view, input.inReplyTo, agent);
      const moved = current && deferUntil(current, 'deferred', until, { deferred: input.reason });
      if (moved?.row === undefined) return { ...noChange(), result: undefined };
      return { writes: [...moved.writes, ...audit(view.now)], news: moved.news, result: moved.row };
    },
  });
  if (row === undefined) return notFound('open delivery');
  return { ok: true, result: { disposition: 'deferred', until: iso(until) } };
}

export async function resolve(
  input: ToolInput<'chat.resolve'>,
  tools: ToolContext,
): Promise<ToolAnswer<'chat.resolve'>> {
  const { agent, context } = tools;
  const event = input.inReplyTo === undefined ? undefined : await readableEvent(tools, input.inReplyTo);
  if (input.inReplyTo !== undefined && event === undefined) return notFound('event');
  const place = event?.record.event ?? (await targetPlace(tools, input.target));
  if (place === undefined) return notFound('conversation');
  const conversation = event?.conversation ?? conversationKeyOf(placeOf(place));
  const about = event === undefined ? undefined : subjectOf(event);
  const resolved = (await resolvable(tools, conversation)).filter(
    ({ source, eventId }) =>
      event === undefined || source === event.key || source === about || eventId === input.inReplyTo,
  );
  const offer: RowRef[] = about === undefined ? [] : [['offer', about]];
  const fields = { type: 'resolve', ...(about === undefined ? {} : { targetEventId: about }) } as const;
  await act(tools, place, fields, {
    rows: [...resolved.map(({ key }) => ['delivery', key] as const), ...offer],
    run(view) {
      const change = noChange();
      if (about !== undefined) addChange(change, endOffer(view, about, 'answered_by_other', agent));
      for (const { key } of resolved) {
        const row = view.row('delivery', key);
        if (row !== undefined) addChange(change, settle(row, 'responded', 'resolved', view.now));
      }
      return change;
    },
  });
  // A repeated call returns the same list, because it includes what was resolved before.
  const now = await Promise.all(resolved.map(({ key }) => context.store.get('delivery', key)));
  return {
    ok: true,
    result: { resolved: now.flatMap((row) => (row?.why === 'resolved' ? [row.eventId] : [])) },
  };
}

/** The most deliveries that one call resolves. */
const RESOLVED_AT_ONCE = 200;

/** The agent's deliveries in the conversation that are open or were resolved before. */
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
  if (place === undefined) return notFound('conversation');
  await act(tools, place, {
    type: 'disengage',
    ...(input.turnId === undefined ? {} : { turnId: input.turnId }),
  });
  return { ok: true, result: { target: input.target } };
}

/** The place of a target, if the agent may read it. */
async function targetPlace(tools: ToolContext, target: string | undefined): Promise<ActPlace | undefined> {
  if (target === undefined) return undefined;
  const resolved = await resolveTarget(tools.places, target, tools.agent, undefined);
  if (resolved.type !== 'known' || !(await mayReadRoom(tools.context, tools.agent, resolved.key)))
    return undefined;
  return (await readConversation(tools.context.store, resolved.key))?.place;
}

export async function setMode(
  input: ToolInput<'chat.set_mode'>,
  tools: ToolContext,
): Promise<ToolAnswer<'chat.set_mode'>> {
  const place = await targetPlace(tools, input.target);
  if (place === undefined) return notFound('conversation');
  const leaves = input.mode === 'left' && place.conversation.kind !== 'dm';
  const asked = leaves ? await inHand(tools, conversationKeyOf(placeOf(place))) : [];
  const committed = await act(
    tools,
    place,
    { type: 'mode', mode: input.mode },
    {
      rows: asked.map((key) => ['delivery', key] as const),
      run(view) {
        const change = noChange();
        for (const key of asked) {
          const row = view.row('delivery', key);
          if (row !== undefined) addChange(change, settle(row, 'acknowledged', 'left', view.now));
        }
        return change;
      },
    },
  );
  const effect = committed.effects.find(({ type }) => type === 'mode');
  // A direct message cannot be left. The result has the mode that was set instead.
  const mode = effect?.type === 'mode' ? effect.mode : input.mode;
  const { kind } = place.conversation;
  return { ok: true, result: { target: input.target, mode, next: NEXT[mode](kind) } };
}

/**
 * What the agent was handed in a conversation that it leaves. It can answer nothing there any more, so it must not be
 * reminded.
 */
async function inHand({ context, agent }: ToolContext, conversation: string): Promise<string[]> {
  const range = { eq: [agent, conversation, 1], limit: RESOLVED_AT_ONCE };
  const open = await context.store.scan('delivery', 'byAgentConversation', range);
  return open.filter(({ state }) => state !== 'held' && state !== 'queued').map(({ key }) => key);
}

const NEXT: Record<ConversationMode, (kind: string) => string> = {
  auto: () => 'You are woken here as usual.',
  follow: (kind) =>
    kind === 'thread'
      ? 'What is said in this thread comes to you in batches.'
      : 'Only threads can be followed. Here you are woken as usual.',
  mention_only: (kind) =>
    kind === 'dm'
      ? 'You are woken here only when somebody writes your name, replies to you or asks you to come back.'
      : 'You are woken here only when somebody mentions you, calls you by name or replies to you.',
  left: () =>
    'You are woken here again when somebody @mentions you or assigns you work. What you were asked here is closed.',
};

/** The most deliveries that are released when focus ends early. */
const HELD_AT_ONCE = 500;

export async function focus(
  input: ToolInput<'chat.focus'>,
  tools: ToolContext,
): Promise<ToolAnswer<'chat.focus'>> {
  const { context, agent, audit } = tools;
  const until = input.ttlMs === 0 ? 0 : context.clock.now() + input.ttlMs;
  // Focus ends before its time, so the deliveries that it held become due now.
  const held = until === 0 ? await heldByFocus(tools) : [];
  await context.apply({
    states: [agentStateKey(agent), ...context.changes.names],
    rows: held.map((key) => ['delivery', key] as const),
    run(view) {
      const change = noChange();
      const record = agentRecordIn(view, agent);
      change.writes.push(writeAgentRecord(agent, { ...record, focusUntil: until }), ...audit(view.now));
      change.writes.push(...context.changes.tell(view, 'agent', [agent]));
      for (const key of held) {
        const row = view.row('delivery', key);
        if (row?.state === 'held' && row.dueFor === 'hand')
          addChange(change, revise(row, { dueAt: view.now }));
      }
      if (held.length > 0) change.news.push({ type: 'due' });
      return { ...change, result: undefined };
    },
  });
  tools.setFocus(agent, until);
  return { ok: true, result: { until: until === 0 ? null : iso(until) } };
}

async function heldByFocus({ context, agent }: ToolContext): Promise<string[]> {
  const range = { eq: [agent, 1], limit: HELD_AT_ONCE };
  const open = await context.store.scan('delivery', 'openByAgent', range);
  return open.filter(({ state, dueFor }) => state === 'held' && dueFor === 'hand').map(({ key }) => key);
}
