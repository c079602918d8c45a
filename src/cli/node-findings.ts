// What `earshot doctor` says about the nodes that share a database.
import type { StoreHealth } from '../host/operator/routes/health.ts';
import type { Finding } from './agent-findings.ts';

const LIMITS = {
  /** Waits and deadlines go by the database's clock; people compare it with their own. */
  clockMs: 2_000,
  /** Readers with a cursor are so far behind at most: a stopped node holds a commit for no longer. */
  horizonMs: 5_000,
  silentMs: 5_000,
};

export function nodeFindings({ nodes: overview }: StoreHealth): Finding[] {
  if (overview === undefined) return [];
  const { nodes, clockAheadMs, horizonLagMs } = overview;
  const what = 'nodes';
  const findings: Finding[] = [
    Math.abs(clockAheadMs) < LIMITS.clockMs
      ? {
          what,
          ok: true,
          said: `the clocks of this machine and of the database agree within ${LIMITS.clockMs} ms`,
        }
      : {
          what,
          ok: false,
          said: `this machine's clock is ${Math.abs(clockAheadMs)} ms ${clockAheadMs > 0 ? 'ahead of' : 'behind'} the database's`,
          fix: 'set both by NTP',
        },
    horizonLagMs < LIMITS.horizonMs
      ? { what, ok: true, said: `readers are ${horizonLagMs} ms behind the oldest commit under way` }
      : {
          what,
          ok: false,
          said: `a commit has been under way for ${horizonLagMs} ms, and readers wait behind it`,
          fix: 'look in pg_stat_activity for the transaction of a node that hangs',
        },
  ];
  for (const { id, url, silentMs, draining } of nodes) {
    const said = `${url === '' ? id : url}${draining ? ', draining' : ''}`;
    findings.push(
      silentMs < LIMITS.silentMs
        ? { what, ok: true, said: `${said}: alive` }
        : { what, ok: false, said: `${said}: silent for ${silentMs} ms`, fix: 'it is given up after 10 s' },
    );
  }
  const versions = differing(nodes, ({ version }) => version);
  if (versions !== undefined)
    findings.push({
      what,
      ok: false,
      said: `versions differ: ${versions}`,
      fix: 'finish the upgrade',
    });
  const configs = differing(nodes, ({ config }) => config.slice(0, 12));
  if (configs !== undefined)
    findings.push({
      what,
      ok: false,
      said: `settings differ: ${configs}`,
      fix: 'look at the view Settings of each: it says what its file lacks',
    });
  return findings;
}

type Node = NonNullable<StoreHealth['nodes']>['nodes'][number];

/** Who has which, where they are not all alike. */
function differing(nodes: readonly Node[], of: (node: Node) => string): string | undefined {
  const groups = Map.groupBy(nodes, of);
  if (groups.size < 2) return undefined;
  const named = (group: readonly Node[]): string =>
    group.map(({ id, url }) => (url === '' ? id : url)).join(', ');
  return [...groups].map(([value, group]) => `${value} at ${named(group)}`).join('; ');
}
