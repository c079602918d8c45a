// Where people in the chat have moved the dial of agents, what it is at there, and whose words did it. The words are a
// record in the log, and the decision about them says what they ask for.
import { dialHere } from '../../attention/index.ts';
import { iso } from '../../protocol/log-record.ts';
import type { DialMovesAnswer, MovedDial } from '../../protocol/settings-api.ts';
import { nextTurn } from '../../runtime/schedule.ts';
import type { LogRow } from '../../store/tables.ts';
import type { ServerContext } from '../http/context.ts';
import { conversationKeys, readConversation } from '../kernel/conversation.ts';
import { decisionForAgent } from '../kernel/log-row.ts';
import { CONVERSATIONS_READ_MAX } from './conversations-shown.ts';

const A_STEP = 100;
/** How far back the words are looked for in a conversation. */
export const RECORDS_READ_MAX = 5_000;
const PAGE = 500;
const MOVES: ReadonlySet<unknown> = new Set(['quieter', 'keener']);

export async function dialMoves(context: ServerContext): Promise<DialMovesAnswer> {
  const { store } = context.host.context;
  const moves: MovedDial[] = [];
  let looked = 0;
  for (let after = ''; looked < CONVERSATIONS_READ_MAX; ) {
    const keys = await conversationKeys(store, after, A_STEP);
    for (const key of keys) moves.push(...(await movesIn(context, key)));
    looked += keys.length;
    after = keys.at(-1) ?? after;
    if (keys.length < A_STEP) return { moves, complete: true };
    await new Promise<void>(nextTurn);
  }
  return { moves, complete: false };
}

async function movesIn(context: ServerContext, key: string): Promise<MovedDial[]> {
  const { context: host } = context.host;
  const state = await readConversation(host.store, key);
  const moves: MovedDial[] = [];
  if (state?.attention.agents.some(({ dial }) => dial !== null) !== true) return moves;
  for (const agent of host.rosterAt(state.place).agents) {
    const { asked: notch, attention: number } = dialHere(state.attention, agent);
    if (notch === undefined) continue;
    const row = await lastMove(context, key, agent.id, state.attention.seq);
    const author = row?.record.event.author;
    const by = author === undefined ? null : (author.displayName ?? author.id);
    const at = row === undefined ? null : iso(row.at);
    moves.push({ agent: agent.id, key, ...state.place, notch, number, by, at });
  }
  return moves;
}

/** The newest words that moved it, a page of records at a time. */
async function lastMove(
  context: ServerContext,
  key: string,
  agent: string,
  newest: number,
): Promise<LogRow | undefined> {
  const { store } = context.host.context;
  const oldest = Math.max(0, newest - RECORDS_READ_MAX);
  for (let before = newest + 1; before > oldest + 1; ) {
    const after = Math.max(oldest, before - 1 - PAGE);
    const rows = await store.scan('log', 'byConversation', { eq: [key], after, before, limit: PAGE });
    const found = rows.findLast((row) => isMove(row, agent));
    if (found !== undefined) return found;
    before = after + 1;
    await new Promise<void>(nextTurn);
  }
  return undefined;
}

function isMove(row: LogRow, agent: string): boolean {
  const facts = decisionForAgent(row, agent)?.trace.facts;
  return facts !== undefined && (MOVES.has(facts['dial']) || MOVES.has(facts['asksToo']));
}
