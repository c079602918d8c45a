import { expect, it } from 'vitest';
import { messageAt } from './link.ts';

const LOGIN = { team: 'T1', user: 'U9', bot: 'B9', host: 'tests.slack.com' };
const BASE = 'https://tests.slack.com/archives';

it.each([
  [`${BASE}/C1/p1712345678000100`, { conversationId: 'C1' }],
  [
    `${BASE}/C1/p1712345678000100?thread_ts=1712345600.000700&cid=C1`,
    { conversationId: '1712345600.000700', parentId: 'C1' },
  ],
  [`${BASE}/C1/p1712345678000100?thread_ts=1712345678.000100`, { conversationId: 'C1' }],
])('%s leads to its message', (link, place) => {
  expect(messageAt(link, LOGIN)).toEqual({
    place: { platform: 'slack', workspaceId: 'T1', ...place },
    platformId: '1712345678.000100',
  });
});

it.each([
  'https://others.slack.com/archives/C1/p1712345678000100',
  `${BASE}/C1`,
  `${BASE}/C1/p17`,
  'https://example.com/',
  'no link',
])('%s leads nowhere', (link) => {
  expect(messageAt(link, LOGIN)).toBeUndefined();
});
