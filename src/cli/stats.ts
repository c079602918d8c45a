// `earshot stats`: what agents have spent in a period, and what was spared.
import type { StatsAnswer, Tally } from '../protocol/operator-api.ts';
import { systemClock } from '../runtime/clock.ts';
import { type Command, parseFlags } from './args.ts';
import { CLIENT_HELP, CLIENT_OPTIONS, requireHost } from './host-client.ts';
import { CommandError, type Io } from './io.ts';
import { table } from './terminal-text.ts';

const HOUR_MS = 3_600_000;
const PERIODS: Readonly<Record<string, number>> = {
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
  week: 7 * 24 * HOUR_MS,
  month: 30 * 24 * HOUR_MS,
};

const HELP = `Usage: earshot stats [--last hour|day|week|month] [--agent AGENT]

Shows for each agent the turns it has taken, those spared against answering everything it hears, and what its turns have
cost: tokens as the provider or the program reported them. A ~ stands before what is mostly an estimate.

  --last PERIOD  how far back; day
  --agent AGENT  only this one
${CLIENT_HELP}

Example:
  earshot stats --last week
`;

const OPTIONS = { ...CLIENT_OPTIONS, last: { type: 'string' }, agent: { type: 'string' } } as const;

export const statsCommand: Command = { help: HELP, run };

async function run(argv: readonly string[], io: Io): Promise<number> {
  const { values } = parseFlags('stats', argv, OPTIONS, 0);
  if (values.help === true) {
    await io.out(HELP);
    return 0;
  }
  const ms = PERIODS[values.last ?? 'day'];
  if (ms === undefined)
    throw new CommandError(
      2,
      `stats: --last ${values.last}: expected one of ${Object.keys(PERIODS).join(', ')}`,
    );
  const host = await requireHost(values);
  const now = systemClock.now();
  const query = new URLSearchParams({
    from: new Date(now - ms).toISOString(),
    to: new Date(now).toISOString(),
    bucket: 'day',
  });
  if (values.agent !== undefined) query.set('agent', values.agent);
  const answer = (await host.call('GET', `/v1/stats?${query.toString()}`)) as StatsAnswer;
  if (values.json === true) {
    await io.out(`${JSON.stringify(answer)}\n`);
    return 0;
  }
  const rows = answer.byAgent.map((one) => rowOf(one.agent, one));
  if (answer.byAgent.length !== 1) rows.push(rowOf('all', answer.totals));
  await io.out(table(['AGENT', 'TURNS', 'SPARED', 'IN', 'CACHED', 'OUT', 'COST'], rows, io));
  if (!answer.complete)
    await io.out(
      `Counted from ${answer.from}: there is more than is looked through. Choose a shorter period.\n`,
    );
  return 0;
}

function rowOf(name: string, tally: Omit<Tally, 'messages'>): string[] {
  const { turns, savedEverything, tokens, tokensIn, tokensOut, tokensCached, tokensEstimated, usd } = tally;
  const mark = tokens > 0 && tokensEstimated * 2 > tokens ? '~' : '';
  return [
    name,
    String(turns),
    String(savedEverything),
    `${mark}${tokensIn}`,
    String(tokensCached),
    `${mark}${tokensOut}`,
    usd === 0 ? '' : `$${usd.toFixed(usd < 1 ? 4 : 2)}`,
  ];
}
