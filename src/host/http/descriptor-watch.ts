// Looks at the process's file descriptors. A system that is out of them drops connections without a word to anybody, so
// the host counts: in the metrics, in `earshot doctor`, and in one line of the log.
import type { Cancel, Clock } from '../../runtime/clock.ts';
import type { Descriptors } from '../../runtime/descriptors.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import { CONNECTIONS_WANTED, type Room } from '../security/stranger-limits.ts';

export interface DescriptorState {
  open: number | undefined;
  limit: number | undefined;
  /** Connections for which there is room. */
  connections: number;
  /** How often the process has run out since its start. */
  ranOut: number;
}

export interface DescriptorWatch {
  /** Begins to look. */
  start(): void;
  stop(): void;
  state(): Promise<DescriptorState>;
  /** A call failed because no descriptor was left. */
  failed(): void;
}

export interface DescriptorWatchOptions {
  descriptors: Descriptors;
  room: Room;
  clock: Clock;
  metrics: Metrics;
  log: Record<'info' | 'warn' | 'error', (fields: Record<string, unknown>, message: string) => void>;
}

const LOOK_EVERY_MS = 5_000;
/** With so few left, connections may already have been dropped. */
const NEARLY_OUT = 2;
/** It is over when this share is free again. */
const FREE_AGAIN = 0.05;
/** One line at most so often. */
const SAY_EVERY_MS = 60_000;

export function watchDescriptors(options: DescriptorWatchOptions): DescriptorWatch {
  const { descriptors, room, clock, metrics, log } = options;
  const { limit } = descriptors;
  let cancel: Cancel | undefined;
  let isOut = false;
  let ranOut = 0;
  let quietUntil = 0;

  const now = (): number => clock.elapsed?.() ?? clock.now();
  const out = (open: number | undefined): void => {
    if (!isOut) ranOut++;
    isOut = true;
    if (now() < quietUntil) return;
    quietUntil = now() + SAY_EVERY_MS;
    log.error(
      { open, limit },
      'out of file descriptors: new connections are dropped until some close. Raise "ulimit -n" (LimitNOFILE in systemd) and restart',
    );
  };
  const look = async (): Promise<number | undefined> => {
    const open = await descriptors.open();
    if (open === undefined || limit === undefined) return open;
    if (limit - open <= NEARLY_OUT) out(open);
    else if (isOut && limit - open >= limit * FREE_AGAIN) {
      isOut = false;
      log.info({ open, limit }, 'file descriptors are free again');
    }
    return open;
  };
  const again = (): void => {
    cancel = clock.after(LOOK_EVERY_MS, () => {
      void look().then(() => cancel !== undefined && again());
    });
  };

  metrics.gauge('earshot_open_descriptors', 'File descriptors in use: files and sockets.', async () => {
    const open = await look();
    return open === undefined ? [] : [[{}, open]];
  });
  metrics.gauge('earshot_descriptor_limit', 'File descriptors that the process may use (ulimit -n).', () =>
    limit === undefined ? [] : [[{}, limit]],
  );
  return {
    start() {
      if (room.connections < CONNECTIONS_WANTED) {
        log.warn(
          { limit, connections: room.connections },
          `the limit of file descriptors leaves room for ${room.connections} connections. Raise "ulimit -n" to 4096 or more (LimitNOFILE in systemd)`,
        );
      }
      again();
    },
    stop() {
      cancel?.();
      cancel = undefined;
    },
    async state() {
      return { open: await look(), limit, connections: room.connections, ranOut };
    },
    failed: () => out(undefined),
  };
}
