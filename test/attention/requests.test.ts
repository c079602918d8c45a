// What the reader makes of requests to leave, stop, be quieter and come back, in eight languages. None may be read
// otherwise than a careful person would.
import { describe, expect, it } from 'vitest';
import { readText } from '../../src/attention/intent/intent.ts';
import { foldText } from '../../src/attention/text.ts';
import { HELD_OUT } from './requests/held-out.ts';
import { NO_REQUESTS } from './requests/no-requests.ts';
import { MEANINGS, type Meaning, NOVA, PHRASINGS, linesOf } from './requests/phrasings.ts';

/** What the host would do: both `stop` and `mention_only` make an agent wait until it is called. */
const READ_AS: Record<Meaning, ReadonlySet<string>> = {
  leave: new Set(['leave']),
  stop: new Set(['stop']),
  quieter: new Set(['stop', 'mention_only']),
  back: new Set(['auto']),
  other: new Set(['none']),
};

/** The message asks for nothing else. */
const ALONE: ReadonlySet<string> = new Set(['leave', 'stop', 'mode_change']);

function read(text: string): ReturnType<typeof readText> {
  return readText({ text, folded: foldText(text), authorKind: 'human', names: NOVA });
}

function meaningOf(text: string): string {
  const { intent, asks } = read(text);
  if (asks === undefined) return 'none';
  const request = asks.what === 'mode' ? asks.mode : asks.what;
  return ALONE.has(intent) ? request : `${request} and ${intent}`;
}

/** Nothing is taken for a request. These go to the model: "leve" is a word elsewhere, "time to go" may be the speaker's. */
const STILL_MISREAD: Record<string, string[]> = {
  english: ['leave: ok @nova time to go, bye 👋', 'leave: nova plz leve this channel'],
  german: ['back: @nova antworte hier bitte wieder'],
};

describe('the reader', () => {
  it.each(MEANINGS)('misreads none of 300 ways or more to say: %s', (meaning) => {
    const phrasings = PHRASINGS.filter((one) => one.meaning === meaning);
    expect(phrasings.length).toBeGreaterThanOrEqual(300);
    const misread = phrasings
      .filter(({ text }) => !READ_AS[meaning].has(meaningOf(text)))
      .map(({ language, text }) => `${language}: ${text} → ${meaningOf(text)}`);
    expect(misread).toEqual([]);
  });

  it('knows in which language it was asked, but for words that two languages share', () => {
    const wrong = PHRASINGS.filter(({ meaning }) => meaning !== 'other').filter(
      ({ language, text }) => read(text).asks?.language !== language,
    );
    expect(wrong.map(({ text }) => text)).toEqual([
      'shh nova 🤫',
      '@nova stop !',
      'halt, nova!',
      'pare',
      '@nova para!',
      'pare de responder aqui por favor',
      'pare de comentar',
      'basta, nova',
      'silêncio por favor',
      'shh nova 🤫',
      'modo normal por favor',
    ]);
  });

  it.each(Object.entries(NO_REQUESTS))('takes nothing else for a request (%s)', (_language, list) => {
    const taken = linesOf(list).filter((text) => read(text).asks !== undefined);
    expect(taken).toEqual([]);
  });

  it.each(Object.keys(HELD_OUT))('reads what was held out (%s)', (family) => {
    const misread = MEANINGS.flatMap((meaning) =>
      linesOf(HELD_OUT[family]?.[meaning] ?? '')
        .filter((text) => !READ_AS[meaning].has(meaningOf(text)))
        .map((text) => `${meaning}: ${text}`),
    );
    expect(misread).toEqual(STILL_MISREAD[family] ?? []);
  });
});
