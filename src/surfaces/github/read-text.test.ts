import { describe, expect, it } from 'vitest';
import { mentionsIn, withoutComments } from './read-text.ts';

const APP = { self: { login: 'earshot[bot]', isApp: true }, owner: 'Acme' };
const ids = (text: string, reader = APP): string[] =>
  mentionsIn(withoutComments(text), reader).map(({ kind, id }) => `${kind} ${id}`);

describe('a mention', () => {
  it.each([
    ['@ada look', ['human ada']],
    ['look, @Ada-L.', ['human ada-l']],
    ['(@ada) **@bob**', ['human ada', 'human bob']],
    ['@ada @ada', ['human ada']],
    ['@earshot is it green?', ['agent earshot[bot]']],
    ['@Earshot[bot] is it green?', ['agent earshot[bot]']],
    ['@other[bot] go', ['agent other[bot]']],
    ['@acme/Ops please', ['role acme/ops']],
    ['- [ ] @ada', ['human ada']],
    ['\\@ada', ['human ada']],
  ])('is read: %s', (text, wanted) => {
    expect(ids(text)).toEqual(wanted);
  });

  it.each([
    '`@ada`',
    '```\n@ada\n```',
    '~~~ts\n@ada()\n~~~',
    '> @ada said so',
    '<!-- @ada -->',
    '<!--\n@ada\n-->',
    'a <!-- x --> b <!-- @ada',
    'mail ada@example.com',
    'https://example.com/@ada',
    'npm i @octokit/core',
    '@-ada',
    'a@@ada',
    '',
  ])('is not in %j', (text) => {
    expect(ids(text)).toEqual([]);
  });

  it('of a plain account is of its whole login', () => {
    const reader = { self: { login: 'earshot-bot', isApp: false }, owner: 'acme' };
    expect(ids('@earshot-bot and @earshot', reader)).toEqual(['agent earshot-bot', 'human earshot']);
  });

  it('of whole crowds ends somewhere', () => {
    expect(mentionsIn(Array.from({ length: 100 }, (_, n) => `@user${n}`).join(' '), APP)).toHaveLength(64);
  });
});

describe('what nobody sees', () => {
  it.each([
    ['a <!-- hidden --> b', 'a  b'],
    ['<!-- one -->\n<!-- two -->\nsaid', 'said'],
    ['<!--\n```\n-->\nsaid', 'said'],
    ['said <!-- never closed', 'said'],
    ['line\r\nline', 'line\nline'],
  ])('is left out: %j', (raw, text) => {
    expect(withoutComments(raw)).toBe(text);
  });

  it.each(['`<!-- shown -->`', '```html\n<!-- shown -->\n```', 'a < b and c -> d'])(
    'but code is seen: %j',
    (text) => {
      expect(withoutComments(text)).toBe(text);
    },
  );
});
