// What is shown of a text that is still being written, for every kind of secret, cut at every place.
import { describe, expect, it } from 'vitest';
import { createRedactor, findSecrets } from '../security/redact.ts';
import { SECRETS } from '../security/secrets.fixture.ts';
import { shownText } from './growing-text.ts';

const BEFORE = 'This is what you asked for: ';
const AFTER = ' and there is nothing more to say about it.';
/** Fewer characters of a secret in a row are an accident. */
const TELLING = 8;

describe('a growing text', () => {
  it.each(Object.entries(SECRETS))('never shows the beginning of a secret: %s', (_, [text, secret]) => {
    const whole = BEFORE + text + AFTER;
    const tells = secret.slice(0, Math.max(TELLING, Math.ceil(secret.length / 3)));
    const final = shownText(whole, findSecrets);
    expect(final.replace('[redacted]', '')).not.toContain(tells);
    for (let end = 1; end <= whole.length; end++)
      expect(shownText(whole.slice(0, end), findSecrets), `cut at ${end}`).not.toContain(tells);
  });

  it('never shows the beginning of a secret of the configuration, also where lines part it', () => {
    const secret = 'hunter2-and-more-of-it';
    const { findSecrets: find } = createRedactor({ exact: [secret] });
    for (const said of [
      secret,
      `${secret.slice(0, 9)}\n${secret.slice(9)}`,
      `> ${secret.slice(0, 9)}\n> ${secret.slice(9)}`,
    ]) {
      const whole = BEFORE + said + AFTER;
      for (let end = 1; end <= whole.length; end++)
        expect(shownText(whole.slice(0, end), find)).not.toContain(secret.slice(0, 7));
    }
  });

  it('shows everything else word by word, and only ever adds to it', () => {
    const whole =
      'The deploy waits.\n\n- one thing\n- another\n\n```js\nconst a = 1;\nif (a) {\n  go(a);\n}\n```\nThat is it. 明日は晴れです。 Good bye.';
    let before = '';
    for (let end = 1; end <= whole.length; end++) {
      const shown = shownText(whole.slice(0, end), findSecrets);
      expect(shown.startsWith(before)).toBe(true);
      before = shown;
    }
    expect(before).toBe(whole.slice(0, whole.lastIndexOf(' ')));
  });

  it('goes on word by word in scripts without blanks', () => {
    expect(shownText('明日は晴れです', findSecrets)).toBe('明日は晴れです');
    expect(shownText('パスワードはhunter2', findSecrets)).toBe('パスワードは');
  });

  it('holds back the word for silence wherever it may end a text', () => {
    for (const text of [
      'NO_REPLY',
      '[NO_REPLY]',
      '** NO_REPLY',
      'no\\_reply. For Bob, not me.',
      'NO_REPLY - it is his',
    ])
      for (let end = 1; end <= text.length; end++)
        expect(shownText(text.slice(0, end), findSecrets)).toBe('');
    expect(shownText('All is done. NO_REPLY', findSecrets)).toBe('All is done.');
    expect(shownText('All is done.\nNO_REPLY\n', findSecrets)).toBe('All is');
    expect(shownText('NO_REPLY is a word of ours.', findSecrets)).toBe('NO_REPLY is a word of');
  });
});
