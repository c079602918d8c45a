// Facts: everything a decision may use that is not in its own conversation. They are looked up when the record is
// written and stored on it, so that a replay decides the same.
import {
  SCORER_VERSION,
  claimsBy,
  directFacts,
  foldText,
  hashText,
  type Roster,
} from '../../attention/index.ts';
import type { ChatEvent } from '../../protocol/chat-event.ts';
import {
  type AccountFacts,
  type BudgetFacts,
  type OriginalFacts,
  type ParentFacts,
  type RecordFacts,
  type Unclaimable,
  instantMs,
} from '../../protocol/log-record.ts';
import type { Tables } from '../../store/tables.ts';
import type { ConversationState } from '../kernel/conversation.ts';
import { decisionForAgent, isDeleted, unpackDecisions } from '../kernel/log-row.ts';

export interface FactSources {
  configVersion: string;
  parent: ConversationState | undefined;
  /** The logged event that an edit, delete or reaction refers to. */
  target: Tables['log'] | undefined;
  targetDeliveries: readonly Tables['delivery'][];
  /** The root message of a thread, when this is the thread's first record. */
  root: RecordFacts['root'];
  answersTask: boolean;
  accounts: readonly AccountFacts[];
  authorRoles: readonly string[];
  focus: readonly { agent: string; until: number }[];
  budget: readonly BudgetFacts[];
  opinionMs: number | undefined;
  roster: Roster;
  /** For a claim: the logged event whose decision counts instead of the target's. */
  judged: Tables['log'] | undefined;
}

export function recordFacts(event: ChatEvent, sources: FactSources, now: number): RecordFacts {
  const facts: RecordFacts = { configVersion: sources.configVersion };
  if (event.type === 'message') facts.scorer = SCORER_VERSION;
  if (event.origin !== undefined) facts.origin = event.origin;
  if (event.membership !== undefined) {
    const { humans, agents = 0, complete, at = event.at } = event.membership;
    facts.membership = { humans, agents, complete, at: Math.min(instantMs(at), now) };
  }
  if (sources.answersTask) facts.answersTask = true;
  if (sources.accounts.length > 0) facts.accounts = sources.accounts;
  if (sources.authorRoles.length > 0) facts.authorRoles = sources.authorRoles;
  if (sources.focus.length > 0) facts.focus = sources.focus;
  if (sources.budget.length > 0) facts.budget = sources.budget;
  if (sources.opinionMs !== undefined) facts.opinion = { waitMs: sources.opinionMs };
  if (sources.parent !== undefined) facts.parent = parentFacts(sources.parent, sources.roster, now);
  if (sources.root !== undefined) facts.root = sources.root;
  if (sources.target !== undefined) {
    facts.original = originalFacts(sources.target, sources.targetDeliveries);
    const unclaimable = isClaim(event) ? unclaimableFor(event.author.id, sources) : undefined;
    if (unclaimable !== undefined) facts.original.unclaimable = unclaimable;
  }
  return facts;
}

/** A claim, or a reaction that stands for one. */
export function isClaim(event: ChatEvent): boolean {
  if (event.type === 'claim') return true;
  return event.type === 'reaction' && event.author.kind === 'agent' && claimsBy(event);
}

const MAY: ReadonlySet<string> = new Set(['must_respond', 'may_respond']);
const ASKS_NOTHING: ReadonlySet<string> = new Set(['thanks', 'ack', 'status']);

/** Why the agent may not claim the target. Whoever was asked to answer it may. */
function unclaimableFor(
  agent: string,
  { target, judged = target, targetDeliveries }: FactSources,
): Unclaimable | undefined {
  if (target !== undefined && isDeleted(target)) return 'deleted';
  const decided = judged === undefined ? undefined : decisionForAgent(judged, agent);
  const wasAsked = targetDeliveries.some(
    (row) => row.agent === agent && row.open === 1 && MAY.has(row.policy),
  );
  if (decided === undefined || wasAsked || MAY.has(decided.policy)) return undefined;
  if (decided.directedness === 'to_other') return 'for_other';
  return decided.directedness === 'ambient' && ASKS_NOTHING.has(decided.intent) ? 'asks_nothing' : undefined;
}

function parentFacts({ attention, place }: ConversationState, roster: Roster, now: number): ParentFacts {
  const modes = attention.agents.flatMap(({ key, mode }) => {
    const agent = roster.byKey.get(key);
    return mode === null || agent === undefined ? [] : [{ agent: agent.id, mode }];
  });
  const humans = attention.speakers.filter((speaker) => speaker.kind === 'human').length;
  const direct = place.conversation.kind === 'dm' ? directFacts(attention, now, roster) : undefined;
  const { humanAt } = attention.loop.peers;
  const facts: ParentFacts = { modes, humans, ...(humanAt > 0 && { humanAt }) };
  return direct === undefined ? facts : { ...facts, direct };
}

function originalFacts(row: Tables['log'], deliveries: readonly Tables['delivery'][]): OriginalFacts {
  const { event } = row.record;
  const text = 'text' in event ? (event.text ?? '') : '';
  const addressed = unpackDecisions(row.decisions, row.key).filter(
    ({ directedness }) => directedness === 'to_me',
  );
  return {
    eventId: row.key,
    authorId: event.author.id,
    textHash: hashText(foldText(text)),
    addressed: addressed.map(({ agent }) => agent),
    answeredBy: [
      ...new Set(
        deliveries.filter(({ disposition }) => disposition === 'responded').map(({ agent }) => agent),
      ),
    ],
  };
}
