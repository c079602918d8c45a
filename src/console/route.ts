// The current view and its filters. Both are in the fragment of the address, so that a view can be linked to, reloaded,
// and left with the browser's back button.
import { useCallback, useSyncExternalStore } from 'react';

export const VIEWS = ['chat', 'timeline', 'agents', 'turns', 'inbox', 'replay', 'settings'] as const;
export type View = (typeof VIEWS)[number];

export interface PageRoute {
  view: View;
  query: URLSearchParams;
}

export function parseRoute(hash: string): PageRoute {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const view = VIEWS.find((known) => known === path) ?? 'chat';
  return { view, query: new URLSearchParams(query) };
}

export function hrefOf(view: View, query: Readonly<Record<string, string>> = {}): string {
  const text = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString();
  return text === '' ? `#/${view}` : `#/${view}?${text}`;
}

function listen(changed: () => void): () => void {
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
}

export function useRoute(): PageRoute {
  const hash = useSyncExternalStore(listen, () => location.hash);
  return parseRoute(hash);
}

/** The filters in the address. A change replaces the history entry, so that "back" leaves the view at once. */
export function useFilters<Name extends string>(
  names: readonly Name[],
): [Record<Name, string>, (changes: Partial<Record<Name, string>>) => void] {
  const { view, query } = useRoute();
  const filters = Object.fromEntries(names.map((name) => [name, query.get(name) ?? ''])) as Record<
    Name,
    string
  >;
  const change = useCallback(
    (changes: Partial<Record<Name, string>>) => {
      const now = parseRoute(location.hash);
      const merged = { ...Object.fromEntries(now.query), ...changes } as Record<string, string>;
      history.replaceState(null, '', hrefOf(view, merged));
      window.dispatchEvent(new HashChangeEvent('hashchange'));
    },
    [view],
  );
  return [filters, change];
}
