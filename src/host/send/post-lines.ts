// Lines of sends in which somebody waits. When the row in front has its outcome, the next one is posted, and nothing is
// written while they wait. This is working memory: at a start every row that waits is looked at once (outbox/mend.ts), and
// each has a time besides, at which the sweep looks at it.
import type { OutboxRow } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';
import { lineOf, nextInLine } from './post-order.ts';

export interface PostLines {
  /** Notes that this row waits for an earlier one. */
  wait(row: OutboxRow): void;
}

export interface PostLinesDeps {
  context: Pick<HostContext, 'store' | 'bus' | 'log' | 'clock' | 'settings'>;
  /** Posts a row before its time. */
  release: (key: string) => void;
}

export function createPostLines({ context, release }: PostLinesDeps): PostLines {
  const { store, bus, log, clock } = context;
  const waiting = new Set<string>();

  const goOn = async (line: string, row: OutboxRow): Promise<void> => {
    try {
      const next = await nextInLine(store, row);
      if (next === undefined) return void waiting.delete(line);
      waiting.add(line);
      release(next.key);
    } catch (error) {
      log.warn({ err: error, key: row.key }, 'what waits behind a send could not be read; it is tried again');
      clock.after(context.settings.limits.retryBaseMs, () => void goOn(line, row));
    }
  };
  bus.listen((news) => {
    if (news.type !== 'outbox_done') return;
    const line = lineOf(news.row);
    if (line === undefined || (!waiting.has(line) && wasQuick(news.row))) return;
    void goOn(line, news.row);
  });
  return {
    wait(row) {
      const line = lineOf(row);
      if (line !== undefined) waiting.add(line);
    },
  };
}

/** It was through at the first try, so nobody of an earlier life of the host waits behind it. */
function wasQuick({ attempt, state }: OutboxRow): boolean {
  return attempt <= 1 && (state === 'visible' || state === 'queued');
}
