// The errors between the page and the host, in words that say what to do.

export class ApiError extends Error {
  /** 0: the host did not answer at all. */
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
  }

  /** The token is no longer valid. Only signing in again helps. */
  get signedOut(): boolean {
    return this.status === 401;
  }
}

export const NO_ANSWER =
  'The host does not answer. Start it with "earshot up", or with "npm start" in a clone; this page goes on by itself.';

export function unreachable(cause: unknown): ApiError {
  return new ApiError(0, 'unreachable', NO_ANSWER, { cause });
}

/** The host's errors are `{error: {code, message}}`, and its messages say what to do. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined);
  const { code, message } =
    (body as { error?: { code?: unknown; message?: unknown } } | undefined)?.error ?? {};
  return new ApiError(
    response.status,
    typeof code === 'string' ? code : 'unknown',
    typeof message === 'string' ? message : `The host answered ${response.status} without saying why.`,
  );
}

export function wordsOf(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  return error instanceof Error
    ? `Something in this page went wrong: ${error.message}`
    : 'Something went wrong.';
}
