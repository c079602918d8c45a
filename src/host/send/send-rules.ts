// The outbound rules, enforced: each is a question with a name; the first that objects refuses the send with a reason
// the model can act on. An obligation's one reply is never refused.
import {
  type AttentionState,
  type Decision,
  agentKey,
  foldText,
  mayAnswer,
  readIntent,
  shortKey,
} from '../../attention/index.ts';
import { derivationAs } from '../../protocol/derived-id.ts';
import type { ToolInput } from '../../protocol/tools.ts';
import { type WireError, wireError } from '../../protocol/errors.ts';
import type { ConversationMode, Intent } from '../../protocol/vocabulary.ts';
import type { DeliveryRow, LogRow } from '../../store/tables.ts';
import { type AgentRecord, findTurn } from '../kernel/agent-record.ts';
import type { HostLimits } from '../kernel/settings.ts';
import type { HostContext } from '../kernel/context.ts';
import { type ConversationState, parentKeyOf } from '../kernel/conversation.ts';
import { type Room, mayQuote } from '../read/may-read.ts';
import { needsApproval } from '../security/sensitive.ts';

export type SendInput = ToolInput<'chat.send_message'>;

export interface SendView {
  agent: string;
  input: SendInput;
  now: number;
  limits: HostLimits;
  /** Key of the conversation it goes to. */
  conversation: string;
  /** Where what it answers was said: claims are there, wherever the answer goes. */
  asked: AttentionState | undefined;
  mode: ConversationMode;
  record: AgentRecord;
  /** The event it answers, what was decided about it for the agent, and what was delivered of it. */
  answers: LogRow | undefined;
  /** The first event, when what it answers is an edit: claims and offers are on that. */
  about: string | undefined;
  stance: Decision | undefined;
  delivery: DeliveryRow | undefined;
  textHash: string;
}

type Rule = (send: SendView) => WireError | undefined;

const RULES: readonly Rule[] = [
  fenced,
  known,
  left,
  silenced,
  claims,
  oneRecipient,
  pointlessMention,
  repeated,
  budget,
];

export function refuseSend(send: SendView): WireError | undefined {
  for (const rule of RULES) {
    const error = rule(send);
    if (error !== undefined) return error;
  }
  return undefined;
}

function owed({ stance }: SendView): boolean {
  return stance?.reason === 'obligation';
}

function fenced({ record, input }: SendView): WireError | undefined {
  return findTurn(record, input.turnId)?.ended === true ? wireError('fenced') : undefined;
}

function known({ input, answers, stance, delivery }: SendView): WireError | undefined {
  if (input.inReplyTo === undefined) return undefined;
  const seen = answers !== undefined && (stance !== undefined || delivery !== undefined);
  return seen ? undefined : wireError('not_found', { what: 'event' });
}

function left(send: SendView): WireError | undefined {
  return send.mode === 'left' && !owed(send) ? wireError('left') : undefined;
}

const MAY: ReadonlySet<string> = new Set(['must_respond', 'may_respond']);
const OPEN_TO_CLAIM: ReadonlySet<Intent> = new Set(['question', 'request']);

/** By the policy the host decided, never by what a protocol version showed of it. */
function silenced(send: SendView): WireError | undefined {
  const { answers, delivery, stance } = send;
  if (answers === undefined || owed(send)) return undefined;
  if (delivery?.state === 'superseded') return wireError('must_not_respond');
  // A claim's own delivery says may_respond; what was claimed must be something a claim may open.
  const claimed = delivery !== undefined && derivationAs(delivery.eventId, 'claimed') !== undefined;
  const policy = (claimed ? undefined : delivery?.policy) ?? stance?.policy ?? 'must_not_respond';
  if (MAY.has(policy)) return undefined;
  // What is open to whoever claims it is judged by the claim.
  const open = mayBeClaimed(send) && (stance?.directedness === 'ambient' || holdsClaim(send));
  return open ? undefined : wireError('must_not_respond');
}

/** An ambient question or request, or what went to a role of the agent's: nothing that was for somebody else. */
function mayBeClaimed({ stance }: SendView): boolean {
  if (stance === undefined) return false;
  if (stance.directedness === 'to_my_role') return true;
  return stance.directedness === 'ambient' && OPEN_TO_CLAIM.has(stance.intent);
}

function claims(send: SendView): WireError | undefined {
  const { about, agent, asked, now, input, stance } = send;
  if (about === undefined || asked === undefined || owed(send)) return undefined;
  const may = mayAnswer(asked, agentKey(agent), shortKey(about), now, input.token);
  if (!may.ok && may.why === 'stale_token') return wireError('stale_token');
  if (!may.ok && stance?.directedness !== 'to_me') {
    return wireError('claimed_by_other', { holder: may.holder.replace(/^@/, 'agent:') });
  }
  const needs = stance?.claimFirst === true || stance?.directedness === 'ambient';
  return needs && !holdsClaim(send) ? wireError('stale_token') : undefined;
}

function holdsClaim({ asked, about, agent, now }: SendView): boolean {
  if (asked === undefined || about === undefined) return false;
  const event = shortKey(about);
  const key = agentKey(agent);
  return asked.claims.some(
    (claim) => claim.agent === key && claim.until > now && (claim.event === event || claim.event === ''),
  );
}

function oneRecipient({ input }: SendView): WireError | undefined {
  const agents = new Set((input.mentions ?? []).filter((mention) => mention.startsWith('agent:')));
  if (input.recipient?.startsWith('agent:') === true) agents.add(input.recipient);
  if (agents.size > 1 && input.directedness === 'to_me') return wireError('one_recipient');
  // A debt has one debtor: the recipient, or the party of the direct message it is sent in.
  const named = input.recipient !== undefined || input.target.startsWith('agent:');
  const owes = input.obligation !== undefined;
  return owes && (!named || agents.size > 1) ? wireError('one_recipient') : undefined;
}

const SAYS_NOTHING: ReadonlySet<Intent> = new Set(['thanks', 'ack', 'status']);

function pointlessMention({ input }: SendView): WireError | undefined {
  const mentions =
    (input.mentions ?? []).some((mention) => /^(agent|human):/.test(mention)) ||
    input.recipient !== undefined;
  if (!mentions) return undefined;
  // "Nobody needs to answer" and a name are two different things to say.
  if (input.directedness === 'ambient') return wireError('mention_without_obligation');
  const intent = readIntent({ text: input.text, folded: foldText(input.text), authorKind: 'agent' });
  if (!SAYS_NOTHING.has(intent)) return undefined;
  const error = wireError('mention_without_obligation', { intent });
  return intent === 'status' ? { ...error, message: STATUS_INSTEAD } : error;
}

const STATUS_INSTEAD =
  'A mention asks for an answer, and status asks nothing. Report it with notifications/progress, or send it without mentions.';

function repeated(send: SendView): WireError | undefined {
  const { input, limits, record, textHash, conversation, now } = send;
  if (input.text.length <= limits.repeatTextChars) return undefined;
  const again = record.said.some(
    (said) =>
      said.hash === textHash && said.conversation === conversation && now - said.at < limits.repeatTextMs,
  );
  return again ? wireError('repeated_text') : undefined;
}

const HOUR_MS = 3_600_000;

/** A send inside a turn belongs to that turn; others spend from the agent's own budget. */
function budget(send: SendView): WireError | undefined {
  if (!isUnprompted(send)) return undefined;
  const { record, conversation, now, limits } = send;
  const spent = record.unprompted.filter(
    (one) => one.conversation === conversation && now - one.at < HOUR_MS,
  );
  if (spent.length < limits.unpromptedPerHour) return undefined;
  const oldest = Math.min(...spent.map((one) => one.at));
  return wireError('budget_spent', { retryAfterMs: oldest + HOUR_MS - now });
}

/** Answering nothing, or what was said to nobody and taken up by a claim. */
export function isUnprompted({ input, record, answers, stance }: SendView): boolean {
  if (answers !== undefined) return stance?.directedness === 'ambient' && stance.claimFirst !== true;
  return findTurn(record, input.turnId) === undefined;
}

// Sends that wait for a person's `agree`: what the operator configured as sensitive, and what may quote a private
// conversation somewhere else, because it answers one or because its turn has read one.

/** The reason a person must agree to it first, if there is one. */
export function needsAgreement(
  context: HostContext,
  { agent, input, answers, conversation: key, record }: SendView,
  conversation: ConversationState,
): string | undefined {
  const elsewhere = answers !== undefined && answers.conversation !== key;
  const configured = needsApproval(
    {
      agent,
      text: input.text,
      conversation: conversation.place.conversation.id,
      visibility: input.visibility,
      elsewhere,
    },
    context.sensitive,
  );
  if (configured !== undefined) return configured;
  const to = { key, ...parentRoom(conversation) };
  const read = findTurn(record, input.turnId)?.privateIn ?? [];
  const from = elsewhere && answers.record.event.conversation.kind === 'dm' ? [answers.conversation] : [];
  for (const source of new Set([...from, ...read])) {
    const quote = mayQuote({ key: source, kind: 'dm' }, to);
    if (!quote.ok) return quote.reason;
  }
  return undefined;
}

function parentRoom({ place }: ConversationState): Pick<Room, 'parent'> {
  const key = parentKeyOf(place);
  return key === undefined ? {} : { parent: { key, kind: 'channel' } };
}
