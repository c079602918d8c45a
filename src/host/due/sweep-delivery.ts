// A delivery whose time has come: held ones are handed, deadlines redeliver once and then escalate, what was claimed or
// deferred comes back once. Obligations never downgrade; focus pauses the clock.
import type { Decision } from '../../attention/index.ts';
import type { UnitView, Write } from '../../store/store.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import type { HostContext, HostNews } from '../kernel/context.ts';
import { tellDeadLetter } from '../deliver/courier.ts';
import { deadlineAt } from '../attend/deliveries.ts';
import { deadLetter, giveBack, move, settle } from '../delivery/delivery-state.ts';
import { escalateUnanswered } from '../delivery/escalate.ts';
import { followUp } from '../delivery/follow-up.ts';
import type { IngestDeps } from '../ingest/ingest.ts';
import { tellAll } from '../kernel/tell.ts';

export interface SweepDeliveryDeps extends Pick<IngestDeps, 'context'> {
  focusUntil(agent: string): number;
}

interface Step {
  writes: Write[];
  result: HostNews[];
}
const NOTHING: Step = { writes: [], result: [] };

export async function sweepDelivery(deps: SweepDeliveryDeps, key: string): Promise<void> {
  const { context } = deps;
  const { news, dead } = await context.store.transact<{ news: HostNews[]; dead: DeliveryRow | undefined }>({
    states: [],
    rows: [['delivery', key]],
    run(view) {
      const row = view.row('delivery', key);
      const due = row !== undefined && row.open === 1 && row.dueAt !== null && row.dueAt <= view.now;
      const { writes, result } = due ? fallenDue(deps, view, row) : NOTHING;
      const letter = result.flatMap((told) =>
        told.type === 'settled' && told.delivery.state === 'dead_lettered' ? [told.delivery] : [],
      )[0];
      return { writes, result: { news: result, dead: letter } };
    },
  });
  await tellAll(context, news);
  if (dead !== undefined) tellDeadLetter(context, dead);
}

function fallenDue(deps: SweepDeliveryDeps, view: UnitView, row: DeliveryRow): Step {
  const { context } = deps;
  switch (row.dueFor) {
    case 'hand':
      return handNow(context, row, view.now, deps.focusUntil(row.agent));
    case 'deadline':
      return deadline(context, view, row, deps.focusUntil(row.agent));
    case 'lapse':
      return lapse(context, view, row);
    case 'offer':
    case null:
      return step({ ...row, dueAt: null });
  }
}

function step(row: DeliveryRow | undefined, news: HostNews[] = []): Step {
  return row === undefined ? NOTHING : { writes: [{ table: 'delivery', row }], result: news };
}

/** Held until now (focus, a followed thread), or taken by a pull harness that never came back. */
function handNow(context: HostContext, row: DeliveryRow, now: number, focusUntil: number): Step {
  const decision = row.detail['decision'] as Decision;
  // The agent asked for more time meanwhile; what pierces focus was never held.
  if (row.state === 'held' && focusUntil > now) return step({ ...row, dueAt: focusUntil });
  const dueAt = deadlineAt({ ...decision, policy: row.policy }, now, context.attention.limits.deadlineMs);
  const due = { dueAt, dueFor: dueAt === null ? null : ('deadline' as const) };
  if (row.state !== 'held' && row.attempt >= context.settings.limits.handAttempts) {
    return ended(deadLetter(row, 'no_acknowledgement', now));
  }
  const next = row.state === 'held' ? move(row, 'queued', due) : giveBack({ ...row, ...due });
  return step(next, next === undefined ? [] : [{ type: 'deliver', delivery: next, event: undefined }]);
}

/** First the same harness again, then its lead or a person, and only then less than must_respond. */
function deadline(context: HostContext, view: UnitView, row: DeliveryRow, focusUntil: number): Step {
  const { deadlineMs } = context.attention.limits;
  const { now } = view;
  const later = { dueAt: now + deadlineMs, dueFor: 'deadline' as const };
  if (focusUntil > now) return step({ ...row, dueAt: focusUntil + deadlineMs });
  // A model at work is answering: it gets one deadline more before it is asked again.
  if (row.state === 'turn_taken' && row.detail['waited'] !== true) {
    return step({ ...row, ...later, detail: { ...row.detail, waited: true } });
  }
  if (row.detail['expired'] !== true) {
    const again = followUp(row, 'expired', now, later, { expired: true, requiresThreadCheck: true });
    return { writes: again.writes, result: again.news };
  }
  const escalation = escalateUnanswered(context, view, row, 'deadline');
  const lowered: DeliveryRow = { ...row, policy: 'may_respond', dueAt: null, dueFor: null };
  return { writes: [{ table: 'delivery', row: lowered }, ...escalation.writes], result: escalation.news };
}

function lapse(context: HostContext, view: UnitView, row: DeliveryRow): Step {
  const { now } = view;
  if (row.detail['lapsed'] === true) {
    if (row.policy !== 'must_respond') return ended(settle(row, 'ignored', 'lapsed', now));
    const failed = settle(row, 'failed', 'no_answer', now);
    const escalation = escalateUnanswered(context, view, row, 'lapsed');
    const part = ended(failed);
    return { writes: [...part.writes, ...escalation.writes], result: [...part.result, ...escalation.news] };
  }
  const decision = row.detail['decision'] as Decision;
  const dueAt = deadlineAt({ ...decision, policy: row.policy }, now, context.attention.limits.deadlineMs);
  const due = { dueAt, dueFor: dueAt === null ? null : ('deadline' as const) };
  const again = followUp(row, 'lapsed', now, due, { lapsed: true });
  return { writes: again.writes, result: again.news };
}

function ended(row: DeliveryRow | undefined): Step {
  return step(row, row === undefined ? [] : [{ type: 'settled', delivery: row }]);
}
