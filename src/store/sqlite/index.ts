// The public surface of `earshot/store/sqlite`: the store in one file, for one process.
export { type StateCodec, type Store, StoreError } from '../store.ts';
export { openSqliteStore, type SqliteOptions } from './open.ts';
