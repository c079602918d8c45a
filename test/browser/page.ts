// The console in a browser, over a real host on a temporary folder. Whatever the page logs as an error, asks of anybody
// but its host, or is refused by the content security policy fails the test.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { LONG } from '../long.ts';
import type { Listening } from '../server/up.ts';

const ROOT = join(import.meta.dirname, '..', '..');
export const SHOTS_KEPT = process.env['EARSHOT_SCREENSHOTS'] !== undefined;
const SHOTS = join(ROOT, '.screenshots');
const ACTION_MS = 45_000;

export const WIDE = { width: 1_280, height: 800 };
export const PHONE = { width: 390, height: 844 };
export const SIZES = { wide: WIDE, phone: PHONE } as const;

export type Look = readonly [scheme: 'light' | 'dark', size: keyof typeof SIZES];
const OTHER_LOOKS: readonly Look[] = [
  ['light', 'phone'],
  ['dark', 'wide'],
];
/** Each theme and each width in the gate, every pair of them in a long run. */
export const LOOKS: readonly Look[] = [
  ['light', 'wide'],
  ['dark', 'phone'],
  ...(LONG || SHOTS_KEPT ? OTHER_LOOKS : []),
];

export interface OpenOptions {
  /** Without it: signed in as the operator, at the home view. */
  hash?: string;
  viewport?: { width: number; height: number };
  scheme?: 'light' | 'dark';
  /** Errors that this test brings about itself. */
  expected?: RegExp;
}

export async function open(browser: Browser, host: Listening, options: OpenOptions = {}): Promise<Page> {
  const { viewport = WIDE, scheme = 'light', expected } = options;
  const looks = { viewport, colorScheme: scheme, reducedMotion: 'reduce' as const };
  const context = await browser.newContext({ ...looks, locale: 'en-US', timezoneId: 'UTC' });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(ACTION_MS);
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on('pageerror', (error) => {
    if (expected?.test(String(error)) !== true) wrong.push(String(error));
  });
  page.on('console', (message) => {
    if (message.type() === 'error' && expected?.test(message.text()) !== true) wrong.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(host.url) && !request.url().startsWith('blob:'))
      wrong.push(`asked ${request.url()}`);
  });
  onTestFinished(() => expect(wrong).toEqual([]));
  await page.goto(`${host.url}/${options.hash ?? `#/timeline?operator=${host.tokens.operator}`}`);
  return page;
}

/** Signed in, at this view. */
export function at(host: Listening, view: string): string {
  return `#/${view}${view.includes('?') ? '&' : '?'}operator=${host.tokens.operator}`;
}

/** What a page comes to show, in its own time. */
export function eventually<T>(ask: () => Promise<T>) {
  return expect.poll(ask, { timeout: ACTION_MS, interval: 100 });
}

/** For a person to look at: only taken when somebody has asked for them. */
export async function shot(page: Page, name: string): Promise<void> {
  if (!SHOTS_KEPT) return;
  mkdirSync(SHOTS, { recursive: true });
  const path = join(SHOTS, `${name}.png`);
  await page.screenshot({ path });
  console.log(`screenshot: ${path}`);
}
