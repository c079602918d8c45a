// chat.react: an agent's reaction. It is logged and goes into the outbox, and the delivery that it answers gets the
// disposition of its signal, in one commit. A repeated call finds its first result.
import { agentKey, claimsBy, type Effect, shortKey } from '../../attention/index.ts';
import type { ChatEvent } from '../../protocol/chat-event.ts';
import { hostId, isLadderId, owedEventId } from '../../protocol/derived-id.ts';
import { type WireError, wireError } from '../../protocol/errors.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import type { ToolInput } from '../../protocol/tools.ts';
import type { UnitView } from '../../store/store.ts';
import type { DeliveryRow, LogRow, OutboxRow } from '../../store/tables.ts';
import type { Committed } from '../attend/commit-event.ts';
import { askedIn } from '../delivery/delivery-row.ts';
import { escalateUnanswered } from '../delivery/escalate.ts';
import { endOffer, passOffer } from '../delivery/offers.ts';
import { disposedBy, toldDisposition } from '../delivery/signal-disposition.ts';
import { type Change, type ChangeUnit, addChange, namesOf, noChange, runAfter } from '../kernel/change.ts';
import {
  INTERNAL_SURFACE,
  conversationIn,
  obligationsKeyOf,
  placeOf,
  readConversation,
} from '../kernel/conversation.ts';
import { subjectOf } from '../kernel/log-row.ts';
import { obligationsIn } from '../kernel/obligations.ts';
import { eventOf } from '../outbox/on-platform.ts';
import { hostKey, newReaction, queueSend } from '../outbox/outbox-row.ts';
import { mayReadRoom } from '../read/may-read.ts';
import { checkRate } from '../send/send.ts';
import { claimRefused } from './claim-refusal.ts';
import { type DischargeAnswer, dischargeAnswer } from './debts.ts';
import { readableOrOwed } from './read.ts';
import type { ToolAnswer, ToolContext } from './tool-context.ts';

export async function react(
  input: ToolInput<'chat.react'>,
  tools: ToolContext,
): Promise<ToolAnswer<'chat.react'>> {
  const { context, agent } = tools;
  const purpose = purposeOf(input, input.remove === true ? 'off' : 'on');
  const event = (await readableOrOwed(tools, input.inReplyTo)) ?? (await reactedTo(tools, input));
  if (event === undefined) return { ok: false, error: wireError('not_found', { what: 'event' }) };
  const targetEventId = targetOf(event, input.inReplyTo);
  const key = hostKey(agent, purpose, targetEventId);
  const limited = await checkRate(tools, agent, event.conversation, key);
  if (limited !== undefined) return { ok: false, error: limited };
  const set = await setReaction(tools, event, targetEventId, key, input);
  if (!set.ok) return set;
  const { row, settled, discharge } = set;
  await tools.posts.outcome(key, context.settings.limits.sendWaitMs);
  const told = input.remove === true ? null : toldDisposition(input.signal, settled);
  const disposition = set.claimed ? 'claimed' : told;
  return { ok: true, result: { reactionId: row.eventId, disposition, ...discharge } };
}

function purposeOf({ signal, recipient }: ToolInput<'chat.react'>, set: 'on' | 'off'): string {
  return `react:${signal}:${set}:${recipient ?? ''}`;
}

/**
 * The event of the same reaction set before, to be set again or taken back. A delegate may not read it any more once
 * its debt is discharged.
 */
async function reactedTo(
  { context: { store }, agent }: ToolContext,
  input: ToolInput<'chat.react'>,
): Promise<LogRow | undefined> {
  const key = hostKey(agent, purposeOf(input, 'on'), owedEventId(input.inReplyTo));
  const earlier = await store.get('outbox', key);
  return earlier?.inReplyTo == null ? undefined : store.get('log', earlier.inReplyTo);
}

/**
 * What the reaction is on: the message, also when one of its edits was delivered. An escalation has an event id of its
 * own and no message on any platform.
 */
function targetOf(event: LogRow, inReplyTo: string): string {
  const owed = owedEventId(inReplyTo);
  return isLadderId(owed) ? owed : subjectOf(event);
}

type Set =
  | {
      ok: true;
      row: OutboxRow;
      settled: DeliveryRow | undefined;
      discharge: DischargeAnswer;
      /** The event is claimed by the reaction. */
      claimed: boolean;
    }
  | { ok: false; error: WireError };

/**
 * Puts the reaction into the log and into the outbox, and moves the delivery that it answers, in one commit. So what the
 * caller is told holds at once, whenever the platform shows the glyph. A reaction that claims and is refused the claim
 * is not set.
 */
async function setReaction(
  tools: ToolContext,
  event: LogRow,
  targetEventId: string,
  key: string,
  input: ToolInput<'chat.react'>,
): Promise<Set> {
  const { context, agent, audit, committer } = tools;
  const answers = deliveryKey(input.inReplyTo, agent);
  const about = subjectOf(event);
  const row = await newRow(tools, event, targetEventId, key, input);
  const said = eventOf(row, placeOf(event.record.event), row.createdAt, undefined);
  const claims = said.type === 'reaction' && claimsBy(said);
  const unit = committer.unit({ ...(await committer.prepare(said, row.surface, 'host')), judged: event.key });
  const owed = obligationsKeyOf(event.record.event);
  const claimed = claims ? await claimAgain(tools, event) : undefined;
  const names = namesOf(claimed === undefined ? [unit] : [unit, claimed]);
  return context.apply<Set>({
    ...names,
    rows: [...names.rows, ['outbox', key], ['delivery', answers], ['offer', about]],
    run(view) {
      const known = view.row('outbox', key);
      const record = known === undefined ? unit : holdsClaim(view, event, agent) ? undefined : claimed;
      const before = obligationsIn(view, owed);
      const change = noChange();
      const settled = input.remove === true ? undefined : askedIn(view, input.inReplyTo, agent);
      const disposed = settled === undefined ? undefined : dispose(tools, view, settled, about, input);
      if (disposed !== undefined) addChange(change, disposed);
      const committed = record === undefined ? undefined : runAfter(view, change, record);
      const refusal = claims ? committed?.result.effects.find(isRefusal) : undefined;
      if (refusal !== undefined) {
        const error = claimRefused(refusal, view.now);
        return { writes: audit(view.now, error.data.name), news: [], result: { ok: false, error } };
      }
      if (committed !== undefined) addChange(change, committed);
      if (known === undefined) addChange(change, queueSend(row));
      change.writes.push(...audit(view.now));
      const { signal, recipient, remove } = input;
      const reaction = { signal, recipient, remove, agent, targetEventId };
      const discharge = dischargeAnswer(context, before, committed?.result.owed ?? [], reaction);
      const moved = disposed?.row ?? settled;
      return {
        ...change,
        result: { ok: true, row: known ?? row, settled: moved, discharge, claimed: claims },
      };
    },
  });
}

function holdsClaim(view: UnitView, event: LogRow, agent: string): boolean {
  const claims = conversationIn(view, event.conversation)?.attention.claims ?? [];
  const about = shortKey(subjectOf(event));
  return claims.some(
    (claim) => claim.agent === agentKey(agent) && claim.event === about && claim.until > view.now,
  );
}

function isRefusal({ type }: Effect): boolean {
  return type === 'claim_refused';
}

/** For a reaction that was set before: its claim may have run out since, so the event is claimed again. */
async function claimAgain(
  { committer, context, agent }: ToolContext,
  event: LogRow,
): Promise<ChangeUnit<Committed>> {
  const act: ChatEvent = {
    type: 'claim',
    op: 'claim',
    targetEventId: subjectOf(event),
    eventId: hostId('act', context.random.id()),
    at: context.clock.now(),
    ...placeOf(event.record.event),
    author: { id: agent, kind: 'agent' },
  };
  return committer.unit({ ...(await committer.prepare(act, undefined, 'host')), judged: event.key });
}

/** The reaction as a row of the outbox. Who is no part of the conversation is not shown in it. */
async function newRow(
  { context, agent }: ToolContext,
  event: LogRow,
  targetEventId: string,
  key: string,
  { signal, recipient, remove, turnId }: ToolInput<'chat.react'>,
): Promise<OutboxRow> {
  const known = await context.store.get('outbox', key);
  if (known !== undefined) return known;
  const state = await readConversation(context.store, event.conversation);
  const home = state === undefined ? '' : context.speakers.homeOf(state);
  const shown = await mayReadRoom(context, agent, event.conversation);
  const message = subjectOf(event);
  const [glyph] = context.glyphsOf(agent)[signal];
  const body = { targetEventId: message, signal, glyph, recipient, remove };
  return newReaction(
    {
      key,
      agent,
      surface: shown ? home : INTERNAL_SURFACE,
      conversation: event.conversation,
      eventId: hostId('send', context.random.id()),
      inReplyTo: event.key,
      turnId: turnId ?? null,
      bodyHash: signal,
      now: context.clock.now(),
    },
    targetEventId === message ? body : { ...body, about: targetEventId },
  );
}

/** Gives the delivery the disposition of the signal. Declining what must be answered also escalates it. */
function dispose(
  { context, agent }: ToolContext,
  view: UnitView,
  before: DeliveryRow,
  about: string,
  { signal }: ToolInput<'chat.react'>,
): (Change & { row: DeliveryRow | undefined }) | undefined {
  const moved = disposedBy(before, signal, view.now, context.settings.limits.lapseMs);
  if (moved?.row === undefined) return undefined;
  const change = { ...noChange(), row: moved.row };
  addChange(change, moved);
  if (signal === 'done') addChange(change, endOffer(view, about, 'answered_by_other', agent));
  if (signal === 'declined' && before.policy === 'must_respond') {
    addChange(change, escalateUnanswered(context, view, before, 'declined'));
  }
  if (signal === 'declined') addChange(change, passOffer(view, about, agent));
  return change;
}
