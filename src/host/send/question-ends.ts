// How a question with buttons ends. Whoever decides, in chat, in the inbox or by letting the time pass, the buttons go and
// the question says who decided what. It is shown after the commit and tried again for a while. That it is shown is kept, so
// what a crash leaves behind is shown after the next start, or when somebody presses a button that should be gone.
import type { Cancel } from '../../runtime/clock.ts';
import type { OutboxRow } from '../../store/tables.ts';
import type { PostOutcome, Surface } from '../../surfaces/surface.ts';
import { approvedSend, inboxKeys, isEndShown, noteEndShown, sendOfApproval } from '../inbox/inbox-row.ts';
import { placeOfSend } from '../ingest/own-posts.ts';
import { agentsShown } from '../kernel/accounts.ts';
import { noChange } from '../kernel/change.ts';
import type { HostContext, StoreReader } from '../kernel/context.ts';
import { surfaceLease } from '../kernel/leases.ts';
import { messageOf, namedOnPlatform } from '../outbox/on-platform.ts';
import { messageBodyOf } from '../outbox/outbox-row.ts';
import { isEverywhere } from '../surfaces/start-surfaces.ts';
import { APPROVAL_CHOICES } from './approval.ts';
import { outcomeWords } from './outcome-words.ts';

export interface QuestionEnds {
  /** Shows what an earlier run of the host did not. */
  start(): Promise<void>;
  /** Shows how the question about the send with this key has ended, if it has. */
  show(approval: string): void;
  /** Shows what other hosts have left: this one posts there now. */
  catchUp(): void;
  /** An item of the inbox was filed or closed. */
  inboxChanged(key: string): void;
  /** Waits for what is under way, and tries nothing again. */
  stop(): Promise<void>;
}

export interface QuestionEndDeps {
  context: HostContext;
  surface: (id: string) => Surface | undefined;
}

const LIMITS = {
  tries: 6,
  firstWaitMs: 2_000,
  /** How many of an agent's newest sends in a conversation are searched for the question. */
  lookedBack: 64,
  /** Of the approvals that have ended, how many are looked at after a start, and how old they may be. */
  caughtUp: 200,
  caughtUpMs: 24 * 3_600_000,
} as const;

export function createQuestionEnds(deps: QuestionEndDeps): QuestionEnds {
  const { clock, log } = deps.context;
  /** By approval, one after the other: whoever comes second sees that it is shown. */
  const running = new Map<string, Promise<void>>();
  const waiting = new Set<Cancel>();
  let isOver = false;
  const attempt = async (approval: string, number: number): Promise<void> => {
    const outcome = await showEnd(deps, approval).catch((error: unknown) => {
      log.warn({ err: error, approval }, 'a question could not be shown as decided');
      return undefined;
    });
    const waitMs = outcome === undefined ? undefined : waitAfter(outcome, number);
    if (waitMs === undefined || number >= LIMITS.tries || isOver) return;
    const cancel = clock.after(waitMs, () => {
      waiting.delete(cancel);
      begin(approval, number + 1);
    });
    waiting.add(cancel);
  };
  const begin = (approval: string, number = 1): void => {
    if (isOver) return;
    const before = running.get(approval) ?? Promise.resolve();
    const one = before
      .then(() => attempt(approval, number))
      .finally(() => {
        if (running.get(approval) === one) running.delete(approval);
      });
    running.set(approval, one);
  };
  return {
    async start() {
      for (const approval of await unshown(deps.context)) begin(approval);
    },
    show: (approval) => begin(approval),
    catchUp() {
      unshown(deps.context).then(
        (all) => all.forEach((one) => begin(one)),
        (error: unknown) => log.warn({ err: error }, 'what is decided, and not shown so, could not be read'),
      );
    },
    inboxChanged(key) {
      const approval = sendOfApproval(key);
      if (approval !== undefined) begin(approval);
    },
    async stop() {
      isOver = true;
      for (const cancel of waiting) cancel();
      waiting.clear();
      await Promise.all(running.values());
    },
  };
}

/** Approvals that have ended lately, and whose end may not be shown yet. */
async function unshown({ store, clock }: HostContext): Promise<string[]> {
  const rows = await store.scan('inbox', 'byOpen', { eq: [0], limit: LIMITS.caughtUp, descending: true });
  const since = clock.now() - LIMITS.caughtUpMs;
  return rows.flatMap((row) => {
    const isLate = (row.closedAt ?? 0) >= since && !isEndShown(row);
    return isLate ? (approvedSend(row) ?? []) : [];
  });
}

/** Undefined: it is shown, or never will be. */
function waitAfter(outcome: PostOutcome, number: number): number | undefined {
  const backoff = LIMITS.firstWaitMs * 2 ** (number - 1);
  switch (outcome.type) {
    case 'retry':
      return outcome.afterMs ?? backoff;
    case 'unknown':
      return backoff;
    case 'refused':
      return outcome.scope === 'account' ? backoff : undefined;
    case 'visible':
    case 'pending':
    case 'absent':
    case 'unknowable':
      return undefined;
  }
}

async function showEnd(
  { context, surface: surfaceWith }: QuestionEndDeps,
  approval: string,
): Promise<PostOutcome | undefined> {
  const { store } = context;
  const send = await store.get('outbox', approval);
  const item = await store.get('inbox', inboxKeys.approval(approval));
  if (send === undefined || item === undefined || item.open === 1 || isEndShown(item)) return undefined;
  const question = await questionAbout(store, send);
  const surface = question === undefined ? undefined : surfaceWith(question.surface);
  if (question?.state !== 'visible' || question.platformId === null || surface?.decided === undefined)
    return undefined;
  if (!isEverywhere(surface) && !store.nodes.holds(surfaceLease(surface.id))) {
    store.nodes.hint({ decided: approval });
    return undefined;
  }
  const place = await placeOfSend(store, question);
  if (place === undefined) return undefined;
  const named = await namedOnPlatform(store, question);
  const outcome = await surface.decided({
    ...messageOf(question, place, named, agentsShown(context, place)),
    choices: APPROVAL_CHOICES,
    platformId: question.platformId,
    outcome: outcomeWords(item, send),
  });
  if (outcome.type === 'visible') await noteShown(context, item.key);
  return outcome;
}

function noteShown({ apply }: HostContext, item: string): Promise<void> {
  return apply({
    states: [],
    rows: [['inbox', item]],
    run: (view) => ({ ...(noteEndShown(view.row('inbox', item)) ?? noChange()), result: undefined }),
  });
}

/** It stands where the answer will, or where it was asked. */
export async function questionAbout(store: StoreReader, send: OutboxRow): Promise<OutboxRow | undefined> {
  const asked = send.inReplyTo === null ? undefined : await store.get('log', send.inReplyTo);
  for (const conversation of new Set([send.conversation, asked?.conversation ?? send.conversation])) {
    const rows = await store.scan('outbox', 'byAgentConversation', {
      eq: [send.agent, conversation],
      limit: LIMITS.lookedBack,
      descending: true,
    });
    const found = rows.find((row) => row.kind === 'message' && messageBodyOf(row).approval === send.key);
    if (found !== undefined) return found;
  }
  return undefined;
}
