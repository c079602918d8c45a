// A real browser: Chromium, headless, one a test file, without a network beyond loopback.
import { mkdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
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
    browser = await launcher.launch({ executablePath: await unpacked(), args: ARGS });
  }, LAUNCH_MS);
  afterAll(() => browser?.close());
  return () => {
    if (browser === undefined) throw new Error('the browser is there once the first test runs');
    return browser;
  };
}

const LOOK_AGAIN_MS = 100;

/**
 * It is unpacked into the temporary folder on first use. Test files run side by side, and the package takes a file that
 * is there for a whole one: one of them unpacks, the others wait for it.
 */
async function unpacked(): Promise<string> {
  const lock = join(tmpdir(), 'earshot-chromium.lock');
  while (!takes(lock)) await rest(LOOK_AGAIN_MS);
  try {
    return await chromium.executablePath();
  } finally {
    rmdirSync(lock);
  }
}

function takes(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
