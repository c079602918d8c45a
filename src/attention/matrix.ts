// The policy matrix: directedness says whom a message is for, this table says what may be done about it. Rows are
// data, looked at from the top; the first whose condition holds decides. The last row holds always, so the table
// is total; a test generates every cell of directedness × intent × author kind.
import type {
  AuthorKind,
  ConversationMode,
  Directedness,
  InjectionMode,
  Intent,
  Policy,
  Reason,
} from '../protocol/vocabulary.ts';
import type { RungId } from './directedness.ts';
import type { LoopLevel } from './loop-guard.ts';

/** Everything a row may look at. */
export interface Cell {
  directedness: Directedness;
  /** The rung that decided; the inherited one for a fragment. */
  rung: RungId;
  intent: Intent;
  authorKind: AuthorKind;
  /** The author is this agent's lead, or is led by it. */
  fromLead: boolean;
  fromWorker: boolean;
  structural: boolean;
  loopLevel: LoopLevel;
  claimedByOther: boolean;
  /** Rung 8 with somebody else in between. */
  between: boolean;
  /** It answers a question this agent has put. */
  answersAsk: boolean;
  mode: ConversationMode;
  openFloor: boolean;
  silentKind: boolean;
}

export interface Row {
  id: RowId;
  when: (cell: Cell) => boolean;
  policy: Policy;
  mode: InjectionMode;
  /** Replaces the rung's reason. */
  reason?: Reason;
  claimFirst?: true;
  offer?: 'one_at_a_time' | 'open';
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
  | 'explicit'
  | 'expects_answer'
  | 'expects_answer_between'
  | 'continues'
  | 'worker_thread'
  | 'role_mention'
  | 'followed_thread'
  | 'joined'
  | 'open_floor'
  | 'not_for_me'
  | 'amendment'
  | 'signal'
  | 'claimed';

const EXPLICIT: ReadonlySet<RungId> = new Set(['direct_message', 'mention', 'reply', 'assignment']);
const OBEYS: ReadonlySet<RungId> = new Set([...EXPLICIT, 'name']);
const EXPECTS: ReadonlySet<Intent> = new Set([
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
const toMe = (cell: Cell): boolean => cell.directedness === 'to_me';
const addressed = (cell: Cell): boolean => toMe(cell) || cell.directedness === 'to_my_role';
const isThanks = (cell: Cell): boolean => cell.intent === 'thanks' || cell.intent === 'ack';
const obeyed = (cell: Cell): boolean => toMe(cell) && OBEYS.has(cell.rung);
const fromHuman = (cell: Cell): boolean => cell.authorKind === 'human';
const expects = (cell: Cell): boolean => toMe(cell) && EXPECTS.has(cell.intent);

export const MATRIX: readonly Row[] = [
  row('obligation', (cell) => cell.rung === 'obligation', 'must_respond', 'buffered'),
  row('left', (cell) => cell.rung === 'left', 'must_not_respond', 'silent'),
  row('silent_kind', (cell) => cell.silentKind && !toMe(cell), 'must_not_respond', 'silent', {
    reason: 'silent_kind',
  }),
  row('leave_request', (cell) => obeyed(cell) && cell.intent === 'leave', 'ack_only', 'silent', {
    reason: 'leave_request',
  }),
  row(
    'stop_request',
    (cell) => obeyed(cell) && fromHuman(cell) && cell.intent === 'stop',
    'ack_only',
    'silent',
    {
      reason: 'stop_request',
    },
  ),
  row(
    'mode_request',
    (cell) => obeyed(cell) && fromHuman(cell) && cell.intent === 'mode_change',
    'ack_only',
    'silent',
    { reason: 'mode_request' },
  ),
  row('loop_stopped', (cell) => cell.loopLevel === 2 && addressed(cell), 'must_not_respond', 'tool_mailbox', {
    reason: 'loop_stopped',
  }),
  row('claimed_by_other', (cell) => cell.claimedByOther && !toMe(cell), 'must_not_respond', 'tool_mailbox', {
    reason: 'claimed_by_other',
  }),
  row(
    'status',
    (cell) => (cell.structural || cell.intent === 'status') && !toMe(cell),
    'must_not_respond',
    'digest',
    { reason: 'status' },
  ),
  row('thanks_to_me', (cell) => isThanks(cell) && toMe(cell), 'ack_only', 'silent', { reason: 'thanks' }),
  row(
    'thanks',
    (cell) => isThanks(cell) && cell.directedness === 'to_my_role',
    'must_not_respond',
    'tool_mailbox',
    { reason: 'thanks' },
  ),
  row(
    'interrupt',
    (cell) => toMe(cell) && (fromHuman(cell) || cell.fromLead) && INTERRUPTS.has(cell.intent),
    'must_respond',
    'immediate',
  ),
  row(
    'answer_from_agent',
    (cell) =>
      toMe(cell) &&
      cell.authorKind === 'agent' &&
      EXPLICIT.has(cell.rung) &&
      cell.answersAsk &&
      cell.intent === 'answer',
    'may_respond',
    'buffered',
  ),
  row('explicit', (cell) => toMe(cell) && EXPLICIT.has(cell.rung), 'must_respond', 'buffered'),
  row('expects_answer_between', (cell) => expects(cell) && cell.between, 'may_respond', 'buffered', {
    groupNotice: true,
  }),
  row('expects_answer', expects, 'must_respond', 'buffered'),
  row('continues', toMe, 'may_respond', 'buffered', { groupNotice: true }),
  row('role_mention', (cell) => cell.rung === 'role_mention', 'may_respond', 'notify', {
    claimFirst: true,
    offer: 'one_at_a_time',
  }),
  row(
    'worker_thread',
    (cell) => cell.directedness === 'to_my_role' && cell.fromWorker,
    'must_not_respond',
    'digest',
  ),
  row(
    'followed_thread',
    (cell) => cell.mode === 'follow' && cell.rung === 'thread_participation',
    'may_respond',
    'buffered',
  ),
  row('joined', (cell) => cell.directedness === 'to_my_role', 'may_respond', 'notify'),
  row('open_floor', (cell) => cell.openFloor && cell.directedness === 'ambient', 'may_respond', 'notify', {
    claimFirst: true,
    offer: 'open',
    reason: 'open_floor',
  }),
  row('not_for_me', () => true, 'must_not_respond', 'tool_mailbox'),
];

export function decidePolicy(cell: Cell): Row {
  for (const candidate of MATRIX) if (candidate.when(cell)) return candidate;
  throw new Error('the last row of the matrix always holds');
}

function row(
  id: RowId,
  when: Row['when'],
  policy: Policy,
  mode: InjectionMode,
  more: Partial<Pick<Row, 'reason' | 'claimFirst' | 'offer' | 'groupNotice'>> = {},
): Row {
  return { id, when, policy, mode, ...more };
}
