// Plays chaos outside of a test: node test/postgres/chaos/main.ts SEED KILLS STOPS LONG_STOPS TERMINATED SERVER_STOPS
import { writeSync } from 'node:fs';
import { chaos } from './chaos.ts';

const [seed = 1, kills = 2, stops = 1, longStops = 1, terminated = 3, serverStops = 1] = process.argv
  .slice(2)
  .map(Number);
const faults = { kills, stops, longStops, terminated, serverStops };
const say = (line: string): void => void writeSync(1, `${line}\n`);
const report = await chaos(seed, faults, say);
say(JSON.stringify(report, null, 2));
process.exitCode = report.problems.length === 0 ? 0 : 1;
