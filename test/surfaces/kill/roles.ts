// What parent and child of the kill test say to each other.
import type { DevelopmentTokens } from '../../../src/cli/data-dir.ts';

export interface Open {
  type: 'open';
  /** The data folder, with the configuration in it. */
  folder: string;
  /** Where the secrets are. */
  env: Record<string, string>;
  /** How far its clock is ahead of the machine's. */
  aheadMs: number;
}
export type ToChild = Open | { type: 'close' };
export interface Ready {
  type: 'ready';
  url: string;
  tokens: DevelopmentTokens;
}
