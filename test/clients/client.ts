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

/** From sysexits.h: a driver ends with it where the program says that it cannot be used here. */
export const UNAVAILABLE = 69;

export interface Client {
  name: string;
  /** What it is called in the table. */
  title: string;
  /** How it is connected, in a few words. */
  way: string;
  /** Its npm package; undefined for what is in the tree already. */
  install?: string;
  /** Which version, where the newest does not install. */
  version?: string;
  /** Packages that it is used with. */
  beside?: readonly string[];
  /** The folder of its package that holds its program, where npm links it under another name. */
  programs?: string;
  /** A script of its package that moves the program of this platform into its place. It downloads nothing. */
  finish?: string;
  /** A file of `drivers/` that connects it, in place of `earshot run`. */
  driver?: string;
  permission: Permission;
  /** Arguments of `earshot run --agent lead`, or of its driver. */
  argv(place: Place): string[];
  env(place: Place): Record<string, string>;
  /** Writes the program's configuration into its home. */
  prepare?(place: Place): void;
  /** Knocks wake it, and its model takes what they are for with a tool. */
  woken?: true;
  /** It calls when it wants to. Nothing reaches it while its model works, and the host hears nothing of that. */
  onlyPulls?: true;
  /** Why a column cannot be tried. */
  cannot?: Partial<Record<ColumnName, string>>;
  /** Why nothing can be tried where its driver ends with UNAVAILABLE. */
  unavailable?: string;
}
