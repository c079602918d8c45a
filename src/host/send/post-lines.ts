// Lines of sends in which somebody waits. When the row in front has its outcome, the next one is posted, and nothing is
// written while they wait. This is working memory: after a restart a line is found again when the row in front ends, and
// each row that waits has a time besides, at which the sweep looks at it.
import type { OutboxRow } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';
import { lineOf, nextInLine } from './post-order.ts';

export interface PostLines {
  /** Notes that this row waits for an earlier one. */
  wait(row: OutboxRow): void;
}

export interface PostLinesDeps {
  context: Pick<HostContext, 'store' | 'bus' | 'log'>;
  /** Posts a row before its time. */
  release: (key: string) => void;
}

export function createPostLines({ context, release }: PostLinesDeps): PostLines {
  const { store, bus, log } = context;
  const waiting = new Set<string>();

  const goOn = async (line: string, row: OutboxRow): Promise<void> => {
    const next = await nextInLine(store, row);
    if (next === undefined) return void waiting.delete(line);
    waiting.add(line);
    release(next.key);
  };
  bus.listen((news) => {
    if (news.type !== 'outbox_done') return;
    const line = lineOf(news.row);
    if (line === undefined || (!waiting.has(line) && wasQuick(news.row))) return;
    goOn(line, news.row).catch((error: unknown) =>
      log.warn({ err: error, key: news.row.key }, 'what waits behind a send waits for its own time'),
    );
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
