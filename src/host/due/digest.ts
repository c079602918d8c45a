// Digests: every quarter of an hour, per agent, when there is something: who was where, how much was said, what progress
// and status there was. Structured, must_not_respond, and without a word of any message; nothing that mentions or is
// assigned to the agent is ever rolled into one.
import type { Decision } from '../../attention/index.ts';
import type { LogRow } from '../../store/tables.ts';
import { agentRecordIn, readAgentRecord, writeAgentRecord } from '../kernel/agent-record.ts';
import type { HostContext } from '../kernel/context.ts';
import { agentStateKey } from '../kernel/conversation.ts';
import { decisionForAgent } from '../kernel/log-row.ts';
import { type DigestLine, newDelivery } from '../delivery/delivery-row.ts';
import { queueDelivery } from '../delivery/move.ts';
import { noChange } from '../kernel/change.ts';

export interface DigestDeps {
  context: HostContext;
  nextDigestAt(): number | undefined;
  digestsDone(at: number): void;
}

/** Log rows read at a time, and pages for one digest; the next one goes on from there. */
const DIGEST_ROWS = 2_000;
const DIGEST_PAGES = 50;
/** What is older is history, not news: an agent that joins late is not told all of it. */
const DIGEST_AGE_MS = 24 * 3_600_000;
const DIGEST_LINES = 20;

export async function sweepDigests(deps: DigestDeps): Promise<void> {
  const at = deps.nextDigestAt();
  const now = deps.context.clock.now();
  if (at === undefined || at > now) return;
  for (const agent of deps.context.attention.agents) await digestFor(deps.context, agent.id, now);
  deps.digestsDone(now);
}

async function digestFor(context: HostContext, agent: string, now: number): Promise<void> {
  const record = await readAgentRecord(context.store, agent);
  const rolled: LogRow[] = [];
  let position = record.digest.position;
  for (let page = 0; page < DIGEST_PAGES; page++) {
    const rows = await context.store.scan('log', 'byPosition', { after: position, limit: DIGEST_ROWS });
    position = rows.at(-1)?.position ?? position;
    const recent = rows.filter(({ at }) => at >= now - DIGEST_AGE_MS);
    rolled.push(...recent.filter((row) => decisionForAgent(row, agent)?.mode === 'digest'));
    if (rows.length < DIGEST_ROWS) break;
  }
  if (position === record.digest.position) return;
  const newest = rolled.at(-1);
  const delivery = newest === undefined ? undefined : deliveryFor(agent, newest, rolled, now);
  await context.apply({
    states: [agentStateKey(agent)],
    run(view) {
      const current = agentRecordIn(view, agent);
      const change = delivery === undefined ? noChange() : queueDelivery(delivery, newest);
      const digest = { position, at: now };
      const seen = writeAgentRecord(agent, { ...current, digest });
      return { writes: [seen, ...change.writes], news: change.news, result: undefined };
    },
  });
}

function deliveryFor(agent: string, newest: LogRow, rolled: readonly LogRow[], now: number) {
  const decision: Decision = {
    eventId: `digest:${agent}:${now}`,
    agent,
    decision: 'observe',
    directedness: 'ambient',
    policy: 'must_not_respond',
    mode: 'digest',
    context: 'none',
    reason: 'status',
    intent: 'status',
    priority: 'normal',
    trace: { rung: 'act', row: 'status', facts: { events: rolled.length } },
  };
  const detail = { digest: rollUp(rolled) };
  return newDelivery({ about: newest, decision, dueAt: null, dueFor: null, now, detail });
}

/** Grouped by stream, then conversation: who and how many, never what. */
export function rollUp(rows: readonly LogRow[]): DigestLine[] {
  const groups = Map.groupBy(
    rows,
    ({ record: { event } }) => `${event.conversation.streamId ?? ''} ${event.conversation.id}`,
  );
  return [...groups.entries()]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .slice(0, DIGEST_LINES)
    .map(([, group]) => {
      const { conversation } = group[0]?.record.event ?? {
        conversation: { id: '', kind: 'channel' as const },
      };
      const stream = 'streamId' in conversation ? conversation.streamId : undefined;
      return {
        where: `${conversation.kind}:${conversation.id}`,
        ...(stream === undefined ? {} : { stream }),
        events: group.length,
        authors: [...new Set(group.map((row) => row.author))].slice(0, 5),
        types: [...new Set(group.map((row) => row.type))],
      };
    });
}
