// The public surface of `earshot/store/memory`: the store without a disk, for tests and simulation.
export { type StateCodec, type Store, StoreError } from '../store.ts';
export { type MemoryImage } from './disk.ts';
export {
  type CommitFault,
  type MemoryStore,
  type MemoryStoreFaults,
  type MemoryStoreOptions,
  openMemoryStore,
} from './open.ts';
