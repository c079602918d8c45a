// A real browser for a test file: a connection to the one browser of the run.
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, inject } from 'vitest';

/** Call it at the top of a test file; the browser is there once the first test runs. */
export function useBrowser(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await chromium.connect(inject('browser'));
  });
  afterAll(() => browser?.close());
  return () => {
    if (browser === undefined) throw new Error('the browser is there once the first test runs');
    return browser;
  };
}
