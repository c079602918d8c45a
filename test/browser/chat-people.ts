// People at the chat, each in a browser of their own, and what every test of the chat does there.
import type { Browser, Locator, Page } from 'playwright-core';
import { personToken } from '../console/person.ts';
import type { Listening } from '../server/up.ts';
import { open, type OpenOptions } from './page.ts';

export interface Visit extends OpenOptions {
  /** With the operator's token too: the timeline beside the chat, chips under messages. */
  operator?: boolean;
  /** What the address holds besides: `&room=…`. */
  at?: string;
}

export async function visit(
  browser: Browser,
  host: Listening,
  name: string,
  options: Visit = {},
): Promise<Page> {
  const { operator = false, at = '', ...rest } = options;
  const token = await personToken(host, name.toLowerCase(), name);
  const also = operator ? `&operator=${host.tokens.operator}` : '';
  const page = await open(browser, host, { ...rest, hash: `#/chat?person=${token}${also}${at}` });
  await field(page).waitFor();
  return page;
}

export function field(page: Page, name: RegExp | string = /^Write to/): Locator {
  return page.getByRole('textbox', { name });
}

export async function say(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press('Enter');
}

/** Messages of the open conversation with these words, sent or on their way. */
export function messages(page: Page, text: string | RegExp): Locator {
  return page.locator('.room .message').filter({ has: page.locator('.message-text', { hasText: text }) });
}

export async function closeGuide(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Close the guide' }).click();
}
