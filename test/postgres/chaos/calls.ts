// Calls over HTTP through whatever node answers, and what became of them. A call without an answer is not repeated here:
// whoever made it knows whether it may be.
const PATIENCE_MS = 4_000;

export interface Answered {
  ok: boolean;
  body: unknown;
}

/** What all callers of one run have met. */
export class Weather {
  /** Calls without an answer. */
  unanswered = 0;
  /** By status and code. */
  readonly refused = new Map<string, number>();
}

export class Caller {
  readonly #url: string;
  readonly #token: string;
  readonly #weather: Weather;

  constructor(url: string, token: string | undefined, weather: Weather) {
    if (token === undefined) throw new Error('there is no such token');
    this.#url = url;
    this.#token = token;
    this.#weather = weather;
  }

  /** Undefined: no answer came. */
  async call(method: string, path: string, body?: unknown): Promise<Answered | undefined> {
    try {
      const response = await fetch(`${this.#url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.#token}`,
          connection: 'close',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      const answer: unknown = await response.json();
      if (!response.ok) {
        const code = (answer as { error?: { code?: string } }).error?.code ?? '';
        this.note(`${response.status} ${code}`);
      }
      return { ok: response.ok, body: answer };
    } catch {
      this.#weather.unanswered++;
      return undefined;
    }
  }

  note(refusal: string): void {
    const { refused } = this.#weather;
    refused.set(refusal, (refused.get(refusal) ?? 0) + 1);
  }
}
