// What an agent's message asks, sentence by sentence, and which words say what it is about.
import { describe, expect, it } from 'vitest';
import { foldText } from '../text.ts';
import { onlyCourtesy, onlyOffers, onlyOrders, readAsking } from './asking.ts';

const asking = (text: string, names: readonly string[] = []) => readAsking(text, foldText(text), names);
const figures = (text: string): number => asking(text).figures.length;
const sorted = (words: readonly number[]): number[] => words.toSorted((a, b) => a - b);
/** What is asked, without the order of its words. */
const asked = (text: string, names?: readonly string[]): number[] => sorted(asking(text, names).asked);

describe('what is asked', () => {
  it.each([
    ['politeness', 'please review the export', 'Could you kindly review the export?'],
    ['order', 'review the export of billing, please', 'please, billing: review the export'],
    ['emoji and marks', 'please review the export 🎉🎉', 'Please review the export!!!'],
    ['case and accents', 'Please review the CAFÉ export', 'please review the cafe export'],
    ['a mention', '@lead please review the export', '@builder please review the export'],
    ['what is said beside it', 'Sorry, I am busy. Could you take it?', 'No idea! Could you take it?'],
    ['Spanish politeness', '¿puedes revisar la factura, por favor?', 'por favor, revisar la factura'],
    ['Chinese politeness', '请检查发票', '请检查发票吧！'],
  ])('is the same whatever the %s', (_what, one, other) => {
    expect(asked(one)).toEqual(asked(other));
    expect(asked(one)).not.toEqual([]);
  });

  it.each([
    ['a number', 'please review pull request 4101', 'please review pull request 4102'],
    ['a version', 'please release 1.4.2', 'please release 1.4.3'],
    ['an id', 'please look at ABC-17', 'please look at ABC-18'],
    ['a name', 'please call Maria', 'please call Jon'],
    ['a name without a capital', 'please deploy billing', 'please deploy search'],
    ['a link', 'please read https://a.example/x?q=1', 'please read https://a.example/x?q=2'],
    ['a Japanese word', '請求書を確認してください', '契約書を確認してください'],
  ])('differs by %s', (_what, one, other) => {
    expect(asked(one)).not.toEqual(asked(other));
  });

  it('leaves out the names of those who talk', () => {
    expect(asked('builder, could you take it?', ['builder'])).toEqual(
      asked('lead, could you take it?', ['lead']),
    );
  });

  it('has its numbers, ids, names and links apart', () => {
    expect(figures('Please review pull request 4101 for Maria, see https://a.example/4101.')).toBe(3);
    expect(figures('Please review the pull request.')).toBe(0);
    expect(figures('Maria is in. Please review the pull request.')).toBe(0);
  });

  it.each([
    ['Marek came with the mailer. Can you help?', 'Priya came with the gateway. Can you help?'],
    ['Metti la versione 40 su Oslo, per favore. Puoi?', 'Metti la versione 41 su Oslo, per favore. Puoi?'],
    [
      'Build 17 failed again. Could you look at the tests of it?',
      'Build 18 failed again. Could you look at the tests of it?',
    ],
  ])('is about what stands around it: %j and %j', (one, other) => {
    expect(sorted(asking(one).matter)).not.toEqual(sorted(asking(other).matter));
    expect(asked(one)).toEqual(asked(other));
  });

  it('is told apart from what is said', () => {
    const { says, told, asked: words } = asking('Invoice 9 is paid. What is next?');
    expect(says).toBe(true);
    expect(told.length).toBeGreaterThan(0);
    expect(sorted(words)).toEqual(asked('What is next?'));
    expect(asking('What is next?').says).toBe(false);
    expect(asking('Run 19 completed. What is next?').says).toBe(true);
  });

  it('is bounded, and never fails', () => {
    expect(asking(`please ${'word '.repeat(5_000)}`).asked.length).toBeLessThanOrEqual(48);
    const many = Array.from({ length: 5_000 }, (_, nr) => `w${nr}?`).join(' ');
    expect(asking(many).asked.length).toBeLessThanOrEqual(48);
    for (const text of ['', '   ', '🎉', '@', '://', '\ud800', '...', '?'.repeat(2_000)]) asking(text);
  });
});

describe('an offer', () => {
  it.each([
    'Let me know if you need anything else!',
    'It is done. Is there anything else I can do for you?',
    'Happy to help. How can I help you today?',
    'On it, one moment please.',
    'Could you give me a minute? I am looking.',
    'Einen Moment bitte.',
    '少々お待ちください。',
  ])('asks nothing: %j', (text) => {
    expect(onlyOffers(foldText(text))).toBe(true);
  });

  it.each([
    'Please review the page. Let me know if you have any questions.',
    'Which host is it on? Let me know if you need anything else.',
    'is it green?',
    'One moment please. Which host is it on?',
  ])('beside a question or a request leaves it one: %j', (text) => {
    expect(onlyOffers(foldText(text))).toBe(false);
  });
});

describe('thanks and offers', () => {
  it.each([
    'Thanks a lot!',
    'Danke dir auch! Kann ich noch etwas für dich tun?',
    'Thank you! Let me know if you need anything else.',
  ])('say nothing: %j', (text) => {
    expect([onlyCourtesy(foldText(text)), asking(text).says]).toEqual([true, false]);
  });

  it.each([
    'Thanks, 4101 is merged.',
    'It is done. Let me know if you need anything else.',
    'The export runs on the third host, thanks for asking!',
    'Done.',
  ])('beside something that is said leave it said: %j', (text) => {
    expect([onlyCourtesy(foldText(text)), asking(text).says]).toEqual([false, true]);
  });
});

it.each([
  ['Run 19 completed without errors.', true],
  ['Merge of 4101 went through.', true],
  ['Merge 4101, please.', false],
  ['Can you merge 4101?', false],
])('what has only the first word of an order: %j %s', (text, expected) => {
  expect(onlyOrders(foldText(text))).toBe(expected);
});
