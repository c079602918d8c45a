// `earshot claims`: who has claimed what, and how long each claim still lasts.
import type { ShownClaim } from '../protocol/operator-api.ts';
import { type Command, parseFlags } from './args.ts';
import { CLIENT_HELP, CLIENT_OPTIONS, listIn, requireHost } from './host-client.ts';
import type { Io } from './io.ts';
import { span, table } from './terminal-text.ts';

const HELP = `Usage: earshot claims [AGENT]

Shows every live claim, or one agent's: what is claimed, where, and when it ends. The soonest to end comes first.

${CLIENT_HELP}

Example:
  earshot claims
`;

export const claimsCommand: Command = {
  help: HELP,
  run,
};

async function run(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseFlags('claims', argv, CLIENT_OPTIONS, 1);
  if (values.help === true) {
    await io.out(HELP);
    return 0;
  }
  const [agent] = positionals;
  const host = await requireHost(values);
  const all = listIn<ShownClaim>(await host.call('GET', '/v1/claims'), 'claims');
  const claims = all.filter((claim) => agent === undefined || claim.agent === agent);
  if (values.json === true) await io.out(claims.map((claim) => `${JSON.stringify(claim)}\n`).join(''));
  else if (claims.length === 0)
    await io.out(agent === undefined ? 'Nothing is claimed.\n' : `${agent} has claimed nothing.\n`);
  else {
    const rows = claims.map(({ agent: who, leftMs, conversationId, scope, eventId }) => [
      who,
      span(leftMs),
      conversationId,
      scope === 'conversation' ? 'the whole conversation' : (eventId ?? 'an older message'),
    ]);
    await io.out(table(['AGENT', 'LEFT', 'WHERE', 'WHAT'], rows, io));
  }
  return 0;
}
