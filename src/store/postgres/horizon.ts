// The position up to which everything is there (migrations/0002-positions.ts). What is read afterwards, in a statement of
// its own, has everything at or below it.
import type { Connections, Statement } from './connections.ts';

const HORIZON: Statement = { name: 'horizon', text: 'SELECT earshot_horizon()' };

export async function readHorizon(connections: Connections): Promise<number> {
  const [row] = await connections.read<[string]>(HORIZON);
  return Number(row?.[0] ?? 0);
}
