// Slack's events over HTTP. Everything is signed; nothing unsigned is read. The answer comes after the events are
// stored: without one, or with 503, Slack sends the same again.
import type { Secret } from '../secret.ts';
import type { SurfaceAnswer, SurfaceHost, SurfaceRequest } from '../surface.ts';

import { signatureProblem } from './signature.ts';
import type { Taken } from './take.ts';

export interface HttpDeps {
  signingSecret: Secret;
  host: Pick<SurfaceHost, 'ignored'>;
  take: (body: unknown) => Promise<Taken>;
}

/** Slack would send it three times. */
const NO_RETRY = { 'x-slack-no-retry': '1' };

export async function takeRequest(deps: HttpDeps, request: SurfaceRequest): Promise<SurfaceAnswer> {
  if (request.path !== 'events' || request.method !== 'POST')
    return { status: 404, body: 'Slack posts to …/events here.' };
  const secret = await deps.signingSecret.read();
  if (secret === undefined)
    return { status: 503, body: `The signing secret is missing: set ${deps.signingSecret.name}.` };
  const problem = signatureProblem(secret, request, request.receivedAt);
  if (problem !== undefined) {
    deps.host.ignored(problem);
    return { status: 401, body: `This is not signed by Slack: ${problem}.` };
  }
  const body = jsonOf(request.body);
  if (body === undefined) {
    deps.host.ignored('malformed');
    return { status: 400, headers: NO_RETRY, body: 'body: not JSON' };
  }
  const { type, challenge } = body as { type?: unknown; challenge?: unknown };
  if (type === 'url_verification' && typeof challenge === 'string')
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: challenge };
  return answerTo(await deps.take(body));
}

function answerTo(taken: Taken): SurfaceAnswer {
  switch (taken.type) {
    case 'done':
      return { status: 200 };
    case 'later':
      return { status: 503, headers: { 'retry-after': '1' }, body: taken.why };
    case 'malformed':
      return { status: 400, headers: NO_RETRY, body: taken.problem };
  }
}

function jsonOf(body: Uint8Array): object | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
