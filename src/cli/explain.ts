// `earshot explain`: decides one hypothetical event against a given state and tells every agent's decision in words.
import type { Decision } from '../attention/decision.ts';
import { createReplay, type Replay } from '../attention/replay.ts';
import { explainDecision } from '../attention/trace.ts';
import type { ChatEvent } from '../protocol/chat-event.ts';
import type { InboundDecision } from '../protocol/vocabulary.ts';
import type { Colour } from '../runtime/terminal.ts';
import { type Command, oneOfFlag, parseFlags } from './args.ts';
import { loadConfig } from './config.ts';
import { decisionRow } from './replay-report.ts';
import { hypotheticalEvent } from './hypothetical.ts';
import { CommandError, type Io } from './io.ts';
import { replayFrom } from './state-file.ts';

const HELP = `Usage: earshot explain (--event JSON | -) [--config FILE] [--state FILE] [--agent ID] [--json]

Asks what would be decided about one message, and tells the way to it: which rules were looked at, which one decided
and on what facts, what lowered it, and what it means for the agent. Nothing is sent and no state is changed.

  --event JSON      a ChatEvent; what is left out is filled in, so {"text":"…"} is enough. - reads standard input
  --config FILE     the agents and rules; ./earshot.yaml when left out
  --state FILE      what came before: written by earshot replay … --state-out FILE
  --agent ID        only this agent
  --json            one JSON object a line instead of text
  -h, --help        this text

Without "at" the message comes a minute after the last one of the state; without "conversation" it is in the one
that was opened last.

Example:
  earshot explain --config examples/earshot.yaml --event '{"text":"@lead can you look at the build?"}'
`;

const OPTIONS = {
  event: { type: 'string' },
  config: { type: 'string' },
  state: { type: 'string' },
  agent: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

export const explainCommand: Command = {
  help: HELP,
  run,
};

async function run(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseFlags('explain', argv, OPTIONS, 1);
  if (values.help === true) {
    await io.out(HELP);
    return 0;
  }
  const given = values.event ?? positionals[0];
  if (given === undefined || (positionals[0] !== undefined && positionals[0] !== '-')) {
    throw new CommandError(
      2,
      'explain: give the message with --event JSON, or - for standard input (see: earshot explain --help)',
    );
  }
  const settings = await loadConfig(values.config);
  const agent = oneOfFlag(
    'agent',
    values.agent,
    settings.agents.map(({ id }) => id),
  );
  const replay =
    values.state === undefined ? createReplay(settings) : await replayFrom(values.state, settings);
  const event = hypotheticalEvent(given === '-' ? await readAll(io.stdin) : given, replay);
  const fed = replay.feed(event);
  if (fed.type === 'duplicate') {
    throw new CommandError(1, `--event: eventId: "${event.eventId}" is already in the state; give another`);
  }
  const decisions = fed.decisions.filter((one) => agent === undefined || one.agent === agent);
  if (decisions.length === 0)
    await io.out(values.json === true ? '' : `${whyNobody(event, replay, agent)}\n`);
  const roster = replay.rosterOf(event);
  for (const decision of decisions) {
    const told = explainDecision(decision, roster);
    if (values.json === true) await io.out(`${JSON.stringify({ ...decisionRow(decision), ...told })}\n`);
    else await io.out(explanationText(decision, told, io));
  }
  return 0;
}

const COLOURS: Record<InboundDecision, Colour> = {
  engage: 'green',
  observe: 'dim',
  denied: 'red',
  claim: 'magenta',
};

function explanationText(
  decision: Decision,
  told: { headline: string; steps: string[] },
  { paint }: Io,
): string {
  const steps = told.steps.map((step, i) => `  ${i + 1}. ${step}\n`).join('');
  const { decision: inbound, directedness, policy, mode, reason } = decision;
  const row = paint(COLOURS[inbound], `${inbound}: ${directedness} ${policy} ${mode} ${reason}`);
  return `${paint('bold', told.headline)}\n  ${row}\n${steps}\n`;
}

/** Why there is no decision to explain. */
function whyNobody(event: ChatEvent, replay: Replay, agent: string | undefined): string {
  const { agents, byIdentity } = replay.rosterOf(event);
  if (agents.length === 0) {
    return `No agent is bound to conversation "${event.conversation.id}": see agents[].conversations in the config.`;
  }
  if (agent !== undefined && !agents.some(({ id }) => id === agent)) {
    return `${agent} is not bound to conversation "${event.conversation.id}": see its conversations in the config.`;
  }
  const own = event.author.kind === 'human' ? undefined : byIdentity.get(event.author.id)?.id;
  if (own !== undefined && (agent === own || agents.length === 1)) {
    return `${own} wrote it: a message is never delivered to its own author.`;
  }
  if (event.type === 'message')
    return 'Nobody is asked: this is history (origin "backfill"), read but not decided.';
  return `Nothing to decide: this ${event.type} changes what is remembered, or refers to nothing that is known.`;
}

/** Far longer than one event can be. */
const EVENT_BYTES = 4 * 1_024 * 1_024;

async function readAll(stdin: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stdin) {
    size += part.length;
    if (size > EVENT_BYTES)
      throw new CommandError(1, 'standard input is too long for one event: use earshot replay');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
