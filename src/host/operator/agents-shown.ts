// An agent as an operator sees it: whether it is connected, what it works on, what waits for it, what it owes, and its
// modes.
import { turnRecordId } from '../turn/turns.ts';
import { blockedOn, blocks, owes } from '../../attention/index.ts';
import { identity } from '../../protocol/identity.ts';
import type { ShownAgent, ShownClaim } from '../../protocol/operator-api.ts';
import type { AgentRecord } from '../kernel/agent-record.ts';
import { type Budget, levelOf, spentToday } from '../kernel/budget.ts';
import { agentStateKey } from '../kernel/conversation.ts';
import type { ServerContext } from '../http/context.ts';
import { type OpenObligations, shownObligation } from './obligations-shown.ts';
import type { AgentConversations } from './conversations-shown.ts';
import { iso } from '../../protocol/log-record.ts';

/** At most this many open deliveries are counted. When there are more, `more` is true. */
export const QUEUE_COUNTED_MAX = 200;
/** At most this many obligations are shown per agent and direction. /v1/obligations lists all. */
const OBLIGATIONS_SHOWN = 20;

type AgentConfig = ServerContext['host']['context']['attention']['agents'][number];

/** Data that is read once for all agents of an answer. */
export interface SharedReads {
  open: OpenObligations;
  claims: readonly ShownClaim[];
  conversationsOf: (agent: string) => AgentConversations;
}

export async function shownAgent(
  context: ServerContext,
  { id, name, aliases, roles, lead, budget }: AgentConfig,
  { open, claims, conversationsOf }: SharedReads,
): Promise<ShownAgent> {
  const { host, clock } = context;
  const { store } = host.context;
  const record = (await store.state(agentStateKey(id))) as AgentRecord | undefined;
  const session = await store.get('session', id);
  const connected = host.courier.connected(id);
  await host.presence.renew(id);
  const focused = record !== undefined && record.focusUntil > clock.now();
  const me = identity('agent', id);
  const shown = (rows: ReturnType<typeof owes>) =>
    rows.slice(0, OBLIGATIONS_SHOWN).map((row) => shownObligation(open, row));
  const { loops, modes } = conversationsOf(id);
  return {
    id,
    name: name ?? id,
    aliases,
    roles,
    lead: lead ?? null,
    connected,
    away: host.presence.isAway(id),
    load: host.courier.agents().find(({ agent }) => agent === id)?.load ?? 0,
    busy: record === undefined ? null : await busyWith(context, id, record),
    failing: failingOf(record),
    calls: callsOf(context, id),
    queue: await queueOf(context, id),
    obligations: {
      owes: shown(owes(open.state, me, open.now)),
      blockedOn: shown(blockedOn(open.state, me, open.now)),
      blocks: blocks(open.state, me, open.now).length,
    },
    claims: claims.filter(({ agent }) => agent === id),
    loops: loops.toSorted((a, b) => b.count - a.count),
    modes,
    focusUntil: focused ? iso(record.focusUntil) : null,
    spent: shownSpent(record, budget, clock.now()),
    lastSession:
      session === undefined
        ? null
        : {
            epoch: session.epoch,
            openedAt: iso(session.openedAt),
            closedAt: session.closedAt === null ? null : iso(session.closedAt),
            protocolVersion: session.protocolVersion,
          },
    lastSeenAt: connected
      ? iso(clock.now())
      : session === undefined
        ? null
        : iso(session.closedAt ?? session.openedAt),
  };
}

function shownSpent(
  record: AgentRecord | undefined,
  budget: AgentConfig['budget'],
  now: number,
): ShownAgent['spent'] {
  const today = spentToday(record, now);
  const { turns = 0, tokens = 0, estimatedTokens = 0, usd = 0 } = today ?? {};
  const { stopAt: _, ...limits } = budget ?? { stopAt: 1 };
  return {
    turns,
    tokens,
    tokensEstimated: estimatedTokens,
    usd: Number(usd.toFixed(6)),
    budget: budget === undefined ? null : definedOnly(limits),
    level: levelOf(budget, today) ?? 'within',
  };
}

function definedOnly(limits: Omit<Budget, 'stopAt'>): NonNullable<ShownAgent['spent']['budget']> {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}

/** The agent's current turn: it was reported, has not ended, and still has an open delivery. */
async function busyWith(
  { host }: ServerContext,
  agent: string,
  record: AgentRecord,
): Promise<ShownAgent['busy']> {
  const { store } = host.context;
  for (const turn of record.turns) {
    if (turn.ended) continue;
    const rows = await Promise.all(turn.deliveries.map((key) => store.get('delivery', key)));
    const taken = rows.filter((row) => row?.state === 'turn_taken' && row.turnId === turn.id);
    const [first] = taken;
    if (first === undefined) continue;
    const started = await store.get(
      'log',
      turnRecordId({ agent, turnId: turn.id, phase: 'started' }, first.conversation),
    );
    return {
      turnId: turn.id,
      since: started === undefined ? null : iso(started.at),
      eventIds: taken.flatMap((row) => row?.eventId ?? []),
      sends: turn.sends,
    };
  }
  return null;
}

function callsOf({ host }: ServerContext, agent: string): ShownAgent['calls'] {
  const { running, waiting, refused } = host.context.shares.of(`agent:${agent}`);
  return { running, waiting, refused: refused === undefined ? null : { ...refused, at: iso(refused.at) } };
}

function failingOf(record: AgentRecord | undefined): ShownAgent['failing'] {
  if (record?.failing === undefined) return null;
  const { turns, since, at, error = null } = record.failing;
  return { turns, since: iso(since), at: iso(at), error };
}

async function queueOf({ host }: ServerContext, agent: string): Promise<ShownAgent['queue']> {
  const rows = await host.context.store.scan('delivery', 'openByAgent', {
    eq: [agent, 1],
    limit: QUEUE_COUNTED_MAX,
  });
  const [oldest] = rows;
  return {
    open: rows.length,
    mustRespond: rows.filter(({ policy }) => policy === 'must_respond').length,
    oldestAt: oldest === undefined ? null : iso(oldest.createdAt),
    more: rows.length === QUEUE_COUNTED_MAX,
  };
}
