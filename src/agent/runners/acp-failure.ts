// Turns an agent's error response into one line: what went wrong often stands in `data`, while the message is only
// "Internal error".
import type { RequestError } from '@agentclientprotocol/sdk';
import { record, string } from '../read-event.ts';
import { errorLine } from './redacted.ts';

/** ACP error codes. */
const AUTH_REQUIRED = -32_000;
const NOT_FOUND = -32_002;

export function requestLine(error: RequestError): string {
  if (error.code === AUTH_REQUIRED) return 'log in with its own command first';
  const detail = detailOf(error.data);
  const message = error.message.trim();
  if (detail === undefined || message.includes(detail)) return errorLine(message);
  return errorLine(/^internal error\.?$/i.test(message) ? detail : `${message}: ${detail}`);
}

/** The agent does not know the session any more. */
export function isSessionLost(error: RequestError): boolean {
  const told = `${error.message} ${detailOf(error.data) ?? ''}`;
  return (
    error.code === NOT_FOUND ||
    /\b(?:session|thread|conversation)\b.*\bnot found\b|\bno such session\b/i.test(told)
  );
}

const DETAILS = ['details', 'detail', 'message', 'error', 'reason', 'description'] as const;
const DEPTH = 4;

function detailOf(data: unknown, depth = 0): string | undefined {
  const text = string(data);
  if (text !== undefined || depth === DEPTH) return text;
  const fields = record(data);
  for (const name of DETAILS) {
    const found = detailOf(fields[name], depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
