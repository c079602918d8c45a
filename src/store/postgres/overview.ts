// The nodes of a store as `doctor` shows them: who is alive, who holds what, how far readers are behind, what time it is.
import { systemClock } from '../../runtime/clock.ts';
import type { NodesOverview } from '../nodes.ts';
import type { Connections, Statement } from './connections.ts';

const NODES: Statement = {
  name: 'overview_nodes',
  text: `SELECT id, url, version, config, draining, extract(epoch FROM clock_timestamp() - until)::float8 * 1000
    FROM node WHERE version IS NOT NULL ORDER BY id`,
};
const LEASES: Statement = { name: 'overview_leases', text: 'SELECT name, node FROM lease ORDER BY name' };
const TIMES: Statement = {
  name: 'overview_times',
  text: `SELECT extract(epoch FROM clock_timestamp())::float8 * 1000, coalesce(max(
      extract(epoch FROM clock_timestamp() - a.xact_start)::float8 * 1000), 0)
    FROM pg_locks AS l JOIN pg_stat_activity AS a ON a.pid = l.pid
    WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.mode = 'ShareLock'
      AND (l.classid::bigint >> 16) = earshot_block_lock(0) >> 48`,
};

export async function readOverview(connections: Connections, leaseMs: number): Promise<NodesOverview> {
  type NodeAnswer = [string, string, string, string, boolean, number];
  const [nodes, leases] = await Promise.all([
    connections.read<NodeAnswer>(NODES),
    connections.read<[string, string]>(LEASES),
  ]);
  const sentAt = systemClock.now();
  const [times] = await connections.read<[number, number]>(TIMES);
  const [databaseMs = sentAt, horizonLagMs = 0] = times ?? [];
  return {
    nodes: nodes.map(([id, url, version, config, draining, pastMs]) => ({
      id,
      url,
      version,
      config,
      draining,
      silentMs: Math.max(0, Math.round(pastMs + leaseMs)),
    })),
    leases: leases.map(([name, node]) => ({ name, node })),
    horizonLagMs: Math.round(horizonLagMs),
    clockAheadMs: Math.round((sentAt + systemClock.now()) / 2 - databaseMs),
  };
}
