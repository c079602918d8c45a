// Tokens and pairing codes over HTTP, for operators. The command line uses these routes while the host runs. Only the
// answer to its creation shows a token or code.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { TokenRow } from '../../../store/tables.ts';
import { BODY_LIMITS } from '../../security/http-guard.ts';
import { PAIRING_LIMITS } from '../../security/pairing.ts';
import { SCOPES, scopeProblem, TOKEN_KINDS } from '../../security/scopes.ts';
import { TOKEN_LIMITS } from '../../security/tokens.ts';
import type { ServerContext } from '../../http/context.ts';
import { HttpError } from '../../http/http-error.ts';
import { checkPersonName } from '../../security/person-names.ts';
import { authorized, param, readBody } from '../../http/request.ts';
import { iso } from '../../../protocol/log-record.ts';

export const newTokenSchema = z.strictObject({
  kind: z.enum(TOKEN_KINDS),
  subject: z.string().regex(/^[a-z0-9][a-z0-9_.-]{0,63}$/i, 'expected letters, digits, ".", "_" or "-"'),
  scopes: z.array(z.enum(SCOPES)).max(SCOPES.length).optional(),
  label: z.string().max(TOKEN_LIMITS.labelChars).default(''),
});
const newPairingSchema = z.strictObject({
  role: z.string().min(1).max(128),
  ttlMs: z.int().positive().max(PAIRING_LIMITS.maxTtlMs).optional(),
});
const small = { bodyLimit: BODY_LIMITS.otherBytes };

export function accessRoutes(app: FastifyInstance, context: ServerContext): void {
  const { tokens, pairing, connections } = context;

  app.get('/v1/tokens', async (request, _reply) => {
    await authorized(context, request, 'operator:read');
    return { tokens: (await tokens.list()).map(shownToken) };
  });

  app.post('/v1/tokens', small, async (request, reply) => {
    await authorized(context, request, 'operator:write');
    const { scopes, ...wanted } = readBody(request, newTokenSchema);
    const problem = scopes === undefined ? undefined : scopeProblem(wanted.kind, scopes);
    if (problem !== undefined) throw new HttpError(400, 'invalid_request', problem);
    if (wanted.kind === 'person') checkName(context, wanted.label || wanted.subject);
    const { token, row } = await tokens.issue({ ...wanted, ...(scopes === undefined ? {} : { scopes }) });
    return reply.code(201).send({ token, ...shownToken(row), ...note(context, row) });
  });

  app.delete('/v1/tokens/:prefix', async (request, _reply) => {
    await authorized(context, request, 'operator:write');
    const revoked = await tokens.revoke(param(request, 'prefix'));
    if (!revoked.ok) {
      const status = revoked.why === 'unknown' ? 404 : revoked.why === 'already_revoked' ? 409 : 400;
      throw new HttpError(status, revoked.why, revoked.message);
    }
    connections.closeAll(revoked.row.key);
    return shownToken(revoked.row);
  });

  app.post('/v1/pairings', small, async (request, reply) => {
    await authorized(context, request, 'operator:write');
    const { role, ttlMs } = readBody(request, newPairingSchema);
    const { code, row } = await pairing.issue({ role, ...(ttlMs === undefined ? {} : { ttlMs }) });
    return reply.code(201).send({ code, role, expiresAt: iso(row.expiresAt) });
  });
}

export function shownToken(row: TokenRow): Record<string, unknown> {
  const { key, kind, subject, scopes, label } = row;
  const revokedAt = row.revokedAt === null ? null : iso(row.revokedAt);
  const leaked = row.leaked === true ? { leaked: true } : {};
  const createdAt = iso(row.createdAt);
  return { key: key.slice(0, 16), kind, subject, scopes, label, createdAt, revokedAt, ...leaked };
}

/** An operator may give two people the same name, but nobody the name of an agent. */
function checkName({ host }: ServerContext, label: string): void {
  const { agents } = host.context.attention;
  const checked = checkPersonName({ agents, people: new Map() }, label);
  if (!checked.ok) throw new HttpError(400, 'invalid_request', `${checked.problem}.`);
}

/** Says what a person must do before the token works. */
function note({ host, sources }: ServerContext, { kind, subject }: TokenRow): { note?: string } {
  if (kind === 'surface' && !sources.has(subject)) {
    return { note: `"${subject}" is a new source: restart the host before it posts.` };
  }
  if (kind === 'agent' && !host.context.attention.agents.some(({ id }) => id === subject)) {
    return { note: `No agent "${subject}" is configured: add it to agents in earshot.yaml, or on the page.` };
  }
  return {};
}
