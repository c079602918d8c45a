// A growing text as people may see it: without what could still become a secret, without secrets, and without the word
// for silence. What is shown is always the beginning of a text that the host would post.
import { withoutSilence } from '../../protocol/silence.ts';
import { redact, type Spans } from '../security/redact.ts';
import { settledChars } from '../security/settled.ts';

const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

export function shownText(raw: string, findSecrets: (text: string) => Spans): string {
  const settled = raw.slice(0, settledChars(raw));
  if (settled === '') return '';
  // What follows may tell that the beginning is a secret, and what is settled may be one without what follows.
  const clean = redact(settled, [...findSecrets(raw), ...findSecrets(settled)]);
  const said = withoutSilence(clean)?.trim() ?? '';
  return SAYS_SOMETHING.test(said) ? said : '';
}
