// Requests that a platform sends and signs. Nothing unsigned is read. The answer comes after the events are stored;
// with 503 the platform sends the same again, if it ever does.
import type { Taken } from './hand-over.ts';
import type { Secret } from './secret.ts';
import type { SurfaceAnswer, SurfaceHost, SurfaceRequest } from './surface.ts';

/** What tells whether a request is from the platform. */
export interface Refusable {
  /** For people. */
  platform: string;
  /** With which the platform signs. */
  secret: Secret;
  host: Pick<SurfaceHost, 'ignored'>;
  /** Undefined: it is from the platform. Otherwise why not. */
  problem: (secret: string, request: SurfaceRequest) => string | undefined;
}

export interface SignedDeps extends Refusable {
  /** What it says. An answer of its own is for what is no event. */
  take: (body: object, request: SurfaceRequest) => Promise<Taken> | SurfaceAnswer;
  /** Goes with an answer to what must not be sent again. */
  noRetry?: Readonly<Record<string, string>>;
}

export async function takeSigned(deps: SignedDeps, request: SurfaceRequest): Promise<SurfaceAnswer> {
  const { platform, host, noRetry = {} } = deps;
  if (request.path !== 'events') return { status: 404, body: `${platform} posts to …/events here.` };
  const refused = await refusalOf(deps, request);
  if (refused !== undefined) return refused;
  const body = jsonOf(request.body);
  if (body === undefined) {
    host.ignored('malformed');
    return { status: 400, headers: noRetry, body: 'body: not JSON' };
  }
  const taken = deps.take(body, request);
  return 'status' in taken ? taken : answerTo(await taken, noRetry);
}

/** The answer to a request that nobody reads. Undefined: it is from the platform. */
export async function refusalOf(
  { platform, secret, host, problem: problemOf }: Refusable,
  request: SurfaceRequest,
): Promise<SurfaceAnswer | undefined> {
  if (request.method !== 'POST') return { status: 404, body: `${platform} posts here.` };
  const key = await secret.read();
  if (key === undefined) return { status: 503, body: `The signing secret is missing: set ${secret.name}.` };
  const problem = problemOf(key, request);
  if (problem === undefined) return undefined;
  host.ignored(problem);
  return { status: 401, body: `This is not signed by ${platform}: ${problem}.` };
}

function answerTo(taken: Taken, noRetry: Readonly<Record<string, string>>): SurfaceAnswer {
  switch (taken.type) {
    case 'done':
      return { status: 200 };
    case 'later':
      return { status: 503, headers: { 'retry-after': '1' }, body: taken.why };
    case 'malformed':
      return { status: 400, headers: noRetry, body: taken.problem };
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
