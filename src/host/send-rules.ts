// The outbound rules, enforced: each is a question with a name; the first that objects refuses the send with a reason
// the model can act on. An obligation's one reply is never refused.
import { type AttentionState, agentKey, mayAnswer, shortKey } from '../attention/index.ts';
import { readIntent } from '../attention/index.ts';
import { foldText } from '../attention/index.ts';
import type { ToolInput } from '../protocol/tools.ts';
import { type WireError, wireError } from '../protocol/errors.ts';
import type { ConversationMode, Intent } from '../protocol/vocabulary.ts';
import type { DeliveryRow, LogRow } from '../store/tables.ts';
import { type AgentRecord, findTurn } from './agent-record.ts';
import type { HostLimits } from './settings.ts';
import { stanceOf } from './facts.ts';

export type SendInput = ToolInput<'chat.send_message'>;

export interface SendScene {
  agent: string;
  input: SendInput;
  now: number;
  limits: HostLimits;
  /** Key of the conversation it goes to. */
  conversation: string;
  attention: AttentionState | undefined;
  mode: ConversationMode;
  record: AgentRecord;
  /** The event it answers, and what was delivered of it. */
  answers: LogRow | undefined;
  delivery: DeliveryRow | undefined;
  textHash: string;
}

type Rule = (scene: SendScene) => WireError | undefined;

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

export function refuseSend(scene: SendScene): WireError | undefined {
  for (const rule of RULES) {
    const error = rule(scene);
    if (error !== undefined) return error;
  }
  return undefined;
}

function owed(scene: SendScene): boolean {
  return scene.answers !== undefined && stanceOf(scene.answers, scene.agent)?.reason === 'obligation';
}

function fenced({ record, input }: SendScene): WireError | undefined {
  return findTurn(record, input.turnId)?.ended === true ? wireError('fenced') : undefined;
}

function known(scene: SendScene): WireError | undefined {
  if (scene.input.inReplyTo === undefined) return undefined;
  const seen = scene.answers !== undefined && stanceOf(scene.answers, scene.agent) !== undefined;
  return seen || scene.delivery !== undefined ? undefined : wireError('not_found', { what: 'event' });
}

function left(scene: SendScene): WireError | undefined {
  return scene.mode === 'left' && !owed(scene) ? wireError('left') : undefined;
}

/** By the policy the host decided, never by what a protocol version showed of it. */
function silenced(scene: SendScene): WireError | undefined {
  const { answers, delivery, agent } = scene;
  if (answers === undefined || owed(scene)) return undefined;
  if (delivery?.state === 'superseded') return wireError('must_not_respond');
  const policy = delivery?.policy ?? stanceOf(answers, agent)?.policy ?? 'must_not_respond';
  if (policy === 'must_respond' || policy === 'may_respond') return undefined;
  return holdsClaim(scene) ? undefined : wireError('must_not_respond');
}

function claims(scene: SendScene): WireError | undefined {
  const { answers, agent, attention, now, input } = scene;
  if (answers === undefined || attention === undefined || owed(scene)) return undefined;
  const stance = stanceOf(answers, agent);
  const may = mayAnswer(attention, agentKey(agent), shortKey(claimedId(scene, answers)), now, input.token);
  if (!may.ok && may.why === 'stale_token') return wireError('stale_token');
  if (!may.ok && stance?.directedness !== 'to_me') {
    return wireError('claimed_by_other', { holder: may.holder.replace(/^@/, 'agent:') });
  }
  const needs = stance?.claimFirst === true || stance?.directedness === 'ambient';
  return needs && !holdsClaim(scene) ? wireError('stale_token') : undefined;
}

function holdsClaim({ attention, answers, agent, now, ...scene }: SendScene): boolean {
  if (attention === undefined || answers === undefined) return false;
  const event = shortKey(claimedId({ ...scene, attention, answers, agent, now }, answers));
  const key = agentKey(agent);
  return attention.claims.some(
    (claim) => claim.agent === key && claim.until > now && (claim.event === event || claim.event === ''),
  );
}

/** A claim is on the first event, whatever derived id its delivery carries. */
function claimedId({ delivery }: SendScene, answers: LogRow): string {
  return delivery?.source ?? answers.key;
}

function oneRecipient({ input }: SendScene): WireError | undefined {
  const agents = new Set((input.mentions ?? []).filter((mention) => mention.startsWith('agent:')));
  if (input.recipient?.startsWith('agent:') === true) agents.add(input.recipient);
  return agents.size > 1 && input.directedness === 'to_me' ? wireError('one_recipient') : undefined;
}

const SAYS_NOTHING: ReadonlySet<Intent> = new Set(['thanks', 'ack', 'status']);

function pointlessMention({ input }: SendScene): WireError | undefined {
  const mentions =
    (input.mentions ?? []).some((mention) => mention.startsWith('agent:')) || input.recipient !== undefined;
  if (!mentions) return undefined;
  const intent = readIntent({ text: input.text, folded: foldText(input.text), authorKind: 'agent' });
  return SAYS_NOTHING.has(intent) ? wireError('mention_without_obligation') : undefined;
}

function repeated(scene: SendScene): WireError | undefined {
  const { input, limits, record, textHash, conversation, now } = scene;
  if (input.text.length <= limits.repeatTextChars) return undefined;
  const again = record.said.some(
    (said) =>
      said.hash === textHash && said.conversation === conversation && now - said.at < limits.repeatTextMs,
  );
  return again ? wireError('repeated_text') : undefined;
}

const HOUR_MS = 3_600_000;

/** A send inside a turn belongs to that turn; others spend from the agent's own budget. */
function budget(scene: SendScene): WireError | undefined {
  if (!isUnprompted(scene)) return undefined;
  const { record, conversation, now, limits } = scene;
  const spent = record.unprompted.filter(
    (send) => send.conversation === conversation && now - send.at < HOUR_MS,
  );
  if (spent.length < limits.unpromptedPerHour) return undefined;
  const oldest = Math.min(...spent.map((send) => send.at));
  return wireError('budget_spent', { retryAfterMs: oldest + HOUR_MS - now });
}

export function isUnprompted({ input, record, answers }: SendScene): boolean {
  return answers === undefined && findTurn(record, input.turnId) === undefined;
}
