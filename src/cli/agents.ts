// `earshot agents`: lists the agents, what each is doing, what waits for it, what it owes, and its mode.
import type { AgentsPage, ShownAgent } from '../protocol/operator-api.ts';
import { systemClock } from '../runtime/clock.ts';
import { type Command, parseFlags } from './args.ts';
import { CLIENT_HELP, CLIENT_OPTIONS, listIn, requireHost } from './host-client.ts';
import { CommandError, type Io } from './io.ts';
import { suggestion } from './nearest.ts';
import { clockText, span, table } from './terminal-text.ts';

const HELP = `Usage: earshot agents [AGENT]

Shows every agent, or one: connected or not, why its last turn failed, its running turn, what waits for it, what it owes and blocks, what it has
claimed, and how it is set (modes, focus, loops).

${CLIENT_HELP}

Example:
  earshot agents
  earshot agents lead --json
`;

export const agentsCommand: Command = {
  help: HELP,
  run,
};

async function run(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseFlags('agents', argv, CLIENT_OPTIONS, 1);
  if (values.help === true) {
    await io.out(HELP);
    return 0;
  }
  const host = await requireHost(values);
  const all: ShownAgent[] = [];
  let complete = true;
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const query = cursor === '' ? '' : `?cursor=${encodeURIComponent(cursor)}`;
    const answer = (await host.call('GET', `/v1/agents${query}`)) as AgentsPage;
    all.push(...listIn<ShownAgent>(answer, 'agents'));
    complete &&= answer.complete;
    cursor = answer.nextCursor;
  }
  const agents = only(all, positionals[0]);
  if (values.json === true) {
    await io.out(agents.map((agent) => `${JSON.stringify(agent)}\n`).join(''));
    return 0;
  }
  const now = systemClock.now();
  const rows = agents.map((agent) => rowOf(agent, now));
  await io.out(table(['AGENT', 'STATE', 'WAITING', 'OWES', 'BLOCKS', 'CLAIMS', 'SET'], rows, io));
  if (!complete)
    await io.out('Modes and loops are of the first conversations only: there are too many to look at all.\n');
  return 0;
}

function only(agents: readonly ShownAgent[], wanted: string | undefined): readonly ShownAgent[] {
  if (wanted === undefined) return agents;
  const found = agents.filter(({ id }) => id === wanted);
  if (found.length > 0) return found;
  throw new CommandError(
    1,
    `there is no agent "${wanted}"; ${suggestion(
      wanted,
      agents.map(({ id }) => id),
    )}`,
  );
}

function rowOf(agent: ShownAgent, now: number): string[] {
  const { id, queue, obligations, claims } = agent;
  const must = queue.mustRespond === 0 ? '' : ` (${queue.mustRespond} must)`;
  return [
    id,
    stateOf(agent, now),
    `${queue.open}${queue.more ? '+' : ''}${must}`,
    String(obligations.owes.length),
    String(obligations.blocks),
    String(claims.length),
    settingsOf(agent, now),
  ];
}

function stateOf({ connected, busy, failing, lastSeenAt }: ShownAgent, now: number): string {
  const failed = failing === null ? '' : `failing: ${failing.error ?? 'no reason was given'}`;
  if (busy !== null) {
    const [event = ''] = busy.eventIds;
    const since = busy.since === null ? '' : ` for ${span(now - Date.parse(busy.since))}`;
    return `at work${since} on ${event}${failed === '' ? '' : `; ${failed}`}`;
  }
  if (connected) return failed === '' ? 'connected' : failed;
  const away = lastSeenAt === null ? 'never connected' : `away since ${clockText(lastSeenAt, now)}`;
  return failed === '' ? away : `${away}; ${failed}`;
}

function settingsOf({ id: own, focusUntil, spent, modes, loops }: ShownAgent, now: number): string {
  const parts = modes.map(({ id, mode }) => (mode === 'left' ? `left ${id}` : `${mode} in ${id}`));
  if (focusUntil !== null) parts.unshift(`focus until ${clockText(focusUntil, now)}`);
  if (spent.level !== 'within') parts.unshift(spent.level === 'spent' ? 'budget used' : 'budget used up');
  for (const { id, level, count, agents } of loops) {
    const who = agents.filter((agent) => agent !== own).join(', ');
    if (level > 0) parts.push(`${level === 2 ? 'stopped' : `in circles (${count})`} with ${who} in ${id}`);
  }
  return parts.join('; ');
}
