// Every view, in both themes, wide and on a phone: axe finds nothing serious, nothing runs out of the page sideways, and
// a screenshot is left for whoever wants to look.
import { expect, it } from 'vitest';
import { upHere } from '../server/here.ts';
import { message, type Listening } from '../server/up.ts';
import { serious } from './axe.ts';
import { useBrowser } from './browser.ts';
import { at, LOOKS, open, PHONE, shot, SIZES } from './page.ts';

const browser = useBrowser();

async function talk(host: Listening): Promise<void> {
  const now = new Date().toISOString();
  for (const text of [
    '@lead can you look at the build?',
    'thanks',
    '@oncall the site is down',
    'claim-ab12-cd34',
    'lunch?',
  ])
    await host.post(message(text, { at: now }));
}

/** A sign that the view has what it shows. */
const VIEWS: Record<string, string> = {
  chat: '.entry .chip',
  timeline: '.entry .chip',
  agents: '.agent-detail .table',
  turns: '.plot canvas',
  inbox: '.view-body',
  replay: '.drop',
};

it.each(LOOKS)(
  'is accessible in %s at %s width',
  async (scheme, size) => {
    const running = await upHere();
    await talk(running);
    const page = await open(browser(), running, {
      hash: at(running, 'timeline'),
      scheme,
      viewport: SIZES[size],
    });
    for (const [view, sign] of Object.entries(VIEWS)) {
      await page.goto(`${running.url}/#/${view}`);
      // At phone width the home view is the chat alone.
      if (view !== 'chat' || size === 'wide') await page.locator(sign).first().waitFor();
      await shot(page, `${view}-${scheme}-${size}`);
      expect({ view, found: await serious(page) }).toEqual({ view, found: [] });
      const wide = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect({ view, wide }).toEqual({ view, wide: 0 });
    }
    await page.goto(`${running.url}/#/timeline`);
    await page.locator('.chip').first().click();
    await page.locator('.headline').waitFor();
    await shot(page, `why-${scheme}-${size}`);
    expect(await serious(page)).toEqual([]);
  },
  120_000,
);

it.each(['light', 'dark'] as const)('signs in accessibly in %s', async (scheme) => {
  const running = await upHere();
  const page = await open(browser(), running, { hash: '', scheme, viewport: PHONE });
  await page.getByLabel('Token').waitFor();
  await shot(page, `sign-in-${scheme}`);
  expect(await serious(page)).toEqual([]);
});

it('keeps the theme somebody has chosen', async () => {
  const running = await upHere();
  const page = await open(browser(), running, { hash: at(running, 'timeline'), scheme: 'light' });
  const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  const light = await ground();
  await page.getByRole('button', { name: 'Theme: system' }).click();
  await page.getByRole('button', { name: 'Theme: light' }).click();
  await page.getByRole('button', { name: 'Theme: dark' }).waitFor();
  const dark = await ground();
  expect(dark).not.toBe(light);
  await page.reload();
  await page.getByRole('button', { name: 'Theme: dark' }).waitFor();
  expect(await ground()).toBe(dark);
});
