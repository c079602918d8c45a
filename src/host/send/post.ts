// Posting: each outbox row becomes at most one visible message, or one for each part of a long text. A row is durably `sending` before the platform is
// called. If the host crashes in between, it asks the platform before it posts again. Once visible, the message is an
// event like any other (ingest/own-posts.ts).
import type { Place } from '../../attention/index.ts';
import { printableLine } from '../../protocol/identity.ts';
import type { OutboxRow } from '../../store/tables.ts';
import type { OutboundMessage, PostOutcome, Surface } from '../../surfaces/surface.ts';
import { type VisibleDeps, placeOfSend, showPart, showSend } from '../ingest/own-posts.ts';
import { agentsShown } from '../kernel/accounts.ts';
import { surfaceLease } from '../kernel/leases.ts';
import { messageOf, type NamedOnPlatform, namedOnPlatform, reactionOf } from '../outbox/on-platform.ts';
import { filesOf, isAmendment, isEnded, messageBodyOf, stopReason } from '../outbox/outbox-row.ts';
import { inParts, isInParts, isWhole, partIds, partWords, sendWithKey, tooLong } from '../outbox/parts.ts';
import type { PostsUnderWay } from '../outbox/posts-under-way.ts';
import { APPROVAL_CHOICES, lapseApproval } from './approval.ts';
import { postAmendment } from './post-amendment.ts';
import { createPostLines } from './post-lines.ts';
import { unresolvedBefore } from './post-order.ts';
import { clearDue, conclude, fail, updateAsRead } from './post-outcome.ts';
import { withNotes } from './send-notes.ts';
import { heldByFellow } from './shared-reaction.ts';

export interface Poster {
  /** Posts the row with this key when its conversation's turn comes. */
  post(key: string): void;
  /** Whether it is for this node to post, and no other node may be posting it still. */
  mayPost(row: OutboxRow): boolean;
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
  const { store, bus, log, clock } = context;
  /** The running posts. A conversation posts one row at a time, so that messages appear in order. */
  const chains = new Map<string, Promise<void>>();
  /** Sends that are about to join a chain. */
  const beginning = new Set<Promise<void>>();
  /** Rows whose turn has come before the time at which the sweep looks at them. */
  const released = new Set<string>();

  const postNow = async (key: string, isReleased: boolean): Promise<void> => {
    const row = await store.get('outbox', key);
    // What waits to be pulled, or was moved since somebody looked, has no due time that has come.
    if (row === undefined || row.dueAt === null || (row.dueAt > clock.now() && !isReleased)) return;
    if (!mayPost(deps, row)) return;
    if (isEnded(row)) return clearDue(deps, row);
    if (row.state === 'awaiting_approval') return isReleased ? undefined : await lapseApproval(deps, row);
    const first = await unresolvedBefore(store, row);
    const after = first === undefined ? await postRow(deps, row) : await waitBehind(deps, row, first);
    if (after.dueAt !== null && !isEnded(after)) bus.publish({ type: 'due', at: after.dueAt });
    if (first === undefined) return;
    lines.wait(row);
    // The earlier one may have come through before that was noted.
    if ((await unresolvedBefore(store, row)) === undefined) released.add(key);
  };
  const chain = (conversation: string, key: string): void => {
    const before = chains.get(conversation) ?? Promise.resolve();
    let isReleased = false;
    const next = before
      .then(() => {
        isReleased = released.delete(key);
        return postNow(key, isReleased);
      })
      .catch((error: unknown) => {
        log.error({ err: error, key }, 'posting failed; it is tried again');
        // One whose turn had come before its time is not due: nobody else would look at it for an hour.
        const again = isReleased ? () => release(key) : () => bus.publish({ type: 'due' });
        clock.after(context.settings.limits.retryBaseMs, again);
      })
      .finally(() => {
        posts.end(key);
        if (chains.get(conversation) === next) chains.delete(conversation);
        if (released.has(key)) post(key);
      });
    chains.set(conversation, next);
  };
  const begin = async (key: string): Promise<void> => {
    const row = await store.get('outbox', key);
    if (row === undefined) return posts.end(key);
    if (!store.nodes.holds(surfaceLease(row.surface))) {
      posts.end(key);
      return store.nodes.hint({ surface: row.surface });
    }
    // A stop does not wait for earlier posts of the conversation, because a platform that hangs must not delay it.
    const reason = isEnded(row) ? undefined : stopReason(row);
    if (reason !== undefined) await deps.stop(row, reason);
    chain(row.conversation, key);
  };

  const post = (key: string): void => {
    if (!posts.begin(key)) return;
    const begun = begin(key)
      .catch((error: unknown) => {
        posts.end(key);
        log.error({ err: error, key }, 'a send could not be begun; it is tried again');
        clock.after(context.settings.limits.retryBaseMs, () => bus.publish({ type: 'due' }));
      })
      .finally(() => beginning.delete(begun));
    beginning.add(begun);
  };
  const release = (key: string): void => {
    released.add(key);
    post(key);
  };
  const lines = createPostLines({ context, release });

  return {
    post,
    mayPost: (row) => mayPost(deps, row),
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

/** The sweep looks at a row that waits behind another only in case that it was forgotten. */
const BEHIND_MS = 3_600_000;

/**
 * Waits until the earlier message is through, because a wrong order cannot be repaired. One that was tried before comes
 * back soon after the earlier one: nobody releases it.
 */
function waitBehind(deps: PostDeps, row: OutboxRow, first: OutboxRow): Promise<OutboxRow> {
  const { clock, settings } = deps.context;
  const now = clock.now();
  const soon = Math.max(now, first.dueAt ?? now) + settings.limits.retryBaseMs;
  return updateAsRead(deps, row, row.state, () => ({ dueAt: row.attempt === 0 ? now + BEHIND_MS : soon }));
}

/**
 * After a node has died or was stopped, its last post may still be on its way for as long as a post may take. Only then the
 * platform can say whether it was shown.
 */
function mayPost(deps: PostDeps, row: OutboxRow): boolean {
  const { store, clock, settings } = deps.context;
  if (!store.nodes.holds(surfaceLease(row.surface))) return false;
  if (row.state !== 'sending' || store.nodes.id === undefined) return true;
  const surface = deps.surface(row.surface);
  // One that is pulled from shows nothing before it is asked.
  if (surface === undefined || surface.capabilities.pulled === true || takesAgain(deps, surface, row))
    return true;
  return clock.now() >= (row.dueAt ?? 0) + settings.limits.postTimeoutMs;
}

async function postRow(deps: PostDeps, row: OutboxRow): Promise<OutboxRow> {
  const surface = deps.surface(row.surface);
  if (surface === undefined) return fail(deps, row, `no surface "${row.surface}" is configured`);
  // People see all parts, and only the store could not take that the send is visible.
  if (isInParts(row) && isWhole(row)) return showSend(deps, row, partIds(row));
  const place = await placeOfSend(deps.context.store, row);
  if (place === undefined) return fail(deps, row, 'the conversation is gone');
  const cut = inParts(row, surface.capabilities);
  const problem = cut === row ? undefined : unshowable(cut, surface);
  if (problem !== undefined) return fail(deps, row, problem);
  const named = await namedOnPlatform(deps.context.store, row);
  // After a crash nobody knows whether it was posted, so the platform is asked first.
  const crashed = row.state === 'sending' || row.state === 'unknown';
  const isAgain = crashed && takesAgain(deps, surface, row);
  if (crashed && !isAgain) {
    const found = await look(deps, surface, outbound(deps, cut, place, named));
    const asked = { ...cut, attempt: row.attempt + 1 };
    if (found.type !== 'absent')
      return postRest(deps, surface, place, named, await conclude(deps, asked, found));
  }
  const isCutNow = cut !== row;
  const attempt = row.attempt + 1;
  const sending = await updateAsRead(deps, row, 'sending', (now) => ({
    attempt,
    dueAt: now,
    ...(isCutNow && { body: cut.body }),
  }));
  if (sending.state !== 'sending' || sending.attempt !== attempt) return sending; // cancelled or moved meanwhile
  // The next holder asks what became of it.
  if (!deps.context.store.nodes.holds(surfaceLease(row.surface))) return sending;
  const outcome = await ask(deps, () => {
    if (isAmendment(row)) return postAmendment(deps.context, surface, sending, place);
    return row.kind === 'message'
      ? say(surface, sending, outbound(deps, sending, place, named))
      : setReaction(deps, surface, row, place, named);
  });
  return postRest(deps, surface, place, named, await conclude(deps, sending, outcome, isAgain));
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
