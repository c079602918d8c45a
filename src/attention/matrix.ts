// The policy matrix. Directedness says for whom a message is; this table says what may be done about it. Rows are
// checked from the top, and the first whose condition holds decides. The last row always holds, so the table is total.
// A test generates every cell of directedness × intent × author kind.
import {
  type AuthorKind,
  type ConversationMode,
  DIRECTEDNESS,
  type Directedness,
  type InjectionMode,
  type Intent,
  type Policy,
  type Reason,
} from '../protocol/vocabulary.ts';
import type { RungId } from './directedness.ts';
import type { Handling } from './injection.ts';
import type { LoopLevel } from './loop-guard.ts';

/** All that a row may look at. */
export interface Cell {
  directedness: Directedness;
  /** The rung that decided. For a fragment it is the inherited one. */
  rung: RungId;
  intent: Intent;
  authorKind: AuthorKind;
  /** Whether the author is this agent's lead, and whether this agent leads the author. */
  fromLead: boolean;
  fromWorker: boolean;
  /** A reply in a thread that the agent owns. */
  repliesInOwned: boolean;
  structural: boolean;
  loopLevel: LoopLevel;
  claimedByOther: boolean;
  /** Decided by rung 8 (exchange), and it is not sure that the agent is meant: somebody else spoke in between. */
  between: boolean;
  /** Decided by rung 8 (exchange), and the scorer is not sure that the agent is meant. */
  unsure: boolean;
  /** The message answers a question of this agent. */
  answersAsk: boolean;
  /** Another agent wrote it, and it puts neither a question nor a task to this agent. */
  asksNothing: boolean;
  mode: ConversationMode;
  openFloor: boolean;
  silentKind: boolean;
}

export interface MatrixRow {
  id: RowId;
  /** `to`: the directedness it is about. `holds`: what else must be true. `when`: both together. */
  to: readonly Directedness[];
  holds: (cell: Cell) => boolean;
  when: (cell: Cell) => boolean;
  policy: Policy;
  mode: InjectionMode;
  /** Policy and mode as the handling that may still be lowered. */
  handling: Handling;
  /** Replaces the rung's reason. */
  reason?: Reason;
  claimFirst?: true;
  offer?: 'one_at_a_time' | 'to_all' | 'open';
  groupNotice?: true;
}

export type RowId =
  | 'pairing'
  | 'denied'
  | 'obligation'
  | 'left'
  | 'silent_kind'
  | 'leave_request'
  | 'stop_request'
  | 'mode_request'
  | 'loop_stopped'
  | 'claimed_by_other'
  | 'status'
  | 'thanks_to_me'
  | 'thanks'
  | 'interrupt'
  | 'answer_from_agent'
  | 'agent_no_task'
  | 'explicit'
  | 'expects_answer'
  | 'expects_answer_between'
  | 'expects_answer_unsure'
  | 'named'
  | 'continues'
  | 'worker_thread'
  | 'direct_unclaimed'
  | 'role_mention'
  | 'followed_thread'
  | 'joined'
  | 'open_floor'
  | 'not_for_me'
  | 'amendment'
  | 'signal'
  | 'claimed';

/** What asks somebody to do something. */
export const TASKS: ReadonlySet<Intent> = new Set([
  'question',
  'request',
  'urgent',
  'safety',
  'blocker',
  'cancel',
  'stop',
  'leave',
  'mode_change',
]);

const EXPLICIT: ReadonlySet<RungId> = new Set(['direct_message', 'mention', 'reply', 'assignment']);
const OBEYS: ReadonlySet<RungId> = new Set([...EXPLICIT, 'name']);
/** Circumstances in which a person's request is for this agent, though it names nobody. */
const OBEYS_UNNAMED: ReadonlySet<RungId> = new Set(['exchange', 'solo_human', 'thread_question']);
/** What is said expects an answer. */
export const EXPECTS: ReadonlySet<Intent> = new Set([
  'question',
  'request',
  'approval',
  'rejection',
  'answer',
  'blocker',
  'urgent',
  'safety',
  'cancel',
]);
export const INTERRUPTS: ReadonlySet<Intent> = new Set(['urgent', 'safety', 'cancel']);
const isThanks = (cell: Cell): boolean => cell.intent === 'thanks' || cell.intent === 'ack';
/** When somebody else spoke in between, or it is not sure who is meant, a bare "stop" may be for them. */
const obeyed = (cell: Cell): boolean =>
  OBEYS.has(cell.rung) || (OBEYS_UNNAMED.has(cell.rung) && fromHuman(cell) && !cell.between && !cell.unsure);
const fromHuman = (cell: Cell): boolean => cell.authorKind === 'human';
const named = (cell: Cell): boolean => cell.rung === 'name';
const expects = (cell: Cell): boolean => EXPECTS.has(cell.intent);
const always = (): boolean => true;

const ME: readonly Directedness[] = ['to_me'];
const ROLE: readonly Directedness[] = ['to_my_role'];
const ADDRESSED: readonly Directedness[] = ['to_me', 'to_my_role'];
const OTHER: readonly Directedness[] = ['to_other'];
const AMBIENT: readonly Directedness[] = ['ambient'];
const NOT_ME: readonly Directedness[] = ['to_my_role', 'to_other', 'ambient'];

/** Rows of requests that the host obeys by itself. */
export const REQUEST_ROWS = { leave_request: 'leave', stop_request: 'stop', mode_request: 'mode' } as const;

/** A person's request beside a question or a task is obeyed too, and the agent answers the rest. */
export function obeysBeside(cell: Cell, { id }: MatrixRow): boolean {
  return cell.directedness === 'to_me' && fromHuman(cell) && obeyed(cell) && !(id in REQUEST_ROWS);
}

export const MATRIX: readonly MatrixRow[] = [
  row('obligation', ME, (cell) => cell.rung === 'obligation', 'must_respond', 'buffered'),
  row('left', OTHER, (cell) => cell.rung === 'left', 'must_not_respond', 'silent'),
  row('silent_kind', NOT_ME, (cell) => cell.silentKind, 'must_not_respond', 'silent', {
    reason: 'silent_kind',
  }),
  row('leave_request', ME, (cell) => obeyed(cell) && cell.intent === 'leave', 'ack_only', 'silent', {
    reason: 'leave_request',
  }),
  row(
    'stop_request',
    ME,
    (cell) => obeyed(cell) && fromHuman(cell) && cell.intent === 'stop',
    'ack_only',
    'silent',
    {
      reason: 'stop_request',
    },
  ),
  row(
    'mode_request',
    ME,
    (cell) => obeyed(cell) && fromHuman(cell) && cell.intent === 'mode_change',
    'ack_only',
    'silent',
    { reason: 'mode_request' },
  ),
  row('loop_stopped', ADDRESSED, (cell) => cell.loopLevel === 2, 'must_not_respond', 'tool_mailbox', {
    reason: 'loop_stopped',
  }),
  row('claimed_by_other', NOT_ME, (cell) => cell.claimedByOther, 'must_not_respond', 'tool_mailbox', {
    reason: 'claimed_by_other',
  }),
  row(
    'direct_unclaimed',
    ROLE,
    (cell) => cell.rung === 'direct_message' && !isThanks(cell),
    'may_respond',
    'notify',
    { claimFirst: true, offer: 'to_all' },
  ),
  row('status', NOT_ME, (cell) => cell.structural || cell.intent === 'status', 'must_not_respond', 'digest', {
    reason: 'status',
  }),
  row('thanks_to_me', ME, isThanks, 'ack_only', 'silent', { reason: 'thanks' }),
  row('thanks', ROLE, isThanks, 'must_not_respond', 'tool_mailbox', { reason: 'thanks' }),
  row(
    'interrupt',
    ME,
    (cell) =>
      (fromHuman(cell) || cell.fromLead) && INTERRUPTS.has(cell.intent) && !named(cell) && !cell.unsure,
    'must_respond',
    'immediate',
  ),
  row('answer_from_agent', ME, (cell) => cell.asksNothing && cell.answersAsk, 'may_respond', 'buffered'),
  row('agent_no_task', ME, (cell) => cell.asksNothing, 'may_respond', 'notify'),
  row('explicit', ME, (cell) => EXPLICIT.has(cell.rung), 'must_respond', 'buffered'),
  row('named', ME, named, 'may_respond', 'buffered', { groupNotice: true }),
  row('expects_answer_unsure', ME, (cell) => expects(cell) && cell.unsure, 'may_respond', 'buffered', {
    groupNotice: true,
  }),
  row('expects_answer_between', ME, (cell) => expects(cell) && cell.between, 'may_respond', 'buffered', {
    groupNotice: true,
  }),
  row('expects_answer', ME, expects, 'must_respond', 'buffered'),
  row('continues', ME, always, 'may_respond', 'buffered', { groupNotice: true }),
  row('role_mention', ROLE, (cell) => cell.rung === 'role_mention', 'may_respond', 'notify', {
    claimFirst: true,
    offer: 'one_at_a_time',
  }),
  row('worker_thread', ROLE, (cell) => cell.fromWorker && !cell.repliesInOwned, 'must_not_respond', 'digest'),
  row(
    'followed_thread',
    ROLE,
    (cell) => cell.mode === 'follow' && cell.rung === 'thread_participation',
    'may_respond',
    'buffered',
  ),
  row('joined', ROLE, always, 'may_respond', 'notify'),
  row('open_floor', AMBIENT, (cell) => cell.openFloor, 'may_respond', 'notify', {
    claimFirst: true,
    offer: 'open',
    reason: 'open_floor',
  }),
  row('not_for_me', DIRECTEDNESS, always, 'must_not_respond', 'tool_mailbox'),
];

const rowsFor = (directedness: Directedness): readonly MatrixRow[] =>
  MATRIX.filter(({ to }) => to.includes(directedness));

/** Most messages are not for the agent. Their decisions check only a quarter of the rows. */
const ROWS_FOR: Record<Directedness, readonly MatrixRow[]> = {
  to_me: rowsFor('to_me'),
  to_my_role: rowsFor('to_my_role'),
  to_other: rowsFor('to_other'),
  ambient: rowsFor('ambient'),
};

export function decidePolicy(cell: Cell): MatrixRow {
  for (const candidate of ROWS_FOR[cell.directedness]) if (candidate.holds(cell)) return candidate;
  throw new Error('the last row of the matrix always holds');
}

function row(
  id: RowId,
  to: readonly Directedness[],
  holds: MatrixRow['holds'],
  policy: Policy,
  mode: InjectionMode,
  more: Partial<Pick<MatrixRow, 'reason' | 'claimFirst' | 'offer' | 'groupNotice'>> = {},
): MatrixRow {
  const when = (cell: Cell): boolean => to.includes(cell.directedness) && holds(cell);
  const handling: Handling = { policy, mode, claimFirst: more.claimFirst === true, lowered: [] };
  return { id, to, holds, when, policy, mode, handling, ...more };
}
