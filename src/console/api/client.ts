// The page's client of the operator API: one function per verb. Every request carries the token, every failure is an
// ApiError.
import { errorOf, unreachable } from './error.ts';

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

interface Request extends RequestInit {
  headers?: Record<string, string>;
}

export interface Client {
  get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T>;
  post<T>(path: string, body?: unknown): Promise<T>;
  remove<T>(path: string): Promise<T>;
  /** The raw response, for the stream. */
  open(path: string, signal: AbortSignal): Promise<Response>;
}

export function createClient(token: string): Client {
  const call = async (path: string, init: Request): Promise<Response> => {
    let response: Response;
    try {
      response = await fetch(path, {
        ...init,
        cache: 'no-store',
        credentials: 'omit',
        headers: { ...init.headers, authorization: `Bearer ${token}` },
      });
    } catch (error) {
      if (init.signal?.aborted === true) throw error;
      throw unreachable(error);
    }
    if (!response.ok) throw await errorOf(response);
    return response;
  };
  return {
    async get<T>(path: string, query: Query = {}, signal?: AbortSignal) {
      const response = await call(withQuery(path, query), signal === undefined ? {} : { signal });
      return (await response.json()) as T;
    },
    async post<T>(path: string, body?: unknown) {
      const response = await call(path, {
        method: 'POST',
        ...(body === undefined
          ? {}
          : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
      return (await response.json()) as T;
    },
    remove: async <T>(path: string) => (await (await call(path, { method: 'DELETE' })).json()) as T,
    open: (path, signal) => call(path, { signal, headers: { accept: 'text/event-stream' } }),
  };
}

export function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}
