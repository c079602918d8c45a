// Asks a request for permission as a question in chat, and turns the answer into one of the options that the agent
// offered. A model that has read untrusted chat wrote the request, so it is shown as one short line in code marks that
// mentions nobody.
import type {
  PermissionOption,
  PermissionOptionKind,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from '@agentclientprotocol/sdk';
import { printableLine } from '../../protocol/identity.ts';
import { record, string } from '../read-event.ts';
import type { Answer } from '../turn.ts';
import type { AcpSession } from './acp-sessions.ts';
import type { AcpDeps } from './acp-turn.ts';

/** How many different questions of a session are counted. Beyond that, counting starts again. */
const QUESTIONS = 100;

export async function askPermission(
  { limits, links, log, command, approver }: AcpDeps,
  request: RequestPermissionRequest,
): Promise<RequestPermissionResponse> {
  const session = links.find(request.sessionId);
  const run = session?.run;
  if (session === undefined || run === undefined) return CANCELLED; // its turn is over
  const { turn, answer } = run;
  const refuse = (why: string): RequestPermissionResponse => {
    log.warn({ turn: turn.id }, `${command} asked for permission, and nobody was asked: ${why}`);
    return permissionOutcome(request.options, 'declined');
  };
  if (!canAllow(request.options)) return refuse('it offers no way to allow it once');
  if (approver === undefined && turn.events.at(-1)?.author.kind !== 'human')
    return refuse('the turn is not about a person; name one with `approver`');
  const asked = permissionQuestion(
    request,
    answer.titleOf(request.toolCall.toolCallId),
    limits.permissionChars,
  );
  const who = approver === undefined ? {} : { who: approver };
  try {
    const given = await turn.ask(numbered(session, asked), { timeoutMs: limits.permissionMs, ...who });
    if (given.why !== 'refused') run.asked = true;
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
  return nth === 1 ? question : `${question} (request ${nth})`;
}

const VERBS: Readonly<Record<string, string>> = {
  read: 'read',
  edit: 'edit',
  delete: 'delete',
  move: 'move',
  search: 'search',
  execute: 'run',
  fetch: 'fetch',
};

export function permissionQuestion(
  { toolCall }: RequestPermissionRequest,
  announced: string | undefined,
  chars: number,
): string {
  const { kind, title, rawInput } = toolCall;
  const command = kind === 'execute' ? string(record(rawInput)['command']) : undefined;
  const what = quoted(command ?? string(title) ?? announced ?? toolCall.toolCallId, chars);
  return `May I ${VERBS[kind ?? ''] ?? 'do this:'} ${what}? Please answer yes or no.`;
}

/** Says how much is left out, because a person cannot agree to what they do not see. */
function quoted(text: string, chars: number): string {
  const line = printableLine(text, chars).replaceAll('`', "'").replace(CALLS, '$1@\u2060');
  const rest = text.trim().length - chars;
  return rest > 0 ? `\`${line}\` (and ${rest} more characters, not shown)` : `\`${line}\``;
}

/** An @ that would mention somebody, unlike the one in an e-mail address. */
const CALLS = /(^|[^\p{L}\p{N}_])@/gu;

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
