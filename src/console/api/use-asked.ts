// Asks the host one question, and asks again when news says that the answer may have changed. The last answer stays
// visible while the next one is on its way and while the host is away.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Query } from './client.ts';
import { useClient, useNews } from './context.tsx';
import type { LiveNews } from './live.ts';

export interface AskedAnswer<T> {
  answer: T | undefined;
  error: unknown;
  /** Nothing to show yet. */
  waiting: boolean;
  again: () => void;
}

/** News comes in bursts. All news within this time causes one question. */
const SETTLE_MS = 250;

export function useAsked<T>(
  path: string | undefined,
  query: Query = {},
  on: readonly string[] = [],
): AskedAnswer<T> {
  const client = useClient();
  const [state, setState] = useState<{ key: string; answer?: T; error?: unknown }>({ key: '' });
  const [round, setRound] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const key = path === undefined ? '' : JSON.stringify([path, query]);
  const events = on.join(' ');

  useEffect(() => {
    if (key === '') return undefined;
    const [asked, given] = JSON.parse(key) as [string, Query];
    const abort = new AbortController();
    client.get<T>(asked, given, abort.signal).then(
      (answer) => setState({ key, answer }),
      (error: unknown) => {
        if (abort.signal.aborted) return;
        setState((last) => (last.key === key ? { ...last, error } : { key, error }));
      },
    );
    return () => abort.abort();
  }, [client, key, round]);

  const again = useCallback(() => setRound((count) => count + 1), []);
  useNews(
    useCallback(
      (news: LiveNews) => {
        if (news.type !== 'gap' && !events.split(' ').includes(news.type)) return;
        timer.current ??= setTimeout(() => {
          timer.current = undefined;
          again();
        }, SETTLE_MS);
      },
      [events, again],
    ),
  );
  useEffect(() => () => clearTimeout(timer.current), []);

  const current = state.key === key;
  return {
    answer: current ? state.answer : undefined,
    error: current ? state.error : undefined,
    waiting: key !== '' && (!current || (state.answer === undefined && state.error === undefined)),
    again,
  };
}
