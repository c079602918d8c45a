// What Slack posts to the host: events, and what people do by buttons, shortcuts and commands. Without an answer, or with
// 503, Slack sends an event again.
import type { Taken } from '../hand-over.ts';
import type { Secret } from '../secret.ts';
import { takeSigned } from '../signed-request.ts';
import type { SurfaceAnswer, SurfaceHost, SurfaceRequest } from '../surface.ts';
import { takeAction } from './http-actions.ts';
import { signatureProblem } from './signature.ts';
import type { TakeAct } from './take-act.ts';

export interface HttpDeps {
  signingSecret: Secret;
  host: Pick<SurfaceHost, 'ignored'>;
  take: (body: unknown) => Promise<Taken>;
  takeAct: TakeAct;
}

/** Slack would send it three times. */
const NO_RETRY = { 'x-slack-no-retry': '1' };

export function takeRequest(
  { signingSecret, host, take, takeAct }: HttpDeps,
  request: SurfaceRequest,
): Promise<SurfaceAnswer> {
  const signed = {
    platform: 'Slack',
    secret: signingSecret,
    host,
    problem: (secret: string, given: SurfaceRequest) => signatureProblem(secret, given, given.receivedAt),
  };
  if (request.path === 'actions') return takeAction({ ...signed, takeAct }, request);
  return takeSigned(
    { ...signed, noRetry: NO_RETRY, take: (body: object) => challenged(body) ?? take(body) },
    request,
  );
}

/** Slack asks who is there when the address is entered. */
function challenged(body: object): SurfaceAnswer | undefined {
  const { type, challenge } = body as { type?: unknown; challenge?: unknown };
  if (type !== 'url_verification' || typeof challenge !== 'string') return undefined;
  return { status: 200, headers: { 'content-type': 'text/plain' }, body: challenge };
}
