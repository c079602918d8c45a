// What an answer to a question says, word by word, for hosts that do not say it themselves.
import { describe, expect, it } from 'vitest';
import { answerType, readFragments } from '../../src/agent/answer.ts';
import { eventOf } from './events.ts';

const read = (text: string, notices: string[] = []) => answerType(eventOf({ text, notices }), 'q');
const all = (...texts: string[]) =>
  readFragments(
    texts.map((text) => eventOf({ text })),
    'q',
  );

describe('what the words say', () => {
  it('is the host’s to say, where it does', () => {
    expect(read('machen wir', ['approval'])).toBe('agree');
    expect(read('yes', ['rejection'])).toBe('declined');
    expect(read('yes', ['answer'])).toBe('answer');
  });

  it.each<[string, ReturnType<typeof answerType>]>([
    ['👍', 'agree'],
    ['<@U123> go ahead', 'agree'],
    ['D’accord, merci', 'agree'],
    ['好的', 'agree'],
    ['아니요', 'declined'],
    ['please don’t', 'declined'],
    ['no problem', 'answer'],
    ['yes and no', 'answer'],
    ['not before Monday', 'answer'],
    ['yesterday', 'answer'],
    ['', 'answer'],
    ['yes?', undefined],
  ])('"%s": %s', (text, type) => {
    expect(read(text)).toBe(type);
  });

  it('is yes only if every fragment is', () => {
    expect(all('yes', 'go ahead')).toBe('agree');
    expect(all('yes', 'or is it?')).toBe('answer');
    expect(all('no', 'the other one')).toBe('declined');
    expect(all('no', 'yes')).toBe('answer');
  });
});
