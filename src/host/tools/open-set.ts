// chat.open_set: the open obligations that concern the caller, the most blocking first.
import { askedNow, blockedOn, blocks, dischargeable, listOf, openById, owes } from '../../attention/index.ts';
import { identity } from '../../protocol/identity.ts';
import { iso } from '../../protocol/log-record.ts';
import type { OpenObligation } from '../../protocol/obligation.ts';
import type { ToolInput } from '../../protocol/tools.ts';
import { directoryOf } from '../kernel/context.ts';
import { answerPage } from './answer-page.ts';
import { readAllObligations } from '../kernel/obligations.ts';
import { badCursor, PAGE } from './read.ts';
import type { ToolAnswer, ToolContext } from './tool-context.ts';

const QUERIES = { owe: owes, blocking: blocks, blocked_on: blockedOn, may_discharge: dischargeable };
type Row = ReturnType<(typeof QUERIES)['owe']>[number];

export async function openSet(
  input: ToolInput<'chat.open_set'>,
  { context, agent }: ToolContext,
): Promise<ToolAnswer<'chat.open_set'>> {
  const state = await readAllObligations(context.store);
  const query = QUERIES[input.query];
  const rows = query(state, identity('agent', agent), context.clock.now(), directoryOf(context));
  const from = input.cursor === undefined ? 0 : Number(input.cursor);
  if (!Number.isSafeInteger(from) || from < 0) return badCursor();
  const open = openById(state);
  const page = answerPage<OpenObligation>(input.limit ?? PAGE);
  for (const row of rows.slice(from)) if (page.full || !page.take(shown(open, row))) break;
  const { items: obligations } = page;
  const next = from + obligations.length;
  return {
    ok: true,
    result: rows.length > next ? { obligations, nextCursor: String(next) } : { obligations },
  };
}

function shown(open: ReturnType<typeof openById>, row: Row): OpenObligation {
  return {
    obligationId: row.id.slice(0, 256),
    eventId: row.eventId,
    author: row.author,
    recipient: row.recipient,
    obligation: { blocks: row.blocks, defaultAction: row.defaultAction },
    createdAt: iso(row.createdAt),
    ageMs: row.ageMs,
    returns: row.returned,
    askedNow: askedNow(open, row),
    ...(row.kind === 'escalation' ? { items: listOf(open, row).map(({ eventId }) => eventId) } : {}),
    state: row.paused ? 'paused' : row.escalatedTo !== null ? 'escalated' : 'open',
  };
}
