// The guided demo, all six steps, against the agents of a real `earshot up`: what a newcomer sees on the screen.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { GUIDE } from '../../src/demo/guide.ts';
import { upHere } from '../server/here.ts';
import { type Listening, until } from '../server/up.ts';
import { useBrowser } from './browser.ts';
import { field, messages, say } from './chat-people.ts';
import { eventually, open, PHONE, shot } from './page.ts';

const browser = useBrowser();

/** The slowest step waits out ten compose windows. */
const STEP_MS = 120_000;

/** As the banner's link signs in. */
async function start(host: Listening, viewport?: { width: number; height: number }): Promise<Page> {
  const { people, operator } = host.tokens as Listening['tokens'] & { people: Record<string, string> };
  const hash = `#person=${people['you'] ?? ''}&operator=${operator}`;
  const page = await open(browser(), host, viewport === undefined ? { hash } : { hash, viewport });
  await page.getByRole('complementary', { name: 'Guide' }).waitFor();
  return page;
}

function card(page: Page) {
  return page.getByRole('complementary', { name: 'Guide' });
}

/** Everything the step tells of has happened. */
async function done(page: Page): Promise<void> {
  await card(page)
    .getByRole('button', { name: /^(?:Next|That was all)$/ })
    .waitFor({ timeout: STEP_MS });
  expect(await card(page).getByText(': not yet').count()).toBe(0);
}

/** What the card quotes of the screen, such as “2 stay quiet”, is there: somebody who looks for it finds it. */
async function quotesAreVisible(page: Page, index: number): Promise<void> {
  const { what = '', watch = '' } = GUIDE[index] ?? {};
  for (const [, quote = ''] of `${what} ${watch}`.matchAll(/“([^”]+)”/g)) {
    await page.locator('.room .messages').getByText(quote, { exact: true }).last().waitFor();
  }
}

/** Who said what below the newest message of mine with these words. */
async function saidAfter(page: Page, text: string): Promise<string[]> {
  const all = await page
    .locator('.room .message')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label') ?? ''));
  return all.slice(all.findLastIndex((label) => label.endsWith(`: ${text}`)) + 1);
}

async function turnsOf(host: Listening, agent: string): Promise<number> {
  const { body } = await host.call(
    'GET',
    `/v1/log?type=turn&author=${agent}&limit=200`,
    host.tokens.operator,
  );
  const { log } = body as { log: { phase?: string; agent?: string; author: { id: string } }[] };
  return log.filter((row) => row.phase === 'started' && (row.agent ?? row.author.id) === agent).length;
}

it(
  'plays all six steps and recognises each by what happens',
  async () => {
    const host = await upHere({ demo: true });
    const page = await start(host);
    const [mention, fragments, thanks, role, , leave] = GUIDE.map((step) => step.say);

    // 1. Typed by hand.
    await field(page).fill(mention?.[0] ?? '');
    await field(page).press('Enter');
    await done(page);
    await eventually(() => saidAfter(page, mention?.[0] ?? '')).toEqual([expect.stringMatching(/^Lead: /)]);
    await messages(page, mention?.[0] ?? '')
      .getByText('answered by Lead')
      .waitFor();
    await quotesAreVisible(page, 0);
    await shot(page, 'demo-1-mention');

    // 2. Three lines, one turn.
    await card(page).getByRole('button', { name: 'Next' }).click();
    const before = await turnsOf(host, 'lead');
    await card(page).getByRole('button', { name: 'Send all 3 for me' }).click();
    await done(page);
    await eventually(() => saidAfter(page, fragments?.at(-1) ?? '')).toEqual([
      expect.stringMatching(/^Lead: .*three/i),
    ]);
    expect(await turnsOf(host, 'lead')).toBe(before + 1);
    await quotesAreVisible(page, 1);
    await shot(page, 'demo-2-fragments');

    // 3. A sign and no answer.
    await card(page).getByRole('button', { name: 'Next' }).click();
    await card(page).getByRole('button', { name: 'Put it in the field' }).click();
    await eventually(() => field(page).inputValue()).toBe(thanks?.[0]);
    await field(page).press('Enter');
    await done(page);
    await messages(page, thanks?.[0] ?? '')
      .getByRole('button', { name: /^seen Lead/ })
      .waitFor();
    expect(await saidAfter(page, thanks?.[0] ?? '')).toEqual([]);
    expect(await turnsOf(host, 'lead')).toBe(before + 1);
    await quotesAreVisible(page, 2);
    await messages(page, thanks?.[0] ?? '')
      .locator('.chip')
      .click();
    await page.getByRole('region', { name: 'Turns' }).getByText('no model has run for it').waitFor();
    await page.keyboard.press('Escape');
    await shot(page, 'demo-3-thanks');

    // 4. One of two claims and answers.
    await card(page).getByRole('button', { name: 'Next' }).click();
    await card(page).getByRole('button', { name: 'Send it for me' }).click();
    await done(page);
    await eventually(() => saidAfter(page, role?.[0] ?? '')).toEqual([
      expect.stringMatching(/^(?:Builder|Reviewer): /),
    ]);
    await quotesAreVisible(page, 3);
    await shot(page, 'demo-4-role');

    // 5. A loop is stopped, and the room is told once who can release it.
    await card(page).getByRole('button', { name: 'Next' }).click();
    await card(page).getByRole('button', { name: 'Send it for me' }).click();
    await done(page);
    const told = page.locator('.room .message').filter({ hasText: 'Mention one of them to let them go on' });
    await eventually(() => told.count()).toBe(1);
    await quotesAreVisible(page, 4);
    await shot(page, 'demo-5-loop');
    const argued = (await turnsOf(host, 'builder')) + (await turnsOf(host, 'reviewer'));

    // 6. Sent away, silent, back.
    await card(page).getByRole('button', { name: 'Next' }).click();
    await card(page).getByRole('button', { name: 'Send all 3 for me' }).click();
    await done(page);
    await eventually(() => saidAfter(page, leave?.at(-1) ?? '')).toEqual([expect.stringMatching(/^Lead: /)]);
    await quotesAreVisible(page, 5);
    await shot(page, 'demo-6-leave');
    expect((await turnsOf(host, 'builder')) + (await turnsOf(host, 'reviewer'))).toBe(argued);

    // Closed and opened again, here and after a reload.
    await card(page).getByRole('button', { name: 'That was all' }).click();
    await eventually(() => card(page).count()).toBe(0);
    await page.reload();
    await page.getByRole('button', { name: 'Guide' }).click();
    await eventually(() =>
      card(page)
        .getByRole('button', { name: /, done$/ })
        .count(),
    ).toBe(6);
  },
  5 * STEP_MS,
);

it('can be skipped, gone back in and closed, and does not take clicking for doing', async () => {
  const host = await upHere({ demo: true });
  const page = await start(host, PHONE);
  await shot(page, 'demo-phone');
  await card(page).getByRole('button', { name: 'Skip' }).click();
  await card(page).getByRole('heading', { name: '2 of 6' }).waitFor();
  await card(page).getByRole('button', { name: 'Step 1: Mention one agent' }).click();
  await card(page).getByRole('heading', { name: '1 of 6' }).waitFor();
  expect(
    await card(page)
      .getByRole('button', { name: /, done$/ })
      .count(),
  ).toBe(0);
  await card(page).getByRole('button', { name: 'Close the guide' }).click();
  await until(async () => (await card(page).count()) === 0);
});

it('shows what an agent does with a message: it works on it, puts it off, answers', async () => {
  const host = await upHere({ demo: true });
  const page = await start(host);
  await card(page).getByRole('button', { name: 'Close the guide' }).click();
  await say(page, '@builder build it');
  const asked = messages(page, '@builder build it');
  await asked.getByText('Builder is working on it').waitFor();
  await shot(page, 'chat-working');
  await asked.getByText('answered by Builder').waitFor();
  await messages(page, 'Built, in 5 steps.').waitFor();
  await say(page, '@builder remind me in 4 s');
  const put = messages(page, '@builder remind me in 4 s');
  await put.getByText('put off by Builder').waitFor();
  await shot(page, 'chat-deferred');
  await messages(page, 'This is your reminder').waitFor();
});
