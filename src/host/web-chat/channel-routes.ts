// DELETE /v1/web/channels/:id: an operator deletes a channel, whoever made it. The page asks for its name once more. The
// audit has it before anything is removed, and every record that comes of it names the operator.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { WEB_CHAT_LIMITS } from '../../protocol/web-chat.ts';
import type { ServerContext } from '../http/context.ts';
import { HttpError } from '../http/http-error.ts';
import { authorized, param, readQuery } from '../http/request.ts';
import { auditWrite } from '../kernel/audit.ts';
import { Refused } from './refusals.ts';
import { deleteChannel } from './room-acts.ts';
import type { WebRoom } from './room.ts';

const deleteQuery = z.object({ name: z.string().min(1).max(WEB_CHAT_LIMITS.nameChars) });

export function channelRoutes(
  app: FastifyInstance,
  context: ServerContext,
  room: () => Promise<WebRoom>,
): void {
  app.delete('/v1/web/channels/:id', async (request, _reply) => {
    const { subject } = await authorized(context, request, 'operator:write');
    const { name } = readQuery(request, deleteQuery);
    const conversation = param(request, 'id');
    const { apply, random } = context.host.context;
    const who = `operator:${subject}`;
    const audit = (): Promise<void> =>
      apply({
        states: [],
        rows: [],
        run: ({ now }) => ({
          writes: [auditWrite({ random }, now, who, 'channel_deleted', { conversation, name })],
          news: [],
          result: undefined,
        }),
      });
    const operator = { id: who, name: `operator ${subject}` };
    const wanted = { conversation, name, key: random.id() };
    return { conversation: await deleteChannel(await room(), operator, wanted, audit).catch(asHttp) };
  });
}

const STATUS: Readonly<Record<string, number>> = { not_found: 404, forbidden: 403, invalid_params: 400 };

function asHttp(error: unknown): never {
  if (!(error instanceof Refused)) throw error;
  const { name } = error.error.data as { name: string };
  throw new HttpError(STATUS[name] ?? 503, name, error.message);
}
