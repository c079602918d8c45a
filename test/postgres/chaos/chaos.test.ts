// Three hosts on one database under load, while everything fails that can. Then it is quiet, and nothing is missing.
import { expect, it } from 'vitest';
import { cases, LONG, SEED } from '../../long.ts';
import { chaos } from './chaos.ts';

const MINUTES = 30;

it(
  'three hosts lose nothing, show nothing twice and settle everything, whatever dies',
  async () => {
    // In the gate a stop past the lease would take longer than all others together: leases.test.ts has that.
    const faults = {
      kills: cases(1, 20),
      stops: cases(1, 5),
      longStops: cases(0, 3),
      terminated: cases(2, 30),
      serverStops: 1,
    };
    const lines: string[] = [];
    const report = await chaos(SEED, faults, (line) => void lines.push(line));
    lines.push(JSON.stringify(report));
    expect(report.problems, lines.join('\n')).toEqual([]);
    expect(report.acknowledged).toBeGreaterThan(0);
    expect(report.claims.granted).toBeGreaterThan(0);
    if (LONG) console.log(lines.at(-1));
  },
  MINUTES * 60_000,
);
