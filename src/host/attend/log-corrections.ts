// A correction is a record of the log: which message an agent should or should not have answered, and who says so. It is
// written in the commit of the message or act that says it. A message corrects an agent only if it is said to that
// agent, or right after it spoke.
import {
  type Decision,
  type Roster,
  type SaidCorrection,
  foldText,
  startsTurn,
} from '../../attention/index.ts';
import type { ChatEvent, ChatEventOf } from '../../protocol/chat-event.ts';
import type { CorrectionLabel, CorrectionWay } from '../../protocol/correction.ts';
import { EVENT_ID_CHARS, correctionId } from '../../protocol/derived-id.ts';
import type { LogRow } from '../../store/tables.ts';
import { placeOf } from '../kernel/conversation.ts';
import { shortened } from '../kernel/event-id.ts';
import { decisionForAgent } from '../kernel/log-row.ts';

/** What is known before the commit: what was read, and the records before it, newest first. */
export interface Correcting {
  said: SaidCorrection | undefined;
  before: readonly LogRow[];
}

interface Corrected {
  agent: string;
  targetEventId: string;
  label: Exclude<CorrectionLabel, 'withdrawn'>;
}

export interface CorrectingEvent extends Correcting {
  event: ChatEvent;
  decisions: readonly Decision[];
  roster: Roster;
  now: number;
}

/** The records that the event makes. At most one for each agent. */
export function correctionEvents(one: CorrectingEvent): ChatEventOf<'correction'>[] {
  const { event, said, now } = one;
  if (event.type === 'disengage')
    return steppedBack(one).map((found) => record(event, found, 'disengaged', now));
  if (event.type !== 'message' || said === undefined) return [];
  const found = said.kind === 'silent' ? unanswered(one, event) : notMeant(one, event, said);
  return found.map((corrected) => record(event, corrected, 'said', now));
}

function record(
  { eventId, author, ...event }: ChatEvent,
  { agent, targetEventId, label }: Corrected,
  how: CorrectionWay,
  now: number,
): ChatEventOf<'correction'> {
  const place = placeOf(event);
  const id = correctionId(eventId, agent);
  const own = id.length > EVENT_ID_CHARS ? shortened('act', id) : id;
  return { eventId: own, at: now, ...place, author, type: 'correction', targetEventId, agent, label, how };
}

/** "not you": the agent that spoke last answered what was not for it. Whoever is called instead should have answered. */
function notMeant(
  one: CorrectingEvent,
  event: ChatEventOf<'message'>,
  said: Exclude<SaidCorrection, { kind: 'silent' }>,
): Corrected[] {
  const wrong = wrongAnswer(one, event);
  if (wrong === undefined) return [];
  const { agent, answered } = wrong;
  const instead = calledBy(one.decisions).filter((called) => called !== agent);
  if (said.kind === 'meant') {
    // "I meant tomorrow" corrects nobody, and only who asked knows who was meant.
    if (answered.author !== authorKey(event) || (instead.length === 0 && !isSomebody(one, event, said.meant)))
      return [];
  }
  const asked = instead.filter((called) => decisionForAgent(answered, called) !== undefined);
  return [
    { agent, targetEventId: answered.key, label: 'should_have_stayed_quiet' },
    ...asked.map(
      (called): Corrected => ({
        agent: called,
        targetEventId: answered.key,
        label: 'should_have_answered',
      }),
    ),
  ];
}

/** The agent's message that is meant, and the person's message that it answered. */
function wrongAnswer(
  { before, decisions, roster }: CorrectingEvent,
  event: ChatEventOf<'message'>,
): { agent: string; answered: LogRow } | undefined {
  const messages = before.filter(({ type }) => type === 'message');
  const byAgent = messages.filter(({ author }) => author.startsWith('agent:'));
  const repliedTo = byAgent.find(({ key }) => key === event.replyTo?.eventId);
  const called = calledBy(decisions);
  const atHead = /^\s*(?:@|<@)/.test(event.text ?? '');
  const told = atHead ? byAgent.find((row) => called.includes(agentOf(row))) : undefined;
  const last = messages.find(({ author }) => author !== authorKey(event));
  const answer = repliedTo ?? told ?? (last?.author.startsWith('agent:') === true ? last : undefined);
  if (answer === undefined || !roster.byIdentity.has(agentOf(answer))) return undefined;
  const answered = answeredBy(answer, messages);
  return answered === undefined ? undefined : { agent: agentOf(answer), answered };
}

/** What the agent's message names as its question, else what a person said last before it. */
function answeredBy({ record: { event }, seq }: LogRow, messages: readonly LogRow[]): LogRow | undefined {
  if (event.type !== 'message') return undefined;
  const named = event.inReplyTo ?? event.replyTo?.eventId;
  if (named !== undefined) return messages.find(({ key }) => key === named);
  return messages.find((row) => row.seq < seq && row.author.startsWith('human:'));
}

/** "why didn't you answer?": the last message of the same person that the agent called here was not woken by. */
function unanswered(
  { before, decisions, roster }: CorrectingEvent,
  event: ChatEventOf<'message'>,
): Corrected[] {
  const called = calledBy(decisions);
  const [agent] =
    called.length === 0 && roster.agents.length === 1 ? roster.agents.map(({ id }) => id) : called;
  if (agent === undefined || called.length > 1) return [];
  const last = before.find(({ type, author }) => type === 'message' && author === authorKey(event));
  const decided = last === undefined ? undefined : decisionForAgent(last, agent);
  // It was woken and chose silence, or it is still working: attention made no mistake.
  if (last === undefined || decided === undefined || startsTurn(decided)) return [];
  return [{ agent, targetEventId: last.key, label: 'should_have_answered' }];
}

/** An agent steps back from a turn in which it has said nothing: what woke it was not for it. */
function steppedBack({ event, before }: CorrectingEvent): Corrected[] {
  const own = authorKey(event);
  const agent = event.author.id;
  const turnId = event.type === 'disengage' ? event.turnId : undefined;
  for (const row of before) {
    if (row.author !== own) continue;
    if (row.type === 'message') return [];
    const turn = row.record.event;
    if (turn.type !== 'turn' || turn.phase !== 'started') continue;
    if (turnId !== undefined && turn.turnId !== turnId) continue;
    const about = turn.eventIds?.at(-1);
    const woke = before.find(({ key, type }) => key === about && type === 'message');
    return woke === undefined ? [] : [{ agent, targetEventId: woke.key, label: 'should_have_stayed_quiet' }];
  }
  return [];
}

const CALLS: ReadonlySet<string> = new Set(['mention', 'reply', 'name', 'assignment', 'direct_message']);

/** The agents that the message is explicitly for. */
function calledBy(decisions: readonly Decision[]): string[] {
  return decisions
    .filter(({ directedness, trace }) => directedness === 'to_me' && CALLS.has(trace.as ?? trace.rung))
    .map(({ agent }) => agent);
}

/** Whether a name is that of somebody who is tagged, or who has spoken here. */
function isSomebody({ before }: CorrectingEvent, event: ChatEventOf<'message'>, meant: string): boolean {
  if ((event.mentions ?? []).some(({ kind }) => kind === 'human' || kind === 'agent')) return true;
  const wanted = meant.replaceAll(' ', '');
  return before.some(
    ({
      record: {
        event: { author },
      },
    }) =>
      [author.id, ...(author.displayName ?? '').split(' '), author.displayName ?? ''].some(
        (name) => wanted !== '' && foldText(name).replaceAll(/\s/g, '') === wanted,
      ),
  );
}

const authorKey = ({ author }: Pick<ChatEvent, 'author'>): string => `${author.kind}:${author.id}`;

const agentOf = ({ author }: LogRow): string => author.slice('agent:'.length);
