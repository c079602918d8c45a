import { describe, expect, it } from 'vitest';
import { piecesOf, runsOf } from './word-runs.ts';

const quotes = (text: string, source: string): boolean => {
  const known = new Set(runsOf(source));
  return runsOf(text).some((run) => known.has(run));
};

const SAID = 'I will leave the company in March, and nobody but Carol knows about it yet.';
const JA = '来月で会社を辞めることにしましたが、まだ誰にも話していないので内緒にしてください。';
const ZH = '我下个月就要离开公司了，除了卡罗尔还没有人知道这件事，请不要告诉别人。';
const KO = '저는 다음 달에 회사를 그만두기로 했는데 아직 캐롤 말고는 아무도 모릅니다.';
const TH = 'เดือนหน้าฉันจะลาออกจากบริษัทและยังไม่มีใครรู้เรื่องนี้นอกจากแครอล';
const DE = 'Ich verlasse im März die Firma, und außer Carol weiß noch niemand davon.';

describe('a run of words', () => {
  it.each([
    ['as it was said', `Ada wrote: "${SAID}"`, SAID],
    ['eight of its words', 'She said: and nobody but Carol knows about it yet, right?', SAID],
    [
      'in other case and marks',
      '> **NOBODY** but _Carol_ knows\n> about, it, yet! Right',
      SAID.replace('.', ' right'),
    ],
    ['without its accents', 'Ich verlasse im Marz die Firma, und ausser', DE.replace('außer', 'ausser')],
    ['in Japanese', `彼女は「${JA.slice(2, 24)}」と言いました`, JA],
    ['in Chinese', `她说：${ZH.slice(0, 20)}`, ZH],
    ['in Korean', `아다가 말하길: ${KO}`, KO],
    ['in Thai', `เธอบอกว่า ${TH.slice(0, 24)}`, TH],
    ['in German', `Ada schrieb: ${DE}`, DE],
    [
      'with a link in it',
      'see https://x.example/a/b/c and tell nobody but Carol about it',
      'see https://x.example/a/b/c and tell nobody but Carol about it all',
    ],
  ])('is found %s', (_, text, source) => expect(quotes(text, source)).toBe(true));

  it.each([
    ['seven of its words', 'Perhaps nobody but Carol knows about it today', SAID],
    ['the same in other words', 'Carol is the only one who knows that Ada leaves in March.', SAID],
    ['its words in another order', 'Yet it about knows Carol but nobody and March in', SAID],
    ['few characters', '彼女は来月で会社を辞めるらしい', JA],
    ['a short text', 'Yes, I will.', SAID],
    ['a link alone', 'https://x.example/a/b/c/d/e/f/g/h/i', 'look: https://x.example/a/b/c/d/e/f/g/h/i'],
    ['nothing', '', ''],
  ])('is not found in %s', (_, text, source) => expect(quotes(text, source)).toBe(false));

  it('costs little, however long the text', () => {
    expect(runsOf('word '.repeat(13_000))).toHaveLength(12_993);
    expect(runsOf('-'.repeat(65_000))).toEqual([]);
    expect(runsOf('語'.repeat(20_000))).toHaveLength(19_985);
  });

  it.each([100, 20_000, 22_000, 22_001, 100_000])(
    'of a text of %i characters is whole in a piece',
    (chars) => {
      const text = Array.from({ length: chars }, (_, n) => `word${n}`)
        .join(' ')
        .slice(0, chars);
      const found = new Set([...piecesOf(text)].flatMap(runsOf));
      expect(runsOf(text).filter((run) => !found.has(run))).toEqual([]);
    },
  );
});
