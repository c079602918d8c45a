// How much the tests draw. `npm test` draws little and always the same, so that it is quick and its colour depends on
// the code alone. `npm run test:long` draws the full counts from a new seed, which it prints; EARSHOT_SEED repeats it.
import { seededRandom } from '../src/runtime/random.ts';

export const LONG = process.env['EARSHOT_LONG'] === '1';
const GATE_SEED = 1;
export const SEED = Number(process.env['EARSHOT_SEED'] ?? GATE_SEED);

/** How many cases: the first number in the gate, the second in a long run. */
export function cases(gate: number, long: number): number {
  return LONG ? long : gate;
}

/** Seeds for whatever is played once for each: 1, 2, 3 … in the gate, drawn ones in a long run. */
export function seeds(gate: number, long: number): readonly number[] {
  if (!LONG) return Array.from({ length: gate }, (_, index) => index + 1);
  const random = seededRandom(SEED);
  return Array.from({ length: long }, () => Math.floor(random.next() * 2 ** 31));
}
