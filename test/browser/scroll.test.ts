// A long log, in a long run a hundred thousand messages: the right rows wherever the scrollbar is put, only those on the screen in the page,
// and frames that follow a scrolling hand. Frame times are printed, not judged: they are the machine's.
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { cases } from '../long.ts';
import { upHere } from '../server/here.ts';
import { folder, message } from '../server/up.ts';
import { useBrowser } from './browser.ts';
import { at, eventually, open, shot } from './page.ts';
import { seedLog } from './seed.ts';

const ROWS = cases(20_000, 100_000);
const browser = useBrowser();
const data = folder();
beforeAll(async () => {
  await seedLog(data, ROWS);
});

/** The rows on the screen: where each is in the list, and what it says. */
function onScreen(page: Page): Promise<{ index: number; text: string }[]> {
  return page.getByRole('grid').evaluate((grid) => {
    const { top, bottom } = grid.getBoundingClientRect();
    return [...grid.querySelectorAll('[role=row]')]
      .filter((row) => row.getBoundingClientRect().bottom > top && row.getBoundingClientRect().top < bottom)
      .map((row) => ({
        index: Number(row.ariaRowIndex) - 1,
        text: row.querySelector('.entry-text')?.textContent ?? '',
      }));
  });
}

async function jump(page: Page, share: number): Promise<void> {
  await page.getByRole('grid').evaluate((grid, part) => {
    grid.scrollTop = part * (grid.scrollHeight - grid.clientHeight);
  }, share);
}

it('shows the right rows wherever the scrollbar is put', async () => {
  const running = await upHere({ data });
  const page = await open(browser(), running, { hash: at(running, 'timeline') });
  await page.getByText(`#${ROWS - 1} `).waitFor();
  for (const share of [0, 0.5, 0.123, 0.987, 0.25, 1]) {
    await jump(page, share);
    await eventually(async () => {
      const rows = await onScreen(page);
      return rows.length > 5 && rows.every(({ index, text }) => text.startsWith(`#${index} `));
    }).toBe(true);
    const [first] = await onScreen(page);
    expect(Math.abs((first?.index ?? 0) - share * ROWS)).toBeLessThan(30);
  }
  expect(await page.locator('[role=row]').count()).toBeLessThan(60);
  await running.post(message('the newest of all', { conversation: { id: 'elsewhere', kind: 'channel' } }));
  await page.getByText('the newest of all').waitFor();
  expect((await onScreen(page)).at(-1)).toEqual({ index: ROWS, text: 'the newest of all' });

  await jump(page, 0.4);
  const frames = await scrollSteadily(page);
  const sorted = frames.toSorted((a, b) => a - b);
  const p = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
  console.log(
    `frames while scrolling through ${ROWS} rows: p50 ${p(0.5)} ms, p95 ${p(0.95)} ms, longest ${p(1)} ms`,
  );
  expect(frames.length).toBeGreaterThan(50);
  await shot(page, 'scroll');
});

/** A hand on the wheel, 120 px a frame: the time each frame took. */
function scrollSteadily(page: Page): Promise<number[]> {
  return page.getByRole('grid').evaluate(
    (grid) =>
      new Promise<number[]>((resolve) => {
        const { defaultView: view } = grid.ownerDocument;
        const times: number[] = [];
        let last = performance.now();
        const frame = (now: number): void => {
          times.push(now - last);
          last = now;
          grid.scrollTop += 120;
          if (times.length < 180) view?.requestAnimationFrame(frame);
          else resolve(times);
        };
        view?.requestAnimationFrame(frame);
      }),
  );
}

it('counts and jumps within one conversation, and goes back through a filter', async () => {
  const running = await upHere({ data });
  const page = await open(browser(), running, { hash: at(running, 'timeline?conversation=general') });
  const grid = page.getByRole('grid');
  await eventually(() => grid.getAttribute('aria-rowcount')).toBe(String(Math.ceil(ROWS / 3)));
  await jump(page, 0.5);
  await eventually(async () =>
    (await onScreen(page)).every(({ index, text }) => text.startsWith(`#${index * 3} `)),
  ).toBe(true);
  await page.goto(`${running.url}/#/timeline?reason=role_mention`);
  await page.locator('.entry').first().waitFor();
  const count = async (): Promise<number> => Number(await grid.getAttribute('aria-rowcount'));
  // Older rows are held back until it is known what stands at the top.
  const { promise: looked, resolve: letThrough } = Promise.withResolvers<void>();
  await page.route('**/v1/log?*', async (route) => {
    await looked;
    await route.continue();
  });
  let top: string | undefined;
  await eventually(async () => {
    await jump(page, 0);
    const first = (await onScreen(page))[0];
    top = first?.text;
    return first?.index;
  }).toBe(0);
  const before = await count();
  letThrough();
  await eventually(count).toBeGreaterThan(before);
  // What stood at the top when older rows came in front of it stays there, however many come.
  await eventually(async () => {
    const first = (await onScreen(page))[0];
    return { text: first?.text, isFirst: first?.index === 0 };
  }).toEqual({ text: top, isFirst: false });
  const texts = async () => (await onScreen(page)).map(({ text }) => text);
  expect((await texts()).every((text) => text.includes('@oncall'))).toBe(true);
});
