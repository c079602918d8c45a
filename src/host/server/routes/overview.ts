// GET /v1/agents and /v1/conversations: who is here and where, for the console and the command line.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { agentStateKey, type ConversationState } from '../../conversation.ts';
import type { AgentRecord } from '../../agent-record.ts';
import type { ServerContext } from '../context.ts';
import { limitField } from '../page.ts';
import { authorized, readQuery } from '../request.ts';
import { cleanDeep, iso } from '../shown.ts';

const conversationsQuery = z.object({ limit: limitField, cursor: z.string().max(2_048).default('') });

export function overviewRoutes(app: FastifyInstance, context: ServerContext): void {
  app.get('/v1/agents', async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    const { agents } = context.host.context.attention;
    return { agents: await Promise.all(agents.map((agent) => agentShown(context, agent))) };
  });

  app.get('/v1/conversations', async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    const { limit, cursor } = readQuery(request, conversationsQuery);
    const { store } = context.host.context;
    const keys = await store.stateKeys('c/', cursor, limit);
    const conversations = await Promise.all(keys.map((key) => conversationShown(context, key)));
    const last = keys.at(-1);
    const more = last !== undefined && keys.length === limit ? { nextCursor: last } : {};
    return cleanDeep({ conversations, ...more }, context.clean);
  });
}

async function agentShown(
  { host, clock }: ServerContext,
  agent: AgentView,
): Promise<Record<string, unknown>> {
  const { store } = host.context;
  const { id, name, aliases, roles, lead } = agent;
  const record = (await store.state(agentStateKey(id))) as AgentRecord | undefined;
  const session = await store.get('session', id);
  const focused = record !== undefined && record.focusUntil > clock.now();
  return {
    id,
    name: name ?? id,
    aliases,
    roles,
    lead: lead ?? null,
    connected: host.courier.connected(id),
    load: host.courier.agents().find(({ agent: other }) => other === id)?.load ?? 0,
    focusUntil: focused ? iso(record.focusUntil) : null,
    lastSession: session === undefined ? null : { epoch: session.epoch, openedAt: iso(session.openedAt) },
  };
}

type AgentView = ServerContext['host']['context']['attention']['agents'][number];

async function conversationShown({ host }: ServerContext, key: string): Promise<Record<string, unknown>> {
  const state = (await host.context.store.state(key)) as ConversationState | undefined;
  if (state === undefined) return { key };
  const { place, surface, attention } = state;
  const roster = host.context.rosterAt(place);
  const modes = attention.agents.flatMap(({ key: agent, mode }) => {
    const id = roster.byKey.get(agent)?.id;
    return id === undefined || mode === undefined ? [] : [[id, mode]];
  });
  return {
    key,
    ...place,
    surface,
    events: attention.seq,
    lastAt: iso(attention.at),
    agents: roster.agents.map(({ id }) => id),
    modes: Object.fromEntries(modes),
  };
}
