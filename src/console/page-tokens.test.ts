import { describe, expect, it } from 'vitest';
import { parseRoute, hrefOf } from './route.ts';
import { takeTokens } from './page-tokens.ts';

const [OPERATOR, PERSON] = ['ear_op_12345678', 'ear_me_12345678'];

describe('tokens in the fragment', () => {
  it.each([
    [`#operator=${OPERATOR}&person=${PERSON}`, { operator: OPERATOR, person: PERSON }, ''],
    [`#person=${PERSON}`, { operator: undefined, person: PERSON }, ''],
    [
      `#/timeline?agent=lead&operator=${OPERATOR}`,
      { operator: OPERATOR, person: undefined },
      '/timeline?agent=lead',
    ],
    [`#/agents?operator=${OPERATOR}`, { operator: OPERATOR, person: undefined }, '/agents'],
    ['#/timeline?why=m1', { operator: undefined, person: undefined }, '/timeline?why=m1'],
    ['#operator=no token', { operator: undefined, person: undefined }, ''],
    ['', { operator: undefined, person: undefined }, ''],
  ])('takes them out of %s and leaves the rest', (fragment, session, rest) => {
    expect(takeTokens(fragment)).toEqual({ session, rest });
  });
});

describe('routes', () => {
  it('reads back what it has written', () => {
    const { view, query } = parseRoute(hrefOf('timeline', { agent: 'lead', text: 'a&b=c', reason: '' }));
    expect([view, ...query]).toEqual(['timeline', ['agent', 'lead'], ['text', 'a&b=c']]);
  });

  it('goes home from an address that names no view', () => {
    expect(parseRoute('#/nowhere').view).toBe('chat');
    expect(parseRoute('').view).toBe('chat');
  });
});
