// Posting: outbox rows become visible messages, at most one per key. A row is marked `sending` durably before the
// platform is called, so that a crash in between is known as `unknown` and reconciled with the surface before any
// retry. Once visible, the message is an event like any other, committed together with its row.
import type { ChatEvent, Mention } from '../protocol/chat-event.ts';
import { parseIdentity } from '../protocol/identity.ts';
import type { Signal, Visibility } from '../protocol/vocabulary.ts';
import type { Store, Write } from '../store/store.ts';
import type { OutboxRow, OutboxState } from '../store/tables.ts';
import type { OutboundMessage, OutboundReaction, PostOutcome, Surface } from '../surfaces/surface.ts';
import type { Place } from '../attention/index.ts';
import { commitUnit } from './attend-commit.ts';
import type { ConversationState } from './conversation.ts';
import { hostDelivery } from './deliveries.ts';
import { type IngestDeps, prepare } from './ingest.ts';
import { stanceOf } from './facts.ts';

export interface Poster {
  /** Posts the row with this key when its conversation's turn comes. */
  post(key: string): void;
  /** Resolves when the row has ended, or with its state after `waitMs`. */
  outcome(key: string, waitMs: number): Promise<OutboxState>;
  /** A surface's own client has shown it (pull). */
  shown(key: string, platformId: string): Promise<boolean>;
  idle(): Promise<void>;
}

export interface PostDeps extends IngestDeps {
  surface(id: string): Surface | undefined;
}

const ENDED: ReadonlySet<OutboxState> = new Set(['visible', 'failed', 'cancelled']);

export function createPoster(deps: PostDeps): Poster {
  const { context } = deps;
  /** One at a time per conversation: messages appear in the order they were sent. */
  const chains = new Map<string, Promise<void>>();
  const waiters = new Map<string, Set<(state: OutboxState) => void>>();

  const tell = (row: OutboxRow): void => {
    if (!ENDED.has(row.state) && !isForPulling(row)) return;
    for (const resolve of waiters.get(row.key) ?? []) resolve(row.state);
    waiters.delete(row.key);
  };
  const run = async (key: string): Promise<void> => {
    const row = await context.store.get('outbox', key);
    if (row === undefined || ENDED.has(row.state) || row.state === 'awaiting_approval') return;
    if (row.dueAt !== null && row.dueAt > context.clock.now()) return; // the sweep comes back to it
    const after = await postRow(deps, row);
    tell(after);
    if (!ENDED.has(after.state)) context.bus.tell({ type: 'due' });
  };
  const chain = (conversation: string, key: string): void => {
    const before = chains.get(conversation) ?? Promise.resolve();
    const next = before
      .then(() => run(key))
      .catch((error: unknown) => context.log.error({ err: error, key }, 'posting failed; it is tried again'))
      .finally(() => {
        if (chains.get(conversation) === next) chains.delete(conversation);
      });
    chains.set(conversation, next);
  };

  return {
    post(key) {
      void context.store
        .get('outbox', key)
        .then((row) => row && chain(row.conversation, key))
        .catch((error: unknown) => context.log.error({ err: error, key }, 'the outbox could not be read'));
    },
    async outcome(key, waitMs) {
      const row = await context.store.get('outbox', key);
      if (row === undefined || ENDED.has(row.state)) return row?.state ?? 'failed';
      if (isForPulling(row)) return row.state;
      return new Promise((resolve) => {
        const waiting = waiters.get(key) ?? new Set();
        waiters.set(key, waiting);
        const cancel = context.clock.after(waitMs, () => {
          waiting.delete(done);
          resolve('queued');
        });
        const done = (state: OutboxState): void => {
          cancel();
          resolve(state);
        };
        waiting.add(done);
      });
    },
    async shown(key, platformId) {
      const row = await context.store.get('outbox', key);
      if (row === undefined) return false;
      if (!ENDED.has(row.state)) tell(await becomeVisible(deps, row, platformId));
      return true;
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

async function postRow(deps: PostDeps, row: OutboxRow): Promise<OutboxRow> {
  const surface = deps.surface(row.surface);
  if (surface === undefined) {
    return update(deps, row.key, {
      state: 'failed',
      error: `no surface "${row.surface}" is configured`,
      dueAt: null,
    });
  }
  const place = await placeOf(deps.context.store, row);
  if (place === undefined)
    return update(deps, row.key, { state: 'failed', error: 'the conversation is gone', dueAt: null });
  // Left in the middle by a crash: what became of it is asked before anything is posted again.
  const crashed = row.state === 'sending' || row.state === 'unknown';
  if (crashed && !surface.capabilities.idempotentPosts) {
    const found = row.kind === 'message' ? await surface.find(messageOf(row, place)) : ABSENT;
    if (found.type !== 'absent') return conclude(deps, row, found);
  }
  const sending = await update(deps, row.key, { state: 'sending', attempt: row.attempt + 1 });
  if (sending.state !== 'sending') return sending; // cancelled meanwhile
  const outcome =
    row.kind === 'message'
      ? await surface.post(messageOf(row, place))
      : await surface.react(reactionOf(row, place));
  return conclude(deps, sending, outcome);
}

const ABSENT: PostOutcome = { type: 'absent' };

async function placeOf(store: Store, row: OutboxRow): Promise<Place | undefined> {
  const state = (await store.state(row.conversation)) as ConversationState | undefined;
  return state?.place ?? (row.body['place'] as Place | undefined);
}

async function conclude(deps: PostDeps, row: OutboxRow, outcome: PostOutcome): Promise<OutboxRow> {
  const { limits } = deps.context.settings;
  switch (outcome.type) {
    case 'visible':
      return becomeVisible(deps, row, outcome.platformId);
    case 'pending':
      return update(deps, row.key, { state: 'queued', dueAt: null });
    case 'refused':
      return fail(deps, row, outcome.error);
    case 'absent':
      return retry(deps, row, 'queued', 0, 'it had not arrived');
    case 'unknown':
      return retry(deps, row, 'unknown', limits.retryBaseMs, outcome.error);
    case 'retry': {
      const wait = outcome.afterMs ?? Math.min(limits.retryCapMs, limits.retryBaseMs * 2 ** row.attempt);
      return retry(deps, row, 'queued', wait, outcome.error);
    }
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
async function becomeVisible(deps: PostDeps, row: OutboxRow, platformId: string): Promise<OutboxRow> {
  const { context } = deps;
  const place = await placeOf(context.store, row);
  if (place === undefined) return update(deps, row.key, { state: 'visible', platformId, dueAt: null });
  const answered = row.inReplyTo === null ? undefined : await context.store.get('log', row.inReplyTo);
  const input = await prepare(
    deps,
    eventOf(row, place, context.clock.now(), answered?.record.event.author.id),
    row.surface,
  );
  const unit = commitUnit(context, input);
  const { committed, next } = await context.store.transact({
    ...unit,
    rows: [...(unit.rows ?? []), ['outbox', row.key]],
    run(view) {
      const { writes, result } = unit.run(view);
      const current = view.row('outbox', row.key) ?? row;
      const visible: OutboxRow = { ...current, state: 'visible', platformId, dueAt: null, error: null };
      const all: Write[] = [...writes, { table: 'outbox', row: visible }];
      return { writes: all, result: { committed: result, next: visible } };
    },
  });
  for (const news of committed.news) context.bus.tell(news);
  return next;
}

/** Never delivered, for good: the agent hears of it, because only then may it answer differently. */
async function fail(deps: PostDeps, row: OutboxRow, error: string): Promise<OutboxRow> {
  const { context } = deps;
  const failed = await update(deps, row.key, { state: 'failed', error, dueAt: null });
  context.log.warn({ key: row.key, error }, 'a send failed for good');
  if (row.inReplyTo === null || row.kind !== 'message') return failed;
  const event = await context.store.get('log', row.inReplyTo);
  const stance = event === undefined ? undefined : stanceOf(event, row.agent);
  if (event === undefined || stance === undefined) return failed;
  const eventId = `${row.inReplyTo}/undelivered-${row.eventId}`.slice(0, 256);
  const decision = { ...stance, eventId, refersTo: row.inReplyTo, mode: 'notify' as const };
  const delivery = hostDelivery({ row: event, at: context.clock.now(), deadlineMs: null }, decision, {
    undelivered: true,
    error,
  });
  await context.store.transact({
    states: [],
    run: () => ({ writes: [{ table: 'delivery', row: delivery }], result: undefined }),
  });
  context.bus.tell({ type: 'deliver', delivery, event });
  return failed;
}

function surfacePlace({ workspaceId, conversation }: Place): OutboundMessage['place'] {
  const { id, parentId } = conversation;
  return { workspaceId, conversationId: id, ...(parentId === undefined ? {} : { parentId }) };
}

function messageOf(row: OutboxRow, place: Place): OutboundMessage {
  const {
    text,
    visibility,
    mentions = [],
  } = row.body as { text: string; visibility: Visibility; mentions?: string[] };
  return {
    idempotencyKey: row.key,
    eventId: row.eventId,
    agent: row.agent,
    place: surfacePlace(place),
    text,
    visibility,
    mentions,
    ...(row.inReplyTo === null ? {} : { replyTo: row.inReplyTo }),
  };
}

function reactionOf(row: OutboxRow, place: Place): OutboundReaction {
  const { targetEventId, signal, glyph, remove } = row.body as {
    targetEventId: string;
    signal: Signal;
    glyph: string;
    remove?: boolean;
  };
  const reaction = {
    idempotencyKey: row.key,
    agent: row.agent,
    place: surfacePlace(place),
    targetEventId,
    signal,
    glyph,
  };
  return remove === true ? { ...reaction, remove } : reaction;
}

/** The event a visible send is for everybody else. */
function eventOf(row: OutboxRow, place: Place, now: number, answeredAuthor: string | undefined): ChatEvent {
  const base = {
    eventId: row.eventId,
    at: now,
    platform: place.platform,
    workspaceId: place.workspaceId,
    conversation: place.conversation,
    author: { id: row.agent, kind: 'agent' as const, displayName: row.agent },
  };
  if (row.kind === 'reaction') {
    const { targetEventId, signal, recipient, remove } = row.body as {
      targetEventId: string;
      signal: Signal;
      recipient?: string;
      remove?: boolean;
    };
    return {
      ...base,
      type: 'reaction',
      targetEventId,
      signal,
      ...(recipient && { recipient }),
      ...(remove && { removed: true }),
    };
  }
  return { ...base, type: 'message', ...said(row, answeredAuthor) };
}

function said(row: OutboxRow, answeredAuthor: string | undefined) {
  const body = row.body as {
    text: string;
    visibility: Visibility;
    directedness?: 'to_me' | 'to_my_role' | 'to_other' | 'ambient';
    recipient?: string;
    mentions?: string[];
    obligation?: {
      blocks: 'halted' | 'degraded' | 'none';
      defaultAction: string;
      dischargeDelegate?: string;
    };
  };
  const mentions = (body.mentions ?? []).flatMap(mentionOf);
  return {
    text: body.text,
    visibility: body.visibility,
    ...(mentions.length > 0 && { mentions }),
    ...(row.inReplyTo !== null && { inReplyTo: row.inReplyTo }),
    ...(row.inReplyTo !== null &&
      answeredAuthor !== undefined && { replyTo: { eventId: row.inReplyTo, authorId: answeredAuthor } }),
    ...(body.recipient !== undefined && { recipients: [body.recipient] }),
    ...(body.obligation !== undefined && { obligation: body.obligation }),
    target: {
      ...(body.directedness !== undefined && { directedness: body.directedness }),
      ...(body.recipient !== undefined && { recipient: body.recipient }),
    },
  };
}

function mentionOf(identity: string): Mention[] {
  const parsed = parseIdentity(identity);
  if (parsed === undefined) return [];
  const { kind, id } = parsed;
  return kind === 'agent' || kind === 'human' || kind === 'role' ? [{ kind, id }] : [];
}
