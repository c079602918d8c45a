// What a message's text becomes on the page, and what an @ offers.
import { describe, expect, it } from 'vitest';
import {
  mentionAt,
  candidatesFor,
  completed,
  isWrittenOut,
} from '../../src/console/chat/composer/completion.ts';
import { partsOf } from '../../src/console/chat/room/text.ts';
import type { WebMention } from '../../src/protocol/web-chat.ts';
import { after, hello } from './messages.ts';

const state = after([
  hello({
    people: [
      { id: 'ada', name: 'Ada', connected: true },
      { id: 'bob-m', name: 'Bob Müller', connected: false },
    ],
  }),
]);
const lead: WebMention = { kind: 'agent', id: 'lead', name: 'Lead' };
const words = (text: string, mentions: WebMention[] = []): string[] =>
  partsOf(text, mentions, state.agents).map((part) =>
    part.kind === 'text' ? part.text : `[${part.kind} ${part.text}]`,
  );
const names = (query: string): string[] => candidatesFor(state, query).map(({ handle }) => handle);

describe('text', () => {
  it.each([
    ['see https://example.org/a_(b).', ['see ', '[link https://example.org/a_(b)]', '.']],
    ['(https://example.org/x)', ['(', '[link https://example.org/x]', ')']],
    ['HTTP://EXAMPLE.ORG, and', ['[link HTTP://EXAMPLE.ORG]', ', and']],
    ['javascript:alert(1)', ['javascript:alert(1)']],
    ['data:text/html,hi ftp://example.org', ['data:text/html,hi ftp://example.org']],
    ['https://safe.example@evil.example/', ['https://safe.example@evil.example/']],
    ['<a href="https://example.org">x</a>', ['<a href="', '[link https://example.org]', '">x</a>']],
    ['www.example.org/a, a@example.org!', ['[link www.example.org/a]', ', ', '[link a@example.org]', '!']],
    ['a@b x@y.z1 @www.example.org', ['a@b x@y.z1 @www.example.org']],
  ])('links http, https and mail alone: %s', (text, parts) => {
    expect(words(text)).toEqual(parts);
  });

  it('marks what the host has resolved, by name, id or alias, and nothing else', () => {
    expect(words('@Lead and @LEAD, @boss, @leader, @bob', [lead])).toEqual([
      '[mention @Lead]',
      ' and ',
      '[mention @LEAD]',
      ', ',
      '[mention @boss]',
      ', @leader, @bob',
    ]);
    expect(words('@lead is it?')).toEqual(['@lead is it?']);
  });

  it('takes the longest name at a place', () => {
    const both: WebMention[] = [
      { kind: 'human', id: 'bob', name: 'Bob' },
      { kind: 'human', id: 'bob-m', name: 'Bob Müller' },
    ];
    expect(words('@Bob Müller, hi', both)).toEqual(['[mention @Bob Müller]', ', hi']);
  });

  it('gives back every character, in order', () => {
    const text = 'a @lead https://example.org/?q=[1]&x=(2)) b';
    expect(
      partsOf(text, [lead], state.agents)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  });
});

describe('completion', () => {
  it('is asked for after an @ that begins a word', () => {
    expect(mentionAt('hey @le', 7)).toEqual({ from: 4, query: 'le' });
    expect(mentionAt('@', 1)).toEqual({ from: 0, query: '' });
    expect(mentionAt('mail@le', 7)).toBeUndefined();
    expect(mentionAt('@lead x', 7)).toBeUndefined();
    expect(mentionAt('@lead x', 3)).toEqual({ from: 0, query: 'le' });
  });

  it('offers agents, roles, people and broadcasts, and not oneself', () => {
    expect(names('')).toEqual(['lead', 'oncall', 'Bob Müller', 'here']);
    expect(names('bo')).toEqual(['lead', 'Bob Müller']);
    expect(names('bob-m')).toEqual(['Bob Müller']);
    expect(names('mül')).toEqual(['Bob Müller']);
    expect(names('xyz')).toEqual([]);
  });

  it('writes people by name, and by id only where two have one name', () => {
    const people = ['bob-m', 'bob-n'].map((id) => ({ id, name: 'Bob', connected: true }));
    expect(candidatesFor(after([hello({ people })]), 'bob').map(({ handle }) => handle)).toEqual([
      'bob-m',
      'bob-n',
    ]);
  });

  it.each([
    ['lead', true],
    ['Lead', true],
    ['LE', false],
    ['bob-m', false],
    ['oncall', true],
  ])('has nothing to complete once a name is written out: @%s: %s', (query, isOut) => {
    expect(isWrittenOut({ from: 0, query }, candidatesFor(state, query))).toBe(isOut);
  });

  it('puts the name where the @ was, with one space after it', () => {
    const [candidate] = candidatesFor(state, 'le');
    const asked = mentionAt('hey @le there', 7);
    if (candidate === undefined || asked === undefined) throw new Error('nobody offered');
    expect(completed('hey @le there', 7, asked, candidate)).toEqual({ text: 'hey @lead there', caret: 10 });
    expect(completed('hey @le', 7, asked, candidate)).toEqual({ text: 'hey @lead ', caret: 10 });
  });
});
