// Finds the event that a person pastes. It accepts the event's id, its address on the page or in the API, or the id of
// a follow-up (`evt_1/claimed`), which leads to the event that the follow-up is about.
import type { LogRow } from '../../store/tables.ts';
import type { ServerContext } from '../http/context.ts';
import { HttpError } from '../http/http-error.ts';

export async function findEvent({ host }: ServerContext, given: string): Promise<LogRow> {
  const { store } = host.context;
  for (const id of candidates(given.trim())) {
    const row = await store.get('log', id);
    if (row !== undefined) return row;
  }
  throw new HttpError(
    404,
    'not_found',
    'There is no event with this id: copy it from "earshot tail --json", from the page, or from what your source posted.',
  );
}

export function candidates(given: string): string[] {
  const found = [given];
  if (/^https?:\/\//i.test(given)) found.push(...fromLink(given));
  // An id may itself hold slashes, so the whole text is tried before its parts.
  for (const id of found.slice()) {
    for (let cut = id.lastIndexOf('/'); cut > 0; cut = id.lastIndexOf('/', cut - 1))
      found.push(id.slice(0, cut));
  }
  return [...new Set(found)].slice(0, CANDIDATES_MAX);
}

const CANDIDATES_MAX = 16;
const IN_PATH = /\/(?:why|events?)\/(.+)$/;

function fromLink(link: string): string[] {
  let url: URL;
  try {
    url = new URL(link);
  } catch {
    return [];
  }
  const hash = url.hash.replace(/^#/, '');
  const [hashPath = '', hashQuery = hash] = hash.split('?', 2);
  const named = [url.searchParams, new URLSearchParams(hashQuery)].map(
    (query) => query.get('event') ?? query.get('why'),
  );
  const inPath = [url.pathname, hashPath].map((path) => IN_PATH.exec(path)?.[1]).map(decoded);
  return [...named, ...inPath].filter((id) => id !== null && id !== undefined && id !== '') as string[];
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return text;
  }
}
