// Files in the page: chosen, dropped and pasted, shown while they go up, taken out before they are sent, and seen by
// others as pictures or names. The page's policy stays as it is: `open` fails the test for whatever it refuses.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { upHere } from '../server/here.ts';
import { folder } from '../server/up.ts';
import { violations } from './axe.ts';
import { useBrowser } from './browser.ts';
import { field, visit } from './chat-people.ts';
import { DRAWN, put } from './drawn.ts';
import { eventually, LOOKS, shot, SIZES } from './page.ts';

const browser = useBrowser();

it('are chosen, dropped and pasted, taken out again, sent, and seen by others', async () => {
  const host = await upHere();
  const ada = await visit(browser(), host, 'Ada');
  const bob = await visit(browser(), host, 'Bob');
  const picture = (await ada.evaluate(DRAWN)) as number[];
  const chooser = ada.locator('.composer input[type=file]');
  await chooser.setInputFiles([
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('monday, 7\n') },
    { name: 'huge.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(5 * 1_048_576) },
  ]);
  await ada.getByText('huge.bin has 5 MiB. A file may have 4 MiB.').waitFor();
  await ada.evaluate(put('drop', picture, 'plan.png'));
  await ada.evaluate(put('paste', picture, 'again.png'));
  const tray = ada.getByRole('list', { name: 'files to send' });
  await eventually(() => tray.locator('.tray-name').allTextContents()).toEqual([
    'notes.txt',
    'plan.png',
    'again.png',
  ]);
  await ada.getByRole('button', { name: 'Remove again.png' }).click();
  await eventually(() => tray.locator('progress').count()).toBe(0);
  await shot(ada, 'chat-tray');
  await field(ada).fill('The plan, and notes');
  await field(ada).press('Enter');
  await eventually(() => ada.getByRole('list', { name: 'files to send' }).count()).toBe(0);

  const message = bob.locator('.room [data-event]').filter({ hasText: 'The plan, and notes' });
  await message.locator('.picture img').waitFor();
  expect(await message.locator('.picture img').getAttribute('src')).toMatch(/^data:image\/png;base64,/);
  const saving = bob.waitForEvent('download');
  await message.getByRole('button', { name: /notes\.txt/ }).click();
  const saved = join(folder(), 'notes.txt');
  await (await saving).saveAs(saved);
  expect(readFileSync(saved, 'utf8')).toBe('monday, 7\n');
  await message.getByRole('button', { name: 'Show plan.png' }).click();
  const large = bob.getByRole('dialog', { name: 'plan.png' });
  await eventually(() =>
    large.locator('img').evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth),
  ).toBe(640);
  await shot(bob, 'chat-picture-large');
  await bob.keyboard.press('Escape');
  await eventually(() => large.count()).toBe(0);

  // Deleted with its message, for everybody.
  const own = ada.locator('.room [data-event]').filter({ hasText: 'The plan, and notes' });
  await own.hover();
  await own.getByRole('button', { name: 'Delete' }).click();
  const sure = own.getByRole('button', { name: /delete/i }).last();
  await sure.click();
  await eventually(() => bob.locator('.picture').count()).toBe(0);
});

it('are uploaded again when the host was restarted before they were sent', async () => {
  const first = await upHere();
  const ada = await visit(browser(), first, 'Ada', { expected: /ERR_|WebSocket|Failed/ });
  const chooser = ada.locator('.composer input[type=file]');
  await chooser.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('monday') });
  await eventually(() => ada.getByRole('button', { name: 'Send' }).isEnabled()).toBe(true);
  await first.stop();
  await ada.getByRole('alert').filter({ hasText: 'Not connected' }).waitFor();
  // What is chosen meanwhile fails, and is tried again.
  await chooser.setInputFiles({ name: 'more.txt', mimeType: 'text/plain', buffer: Buffer.from('tuesday') });
  await ada.getByText('The connection was lost').waitFor();
  await upHere({ data: first.data, port: Number(new URL(first.url).port) });
  await eventually(() => ada.getByRole('alert').count()).toBe(0);
  await ada.getByRole('button', { name: 'Try again' }).click();
  await eventually(() => ada.getByRole('button', { name: 'Send' }).isEnabled()).toBe(true);
  await field(ada).fill('both');
  await field(ada).press('Enter');
  const message = ada.locator('.room [data-event]').filter({ hasText: 'both' });
  for (const name of ['notes.txt', 'more.txt'])
    await message.getByRole('button', { name: new RegExp(name) }).waitFor();
});

it.each(LOOKS)('look well in %s at %s width', async (scheme, size) => {
  const host = await upHere();
  const page = await visit(browser(), host, 'Ada', { scheme, viewport: SIZES[size] });
  const picture = (await page.evaluate(DRAWN)) as number[];
  const files = page.locator('.composer input[type=file]');
  const png = { name: 'plan.png', mimeType: 'image/png', buffer: Buffer.from(picture) };
  const txt = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') };
  await files.setInputFiles([png, txt]);
  await eventually(() => page.getByRole('button', { name: 'Send' }).isEnabled()).toBe(true);
  await field(page).press('Enter');
  await page.locator('[data-event] .picture img').waitFor();
  await files.setInputFiles([png, txt]);
  await eventually(() => page.getByRole('button', { name: 'Send' }).isEnabled()).toBe(true);
  await shot(page, `chat-files-${scheme}-${size}`);
  expect(await violations(page)).toEqual([]);
});
