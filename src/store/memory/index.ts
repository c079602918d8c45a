// The public surface of `earshot/store/memory`: the store without a disk, for tests and simulation.
export { type StateCodec, type Store, StoreError } from '../store.ts';
export { type MemoryImage } from './disk.ts';
export { type MemoryFaults } from './faults.ts';
export { type MemoryOptions, type MemoryStore, openMemoryStore } from './open.ts';
