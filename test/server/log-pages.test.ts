// GET /v1/log for a page of 100,000 rows: any place, either way, filtered, counted.
import { expect, it } from 'vitest';
import type { LogPage } from '../../src/protocol/operator-api.ts';
import { type Fixture, fixture, message, START } from './fixture.ts';

async function page({ call }: Fixture, query = ''): Promise<LogPage> {
  const { status, body } = await call('GET', `/v1/log?${query}`, 'operator');
  expect([query, status]).toEqual([query, 200]);
  return body as unknown as LogPage;
}

/** Twenty lines a minute apart: every fourth for lead, every fifth in another room. */
async function chatted() {
  const host = await fixture();
  const ids: string[] = [];
  for (let n = 0; n < 20; n++) {
    const text = n % 4 === 0 ? `@lead can you look at build ${n}?` : `line ${n}`;
    const where = n % 5 === 0 ? 'random' : 'general';
    const author = n % 2 === 0 ? 'ada' : 'ben';
    const event = message(text, {
      at: START + n * 60_000,
      conversation: { id: where, kind: 'channel' },
      author: { id: author, kind: 'human', displayName: author === 'ada' ? 'Ada L' : 'Ben' },
    });
    ids.push(event.eventId);
    expect((await host.call('POST', '/v1/events', 'dev', event)).status).toBe(202);
    host.clock.advance(60_000);
  }
  return { host, ids };
}
const idsOf = ({ log }: LogPage) =>
  log.filter(({ type }) => type === 'message').map(({ eventId }) => eventId);

it('scrolls both ways without a gap, and says where it is', async () => {
  const { host, ids } = await chatted();
  const first = await page(host, 'limit=7');
  expect(idsOf(first)).toEqual(ids.slice(0, 7));
  expect(first).toMatchObject({ total: 20, offset: 0, complete: true });
  expect(first.prevCursor).toBeUndefined();
  const second = await page(host, `limit=7&after=${first.nextCursor}`);
  expect(idsOf(second)).toEqual(ids.slice(7, 14));
  expect(second.offset).toBe(7);
  const back = await page(host, `limit=5&before=${second.prevCursor}`);
  expect(idsOf(back)).toEqual(ids.slice(2, 7));
  const on = await page(host, `limit=50&after=${back.nextCursor}`);
  expect(idsOf(on)).toEqual(ids.slice(7));
  expect(on.nextCursor).toBeUndefined();
  const last = await page(host, 'last=true&limit=3');
  expect(idsOf(last)).toEqual(ids.slice(17));
  expect(last.offset).toBe(17);
  expect(last.nextCursor).toBeUndefined();
  expect((await page(host, `after=${last.tailCursor}`)).log).toEqual([]);
  expect(idsOf(await page(host, `before=${last.prevCursor}&limit=2`))).toEqual(ids.slice(15, 17));
});

it('jumps to a place in the list and to a time', async () => {
  const { host, ids } = await chatted();
  expect(idsOf(await page(host, 'offset=13&limit=2'))).toEqual(ids.slice(13, 15));
  expect((await page(host, 'offset=13&limit=2')).prevCursor).toBeDefined();
  expect(idsOf(await page(host, 'offset=99'))).toEqual([]);
  const at = new Date(START + 9.5 * 60_000).toISOString();
  expect(idsOf(await page(host, `time=${at}&limit=1`))).toEqual([ids[10]]);
  const { first, last } = await page(host);
  expect([first?.at, last?.at]).toEqual([
    new Date(START).toISOString(),
    new Date(START + 19 * 60_000).toISOString(),
  ]);
  const inRandom = await page(host, 'conversation=random&offset=2&limit=1');
  expect([idsOf(inRandom), inRandom.total, inRandom.offset]).toEqual([[ids[10]], 4, 2]);
});

it.each<[string, (n: number) => boolean]>([
  ['agent=lead&policy=must_respond', (n) => n % 4 === 0],
  ['agent=builder&policy=must_respond', () => false],
  ['reason=mention', (n) => n % 4 === 0],
  ['reason=mention&decision=engage&conversation=general', (n) => n % 4 === 0 && n % 5 !== 0],
  ['conversation=c/dev/w/random', (n) => n % 5 === 0],
  ['author=ada', (n) => n % 2 === 0],
  ['author=ada%20l&text=build', (n) => n % 4 === 0],
  ['text=BUILD%2012', (n) => n === 12],
  [`from=${START + 5 * 60_000}&to=${START + 8 * 60_000}`, (n) => n >= 5 && n < 8],
  [`from=${new Date(START + 18 * 60_000).toISOString()}&reason=mention`, () => false],
  ['type=message,edit', () => true],
  ['type=reaction', () => false],
])('filters by %s, in pages of two and both ways', async (query, wanted) => {
  const { host, ids } = await chatted();
  const expected = ids.filter((_, n) => wanted(n));
  const forward: string[] = [];
  for (let cursor: string | undefined = '0'; cursor !== undefined; ) {
    const one: LogPage = await page(host, `${query}&limit=2&after=${cursor}`);
    forward.push(...idsOf(one));
    cursor = one.nextCursor;
  }
  expect(forward).toEqual(expected);
  const backward: string[] = [];
  for (let where: string | undefined = 'last=true'; where !== undefined; ) {
    const one: LogPage = await page(host, `${query}&limit=2&${where}`);
    backward.unshift(...idsOf(one));
    where = one.prevCursor === undefined ? undefined : `before=${one.prevCursor}`;
  }
  expect(backward).toEqual(expected);
});

it.each([
  ['after=1&before=2', 'give one of after, before'],
  ['policy=must', 'policy'],
  ['type=shout', 'type'],
  ['from=yesterday', '2026-06-02T09:00:00Z'],
  ['after=x', 'cursor'],
  ['offset=-1', 'offset'],
])('%s is refused by name', async (query, words) => {
  const host = await fixture();
  const { status, text } = await host.call('GET', `/v1/log?${query}`, 'operator');
  expect([status, text]).toEqual([400, expect.stringContaining(words) as string]);
});

it('an unknown conversation is said, with where to look', async () => {
  const host = await fixture();
  const { status, text } = await host.call('GET', '/v1/log?conversation=nowhere', 'operator');
  expect([status, text]).toEqual([404, expect.stringContaining('GET /v1/conversations') as string]);
});
