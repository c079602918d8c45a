// Runs one turn as one prompt or a few. It cancels the prompt when the turn is cancelled, and turns the agent's stop
// reason into a reply, a reaction, silence or a failure.
import { methods, type PromptResponse, RequestError, type StopReason } from '@agentclientprotocol/sdk';
import type { Clock } from '../../runtime/clock.ts';
import type { AgentLog } from '../agent-deps.ts';
import { placeKey } from '../event.ts';
import { spoken } from '../rules.ts';
import type { Turn } from '../turn.ts';
import { AcpAnswer, type MessageIds } from './acp-answer.ts';
import { sentHere } from './acp-chat-tools.ts';
import { isSessionLost, requestLine } from './acp-failure.ts';
import { AcpFailed, type AcpLimits, SessionLost } from './acp-limits.ts';
import { type AcpLink, type AcpLinks, unlessAborted } from './acp-links.ts';
import type { AcpRun, AcpSession } from './acp-sessions.ts';
import { newCost, promptUsage } from './acp-usage.ts';
import { errorIn } from './error-text.ts';
import { errorLine } from './redacted.ts';

/** What the parts of one runner share. */
export interface AcpDeps {
  command: string;
  cwd: string;
  /** Who may give permission. Nobody: the person the turn is about. */
  approvers: readonly string[];
  clock: Clock;
  log: AgentLog;
  limits: AcpLimits;
  links: AcpLinks;
  /** Whether this agent gives its messages ids. */
  ids: MessageIds;
  /** Writes a line to the log, within the limits of a turn. */
  note: (line: string) => void;
}

export async function runTurn(deps: AcpDeps, turn: Turn): Promise<void> {
  const { links, note } = deps;
  const signal = AbortSignal.any([turn.signal, links.closing]);
  const link = await links.get(turn.agent, signal);
  try {
    await runIn(deps, link, turn, signal);
  } catch (error) {
    if (!(error instanceof SessionLost)) throw error;
    note(`${error.message}; a new session is begun`);
    await runIn(deps, link, turn, signal);
  }
}

async function runIn(deps: AcpDeps, link: AcpLink, turn: Turn, signal: AbortSignal): Promise<void> {
  const session = await unlessAborted(link.sessions.of(placeKey(turn.conversation)), signal);
  const answer = newAnswer(deps);
  answer.close(); // until a prompt was sent, nothing is an answer
  const run: AcpRun = { turn, answer, said: [], asked: false };
  session.run = run;
  try {
    const said = await converse(deps, link, session, run, signal);
    deps.links.praise();
    await conclude(deps, run, said);
  } finally {
    if (session.run === run) session.run = undefined; // unless the next run has begun
  }
}

interface Said {
  /** What the model said, and what the agent remarked beside it. */
  text: string;
  remarks: string;
  /** Whether the agent tells the two apart. */
  known: boolean;
  /** The model has sent its answer with the chat tools. */
  sent: boolean;
  stop: StopReason;
}

/** Sends the prompt, then what people said instead of yes or no as further prompts, so that the agent hears it all. */
async function converse(
  deps: AcpDeps,
  link: AcpLink,
  session: AcpSession,
  run: AcpRun,
  signal: AbortSignal,
): Promise<Said> {
  const texts: string[] = [];
  const out = run.turn.streams ? run.turn.stream() : undefined;
  let sent = false;
  let text = firstPrompt(session, run.turn);
  if (text !== run.turn.prompt) run.turn.tellPrompt(text);
  for (let prompts = 0; ; prompts++) {
    const answer: AcpAnswer = newAnswer(deps, () => {
      const isSent = sent || sentHere(answer.toolCalls, run.turn.conversation.target);
      out?.replace(isSent ? '' : growingText([...texts, answer.growing]));
    });
    run.answer = answer;
    const response = await prompt(deps, link, session, text, signal).finally(() => answer.close());
    const { stopReason: stop } = response;
    tellUsage(run.turn, session, response);
    signal.throwIfAborted();
    // After a refusal or a cancel the agent may have forgotten the prompt and the rules in it.
    if (stop !== 'cancelled' && stop !== 'refusal') session.knows = run.turn.system;
    link.sessions.succeeded(session);
    if (answer.text !== '') texts.push(answer.text);
    sent ||= sentHere(answer.toolCalls, run.turn.conversation.target);
    const said = run.said.splice(0).flatMap((given) => given.prompt ?? []);
    if (said.length === 0 || prompts === deps.limits.followUps)
      return { text: texts.join('\n\n'), remarks: answer.remarks, known: answer.known, sent, stop };
    text = [NOT_PERMITTED, ...said].join('\n\n');
  }
}

/** What the agent knows already is not said again. When somebody has joined, it hears who is here now. */
function firstPrompt({ knows }: AcpSession, turn: Turn): string {
  if (knows === undefined) return turn.prompt;
  return knows === turn.system ? turn.fresh : `${turn.system}\n\n${turn.fresh}`;
}

const NOT_PERMITTED =
  'Your request for permission was answered in chat with neither yes nor no. It was not given. This is what was said:';

function newAnswer({ limits, note, ids }: AcpDeps, onText?: () => void): AcpAnswer {
  const hooks = { answerBytes: limits.answerBytes, ids, onWork: note };
  return new AcpAnswer(onText === undefined ? hooks : { ...hooks, onText });
}

/** A text so short may be the beginning of an error. */
const ERROR_HEAD_CHARS = 64;

/** What people see before the end. An error in place of an answer is not for them. */
function growingText(texts: readonly string[]): string {
  const text = texts.filter((one) => one !== '').join('\n\n');
  return text.length < ERROR_HEAD_CHARS || errorIn(text) !== undefined ? '' : text;
}

function tellUsage(turn: Turn, { cost }: AcpSession, response: PromptResponse): void {
  const usage = promptUsage(response);
  const costUsd = newCost(cost);
  if (usage === undefined && costUsd === undefined) return;
  const tokens = usage ?? { inputTokens: 0, outputTokens: 0, source: 'reported' as const };
  turn.usage({ ...tokens, ...(costUsd === undefined ? {} : { costUsd }) });
}

async function prompt(
  { command, clock, limits }: AcpDeps,
  { program, sessions }: AcpLink,
  session: AcpSession,
  text: string,
  signal: AbortSignal,
): Promise<PromptResponse> {
  const { id: sessionId } = session;
  let cancelStop: (() => void) | undefined;
  const onAbort = (): void => {
    program.cancel(sessionId);
    cancelStop = clock.after(limits.cancelGraceMs, () => program.stop('did not stop when it was cancelled'));
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await program.ask((agent) =>
      agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] }),
    );
  } catch (error) {
    if (!(error instanceof RequestError)) throw error; // the process is gone, and its sessions with it
    const why = `${command} failed: ${requestLine(error)}`;
    if (!isSessionLost(error)) {
      sessions.failed(session);
      throw new AcpFailed(why, { cause: error });
    }
    sessions.drop(session);
    throw new SessionLost(why, { cause: error });
  } finally {
    signal.removeEventListener('abort', onAbort);
    cancelStop?.();
  }
}

/** Posts an unfinished answer marked as such, and fails where there is an error in place of an answer. */
async function conclude(
  deps: AcpDeps,
  run: AcpRun,
  { text, remarks, known, sent, stop }: Said,
): Promise<void> {
  const { command, note } = deps;
  const said = spoken(text);
  const error = errorIn(text) ?? (text === '' && !run.asked ? lastLine(remarks) : undefined);
  if (sent) return note('answered with the chat tools; what it said at the end is not posted');
  switch (stop) {
    case 'end_turn':
      if (error !== undefined) throw new AcpFailed(`${command} failed: ${error}`);
      if (said === undefined) note(run.asked ? LEFT_AT_QUESTION : 'had nothing to say');
      else await say(deps, run.turn, said);
      return;
    case 'max_tokens':
    case 'max_turn_requests': {
      const limit = stop === 'max_tokens' ? 'of tokens' : 'of steps';
      if (said === undefined) throw new AcpFailed(`${command} reached its limit ${limit} without an answer`);
      await say(deps, run.turn, `${said}\n\n[unfinished: the agent has reached its limit ${limit}]`);
      return;
    }
    case 'refusal':
      // Agents end a prompt like this after an error too. Only what is known to be the model's is posted.
      if (error !== undefined || (said !== undefined && !known))
        throw new AcpFailed(`${command} refused: ${error ?? lastLine(text)}`);
      if (said === undefined) await run.turn.react('declined');
      else await say(deps, run.turn, said);
      return;
    case 'cancelled':
      // The agent cancelled by itself, mostly because it did not get the permission it asked for.
      if (!run.asked) throw new AcpFailed(`${command} cancelled the turn, though nobody asked it to`);
      note(LEFT_AT_QUESTION);
  }
}

const LEFT_AT_QUESTION = 'left it at the question it asked';

function lastLine(text: string): string | undefined {
  const line = text.trim().split('\n').at(-1);
  return line === undefined || line === '' ? undefined : errorLine(line);
}

async function say({ log, command }: AcpDeps, turn: Turn, text: string): Promise<void> {
  const event = turn.events.at(-1)?.eventId;
  const { ok, text: told } = await turn.reply(text);
  if (ok) log.info({ event, chars: text.length }, `${command} answered`);
  else if (!turn.signal.aborted) log.warn({ event }, `the host did not take the answer: ${told}`);
}
