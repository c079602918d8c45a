// Judges what is on the screen in every look: axe finds nothing, every text has a contrast of 4.5 in every state of every
// control, icons and focus rings 3, nothing runs out of the page sideways, and no control is cut off at its edge. With
// EARSHOT_SCREENSHOTS it leaves a picture of each.
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { violations } from './axe.ts';
import { faint, inState, type SeenKinds } from './contrast.ts';
import { type Look, LOOKS, shot, SHOTS_KEPT, SIZES } from './page.ts';
import type { Stop } from './tour.ts';
import type { Listening } from '../server/up.ts';

/** Goes there and judges it. Leaves the page wide and light. */
export async function visitStop(page: Page, host: Listening, stop: Stop, seen: SeenKinds): Promise<void> {
  const { name, go, leave, each = false } = stop;
  for (const [index, look] of LOOKS.entries()) {
    await wear(page, look);
    if (each || index === 0) await go(page, host);
    await judgeLook(page, name, look, seen);
    if (each && index < LOOKS.length - 1) await leave?.(page);
  }
  // A dialog that was opened on a phone stands in a list that a wide page shows too.
  await wear(page, ['light', 'wide']);
  await picturesOfStates(page, name);
  await leave?.(page);
}

/** The same for what is on the screen already. */
export function judge(page: Page, host: Listening, name: string, seen: SeenKinds): Promise<void> {
  return visitStop(page, host, { name, go: () => Promise.resolve() }, seen);
}

async function wear(page: Page, [scheme, size]: Look): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  await page.setViewportSize(SIZES[size]);
}

async function judgeLook(page: Page, name: string, [scheme, size]: Look, seen: SeenKinds): Promise<void> {
  // A page that has just got another size draws its lists anew. What is still wrong after that is reported below. It is
  // asked from here: a page that polls for itself evaluates a string, which its content security policy refuses.
  const cut = (): Promise<unknown> => page.evaluate(`${CUT}.length`);
  await expect
    .poll(cut, { timeout: DRAWN_MS, interval: 50 })
    .toBe(0)
    .catch(() => undefined);
  await shot(page, `${name}-${scheme}-${size}`);
  const clean = { name, scheme, size, wide: 0, cut: [], found: [], faults: [] };
  const known = [...seen].map(([theme, kinds]): [string, Set<string>] => [theme, new Set(kinds)]);
  let problems = await problemsOf(page, scheme, seen);
  // On a busy machine a transition may still be under way. A page that is at rest is judged once more, as if for the first time.
  if (!isDeepStrictEqual({ name, scheme, size, ...problems }, clean)) {
    seen.clear();
    for (const [theme, kinds] of known) seen.set(theme, kinds);
    await page.waitForTimeout(REST_MS);
    problems = await problemsOf(page, scheme, seen);
  }
  expect.soft({ name, scheme, size, ...problems }).toEqual(clean);
}

async function problemsOf(page: Page, scheme: Look[0], seen: SeenKinds) {
  const wide = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  const cut = await page.evaluate(CUT);
  const found = await violations(page);
  return { wide, cut, found, faults: await faint(page, scheme, seen) };
}

const REST_MS = 1_000;
const DRAWN_MS = 5_000;

/** Controls that reach beyond the edge of the page, where nothing can be scrolled to them. */
const CUT = `[...document.querySelectorAll('button, input, select, textarea, a[href]')].flatMap((one) => {
  const { left, right, width } = one.getBoundingClientRect();
  if (width < 2 || (right <= innerWidth + 1 && left >= -1)) return [];
  for (let up = one.parentElement; up !== null; up = up.parentElement)
    if (/auto|scroll/.test(getComputedStyle(up).overflowX) && up.scrollWidth > up.clientWidth) return [];
  return [one.outerHTML.slice(0, 120)];
})`;

async function picturesOfStates(page: Page, name: string): Promise<void> {
  if (!SHOTS_KEPT) return;
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const state of ['hover', 'focus'] as const)
      await inState(page, state, () => shot(page, `${name}-${scheme}-${state}`));
  }
  await page.emulateMedia({ colorScheme: 'light' });
}
