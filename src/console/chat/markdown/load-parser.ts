// Loads the parser once, beside the page. Until it is here, messages are shown as they were written.
import { useSyncExternalStore } from 'react';
import type * as parse from './parse.ts';

export type Parser = typeof parse;

let parser: Parser | undefined;
let loading: Promise<void> | undefined;
const listeners = new Set<() => void>();

/** Starts to load. A load that failed, for instance without a connection, is tried again by the next call. */
export function loadParser(): void {
  loading ??= import('./parse.ts').then(
    (loaded) => {
      parser = loaded;
      for (const listener of listeners) listener();
    },
    () => {
      loading = undefined;
    },
  );
}

export function useParser(): Parser | undefined {
  return useSyncExternalStore(subscribe, () => parser);
}

function subscribe(listener: () => void): () => void {
  loadParser();
  listeners.add(listener);
  return () => listeners.delete(listener);
}
