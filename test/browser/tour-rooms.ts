// The second walk: what people do with rooms, people and files, each in the states in which it is met. It is an operator
// who looks, so that everything is there.
import type { Page } from 'playwright-core';
import { DRAWN, put } from './drawn.ts';
import { field, messages, say } from './chat-people.ts';
import { closeDialog, hideList, sent, showList, type Stop } from './tour.ts';

const RICH = '@lead show me the rich text';

function dialog(name: string, opener: string | RegExp, inDialog?: (page: Page) => Promise<unknown>): Stop {
  return {
    name,
    each: true,
    async go(page) {
      await showList(page);
      await page.getByRole('button', { name: opener }).click();
      await page.getByRole('dialog').waitFor();
      await inDialog?.(page);
    },
    async leave(page) {
      await closeDialog(page);
      await hideList(page);
    },
  };
}

async function search(page: Page, words: string, sign: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search messages' }).fill(words);
  await page.getByText(sign).first().waitFor();
}

const leaveSearch = (page: Page): Promise<unknown> => page.keyboard.press('Escape');

async function chooseFiles(page: Page): Promise<void> {
  const picture = Buffer.from(await page.evaluate<number[]>(DRAWN));
  await page.locator('.room .composer input[type=file]').setInputFiles([
    { name: 'plan.png', mimeType: 'image/png', buffer: picture },
    { name: 'a-rather-long-name-of-a-file-with-notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') },
    { name: 'huge.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(5 * 1_048_576) },
  ]);
  await page.getByText('huge.bin has 5 MiB').waitFor();
  await page.locator('.tray progress').first().waitFor({ state: 'detached' });
}

const SHORT = [['lighthouse', '2 found'] as const, ['nowhere at all', 'Nothing found'] as const];

export const ROOM_STOPS: readonly Stop[] = [
  dialog('room-settings-general', 'Settings of #general'),
  {
    name: 'room-made',
    async go(page) {
      await page.getByRole('button', { name: 'New channel' }).click();
      await page.getByLabel('Name').fill('releases of the lighthouse');
      await page.getByRole('button', { name: 'Create channel' }).click();
      await page.getByRole('heading', { name: '#releases of the lighthouse' }).waitFor();
    },
  },
  dialog('room-settings', /^Settings of #releases/, (page) =>
    page.getByLabel(/to delete it$/).fill('releases of the lighthouse'),
  ),
  dialog('room-rename-refused', /^Settings of #releases/, async (page) => {
    await page.getByLabel('Name of the channel').fill('General');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('alert').filter({ hasText: 'choose another name' }).waitFor();
  }),
  {
    name: 'room-archived',
    async go(page) {
      await say(page, 'the first release');
      await page.getByRole('button', { name: /^Settings of #releases/ }).click();
      await page.getByRole('button', { name: 'Archive it' }).click();
      await page.getByRole('button', { name: 'Bring it back' }).waitFor();
      await closeDialog(page);
      await page.getByText('This channel is archived').waitFor();
      await page.getByText('Archived (1)').click();
    },
  },
  dialog('room-archived-settings', /^Settings of #releases/),
  {
    name: 'room-nowhere',
    async go(page, host) {
      await page.goto(`${host.url}/#/chat?room=nowhere`);
      await page.getByRole('alert').filter({ hasText: 'no such conversation' }).waitFor();
    },
    leave: (page) => page.getByRole('button', { name: 'general' }).click(),
  },
  dialog('invite', 'Invite somebody'),
  dialog('invite-refused', 'Invite somebody', async (page) => {
    await page.getByLabel('Their name').fill('Lead');
    await page.getByRole('button', { name: 'Make a link' }).click();
    await page.getByRole('alert').filter({ hasText: 'An agent is called' }).waitFor();
  }),
  {
    name: 'invite-link',
    async go(page) {
      await page.getByRole('button', { name: 'Invite somebody' }).click();
      await page.getByLabel('Their name').fill('Grace');
      await page.getByRole('button', { name: 'Make a link' }).click();
      await page.getByLabel('A link for Grace').waitFor();
    },
    leave: closeDialog,
  },
  {
    name: 'files-tray',
    async go(page) {
      await sent(page, 'is the lighthouse open?');
      await sent(page, 'the lighthouse is open until six, and the ferry goes back at half past five');
      await chooseFiles(page);
    },
  },
  {
    name: 'files-sent',
    async go(page) {
      await field(page).fill('The plan, and notes');
      await field(page).press('Enter');
      await page.locator('[data-event] .picture img').waitFor();
    },
  },
  {
    name: 'files-large',
    go: (page) => page.getByRole('button', { name: 'Show plan.png' }).click(),
    leave: closeDialog,
  },
  {
    name: 'files-drop',
    async go(page) {
      await page.evaluate(put('over', [1], 'x.png'));
      await page.locator('[data-drop]').waitFor();
    },
    leave: (page) => page.evaluate(put('leave', [1], 'x.png')),
  },
  { name: 'search', each: true, go: (page) => search(page, '', 'In every channel'), leave: leaveSearch },
  ...SHORT.map(
    ([words, sign]): Stop => ({
      name: `search-${sign === 'Nothing found' ? 'nothing' : 'found'}`,
      each: true,
      go: (page) => search(page, words, sign),
      leave: leaveSearch,
    }),
  ),
  {
    name: 'chat-rich',
    async go(page) {
      // The answer is longer than the screen.
      await say(page, RICH);
      await messages(page, 'The state of things').waitFor();
    },
  },
  {
    name: 'chat-failed',
    async go(page) {
      await sent(page, '@builder give up');
      await messages(page, '@builder give up').locator('[data-state=failed]').waitFor();
    },
  },
  {
    name: 'chat-thread-empty',
    async go(page) {
      const message = messages(page, '@builder give up');
      await message.hover();
      await message.getByRole('button', { name: 'Open a thread' }).click();
      await field(page, 'Write in the thread').waitFor();
    },
    leave: (page) => page.getByRole('button', { name: 'Close the thread' }).click(),
  },
  {
    name: 'chat-edit',
    each: true,
    async go(page) {
      const message = messages(page, '@builder give up');
      await message.hover();
      await message.getByRole('button', { name: 'Edit' }).click();
    },
    async leave(page) {
      await field(page).press('Escape');
    },
  },
];

const settingsView = async (page: Page, tab: string): Promise<void> => {
  await page.getByRole('tab', { name: tab }).click();
};

export const SETTINGS_STOPS: readonly Stop[] = [
  {
    name: 'settings',
    async go(page, host) {
      await page.goto(`${host.url}/#/settings`);
      await page.getByRole('group', { name: 'lead' }).waitFor();
    },
  },
  {
    name: 'settings-checked',
    async go(page) {
      const builder = page.getByRole('group', { name: 'builder' });
      await builder.getByLabel('Answers to').fill('human:nobody');
      await page.getByRole('button', { name: 'Check' }).click();
      await page.getByText('decisions of the last week would differ').waitFor();
      for (const one of await page.locator('.card details').all()) await one.locator('summary').click();
    },
  },
  {
    name: 'settings-file',
    async go(page) {
      await settingsView(page, 'The file');
      await page.getByLabel('Settings file').fill('agents:\n  - id: lead\n    leed: lead\n');
      await page.getByRole('button', { name: 'Check' }).click();
      await page.getByText('did you mean').waitFor();
    },
  },
  {
    name: 'settings-versions',
    async go(page) {
      await settingsView(page, 'Versions');
      await page.getByText('Version 1').first().waitFor();
    },
  },
  {
    name: 'settings-add',
    async go(page) {
      await page.getByRole('button', { name: 'Add an agent' }).click();
      await page.getByLabel('Id', { exact: true }).fill('nova');
      await page.getByRole('button', { name: 'Check' }).click();
      await page.getByText('nova is added').waitFor();
    },
  },
  {
    name: 'settings-added',
    async go(page) {
      await page.getByRole('button', { name: 'Add nova' }).click();
      await page.getByRole('button', { name: 'Test it' }).click();
      await page.getByText('waiting for nova to connect').waitFor();
    },
    leave: closeDialog,
  },
];
