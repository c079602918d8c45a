// What operators do by hand: an agent's mode in a conversation, disengaging it, its focus, and closing what is owed.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { EVENT_LIMITS } from '../../../protocol/chat-event.ts';
import { MODES } from '../../../protocol/vocabulary.ts';
import { BODY_LIMITS } from '../../security/http-guard.ts';
import type { ServerContext } from '../../http/context.ts';
import { disengage, dischargeObligation, type Operator, setFocus, setMode } from '../operator-acts.ts';
import { authorized, param, readBody } from '../../http/request.ts';
import { cleanDeep } from '../../http/response.ts';

const conversation = z.string().min(1).max(2_048);
const modeBody = z.strictObject({ conversation, mode: z.enum(MODES) });
const disengageBody = z.strictObject({ conversation });
/** 0 ends it. */
const focusBody = z.strictObject({ ttlMs: z.int().nonnegative().max(EVENT_LIMITS.ttlMs) });
const small = { bodyLimit: BODY_LIMITS.otherBytes };

export function actRoutes(app: FastifyInstance, context: ServerContext): void {
  const operator = async (request: FastifyRequest): Promise<Operator> => {
    const { subject } = await authorized(context, request, 'operator:write');
    return { context, subject };
  };

  app.post('/v1/agents/:id/mode', small, async (request, _reply) => {
    const who = await operator(request);
    const answer = await setMode(who, param(request, 'id'), readBody(request, modeBody));
    return cleanDeep(answer, context.clean);
  });

  app.post('/v1/agents/:id/disengage', small, async (request, _reply) => {
    const who = await operator(request);
    const answer = await disengage(who, param(request, 'id'), readBody(request, disengageBody));
    return cleanDeep(answer, context.clean);
  });

  app.post('/v1/agents/:id/focus', small, async (request, _reply) => {
    const who = await operator(request);
    const answer = await setFocus(who, param(request, 'id'), readBody(request, focusBody));
    return cleanDeep(answer, context.clean);
  });

  app.post('/v1/obligations/:key/discharge', small, async (request, _reply) => {
    const who = await operator(request);
    return cleanDeep(await dischargeObligation(who, param(request, 'key')), context.clean);
  });
}
