// One browser for the whole run, started before the first test that needs one: Chromium, headless, without a network
// beyond loopback. Test files connect to it and open contexts of their own, which share nothing. The page that they
// look at is built meanwhile, once.
import chromium from '@sparticuz/chromium';
import { chromium as launcher } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { buildPage } from './build-page.ts';

/** What a container without a sandbox, a GPU or a display needs; nothing that changes how a page behaves. */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--font-render-hinting=none',
  '--no-first-run',
];

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser of this run takes connections. */
    browser: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = await chromium.executablePath();
  const [server] = await Promise.all([launcher.launchServer({ executablePath, args: ARGS }), buildPage()]);
  project.provide('browser', server.wsEndpoint());
  return () => server.close();
}
