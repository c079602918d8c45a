// `earshot why`: what was decided about one event, for each agent, in words, and what became of it.
import { type Command, parseFlags } from './args.ts';
import { CLIENT_HELP, CLIENT_OPTIONS, requireHost } from './host-client.ts';
import { CommandError, type Io } from './io.ts';
import { shown } from './shown-text.ts';

const HELP = `Usage: earshot why EVENT [AGENT]

Tells why each agent, or this one, was or was not woken by an event: which rules were looked at, which one decided and on
what facts, and what has happened to it since.

${CLIENT_HELP}

Example:
  earshot why hello-1763240000 lead
`;

export const whyCommand: Command = {
  name: 'why',
  summary: 'tell why an agent was or was not woken by an event',
  help: HELP,
  run,
};

export interface WhyAnswer {
  event: { author: { id: string; displayName?: string }; type: string; text?: string };
  decisions: {
    agent: string;
    decision: string;
    directedness: string;
    policy: string;
    mode: string;
    reason: string;
    headline: string;
    steps: string[];
  }[];
  deliveries: {
    agent: string;
    state: string;
    disposition: string | null;
    why: string | null;
    attempt: number;
  }[];
  note?: string;
}

async function run(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseFlags('why', argv, CLIENT_OPTIONS, 2);
  if (values.help === true) {
    await io.out(HELP);
    return 0;
  }
  const [event, agent] = positionals;
  if (event === undefined) throw new CommandError(2, 'why: name the event (see: earshot why --help)');
  const host = await requireHost(values);
  const query = agent === undefined ? '' : `?agent=${encodeURIComponent(agent)}`;
  const answer = (await host.call('GET', `/v1/why/${encodeURIComponent(event)}${query}`)) as WhyAnswer;
  await io.out(values.json === true ? `${JSON.stringify(answer)}\n` : whyText(answer, io));
  return 0;
}

function whyText({ event, decisions, deliveries, note }: WhyAnswer, io: Io): string {
  const { author, type, text } = event;
  const who = shown(author.displayName ?? author.id, io.columns);
  const parts = [`${io.paint('bold', who)}: ${shown(text ?? `(${type})`, io.columns)}\n`];
  for (const { agent, headline, steps, ...row } of decisions) {
    const outcome = `${row.decision}: ${row.directedness} ${row.policy} ${row.mode} ${row.reason}`;
    parts.push(
      `\n${io.paint('bold', headline)}\n  ${io.paint(row.decision === 'engage' ? 'green' : 'dim', outcome)}\n`,
    );
    parts.push(...steps.map((step, index) => `  ${index + 1}. ${shown(step, Number.POSITIVE_INFINITY)}\n`));
    for (const delivery of deliveries.filter((one) => one.agent === agent)) {
      const end =
        delivery.disposition === null ? delivery.state : `${delivery.state}, ${delivery.disposition}`;
      const why = delivery.why === null ? '' : ` (${shown(delivery.why, io.columns)})`;
      parts.push(`  now: ${end}${why}, attempt ${delivery.attempt}\n`);
    }
  }
  if (note !== undefined) parts.push(`${note}\n`);
  return parts.join('');
}
