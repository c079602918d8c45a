// Digests: every `digestMs`, each agent with something to report gets one delivery that says who wrote how much where.
// A digest is must_not_respond and has no text of any message. It covers only events that were decided as `digest`, so
// nothing that is addressed to the agent is hidden in one.
import type { Decision } from '../../attention/index.ts';
import { hostId } from '../../protocol/derived-id.ts';
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

/** Log rows in a page, and pages in one digest. The next digest continues there. */
const DIGEST_ROWS = 2_000;
const DIGEST_PAGES = 50;
/** Older events are left out, so that an agent that joins late does not get the whole history. */
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
  const covered: LogRow[] = [];
  let position = record.digest.position;
  for (let page = 0; page < DIGEST_PAGES; page++) {
    const rows = await context.store.scan('log', 'byPosition', { after: position, limit: DIGEST_ROWS });
    position = rows.at(-1)?.position ?? position;
    const recent = rows.filter(({ at }) => at >= now - DIGEST_AGE_MS);
    covered.push(...recent.filter((row) => decisionForAgent(row, agent)?.mode === 'digest'));
    if (rows.length < DIGEST_ROWS) break;
  }
  if (position === record.digest.position) return;
  const newest = covered.at(-1);
  const delivery = newest === undefined ? undefined : digestDelivery(agent, newest, covered, now);
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

function digestDelivery(agent: string, newest: LogRow, covered: readonly LogRow[], now: number) {
  const decision: Decision = {
    eventId: hostId('digest', agent, now),
    agent,
    decision: 'observe',
    directedness: 'ambient',
    policy: 'must_not_respond',
    mode: 'digest',
    context: 'none',
    reason: 'status',
    intent: 'status',
    priority: 'normal',
    trace: { rung: 'act', row: 'status', facts: { events: covered.length } },
  };
  const detail = { digest: linesOf(covered) };
  return newDelivery({ about: newest, decision, dueAt: null, dueFor: null, now, detail });
}

/** One line per stream and conversation: who wrote and how much, never what. */
function linesOf(rows: readonly LogRow[]): DigestLine[] {
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
