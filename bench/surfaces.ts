// What configured platforms cost whoever does not use them: a host with every platform's adapter logged in, by turns with
// the same host without any. Both get the same events over the same source. Prints a table, or one JSON object with --json.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { compared, Loop } from './by-turns.ts';
import { rounded } from './measure.ts';
import { SINGLE } from './shapes.ts';

const TURNS = { starts: 4, slices: 5 };
/** Of the rate without platforms. Less ends with exit code 1. */
const LEAST_RATIO = 0.9;

/** What the adapters ask when they log in. Lists are empty. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  '/slack/auth.test': { ok: true, team_id: 'T1', user_id: 'U1', bot_id: 'B1' },
  '/github/user': { login: 'earshot' },
  '/github/repos/acme/app': { full_name: 'acme/app' },
};

const platforms = createServer((request, response) => {
  request.resume();
  const body =
    ANSWERS[request.url ?? ''] ?? (request.url?.startsWith('/slack/') === true ? { ok: true } : []);
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
}).listen(0, '127.0.0.1');
await once(platforms, 'listening');
const platformsUrl = `http://127.0.0.1:${(platforms.address() as AddressInfo).port}`;

const rate = await compared(
  TURNS,
  SINGLE,
  () => Loop.host(),
  () => Loop.host({ platformsUrl }),
);
platforms.closeAllConnections();
platforms.close();

if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ kind: 'bench/surfaces', ...rate }));
} else {
  const { perSecond, floorPerSecond, ratio, spread, loopUs, floorLoopUs } = rate;
  const [low, high] = spread.map((value) => value.toFixed(2));
  console.log(`without platforms   ${rounded(floorPerSecond)} /s, ${floorLoopUs.toFixed(0)} µs an event`);
  console.log(`with all platforms  ${rounded(perSecond)} /s, ${loopUs.toFixed(0)} µs an event`);
  console.log(`ratio               ${ratio.toFixed(2)} (${low} to ${high})     budget ≥ ${LEAST_RATIO}`);
}
if (rate.ratio < LEAST_RATIO) process.exitCode = 1;
