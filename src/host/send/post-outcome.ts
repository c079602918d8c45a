// What becomes of a post: the row is moved by the outcome that the platform told. Every move is decided in its unit, on the
// row as it is then.
import type { OutboxRow } from '../../store/tables.ts';
import type { PostOutcome } from '../../surfaces/surface.ts';
import { showPart } from '../ingest/own-posts.ts';
import { fileLostSend } from '../inbox/inbox-row.ts';
import { addChange, noChange } from '../kernel/change.ts';
import { agentStateKey } from '../kernel/conversation.ts';
import {
  answeredDelivery,
  clearDueSend,
  currentSend,
  isAcknowledgement,
  moveOutbox,
  putSend,
  textWithFiles,
} from '../outbox/outbox-row.ts';
import { isInParts, nextPart, partWords } from '../outbox/parts.ts';
import type { PostDeps } from './post.ts';
import { takeBack } from './take-back.ts';

/** `isAgain`: an earlier post of it may have been shown. A refusal is then no proof that it was not. */
export async function conclude(
  deps: PostDeps,
  row: OutboxRow,
  outcome: PostOutcome,
  isAgain = false,
): Promise<OutboxRow> {
  const { clock, settings, store } = deps.context;
  // The platform may have handed the part back meanwhile. That says more than a lost answer.
  const current = isInParts(row) ? await store.get('outbox', row.key) : undefined;
  if (current !== undefined && nextPart(current).number !== nextPart(row).number) return current;
  const { limits } = settings;
  const backoff = (): number => Math.min(limits.retryCapMs, limits.retryBaseMs * 2 ** (row.attempt - 1));
  const isUncertain = isAgain && row.kind === 'message';
  switch (outcome.type) {
    case 'visible':
      return showPart(deps, row, nextPart(row).number, [outcome.platformId]);
    case 'pending':
      return update(deps, row, 'queued', { dueAt: null });
    case 'refused':
      // A dead login says nothing about the message. It is kept until the login works again.
      return outcome.scope === 'account'
        ? later(deps, row, ACCOUNT_RETRY_MS, outcome.error, isUncertain)
        : giveUp(deps, row, outcome.error, isUncertain);
    case 'unknowable':
      return lose(deps, row, partWords(row) + outcome.error);
    case 'absent':
      return retry(deps, row, 0, 'it had not arrived', false);
    case 'unknown': {
      // Tried again without end: the agent may only be told "not delivered" when that is certain.
      const dueAt = clock.now() + backoff();
      return update(deps, row, 'unknown', { attempt: row.attempt, error: outcome.error, dueAt });
    }
    case 'retry':
      return retry(deps, row, outcome.afterMs ?? backoff(), outcome.error, isUncertain);
  }
}

/** How long a message waits for a login that does not work. */
const ACCOUNT_RETRY_MS = 30_000;

/** Posts the same row again later. After the last attempt it is given up. */
function retry(
  deps: PostDeps,
  row: OutboxRow,
  waitMs: number,
  error: string,
  isUncertain: boolean,
): Promise<OutboxRow> {
  return row.attempt >= deps.context.settings.limits.sendAttempts
    ? giveUp(deps, row, error, isUncertain)
    : later(deps, row, waitMs, error, isUncertain);
}

/** The next attempt must know too that an earlier one may have been shown. */
function later(
  deps: PostDeps,
  row: OutboxRow,
  waitMs: number,
  error: string,
  isUncertain: boolean,
): Promise<OutboxRow> {
  const dueAt = deps.context.clock.now() + waitMs;
  return update(deps, row, isUncertain ? 'unknown' : 'queued', { error, dueAt });
}

function giveUp(deps: PostDeps, row: OutboxRow, error: string, isUncertain: boolean): Promise<OutboxRow> {
  const words = partWords(row) + error;
  return isUncertain ? lose(deps, row, words) : fail(deps, row, words);
}

/** Ends the looking at a row that is over. */
export function clearDue({ context }: PostDeps, row: OutboxRow): Promise<void> {
  return context.apply({
    states: [],
    rows: [['outbox', row.key]],
    run: (view) => ({ ...clearDueSend(currentSend(view, row)), result: undefined }),
  });
}

/** Moves the row. Does nothing if it has ended meanwhile. */
function update(
  { context }: PostDeps,
  row: OutboxRow,
  to: OutboxRow['state'],
  change: Parameters<typeof moveOutbox>[2],
): Promise<OutboxRow> {
  return context.apply({
    states: [],
    rows: [['outbox', row.key]],
    run(view) {
      const current = view.row('outbox', row.key);
      if (current === undefined) throw new Error(`outbox row ${row.key} is gone`);
      const next = moveOutbox(current, to, change);
      return next === undefined ? { ...noChange(), result: current } : { ...putSend(next), result: next };
    },
  });
}

/** Moves the row, unless somebody has moved it since it was read. What was read may be old by the time of the commit. */
export function updateAsRead(
  { context }: PostDeps,
  row: OutboxRow,
  to: OutboxRow['state'],
  change: (now: number) => Parameters<typeof moveOutbox>[2],
): Promise<OutboxRow> {
  return context.apply({
    states: [],
    rows: [['outbox', row.key]],
    run(view) {
      const current = currentSend(view, row);
      const same =
        current.state === row.state && current.dueAt === row.dueAt && current.attempt === row.attempt;
      const next = same ? moveOutbox(current, to, change(view.now)) : undefined;
      return next === undefined ? { ...noChange(), result: current } : { ...putSend(next), result: next };
    },
  });
}

/** It failed for good, and counts for nothing any more. If it was an answer, the agent may answer in another way. */
export async function fail(deps: PostDeps, row: OutboxRow, error: string): Promise<OutboxRow> {
  const { context } = deps;
  context.log.warn({ key: row.key, error }, 'a send failed for good');
  const answers = row.inReplyTo === null ? undefined : await context.store.get('log', row.inReplyTo);
  const delivery = answeredDelivery(row);
  return context.apply({
    states: [agentStateKey(row.agent)],
    rows: [['outbox', row.key], ...(delivery === undefined ? [] : [['delivery', delivery] as const])],
    run(view) {
      const current = currentSend(view, row);
      const failed = moveOutbox(current, 'failed', { error, dueAt: null });
      if (failed === undefined) return { ...noChange(), result: current };
      const change = { ...noChange(), result: failed };
      addChange(change, putSend(failed));
      if (row.kind === 'message' && !isAcknowledgement(row))
        addChange(change, takeBack(context, view, failed, answers));
      return change;
    },
  });
}

/**
 * Nobody can tell whether it was shown. Sent again it might be shown twice, so it is not. It stays the answer to what it
 * answers; the agent is told by its call, and a person by the inbox.
 */
function lose({ context }: PostDeps, row: OutboxRow, error: string): Promise<OutboxRow> {
  context.log.warn({ key: row.key, error }, 'nobody can tell whether a send was shown');
  return context.apply({
    states: [],
    rows: [['outbox', row.key]],
    run(view) {
      const current = currentSend(view, row);
      const lost = moveOutbox(current, 'lost', { error, dueAt: null });
      if (lost === undefined) return { ...noChange(), result: current };
      const change = { ...noChange(), result: lost };
      addChange(change, putSend(lost));
      if (row.kind !== 'reaction')
        addChange(change, fileLostSend(lost, textWithFiles(lost), error, view.now));
      return change;
    },
  });
}
