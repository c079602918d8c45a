// What a check of a platform found, for people who set it up.
import type { Failure } from './failure.ts';
import type { Secret } from './secret.ts';
import type { Words } from './session.ts';

export interface Finding {
  what: string;
  ok: boolean;
  said: string;
  fix?: string;
}

/** Something that did not work. Without a failure, the secret is missing. */
export function notOk(
  what: string,
  secret: Secret,
  failure: Failure | undefined,
  { platform, words }: { platform: string; words: Words },
): Finding {
  if (failure?.type === 'lost' || failure?.type === 'limited') {
    const fix = 'look at the network and try again';
    return { what, ok: false, said: `${platform} did not answer: ${failure.error}`, fix };
  }
  const health = failure === undefined ? words.missing(secret) : words.dead(secret, failure.error);
  const said = failure === undefined ? `${secret.name} is missing` : `${secret.name}: ${failure.error}`;
  return { what, ok: false, said, ...('fix' in health && { fix: health.fix }) };
}
