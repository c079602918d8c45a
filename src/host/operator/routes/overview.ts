// Lists for the console and the command line: GET /v1/agents, /v1/conversations, /v1/surfaces, /v1/claims and
// /v1/obligations. GET /v1/settings shows the attention settings.
import { conversationKeys } from '../../kernel/conversation.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type {
  AgentsPage,
  ConversationsPage,
  ObligationsAnswer,
  SettingsAnswer,
  SurfacesAnswer,
} from '../../../protocol/operator-api.ts';
import { shownAgent } from '../agents-shown.ts';
import { liveClaims } from '../claims-shown.ts';
import type { ServerContext } from '../../http/context.ts';
import { obligationRows, openObligations, shownObligation } from '../obligations-shown.ts';
import { limitField, PAGE_MAX, authorized, readQuery } from '../../http/request.ts';
import { conversationsByAgent, shownConversation } from '../conversations-shown.ts';
import { shownSurface } from '../surfaces-shown.ts';
import { shownSettings } from '../settings-patch.ts';
import { cleanDeep } from '../../http/response.ts';

const conversationsQuery = z.object({ limit: limitField, cursor: z.string().max(2_048).default('') });
const agentsQuery = z.object({
  limit: z.coerce.number<string>().int().min(1).max(PAGE_MAX).default(PAGE_MAX),
  cursor: z.string().max(64).optional(),
});
const identityField = z.string().min(1).max(300).optional();
const obligationsQuery = z.object({ owedBy: identityField, owedTo: identityField, limit: limitField });

export function overviewRoutes(app: FastifyInstance, context: ServerContext): void {
  app.get('/v1/agents', async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    const { limit, cursor } = readQuery(request, agentsQuery);
    return cleanDeep(await agentsPage(context, limit, cursor), context.clean);
  });

  app.get('/v1/settings', async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    const { attention, configVersion } = context.host.context;
    const answer: SettingsAnswer = { configVersion, attention: shownSettings(attention) };
    return cleanDeep(answer, context.clean);
  });

  app.get('/v1/conversations', async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    const { limit, cursor } = readQuery(request, conversationsQuery);
    const { store } = context.host.context;
    const keys = await conversationKeys(store, cursor, limit);
    const shown = await Promise.all(keys.map((key) => shownConversation(context, key)));
    const last = keys.at(-1);
    const page: ConversationsPage = {
      conversations: shown.flat(),
      ...(last !== undefined && keys.length === limit ? { nextCursor: last } : {}),
    };
    return cleanDeep(page, context.clean);
  });

  app.get('/v1/surfaces', async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    const now = context.clock.now();
    const surfaces = context.host.surfaces.all().map((health) => shownSurface(health, now));
    const answer: SurfacesAnswer = { surfaces };
    return cleanDeep(answer, context.clean);
  });

  app.get('/v1/claims', async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    return cleanDeep(await liveClaims(context), context.clean);
  });

  app.get('/v1/obligations', async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    const { owedBy, owedTo, limit } = readQuery(request, obligationsQuery);
    const open = await openObligations(context.host.context);
    const rows = obligationRows(open).filter(
      ({ recipient, author }) => isWho(recipient, owedBy) && isWho(author, owedTo),
    );
    const answer: ObligationsAnswer = {
      obligations: rows.slice(0, limit).map((row) => shownObligation(open, row)),
      total: rows.length,
    };
    return cleanDeep(answer, context.clean);
  });
}

/** `wanted` is a full identity (`agent:lead`) or only its id (`lead`). */
function isWho(identity: string, wanted: string | undefined): boolean {
  return wanted === undefined || identity === wanted || identity.slice(identity.indexOf(':') + 1) === wanted;
}

/** Agents come in the order of the configuration. The cursor is the last agent of the page before. */
async function agentsPage(
  context: ServerContext,
  limit: number,
  cursor: string | undefined,
): Promise<AgentsPage> {
  const { agents } = context.host.context.attention;
  const from = cursor === undefined ? 0 : agents.findIndex(({ id }) => id === cursor) + 1;
  const wanted = agents.slice(from, from + limit);
  const conversations = await conversationsByAgent(context);
  const shared = {
    open: await openObligations(context.host.context),
    claims: (await liveClaims(context)).claims,
    conversationsOf: conversations.of,
  };
  const last = wanted.at(-1);
  return {
    agents: await Promise.all(wanted.map((agent) => shownAgent(context, agent, shared))),
    complete: conversations.complete,
    ...(last !== undefined && from + limit < agents.length ? { nextCursor: last.id } : {}),
  };
}
