// The dial on the page: what each notch would have done last week is shown before anything is chosen; a notch is chosen,
// the difference is checked, and it counts.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { upHere } from '../server/here.ts';
import { folder, type Listening, message } from '../server/up.ts';
import { WEIGHED_LINE, WEIGHED_SETTINGS, weighedLines } from '../server/weighed-lines.ts';
import { violations } from './axe.ts';
import type { LogEntry } from '../../src/protocol/operator-api.ts';
import { useBrowser } from './browser.ts';
import { faint, type SeenKinds } from './contrast.ts';
import { at, eventually, LOOKS, open, shot, SIZES } from './page.ts';

const browser = useBrowser();

async function talked() {
  const data = folder();
  const config = join(data, 'earshot.yaml');
  writeFileSync(config, WEIGHED_SETTINGS);
  const running = await upHere({ data, config });
  await weighedLines(running, 6);
  return { config, running };
}

it('an agent is made quieter, with last week shown first', async () => {
  const { config, running } = await talked();
  const page = await open(browser(), running, { hash: at(running, 'settings') });
  const dial = page.getByRole('region', { name: 'Attention of lead' });
  await dial.getByRole('button', { name: 'What would each have done last week?' }).click();
  await dial.getByText('left alone 6 × more').waitFor();
  await dial.getByText('quiet: 6 examples').click();
  await dial.getByText(WEIGHED_LINE).first().waitFor();
  expect(readFileSync(config, 'utf8')).toBe(WEIGHED_SETTINGS);
  await dial.getByRole('radio', { name: /^Quiet/ }).check();
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByText('Turns: 0 more, 6 fewer').waitFor();
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('Version 2').waitFor();
  expect(readFileSync(config, 'utf8')).toContain('attention: quiet');
});

/** Whether lead was woken by the newest weighed line of each room. */
async function woken(running: Listening): Promise<Record<string, boolean>> {
  const { body } = await running.call(
    'GET',
    '/v1/log?limit=200&type=message&last=true',
    running.tokens.operator,
  );
  const { log } = body as { log: LogEntry[] };
  return Object.fromEntries(
    log
      .toSorted((a, b) => a.at.localeCompare(b.at))
      .filter(({ text }) => text === WEIGHED_LINE)
      .map(({ conversation, decisions }) => [
        conversation.id,
        decisions.some(({ agent, decision }) => agent === 'lead' && decision === 'engage'),
      ]),
  );
}

it('an agent is made quieter in one conversation, with last week there shown first, and not elsewhere', async () => {
  const { config, running } = await talked();
  const page = await open(browser(), running, { hash: at(running, 'settings') });
  const rooms = page.getByRole('region', { name: 'Conversations where lead differs' });
  await rooms.getByRole('button', { name: 'Another dial in one conversation' }).click();
  await rooms.getByRole('combobox', { name: 'Another dial in' }).selectOption('#room-2');
  await rooms.getByRole('button', { name: 'Set it' }).click();
  const room = rooms.getByRole('listitem', { name: '#room-2' });
  await room.getByRole('button', { name: 'What would each have done last week here?' }).click();
  await room.getByText('left alone 1 × more').waitFor();
  await room.getByRole('radio', { name: /^Quiet/ }).check();
  await room.getByText('quiet not in force yet').waitFor();
  await room.getByRole('textbox', { name: 'Or a number from 0 to 100' }).fill('10');
  expect(readFileSync(config, 'utf8')).toBe(WEIGHED_SETTINGS);
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByText('Turns: 0 more, 1 fewer').waitFor();
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('Version 2').waitFor();
  await room.getByText('10 in the settings').waitFor();
  await weighedLines(running, 4);
  expect(await woken(running)).toMatchObject({ 'room-1': true, 'room-2': false, 'room-3': true });

  await room.getByRole('button', { name: 'Take back' }).click();
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('Version 3').waitFor();
  await rooms.getByText('it is the same everywhere').waitFor();
  expect(readFileSync(config, 'utf8')).not.toContain('room-2');
});

it('what somebody asked in the chat is shown with who asked, and taken back', async () => {
  const { running } = await talked();
  const author = { id: 'ann', kind: 'human', displayName: 'Ann' };
  const asked = { conversation: { id: 'room-1', kind: 'channel', title: 'builds' }, author };
  await running.post(message('@lead be quieter here', asked));
  const page = await open(browser(), running, { hash: at(running, 'settings') });
  const rooms = page.getByRole('region', { name: 'Conversations where lead differs' });
  const builds = rooms.getByRole('listitem').filter({ hasText: '#builds quiet asked in the chat by Ann' });
  await builds.getByRole('button', { name: 'Back to normal' }).click();
  await rooms.getByText('it is the same everywhere').waitFor();
});

it('Why says how likely the line was, why and why not, and takes the word of who runs it', async () => {
  const { running } = await talked();
  const page = await open(browser(), running, { hash: at(running, 'timeline') });
  await page.getByRole('row').filter({ hasText: WEIGHED_LINE }).first().locator('.chip').first().click();
  const steps = page.getByRole('region', { name: 'How it came about' });
  await steps.getByText(/with a probability of \d+ %/).waitFor();
  await steps.getByText(/^For it: [^;]+; [^;]+; [^;]+\.$/).waitFor();
  await steps.getByText(/^Against it: [^;]+; [^;]+; [^;]+\.$/).waitFor();
  await steps.getByText(/tipped it: but for “.+” it would (still )?have been \d+ %/).waitFor();
  const asked = page.getByRole('region', { name: 'Was that right?' });
  const told = page.getByRole('region', { name: 'Since then' });
  await asked.getByRole('button', { name: 'Should have stayed quiet' }).click();
  await told.getByText('said that lead should have stayed quiet, in Why.').waitFor();
  const { text } = await running.call('GET', '/v1/log?type=correction', running.tokens.operator);
  expect(text).toContain('should_have_stayed_quiet');
  await asked.getByRole('button', { name: 'Should have stayed quiet' }).click();
  await eventually(
    async () => (await running.call('GET', '/v1/log?type=correction', running.tokens.operator)).text,
  ).toContain('withdrawn');
});

it('is readable in every look', async () => {
  const { running } = await talked();
  const author = { id: 'ann', kind: 'human', displayName: 'Ann' };
  const asked = { conversation: { id: 'room-1', kind: 'channel', title: 'builds' }, author };
  await running.post(message('@lead be quieter here', asked));
  const seen: SeenKinds = new Map();
  for (const [scheme, size] of LOOKS) {
    const hash = at(running, 'settings');
    const page = await open(browser(), running, { hash, scheme, viewport: SIZES[size] });
    const dial = page.getByRole('region', { name: 'Attention of lead' });
    await dial.getByRole('button', { name: 'What would each have done last week?' }).click();
    await dial.getByText('quiet: 6 examples').click();
    await dial.getByRole('button', { name: 'Another dial in one conversation' }).click();
    await dial.getByRole('combobox', { name: 'Another dial in' }).selectOption('#room-3');
    await dial.getByRole('button', { name: 'Set it' }).click();
    const room = dial.getByRole('listitem', { name: '#room-3' });
    await room.getByRole('button', { name: 'What would each have done last week here?' }).click();
    await room.getByText('left alone 1 × more').waitFor();
    expect(await violations(page)).toEqual([]);
    await dial.scrollIntoViewIfNeeded();
    await shot(page, `settings-dial-${scheme}-${size}`);
    expect(await faint(page, scheme, seen)).toEqual([]);
    await room.getByRole('radio', { name: /^Quiet/ }).check();
    await room.scrollIntoViewIfNeeded();
    await shot(page, `settings-room-dial-${scheme}-${size}`);
  }
});
