// Digests: every `digestMs`, each agent with something to report gets one delivery that says who wrote how much where,
// and the figures of the work there. A digest is must_not_respond and has no text of any message. It covers only events
// that were decided as `digest`, and the claims, resolves and signals of others where the agent may read; so nothing
// that is addressed to the agent is hidden in one.
import { type Decision, agentKey } from '../../attention/index.ts';
import { hostId } from '../../protocol/derived-id.ts';
import type { LogRow } from '../../store/tables.ts';
import { agentRecordIn, readAgentRecord, writeAgentRecord } from '../kernel/agent-record.ts';
import type { HostContext } from '../kernel/context.ts';
import { type ConversationState, agentStateKey, readConversation } from '../kernel/conversation.ts';
import { decisionForAgent } from '../kernel/log-row.ts';
import { type DigestLine, newDelivery } from '../delivery/delivery-row.ts';
import { queueDelivery } from '../delivery/move.ts';
import { noChange } from '../kernel/change.ts';
import { mayReadRoom } from '../read/may-read.ts';
import { type DigestGroup, digestLines } from './digest-lines.ts';

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

export async function sweepDigests(deps: DigestDeps): Promise<void> {
  const at = deps.nextDigestAt();
  const now = deps.context.clock.now();
  if (at === undefined || at > now) return;
  for (const agent of deps.context.attention.agents) await digestFor(deps.context, agent.id, now);
  deps.digestsDone(now);
}

async function digestFor(context: HostContext, agent: string, now: number): Promise<void> {
  const record = await readAgentRecord(context.store, agent);
  // Another host of this store has just made it.
  if (record.digest.at + context.settings.limits.digestMs > now) return;
  const end = (await context.store.horizon()) + 1;
  const covered: LogRow[] = [];
  const acts: LogRow[] = [];
  let position = record.digest.position;
  for (let page = 0; page < DIGEST_PAGES; page++) {
    const range = { after: position, before: end, limit: DIGEST_ROWS };
    const rows = await context.store.scan('log', 'byPosition', range);
    position = rows.at(-1)?.position ?? position;
    const recent = rows.filter(({ at }) => at >= now - DIGEST_AGE_MS);
    covered.push(...recent.filter((row) => decisionForAgent(row, agent)?.mode === 'digest'));
    acts.push(...recent.filter(({ type, author }) => ACTS.has(type) && author !== `agent:${agent}`));
    if (rows.length < DIGEST_ROWS) break;
  }
  if (position === record.digest.position) return;
  const groups = await readableGroups(context, agent, covered, acts);
  const newest = groups
    .flatMap((group) => [...group.covered, ...group.acts])
    .toSorted(byTime)
    .at(-1);
  const lines = digestLines(groups, (state, key) => context.rosterAt(state.place).byKey.get(key)?.id, now);
  const delivery = newest === undefined ? undefined : digestDelivery(agent, newest, lines, now);
  await context.apply({
    states: [agentStateKey(agent)],
    run(view) {
      const current = agentRecordIn(view, agent);
      if (current.digest.position !== record.digest.position) return { ...noChange(), result: undefined };
      const change = delivery === undefined ? noChange() : queueDelivery(delivery, newest);
      const digest = { position, at: now };
      const seen = writeAgentRecord(agent, { ...current, digest });
      return { writes: [seen, ...change.writes], news: change.news, result: undefined };
    },
  });
}

function digestDelivery(agent: string, newest: LogRow, lines: readonly DigestLine[], now: number) {
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
    trace: {
      rung: 'act',
      row: 'status',
      facts: { events: lines.reduce((sum, { events }) => sum + events, 0) },
    },
  };
  const detail = { digest: lines };
  return newDelivery({ about: newest, decision, dueAt: null, dueFor: null, now, detail });
}

const byTime = (a: LogRow, b: LogRow): number => a.at - b.at;

/** Records that say how work stands. Signals alone make no digest. */
const ACTS: ReadonlySet<string> = new Set(['claim', 'resolve', 'reaction']);

/** By conversation. What others did is left out where the agent may not read, or has left. */
async function readableGroups(
  context: HostContext,
  agent: string,
  covered: readonly LogRow[],
  acts: readonly LogRow[],
): Promise<DigestGroup[]> {
  const told = Map.groupBy(covered, ({ conversation }) => conversation);
  const done = Map.groupBy(acts, ({ conversation }) => conversation);
  const groups: DigestGroup[] = [];
  for (const key of new Set([...told.keys(), ...done.keys()])) {
    const own = told.get(key) ?? [];
    const others = done.get(key) ?? [];
    if (own.length === 0 && others.every(({ type }) => type === 'reaction')) continue;
    const state = await readConversation(context.store, key);
    const readable = state !== undefined && (await mayFollow(context, agent, key, state));
    if (own.length === 0 && !readable) continue;
    groups.push({ covered: own, acts: readable ? others : [], state: readable ? state : undefined });
  }
  return groups;
}

async function mayFollow(
  context: HostContext,
  agent: string,
  key: string,
  { attention }: ConversationState,
): Promise<boolean> {
  const mode = attention.agents.find((one) => one.key === agentKey(agent))?.mode;
  return mode !== 'left' && (await mayReadRoom(context, agent, key));
}
