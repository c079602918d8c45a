// The settings for operators, under /v1/settings: the file, what a change would do, the change itself, and the versions that
// were in force. Whoever may read may check; only who may write may apply.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ShownVersion, VersionsAnswer } from '../../../protocol/settings-api.ts';
import { iso } from '../../../protocol/log-record.ts';
import type { SettingsRow } from '../../../store/tables.ts';
import type { ServerContext } from '../../http/context.ts';
import { HttpError } from '../../http/http-error.ts';
import { authorized, limitField, param, readBody, readQuery } from '../../http/request.ts';
import { cleanDeep } from '../../http/response.ts';
import { askTest, testState } from '../agent-test.ts';
import { versions } from '../../kernel/settings-row.ts';
import type { Changer, SettingsDesk } from '../settings-desk.ts';

/** The longest text of a settings file that the page sends. */
const TEXT_CHARS = 1_000_000;
const BODY_BYTES = 4 * 1_048_576;

const path = z
  .array(z.union([z.string().max(512), z.int().nonnegative()]))
  .min(1)
  .max(12);
const edit = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('set'), path, value: z.unknown() }),
  z.strictObject({
    op: z.literal('add'),
    path,
    value: z.unknown(),
    before: z.int().nonnegative().optional(),
  }),
  z.strictObject({ op: z.literal('remove'), path }),
]);
const text = z.string().min(1).max(TEXT_CHARS);
const checkBody = z.strictObject({ text: text.optional(), edits: z.array(edit).max(200).optional() });
const number = z.int().nonnegative();
const applyBody = z.strictObject({ text, basedOn: number });
const backBody = z.strictObject({ basedOn: number });
const reloadBody = z.strictObject({ dryRun: z.boolean().default(false) });
const versionsQuery = z.object({ limit: limitField });

export function settingsRoutes(app: FastifyInstance, context: ServerContext): void {
  const large = { bodyLimit: BODY_BYTES };

  app.get('/v1/settings/file', async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    return withText(await deskOf(context).view(), context);
  });

  app.post('/v1/settings/check', large, async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    const draft = readBody(request, checkBody);
    return withText(deskOf(context).check(draft), context);
  });

  app.post('/v1/settings/apply', large, async (request, _reply) => {
    const who = await changer(context, request, 'page');
    return cleanDeep(await deskOf(context).apply(readBody(request, applyBody), who), context.clean);
  });

  app.post('/v1/settings/reload', async (request, _reply) => {
    const { dryRun } = readBody(request, reloadBody);
    const who = await changer(context, request, 'command', dryRun ? 'operator:read' : 'operator:write');
    return withText(await deskOf(context).reload(who, dryRun), context);
  });

  app.get('/v1/settings/difference/:id', async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    return cleanDeep(differenceOf(context, request).answer(), context.clean);
  });

  app.delete('/v1/settings/difference/:id', async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    const difference = differenceOf(context, request);
    difference.cancel();
    return cleanDeep(difference.answer(), context.clean);
  });

  app.get('/v1/settings/versions', async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    const { limit } = readQuery(request, versionsQuery);
    const rows = await versions(context.host.context.store, limit);
    const answer: VersionsAnswer = { versions: rows.map(shownVersion) };
    return cleanDeep(answer, context.clean);
  });

  app.post('/v1/settings/versions/:number/back', async (request, _reply) => {
    const who = await changer(context, request, 'page');
    const { basedOn } = readBody(request, backBody);
    const wanted = Number(param(request, 'number'));
    return cleanDeep(await deskOf(context).goBack({ number: wanted, basedOn }, who), context.clean);
  });

  app.post('/v1/agents/:id/test', async (request, _reply) => {
    const { subject } = await authorized(context, request, 'operator:write');
    return cleanDeep(await askTest(context, param(request, 'id'), subject), context.clean);
  });

  app.get('/v1/agents/:id/test/:event', async (request, _reply) => {
    const { subject } = await authorized(context, request, 'operator:read');
    const [agent, event] = [param(request, 'id'), param(request, 'event')];
    return cleanDeep(await testState(context, agent, subject, event), context.clean);
  });
}

/** The text goes back into the file, so it stays to the letter. Its secrets are cut out by the port. */
function withText({ text: kept, ...rest }: { text: string }, { clean }: ServerContext) {
  return { ...(cleanDeep(rest, clean) as object), text: kept };
}

function deskOf({ desk }: ServerContext): SettingsDesk {
  if (desk !== undefined) return desk;
  const message = 'The settings of this host are those of the program that it runs in: change them there.';
  throw new HttpError(409, 'not_here', message);
}

function differenceOf(context: ServerContext, request: FastifyRequest) {
  const found = deskOf(context).differences.find(param(request, 'id'));
  if (found === undefined)
    throw new HttpError(404, 'not_found', 'This comparison is over, another one was begun: check again.');
  return found;
}

async function changer(
  context: ServerContext,
  request: FastifyRequest,
  way: Changer['way'],
  scope: 'operator:read' | 'operator:write' = 'operator:write',
): Promise<Changer> {
  const { subject } = await authorized(context, request, scope);
  return { by: `operator:${subject}`, way };
}

function shownVersion({ number: n, version, at, by, way, words, text: kept }: SettingsRow): ShownVersion {
  return { number: n, version, at: iso(at), by, way, words, hasText: kept !== '' };
}
