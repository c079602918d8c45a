// Whether a growing text may be shown as it is now. It is judged as the send that it is going to become, by the same
// rules and in the same place, but nothing is committed and no rate is used up. So whatever is shown is a text that the
// host would have posted if the agent had sent exactly that.
import { isRetryable } from '../../protocol/errors.ts';
import type { GrowingParams } from '../../protocol/growing.ts';
import type { UnitView } from '../../store/store.ts';
import { agentRecordIn, findTurn } from '../kernel/agent-record.ts';
import { noChange } from '../kernel/change.ts';
import { type SendInput, needsAgreement, wordsDecide } from '../send/send-rules.ts';
import { type Sent, type WeighDeps, type Weighed, weighSend } from '../send/send.ts';

export type GrowingVerdict =
  /** `asked`: where the question was said. `deliveries`: what the turn has taken. */
  | { ok: true; conversation: string; asked: string | undefined; deliveries: readonly string[] }
  /** `passes`: only for now. The next frame is judged anew. */
  | { ok: false; reason: string; passes?: true };

export type JudgeDeps = Omit<WeighDeps, 'outbound'>;

export async function judgeGrowing(
  deps: JudgeDeps,
  agent: string,
  params: GrowingParams,
  text: string,
): Promise<GrowingVerdict> {
  const judged = await weighSend<GrowingVerdict>(
    { ...deps, outbound: { take: () => ({ ok: true }) } },
    agent,
    inputOf(params, text),
    (view, weighed) => ({ ...noChange(), result: verdictOf(deps, view, weighed) }),
  );
  return 'conversation' in judged || 'reason' in judged ? judged : refusalOf(judged);
}

/** No send has such a key: keys of agents are prefixed with their id by the outbox, and this one is never stored. */
function inputOf({ turnId, target, inReplyTo, visibility, token }: GrowingParams, text: string): SendInput {
  return {
    target,
    text,
    visibility,
    directedness: inReplyTo === undefined ? 'ambient' : 'to_me',
    idempotencyKey: `growing ${turnId}`,
    turnId,
    ...(inReplyTo === undefined ? {} : { inReplyTo }),
    ...(token === undefined ? {} : { token }),
  };
}

function verdictOf(
  { context }: JudgeDeps,
  view: UnitView,
  { sent, conversation, target }: Weighed,
): GrowingVerdict {
  const { agent, input, answers, visibility } = sent;
  const turn = findTurn(agentRecordIn(view, agent), input.turnId);
  if (turn === undefined) return { ok: false, reason: 'the turn was not started' };
  if (target.opens !== undefined) return { ok: false, reason: 'nobody has written there yet' };
  if (visibility === 'ephemeral') return { ok: false, reason: 'only one person is to see it' };
  const agreement = needsAgreement(context, sent, conversation);
  if (agreement !== undefined) return { ok: false, reason: agreement };
  if (wordsDecide(context, sent, conversation))
    return { ok: false, reason: 'its words decide whether a person must agree' };
  const { deliveries } = turn;
  return { ok: true, conversation: target.key, asked: answers?.conversation, deliveries };
}

function refusalOf(sent: Sent): GrowingVerdict {
  if (sent.ok) return { ok: false, reason: 'it is sent already' };
  const { message: reason } = sent.error;
  return { ok: false, reason, ...(isRetryable(sent.error) && { passes: true }) };
}
