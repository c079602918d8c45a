// `npm run floods`: one token or stranger misbehaves, and the others are measured, way by way (flood-measure.ts). From
// sending an event to its delivery p99 must stay under ten times the quiet figure of the same run, and memory within 1.5
// times. --only TEXT picks ways by their name, or by `token`, `stranger` or `nobody`; --json prints one object. Exits
// with 1 when a way does not hold.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { PER_SECOND } from './flood-good.ts';
import { LIMITS, measureWay, type Row } from './flood-measure.ts';
import { WAYS } from './flood-ways.ts';

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    seed: { type: 'string', default: '15' },
    json: { type: 'boolean', default: false },
  },
});
const [seconds, rounds, seed] = [Number(flags.seconds), Number(flags.rounds), Number(flags.seed)];
if (!(seconds > 0) || !(rounds >= 1) || !Number.isInteger(seed)) {
  console.error('floods: give --seconds above 0, --rounds of at least 1, and --seed as a whole number');
  process.exit(2);
}
const ATTACHMENT = Buffer.from('a line of a log that somebody pasted\n'.repeat(10_000));

function serveAttachments(): Promise<Server> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).end(ATTACHMENT);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

const HEADS = ['way', 'by', 'p50', 'p99', 'p99 : quiet', 'RSS : quiet', 'in use : quiet', 'answers', ''];
const BY = { token: 'a token', stranger: 'strangers', nobody: 'nobody' } as const;

function cellsOf({ way, who, quiet, flood, p99Ratio, rssRatio, liveRatio, answers, ok }: Row): string[] {
  const said = Object.entries(answers).map(([what, count]) => `${count.toLocaleString('en')} × ${what}`);
  const lost = flood.missing === 0 ? '' : `, ${flood.missing} not delivered`;
  return [
    way,
    BY[who],
    `${flood.p50.toFixed(1)} ms`,
    `${flood.p99.toFixed(1)} ms${lost}`,
    `${p99Ratio.toFixed(1)} (${quiet.p99.toFixed(1)} ms)`,
    `${rssRatio.toFixed(2)} (${quiet.rssMb.toFixed(0)} MB)`,
    `${liveRatio.toFixed(2)} (${quiet.liveMb.toFixed(0)} MB)`,
    said.join(', ') || 'none',
    ok ? 'holds' : 'does not hold',
  ];
}

const attachments = await serveAttachments();
const attachmentsUrl = `http://127.0.0.1:${(attachments.address() as AddressInfo).port}/`;
const rows: Row[] = [];
const lineOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const load = (): string =>
  loadavg()
    .map((value) => value.toFixed(1))
    .join(' ');
if (!flags.json) {
  const turns = `${rounds} times ${seconds} s quiet and ${seconds} s flooded, by turns, for each way`;
  console.log(`seed ${seed}, ${PER_SECOND} events a second, ${turns}; load average ${load()}`);
  console.log(`holds: p99 under ${LIMITS.p99} × quiet, memory under ${LIMITS.memory} × quiet\n`);
  console.log(`${lineOf(HEADS)}\n${lineOf(HEADS.map(() => '---'))}`);
}
for (const way of WAYS.filter(({ name, who }) => name.includes(flags.only) || who === flags.only)) {
  const row = await measureWay(way, { sliceMs: seconds * 1_000, rounds, seed, attachmentsUrl });
  rows.push(row);
  if (!flags.json) console.log(lineOf(cellsOf(row)));
}
attachments.close();
if (flags.json) console.log(JSON.stringify({ kind: 'bench/floods', seed, rows }));
else console.log(`\nload average at the end ${load()}`);
process.exit(rows.every(({ ok }) => ok) ? 0 : 1);
