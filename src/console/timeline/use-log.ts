// The log window of one set of filters. A change of filters opens a new one; a new record makes it read on.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { LogPage } from '../../protocol/operator-api.ts';
import { useClient, useNews } from '../api/context.tsx';
import type { LiveNews } from '../api/live.ts';
import { type Filters, filterQuery } from './filters.ts';
import { Folds } from './folds.ts';
import { LogWindow } from './log-window.ts';

/** A busy host logs thousands of records a second. The page reads at most this often. */
const SIP_MS = 150;

export function useLog(filters: Filters): LogWindow {
  const client = useClient();
  const [, render] = useState(0);
  const key = JSON.stringify(filterQuery(filters));
  const log = useMemo(() => {
    const query = JSON.parse(key) as Record<string, string>;
    return new LogWindow(
      (where, limit) => client.get<LogPage>('/v1/log', { ...query, ...where, limit }),
      () => render((count) => count + 1),
      new Folds(!/typing|turn|tick|progress/.test(query['type'] ?? '')),
    );
  }, [client, key]);

  useEffect(() => {
    void log.open();
    return () => log.close();
  }, [log]);

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useNews(
    useCallback(
      (news: LiveNews) => {
        if (news.type !== 'logged' && news.type !== 'gap') return;
        timer.current ??= setTimeout(() => {
          timer.current = undefined;
          void log.catchUp();
        }, SIP_MS);
      },
      [log],
    ),
  );
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [log],
  );
  return log;
}
