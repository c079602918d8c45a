// The chat in both themes, wide and on a phone: axe finds nothing serious, nothing runs out of the page sideways.
import { expect, it } from 'vitest';
import { upHere } from '../server/here.ts';
import { useBrowser } from './browser.ts';
import { serious } from './axe.ts';
import { field, messages, say, visit } from './chat-people.ts';
import { LOOKS, open, PHONE, shot, SIZES } from './page.ts';

const browser = useBrowser();

it.each(LOOKS)(
  'is accessible in %s at %s width',
  async (scheme, size) => {
    const host = await upHere();
    const page = await visit(browser(), host, 'Ada', { scheme, viewport: SIZES[size], operator: true });
    const look = async (name: string): Promise<void> => {
      await shot(page, `chat-${name}-${scheme}-${size}`);
      expect({ name, found: await serious(page) }).toEqual({ name, found: [] });
      const wide = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect({ name, wide }).toEqual({ name, wide: 0 });
    };
    await look('empty');
    for (const text of [
      '@lead is the build green?',
      '@oncall the site is down',
      '@here lunch? https://example.org/menu',
    ]) {
      await say(page, text);
      await messages(page, text).and(page.locator('[data-event]')).waitFor();
    }
    const first = messages(page, '@lead is the build green?');
    await first.hover();
    await first.getByRole('button', { name: 'Give a signal' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'blocked' }).waitFor();
    await look('palette');
    await page.getByRole('menuitemcheckbox', { name: 'blocked' }).click();
    await first.getByRole('button', { name: 'Reply' }).click();
    await field(page).pressSequentially('and @');
    await page.getByRole('listbox').waitFor();
    await look('completion');
    await field(page).press('Escape');
    await field(page).press('Escape');
    await field(page).fill('');
    await first.hover();
    await first.getByRole('button', { name: 'Open a thread' }).click();
    await field(page, 'Write in the thread').fill('in the thread');
    await field(page, 'Write in the thread').press('Enter');
    await page.locator('.thread [data-event]').filter({ hasText: 'in the thread' }).waitFor();
    await look('in-thread');
    await page.getByRole('button', { name: 'Close the thread' }).click();
    await page.getByRole('button', { name: 'Conversations' }).click();
    await look('list');
    await page.getByRole('button', { name: /in this tab/ }).click();
    await page.getByRole('dialog').waitFor();
    await look('identity');
  },
  120_000,
);

it.each(['light', 'dark'] as const)('asks who one is accessibly in %s', async (scheme) => {
  const host = await upHere();
  const hash = `#/chat?operator=${host.tokens.operator}`;
  const page = await open(browser(), host, { hash, scheme, viewport: PHONE });
  await page.getByRole('heading', { name: 'Who are you in this tab?' }).waitFor();
  await shot(page, `chat-nobody-${scheme}`);
  expect(await serious(page)).toEqual([]);
});
