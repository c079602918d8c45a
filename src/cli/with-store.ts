// The store opened directly, loaded only by a command that needs it: the others start faster without SQLite.
import type { LocalStore } from './local-store.ts';

export async function withStore<R>(
  dataDir: string,
  create: boolean,
  use: (local: LocalStore) => Promise<R>,
): Promise<R> {
  const { withLocalStore } = await import('./local-store.ts');
  return withLocalStore(dataDir, create, use);
}
