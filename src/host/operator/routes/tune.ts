// POST /v1/tune: what the host's own corrections say about each agent's dial. POST /v1/agents/ID/dial: what each notch of
// it would have done last week, everywhere or in one conversation. Neither changes anything. One runs at a time, because it
// reads much of the log. GET /v1/dials: where people in the chat have moved it.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ServerContext } from '../../http/context.ts';
import { findConversation } from '../../http/find-conversation.ts';
import { HttpError } from '../../http/http-error.ts';
import { authorized, hasBody, param, readBody } from '../../http/request.ts';
import { cleanDeep } from '../../http/response.ts';
import { dialMoves } from '../dial-moves.ts';
import { dialOverWeek } from '../dial-week.ts';
import { tune } from '../tune.ts';

const dialBody = z.strictObject({ conversation: z.string().min(1).max(2_048).optional() });

export function tuneRoutes(app: FastifyInstance, context: ServerContext): void {
  let running = false;
  const alone = async (work: () => Promise<object>): Promise<unknown> => {
    if (running)
      throw new HttpError(429, 'rate_limited', 'Another one is running: ask again shortly.', 2_000);
    running = true;
    try {
      return cleanDeep(await work(), context.clean);
    } finally {
      running = false;
    }
  };

  app.post('/v1/tune', async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    return alone(() => tune(context.host.context));
  });

  app.post('/v1/agents/:id/dial', async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    const { conversation } = hasBody(request) ? readBody(request, dialBody) : {};
    const key = conversation === undefined ? undefined : await findConversation(context, conversation);
    return alone(() => dialOverWeek(context.host.context, param(request, 'id'), key));
  });

  app.get('/v1/dials', async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    return cleanDeep(await dialMoves(context), context.clean);
  });
}
