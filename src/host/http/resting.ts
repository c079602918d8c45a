// Whoever does not wait as told waits anyway. A caller over its rate of requests is refused before its body is read, and
// then nothing is read from that connection for a while: a refusal without an end to it would take as much of the host as
// answers do. The more connections of a caller rest, the longer each rests, so that all of them together are refused at
// most a hundred times a second, up to a thousand connections. A token whose connections are all in use rests likewise.
import { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import type { Clock } from '../../runtime/clock.ts';
import { nextTurn } from '../../runtime/schedule.ts';

export const REST_LIMITS = { leastMs: 1_000, aConnectionMs: 10, mostMs: 10_000 } as const;

export interface Resting {
  /** Begins when the refusal is written. */
  begin(who: string, reply: FastifyReply): void;
  of(who: string): number;
}

export function createResting(clock: Clock): Resting {
  const callers = new Map<string, number>();
  const resting = new WeakSet<Socket>();
  const add = (who: string, more: 1 | -1): void => {
    const count = (callers.get(who) ?? 0) + more;
    if (count === 0) callers.delete(who);
    else callers.set(who, count);
  };
  return {
    begin(who, { raw }) {
      const { socket } = raw;
      // A request without a connection, as tests make them, or one that was sent before the last was answered.
      if (!(socket instanceof Socket) || resting.has(socket)) return;
      resting.add(socket);
      add(who, 1);
      const { leastMs, aConnectionMs, mostMs } = REST_LIMITS;
      const ms = Math.min(mostMs, Math.max(leastMs, (callers.get(who) ?? 0) * aConnectionMs));
      const end = (): void => {
        socket.off('close', end);
        cancel();
        add(who, -1);
        resting.delete(socket);
        socket.resume();
      };
      const cancel = clock.after(ms, end);
      socket.once('close', end);
      // Node resumes the connection itself when an answer ends, so it is paused after that.
      raw.once('close', () => nextTurn(() => void (resting.has(socket) && socket.pause())));
    },
    of: (who) => callers.get(who) ?? 0,
  };
}
