// The decision that is being explained. It is in the address, so that it can be linked to and survives a reload.
import { useMemo } from 'react';
import { hrefOf, parseRoute, useRoute } from '../route.ts';

export interface WhyPanelState {
  eventId: string | undefined;
  agent: string | undefined;
  open: (eventId: string, agent?: string) => void;
  close: () => void;
}

export function useWhy(): WhyPanelState {
  const { query } = useRoute();
  const [eventId, agent] = [query.get('why') ?? undefined, query.get('by') ?? undefined];
  return useMemo(() => ({ eventId, agent, open: openWhy, close: closeWhy }), [eventId, agent]);
}

/** Opens the panel beside the current view. */
export function openWhy(eventId: string, agent?: string): void {
  go({ why: eventId, by: agent ?? '' });
}

function closeWhy(): void {
  go({ why: '', by: '' });
}

function go(change: Record<string, string>): void {
  const { view, query } = parseRoute(location.hash);
  location.hash = hrefOf(view, { ...Object.fromEntries(query), ...change });
}
