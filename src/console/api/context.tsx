// Gives every component below it the operator's API client and live news.
import { createContext, type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from 'react';
import { type Client, createClient } from './client.ts';
import { type LiveStream, type LiveStatus, type LiveNews, openLive } from './live.ts';

interface Operator {
  client: Client;
  live: LiveStream;
}

const OperatorContext = createContext<Operator | undefined>(undefined);

export function OperatorProvider({ token, children }: { token: string; children: ReactNode }): ReactNode {
  const operator = useMemo(() => {
    const client = createClient(token);
    return { client, live: openLive(client) };
  }, [token]);
  useEffect(() => operator.live.start(), [operator]);
  return <OperatorContext value={operator}>{children}</OperatorContext>;
}

function useOperator(): Operator {
  const operator = useContext(OperatorContext);
  if (operator === undefined) throw new Error('only operators get here');
  return operator;
}

export function useClient(): Client {
  return useOperator().client;
}

export function useLiveStatus(): LiveStatus {
  const { live } = useOperator();
  return useSyncExternalStore(live.onStatus, live.status);
}

/** `hear` must be stable (useCallback). */
export function useNews(hear: (news: LiveNews) => void): void {
  const { live } = useOperator();
  useEffect(() => live.listen(hear), [live, hear]);
}
