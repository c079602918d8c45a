// The reader against our own sentences in eight languages, and the properties that hold for any text.
// The gate of the design: no question or request may be read as something that silences.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INTENTS, type Intent } from '../../protocol/vocabulary.ts';
import { foldText } from '../text.ts';
import { CASES, NEAR_MISSES, sentences } from './cases.fixture.ts';
import { asksSomething, inContext, readIntent, readText } from './intent.ts';

const NAMES = ['nova', 'ノバ', '노바'];
const SILENCING: ReadonlySet<Intent> = new Set(['thanks', 'ack', 'status', 'leave', 'stop', 'cancel']);

function intentOf(text: string, names: readonly string[] = NAMES): Intent {
  return readIntent({ text, folded: foldText(text), authorKind: 'human', names });
}

const rows = Object.entries(CASES).flatMap(([language, byIntent]) =>
  Object.entries(byIntent).flatMap(([intent, texts]) =>
    sentences(texts).map((text) => ({ language, intent, text })),
  ),
);

describe('readIntent', () => {
  it.each(rows)('$language $intent: $text', ({ text, intent }) => {
    expect(intentOf(text)).toBe(intent);
  });

  it('silences no question and no request, however much it looks like a thanks or a command', () => {
    const wanted = rows.filter(({ intent }) => intent === 'question' || intent === 'request');
    const texts = [...wanted.map(({ text }) => text), ...Object.values(NEAR_MISSES).flatMap(sentences)];
    expect(texts.filter((text) => SILENCING.has(intentOf(text)))).toEqual([]);
  });

  it('strips the agent’s own names, and only those, before whole-message rules', () => {
    expect(intentOf('Build Bot, please leave', ['build bot'])).toBe('leave');
    expect(intentOf('leave nova', ['nova'])).toBe('leave');
    expect(intentOf('leave nova', [])).toBe('request');
    expect(intentOf('<@U123> stop', [])).toBe('stop');
  });

  it('takes structure before words', () => {
    const text = 'can you restart it?';
    expect(readIntent({ text, folded: text, authorKind: 'system', subtype: 'log' })).toBe('status');
    expect(readIntent({ text: 'x', folded: 'x', authorKind: 'system', subtype: 'assigned' })).toBe('request');
    expect(readIntent({ text: 'x', folded: 'x', authorKind: 'system' })).toBe('status');
  });

  it('reads a line only a program writes as status, whatever its title says', () => {
    expect(intentOf('[web] (main) Please update the docs - https://ci.example/42')).toBe('status');
    expect(intentOf('Please look at this - https://ci.example/42')).toBe('request');
  });

  it('ignores quoted lines and question marks in links', () => {
    expect(intentOf('> can you check?\nthanks')).toBe('thanks');
    expect(intentOf('the page is https://example.org/a?b=1')).toBe('statement');
  });

  it('never throws and is deterministic on any string', () => {
    const input = fc.oneof(fc.string({ unit: 'binary', maxLength: 2000 }), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(input, (text) => {
        const intent = intentOf(text);
        expect(INTENTS).toContain(intent);
        expect(intentOf(text)).toBe(intent);
      }),
    );
  });

  it('never keeps a thanks once a question mark is appended', () => {
    const thanks = rows.filter(({ intent }) => intent === 'thanks').map(({ text }) => text);
    fc.assert(
      fc.property(fc.constantFrom(...thanks), fc.constantFrom('?', ' ?', '？', '???', '?!'), (text, mark) => {
        expect(intentOf(text + mark)).not.toBe('thanks');
      }),
    );
  });

  it('never silences a thanks, ack or command with an unlisted word behind it', () => {
    const silent = rows.filter(
      ({ language, intent }) =>
        language === 'en' && intent !== 'status' && [...SILENCING].some((silencing) => silencing === intent),
    );
    for (const { text } of silent) {
      const longer = `${text.replace(/[?!]$/, '')} zorblax`;
      expect(SILENCING.has(intentOf(longer)), longer).toBe(false);
    }
  });

  it('reads the start and the end of a long text and no more', () => {
    const filler = 'lorem ipsum dolor '.repeat(20_000);
    expect(intentOf(`${filler} can you check this?`)).toBe('request');
    expect(intentOf(`thanks ${filler}`)).toBe('statement');
  });
});

describe('the mode that is asked for', () => {
  it.each([
    ['follow this thread', 'follow'],
    ['only when I mention you', 'mention_only'],
    ['back to normal', 'auto'],
    ['stop following this thread', 'auto'],
    ['suis ce fil', 'follow'],
    ['antworte nur wenn ich dich erwähne', 'mention_only'],
    ['恢复正常模式', 'auto'],
    ['hello', undefined],
  ])('%s → %s', (text, mode) => {
    expect(readText({ text, folded: foldText(text), authorKind: 'human' }).asks?.mode).toBe(mode);
  });
});

describe('inContext, after the agent has asked', () => {
  it.each([
    ['ok', 'yes_no', 'approval'],
    ['yes', 'open', 'approval'],
    ['👍', 'yes_no', 'approval'],
    ['yes please, thanks', 'yes_no', 'approval'],
    ['sí', 'yes_no', 'approval'],
    ['はい', 'yes_no', 'approval'],
    ['네', 'yes_no', 'approval'],
    ['可以', 'yes_no', 'approval'],
    ['no', 'yes_no', 'rejection'],
    ['no thanks', 'yes_no', 'rejection'],
    ['nein', 'open', 'rejection'],
    ['no, the staging one', 'yes_no', 'rejection'],
    ['no, the staging one', 'open', 'answer'],
    ['the staging one', 'open', 'answer'],
    ['yes, but not before Monday', 'yes_no', 'answer'],
    ['got it', 'yes_no', 'answer'],
    ['thanks', 'open', 'answer'],
    ['That is correct, thanks.', 'yes_no', 'approval'],
    ['why?', 'yes_no', 'question'],
    ['never mind', 'yes_no', 'cancel'],
    ['stop', 'yes_no', 'stop'],
    ['use the other one', 'open', 'request'],
  ] as const)('%s to a %s ask → %s', (text, asked, expected) => {
    expect(inContext(intentOf(text), foldText(text), asked, 'human')).toBe(expected);
  });
});

describe('asksSomething', () => {
  it.each([
    ['Which branch should I use?', true],
    ['Shall I deploy it now?', true],
    ['Please confirm the date.', true],
    ['どのブランチですか', true],
    ['Soll ich das jetzt ausrollen?', true],
    ['Done, the branch is merged.', false],
    ['Done! Let me know if you need anything else.', false],
    ['Is there anything else I can help you with?', false],
    ['Which branch? One moment please.', true],
    ['One moment please, which branch is it?', true],
    ['Please confirm the date, one moment please.', true],
    ['Bear with me. Could you confirm the date?', true],
    ['少々お待ちください。どのブランチですか', true],
    ['Einen Moment bitte. Soll ich ausrollen?', true],
  ])('%s → %s', (text, expected) => {
    expect(asksSomething(foldText(text))).toBe(expected);
  });
});

describe('asking for patience is no question', () => {
  const PATIENCE: Record<string, string> = {
    en: `Looking at it now, a moment please. | one moment please | please wait | Bear with me please. |
      Hang on please, I am on it. | Could you give me a minute? | Please hold on while I check the logs. |
      Please allow a few minutes for this. | just a sec, pls | Thanks, I'll look, please be patient. |
      Would you mind waiting a moment? | One moment, please!`,
    de: `Einen Moment bitte. | Bitte warten. | Ich schaue nach, einen Augenblick bitte! | Moment bitte |
      Bitte hab etwas Geduld. | Kannst du kurz warten? Ich prüfe es. | Gib mir bitte eine Minute.`,
    es: `Un momento, por favor. | Espera un momento por favor | Por favor, ten paciencia. |
      ¿Me das un minuto? | Dame un segundo, por favor, lo estoy mirando.`,
    fr: `Un instant, s’il te plaît. | Veuillez patienter. | Une minute stp, je regarde. |
      Merci de patienter un instant. | Attends un moment s'il te plaît`,
    pt: `Um momento, por favor. | Aguarde um instante, por favor. | Por favor, espere. | Só um minutinho, por favor. |
      Tenha um pouco de paciência, por favor.`,
    ja: `少々お待ちください | 確認しますので、しばらくお待ちください。 | ちょっと待ってください | 少し待ってもらえますか？ |
      少々お時間をいただけますか`,
    ko: `잠시만 기다려 주세요 | 확인 중이니 조금만 기다려주세요. | 잠시만요! | 잠깐만 기다려 주시겠어요?`,
    zh: `请稍等 | 请等一下，我在看 | 麻烦稍等片刻 | 请耐心等待 | 稍等一下好吗？`,
  };
  const cases = Object.values(PATIENCE).flatMap((list) => list.split('|').map((text) => text.trim()));
  it.each(cases)('%s', (text) => {
    expect(asksSomething(foldText(text))).toBe(false);
  });
});
