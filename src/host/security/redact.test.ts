import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinedLines, undisguised } from '../../protocol/plain-form.ts';
import { createRedactor, findSecrets, redact, REDACTED } from './redact.ts';
import { mayHoldSecret } from './secret-anchors.ts';
import { fake, NOT_SECRETS, SECRETS } from './secrets.fixture.ts';

const clean = createRedactor().clean;

/** Pieces of four characters of the secret that are still in the text. */
function survivors(secret: string, cleaned: string, around: string): string[] {
  const pieces = Array.from({ length: secret.length - 3 }, (_, at) => secret.slice(at, at + 4));
  return pieces.filter((piece) => cleaned.includes(piece) && !around.includes(piece));
}

describe.each(Object.entries(SECRETS))('a secret: %s', (_kind, [text, secret]) => {
  const around = text.replace(secret, ' ') + REDACTED;
  it('passes the prefilter', () => {
    expect(mayHoldSecret(text)).toBe(true);
  });
  it.each([
    ['alone', text],
    ['in a sentence', `ok, use ${text} until Friday, then rotate it`],
    ['on its own line', `first\n${text}\nlast`],
    ['in backticks', `try \`${text}\` please`],
    ['in a script without spaces', `鍵は「${text}」です`],
    ['right after a letter of such a script', `鍵は${text}です`],
    ['twice', `${text} ${text}`],
    ['with the words that switch a linter off', `secretlint-disable\n${text}`],
  ])('leaves nothing of itself: %s', (_where, said) => {
    expect(survivors(secret, clean(said), around)).toEqual([]);
  });
});

/** Without the key, a value that a line break parts is two words. */
const NEEDS_ITS_LINE = /assignment|sentence|address|yaml|aws secret|^password/;
const half = (secret: string, between: string): string =>
  secret.slice(0, secret.length / 2) + between + secret.slice(secret.length / 2);
const wide = (secret: string): string =>
  secret.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0));

const plain = (shown: string): string => {
  const read = undisguised(shown)?.text ?? shown;
  return joinedLines(read)?.text ?? read;
};

describe.each(Object.entries(SECRETS))('disguised: %s', (kind, [text, secret]) => {
  const around = text.replace(secret, ' ') + REDACTED;
  it.each([
    ['a zero-width space after each letter', Array.from(secret).join('\u200b')],
    ['a soft hyphen in the middle', half(secret, '\u00ad')],
    ['a word joiner, a tag and a bidi control', half(secret, '\u2060\u{e0041}\u202e')],
    ['a byte order mark in front', `\ufeff${secret}`],
    ['full-width letters', wide(secret)],
  ])('leaves nothing of itself: %s', (_how, disguised) => {
    const cleaned = clean(`look: ${text.replace(secret, () => disguised)} ok`);
    expect(survivors(secret, plain(cleaned), around)).toEqual([]);
    expect(cleaned).toContain('look: ');
  });
  it('leaves nothing of itself between letters', () => {
    expect(survivors(secret, clean(`here${text}there`), around)).toEqual([]);
  });
  it.skipIf(NEEDS_ITS_LINE.test(kind) || secret.includes('\n'))(
    'leaves nothing of itself where a line break parts it',
    () => {
      for (const between of ['\n', '\r\n> ', ' \u2028', '\u0085']) {
        const said = `here:\n${text.replace(secret, () => half(secret, between))}\nthere`;
        expect(survivors(secret, plain(clean(said)), around), JSON.stringify(between)).toEqual([]);
      }
    },
  );
});

it.each([
  'the wifi password is hunter2.',
  'Our password for the staging server is: Tr0ub4dor&3',
  'the password is now `hunter2`',
  'das Passwort ist katze#77',
  'Das Kennwort für den Drucker lautet jetzt katze#77',
  'la contraseña es gato1234',
  'le mot de passe du wifi est chat1234',
  'a senha é gato1234',
  'パスワードは「neko1234」です',
  'パスワードはneko1234です',
  '密码是mao12345',
  '密碼為 mao12345',
  '비밀번호는 goyang77 입니다',
])('finds a password that is told: %s', (text) => {
  expect(clean(text)).toContain(REDACTED);
  expect(clean(text)).not.toMatch(/hunter2|Tr0ub|katze|gato|chat1|neko|mao1|goyang/);
});

it('leaves the next line alone when the token ends with its own', () => {
  const [, token] = SECRETS['github classic token'] ?? ['', ''];
  for (const said of [token, half(token, '\n'), half(token, ' \r\n> ')])
    expect(clean(`use\n${said}\nplease rotate it`)).toBe(`use\n${REDACTED}\nplease rotate it`);
});

it('covers at least 25 kinds and 20 near misses', () => {
  expect(Object.keys(SECRETS).length).toBeGreaterThanOrEqual(25);
  expect(NOT_SECRETS.length).toBeGreaterThanOrEqual(20);
});

it.each(NOT_SECRETS)('leaves alone: %s', (text) => {
  expect(findSecrets(text)).toEqual([]);
  expect(clean(text)).toBe(text);
});

describe('any text around', () => {
  const around = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.lorem(),
    fc.constantFrom('"', '(', '\n', '> ', '…'),
  );
  it('no character of a planted secret survives', () => {
    fc.assert(
      fc.property(
        around,
        fc.constantFrom(...Object.values(SECRETS)),
        around,
        (before, [text, secret], after) => {
          const cleaned = clean(`${before} ${text} ${after}`);
          const frame = `${before} ${text.replace(secret, ' ')} ${after}${REDACTED}`;
          expect(survivors(secret, cleaned, frame)).toEqual([]);
        },
      ),
      { numRuns: 2_000 },
    );
  });
  it('spans are in order, apart, and inside the text', () => {
    const noise = fc.oneof(around, fc.constantFrom(...Object.values(SECRETS).map(([text]) => text)));
    fc.assert(
      fc.property(fc.array(noise, { maxLength: 6 }), (parts) => {
        const text = parts.join(' ');
        let last = -1;
        for (const [start, end] of findSecrets(text)) {
          expect(start).toBeGreaterThan(last);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          last = end;
        }
        expect(redact(text, findSecrets(text))).toBe(clean(text));
      }),
    );
  });
});

describe('configured secrets', () => {
  const configured = 'correct horse battery staple';
  it('are found exactly, also inside an address and inside JSON', () => {
    const { clean: cut } = createRedactor({ exact: [configured, 'say "please" twice'] });
    expect(cut(`it is ${configured}!`)).toBe(`it is ${REDACTED}!`);
    expect(cut(`?q=${encodeURIComponent(configured)}&x=1`)).toBe(`?q=${REDACTED}&x=1`);
    expect(cut(JSON.stringify({ note: 'say "please" twice' }))).toBe(`{"note":"${REDACTED}"}`);
  });
  it('are found when they overlap themselves and each other', () => {
    const { clean: cut } = createRedactor({ exact: ['abcabcabc', 'bcabcabcd'] });
    expect(cut('x abcabcabcabcd y')).toBe(`x ${REDACTED} y`);
  });
  it('are found whatever their length and alphabet', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 6, unit: 'grapheme' }), fc.lorem(), (value, text) => {
        const { clean: cut } = createRedactor({ exact: [value] });
        expect(cut(`${text}${value}${text}`)).not.toContain(`${text}${value}`);
      }),
    );
  });
  it('that are too short to look for are named by position', () => {
    const redactor = createRedactor({ exact: ['the', fake(20), ''] });
    expect(redactor.tooShort).toEqual([0, 2]);
    expect(redactor.clean('the other')).toBe('the other');
  });
});

describe('redact', () => {
  it('returns the same string when there is nothing to cut', () => {
    const text = 'nothing here';
    expect(redact(text, [])).toBe(text);
  });
  it('merges spans that overlap or touch, in any order, and takes another mark', () => {
    expect(
      redact(
        'abcdefghij',
        [
          [6, 8],
          [1, 3],
          [2, 6],
        ],
        '*',
      ),
    ).toBe('a*ij');
  });
  it('does not fail on spans of a longer text', () => {
    expect(redact('abc', [[1, 99]], '*')).toBe('a*');
    expect(redact('abc', [[7, 9]], '*')).toBe('abc');
  });
});

describe('untrusted text', () => {
  it.each([
    ['eyJ', 'eyJaaaaaaaaaa.'],
    ['eyJ without an end', 'eyJ'],
    ['one-password', 'ops_ey'],
    ['databases', 'mongodb://a:'],
    ['runs', 'a'],
    ['words', 'password:'],
    ['addresses', 'https://a:'],
    ['begins', '-----BEGIN PRIVATE KEY-----'],
    ['slack', 'xoxb-a-'],
    ['dots', 'aaaaaaaaaaaaaaaaaaaaaaaa.aaaaaa.'],
    ['prefixes', 'ghs_1_a.'],
    ['quotes', 'secret="'],
    ['spaces', 'password   '],
    ['sentences', 'password for a b c is '],
    ['lines', 'ghp_a1\n'],
    ['zero-width characters', 'a\u200b'],
    ['full-width letters', 'ｇ'],
    ['empty lines', '\n> '],
  ])('of 65,536 characters made of %s ends', (_name, unit) => {
    const text = unit.repeat(Math.ceil(65_536 / unit.length)).slice(0, 65_536);
    expect(clean(text).length).toBeLessThan(2 * text.length);
  });
});
