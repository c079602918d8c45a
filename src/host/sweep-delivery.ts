// A delivery whose time has come: held ones are handed, deadlines redeliver once and then escalate, what was claimed or
// deferred comes back once. Obligations never downgrade; focus pauses the clock.
import type { Write } from '../store/store.ts';
import type { DeliveryRow } from '../store/tables.ts';
import type { HostContext, HostNews } from './context.ts';
import { giveBack, move, settle } from './delivery-state.ts';
import { escalateUnanswered } from './escalate.ts';
import type { IngestDeps } from './ingest.ts';
import { tellAll } from './tell.ts';

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
  const news = await context.store.transact<HostNews[]>({
    states: [],
    rows: [['delivery', key]],
    run(view) {
      const row = view.row('delivery', key);
      if (row === undefined || row.open === 0 || row.dueAt === null || row.dueAt > view.now) return NOTHING;
      switch (row.dueFor) {
        case 'hand':
          return handNow(context, row, view.now);
        case 'deadline':
          return deadline(context, row, view.now, deps.focusUntil(row.agent));
        case 'lapse':
          return lapse(context, row, view.now);
        case 'offer':
        case null:
          return step({ ...row, dueAt: null });
      }
    },
  });
  await tellAll(context, news);
}

function step(row: DeliveryRow | undefined, news: HostNews[] = []): Step {
  return row === undefined ? NOTHING : { writes: [{ table: 'delivery', row }], result: news };
}

/** Held until now (focus, a followed thread), or taken by a pull harness that never came back. */
function handNow(context: HostContext, row: DeliveryRow, now: number): Step {
  const dueAt = row.policy === 'must_respond' ? now + context.attention.limits.deadlineMs : null;
  const due = { dueAt, dueFor: dueAt === null ? null : ('deadline' as const) };
  const next = row.state === 'held' ? move(row, 'queued', due) : giveBack({ ...row, ...due });
  return step(next, next === undefined ? [] : [{ type: 'deliver', delivery: next, event: undefined }]);
}

function deadline(context: HostContext, row: DeliveryRow, now: number, focusUntil: number): Step {
  const { deadlineMs } = context.attention.limits;
  if (focusUntil > now) return step({ ...row, dueAt: focusUntil + deadlineMs });
  if (row.detail['expired'] !== true) {
    const again = giveBack(
      { ...row, dueAt: now + deadlineMs, dueFor: 'deadline' },
      { expired: true, requiresThreadCheck: true },
    );
    return step(again, again === undefined ? [] : [{ type: 'deliver', delivery: again, event: undefined }]);
  }
  const escalation = escalateUnanswered(context, row, 'deadline', now);
  const lowered: DeliveryRow = { ...row, policy: 'may_respond', dueAt: null, dueFor: null };
  return { writes: [{ table: 'delivery', row: lowered }, ...escalation.writes], result: escalation.news };
}

function lapse(context: HostContext, row: DeliveryRow, now: number): Step {
  if (row.detail['lapsed'] === true) {
    if (row.policy !== 'must_respond') return ended(settle(row, 'ignored', 'lapsed', now));
    const failed = settle(row, 'failed', 'no_answer', now);
    const escalation = escalateUnanswered(context, row, 'lapsed', now);
    const part = ended(failed);
    return { writes: [...part.writes, ...escalation.writes], result: [...part.result, ...escalation.news] };
  }
  const dueAt = row.policy === 'must_respond' ? now + context.attention.limits.deadlineMs : null;
  const again = giveBack({ ...row, dueAt, dueFor: dueAt === null ? null : 'deadline' }, { lapsed: true });
  return step(again, again === undefined ? [] : [{ type: 'deliver', delivery: again, event: undefined }]);
}

function ended(row: DeliveryRow | undefined): Step {
  return step(row, row === undefined ? [] : [{ type: 'settled', delivery: row }]);
}
