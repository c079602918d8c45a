// Where agents are connected, over all nodes that share the store: the session rows as they were last seen, and which nodes
// are alive. The rows are the truth; this is the copy that everybody asks. A host that is alone has nobody elsewhere.
import type { SessionRow } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';
import { closeSession } from './session-row.ts';

export interface Directory {
  /** Whether the agent has a session on another node. */
  elsewhere(agent: string): boolean;
  /** The newest epoch that is known. */
  epochOf(agent: string): number;
  /** Takes in what was read. Returns the agents that came elsewhere, or left, since the last time. */
  note(rows: readonly SessionRow[]): { came: string[]; left: string[] };
  /** Closes the sessions of nodes that are gone. Called each time after it was read which nodes are alive. */
  closeLost(): Promise<void>;
}

export function createDirectory({ store, apply }: Pick<HostContext, 'store' | 'apply'>): Directory {
  const { nodes } = store;
  const rows = new Map<string, SessionRow>();
  let elsewhere: ReadonlySet<string> = new Set();
  /** Sessions whose node was not alive last time, with their epochs. */
  let doubted: ReadonlyMap<string, number> = new Map();
  const isElsewhere = ({ node, closedAt }: SessionRow): boolean =>
    closedAt === null && node !== undefined && node !== nodes.id && nodes.isAlive(node);
  const isLost = ({ node, closedAt }: SessionRow): boolean =>
    closedAt === null && node !== undefined && !nodes.isAlive(node);
  return {
    elsewhere: (agent) => elsewhere.has(agent),
    epochOf: (agent) => rows.get(agent)?.epoch ?? 0,
    note(read) {
      for (const row of read) if (row.epoch >= (rows.get(row.key)?.epoch ?? 0)) rows.set(row.key, row);
      const now = new Set([...rows.values()].filter(isElsewhere).map(({ key }) => key));
      const before = elsewhere;
      elsewhere = now;
      return {
        came: [...now].filter((agent) => !before.has(agent)),
        left: [...before].filter((agent) => !now.has(agent)),
      };
    },
    async closeLost() {
      // A node that has just begun may have a session before this one knows that it lives. By the next time it does.
      const all = [...rows.values()].filter(isLost);
      const lost = all.filter(({ key, epoch }) => doubted.get(key) === epoch);
      doubted = new Map(all.map(({ key, epoch }) => [key, epoch]));
      if (lost.length === 0) return;
      await apply({
        states: [],
        rows: lost.map(({ key }) => ['session', key] as const),
        run(view) {
          const closed = lost.map(({ key, epoch }) => closeSession(view, key, epoch));
          return { writes: closed.flatMap(({ writes }) => writes), news: [], result: undefined };
        },
      });
      for (const row of lost) if (rows.get(row.key) === row) rows.delete(row.key);
    },
  };
}
