// Every view of the page in the states in which people meet it, one after the other, in one browser.
import type { Page } from 'playwright-core';
import type { Listening } from '../server/up.ts';
import { field, messages, say } from './chat-people.ts';

export interface Stop {
  name: string;
  go: (page: Page, host: Listening) => Promise<unknown>;
  /** Puts away what this stop opened. */
  leave?: (page: Page) => Promise<unknown>;
  /** It is opened anew in every look, because a change of the width closes it. */
  each?: true;
}

const ASKED = '@lead is the deploy blocked?';

function view(name: string, hash: string, sign: string): Stop {
  return {
    name,
    async go(page, host) {
      await page.goto(`${host.url}/#/${hash}`);
      await page.locator(sign).first().waitFor();
    },
  };
}

/** At any width: the list stays open over a change of it. */
export function hideList(page: Page): Promise<void> {
  return page.locator('nav.side').dispatchEvent('keydown', { key: 'Escape', bubbles: true });
}

export async function sent(page: Page, text: string): Promise<void> {
  await say(page, text);
  await messages(page, text).and(page.locator('[data-event]')).waitFor();
}

export function closeDialog(page: Page): Promise<void> {
  return page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
}

/** On a phone the list is behind a button. */
export async function showList(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Conversations' });
  if ((await button.isVisible()) && (await button.getAttribute('aria-expanded')) === 'false')
    await button.click();
}

/** The chat comes first: what is said there fills the other views. */
export const STOPS: readonly Stop[] = [
  { name: 'chat-empty', go: (page) => page.getByText('#general is empty').waitFor() },
  {
    name: 'chat-nobody-asked',
    async go(page) {
      await sent(page, 'is anybody looking at the build?');
      await page.getByText('Nobody was asked').waitFor();
    },
  },
  {
    name: 'chat-room',
    async go(page) {
      await sent(page, ASKED);
      await messages(page, ASKED).getByText('answered by Lead').waitFor();
      await sent(page, '@reviewer can you look at https://example.org/pull/7?');
      await sent(page, '@builder please fail');
      await messages(page, '@builder please fail').locator('[data-state=retrying]').waitFor();
      await sent(page, '@builder build it');
      await sent(page, '@lead ship it, please');
      await messages(page, '@reviewer').getByText('Reviewer is offline').waitFor();
      await messages(page, '@lead ship it').getByText('Lead waits for a person’s yes').waitFor();
    },
  },
  {
    name: 'chat-palette',
    each: true,
    async go(page) {
      await messages(page, ASKED).hover();
      await messages(page, ASKED).getByRole('button', { name: 'Give a signal' }).click();
      await page.getByRole('menuitemcheckbox', { name: 'blocked' }).waitFor();
    },
    leave: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'chat-completion',
    async go(page) {
      await messages(page, ASKED).hover();
      await messages(page, ASKED).getByRole('button', { name: 'Reply' }).click();
      await field(page).pressSequentially('and @');
      await page.getByRole('listbox').waitFor();
    },
    async leave(page) {
      await field(page).press('Escape');
      await field(page).press('Escape');
      await field(page).fill('');
    },
  },
  {
    name: 'chat-thread',
    async go(page) {
      await messages(page, ASKED).hover();
      await messages(page, ASKED).getByRole('button', { name: 'Open a thread' }).click();
      await field(page, 'Write in the thread').fill('in the thread');
      await field(page, 'Write in the thread').press('Enter');
      await page.locator('.thread [data-event]').filter({ hasText: 'in the thread' }).waitFor();
    },
  },
  {
    name: 'chat-why',
    async go(page) {
      await messages(page, ASKED).locator('.chip').first().click();
      await page.locator('.headline').waitFor();
      await page.getByRole('region', { name: 'Turns' }).getByText('It answered.').waitFor();
    },
    leave: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'chat-delete',
    async go(page, host) {
      await page.goto(`${host.url}/#/chat`);
      await messages(page, ASKED).hover();
      await messages(page, ASKED).getByRole('button', { name: 'Delete' }).click();
    },
    leave: (page) => page.getByRole('button', { name: 'Keep' }).click(),
  },
  {
    name: 'chat-dm',
    async go(page) {
      await page
        .getByRole('button', { name: 'Guard' })
        .or(page.getByRole('button', { name: 'guard' }))
        .click();
      await page.locator('.room-head').getByText('Only the two of you').waitFor();
    },
  },
  {
    name: 'chat-identity',
    each: true,
    async go(page) {
      await showList(page);
      await page.getByRole('button', { name: /^Ada you/ }).click();
      await page.getByRole('dialog').waitFor();
    },
    async leave(page) {
      await closeDialog(page);
      await hideList(page);
    },
  },
  {
    name: 'chat-new-channel',
    each: true,
    async go(page) {
      await showList(page);
      await page.getByRole('button', { name: 'New channel' }).click();
      await page.getByRole('dialog').waitFor();
    },
    async leave(page) {
      await closeDialog(page);
      await hideList(page);
    },
  },
  view('timeline', 'timeline', '.entry .chip'),
  {
    name: 'timeline-unfolded',
    go: (page) => page.locator('.fold').last().click(),
  },
  view('timeline-period', 'timeline?from=2026-01-01T00:00:00.000Z', '.period'),
  view('timeline-nothing', 'timeline?text=nowhere+to+be+found', '.empty'),
  view('agents', 'agents', '.agent-detail .table'),
  view('agents-failing', 'agents?agent=builder', '.agent-detail'),
  view('turns', 'turns', '.plot canvas'),
  view('inbox', 'inbox', '.inbox-item'),
  view('inbox-seen', 'inbox?open=false', '.empty'),
  view('replay', 'replay', '.drop'),
  {
    name: 'replay-differences',
    async go(page) {
      await page.getByRole('tab', { name: 'A period of the log' }).click();
      await page.getByLabel('Change').selectOption('typeclaw');
      await page.getByRole('button', { name: 'Compare' }).click();
      await page.getByText(/\d+ of \d+ decisions differ|Nothing differs/).waitFor();
    },
  },
];
