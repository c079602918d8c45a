// Requirements whose area is not built yet, listed under the area that will close them. Whoever builds an area writes
// the tests, takes its ids off here and adds it to BUILT_AREAS; coverage.test.ts holds both to that.
import type { Area } from './requirement.ts';

/** Areas in the tree: none of their rows may be pending. */
export const BUILT_AREAS: readonly Area[] = [
  'protocol',
  'attention',
  'compose',
  'replay',
  'store',
  'transport',
  'security',
  'surfaces',
  'console',
  'agent',
  'host',
  'tools',
];

export const PENDING: Readonly<Partial<Record<Area, readonly string[]>>> = {};
