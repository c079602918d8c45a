// One HTTP request of an agent that pulls, over a network that may lose, double, delay or cut it, or its answer.
import type { Clock } from '../../src/runtime/clock.ts';
import type { LinkPorts } from './link.ts';

export interface Asked {
  body: string;
  /** Hands the body to the host. The signal is aborted when the caller has gone. */
  perform: (signal: AbortSignal) => Promise<string>;
  /** The caller's clock: one that has died hears nothing. */
  clock: Clock;
  withinMs: number;
  /** Aborted when the caller's connections are cut. */
  cut: AbortSignal;
}

/** The answer. Undefined: none came in time, or the connection was cut. */
export function request(
  ports: LinkPorts,
  { body, perform, clock, withinMs, cut }: Asked,
): Promise<string | undefined> {
  const gone = new AbortController();
  return new Promise((resolve) => {
    const end = (answer: string | undefined): void => {
      cancel();
      cut.removeEventListener('abort', lost);
      gone.abort();
      resolve(answer);
    };
    const lost = (): void => end(undefined);
    const cancel = clock.after(withinMs, lost);
    cut.addEventListener('abort', lost, { once: true });
    const answered = (text: string): void => {
      if (gone.signal.aborted) return;
      const fault = ports.fate('agent', text);
      if (fault === 'drop') return;
      if (fault === 'reset') lost();
      else if (fault === 'delay' || fault === 'reorder') ports.clock.after(ports.delayMs(), () => end(text));
      else queueMicrotask(() => end(text));
    };
    const arrives = (): void => void perform(gone.signal).then(answered, lost);
    const fault = ports.fate('host', body);
    if (fault === 'reset') queueMicrotask(lost);
    else if (fault === 'delay' || fault === 'reorder') ports.clock.after(ports.delayMs(), arrives);
    else if (fault !== 'drop') queueMicrotask(arrives);
    if (fault === 'double') queueMicrotask(arrives);
  });
}
