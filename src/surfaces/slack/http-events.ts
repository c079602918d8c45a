// Slack's events over HTTP. Without an answer, or with 503, Slack sends the same again.
import type { Taken } from '../hand-over.ts';
import type { Secret } from '../secret.ts';
import { takeSigned } from '../signed-request.ts';
import type { SurfaceAnswer, SurfaceHost, SurfaceRequest } from '../surface.ts';
import { signatureProblem } from './signature.ts';

export interface HttpDeps {
  signingSecret: Secret;
  host: Pick<SurfaceHost, 'ignored'>;
  take: (body: unknown) => Promise<Taken>;
}

/** Slack would send it three times. */
const NO_RETRY = { 'x-slack-no-retry': '1' };

export function takeRequest(
  { signingSecret, host, take }: HttpDeps,
  request: SurfaceRequest,
): Promise<SurfaceAnswer> {
  const deps = {
    platform: 'Slack',
    secret: signingSecret,
    host,
    noRetry: NO_RETRY,
    problem: (secret: string, given: SurfaceRequest) => signatureProblem(secret, given, given.receivedAt),
    take: (body: object) => challenged(body) ?? take(body),
  };
  return takeSigned(deps, request);
}

/** Slack asks who is there when the address is entered. */
function challenged(body: object): SurfaceAnswer | undefined {
  const { type, challenge } = body as { type?: unknown; challenge?: unknown };
  if (type !== 'url_verification' || typeof challenge !== 'string') return undefined;
  return { status: 200, headers: { 'content-type': 'text/plain' }, body: challenge };
}
