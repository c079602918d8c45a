import { expect, it } from 'vitest';
import { failureOf } from './api.ts';

const NOW = Date.parse('2026-06-02T09:00:00Z');
const error = (status: number, message = '', headers: Record<string, string> = {}, url = '') => ({
  name: 'HttpError',
  status,
  request: { url },
  response: { headers, data: { message } },
});

it.each([
  [error(401, 'Bad credentials'), { type: 'account', error: 'Bad credentials' }],
  [error(403, 'x', { 'retry-after': '7' }), { type: 'limited', afterMs: 7_000 }],
  [error(429, 'x', { 'retry-after': '0' }), { type: 'limited', afterMs: 0 }],
  [error(429), { type: 'limited', afterMs: 60_000 }],
  [error(403, 'You have exceeded a secondary rate limit'), { type: 'limited', afterMs: 60_000 }],
  [
    error(403, 'x', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1_000 + 90) }),
    { type: 'limited', afterMs: 90_000 },
  ],
  [error(403, 'Resource not accessible by integration'), { type: 'refused', code: '403' }],
  [error(404, 'Not Found'), { type: 'refused', code: '404' }],
  [error(410, 'This issue was deleted'), { type: 'refused', error: 'This issue was deleted' }],
  [error(422, 'Validation Failed'), { type: 'refused', error: 'Validation Failed' }],
  [error(500), { type: 'lost' }],
  [error(502, 'Server Error'), { type: 'lost', error: 'Server Error' }],
  [
    { name: 'HttpError', status: 500, message: 'other side closed' },
    { type: 'lost', error: 'other side closed' },
  ],
  [{ name: 'AbortError', message: 'aborted' }, { type: 'lost' }],
  [
    error(404, 'Not Found', {}, 'https://api.github.com/app/installations/1/access_tokens'),
    { type: 'account' },
  ],
  [undefined, { type: 'lost' }],
])('%j means %j', (given, wanted) => {
  expect(failureOf(given, NOW)).toMatchObject(wanted);
});
