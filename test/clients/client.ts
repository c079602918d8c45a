// One row of the matrix: a program that people own, how it is installed and started, and what it cannot do.
import type { ColumnName } from './columns/column.ts';

/** Where a client runs. Everything is made for it and removed after it. */
export interface Place {
  /** Its home. Kept over the columns of one client, because many write a database there first. */
  home: string;
  /** The folder it works in. */
  work: string;
  /** The local provider, without a path. */
  provider: string;
  key: string;
  /** The host and the agent's token, for clients that connect by themselves. */
  host: string;
  token: string;
}

/** What happens when the model wants to run a command. */
export type Permission =
  /** A question in chat. */
  | 'asks'
  /** It refuses by itself, or a sandbox does. */
  | 'refuses'
  /** It runs it. */
  | 'unasked'
  /** Its model has no such tool. */
  | 'none';

export interface Client {
  name: string;
  /** What it is called in the table. */
  title: string;
  /** How it is connected, in a few words. */
  way: string;
  /** Its npm package; undefined for what is in the tree already. */
  install?: string;
  /** Packages that it is used with. */
  beside?: readonly string[];
  /** A file of `drivers/` that connects it, in place of `earshot run`. */
  driver?: string;
  permission: Permission;
  /** Arguments of `earshot run --agent lead`, or of its driver. */
  argv(place: Place): string[];
  env(place: Place): Record<string, string>;
  /** Writes the program's configuration into its home. */
  prepare?(place: Place): void;
  /** Why a column cannot be tried. */
  cannot?: Partial<Record<ColumnName, string>>;
  /** Why nothing can be tried. */
  notTried?: string;
}
