// An agent as an operator sees it: is it there, what is it doing, what waits for it, what does it owe, and how is it set.
import { blockedOn, blocks, owes } from '../../attention/index.ts';
import { identity } from '../../protocol/identity.ts';
import type { ShownAgent, ShownClaim } from '../../protocol/operator-api.ts';
import type { AgentRecord } from '../kernel/agent-record.ts';
import { agentStateKey } from '../kernel/conversation.ts';
import type { ServerContext } from '../http/context.ts';
import { type OpenObligations, shownObligation } from './obligations-shown.ts';
import type { RoomsOf } from './rooms-shown.ts';
import { iso } from '../../protocol/log-record.ts';

/** Open deliveries counted. Beyond, `more` is true. */
export const COUNTED_MAX = 200;
/** Obligations shown per agent and direction; /v1/obligations has them all. */
const OBLIGATIONS_SHOWN = 20;

type Settings = ServerContext['host']['context']['attention']['agents'][number];

/** What is read once for all agents of an answer. */
export interface Around {
  open: OpenObligations;
  claims: readonly ShownClaim[];
  rooms: (agent: string) => RoomsOf;
}

export async function shownAgent(
  context: ServerContext,
  { id, name, aliases, roles, lead }: Settings,
  { open, claims, rooms }: Around,
): Promise<ShownAgent> {
  const { host, clock } = context;
  const { store } = host.context;
  const record = (await store.state(agentStateKey(id))) as AgentRecord | undefined;
  const session = await store.get('session', id);
  const connected = host.courier.connected(id);
  const focused = record !== undefined && record.focusUntil > clock.now();
  const me = identity('agent', id);
  const shown = (rows: ReturnType<typeof owes>) =>
    rows.slice(0, OBLIGATIONS_SHOWN).map((row) => shownObligation(open, row));
  const { loops, modes } = rooms(id);
  return {
    id,
    name: name ?? id,
    aliases,
    roles,
    lead: lead ?? null,
    connected,
    load: host.courier.agents().find(({ agent }) => agent === id)?.load ?? 0,
    busy: record === undefined ? null : await busyWith(context, id, record),
    queue: await queueOf(context, id),
    obligations: {
      owes: shown(owes(open.state, me, open.now)),
      blockedOn: shown(blockedOn(open.state, me, open.now)),
      blocks: blocks(open.state, me, open.now).length,
    },
    claims: claims.filter(({ agent }) => agent === id),
    loops: loops.toSorted((a, b) => b.agentTurns - a.agentTurns),
    modes,
    focusUntil: focused ? iso(record.focusUntil) : null,
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

/** A turn that was reported, has not ended, and still holds something open. */
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
    const started = await store.get('log', startedId(turn.id, agent, first.conversation));
    return {
      turnId: turn.id,
      since: started === undefined ? null : iso(started.at),
      eventIds: taken.flatMap((row) => row?.eventId ?? []),
      sends: turn.sends,
    };
  }
  return null;
}

/** As the log's own record of the start is called. */
function startedId(turnId: string, agent: string, conversation: string): string {
  return `turn:${turnId}:started:${agent}:${conversation}`.slice(0, 256);
}

async function queueOf({ host }: ServerContext, agent: string): Promise<ShownAgent['queue']> {
  const rows = await host.context.store.scan('delivery', 'openByAgent', {
    eq: [agent, 1],
    limit: COUNTED_MAX,
  });
  const [oldest] = rows;
  return {
    open: rows.length,
    mustRespond: rows.filter(({ policy }) => policy === 'must_respond').length,
    oldestAt: oldest === undefined ? null : iso(oldest.createdAt),
    more: rows.length === COUNTED_MAX,
  };
}
