import { describe, expect, it } from 'vitest';
import { SIGNALS } from '../../protocol/vocabulary.ts';
import { defaultGlyph } from '../../protocol/glyphs.ts';
import { contentOf } from './reactions.ts';
import { bodyOf, keyIn, MAX_CHARS } from './write.ts';

const message = (text: string, more: object = {}) => ({
  idempotencyKey: 'lead:k1',
  agent: 'lead',
  persona: { name: 'lead' },
  mentions: [],
  text,
  ...more,
});
const said = (text: string, mentions: { identity: string; name: string; account?: string }[] = []): string =>
  bodyOf(message(text, { mentions }), { persona: false })?.replace(/^<!--.*-->\n/, '') ?? '';

describe('what is posted', () => {
  it('has the key in front, where nobody sees it', () => {
    const body = bodyOf(message('It is **green**.'), { persona: false });
    expect(body).toBe('<!-- earshot:lead%3Ak1 -->\nIt is **green**.');
    expect(keyIn(body ?? '')).toBe('lead:k1');
  });

  it('says which agent speaks where several share the login', () => {
    const body = bodyOf(message('done', { persona: { name: 'build*er @ada' } }), { persona: true });
    expect(body).toMatch(/\n\*\*builder @\u2060ada\*\*\n\ndone$/);
  });

  it.each(['a-->b', 'lead:k#2', 'ключ', 'x y', '%', 'k'.repeat(1_000)])('keeps the key %s', (key) => {
    const body = bodyOf(message('x', { idempotencyKey: key }), { persona: false }) ?? '';
    expect(body.indexOf('-->')).toBe(body.lastIndexOf('-->'));
    expect(keyIn(body)).toBe(key);
  });

  it('a key that somebody quotes is none', () => {
    expect(keyIn('> <!-- earshot:lead%3Ak1 -->')).toBeUndefined();
    expect(keyIn('<!-- earshot:%E0%A4%A -->')).toBeUndefined();
  });

  it('is refused when it is longer than GitHub takes', () => {
    expect(bodyOf(message('x'.repeat(MAX_CHARS)), { persona: true })).toBeDefined();
    expect(bodyOf(message('@a '.repeat(MAX_CHARS / 3)), { persona: true })).toBeUndefined();
  });
});

describe('only mentions ping', () => {
  it.each(['@octocat', '@org/team look', 'cc **@octocat**', '> @octocat', '\\@octocat', '&#64;octocat'])(
    '%s',
    (text) => {
      expect(said(text)).not.toMatch(/(?:@|&#64;)[a-z]/);
      expect(said(text).replaceAll('\u2060', '')).toBe(text);
    },
  );

  it('code stays as it is', () => {
    expect(said('run `npm i @octokit/core`')).toBe('run `npm i @octokit/core`');
  });

  it.each([
    [{ identity: 'human:ada', name: 'ada', account: 'ada' }, 'look, @ada', 'look, @ada'],
    [{ identity: 'human:ada', name: 'ada', account: 'ada' }, 'look', '@ada look'],
    [
      { identity: 'agent:lead', name: 'lead', account: 'github/github.com/earshot[bot]' },
      'look',
      '@earshot look',
    ],
    [{ identity: 'role:ops', name: 'ops', account: 'acme/ops' }, 'look, @ops', 'look, @acme/ops'],
    [{ identity: 'agent:lead', name: 'lead' }, 'look', 'look'],
    [{ identity: 'human:x', name: 'x', account: 'not a login' }, 'look', 'look'],
  ])('of %j', (mention, text, wanted) => {
    expect(said(text, [mention])).toBe(wanted);
  });
});

describe('a reaction', () => {
  it('is one of the eight, or not shown', () => {
    expect(
      Object.fromEntries(SIGNALS.map((signal) => [signal, contentOf(defaultGlyph(signal), signal)])),
    ).toEqual({
      seen: 'eyes',
      agree: '+1',
      working: undefined,
      queued: undefined,
      claimed: undefined,
      done: 'hooray',
      declined: '-1',
      blocked: undefined,
      unclear: 'confused',
    });
  });

  it.each([
    ['🚀', 'rocket'],
    ['❤️', 'heart'],
    [':laugh:', 'laugh'],
  ])('%s is shown as itself, whatever it stands for', (glyph, content) => {
    expect(contentOf(glyph, 'working')).toBe(content);
  });
});
