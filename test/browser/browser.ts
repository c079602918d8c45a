// A real browser: Chromium, headless, one a test file, without a network beyond loopback.
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as launcher } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

const LAUNCH_MS = 60_000;
/** What a container without a sandbox, a GPU or a display needs; nothing that changes how a page behaves. */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--font-render-hinting=none',
  '--no-first-run',
];

/** Call it at the top of a test file; the browser is there once the first test runs. */
export function useBrowser(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launcher.launch({ executablePath: await chromium.executablePath(), args: ARGS });
  }, LAUNCH_MS);
  afterAll(() => browser?.close());
  return () => {
    if (browser === undefined) throw new Error('the browser is there once the first test runs');
    return browser;
  };
}
