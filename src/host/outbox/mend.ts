// Sends that nothing would ever move, found when the host starts. A send that is being posted, or whose outcome is not
// known, has a due time; one without it was left by an earlier version or by damage. One that waits to be pulled has none,
// but on a surface that is not pulled from any more nobody comes for it. One that was never tried waits behind another one,
// whose outcome nobody may have been told of. Each of them is due now.
import type { Surface } from '../../surfaces/surface.ts';
import type { OutboxRow } from '../../store/tables.ts';
import { mergeChanges } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import { surfacesOf } from '../kernel/surfaces-of.ts';
import { isEnded, moveOutbox, putSend } from './outbox-row.ts';

/** Rows in one page, and in one commit. */
const PAGE = 200;

/** States in which a send without a due time stays for ever, on any surface. */
const STUCK = ['awaiting_approval', 'sending', 'unknown'];

/** Returns how many there were. */
export async function mendSends(context: HostContext, surfaces: Iterable<Surface>): Promise<number> {
  let mended = 0;
  for (const { id, capabilities } of surfaces) {
    const isPulled = capabilities.pulled === true;
    const isForgotten = ({ state, dueAt }: OutboxRow): boolean =>
      dueAt === null && (state !== 'queued' || !isPulled);
    for (const state of [...STUCK, 'queued']) mended += await mendThose(context, id, state, isForgotten);
    await mendThose(context, id, 'queued', isBehind);
  }
  if (mended > 0) context.log.warn({ sends: mended }, 'sends that nothing would have moved are due again');
  return mended;
}

type MendContext = Pick<HostContext, 'store' | 'apply' | 'log' | 'settings'>;

/** The same without a host, for every surface with sends. Whether one is pulled from is not known, so `queued` waits. */
export async function mendStuckSends(context: MendContext): Promise<number> {
  let mended = 0;
  for (const surface of await surfacesOf(context.store)) {
    for (const state of STUCK)
      mended += await mendThose(context, surface, state, ({ dueAt }) => dueAt === null);
  }
  return mended;
}

/** What waits behind another send has a time far ahead. */
function isBehind({ attempt, dueAt }: OutboxRow): boolean {
  return attempt === 0 && dueAt !== null;
}

async function mendThose(
  context: MendContext,
  surface: string,
  state: string,
  isMeant: (row: OutboxRow) => boolean,
): Promise<number> {
  const { store, apply, settings } = context;
  // A person may still agree to what waits for one. It has its whole time for that.
  const waitMs = state === 'awaiting_approval' ? settings.limits.approvalMs : 0;
  let mended = 0;
  for (let after = 0; ; ) {
    const rows = await store.scan('outbox', 'bySurface', { eq: [surface, state], after, limit: PAGE });
    const keys = rows.flatMap((row) => (isMeant(row) ? [row.key] : []));
    if (keys.length > 0) {
      mended += await apply({
        states: [],
        rows: keys.map((key) => ['outbox', key] as const),
        run(view) {
          const found = keys.flatMap((key) => view.row('outbox', key) ?? []);
          const moved = found.flatMap((row) =>
            isEnded(row) || !isMeant(row)
              ? []
              : (moveOutbox(row, row.state, { dueAt: view.now + waitMs }) ?? []),
          );
          return { ...mergeChanges(moved.map(putSend)), result: moved.length };
        },
      });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return mended;
    after = last.position;
  }
}
