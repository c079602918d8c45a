// What allows a send. One obligation licenses one answer, in its place: the first accepted send that answers a delivery
// where it was asked (or in a thread there, or in a direct message to its author) is its answer and counts against
// nothing. Work put to one agent, and a question to one person, has a generous limit of its own. Everything else is
// unprompted and counts against the budget of the agent in that conversation: further answers, posts elsewhere, and sends
// that name no event.
import { foldText, readIntent } from '../../attention/index.ts';
import type { Intent } from '../../protocol/vocabulary.ts';
import type { UnitView } from '../../store/store.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import { detailOf, isAnswered, isUndelivered } from '../delivery/delivery-row.ts';
import { noteWord, settle, supersede } from '../delivery/move.ts';
import {
  type AgentRecord,
  type RecordedSend,
  HOUR_MS,
  type UndeliveredAnswer,
  findTurn,
} from '../kernel/agent-record.ts';
import { type Change, addChange, mergeChanges, noChange } from '../kernel/change.ts';
import type { SendInput, SendView } from './send-rules.ts';

export interface Licence {
  /** It is the first answer to its question, in its place. */
  answers: boolean;
  /** It puts work to one agent, or a question to one person. */
  isWork: boolean;
  /** What it counts against. Work counts as unprompted when it was said before. */
  counts: RecordedSend['counts'];
}

export function licenceOf(view: UnitView, send: Omit<SendView, 'licence'>): Licence {
  const { delivery, decided, inPlace, record, about } = send;
  const asked = delivery !== undefined || about !== undefined;
  const open =
    delivery === undefined
      ? !record.said.some((said) => said.about !== undefined && said.about === about)
      : !isAnswered(view, delivery);
  const answers = asked && inPlace && open;
  // Nobody asked this agent in particular. It claimed the event by itself.
  const volunteered = decided?.directedness === 'ambient' && decided.claimFirst !== true;
  if (answers && !volunteered) return { answers, isWork: false, counts: 'nothing' };
  const isWork = putsWork(send);
  return { answers, isWork, counts: isWork && !isRepeated(send) ? 'task' : 'unprompted' };
}

/** Not work, whoever is named. A report to another agent is work where no person reads it. */
const NO_WORK: ReadonlySet<Intent> = new Set(['thanks', 'ack', 'status']);
const NO_WORK_BETWEEN_AGENTS: ReadonlySet<Intent> = new Set(['thanks', 'ack']);
export const ASKS: ReadonlySet<Intent> = new Set(['question', 'request', 'urgent', 'safety', 'blocker']);

/** Whether it puts work to one agent, or a question to one person who owes this agent no other answer here. */
function putsWork({ input, agentDm, hasOpenAsk }: Omit<SendView, 'licence'>): boolean {
  const toAgent = agentDm || (input.directedness !== 'ambient' && agentsNamed(input).size === 1);
  const toPerson = input.recipient?.startsWith('human:') === true && !hasOpenAsk;
  if (!toAgent && !toPerson) return false;
  const intent = readIntent({ text: input.text, folded: foldText(input.text), authorKind: 'agent' });
  if (!toAgent) return ASKS.has(intent);
  return !(agentDm ? NO_WORK_BETWEEN_AGENTS : NO_WORK).has(intent);
}

function isRepeated({ record, textHash, conversation, now }: Omit<SendView, 'licence'>): boolean {
  return record.said.some(
    (said) => said.hash === textHash && said.conversation === conversation && now - said.at < HOUR_MS,
  );
}

/** The agents that a send mentions or names as its recipient. */
export function agentsNamed({ mentions = [], recipient }: SendInput): Set<string> {
  const agents = new Set(mentions.filter((mention) => mention.startsWith('agent:')));
  if (recipient?.startsWith('agent:') === true) agents.add(recipient);
  return agents;
}

/**
 * Whether it is the first send of a turn that was asked here. It is let through, however it names what it answers. A turn
 * is what the host handed out: each question has one such word, however many turns a harness reports about it.
 */
export function isFirstOfAskedTurn(view: UnitView, send: Omit<SendView, 'licence'>): boolean {
  return firstAskedBy(view, send).length > 0;
}

/** The questions of its turn, asked here, that have had no word yet. */
function firstAskedBy(view: UnitView, send: Omit<SendView, 'licence'>): DeliveryRow[] {
  const turn = findTurn(send.record, send.input.turnId);
  if (turn === undefined || turn.sends > 0 || send.input.inReplyTo !== undefined) return [];
  return turn.deliveries.flatMap((key) => {
    const row = view.row('delivery', key);
    if (row === undefined || row.conversation !== send.conversation) return [];
    return row.policy === 'must_not_respond' || hasFirstWord(view, row) ? [] : [row];
  });
}

function hasFirstWord(view: UnitView, row: DeliveryRow): boolean {
  const { firstWord } = detailOf(row);
  const state = firstWord === undefined ? undefined : view.row('outbox', firstWord)?.state;
  const wasSaid = state !== undefined && state !== 'failed' && state !== 'cancelled';
  return wasSaid || isAnswered(view, row);
}

/** Remembers the word with the questions. Those that it settles are written again afterwards, as answered. */
export function noteFirstWord(view: UnitView, send: SendView, key: string): Change {
  return mergeChanges(firstAskedBy(view, send).map((row) => noteWord(row, key)));
}

// An answer that a platform refused. Until the agent has answered otherwise, a delivery asks for another answer. A
// later answer to the same message, or in the same turn, or in the same place without naming anything, is that answer.

/** The refused answer that this send makes good, if it names no event. */
export function madeGood(
  view: UnitView,
  record: AgentRecord,
  input: SendInput,
  isPlaceOf: (conversation: string) => boolean,
): DeliveryRow | undefined {
  if (input.inReplyTo !== undefined) return undefined;
  for (const refused of record.undelivered ?? []) {
    const ofTurn = input.turnId === undefined || input.turnId === refused.turnId;
    if (!ofTurn || !isPlaceOf(refused.conversation)) continue;
    const row = view.row('delivery', refused.delivery);
    // After a person has declined, a message that names nothing may be about anything, unless the same turn sends it.
    if (row?.open === 1 && (input.turnId !== undefined || isUndelivered(row))) return row;
  }
  return undefined;
}

/** Ends the deliveries that ask for another answer, now that there is one. */
export function closeFollowUps(view: UnitView, send: SendView): Change {
  const change = noChange();
  for (const refused of send.record.undelivered ?? []) {
    const row = makesGood(send, refused) ? view.row('delivery', refused.delivery) : undefined;
    if (row === undefined || row.open === 0 || row.key === send.delivery?.key) continue;
    const ended =
      row.state === 'held'
        ? settle(row, 'responded', 'answered', view.now)
        : supersede(row, 'answered', view.now);
    addChange(change, ended);
  }
  return change;
}

function makesGood({ about, input, inPlace, isPlaceOf }: SendView, refused: UndeliveredAnswer): boolean {
  if (about === refused.about) return inPlace;
  return input.turnId !== undefined && input.turnId === refused.turnId && isPlaceOf(refused.conversation);
}
