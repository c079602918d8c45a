// What a model writes pings nobody, whatever it writes, and what it shows looks the same. The platforms' readings of a
// ping below are no part of the product.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { onlyMentionsPing, type PingSyntax } from '../../src/surfaces/only-mentions-ping.ts';
import type { OutboundMention } from '../../src/surfaces/surface.ts';
import { cases } from '../long.ts';

const slack: PingSyntax = { form: (account) => `<@${account}>`, inCode: 'pings' };
const github: PingSyntax = { form: (account) => `@${account}`, inCode: 'inert' };

/** Slack reads its forms everywhere; a name after "@" for those who ask for it. */
const pingsOnSlack = (text: string): string[] =>
  text.match(/<[@!](?!--)[^>]*>|@(?:channel|here|everyone)\b/g) ?? [];
/** GitHub reads names in whatever is no code, after entities were resolved. */
const pingsOnGithub = (text: string): string[] =>
  text.replace(/&(?:#0*64|#x0*40|commat);/gi, '@').match(/(?<![\w/])@[\w-]+(?:\/[\w-]+)?/g) ?? [];

const ada: OutboundMention = { identity: 'human:ada', name: 'ada', account: 'U1' };
const look = (text: string): string => text.replaceAll('\u2060', '');

describe('what would ping somebody', () => {
  const PINGS = [
    '@everyone',
    '@here',
    '@channel',
    '<!channel>',
    '<!here|here>',
    '<@U1>',
    '<@!12>',
    '<@&34>',
    '<!subteam^S1|@ops team>',
    '@org/team',
    '@octocat',
    '&#64;octocat',
    '&#x0040;octocat',
    '&commat;octocat',
    '\\@octocat',
    '**@octocat**',
    '(@octocat)',
    '[x](https://a.example)@octocat',
    'https://@octocat',
  ];

  it.each(PINGS)('is text that looks the same: %s', (ping) => {
    for (const text of [
      ping,
      `Hey ${ping}, look`,
      `- ${ping}\n- ${ping}`,
      `> ${ping}`,
      `| a |\n| - |\n| ${ping} |`,
      `# ${ping}`,
    ]) {
      const [onSlack, onGithub] = [slack, github].map((syntax) => onlyMentionsPing(text, [], syntax));
      expect(pingsOnSlack(onSlack ?? '')).toEqual([]);
      expect(pingsOnGithub(onGithub ?? '')).toEqual([]);
      expect([onSlack, onGithub].map((shown) => look(shown ?? ''))).toEqual([text, text]);
    }
  });

  it('is found among anything else', () => {
    const piece = fc.constantFrom(
      ...PINGS,
      ' ',
      '\n',
      '\n\n',
      '`',
      '```',
      '\n```\n',
      '\n~~~\n',
      '<b>',
      '<pre>\n',
      '\n<div>\n',
      '- ',
      '  ',
      '\n  ',
      '> ',
      '|',
      '\\',
      'text',
      '<!-- ',
      ' -->',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        const shown = onlyMentionsPing(text, [], slack);
        expect(pingsOnSlack(shown)).toEqual([]);
        expect(look(shown)).toBe(text);
        expect(look(onlyMentionsPing(text, [], github))).toBe(text);
      }),
      { numRuns: cases(500, 50_000) },
    );
  });

  it('leaves alone what pings nobody', () => {
    for (const text of [
      'mail ada@example.org',
      'https://social.example/@ada/1',
      'a <!-- note --> b',
      '2 < 3 & 4 @ 5',
      'x@y',
      '<https://a.example>',
    ])
      expect(onlyMentionsPing(text, [], slack)).toBe(text);
  });
});

describe('code', () => {
  it.each([
    'Run `npm i @slack/web-api` now',
    '```sh\nnpm i @slack/web-api\n```',
    'First:\n```\n@a\n<div>\n@b\n```\nthen `@c`',
    '1. do\n\n   ```\n   @a\n     @b\n\n   @c\n   ```\n2. done',
    '~~~\n@a\n```\n@b\n~~~',
  ])('is left to the letter where nobody is pinged from it: %j', (text) => {
    expect(onlyMentionsPing(text, [], github)).toBe(text);
    expect(look(onlyMentionsPing(text, [], slack))).toBe(text);
  });

  it.each([
    ['escaped backticks', '\\`@a\\`'],
    ['backticks in a tag', '<i title="`"> @a <i title="`">'],
    ['backticks in two cells', '| ` | @a ` |'],
    ['a fence in a block of HTML', '<details>\n```\n@a\n```\n</details>'],
    ['what follows such a fence', '<details>\n```\n\n```\n\n```\n@a\n```'],
    ['a line that ends the list item of its fence', '- x\ny\n  ```\n@a\n  ```'],
    ['a shallower quotation', '> > ```\n> @a\n> ```'],
    ['an indented fence', 'a\n\n    ```\n@a\n    ```'],
    ['a fence that is over', '```\ncode\n```\n@a'],
    ['one backtick', 'a ` and @a'],
  ])('is not what only looks like it: %s', (_, text) => {
    expect(onlyMentionsPing(text, [], github)).toContain('@\u2060a');
  });
});

describe('whoever is meant', () => {
  it.each([
    ['where the name stands', 'Is it green, @ada?', 'Is it green, <@U1>?'],
    ['whatever its case', '@Ada: look', '<@U1>: look'],
    ['each time', '@ada and @ada', '<@U1> and <@U1>'],
    ['in front, where it does not', 'Is it green?', '<@U1> Is it green?'],
    ['in front of a list', '- one\n- two', '<@U1>\n\n- one\n- two'],
    ['not where it is part of another name', '@ada-lovelace', '<@U1> @\u2060ada-lovelace'],
    ['beside others, who are not pinged', '@ada and @eve', '<@U1> and @\u2060eve'],
  ])('is pinged %s', (_, text, shown) => {
    expect(onlyMentionsPing(text, [ada], slack)).toBe(shown);
  });

  it('is not pinged from code', () => {
    expect(onlyMentionsPing('`@ada`', [{ ...ada, account: 'ada' }], github)).toBe('@ada\n\n`@ada`');
  });

  it('is plain text where the platform’s id is not known', () => {
    expect(onlyMentionsPing('@bob, look', [{ identity: 'human:bob', name: 'bob' }], slack)).toBe(
      '@\u2060bob, look',
    );
  });

  it('is told by the longest name', () => {
    const smith: OutboundMention = { identity: 'human:2', name: 'ada smith', account: 'U2' };
    expect(onlyMentionsPing('@ada smith and @ada', [ada, smith], slack)).toBe('<@U2> and <@U1>');
  });
});
