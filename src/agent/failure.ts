// Why a turn failed, in one line for the operators of the host. The host cuts secrets out of it; here it is only made
// short. People in chat never see it.

/** What the host is told about a failed turn. */
export interface Failure {
  error: string;
  /** Trying again is useless. */
  retryable?: false;
}

const ERROR_CHARS = 300;

/** An error with `retryable: false` of its own says that trying again is useless. */
export function failureOf(error: unknown): Failure {
  const text = error instanceof Error ? error.message : String(error);
  const name = error instanceof Error ? error.name : 'error';
  const line = text.replace(/\s+/g, ' ').trim().slice(0, ERROR_CHARS).toWellFormed();
  const isFinal = error instanceof Error && 'retryable' in error && error.retryable === false;
  return { error: line === '' ? name : line, ...(isFinal && { retryable: false as const }) };
}
