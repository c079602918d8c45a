import { expect, it } from 'vitest';
import { messageAt } from './link.ts';

const at = (path: string): unknown => {
  const found = messageAt(`https://github.com/${path}`, 'github.com');
  return found && [found.place.conversationId, found.place.parentId, found.platformId];
};

it.each([
  ['acme/app/issues/12', ['acme/app#12', 'acme/app', 'issue:12']],
  ['acme/app/pull/12', ['acme/app#12', 'acme/app', 'issue:12']],
  ['acme/app/issues/12#issue-99', ['acme/app#12', 'acme/app', 'issue:12']],
  ['acme/app/issues/12#issuecomment-345', ['acme/app#12', 'acme/app', 'comment:345']],
  ['acme/app/pull/12#pullrequestreview-6', ['acme/app#12', 'acme/app', 'review:6']],
  ['acme/app/pull/12#discussion_r7', ['acme/app#12/r7', 'acme/app', 'review_comment:7']],
  ['acme/app/pull/12/files#r7', ['acme/app#12/r7', 'acme/app', 'review_comment:7']],
])('%s leads to a message', (path, wanted) => {
  expect(at(path)).toEqual(wanted);
});

it.each(['acme/app', 'acme/app/issues', 'acme/app/issues/12#elsewhere', 'acme/app/blob/main/a.ts#L1'])(
  '%s leads nowhere',
  (path) => {
    expect(at(path)).toBeUndefined();
  },
);

it('a link of another host is not ours', () => {
  expect(messageAt('https://ghe.example.com/acme/app/issues/1', 'github.com')).toBeUndefined();
  expect(messageAt('no link', 'github.com')).toBeUndefined();
});
