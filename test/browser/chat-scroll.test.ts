// A long conversation: only what is near the screen exists, older pages come in without moving what is being read, and
// what is new below is said.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { ChatClient } from '../../src/console/chat/wire/client.ts';
import { personToken } from '../console/person.ts';
import { upHere } from '../server/here.ts';
import { type Listening } from '../server/up.ts';
import { useBrowser } from './browser.ts';
import { messages, visit } from './chat-people.ts';
import { eventually, shot } from './page.ts';

const browser = useBrowser();

const ROOM = 'general';
const PEOPLE = 5;
const EACH = 36;
const COUNT = PEOPLE * EACH;

/** As many people as it takes to stay below what one may write at once. */
async function talk(host: Listening): Promise<void> {
  let n = 0;
  for (let person = 0; person < PEOPLE; person++) {
    const token = await personToken(host, `p${person}`, `Person ${person}`);
    const client = new ChatClient({ url: `${host.url.replace('http', 'ws')}/web`, token });
    client.start();
    for (let index = 0; index < EACH; index++, n++)
      client.post(ROOM, `line ${n}${'\nand more'.repeat(n % 4)}`);
    await new Promise<void>((resolve) => {
      const look = (): void => void (client.state().sends.length === 0 && resolve());
      client.subscribe(look);
      look();
    });
    client.stop();
  }
}

/** The first line that is wholly on the screen, and where. */
function topLine(page: Page): Promise<{ text: string; top: number } | undefined> {
  return page.locator('.messages-scroll').evaluate((scroller) => {
    const edge = scroller.getBoundingClientRect().top;
    const rows = [...scroller.querySelectorAll('.message')].map((row) => ({
      text: row.querySelector('.message-text')?.textContent?.split('\n')[0] ?? '',
      top: row.getBoundingClientRect().top - edge,
    }));
    return rows.filter(({ top }) => top >= 0).toSorted((a, b) => a.top - b.top)[0];
  });
}

const scrollTo = (page: Page, top: number): Promise<void> =>
  page.locator('.messages-scroll').evaluate((scroller, to) => scroller.scrollTo(0, to), top);

it('opens at the end, keeps its place when older pages come, and says what is new below', async () => {
  const host = await upHere();
  await talk(host);
  const page = await visit(browser(), host, 'Ada');
  await messages(page, `line ${COUNT - 1}`).waitFor();
  expect(await page.locator('.messages-row').count()).toBeLessThan(60);

  // Upwards, page by page, to the very first line; every line is met, in order, once.
  const met: number[] = [];
  for (let guard = 0; guard < 400 && met[0] !== 0; guard++) {
    const shown = await page
      .locator('.room .message-text')
      .evaluateAll((rows) => rows.map((row) => Number(/line (\d+)/.exec(row.textContent ?? '')?.[1])));
    met.unshift(...shown.filter((n) => met[0] === undefined || n < met[0]));
    await page.locator('.messages-scroll').evaluate((scroller) => scroller.scrollBy(0, -220));
    const rested = `document.querySelector('.messages-scroll').scrollTop > 0 || document.querySelector('.messages-top')?.textContent === 'This is where it begins.'`;
    await eventually(() => page.evaluate(rested)).toBe(true);
  }
  expect(met).toEqual(Array.from({ length: COUNT }, (_, n) => n));
  await shot(page, 'chat-scrolled');

  // Somewhere in the middle nothing moves when somebody writes.
  await scrollTo(page, 2_000);
  await eventually(async () => (await topLine(page))?.text).toMatch(/^line/);
  const before = await topLine(page);
  const bob = new ChatClient({
    url: `${host.url.replace('http', 'ws')}/web`,
    token: await personToken(host, 'bob', 'Bob'),
  });
  bob.start();
  bob.post(ROOM, 'something new');
  await page.getByRole('button', { name: '1 new below ↓' }).waitFor();
  expect(await topLine(page)).toEqual(before);
  await page.getByRole('button', { name: '1 new below ↓' }).click();
  await messages(page, 'something new').waitFor();
  bob.post(ROOM, 'the newest');
  await messages(page, 'the newest').waitFor();
  await eventually(() => page.getByRole('button', { name: /new below/ }).count()).toBe(0);
  bob.stop();
});

/** Scrolls near the oldest row, comes to rest, asks for the page before, and watches how far a row on the screen moves. */
const WATCH = `(async () => {
  const scroller = document.querySelector('.messages-scroll');
  const frame = () => new Promise(requestAnimationFrame);
  const tops = () => new Map([...scroller.querySelectorAll('[data-event]')].map((row) => [row.dataset.event, row.getBoundingClientRect().top]));
  const look = () => JSON.stringify([scroller.scrollTop, scroller.scrollHeight, ...tops()]);
  const rest = async () => {
    for (let [last, same] = ['', 0]; same < 10; ) {
      await frame();
      [last, same] = [look(), look() === last ? same + 1 : 0];
    }
  };
  // Rows are measured when they come near the screen, and only then are they as high as they are.
  for (const top of [700, 420]) {
    await rest();
    scroller.scrollTo(0, top);
  }
  await rest();
  scroller.scrollTo(0, 380);
  let [before, height, grown, moved, quiet] = [tops(), scroller.scrollHeight, 0, 0, 0];
  for (; quiet < 60; quiet++) {
    await frame();
    const now = tops();
    const edge = scroller.getBoundingClientRect();
    for (const [id, top] of now) {
      const last = before.get(id);
      if (last !== undefined && top > edge.top && top < edge.bottom) moved = Math.max(moved, Math.abs(top - last));
    }
    if (scroller.scrollHeight > height + 500) [grown, quiet] = [grown + 1, 0];
    [before, height] = [now, scroller.scrollHeight];
  }
  return { grown, moved };
})()`;

it('does not move what is being read when an older page comes in above it', async () => {
  const host = await upHere();
  await talk(host);
  const page = await visit(browser(), host, 'Ada');
  await messages(page, `line ${COUNT - 1}`).waitFor();
  const { grown, moved } = (await page.evaluate(WATCH)) as { grown: number; moved: number };
  expect(grown).toBeGreaterThan(0);
  expect(moved).toBeLessThanOrEqual(2);
});

it('is read with the keyboard alone', async () => {
  const host = await upHere();
  const page = await visit(browser(), host, 'Ada');
  for (const text of ['one', 'two', 'three']) {
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
    await messages(page, text).and(page.locator('[data-event]')).waitFor();
  }
  // Back from the field: the last message and its buttons, then up with the arrow.
  const focused = (): Promise<string> =>
    page.evaluate('document.activeElement.closest(".message")?.getAttribute("aria-label") ?? ""');
  await eventually(async () => {
    await page.keyboard.press('Shift+Tab');
    return focused();
  }).toBe('Ada: three');
  await eventually(async () => {
    await page.keyboard.press('Shift+Tab');
    return page.evaluate('document.activeElement.className');
  }).toBe('message');
  await page.keyboard.press('ArrowUp');
  await eventually(focused).toBe('Ada: two');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('menu').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await messages(page, 'two').getByRole('button', { name: 'agree Ada' }).waitFor();
});
