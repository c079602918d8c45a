// One way of misbehaving in a process of its own, with the lowest priority: who misbehaves has a machine of their own and
// takes no processor from the host. It starts when it is sent the attack, and answers `stop` with what it was answered.
import { constants, setPriority } from 'node:os';
import { type Attack, WAYS } from './flood-ways.ts';

type Given = Omit<Attack, 'stopped' | 'count' | 'random'> & { way: string; seed: number };

let over = false;
const counts: Record<string, number> = {};

/** mulberry32. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function start({ way, seed, ...given }: Given): void {
  const attack: Attack = {
    ...given,
    stopped: () => over,
    count: (what) => void (counts[what] = (counts[what] ?? 0) + 1),
    random: seeded(seed),
  };
  const chosen = WAYS.find(({ name }) => name === way);
  chosen?.run(attack).catch((error: unknown) => {
    counts[`ended: ${String(error)}`] = 1;
  });
}

setPriority(constants.priority.PRIORITY_LOW);
process.on('message', (message: Given | 'stop') => {
  if (message !== 'stop') return start(message);
  over = true;
  process.send?.(counts, () => process.exit(0));
});
process.send?.('ready');
