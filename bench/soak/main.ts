// `npm run soak -- --minutes M --rate R [--seed S] [--leak BYTES] [--native-leak BYTES]`: the host under steady load for a long time. A line a minute, and at
// the end whether memory and latency stayed flat, nothing was lost and everything was settled. Exit code 1 when not.
import { parseArgs } from 'node:util';
import { withFolder } from '../measure.ts';
import { runSoak } from './run.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    rate: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    leak: { type: 'string', default: '0' },
    'native-leak': { type: 'string', default: '0' },
  },
});
const [minutes, perSecond, seed] = [Number(values.minutes), Number(values.rate), Number(values.seed)];
const [leakBytes, nativeLeakBytes] = [Number(values.leak), Number(values['native-leak'])];
if (!(minutes > 0) || !(perSecond > 0) || !Number.isInteger(seed)) {
  console.error('soak: give --minutes and --rate above 0, and --seed as a whole number');
  process.exit(2);
}
const { wrong, unjudged } = await withFolder((folder) =>
  runSoak({ folder, minutes, perSecond, seed, leakBytes, nativeLeakBytes, print: console.log }),
);
const but = unjudged.length === 0 ? '' : `, but not judged: ${unjudged.join(', ')}`;
console.log(wrong.length === 0 ? `the soak holds${but}` : `the soak does not hold:\n  ${wrong.join('\n  ')}`);
process.exitCode = wrong.length === 0 ? 0 : 1;
