// `earshot owed`: which answers are owed, by whom and to whom, since when, and what happens next.
import type { ObligationsAnswer, ShownObligation } from '../protocol/operator-api.ts';
import { type Command, parseFlags } from './args.ts';
import { CLIENT_HELP, CLIENT_OPTIONS, listIn, requireHost } from './host-client.ts';
import { CommandError, type Io } from './io.ts';
import { span, table } from './terminal-text.ts';

const HELP = `Usage: earshot owed [--by WHO] [--to WHO] [--discharge KEY]

Shows the open obligations: what blocks most first, then the oldest. WHO is an id (lead) or an identity (human:U1).

  --by WHO         only what this one owes
  --to WHO         only what is owed to this one
  --discharge KEY  close this one, where an operator may: only what has come to the owner. Keys are in --json
${CLIENT_HELP}

Example:
  earshot owed --by lead
`;

const OPTIONS = {
  ...CLIENT_OPTIONS,
  by: { type: 'string' },
  to: { type: 'string' },
  discharge: { type: 'string' },
} as const;
/** As many as the host shows at once. */
const SHOWN = 200;

export const owedCommand: Command = {
  help: HELP,
  run,
};

async function run(argv: readonly string[], io: Io): Promise<number> {
  const { values } = parseFlags('owed', argv, OPTIONS, 0);
  if (values.help === true) {
    await io.out(HELP);
    return 0;
  }
  if (values.discharge !== undefined && (values.by !== undefined || values.to !== undefined))
    throw new CommandError(2, 'owed: --discharge names one obligation; leave out --by and --to');
  const host = await requireHost(values);
  if (values.discharge !== undefined) {
    const path = `/v1/obligations/${encodeURIComponent(values.discharge)}/discharge`;
    const answer = (await host.call('POST', path)) as { words?: string };
    await io.out(values.json === true ? `${JSON.stringify(answer)}\n` : `${answer.words ?? 'Discharged.'}\n`);
    return 0;
  }
  const query = new URLSearchParams({ limit: String(SHOWN) });
  if (values.by !== undefined) query.set('owedBy', values.by);
  if (values.to !== undefined) query.set('owedTo', values.to);
  const answer = (await host.call('GET', `/v1/obligations?${query.toString()}`)) as ObligationsAnswer;
  const owed = listIn<ShownObligation>(answer, 'obligations');
  if (values.json === true) await io.out(owed.map((one) => `${JSON.stringify(one)}\n`).join(''));
  else if (owed.length === 0) await io.out('Nothing is owed.\n');
  else {
    const rows = owed.map(({ owedBy, owedTo, blocks, ageMs, conversationId, eventId, words }) => [
      owedBy,
      owedTo,
      blocks,
      span(ageMs),
      `${conversationId} ${eventId}`,
      words,
    ]);
    await io.out(table(['OWED BY', 'TO', 'BLOCKS', 'AGE', 'WHERE', 'NEXT'], rows, io));
    if (answer.total > owed.length)
      await io.out(`… and ${answer.total - owed.length} more: use --by or --to\n`);
  }
  return 0;
}
