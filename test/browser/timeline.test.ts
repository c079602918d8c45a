// The timeline and the panel that explains a decision, in a real browser over a real host.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { upHere } from '../server/here.ts';
import { folder, message, type Listening } from '../server/up.ts';
import { useBrowser } from './browser.ts';
import { at, eventually, open, shot } from './page.ts';

const CONFIG = `agents:
  - id: lead
    name: Lead
  - id: builder
    lead: lead
    roles: [oncall]
  - id: guard
    respondTo: ["human:boss"]
`;

const browser = useBrowser();

async function host(): Promise<Listening> {
  const data = folder();
  writeFileSync(join(data, 'earshot.yaml'), CONFIG);
  return upHere({ data });
}

const chip = (page: Page, text: string, agent: string) =>
  page
    .getByRole('row')
    .filter({ hasText: text })
    .locator('.chip')
    .filter({ has: page.locator('b').getByText(agent, { exact: true }) });

/** As the eye tells them apart: what of red, green and blue stands out of a chip's words. */
async function tone(page: Page, text: string, agent: string): Promise<string> {
  const [r = 0, g = 0, b = 0] =
    (await chip(page, text, agent).evaluate((element) =>
      element.ownerDocument.defaultView?.getComputedStyle(element).color.match(/\d+/g)?.map(Number),
    )) ?? [];
  if (Math.max(r, g, b) - Math.min(r, g, b) < 20) return 'dim';
  if (g > r && g > b) return 'green';
  return b > g + 40 ? 'magenta' : 'red';
}

it('shows a posted message at once, with a chip per agent in the four colours [TC/decision/colours]', async () => {
  const running = await host();
  const page = await open(browser(), running, { hash: at(running, 'timeline') });
  await page.getByText('Nothing has been said yet').waitFor();
  await running.post(message('@lead can you look at the build?'));
  await chip(page, 'the build', 'lead').waitFor();
  expect(await chip(page, 'the build', 'lead').textContent()).toBe('leadmust answer · mentioned');
  expect(await chip(page, 'the build', 'lead').getAttribute('title')).toContain(
    'must_respond · to_me · buffered · mention',
  );
  expect(await chip(page, 'the build', 'builder').textContent()).toContain('meant for lead');
  expect(await tone(page, 'the build', 'lead')).toBe('green');
  expect(await tone(page, 'the build', 'builder')).toBe('dim');
  expect(await tone(page, 'the build', 'guard')).toBe('red');
  await running.post(message('claim-ab12-cd34'));
  await page.locator('.chip[data-kind=claim]').first().waitFor();
  const claim = page.locator('.chip[data-kind=claim]').first();
  const row = page.getByRole('row').filter({ has: claim });
  expect(await row.textContent()).not.toContain('ab12');
  await shot(page, 'timeline');
});

it('narrows to what the filters say, keeps them in the address, and clears them', async () => {
  const running = await host();
  await running.post(message('@lead is it green?'));
  await running.post(message('the weather is fine', { conversation: { id: 'random', kind: 'channel' } }));
  const page = await open(browser(), running, { hash: at(running, 'timeline') });
  const rows = page.getByRole('row');
  await eventually(() => rows.count()).toBe(2);
  await page.getByRole('combobox', { name: 'Reason', exact: true }).selectOption('mention');
  await eventually(() => rows.allTextContents()).toEqual([expect.stringContaining('is it green')]);
  expect(page.url()).toContain('#/timeline?reason=mention');
  await page.reload();
  await eventually(() => rows.count()).toBe(1);
  await page.getByRole('button', { name: 'Clear' }).click();
  await eventually(() => rows.count()).toBe(2);
  await page.getByRole('combobox', { name: 'Conversation', exact: true }).selectOption({ label: '#random' });
  await eventually(() => rows.allTextContents()).toEqual([expect.stringContaining('weather')]);
  await page.getByRole('combobox', { name: 'Conversation', exact: true }).selectOption('');
  await page.keyboard.press('Escape');
  await page.getByLabel('Text', { exact: true }).fill('weather');
  await eventually(() => rows.allTextContents()).toEqual([expect.stringContaining('weather')]);
  await page.getByLabel('Text', { exact: true }).fill('nowhere to be found');
  await page.getByText('Nothing matches').waitFor();
});

it('tells in words why, what came of it, and what another setting would have changed', async () => {
  const running = await host();
  await running.post(message('@lead can you look at the build?'));
  const page = await open(browser(), running, { hash: at(running, 'timeline') });
  await chip(page, 'the build', 'lead').click();
  const panel = page.getByRole('complementary');
  await panel.getByText('lead must answer: it is mentioned.').waitFor();
  const came = panel.getByRole('region', { name: 'How it came about' });
  await eventually(() => came.textContent()).toContain('mentions this agent');
  await panel.getByText('Facts and state used').click();
  await eventually(() => panel.locator('.facts.mono').textContent()).toContain('directedness');
  await panel.getByText('Remembered then').waitFor();
  await panel.getByText('never here').waitFor();
  await panel.getByText('waits for lead to connect').waitFor();
  await panel.getByRole('tab', { name: 'builder' }).click();
  await panel
    .locator('.headline')
    .filter({ hasText: /^builder .*somebody else/ })
    .waitFor();
  await panel.getByRole('tab', { name: 'lead' }).click();
  await panel.getByRole('combobox', { name: 'What if' }).selectOption('nobody');
  await panel.getByText('The decision changes.').waitFor();
  expect(await panel.locator('.compared .chip').allTextContents()).toEqual([
    expect.stringContaining('must answer · mentioned'),
    expect.stringContaining('author not allowed'),
  ]);
  await shot(page, 'why');
  await panel.getByRole('combobox', { name: 'What if' }).selectOption('auto');
  await panel.getByText('Nothing changes').waitFor();
});

it('is usable with the keyboard alone', async () => {
  const running = await host();
  for (const text of ['@lead one', '@builder two', 'three']) await running.post(message(text));
  const page = await open(browser(), running, { hash: at(running, 'timeline') });
  await page.getByText('@lead one').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('two');
  await eventually(() => page.getByRole('row').count()).toBe(1);
  await page.getByLabel('Text', { exact: true }).fill('');
  await eventually(() => page.getByRole('row').count()).toBe(3);
  await page.getByRole('grid').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const panel = page.getByRole('complementary');
  await panel.getByText('@builder two').waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await eventually(() => page.evaluate('document.activeElement.role')).toBe('grid');
});

it('does not move what is being read when more is said, and says how much there is', async () => {
  const running = await host();
  for (let i = 0; i < 60; i++) await running.post(message(`line ${i}`));
  const page = await open(browser(), running, { hash: at(running, 'timeline') });
  await page.getByText('line 59', { exact: true }).waitFor();
  const grid = page.getByRole('grid');
  await grid.evaluate((element) => (element.scrollTop = 300));
  await page.getByText('line 8', { exact: true }).waitFor();
  const top = (): Promise<number | undefined> =>
    page.getByText('line 8', { exact: true }).evaluate((element) => element.getBoundingClientRect().top);
  const before = await top();
  for (let i = 0; i < 3; i++) await running.post(message(`new ${i}`));
  const pill = page.getByRole('button', { name: '3 new below' });
  await pill.waitFor();
  expect(await top()).toBe(before);
  await pill.click();
  await page.getByText('new 2', { exact: true }).waitFor();
  await running.post(message('and this is followed'));
  await page.getByText('and this is followed').waitFor();
});

/** A sign that somebody came or went. */
function sign(time: string): Record<string, unknown> {
  const { text: _, ...event } = message('', { at: time });
  return { ...event, type: 'membership', membership: { humans: 2, agents: 1, complete: true } };
}

it('folds signs away, opens them, and keeps the place that is being read', async () => {
  const running = await host();
  const at0 = Date.now() - 60_000;
  for (let i = 0; i < 40; i++) {
    await running.post(message(`line ${i}`, { at: new Date(at0 + i * 100).toISOString() }));
    if (i % 10 === 9)
      for (const ms of [1, 2, 3]) await running.post(sign(new Date(at0 + i * 100 + ms).toISOString()));
  }
  const page = await open(browser(), running, { hash: at(running, 'timeline') });
  await page.getByText('line 39', { exact: true }).waitFor();
  const fold = page.getByRole('button', { name: '3 steps in between' });
  await eventually(() => fold.count()).toBeGreaterThan(0);
  expect(await page.getByText('who is here has changed').count()).toBe(0);
  expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe('44');
  await fold.last().click();
  await eventually(() => page.getByText('who is here has changed').count()).toBe(3);
  await page.getByRole('button', { name: 'hide these 3 steps' }).click();
  await eventually(() => page.getByText('who is here has changed').count()).toBe(0);
  // Somebody who asks for signs gets them as rows.
  await page.getByRole('combobox', { name: 'Kind', exact: true }).selectOption({ label: 'other signs' });
  await eventually(() => page.getByText('who is here has changed').count()).toBeGreaterThan(3);
});

function ago(ms: number): string {
  return new Date(Date.now() - ms).toISOString();
}

it('says which day it is, and narrows to a period', async () => {
  const running = await host();
  const day = 24 * 3_600_000;
  await running.post(message('said today'));
  const page = await open(browser(), running, { hash: at(running, 'timeline') });
  await page.getByText('said today').waitFor();
  await eventually(() => page.locator('.log-day').textContent()).toBe('Today');
  await page.getByRole('combobox', { name: 'Time', exact: true }).selectOption({ label: 'the last hour' });
  await page.getByLabel('From').waitFor();
  await page.getByText('said today').waitFor();
  expect(page.url()).toContain('from=');
  await page.goto(`${running.url}/#/timeline?from=${ago(2 * day)}&to=${ago(day)}`);
  await page.getByText('Nothing matches').waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByText('said today').waitFor();
});
