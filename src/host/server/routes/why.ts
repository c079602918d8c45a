// GET /v1/why/:eventId: what was decided about an event, for each agent in words, and what became of it since.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { explainDecision } from '../../../attention/index.ts';
import type { LogRow } from '../../../store/tables.ts';
import { placeOf } from '../../conversation.ts';
import { unpackDecisions } from '../../pack-decisions.ts';
import type { ServerContext } from '../context.ts';
import { notFound } from '../http-error.ts';
import { authorized, param, readQuery } from '../request.ts';
import { cleanDeep, shownDelivery, shownEvent } from '../shown.ts';

const whyQuery = z.object({ agent: z.string().max(64).optional() });
const DELIVERIES_SHOWN = 100;

export function whyRoutes(app: FastifyInstance, context: ServerContext): void {
  const { context: host } = context.host;
  app.get('/v1/why/:eventId', async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    const { agent } = readQuery(request, whyQuery);
    const row = await find(context, param(request, 'eventId'));
    if (row === undefined) throw notFound('event');
    const roster = host.rosterAt(placeOf(row.record.event));
    const wanted = (one: { agent: string }): boolean => agent === undefined || one.agent === agent;
    const decisions = unpackDecisions(row.decisions, row.key)
      .filter(wanted)
      .map((decision) => ({ ...decision, ...explainDecision(decision, roster) }));
    const deliveries = await host.store.scan('delivery', 'bySource', {
      eq: [row.key],
      limit: DELIVERIES_SHOWN,
    });
    const answer = {
      event: { ...shownEvent(row), decisions: undefined },
      decisions,
      deliveries: deliveries.filter(wanted).map(shownDelivery),
      ...(decisions.length === 0 ? { note: whyNobody(row, roster, agent) } : {}),
    };
    return cleanDeep(answer, context.clean);
  });
}

/** A follow-up's id (`evt_1/claimed`) leads to the event it is about. */
async function find({ host }: ServerContext, eventId: string): Promise<LogRow | undefined> {
  const { store } = host.context;
  const row = await store.get('log', eventId);
  const cut = eventId.lastIndexOf('/');
  return row ?? (cut > 0 ? store.get('log', eventId.slice(0, cut)) : undefined);
}

function whyNobody(
  { record: { event } }: LogRow,
  roster: { agents: readonly { id: string }[] },
  agent: string | undefined,
): string {
  const see = `conversation "${event.conversation.id}": see agents[].conversations in the configuration.`;
  if (roster.agents.length === 0) return `No agent is bound to ${see}`;
  if (agent !== undefined && !roster.agents.some(({ id }) => id === agent))
    return `${agent} is not bound to ${see}`;
  if (agent === event.author.id) return `${agent} wrote it: a message is never delivered to its own author.`;
  return `Nothing was decided: this ${event.type} changes what is remembered, and asks nobody.`;
}
