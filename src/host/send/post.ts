// Posting: each outbox row becomes at most one visible message, or one for each part of a long text. A row is durably `sending` before the platform is
// called. If the host crashes in between, it asks the platform before it posts again. Once visible, the message is an
// event like any other (ingest/own-posts.ts).
import type { Place } from '../../attention/index.ts';
import { printableLine } from '../../protocol/identity.ts';
import type { OutboxRow } from '../../store/tables.ts';
import type { OutboundMessage, PostOutcome, Surface } from '../../surfaces/surface.ts';
import { type VisibleDeps, placeOfSend, showPart } from '../ingest/own-posts.ts';
import { fileLostSend } from '../inbox/inbox-row.ts';
import { addChange, noChange } from '../kernel/change.ts';
import { agentsShown } from '../kernel/accounts.ts';
import { agentStateKey } from '../kernel/conversation.ts';
import { messageOf, type NamedOnPlatform, namedOnPlatform, reactionOf } from '../outbox/on-platform.ts';
import {
  answeredDelivery,
  currentSend,
  filesOf,
  isAcknowledgement,
  isAmendment,
  isEnded,
  messageBodyOf,
  moveOutbox,
  putSend,
  stopReason,
  textWithFiles,
} from '../outbox/outbox-row.ts';
import { inParts, isInParts, nextPart, partWords, sendWithKey, tooLong } from '../outbox/parts.ts';
import type { PostsUnderWay } from '../outbox/posts-under-way.ts';
import { APPROVAL_CHOICES, lapseApproval } from './approval.ts';
import { postAmendment } from './post-amendment.ts';
import { unresolvedBefore } from './post-order.ts';
import { withNotes } from './send-notes.ts';
import { heldByFellow } from './shared-reaction.ts';
import { takeBack } from './take-back.ts';

export interface Poster {
  /** Posts the row with this key when its conversation's turn comes. */
  post(key: string): void;
  /** A source that pulls has shown it. False when there is no such row. */
  shown(key: string, platformId: string): Promise<boolean>;
  /** A source that pulls cannot show it, for good. False when there is no such row. */
  refused(key: string, error: string): Promise<boolean>;
  idle(): Promise<void>;
}

export interface PostDeps extends VisibleDeps {
  posts: PostsUnderWay;
  surface(id: string): Surface | undefined;
  /** Carries out a stop or leave. Called before its acknowledgement is posted; calling it twice does no harm. */
  stop(row: OutboxRow, reason: 'stop' | 'left'): Promise<void>;
}

export function createPoster(deps: PostDeps): Poster {
  const { context, posts } = deps;
  const { store, bus, log, clock, settings } = context;
  /** The running posts. A conversation posts one row at a time, so that messages appear in order. */
  const chains = new Map<string, Promise<void>>();
  /** Sends that are about to join a chain. */
  const beginning = new Set<Promise<void>>();
  /** Conversations in which a message waits for an earlier one. */
  const behind = new Set<string>();

  const postNow = async (key: string): Promise<void> => {
    const row = await store.get('outbox', key);
    if (row === undefined || isEnded(row)) return;
    if (row.dueAt !== null && row.dueAt > clock.now()) return; // the sweep comes back to it
    if (row.state === 'awaiting_approval')
      return row.dueAt === null ? undefined : await lapseApproval(deps, row);
    const first = await unresolvedBefore(store, row);
    const after = first === undefined ? await postRow(deps, row) : await waitBehind(deps, row, first);
    if (first !== undefined) behind.add(row.conversation);
    if (!isEnded(after) || behind.delete(row.conversation)) bus.publish({ type: 'due' });
  };
  const chain = (conversation: string, key: string): void => {
    const before = chains.get(conversation) ?? Promise.resolve();
    const next = before
      .then(() => postNow(key))
      .catch((error: unknown) => {
        log.error({ err: error, key }, 'posting failed; it is tried again');
        clock.after(settings.limits.retryBaseMs, () => bus.publish({ type: 'due' }));
      })
      .finally(() => {
        posts.end(key);
        if (chains.get(conversation) === next) chains.delete(conversation);
      });
    chains.set(conversation, next);
  };
  const begin = async (key: string): Promise<void> => {
    const row = await store.get('outbox', key);
    if (row === undefined) return posts.end(key);
    // A stop does not wait for earlier posts of the conversation, because a platform that hangs must not delay it.
    const reason = isEnded(row) ? undefined : stopReason(row);
    if (reason !== undefined) await deps.stop(row, reason);
    chain(row.conversation, key);
  };

  return {
    post(key) {
      if (!posts.begin(key)) return;
      const begun = begin(key)
        .catch((error: unknown) => {
          posts.end(key);
          log.error({ err: error, key }, 'a send could not be begun; it is tried again');
          clock.after(settings.limits.retryBaseMs, () => bus.publish({ type: 'due' }));
        })
        .finally(() => beginning.delete(begun));
      beginning.add(begun);
    },
    async shown(key, platformId) {
      const sent = await sendWithKey(store, key);
      if (sent !== undefined && !isEnded(sent.row)) await showPart(deps, sent.row, sent.number, [platformId]);
      return sent !== undefined;
    },
    async refused(key, error) {
      const sent = await sendWithKey(store, key);
      if (sent !== undefined && !isEnded(sent.row))
        await fail(deps, sent.row, partWords(sent.row) + printableLine(error, ERROR_CHARS));
      return sent !== undefined;
    },
    async idle() {
      while (chains.size + beginning.size > 0) await Promise.all([...chains.values(), ...beginning]);
    },
  };
}

/** How much of a source's reason is kept. */
const ERROR_CHARS = 500;

/** Waits until the earlier message is through, because a wrong order cannot be repaired. */
function waitBehind(deps: PostDeps, row: OutboxRow, first: OutboxRow): Promise<OutboxRow> {
  const now = deps.context.clock.now();
  return update(deps, row, row.state, { dueAt: Math.max(now, first.dueAt ?? now) + 1 });
}

async function postRow(deps: PostDeps, row: OutboxRow): Promise<OutboxRow> {
  const surface = deps.surface(row.surface);
  if (surface === undefined) return fail(deps, row, `no surface "${row.surface}" is configured`);
  const place = await placeOfSend(deps.context.store, row);
  if (place === undefined) return fail(deps, row, 'the conversation is gone');
  const cut = inParts(row, surface.capabilities);
  const problem = cut === row ? undefined : unshowable(cut, surface);
  if (problem !== undefined) return fail(deps, row, problem);
  const named = await namedOnPlatform(deps.context.store, row);
  // After a crash nobody knows whether it was posted, so the platform is asked first.
  const crashed = row.state === 'sending' || row.state === 'unknown';
  if (crashed && !takesAgain(deps, surface, row)) {
    const found = await look(deps, surface, outbound(deps, cut, place, named));
    const asked = { ...cut, attempt: row.attempt + 1 };
    if (found.type !== 'absent')
      return postRest(deps, surface, place, named, await conclude(deps, asked, found));
  }
  const isCutNow = cut !== row;
  const sending = await update(deps, row, 'sending', {
    attempt: row.attempt + 1,
    ...(isCutNow && { body: cut.body }),
  });
  if (sending.state !== 'sending') return sending; // cancelled meanwhile
  const outcome = await ask(deps, () => {
    if (isAmendment(row)) return postAmendment(deps.context, surface, sending, place);
    return row.kind === 'message'
      ? say(surface, sending, outbound(deps, sending, place, named))
      : setReaction(deps, surface, row, place, named);
  });
  return postRest(deps, surface, place, named, await conclude(deps, sending, outcome));
}

/** Where agents share an account, the reaction of one of them is there for all. */
async function setReaction(
  { context }: PostDeps,
  surface: Surface,
  row: OutboxRow,
  place: Place,
  named: NamedOnPlatform,
): Promise<PostOutcome> {
  const held = await heldByFellow(context, row, place);
  if (held !== undefined) return { type: 'visible', platformId: held.platformId ?? row.eventId };
  return surface.react(reactionOf(row, place, named));
}

/** Posts the parts that follow one that is visible, until all are, or one is not. */
async function postRest(
  deps: PostDeps,
  surface: Surface,
  place: Place,
  named: NamedOnPlatform,
  begun: OutboxRow,
): Promise<OutboxRow> {
  let row = begun;
  // Which parts are visible is durable, and so is that the next one is being posted.
  while (row.state === 'sending') {
    const next = row;
    const outcome = await ask(deps, () => surface.post(outbound(deps, next, place, named)));
    row = await conclude(deps, next, outcome);
  }
  return row;
}

/** What is posted next. One with files has the surface's notes about them. */
function outbound(
  { context }: PostDeps,
  row: OutboxRow,
  place: Place,
  named: NamedOnPlatform,
): OutboundMessage {
  const message = messageOf(row, place, named, agentsShown(context, place));
  return filesOf(row).length === 0 ? message : withNotes(context, row, message);
}

/** What waits for a person's agreement is a question with buttons, where the surface has them. */
function say(surface: Surface, row: OutboxRow, message: OutboundMessage): Promise<PostOutcome> {
  const asks = surface.capabilities.does.questions && messageBodyOf(row).approval !== undefined;
  return asks && surface.ask !== undefined
    ? surface.ask({ ...message, choices: APPROVAL_CHOICES })
    : surface.post(message);
}

/** Why the surface cannot show a text that has just been cut. */
function unshowable(row: OutboxRow, { capabilities }: Surface): string | undefined {
  return tooLong(messageBodyOf(row).text, capabilities)?.message;
}

/** Whether the same post again shows nothing twice: only a message may, once the platform has forgotten its key. */
function takesAgain({ context }: PostDeps, { capabilities }: Surface, row: OutboxRow): boolean {
  return row.kind !== 'message' || context.clock.now() - row.createdAt < capabilities.idempotentForMs;
}

function look(deps: PostDeps, surface: Surface, message: OutboundMessage): Promise<PostOutcome> {
  if (!surface.capabilities.findable) return Promise.resolve({ type: 'unknowable', error: LOST });
  return ask(deps, () => surface.find(message));
}

const LOST = 'the answer was lost, and the platform cannot say whether it was shown';

/** Never rejects. Without an answer in time, or after a fault of the adapter, the outcome is `unknown`. */
function ask(deps: PostDeps, call: () => Promise<PostOutcome>): Promise<PostOutcome> {
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
      .then(call)
      .then(done, (error: unknown) => {
        log.warn({ err: error }, 'a surface failed while posting');
        done({ type: 'unknown', error: error instanceof Error ? error.message : 'the surface failed' });
      });
  });
}

async function conclude(deps: PostDeps, row: OutboxRow, outcome: PostOutcome): Promise<OutboxRow> {
  const { clock, settings, store } = deps.context;
  // The platform may have handed the part back meanwhile. That says more than a lost answer.
  const current = isInParts(row) ? await store.get('outbox', row.key) : undefined;
  if (current !== undefined && nextPart(current).number !== nextPart(row).number) return current;
  const { limits } = settings;
  const backoff = (): number => Math.min(limits.retryCapMs, limits.retryBaseMs * 2 ** (row.attempt - 1));
  switch (outcome.type) {
    case 'visible':
      return showPart(deps, row, nextPart(row).number, [outcome.platformId]);
    case 'pending':
      return update(deps, row, 'queued', { dueAt: null });
    case 'refused':
      // A dead login says nothing about the message. It is kept until the login works again.
      return outcome.scope === 'account'
        ? update(deps, row, 'queued', { error: outcome.error, dueAt: clock.now() + ACCOUNT_RETRY_MS })
        : fail(deps, row, partWords(row) + outcome.error);
    case 'unknowable':
      return lose(deps, row, partWords(row) + outcome.error);
    case 'absent':
      return retry(deps, row, 0, 'it had not arrived');
    case 'unknown': {
      // Tried again without end: the agent may only be told "not delivered" when that is certain.
      const dueAt = clock.now() + backoff();
      return update(deps, row, 'unknown', { attempt: row.attempt, error: outcome.error, dueAt });
    }
    case 'retry':
      return retry(deps, row, outcome.afterMs ?? backoff(), outcome.error);
  }
}

/** How long a message waits for a login that does not work. */
const ACCOUNT_RETRY_MS = 30_000;

/** Posts the same row again later. After the last attempt it has failed. */
function retry(deps: PostDeps, row: OutboxRow, waitMs: number, error: string): Promise<OutboxRow> {
  const { context } = deps;
  if (row.attempt >= context.settings.limits.sendAttempts) return fail(deps, row, partWords(row) + error);
  return update(deps, row, 'queued', { error, dueAt: context.clock.now() + waitMs });
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

/** It failed for good, and counts for nothing any more. If it was an answer, the agent may answer in another way. */
async function fail(deps: PostDeps, row: OutboxRow, error: string): Promise<OutboxRow> {
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
