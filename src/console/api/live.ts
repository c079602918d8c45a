// The host's live news. It reconnects with back-off and notices a dead connection by its silence. After every gap it
// tells its listeners to read again, because the log is the truth and the stream only announces it.
import type { Client } from './client.ts';
import { ApiError } from './error.ts';
import { readStream } from './event-stream.ts';

/** `refused`: the token was taken before. `unknown`: this host has never taken it here. */
export type LiveStatus = 'connecting' | 'live' | 'lost' | 'refused' | 'unknown';

/** `gap`: news may have been missed. Read everything that is shown again. */
export type LiveNews = { type: string; data: Record<string, unknown> } | { type: 'gap' };

export interface LiveStream {
  readonly status: () => LiveStatus;
  readonly onStatus: (changed: () => void) => () => void;
  readonly listen: (listener: (news: LiveNews) => void) => () => void;
  /** Connects and stays connected until the returned function is called. */
  readonly start: () => () => void;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** The host sends something every 15 s. More than twice that without a word is a dead connection. */
const SILENCE_MS = 35_000;

export function openLive(client: Client): LiveStream {
  const listeners = new Set<(news: LiveNews) => void>();
  const watchers = new Set<() => void>();
  let status: LiveStatus = 'connecting';
  let connectedBefore = false;

  const become = (next: LiveStatus): void => {
    if (status === next) return;
    status = next;
    for (const watcher of watchers) watcher();
  };
  const tell = (news: LiveNews): void => {
    for (const listener of listeners) listener(news);
  };

  async function once(closed: AbortSignal): Promise<void> {
    const attempt = new AbortController();
    const signal = AbortSignal.any([attempt.signal, closed]);
    let timer = setTimeout(() => attempt.abort(), SILENCE_MS);
    const alive = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => attempt.abort(), SILENCE_MS);
    };
    try {
      const { body } = await client.open('/v1/stream', signal);
      if (body === null) return;
      alive();
      become('live');
      if (connectedBefore) tell({ type: 'gap' });
      connectedBefore = true;
      await readStream(body, ({ event, data }) => tell(newsOf(event, data)), alive);
    } finally {
      clearTimeout(timer);
    }
  }

  async function run(closed: AbortSignal): Promise<void> {
    let wait = FIRST_WAIT_MS;
    while (!closed.aborted) {
      try {
        await once(closed);
        wait = FIRST_WAIT_MS;
      } catch (error) {
        if (error instanceof ApiError && (error.status === 401 || error.status === 403))
          return become(connectedBefore ? 'refused' : 'unknown');
      }
      if (closed.aborted) return;
      become('lost');
      await pause(wait, closed);
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    }
  }
  return {
    status: () => status,
    onStatus(changed) {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start() {
      const closed = new AbortController();
      void run(closed.signal);
      return () => closed.abort();
    },
  };
}

function newsOf(type: string, text: string): LiveNews {
  return { type, data: JSON.parse(text) as Record<string, unknown> };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const now = (): void => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', now, { once: true });
    // Coming back to the page or to the network ends the wait.
    window.addEventListener('online', now, { once: true });
  });
}
