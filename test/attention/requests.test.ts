// What the reader makes of requests to leave, stop, be quieter and come back, in eight languages. It counts misreads
// against what a careful person would read. The bounds are what is misread today and may only fall.
import { describe, expect, it } from 'vitest';
import { readIntent, readMode } from '../../src/attention/intent/intent.ts';
import { foldText } from '../../src/attention/text.ts';
import { MEANINGS, type Meaning, NOVA, PHRASINGS } from './requests/phrasings.ts';

/** Sets what the host would do: both `stop` and `mention_only` make an agent wait until it is called. */
const READ_AS: Record<Meaning, ReadonlySet<string>> = {
  leave: new Set(['leave']),
  stop: new Set(['stop']),
  quieter: new Set(['stop', 'mention_only']),
  back: new Set(['auto']),
  other: new Set(['none']),
};

const MISREAD_TODAY: Record<Meaning, number> = { leave: 213, stop: 191, quieter: 238, back: 273, other: 4 };

function meaningOf(text: string): string {
  const folded = foldText(text);
  const intent = readIntent({ text, folded, authorKind: 'human', names: NOVA });
  if (intent === 'mode_change') return readMode(folded) ?? 'auto';
  return intent === 'leave' || intent === 'stop' ? intent : 'none';
}

describe('the reader', () => {
  it.each(MEANINGS)('is tried with 300 ways or more to say %s', (meaning) => {
    expect(PHRASINGS.filter((one) => one.meaning === meaning).length).toBeGreaterThanOrEqual(300);
  });

  it.each(MEANINGS)('misreads no more of %s than it does today', (meaning) => {
    const misread = PHRASINGS.filter(
      (one) => one.meaning === meaning && !READ_AS[meaning].has(meaningOf(one.text)),
    ).map(({ language, text }) => `${language}: ${text} → ${meaningOf(text)}`);
    if (misread.length > MISREAD_TODAY[meaning]) expect(misread).toEqual([]);
  });
});
