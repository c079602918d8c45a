// Turns a failure of a model's provider into one line for the log that says what to do. The line never quotes the
// request, the answer's headers or a key.
import { AISDKError, APICallError, RetryError, ToolChoiceViolationError } from 'ai';
import { ModelFailed } from './model-failed.ts';
import { errorLine as line } from './redacted.ts';

/** Any other error is a bug and is returned unchanged. */
export function failureOf(error: unknown, stepLimit: number): unknown {
  if (RetryError.isInstance(error)) {
    const { lastError, errors } = error;
    const failure = failureOf(lastError, stepLimit);
    return failure instanceof ModelFailed && errors.length > 1
      ? new ModelFailed(`${failure.message} (tried ${errors.length} times)`, failure.retryable)
      : failure;
  }
  if (APICallError.isInstance(error)) return new ModelFailed(callProblem(error), mayWorkLater(error));
  if (ToolChoiceViolationError.isInstance(error) && error.toolChoice.type === 'none')
    return new ModelFailed(
      `the model has used its ${stepLimit} steps and went on calling tools: raise stepLimit`,
    );
  return AISDKError.isInstance(error) ? new ModelFailed(line(error.message)) : error;
}

interface Advice {
  what: string;
  todo: string;
  /** Whether to quote the provider. Its words about a key may contain the key. */
  quote: boolean;
}

const ADVICE: Readonly<Record<number, Advice>> = {
  401: { what: 'the provider does not take the key', todo: 'check the API key', quote: false },
  402: { what: 'the account has no credit', todo: 'check its billing', quote: false },
  403: { what: 'the key may not use this model', todo: 'check what the key is allowed', quote: false },
  404: {
    what: 'the provider knows no such model',
    todo: "check the model's name and the base URL",
    quote: true,
  },
  413: { what: 'the request is too large', todo: 'shorten instructions and tools', quote: false },
  429: {
    what: 'a rate limit or the quota is used up',
    todo: 'wait, or raise it at the provider',
    quote: true,
  },
};
const REFUSED: Advice = {
  what: 'the provider refuses the request',
  todo: 'is it the right model?',
  quote: true,
};
const UNREADABLE: Advice = {
  what: 'the answer is not that of a model',
  todo: 'check the base URL',
  quote: false,
};
const PROVIDERS_OWN: Advice = {
  what: 'the provider has a problem',
  todo: 'the host tries again',
  quote: true,
};

/** A request that is refused for what it is would be refused again. A key, a quota or an address can be mended. */
function mayWorkLater({ statusCode }: APICallError): boolean {
  if (statusCode === undefined) return true;
  return !FINAL.has(statusCode);
}

const FINAL: ReadonlySet<number> = new Set([400, 413, 422]);

function callProblem({ statusCode, message, url, cause }: APICallError): string {
  if (statusCode === undefined) {
    return `the provider at ${URL.parse(url)?.origin ?? 'its address'} cannot be reached (${line(rootOf(cause) ?? message)}): check the base URL and the network`;
  }
  const { what, todo, quote } = adviceFor(statusCode);
  return `${what} (${statusCode}): ${todo}${quote && message !== '' ? `; it says: ${line(message)}` : ''}`;
}

function adviceFor(status: number): Advice {
  if (status < 400) return UNREADABLE;
  return ADVICE[status] ?? (status >= 500 ? PROVIDERS_OWN : REFUSED);
}

/** The innermost cause says why a connection failed: `connect ECONNREFUSED 127.0.0.1:11434`. */
function rootOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return rootOf(error.cause) ?? error.message;
}
