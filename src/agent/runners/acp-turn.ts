// Runs one turn as one prompt or a few. It cancels the prompt when the turn is cancelled, and turns the agent's stop
// reason into a reply, a reaction, silence or a failure.
import { methods, RequestError, type StopReason } from '@agentclientprotocol/sdk';
import type { Clock } from '../../runtime/clock.ts';
import type { AgentLog } from '../agent-deps.ts';
import { placeKey } from '../event.ts';
import { spoken } from '../rules.ts';
import type { Turn } from '../turn.ts';
import { AcpAnswer } from './acp-answer.ts';
import { AcpFailed, type AcpLimits } from './acp-limits.ts';
import { type AcpLink, type AcpLinks, unlessAborted } from './acp-links.ts';
import type { AcpRun, AcpSession } from './acp-sessions.ts';

/** What the parts of one runner share. */
export interface AcpDeps {
  command: string;
  cwd: string;
  approver: string | undefined;
  clock: Clock;
  log: AgentLog;
  limits: AcpLimits;
  links: AcpLinks;
  /** Writes a line to the log, within the limits of a turn. */
  note: (line: string) => void;
}

export async function runTurn(deps: AcpDeps, turn: Turn): Promise<void> {
  const { command, cwd, links } = deps;
  const signal = AbortSignal.any([turn.signal, links.closing]);
  const link = await links.get(turn.agent, signal);
  const opening = link.sessions.of(placeKey(turn.conversation), cwd, command);
  const session = await unlessAborted(opening, signal);
  const run: AcpRun = { turn, answer: newAnswer(deps), said: [], asked: false };
  session.run = run;
  try {
    const { text, stop } = await converse(deps, link, session, run, signal);
    links.praise();
    await conclude(deps, run, text, stop);
  } finally {
    if (session.run === run) session.run = undefined; // unless the next run has begun
  }
}

interface Said {
  text: string;
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
  let text = session.knows ? run.turn.fresh : run.turn.prompt;
  for (let prompts = 0; ; prompts++) {
    run.answer = newAnswer(deps);
    const stop = await prompt(deps, link, session, text, signal);
    signal.throwIfAborted();
    // After a refusal or a cancel the agent may have forgotten the prompt and the rules in it.
    if (stop !== 'cancelled' && stop !== 'refusal') session.knows = true;
    if (run.answer.text !== '') texts.push(run.answer.text);
    const said = run.said.splice(0).flatMap((answer) => answer.prompt ?? []);
    if (said.length === 0 || prompts === deps.limits.followUps) return { text: texts.join('\n\n'), stop };
    text = [NOT_PERMITTED, ...said].join('\n\n');
  }
}

const NOT_PERMITTED =
  'Your request for permission was answered in chat with neither yes nor no. It was not given. This is what was said:';

function newAnswer({ limits, note }: AcpDeps): AcpAnswer {
  return new AcpAnswer({ answerBytes: limits.answerBytes, onWork: note });
}

async function prompt(
  { command, clock, limits }: AcpDeps,
  { program, sessions }: AcpLink,
  session: AcpSession,
  text: string,
  signal: AbortSignal,
): Promise<StopReason> {
  const { id: sessionId } = session;
  let cancelStop: (() => void) | undefined;
  const onAbort = (): void => {
    program.cancel(sessionId);
    cancelStop = clock.after(limits.cancelGraceMs, () => program.stop('did not stop when it was cancelled'));
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const { stopReason } = await program.ask((agent) =>
      agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] }),
    );
    return stopReason;
  } catch (error) {
    sessions.drop(session);
    if (!(error instanceof RequestError)) throw error;
    throw new AcpFailed(`${command} failed: ${error.message}`, { cause: error });
  } finally {
    signal.removeEventListener('abort', onAbort);
    cancelStop?.();
  }
}

/** Posts an unfinished answer marked as such, fails without an answer, and passes a refusal on. */
async function conclude(deps: AcpDeps, run: AcpRun, text: string, stop: StopReason): Promise<void> {
  const { command, note } = deps;
  const said = spoken(text);
  switch (stop) {
    case 'end_turn':
      if (said === undefined) note('had nothing to say');
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
      if (said === undefined) await run.turn.react('declined');
      else await say(deps, run.turn, said);
      return;
    case 'cancelled':
      // The agent cancelled by itself, mostly because it did not get the permission it asked for.
      if (!run.asked) throw new AcpFailed(`${command} cancelled the turn, though nobody asked it to`);
      note('left it at the question it asked');
  }
}

async function say({ log, command }: AcpDeps, turn: Turn, text: string): Promise<void> {
  const event = turn.events.at(-1)?.eventId;
  const { ok, text: told } = await turn.reply(text);
  if (ok) log.info({ event, chars: text.length }, `${command} answered`);
  else if (!turn.signal.aborted) log.warn({ event }, `the host did not take the answer: ${told}`);
}
