// The console in a browser, over a real host process on a temporary folder. The page is built once; whatever it logs
// as an error, asks of anybody but its host, or is refused by the content security policy fails the test.
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { Up } from '../server/up.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..');
/** A run's own folder goes with it: EARSHOT_SCREENSHOTS=1 keeps them. */
const KEPT = process.env['EARSHOT_SCREENSHOTS'] !== undefined;
const SHOTS = KEPT ? join(ROOT, '.screenshots') : join(tmpdir(), 'earshot-screenshots');
const ACTION_MS = 45_000;

export const WIDE = { width: 1_280, height: 800 };
export const PHONE = { width: 390, height: 844 };

/** For beforeAll. Quick when somebody has built it already. */
export async function buildPage(): Promise<void> {
  await run(process.execPath, [join(ROOT, 'scripts', 'build-page.js'), '--strict'], { cwd: ROOT });
}

export interface OpenOptions {
  /** Without it: signed in as the operator, at the home view. */
  hash?: string;
  viewport?: { width: number; height: number };
  scheme?: 'light' | 'dark';
  /** Errors that this test brings about itself. */
  expected?: RegExp;
}

export async function open(browser: Browser, host: Up, options: OpenOptions = {}): Promise<Page> {
  const { viewport = WIDE, scheme = 'light', expected } = options;
  const looks = { viewport, colorScheme: scheme, reducedMotion: 'reduce' as const };
  const context = await browser.newContext({ ...looks, locale: 'en-US', timezoneId: 'UTC' });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(ACTION_MS);
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on('pageerror', (error) => wrong.push(String(error)));
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
export function at(host: Up, view: string): string {
  return `#/${view}${view.includes('?') ? '&' : '?'}operator=${host.tokens.operator}`;
}

/** What a page comes to show, in its own time. */
export function eventually<T>(ask: () => Promise<T>) {
  return expect.poll(ask, { timeout: ACTION_MS, interval: 100 });
}

/** For a person to look at. */
export async function shot(page: Page, name: string): Promise<void> {
  mkdirSync(SHOTS, { recursive: true });
  const path = join(SHOTS, `${name}.png`);
  await page.screenshot({ path });
  if (KEPT) console.log(`screenshot: ${path}`);
}
