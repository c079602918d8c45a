// Asks a request for permission as a question in chat, and turns the answer into one of the options that the agent
// offered. After anything but a yes, what the agent had said before is not posted any more.
import type {
  PermissionOption,
  PermissionOptionKind,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from '@agentclientprotocol/sdk';
import type { Answer } from '../turn.ts';
import type { AcpSession } from './acp-sessions.ts';
import { toolCallOf } from './acp-tool-call.ts';
import type { AcpDeps } from './acp-turn.ts';
import { permissionQuestion } from './permission-question.ts';

/** How many different questions of a session are counted. Beyond that, counting starts again. */
const QUESTIONS = 100;

export async function askPermission(
  { limits, links, log, command, cwd, approvers }: AcpDeps,
  request: RequestPermissionRequest,
): Promise<RequestPermissionResponse> {
  const session = links.find(request.sessionId);
  const run = session?.run;
  if (session === undefined || run === undefined) return CANCELLED; // its turn is over
  const { turn, answer } = run;
  const refuse = (why: string): RequestPermissionResponse => {
    log.warn({ turn: turn.id }, `${command} asked for permission, and nobody was asked: ${why}`);
    answer.forget();
    return permissionOutcome(request.options, 'declined');
  };
  if (!canAllow(request.options)) return refuse('it offers no way to allow it once');
  if (approvers.length === 0 && turn.events.at(-1)?.author.kind !== 'human')
    return refuse('the turn is not about a person; name one with --approver (`approvers`)');
  const { toolCall } = request;
  const call = { ...answer.toolCall(toolCall.toolCallId), ...toolCallOf({ ...toolCall }) };
  const question = permissionQuestion(call, { chars: limits.permissionChars, cwd });
  const who = approvers.length === 0 ? {} : { who: approvers };
  try {
    const given = await turn.ask(numbered(session, question), { timeoutMs: limits.permissionMs, ...who });
    if (given.why !== 'refused') run.asked = true;
    if (given.type !== 'agree') answer.forget();
    if (given.type === 'answer') run.said.push(given);
    if (given.type === 'none')
      log.warn({ turn: turn.id, why: given.why, text: given.text }, `nobody answered ${command}`);
    return permissionOutcome(request.options, given.type);
  } catch (error) {
    if (turn.signal.aborted) return CANCELLED;
    throw error;
  }
}

/** Numbers repeated questions: the host refuses the same words soon after, and a person should see a new request. */
function numbered({ questions }: AcpSession, question: string): string {
  if (questions.size >= QUESTIONS) questions.clear();
  const nth = (questions.get(question) ?? 0) + 1;
  questions.set(question, nth);
  if (nth === 1) return question;
  const [first = '', ...rest] = question.split('\n');
  return [`${first} (request ${nth})`, ...rest].join('\n');
}

const CHOICE: Readonly<Record<Answer['type'], PermissionOptionKind | undefined>> = {
  agree: 'allow_once',
  declined: 'reject_once',
  // Anything else is not a yes.
  answer: 'reject_once',
  none: undefined,
};

const CANCELLED: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };

/** Never chooses an `always` option: one yes is for one action. */
export function permissionOutcome(
  options: readonly PermissionOption[],
  answer: Answer['type'],
): RequestPermissionResponse {
  const chosen = options.find(({ kind }) => kind === CHOICE[answer]);
  return chosen === undefined ? CANCELLED : { outcome: { outcome: 'selected', optionId: chosen.optionId } };
}

/** Whether there is an option that a yes can choose. */
function canAllow(options: readonly PermissionOption[]): boolean {
  return options.some(({ kind }) => kind === 'allow_once');
}
