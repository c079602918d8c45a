// GET /v1/why/:eventId: explains for every agent what was decided about an event, and what has happened to it since.
// GET /v1/why/:eventId/state: what the host remembered then. GET /v1/why/:eventId/prompt: what the agent's model read
// about it. All take an id or a link, and the conversation where the
// id alone does not tell.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { iso } from '../../../protocol/log-record.ts';
import type { PromptsShown, StateUsed, WhyAgent, WhyAnswer } from '../../../protocol/operator-api.ts';
import type { LogRow } from '../../../store/tables.ts';
import { placeOf } from '../../kernel/conversation.ts';
import { unpackDecisions } from '../../kernel/log-row.ts';
import type { ServerContext } from '../../http/context.ts';
import { findEvent, shownNamesake } from '../event-link.ts';
import { laterChanges } from '../later.ts';
import { decisionWords } from '../plain-words.ts';
import { foldUpTo, Refold } from '../refold.ts';
import { authorized, param, readQuery } from '../../http/request.ts';
import { cleanDeep } from '../../http/response.ts';
import { shownDecision, shownDelivery, shownEvent } from '../shown.ts';
import { rememberedFacts } from '../state-words.ts';
import { turnsAbout } from '../turns-shown.ts';
import { type WhyContext, unaskedWords } from '../unasked-words.ts';

const roomField = z.string().min(1).max(1_024).optional();
const whyQuery = z.object({ agent: z.string().max(64).optional(), conversation: roomField });
const stateQuery = z.object({ agent: z.string().min(1).max(64), conversation: roomField });
const DELIVERIES_SHOWN = 100;

export function whyRoutes(app: FastifyInstance, context: ServerContext): void {
  app.get('/v1/why/:eventId', async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    const { agent, conversation: room } = readQuery(request, whyQuery);
    return cleanDeep(await why(context, param(request, 'eventId'), room, agent), context.clean);
  });

  app.get('/v1/why/:eventId/prompt', async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    const { agent, conversation: room } = readQuery(request, stateQuery);
    const { row } = await findEvent(context, param(request, 'eventId'), room);
    return cleanDeep(await promptsAbout(context, row, agent), context.clean);
  });

  app.get('/v1/why/:eventId/state', async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    const { agent, conversation: room } = readQuery(request, stateQuery);
    return cleanDeep(await stateUsed(context, param(request, 'eventId'), room, agent), context.clean);
  });
}

/** Prompts are kept for a while only, and only where a harness tells them. */
async function promptsAbout({ host }: ServerContext, row: LogRow, agent: string): Promise<PromptsShown> {
  const { promptsMs } = host.context.settings.limits;
  const found = await host.prompts.about(row, agent);
  const prompts = found.map(({ at, turnId, text }) => ({
    at: iso(at),
    ...(turnId === null ? {} : { turnId }),
    text,
  }));
  if (prompts.length > 0) return { eventId: row.key, agent, prompts };
  const note =
    promptsMs === 0
      ? 'Prompts are not kept here: host.limits.promptsMs is 0.'
      : `No prompt is stored for ${agent}: it had no turn about this, its harness does not tell prompts, or it was too long ago.`;
  return { eventId: row.key, agent, prompts, note };
}

/** Folds the state again from the log, under the present settings. `complete` is false when records were left out. */
async function stateUsed(
  context: ServerContext,
  given: string,
  room: string | undefined,
  agent: string,
): Promise<StateUsed> {
  const { context: host } = context.host;
  const { row } = await findEvent(context, given, room);
  const roster = host.rosterAt(placeOf(row.record.event));
  const refold = new Refold(host.attention);
  const made = await foldUpTo(host, refold, row);
  return {
    eventId: row.key,
    agent,
    remembered: rememberedFacts(refold.stateOf(row.conversation), roster, row, agent),
    ...made,
  };
}

async function why(
  context: ServerContext,
  given: string,
  room: string | undefined,
  agent: string | undefined,
): Promise<WhyAnswer> {
  const { context: host } = context.host;
  const { row, namesakes } = await findEvent(context, given, room);
  const roster = host.rosterAt(placeOf(row.record.event));
  const wanted = (one: { agent?: string }): boolean =>
    agent === undefined || one.agent === undefined || one.agent === agent;
  const scanned = await host.store.scan('delivery', 'bySource', { eq: [row.key], limit: DELIVERIES_SHOWN });
  const later = (await laterChanges(context, row, scanned)).filter(wanted);
  const decisions = unpackDecisions(row.decisions, row.key)
    .filter(wanted)
    .map((decision) => ({ ...shownDecision(decision), ...decisionWords(decision, roster) }));
  const ids = host.attention.agents.map(({ id }) => id);
  const asked: WhyContext = { row, roster, agents: ids, configVersion: host.configVersion };
  // This includes agents that were asked then and have left the configuration since.
  const names = agent === undefined ? [...new Set([...ids, ...decisions.map((one) => one.agent)])] : [agent];
  const taken = await turnsAbout(host.store, row, scanned);
  const agents = names.map((name): WhyAgent => {
    const since = later.filter((change) => change.agent === name);
    const turns = taken.get(name) ?? [];
    const decided = decisions.find((one) => one.agent === name);
    if (decided === undefined) return { agent: name, ...unaskedWords(asked, name), since, turns };
    const { headline, steps, ...decision } = decided;
    return { agent: name, status: 'asked', headline, steps, decision, since, turns };
  });
  return {
    event: { ...shownEvent(row), decisions: [] },
    ...(namesakes.length === 0 ? {} : { namesakes: namesakes.map(shownNamesake) }),
    agents,
    decisions,
    deliveries: scanned.filter(wanted).map(shownDelivery),
    later,
    ...(decisions.length === 0 ? { note: noteOf(agents, row.record.event.conversation.id) } : {}),
  };
}

function noteOf(agents: readonly WhyAgent[], conversation: string): string {
  const [first] = agents;
  if (agents.length === 1 && first !== undefined) return first.headline;
  if (agents.every(({ status }) => status === 'not_bound'))
    return `No agent is bound to conversation "${conversation}": see agents[].conversations in the configuration.`;
  return 'Nobody was asked about this.';
}
