import { describe, expect, it } from 'vitest';
import type { LogEntry, LogPage } from '../../protocol/operator-api.ts';
import { LOG_LIMITS, LogWindow, type PagePlace } from './log-window.ts';

/** A log as the host answers for it, in memory: positions are three apart, as other tables take some. */
class Log {
  rows: LogEntry[] = [];
  asked: PagePlace[] = [];
  /** Under a filter nothing is counted. */
  filter: ((index: number) => boolean) | undefined;
  failing = false;

  say(count: number): void {
    for (let i = 0; i < count; i++) {
      const index = this.rows.length;
      this.rows.push({ eventId: `e${index}`, position: index * 3 + 1 } as LogEntry);
    }
  }

  ask = async (where: PagePlace, limit: number): Promise<LogPage> => {
    this.asked.push(where);
    await Promise.resolve();
    if (this.failing) throw new Error('no answer');
    const { filter } = this;
    const all = this.rows.filter((_, index) => filter === undefined || filter(index));
    const back = 'last' in where || 'before' in where;
    const fits = all.filter((row, index) => {
      if ('offset' in where) return index >= where.offset;
      if ('after' in where) return at(row) > Number(where.after);
      return 'last' in where || at(row) < Number(where.before);
    });
    const log = back ? fits.slice(-limit) : fits.slice(0, limit);
    const [first, last] = [log.at(0), log.at(-1)];
    const more = fits.length > log.length;
    return {
      log,
      total: filter === undefined ? all.length : null,
      offset: filter === undefined && first !== undefined ? all.indexOf(first) : null,
      first: null,
      last: null,
      ...(back && more && first !== undefined ? { prevCursor: String(at(first)) } : {}),
      ...(!back && more && last !== undefined ? { nextCursor: String(at(last)) } : {}),
      ...(last === undefined ? {} : { tailCursor: String(at(last)) }),
      complete: true,
    };
  };
}

const at = ({ position = 0 }: LogEntry): number => position;

function open(log: Log): LogWindow {
  return new LogWindow(log.ask, () => {});
}

async function settle(): Promise<void> {
  for (let i = 0; i < 50; i++) await Promise.resolve();
}

describe('a counted log', () => {
  it('opens at its end and loads only the page under a jump', async () => {
    const log = new Log();
    log.say(100_000);
    const window = open(log);
    await window.open();
    expect(window.state).toMatchObject({ kind: 'indexed', count: 100_000 });
    expect(window.rowAt(99_999)?.eventId).toBe('e99999');
    expect(window.rowAt(50_000)).toBeUndefined();
    log.asked = [];
    window.want(50_090, 50_110);
    await settle();
    expect(log.asked).toEqual([{ offset: 50_000 }, { offset: 50_100 }]);
    expect(window.rowAt(50_100)?.eventId).toBe('e50100');
    window.want(50_000, 50_199);
    expect(log.asked).toHaveLength(2);
  });

  it('forgets where a scrollbar has only passed by', async () => {
    const log = new Log();
    log.say(10_000);
    const window = open(log);
    await window.open();
    log.asked = [];
    for (let index = 0; index <= 5_000; index += 100) window.want(index, index + 20);
    await settle();
    expect(log.asked.length).toBeLessThanOrEqual(LOG_LIMITS.asking + 2);
    expect(window.rowAt(5_010)?.eventId).toBe('e5010');
  });

  it('puts what is said meanwhile at the end, and moves nothing', async () => {
    const log = new Log();
    log.say(250);
    const window = open(log);
    await window.open();
    log.say(3);
    await window.catchUp();
    expect(window.state.count).toBe(253);
    expect(window.rowAt(252)?.eventId).toBe('e252');
    expect(window.rowAt(249)?.eventId).toBe('e249');
    log.say(700);
    await window.catchUp();
    expect(window.rowAt(952)?.eventId).toBe('e952');
  });

  it('keeps so many rows and reads the others again', async () => {
    const log = new Log();
    log.say(24_000);
    const window = open(log);
    await window.open();
    for (let index = 0; index < 22_000; index += 100) {
      window.want(index, index + 99);
      await settle();
    }
    const kept = Array.from({ length: 24_000 }, (_, index) => window.rowAt(index)).filter(Boolean);
    expect(kept.length).toBeLessThanOrEqual(LOG_LIMITS.rowsKept);
    window.want(0, 20);
    await settle();
    expect(window.rowAt(3)?.eventId).toBe('e3');
  });

  it('opens anew when old rows were removed', async () => {
    const log = new Log();
    log.say(200);
    const window = open(log);
    await window.open();
    log.rows.splice(0, 50);
    log.rows.push({ eventId: 'new', position: 9_999 } as LogEntry);
    await window.catchUp();
    expect(window.state.count).toBe(151);
    expect(window.rowAt(150)?.eventId).toBe('new');
  });

  it('shows the newest of a log that no browser can hold', async () => {
    const log = new Log();
    log.say(LOG_LIMITS.rowsShown + 1_000);
    const window = open(log);
    await window.open();
    expect(window.state.count).toBe(LOG_LIMITS.rowsShown);
    window.want(0, 10);
    await settle();
    expect(window.rowAt(0)?.eventId).toBe('e1000');
  });
});

describe('a filtered log', () => {
  it('goes back from the newest, page by page', async () => {
    const log = new Log();
    log.say(1_000);
    log.filter = (index) => index % 2 === 0;
    const window = open(log);
    await window.open();
    expect(window.state).toMatchObject({ kind: 'chained', count: 100, older: true });
    expect(window.rowAt(99)?.eventId).toBe('e998');
    window.want(0, 20);
    await settle();
    expect(window.state).toMatchObject({ count: 200, inFront: 100 });
    expect(window.rowAt(199)?.eventId).toBe('e998');
    expect(window.rowAt(0)?.eventId).toBe('e600');
    log.say(2);
    await window.catchUp();
    expect(window.rowAt(200)?.eventId).toBe('e1000');
  });
});

it('says what went wrong and goes on when it is asked again', async () => {
  const log = new Log();
  log.failing = true;
  const window = open(log);
  await window.open();
  expect(window.state).toMatchObject({ kind: 'opening', error: new Error('no answer') });
  log.failing = false;
  log.say(1);
  await window.catchUp();
  expect(window.state).toMatchObject({ kind: 'indexed', count: 1, error: undefined });
});
