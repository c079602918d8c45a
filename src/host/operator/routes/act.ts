// Routes for what operators do by hand: set an agent's mode in a conversation, disengage it, set its focus, discharge an
// obligation, and say what an agent should have done with a message.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { EVENT_LIMITS } from '../../../protocol/chat-event.ts';
import { CORRECTION_LABELS } from '../../../protocol/correction.ts';
import { MODES } from '../../../protocol/vocabulary.ts';
import { BODY_LIMITS } from '../../security/http-guard.ts';
import type { ServerContext } from '../../http/context.ts';
import { findEvent } from '../event-link.ts';
import {
  correctDecision,
  disengageAgent,
  dischargeObligation,
  type ActingOperator,
  setAgentFocus,
  setAgentMode,
} from '../operator-acts.ts';
import { authorized, param, readBody } from '../../http/request.ts';
import { cleanDeep } from '../../http/response.ts';

const conversation = z.string().min(1).max(2_048);
const modeBody = z.strictObject({ conversation, mode: z.enum(MODES) });
const disengageBody = z.strictObject({ conversation });
/** `ttlMs` 0 ends the focus. */
const focusBody = z.strictObject({ ttlMs: z.int().nonnegative().max(EVENT_LIMITS.ttlMs) });
const correctionBody = z.strictObject({
  agent: z.string().min(1).max(64),
  label: z.enum(CORRECTION_LABELS),
  conversation: conversation.optional(),
});
const small = { bodyLimit: BODY_LIMITS.otherBytes };

export function actRoutes(app: FastifyInstance, context: ServerContext): void {
  const operator = async (request: FastifyRequest): Promise<ActingOperator> => {
    const { subject } = await authorized(context, request, 'operator:write');
    return { context, subject };
  };

  app.post('/v1/agents/:id/mode', small, async (request, _reply) => {
    const who = await operator(request);
    const answer = await setAgentMode(who, param(request, 'id'), readBody(request, modeBody));
    return cleanDeep(answer, context.clean);
  });

  app.post('/v1/agents/:id/disengage', small, async (request, _reply) => {
    const who = await operator(request);
    const answer = await disengageAgent(who, param(request, 'id'), readBody(request, disengageBody));
    return cleanDeep(answer, context.clean);
  });

  app.post('/v1/agents/:id/focus', small, async (request, _reply) => {
    const who = await operator(request);
    const answer = await setAgentFocus(who, param(request, 'id'), readBody(request, focusBody));
    return cleanDeep(answer, context.clean);
  });

  app.post('/v1/why/:eventId/correction', small, async (request, _reply) => {
    const who = await operator(request);
    const { conversation: room, ...said } = readBody(request, correctionBody);
    const { row } = await findEvent(context, param(request, 'eventId'), room);
    return cleanDeep(await correctDecision(who, row, said), context.clean);
  });

  app.post('/v1/obligations/:key/discharge', small, async (request, _reply) => {
    const who = await operator(request);
    return cleanDeep(await dischargeObligation(who, param(request, 'key')), context.clean);
  });
}
