// POST /v1/what-if and /v1/replay: what would be decided under other settings. Neither changes anything. One replay runs
// at a time, because it reads much of the log.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ServerContext } from '../../http/context.ts';
import { HttpError } from '../../http/http-error.ts';
import { replayLog, replayTranscript } from '../replays.ts';
import { authorized, readBody, timeField } from '../../http/request.ts';
import { parseSettings, settingsPatchSchema } from '../settings-patch.ts';
import { cleanDeep } from '../../http/response.ts';
import { whatIf } from '../what-if.ts';

/** The longest transcript. A body may be larger, because JSON escapes make the text longer. */
const TRANSCRIPT_CHARS = 5 * 1_048_576;
const BODY_BYTES = 16 * 1_048_576;

const whatIfBody = z.strictObject({
  eventId: z.string().min(1).max(2_048),
  conversation: z.string().min(1).max(1_024).optional(),
  agent: z.string().min(1).max(64),
  settings: settingsPatchSchema.default({}),
});
const replayBody = z.strictObject({
  from: timeField.optional(),
  to: timeField.optional(),
  transcript: z.string().min(1).max(TRANSCRIPT_CHARS).optional(),
  config: z.unknown().optional(),
  against: z.unknown().optional(),
  all: z.boolean().default(false),
});

export function replayRoutes(app: FastifyInstance, context: ServerContext): void {
  let running = false;

  app.post('/v1/what-if', async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    return cleanDeep(await whatIf(context, readBody(request, whatIfBody)), context.clean);
  });

  app.post('/v1/replay', { bodyLimit: BODY_BYTES }, async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    const body = readBody(request, replayBody);
    if (running) {
      throw new HttpError(
        429,
        'rate_limited',
        'Another replay is running: ask again when it is done.',
        2_000,
      );
    }
    running = true;
    try {
      return cleanDeep(await replay(context, body), context.clean);
    } finally {
      running = false;
    }
  });
}

function replay(context: ServerContext, body: z.infer<typeof replayBody>) {
  const { transcript, config, against, all } = body;
  const first = config === undefined ? context.host.context.attention : parseSettings(config, 'config');
  const options =
    against === undefined
      ? { before: undefined, after: first, all }
      : { before: first, after: parseSettings(against, 'against'), all };
  if (transcript !== undefined) {
    if (body.from === undefined && body.to === undefined)
      return replayTranscript(context, transcript, options);
    throw new HttpError(400, 'invalid_request', 'body: give either a transcript or from and to, not both.');
  }
  const to = body.to ?? context.clock.now() + 1;
  if (body.from === undefined || body.from >= to) {
    throw new HttpError(
      400,
      'invalid_request',
      'body: give a transcript, or from (and to) with from before to.',
    );
  }
  return replayLog(context, { from: body.from, to }, options);
}
