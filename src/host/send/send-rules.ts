// The rules for sends. Each rule is named after what it refuses, and returns a reason that the model can act on. The
// first refusal counts. An owed answer is never refused for the conversation's mode, policy or claims. Beside the
// rules, `needsAgreement` says which sends wait for a person.
import {
  type AttentionState,
  type Decision,
  agentKey,
  foldText,
  isPairingText,
  mayAnswer,
  readIntent,
  shortKey,
} from '../../attention/index.ts';
import { derivationAs } from '../../protocol/derived-id.ts';
import type { ToolInput } from '../../protocol/tools.ts';
import { type WireError, wireError } from '../../protocol/errors.ts';
import { printableLine } from '../../protocol/identity.ts';
import { plainForm } from '../../protocol/plain-form.ts';
import type { ConversationMode, Intent, Visibility } from '../../protocol/vocabulary.ts';
import type { DeliveryRow, LogRow } from '../../store/tables.ts';
import { type AgentRecord, HOUR_MS, findTurn } from '../kernel/agent-record.ts';
import type { HostLimits } from '../kernel/settings.ts';
import type { HostContext } from '../kernel/context.ts';
import type { ConversationState } from '../kernel/conversation.ts';
import { dependsOnWords, needsApproval, type SensitiveSend } from '../security/sensitive.ts';
import { ASKS, agentsNamed, type Licence } from './licence.ts';
import type { ReadFiles } from './read-files.ts';

export type SendInput = ToolInput<'chat.send_message'>;

export interface SendView extends ReadFiles {
  agent: string;
  input: SendInput;
  now: number;
  limits: HostLimits;
  /** The key of the conversation it goes to. */
  conversation: string;
  /** The state of the conversation with the event it answers. Claims are there, wherever the answer goes. */
  asked: AttentionState | undefined;
  mode: ConversationMode;
  record: AgentRecord;
  /** The logged event that it answers. */
  answers: LogRow | undefined;
  /** The message that this event is about. Claims and offers belong to the message, not to its edits. */
  about: string | undefined;
  /** What was decided about that event for the agent. */
  decided: Decision | undefined;
  /** The delivery that it answers. */
  delivery: DeliveryRow | undefined;
  /** The event id of the open delivery that replaced that one, if one did. */
  replacedBy: string | undefined;
  textHash: string;
  /** Whether it goes to where the event it answers was said, or to that event's author alone. */
  inPlace: boolean;
  /** Whether it goes to this conversation or to a thread in it. */
  isPlaceOf: (conversation: string) => boolean;
  /** Who sees it, by where it goes. What the agent has declared is not asked. */
  visibility: Visibility;
  /** It goes to another place than where it was asked: by the event it names, else by the events of its turn. */
  elsewhere: boolean;
  /** It goes to a direct conversation of two agents. */
  agentDm: boolean;
  /** The agent has asked something there that is not answered. */
  hasOpenAsk: boolean;
  licence: Licence;
  /** Whether it may take something from where its readers cannot read, and why. Undefined: nobody has looked. */
  quotes: { reason: string | undefined } | undefined;
  /** Whether its turn was asked here and has sent nothing yet. */
  firstOfAskedTurn: () => boolean;
}

type Rule = (send: SendView) => WireError | undefined;

const RULES: readonly Rule[] = [
  fencedTurn,
  unknownEvent,
  pairingCode,
  leftConversation,
  mustNotRespond,
  missingClaim,
  severalRecipients,
  pointlessMention,
  repeatedText,
  spentBudget,
];

export function refuseSend(send: SendView): WireError | undefined {
  for (const rule of RULES) {
    const error = rule(send);
    if (error !== undefined) return error;
  }
  return undefined;
}

function isOwed({ decided }: SendView): boolean {
  return decided?.reason === 'obligation';
}

function fencedTurn({ record, input }: SendView): WireError | undefined {
  return findTurn(record, input.turnId)?.ended === true ? wireError('fenced') : undefined;
}

function unknownEvent({ input, answers, decided, delivery }: SendView): WireError | undefined {
  if (input.inReplyTo === undefined) return undefined;
  const seen = answers !== undefined && (decided !== undefined || delivery !== undefined);
  return seen ? undefined : wireError('not_found', { what: 'event' });
}

/** A code gives a role to whoever says it. It is for a person to say. */
function pairingCode({ words }: SendView): WireError | undefined {
  if (!isPairingText(plainForm(words))) return undefined;
  return { ...wireError('forbidden', { permission: 'pairing' }), message: NO_PAIRING };
}

const NO_PAIRING =
  'This is a pairing code. Only a person may send one, because it gives its sender a role. It was not posted; answer in other words.';

/** Whoever is asked to leave and for something else as well may still answer that. */
function leftConversation(send: SendView): WireError | undefined {
  const { mode, delivery, decided } = send;
  if (mode !== 'left' || isOwed(send)) return undefined;
  const askedToo = decided?.trace.facts['asksToo'] === 'left' && delivery?.open === 1;
  return askedToo ? undefined : wireError('left');
}

const MAY: ReadonlySet<string> = new Set(['must_respond', 'may_respond']);
const OPEN_TO_CLAIM: ReadonlySet<Intent> = new Set(['question', 'request']);

/** Uses the policy that the host decided, not the one that an older protocol version showed. */
function mustNotRespond(send: SendView): WireError | undefined {
  const { answers, delivery, decided, replacedBy } = send;
  // What is owed may always be answered, but not beside a newer delivery of the same.
  if (answers === undefined || (isOwed(send) && replacedBy === undefined)) return undefined;
  if (delivery?.state === 'superseded') return supersededError(replacedBy);
  // The delivery of a claim says may_respond. Whether a claim may open the event is decided by the event itself.
  const claimed = delivery !== undefined && derivationAs(delivery.eventId, 'claimed') !== undefined;
  const policy = (claimed ? undefined : delivery?.policy) ?? decided?.policy ?? 'must_not_respond';
  if (MAY.has(policy)) return undefined;
  // An event that any agent may claim is open to an answer; missingClaim then asks for the claim.
  const open = mayBeClaimed(send) && (decided?.directedness === 'ambient' || holdsClaim(send));
  return open ? undefined : wireError('must_not_respond');
}

/** Names what to answer instead, if the author went on or edited the message. */
function supersededError(replacedBy: string | undefined): WireError {
  if (replacedBy === undefined) return wireError('must_not_respond');
  const instead = `Its author has changed or continued it since. Answer ${printableLine(replacedBy, ID_CHARS)} instead, which has all of it; this answer was not posted.`;
  return { ...wireError('must_not_respond', { replacedBy }), message: instead };
}

const ID_CHARS = 400;

/** Whether a claim opens the event: it was put to the agent's role, or is an ambient one that asks or was claimed. */
function mayBeClaimed(send: SendView): boolean {
  const { decided } = send;
  if (decided === undefined) return false;
  if (decided.directedness === 'to_my_role') return true;
  if (decided.directedness !== 'ambient' || SAYS_NOTHING.has(decided.intent)) return false;
  return OPEN_TO_CLAIM.has(decided.intent) || holdsClaim(send);
}

function missingClaim(send: SendView): WireError | undefined {
  const { about, agent, asked, now, input, decided } = send;
  if (about === undefined || asked === undefined || isOwed(send)) return undefined;
  const may = mayAnswer(asked, agentKey(agent), shortKey(about), now, input.token);
  if (!may.ok && may.why === 'stale_token') return wireError('stale_token');
  if (!may.ok && decided?.directedness !== 'to_me') {
    return wireError('claimed_by_other', { holder: may.holder.replace(/^@/, 'agent:') });
  }
  const needs = decided?.claimFirst === true || decided?.directedness === 'ambient';
  return needs && !holdsClaim(send) ? wireError('claim_first') : undefined;
}

function holdsClaim({ asked, about, agent, now }: SendView): boolean {
  if (asked === undefined || about === undefined) return false;
  const event = shortKey(about);
  const key = agentKey(agent);
  return asked.claims.some(
    (claim) => claim.agent === key && claim.until > now && (claim.event === event || claim.event === ''),
  );
}

function severalRecipients({ input }: SendView): WireError | undefined {
  const agents = agentsNamed(input);
  if (agents.size > 1 && input.directedness === 'to_me') return wireError('one_recipient');
  // An obligation has one debtor: the recipient, or the agent that a direct message goes to.
  const hasDebtor = input.recipient !== undefined || input.target.startsWith('agent:');
  const owes = input.obligation !== undefined;
  return owes && (!hasDebtor || agents.size > 1) ? wireError('one_recipient') : undefined;
}

const SAYS_NOTHING: ReadonlySet<Intent> = new Set(['thanks', 'ack', 'status']);

function pointlessMention({ input }: SendView): WireError | undefined {
  const mentions =
    (input.mentions ?? []).some((mention) => /^(agent|human):/.test(mention)) ||
    input.recipient !== undefined;
  if (!mentions) return undefined;
  // `ambient` says that nobody needs to answer, and a mention asks for an answer.
  if (input.directedness === 'ambient') return wireError('mention_without_obligation');
  const intent = readIntent({ text: input.text, folded: foldText(input.text), authorKind: 'agent' });
  if (!SAYS_NOTHING.has(intent)) return undefined;
  const error = wireError('mention_without_obligation', { intent });
  return intent === 'status' ? { ...error, message: STATUS_INSTEAD } : error;
}

const STATUS_INSTEAD =
  'A mention asks for an answer, and status asks nothing. Report it with notifications/progress, or send it without mentions.';

/** A repeat that nobody asked for. An answer to what a person asks again may be the same, and so may a task. */
function repeatedText(send: SendView): WireError | undefined {
  const { input, limits, record, textHash, conversation, now, licence, decided } = send;
  if (input.text.length <= limits.repeatTextChars || licence.isWork) return undefined;
  const askedAgain = licence.answers && (isFromPerson(send) || ASKS.has(decided?.intent ?? 'statement'));
  if (askedAgain) return undefined;
  const again = record.said.some(
    (said) =>
      said.hash === textHash && said.conversation === conversation && now - said.at < limits.repeatTextMs,
  );
  return again ? wireError('repeated_text') : undefined;
}

function isFromPerson({ answers }: SendView): boolean {
  return answers?.record.event.author.kind === 'human';
}

/** What the send counts against is spent. What is owed, and the first word of a turn that was asked, still passes. */
function spentBudget(send: SendView): WireError | undefined {
  const { record, conversation, now, limits, licence } = send;
  if (licence.counts === 'nothing' || isOwed(send)) return undefined;
  if (licence.counts === 'task') {
    const task = record.tasks?.find((one) => one.conversation === conversation);
    if (task === undefined || task.count < limits.tasksPerHour || now - task.since >= HOUR_MS)
      return undefined;
    return budgetSpent(limits.tasksPerHour, task.since + HOUR_MS - now);
  }
  const spent = record.unprompted.filter(
    (one) => one.conversation === conversation && now - one.at < HOUR_MS,
  );
  if (spent.length < limits.unpromptedPerHour || send.firstOfAskedTurn()) return undefined;
  const oldest = Math.min(now, ...spent.map((one) => one.at));
  return budgetSpent(limits.unpromptedPerHour, oldest + HOUR_MS - now);
}

function budgetSpent(limit: number, retryAfterMs: number): WireError {
  return wireError('budget_spent', { limit, retryAfterMs });
}

// Sends that wait until a person agrees: those that the operator configured as sensitive, and those that may quote a
// place that their readers cannot see (private-quote.ts).

/** Why a person must agree first; undefined when nobody has to. */
export function needsAgreement(
  context: HostContext,
  send: SendView,
  conversation: ConversationState,
): string | undefined {
  const configured = needsApproval(sensitiveSend(send, conversation), context.sensitive);
  const { quotes } = send;
  return configured ?? (quotes === undefined ? takesFromTurn(send) : quotes.reason);
}

/** Whether the words of the send decide if a person must agree. Then its beginning says nothing about that. */
export function wordsDecide(
  { sensitive }: HostContext,
  send: SendView,
  conversation: ConversationState,
): boolean {
  return dependsOnWords(sensitiveSend(send, conversation), sensitive);
}

function sensitiveSend(
  { agent, words, visibility, elsewhere }: SendView,
  { place: { conversation } }: ConversationState,
): SensitiveSend {
  const { id, parentId: room } = conversation;
  return { agent, text: words, conversation: id, room, visibility, elsewhere };
}

export const TAKES_ELSEWHERE = 'it takes something from a private conversation elsewhere';

/** A short answer is not compared with what was read. If its turn was handed something private elsewhere, it waits. */
function takesFromTurn({ record, input, isPlaceOf }: SendView): string | undefined {
  const read = findTurn(record, input.turnId)?.privateIn ?? [];
  return read.every(isPlaceOf) ? undefined : TAKES_ELSEWHERE;
}
