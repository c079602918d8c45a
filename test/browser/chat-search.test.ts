// Search in the page: found by words, shown with the hit marked, and opened in its place, far back and in a thread too.
import { expect, it } from 'vitest';
import { upHere } from '../server/here.ts';
import { folder } from '../server/up.ts';
import { violations } from './axe.ts';
import { useBrowser } from './browser.ts';
import { field, messages, say, visit } from './chat-people.ts';
import { eventually, LOOKS, shot, SIZES } from './page.ts';
import { seedWebChannel } from './seed.ts';

const browser = useBrowser();
const COUNT = 400;

it('finds a message far back and one in a thread, and opens each in its place', async () => {
  const data = folder();
  await seedWebChannel(data, 'general', COUNT, (n) =>
    n === 3 ? 'the quick brown lighthouse' : `line ${n}\nand another`,
  );
  const host = await upHere({ data });
  const page = await visit(browser(), host, 'Ada');
  await say(page, 'a root for a lighthouse thread');
  const root = messages(page, 'a root for').and(page.locator('[data-event]'));
  await root.hover();
  await root.getByRole('button', { name: 'Open a thread' }).click();
  await field(page, 'Write in the thread').fill('the thread has a **lighthouse** as well');
  await field(page, 'Write in the thread').press('Enter');
  await page.locator('.thread [data-event]').filter({ hasText: 'as well' }).waitFor();
  await page.getByRole('button', { name: 'Close the thread' }).click();

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search messages' }).fill('lighthouse');
  await eventually(() => page.getByRole('option').count()).toBe(3);
  expect(await page.locator('.search-excerpt mark').allTextContents()).toEqual([
    'lighthouse',
    'lighthouse',
    'lighthouse',
  ]);
  await shot(page, 'chat-search-light-wide');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  const focused = (): Promise<string> =>
    page.evaluate('document.activeElement.closest(".message")?.getAttribute("data-event") ?? ""');
  await eventually(focused).toBe('seed-3');
  expect(await messages(page, 'brown lighthouse').isVisible()).toBe(true);

  // With the slash, since nobody is typing now.
  await page.keyboard.press('/');
  await page.getByRole('combobox', { name: 'Search messages' }).fill('lighthouse well');
  await page.getByRole('option', { name: /thread in #general/ }).click();
  await page.locator('.thread [data-event]:focus').filter({ hasText: 'as well' }).waitFor();
});

it.each(LOOKS)('is accessible in %s at %s width', async (scheme, size) => {
  const host = await upHere();
  const page = await visit(browser(), host, 'Ada', { scheme, viewport: SIZES[size] });
  await say(page, 'the build of the lighthouse is red');
  await say(page, 'is the lighthouse open?');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search messages' }).fill('lighthouse');
  await eventually(() => page.getByRole('option').count()).toBe(2);
  await shot(page, `chat-search-${scheme}-${size}`);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await eventually(() => page.getByRole('dialog').count()).toBe(0);
});
