// Loaded into the host of the floods before its own code (`node --import`). Answers over IPC what cannot be seen from
// outside: the memory that is in use after all garbage is collected, and since the last time it was asked the lag of the
// event loop and how busy the main thread was. It is asked between slices only, because a collection stops the host for a moment.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface Probed {
  /** Heap and external memory in use, array buffers among them. */
  liveMb: number;
  lagP99Ms: number;
  /** How much of one processor the main thread used. */
  busy: number;
}

const MB = 1_048_576;
const NS_PER_MS = 1e6;
const LAG_SAMPLE_MS = 2;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const lag = monitorEventLoopDelay({ resolution: LAG_SAMPLE_MS });
lag.enable();

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
let from = { at: performance.now(), cpu: cpuMs() };

process.on('message', () => {
  const lagP99Ms = lag.percentile(99) / NS_PER_MS;
  const busy = (cpuMs() - from.cpu) / (performance.now() - from.at);
  // Finalizers of the first round let go of buffers that the second one frees.
  collect();
  setImmediate(() => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    process.send?.({ liveMb: (heapUsed + external) / MB, lagP99Ms, busy } satisfies Probed);
    lag.reset();
    from = { at: performance.now(), cpu: cpuMs() };
  });
});
// The host lives as long as without this.
process.channel?.unref();
