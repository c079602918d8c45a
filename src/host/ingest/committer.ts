// The committer: the only way for an event to get into the log. It prepares the event (agent ids, secrets, pairing
// codes, what an edit amends), folds and stores it as one unit, and publishes the news after the sync. Sources reach
// it through ingest.ts; the host's own records (acts of agents, turns, ticks, visible sends) reach it directly.
import type { OpinionQuota } from '../opinion/quota.ts';
import type { ChatEvent } from '../../protocol/chat-event.ts';
import { type CommitInput, type Committed, commitUnit } from '../attend/commit-event.ts';
import type { Budgets } from '../kernel/budget.ts';
import type { ChangeUnit } from '../kernel/change.ts';
import { conversationKeyOf, placeOf } from '../kernel/conversation.ts';
import { isPairingText, mayCorrect, ownerOf, readCorrection } from '../../attention/index.ts';
import type { HostContext } from '../kernel/context.ts';
import type { IdGiver } from '../attend/scoped-event.ts';
import type { Grants } from '../security/pairing.ts';
import { withoutSecretNames } from '../security/clean-event.ts';
import { tokenKeysIn } from '../security/leaked-tokens.ts';
import type { Spans } from '../security/redact.ts';

export interface Committer {
  /** Commits a record of the host's own. It waits while an earlier event of the conversation is being prepared. */
  record(event: ChatEvent): Promise<Committed>;
  /**
   * Prepares an event for its commit; nearly always at once. `surface` is where it came from or is shown. `waits`: what
   * `needsAsyncPreparation` has said of it, from whoever has asked already.
   */
  prepare(
    event: ChatEvent,
    surface: string | undefined,
    idGiver: IdGiver,
    waits?: boolean,
  ): CommitInput | Promise<CommitInput>;
  commit(input: CommitInput): Promise<Committed>;
  /** The commit of a prepared event as a unit, so that a caller can combine it with other writes. */
  unit(input: CommitInput): ChangeUnit<Committed>;
  /** Runs after everything queued before in the event's conversation, and before everything queued later. */
  queueByConversation<T>(event: ChatEvent, run: () => Promise<T>): Promise<T>;
  /** Whether an earlier event of the conversation is still being prepared. */
  isQueued(conversation: string): boolean;
}

export type CommitterDeps = PrepareDeps;

const ignore = (): void => undefined;

export function createCommitter(deps: CommitterDeps): Committer {
  const { context } = deps;
  /** Conversations in which an event is being prepared. Later events wait, so that the order is kept. */
  const queues = new Map<string, Promise<void>>();
  const unit: Committer['unit'] = (input) => commitUnit(context, input);
  const commit: Committer['commit'] = (input) => context.apply(unit(input));
  const ready: Committer['prepare'] = (event, surface, idGiver, waits) =>
    prepare(deps, event, { surface, idGiver, waits });
  const queueByConversation: Committer['queueByConversation'] = (event, run) => {
    const key = conversationKeyOf(placeOf(event));
    const before = queues.get(key);
    const done = before === undefined ? run() : before.then(run);
    const queue = done.then(ignore, ignore).finally(() => {
      if (queues.get(key) === queue) queues.delete(key);
    });
    queues.set(key, queue);
    return done;
  };
  return {
    unit,
    commit,
    prepare: ready,
    queueByConversation,
    isQueued: (conversation) => queues.has(conversation),
    async record(event) {
      const waits = needsAsyncPreparation(event);
      const prepared = async (): Promise<CommitInput> => ready(event, undefined, 'host', waits);
      const isInLine = waits || queues.has(conversationKeyOf(placeOf(event)));
      return commit(isInLine ? await queueByConversation(event, prepared) : await prepared());
    },
  };
}

// Preparing. Nearly every event is ready at once. A pairing code is redeemed and removed first, an edit or delete needs
// what it amends, and a correction what was said before it.

export interface PrepareDeps {
  context: HostContext;
  /** Roles of accounts, and the pairing codes that grant them. */
  grants: Pick<Grants, 'rolesOf' | 'redeem'>;
  /** Agents in focus, and until when. */
  focus(): readonly { agent: string; until: number }[];
  /** Agents that have used their budget of the day. */
  budgets: Pick<Budgets, 'facts'>;
  /** Offers go to the agent with the smallest rank first. */
  rank: (agent: string) => number;
  /** Whether a second opinion may be asked about an event. */
  opinions?: Pick<OpinionQuota, 'waitMs' | 'held'>;
}

/** Replaces a used code. It still looks like a code, so that a replay decides the same. */
const SPENT_CODE = 'claim-xxxx-xxxx';

export function needsAsyncPreparation(event: ChatEvent): boolean {
  if (event.type === 'edit' || event.type === 'delete') return true;
  if (event.type === 'disengage') return event.author.kind === 'agent';
  if (event.type !== 'message') return false;
  const { text = '', author } = event;
  return isPairingText(text) || (author.kind === 'human' && mayCorrect(text));
}

export function prepare(
  deps: PrepareDeps,
  event: ChatEvent,
  { surface, idGiver, waits }: Pick<CommitInput, 'surface' | 'idGiver'> & { waits: boolean | undefined },
): CommitInput | Promise<CommitInput> {
  // Looked for before the names are cleaned: a token in a name is a token in chat.
  const leaked = tokenKeysIn(event, deps.context.findSecrets);
  const from = { surface, idGiver, leaked, under: deps.context.held() };
  const owned = withAgentId(from.under, event);
  const clean = withoutSecretNames(owned, (text) => deps.context.findSecrets(text));
  // Nearly no event is changed so far, and its text is not read a second time.
  const isSlow = clean === event && waits !== undefined ? waits : needsAsyncPreparation(clean);
  if (isSlow) return prepareSlowly(deps, clean, from);
  const text = 'text' in clean ? (clean.text ?? '') : '';
  return inputOf(deps, clean, from, text === '' ? NO_SPANS : deps.context.findSecrets(text));
}

type From = Pick<CommitInput, 'surface' | 'idGiver'> & { leaked: readonly string[]; under: HostContext };

/** Redeems and removes a pairing code, or looks up what an edit or delete amends, or what is corrected. */
async function prepareSlowly(deps: PrepareDeps, event: ChatEvent, from: From): Promise<CommitInput> {
  const { context } = deps;
  const text = 'text' in event ? (event.text ?? '') : '';
  if ((event.type !== 'message' && event.type !== 'edit') || !isPairingText(text)) {
    const secrets = text === '' ? NO_SPANS : context.findSecrets(text);
    const input = inputOf(deps, event, from, secrets);
    return { ...input, ...(await amendedBy(context, event)), ...(await correctedBy(from.under, event)) };
  }
  // A code in a message of a person is redeemed. One that an agent says, or that is edited into a message, is only removed.
  const isTry = event.type === 'message' && event.author.kind === 'human';
  const paired = isTry && (await deps.grants.redeem(text.trim(), event));
  context.log.info({ eventId: event.eventId, paired }, 'pairing code used');
  const clean = { ...event, text: SPENT_CODE };
  return { ...inputOf(deps, clean, from, NO_SPANS), ...(await amendedBy(context, event)) };
}

function inputOf(
  deps: PrepareDeps,
  event: ChatEvent,
  { surface, idGiver, leaked, under }: From,
  secrets: Spans,
): CommitInput {
  const input: CommitInput = {
    event,
    idGiver,
    surface,
    secrets,
    under,
    accounts: deps.context.accounts.namedIn(event),
    authorRoles: event.author.kind === 'human' ? deps.grants.rolesOf(event) : NO_ROLES,
    focus: deps.focus(),
    budget: deps.budgets.facts(under.attention),
    rank: deps.rank,
  };
  const opinionMs = deps.opinions?.waitMs(event);
  if (opinionMs !== undefined) input.opinionMs = opinionMs;
  const waiting = deps.opinions?.held.before(event) ?? [];
  if (waiting.length > 0) input.waiting = waiting;
  if (leaked.length > 0) input.leaked = leaked;
  return input;
}

/** How many log rows are searched for earlier edits of the same message. */
const LOOKED_AT = 500;

/** The earlier edits of the target, and the outbox row it was sent from. */
async function amendedBy(
  { store }: HostContext,
  event: ChatEvent,
): Promise<Pick<CommitInput, 'edits' | 'sent'> | undefined> {
  if (event.type !== 'edit' && event.type !== 'delete') return undefined;
  const { targetEventId, eventId } = event;
  const rows = await store.scan('log', 'byConversation', {
    eq: [conversationKeyOf(placeOf(event))],
    limit: LOOKED_AT,
    descending: true,
    holding: `"targetEventId":${JSON.stringify(targetEventId)}`,
  });
  const edits = rows.flatMap(({ record, key }) =>
    record.event.type === 'edit' && record.event.targetEventId === targetEventId && key !== eventId
      ? [key]
      : [],
  );
  const [sent] = await store.scan('outbox', 'byEvent', { eq: [targetEventId], limit: 1 });
  return { edits: edits.toReversed(), sent: sent?.key };
}

/** How many log rows before a correction are searched for what it is about. */
const CORRECTED_ROWS = 40;

/** The records before what corrects an agent, newest first. Which of them is meant is known when it is decided. */
async function correctedBy(
  context: HostContext,
  event: ChatEvent,
): Promise<Pick<CommitInput, 'correcting'> | undefined> {
  const place = placeOf(event);
  const isAct = event.type === 'disengage' && event.author.kind === 'agent';
  const text = event.type === 'message' && event.author.kind === 'human' ? (event.text ?? '') : '';
  const names = context.rosterAt(place).agents.flatMap((agent) => agent.names);
  const said = text === '' ? undefined : readCorrection(text, names);
  if (said === undefined && !isAct) return undefined;
  const before = await context.store.scan('log', 'byConversation', {
    eq: [conversationKeyOf(place)],
    limit: CORRECTED_ROWS,
    descending: true,
  });
  return { correcting: { said, before } };
}

const NO_SPANS: Spans = [];
/** Roles are granted to people. An agent may have the id of a person's account. */
const NO_ROLES: readonly string[] = [];

/** Replaces an agent's account on the platform by the agent's own id. Every later step knows only that id. */
function withAgentId(context: HostContext, event: ChatEvent): ChatEvent {
  const { author } = event;
  const learnt = context.accounts.find(event, author.id);
  if (learnt === undefined && author.kind === 'human') return event;
  const roster = context.rosterAt(placeOf(event));
  const facts = learnt === undefined ? {} : { accounts: [learnt] };
  const agent = roster.byIdentity.get(author.id) ?? ownerOf(author.id, roster, facts);
  // A login of ours that several agents share is no person either.
  const id = agent?.id ?? (learnt === undefined ? undefined : author.id);
  if (id === undefined || (id === author.id && author.kind === 'agent')) return event;
  return { ...event, author: { ...author, id, kind: 'agent' } };
}
