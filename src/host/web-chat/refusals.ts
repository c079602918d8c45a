// Refusals of a request, in words for the person at the page. The code that finds the problem throws one; the tab
// answers the request with it.
import { type WireError, wireError } from '../../protocol/errors.ts';
import type { IngestResult } from '../../surfaces/surface.ts';

export class Refused extends Error {
  readonly error: WireError;

  constructor(error: WireError) {
    super(error.message);
    this.name = 'Refused';
    this.error = error;
  }
}

export function noSuch(what: string): Refused {
  const error = wireError('not_found', { what });
  return new Refused({ ...error, message: `There is no such ${what} that you may see.` });
}

/** A page that still has the file uploads it again and sends the same once more. */
export function uploadGone(): Refused {
  const error = wireError('not_found', { what: 'upload' });
  return new Refused({ ...error, message: 'A file is not there any more: attach it again.' });
}

export function notYours(what: string): Refused {
  const error = wireError('forbidden', { permission: what });
  return new Refused({ ...error, message: `You can ${what} your own messages only.` });
}

export function notAllowed(permission: string, message: string): Refused {
  return new Refused({ ...wireError('forbidden', { permission }), message });
}

export function invalidInput(problem: string): Refused {
  const error = wireError('invalid_params', { problem, path: '' });
  return new Refused({ ...error, message: `${problem}.` });
}

export function tooFast(retryAfterMs: number): Refused {
  const error = wireError('rate_limited', { retryAfterMs });
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  return new Refused({ ...error, message: `Too fast. Wait ${seconds} s, then send the same again.` });
}

export function notNow(retryAfterMs = 1_000): Refused {
  const error = wireError('unavailable', { what: 'The host', retryAfterMs });
  return new Refused({ ...error, message: 'The host cannot take this now. Send the same again shortly.' });
}

export function otherBody(): Refused {
  const error = wireError('duplicate_key_other_body');
  return new Refused({ ...error, message: 'This key was used for something else. Use a new key.' });
}

/** The refusal for an event that the host did not ingest. */
export function notTaken({ error }: Extract<IngestResult, { status: 'refused' }>): Refused {
  switch (error.code) {
    case 'invalid_event':
      return invalidInput(error.message.replace(/\.$/, ''));
    case 'rate_limited':
      return tooFast(error.retryAfterMs ?? 1_000);
    case 'unavailable':
      return notNow(error.retryAfterMs);
    default:
      return new Refused(wireError('internal'));
  }
}
