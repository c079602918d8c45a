// Posting: outbox rows become visible messages, at most one per key. A row is marked `sending` durably before the
// platform is called, so that a crash in between is known as `unknown` and reconciled with the surface before any
// retry. Once visible, the message is an event like any other, committed together with its row.
import type { Store, UnitView, Write } from '../../store/store.ts';
import type { DeliveryRow, LogRow, OutboxRow, OutboxState } from '../../store/tables.ts';
import type { PostOutcome, Surface } from '../../surfaces/surface.ts';
import type { Decision, Place } from '../../attention/index.ts';
import { commitUnit } from '../attend/commit-event.ts';
import type { ConversationState } from '../kernel/conversation.ts';
import { deadlineAt, hostDelivery } from '../attend/deliveries.ts';
import { settle } from '../delivery/delivery-state.ts';
import type { IngestDeps } from '../ingest/ingest.ts';
import { stanceOf } from '../attend/facts.ts';
import { eventOf, messageOf, reactionOf } from '../outbox/outbound.ts';
import { type ShownAs, shownAsKeys, shownAsWrites, shownUnder } from '../outbox/shown-as.ts';
import { prepare } from '../ingest/prepare.ts';

export interface Poster {
  /** Posts the row with this key when its conversation's turn comes. */
  post(key: string): void;
  /** Resolves when the row has ended, or with its state after `waitMs`. */
  outcome(key: string, waitMs: number): Promise<OutboxState>;
  /** A surface's own client has shown it (pull). */
  shown(key: string, platformId: string): Promise<boolean>;
  /** The platform has handed it back: it is visible, whatever was thought of it. The seq of its event, if it is ours. */
  echoed(
    key: string,
    surface: string,
    ids: { eventId: string; platformId: string | undefined },
  ): Promise<number | undefined>;
  idle(): Promise<void>;
  /** Under way or waiting its turn. */
  busy(key: string): boolean;
  /** How many of them there are. */
  underWay(): number;
  /** Ended elsewhere, by a stop or a refusal: whoever waits for it hears. */
  ended(row: OutboxRow): void;
}

export interface PostDeps extends IngestDeps {
  surface(id: string): Surface | undefined;
  shownAs: ShownAs;
  /** Carries a stop or leave through before it is acknowledged. */
  stopFirst(row: OutboxRow): Promise<void>;
}

const ENDED: ReadonlySet<OutboxState> = new Set(['visible', 'failed', 'cancelled']);

export function createPoster(deps: PostDeps): Poster {
  const { context } = deps;
  /** One at a time per conversation: messages appear in the order they were sent. */
  const chains = new Map<string, Promise<void>>();
  /** Keys in a chain, so that nothing is in one twice. */
  const under = new Set<string>();
  /** Conversations in which a message waits for an earlier one. */
  const behind = new Set<string>();
  const waiters = new Map<string, Set<(state: OutboxState) => void>>();

  const tell = (row: OutboxRow): void => {
    if (!ENDED.has(row.state) && !isForPulling(row)) return;
    for (const resolve of waiters.get(row.key) ?? []) resolve(row.state);
    waiters.delete(row.key);
  };
  const run = async (key: string): Promise<void> => {
    const row = await context.store.get('outbox', key);
    if (row === undefined) return;
    if (ENDED.has(row.state)) return tell(row);
    if (row.state === 'awaiting_approval') return;
    if (row.dueAt !== null && row.dueAt > context.clock.now()) return; // the sweep comes back to it
    const first = await unresolvedBefore(context.store, row);
    const after = first === undefined ? await postRow(deps, row) : await waitFor(deps, row, first);
    tell(after);
    if (first !== undefined) behind.add(row.conversation);
    if (!ENDED.has(after.state) || behind.delete(row.conversation)) context.bus.tell({ type: 'due' });
  };
  const chain = (conversation: string, key: string): void => {
    const before = chains.get(conversation) ?? Promise.resolve();
    const next = before
      .then(() => run(key))
      .catch((error: unknown) => {
        context.log.error({ err: error, key }, 'posting failed; it is tried again');
        context.clock.after(context.settings.limits.retryBaseMs, () => context.bus.tell({ type: 'due' }));
      })
      .finally(() => {
        under.delete(key);
        if (chains.get(conversation) === next) chains.delete(conversation);
      });
    chains.set(conversation, next);
  };

  return {
    post(key) {
      if (under.has(key)) return;
      under.add(key);
      context.store
        .get('outbox', key)
        .then((row) => (row === undefined ? void under.delete(key) : chain(row.conversation, key)))
        .catch((error: unknown) => {
          under.delete(key);
          context.log.error({ err: error, key }, 'the outbox could not be read');
        });
    },
    busy: (key) => under.has(key),
    underWay: () => under.size,
    ended: tell,
    async outcome(key, waitMs) {
      const { promise, resolve } = Promise.withResolvers<OutboxState>();
      const waiting = waiters.get(key) ?? new Set();
      waiters.set(key, waiting.add(resolve));
      // Asked after listening, so that nothing falls between.
      const row = await context.store.get('outbox', key);
      if (row === undefined || ENDED.has(row.state) || isForPulling(row)) resolve(row?.state ?? 'failed');
      const cancel = context.clock.after(waitMs, () => resolve('queued'));
      const state = await promise;
      cancel();
      waiting.delete(resolve);
      if (waiting.size === 0 && waiters.get(key) === waiting) waiters.delete(key);
      return state;
    },
    async shown(key, platformId) {
      const row = await context.store.get('outbox', key);
      if (row === undefined) return false;
      if (!ENDED.has(row.state)) tell(await becomeVisible(deps, row, [platformId]));
      return true;
    },
    async echoed(key, surface, { eventId, platformId }) {
      const row = await context.store.get('outbox', key);
      if (row === undefined || row.surface !== surface || row.state === 'awaiting_approval') return undefined;
      const ids = [eventId, platformId ?? row.platformId ?? eventId];
      tell(await becomeVisible(deps, row, ids));
      return (await context.store.get('log', row.eventId))?.seq;
    },
    async idle() {
      while (chains.size > 0) await Promise.all(chains.values());
    },
  };
}

/** With a source that pulls: when it will be shown is not ours to wait for. */
function isForPulling({ state, dueAt }: OutboxRow): boolean {
  return state === 'queued' && dueAt === null;
}

/** Rows looked at for an earlier message that is not through yet. */
const LOOKED_BACK = 64;

async function unresolvedBefore(store: Store, row: OutboxRow): Promise<OutboxRow | undefined> {
  if (row.kind !== 'message') return undefined;
  const last = await store.scan('outbox', 'byAgentConversation', {
    eq: [row.agent, row.conversation],
    limit: LOOKED_BACK,
    descending: true,
  });
  const at = last.find(({ key }) => key === row.key)?.position ?? 0;
  return last.findLast(
    ({ position, kind, state, dueAt }) =>
      position < at &&
      kind === 'message' &&
      (state === 'sending' || state === 'unknown' || (state === 'queued' && dueAt !== null)),
  );
}

/** The earlier one goes first, however long it takes: its outcome is near, its order is not to be made up for. */
function waitFor(deps: PostDeps, row: OutboxRow, first: OutboxRow): Promise<OutboxRow> {
  const now = deps.context.clock.now();
  return update(deps, row.key, { dueAt: Math.max(now, first.dueAt ?? now) + 1 });
}

async function postRow(deps: PostDeps, row: OutboxRow): Promise<OutboxRow> {
  const surface = deps.surface(row.surface);
  if (surface === undefined) return fail(deps, row, `no surface "${row.surface}" is configured`);
  const place = await placeOf(deps.context.store, row);
  if (place === undefined) return fail(deps, row, 'the conversation is gone');
  // Left in the middle by a crash: what became of it is asked before anything is posted again.
  const crashed = row.state === 'sending' || row.state === 'unknown';
  if (crashed && !surface.capabilities.idempotentPosts) {
    const found =
      row.kind === 'message' ? await asked(deps, () => surface.find(messageOf(row, place))) : ABSENT;
    if (found.type !== 'absent') return conclude(deps, { ...row, attempt: row.attempt + 1 }, found);
  }
  await deps.stopFirst(row);
  const sending = await update(deps, row.key, { state: 'sending', attempt: row.attempt + 1 });
  if (sending.state !== 'sending') return sending; // cancelled meanwhile
  const outcome = await asked(deps, () =>
    row.kind === 'message' ? surface.post(messageOf(row, place)) : surface.react(reactionOf(row, place)),
  );
  return conclude(deps, sending, outcome);
}

/** No answer in time, or a fault of the adapter: nobody knows whether it is shown. */
function asked(deps: PostDeps, ask: () => Promise<PostOutcome>): Promise<PostOutcome> {
  const { clock, settings, log } = deps.context;
  return new Promise((resolve) => {
    const cancel = clock.after(settings.limits.postTimeoutMs, () =>
      resolve({ type: 'unknown', error: 'the platform did not answer in time' }),
    );
    const done = (outcome: PostOutcome): void => {
      cancel();
      resolve(outcome);
    };
    Promise.resolve()
      .then(ask)
      .then(done, (error: unknown) => {
        log.warn({ err: error }, 'a surface failed while posting');
        done({ type: 'unknown', error: error instanceof Error ? error.message : 'the surface failed' });
      });
  });
}

const ABSENT: PostOutcome = { type: 'absent' };

async function placeOf(store: Store, row: OutboxRow): Promise<Place | undefined> {
  const state = (await store.state(row.conversation)) as ConversationState | undefined;
  return state?.place ?? (row.body['place'] as Place | undefined);
}

async function conclude(deps: PostDeps, row: OutboxRow, outcome: PostOutcome): Promise<OutboxRow> {
  const { limits } = deps.context.settings;
  const backoff = (): number => Math.min(limits.retryCapMs, limits.retryBaseMs * 2 ** (row.attempt - 1));
  switch (outcome.type) {
    case 'visible':
      return becomeVisible(deps, row, [outcome.platformId]);
    case 'pending':
      return update(deps, row.key, { state: 'queued', dueAt: null });
    case 'refused':
      return fail(deps, row, outcome.error);
    case 'absent':
      return retry(deps, row, 'queued', 0, 'it had not arrived');
    case 'unknown': {
      // Never given up: "not delivered" may only be said by somebody who knows.
      const dueAt = deps.context.clock.now() + backoff();
      return update(deps, row.key, { state: 'unknown', attempt: row.attempt, error: outcome.error, dueAt });
    }
    case 'retry':
      return retry(deps, row, 'queued', outcome.afterMs ?? backoff(), outcome.error);
  }
}

/** The same key and body again, later; given up out loud when it has been tried often enough. */
function retry(
  deps: PostDeps,
  row: OutboxRow,
  state: OutboxState,
  waitMs: number,
  error: string,
): Promise<OutboxRow> {
  const { context } = deps;
  if (row.attempt >= context.settings.limits.sendAttempts) return fail(deps, row, error);
  return update(deps, row.key, { state, error, dueAt: context.clock.now() + waitMs });
}

async function update(deps: PostDeps, key: string, change: Partial<OutboxRow>): Promise<OutboxRow> {
  return deps.context.store.transact({
    states: [],
    rows: [['outbox', key]],
    run(view) {
      const row = view.row('outbox', key);
      if (row === undefined) throw new Error(`outbox row ${key} is gone`);
      if (ENDED.has(row.state)) return { writes: [], result: row };
      const next = { ...row, ...change };
      return { writes: [{ table: 'outbox', row: next }], result: next };
    },
  });
}

/** Row and event in one transaction: there is no moment in which the message is visible and nobody knows it. */
async function becomeVisible(deps: PostDeps, row: OutboxRow, ids: readonly string[]): Promise<OutboxRow> {
  const { context } = deps;
  const place = await placeOf(context.store, row);
  const platformId = ids.at(-1) ?? row.key;
  if (place === undefined) return update(deps, row.key, { state: 'visible', platformId, dueAt: null });
  const answered = row.inReplyTo === null ? undefined : await context.store.get('log', row.inReplyTo);
  const input = await prepare(
    deps,
    eventOf(row, place, context.clock.now(), answered?.record.event.author.id),
    row.surface,
  );
  const unit = commitUnit(context, input);
  const named = shownUnder({ ...row, platformId: null, body: {} }, ids);
  if (shownAsKeys(named).length > 0) deps.shownAs.expect(row.surface);
  const { committed, next, answer } = await context.store.transact({
    ...unit,
    states: [...unit.states, ...shownAsKeys(named)],
    rows: [...(unit.rows ?? []), ['outbox', row.key]],
    run(view) {
      const { writes, result } = unit.run(view);
      const current = view.row('outbox', row.key) ?? row;
      const shown = shownUnder(current, ids);
      const visible: OutboxRow = { ...shown, state: 'visible', dueAt: null, error: null };
      const settled = row.kind === 'message' ? settleAnswer(view, row) : undefined;
      const all: Write[] = [...writes, { table: 'outbox', row: visible }, ...shownAsWrites(named)];
      if (settled !== undefined) all.push({ table: 'delivery', row: settled });
      return { writes: all, result: { committed: result, next: visible, answer: settled } };
    },
  });
  for (const news of committed.news) context.bus.tell(news);
  if (answer !== undefined) context.bus.tell({ type: 'settled', delivery: answer });
  return next;
}

/** Settled when it was sent; only what waited for a person's word is settled now. */
function settleAnswer(view: UnitView, row: OutboxRow): DeliveryRow | undefined {
  const key = row.body['delivery'];
  const delivery = typeof key === 'string' ? view.row('delivery', key) : undefined;
  return delivery?.open === 1 ? settle(delivery, 'responded', null, view.now) : undefined;
}

/** Never delivered, for good: the agent hears of it in the same breath, because only then may it answer differently. */
async function fail(deps: PostDeps, row: OutboxRow, error: string): Promise<OutboxRow> {
  const { context } = deps;
  context.log.warn({ key: row.key, error }, 'a send failed for good');
  const event = row.inReplyTo === null ? undefined : await context.store.get('log', row.inReplyTo);
  const knocked = typeof row.body['delivery'] === 'string' ? row.body['delivery'] : undefined;
  const { failed, delivery } = await context.store.transact({
    states: [],
    rows: [['outbox', row.key], ...(knocked === undefined ? [] : [['delivery', knocked] as const])],
    run(view) {
      const current = view.row('outbox', row.key) ?? row;
      if (ENDED.has(current.state)) return { writes: [], result: { failed: current, delivery: undefined } };
      const next: OutboxRow = { ...current, state: 'failed', error, dueAt: null };
      const about = knocked === undefined ? undefined : view.row('delivery', knocked);
      const knock =
        event === undefined || row.kind !== 'message'
          ? undefined
          : undelivered(context, row, event, about, error, view.now);
      const writes: Write[] = [{ table: 'outbox', row: next }];
      if (knock !== undefined) writes.push({ table: 'delivery', row: knock });
      return { writes, result: { failed: next, delivery: knock } };
    },
  });
  if (delivery !== undefined) context.bus.tell({ type: 'deliver', delivery, event });
  return failed;
}

function undelivered(
  context: PostDeps['context'],
  row: OutboxRow,
  event: LogRow,
  about: DeliveryRow | undefined,
  error: string,
  now: number,
): DeliveryRow | undefined {
  const stance = (about?.detail['decision'] as Decision | undefined) ?? stanceOf(event, row.agent);
  if (stance === undefined) return undefined;
  const eventId = `${event.key}/undelivered-${row.eventId.slice(-24)}`;
  const decision: Decision = { ...stance, eventId, refersTo: event.key, mode: 'notify' };
  const dueAt = deadlineAt(decision, now, context.attention.limits.deadlineMs);
  return hostDelivery({ row: event, at: now, dueAt }, decision, { undelivered: true, error });
}
