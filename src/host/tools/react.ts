// chat.react: an agent's reaction. It goes into the outbox, and the delivery that it answers gets the disposition of
// its signal, in one commit. A repeated call finds its first result.
import { wireError } from '../../protocol/errors.ts';
import { defaultGlyph } from '../../protocol/glyphs.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import type { ToolInput } from '../../protocol/tools.ts';
import type { UnitView } from '../../store/store.ts';
import type { DeliveryRow, LogRow } from '../../store/tables.ts';
import { answeredBy } from '../delivery/delivery-row.ts';
import { escalateUnanswered } from '../delivery/escalate.ts';
import { endOffer, passOffer } from '../delivery/offers.ts';
import { disposedBy, toldDisposition } from '../delivery/signal-disposition.ts';
import { type Change, addChange, noChange } from '../kernel/change.ts';
import { conversationIn } from '../kernel/conversation.ts';
import { subjectOf } from '../kernel/log-row.ts';
import { hostKey, newReaction, queueSend } from '../outbox/outbox-row.ts';
import { checkRate } from '../send/send.ts';
import { readableEvent } from './read.ts';
import type { ToolAnswer, ToolContext } from './tool-context.ts';

export async function react(
  input: ToolInput<'chat.react'>,
  tools: ToolContext,
): Promise<ToolAnswer<'chat.react'>> {
  const { context, agent } = tools;
  const event = await readableEvent(tools, input.inReplyTo);
  if (event === undefined) return { ok: false, error: wireError('not_found', { what: 'event' }) };
  const purpose = `react:${input.signal}:${input.remove === true ? 'off' : 'on'}:${input.recipient ?? ''}`;
  const key = hostKey(agent, purpose, event.key);
  const limited = await checkRate(tools, agent, event.conversation, key);
  if (limited !== undefined) return { ok: false, error: limited };
  const { row, settled } = await setReaction(tools, event, key, input);
  await tools.posts.outcome(key, context.settings.limits.sendWaitMs);
  const disposition = input.remove === true ? null : toldDisposition(input.signal, settled);
  return { ok: true, result: { reactionId: row.eventId, disposition } };
}

/** Puts the reaction into the outbox and moves the delivery that it answers, in one commit. */
function setReaction(tools: ToolContext, event: LogRow, key: string, input: ToolInput<'chat.react'>) {
  const { context, agent, audit } = tools;
  const { signal, recipient, remove, inReplyTo } = input;
  const about = subjectOf(event);
  const answers = deliveryKey(inReplyTo, agent);
  return context.apply({
    states: [event.conversation],
    rows: [
      ['outbox', key],
      ['delivery', answers],
      ['offer', about],
    ],
    run(view) {
      const change = noChange();
      const known = view.row('outbox', key);
      const row =
        known ??
        newReaction(
          {
            key,
            agent,
            surface: conversationIn(view, event.conversation)?.surface ?? '',
            conversation: event.conversation,
            eventId: `out_${context.random.id()}`,
            inReplyTo: event.key,
            turnId: input.turnId ?? null,
            bodyHash: signal,
            now: view.now,
          },
          { targetEventId: event.key, signal, glyph: defaultGlyph(signal), recipient, remove },
        );
      if (known === undefined) addChange(change, queueSend(row));
      const settled = remove === true ? undefined : answeredBy(view, answers);
      const disposed = settled === undefined ? undefined : dispose(tools, view, settled, about, input);
      if (disposed !== undefined) addChange(change, disposed);
      change.writes.push(...audit(view.now));
      return { ...change, result: { row, settled: disposed?.row ?? settled } };
    },
  });
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
