// An answer that grows before a person's eyes: words appear while the harness still writes, one message is there at the
// end in the same place, and what somebody reads meanwhile does not move.
import type { Locator, Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { connect, type Turn } from '../../src/agent/index.ts';
import { upHere } from '../server/here.ts';
import type { Listening } from '../server/up.ts';
import { useBrowser } from './browser.ts';
import { messages, say, visit } from './chat-people.ts';
import { eventually, shot } from './page.ts';

const browser = useBrowser();

/** The next turn of the agent, and what ends it. */
function nextTurn(host: Listening, agent: string): Promise<{ turn: Turn; answer: (text?: string) => void }> {
  return new Promise((begun) => {
    const connection = connect({
      url: `${host.url.replace('http', 'ws')}/c2a`,
      token: host.tokens.agents[agent] ?? '',
      compose: { quietMs: 20 },
    });
    onTestFinished(() => connection.close());
    connection.onTurn((turn) => {
      const { promise, resolve } = Promise.withResolvers<string | undefined>();
      turn.signal.addEventListener('abort', () => resolve(undefined));
      begun({ turn, answer: resolve });
      return promise.then((text) => text ?? '');
    });
  });
}

const growing = (page: Page): Locator => page.locator('.room .message[data-growing]');
const scroller = (page: Page): Locator => page.locator('.room .messages-scroll');
const distance = (page: Page): Promise<number> =>
  scroller(page).evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);

const words = (from: number, count: number): string =>
  Array.from({ length: count }, (_, n) => `word${from + n} `).join('');

it('shows the words of 2,000 as they come, and one message at the end in the same place', async () => {
  const host = await upHere();
  const begun = nextTurn(host, 'lead');
  const ada = await visit(browser(), host, 'Ada');
  await say(ada, '@lead tell me everything');
  const { turn, answer } = await begun;
  const out = turn.stream();
  let said = '';
  const write = (count: number): void => {
    const more = words(said === '' ? 0 : said.split(' ').length - 1, count);
    said += more;
    out.write(more);
  };
  write(3);
  await growing(ada).filter({ hasText: 'word1' }).waitFor();
  await shot(ada, 'chat-growing');
  // The node of the row stays the same until its message has come, so nothing jumps.
  const node = await growing(ada).elementHandle();
  write(997);
  await growing(ada).filter({ hasText: 'word998' }).waitFor();
  expect(await messages(ada, 'word1').count()).toBe(1);
  await eventually(() => distance(ada)).toBeLessThan(48);
  expect((await ada.locator('[aria-live="polite"]').allTextContents()).join()).not.toContain('word1');

  // Somebody who comes in the middle sees what is there.
  const bob = await visit(browser(), host, 'Bob');
  await growing(bob).filter({ hasText: 'word998' }).waitFor();
  await eventually(() => distance(bob)).toBeLessThan(48);

  // Bob scrolls up to read its beginning. What he reads stays where it is, while Ada is taken along.
  await scroller(bob).evaluate((box) => box.scrollBy(0, -300));
  const top = async (): Promise<number> => (await messages(bob, 'word1').boundingBox())?.y ?? Number.NaN;
  const before = await top();
  write(1_000);
  await growing(bob).filter({ hasText: 'word1998' }).waitFor();
  await growing(ada).filter({ hasText: 'word1998' }).waitFor();
  expect(await top()).toBe(before);
  await eventually(() => distance(ada)).toBeLessThan(48);

  answer(`${said}The end.`);
  for (const page of [ada, bob]) {
    await messages(page, 'The end.').waitFor();
    expect(await growing(page).count()).toBe(0);
    expect(await messages(page, 'word1').count()).toBe(1);
  }
  expect(await node?.evaluate((row) => row.isConnected && !row.hasAttribute('data-growing'))).toBe(true);
  await eventually(() => distance(ada)).toBeLessThan(48);
  expect(await top()).toBe(before);
  // It is read out once, when it is whole.
  await eventually(async () =>
    (await ada.locator('[aria-live="polite"]').allTextContents()).join(),
  ).toContain('The end.');
  await ada.reload();
  // Read later, it is a long message like others: shown in part.
  await messages(ada, 'word1')
    .getByRole('button', { name: /^Show more/ })
    .click();
  await messages(ada, 'The end.').waitFor();
  expect(await messages(ada, 'word1').count()).toBe(1);
});

it('takes the words away when the question is edited', async () => {
  const host = await upHere();
  const begun = nextTurn(host, 'lead');
  const ada = await visit(browser(), host, 'Ada');
  await say(ada, '@lead tell me everything');
  const { turn } = await begun;
  turn.stream().write(words(0, 20));
  await growing(ada).filter({ hasText: 'word9' }).waitFor();
  await ada.getByRole('textbox', { name: /^Write to/ }).press('ArrowUp');
  await ada.getByRole('textbox', { name: /^Write to/ }).fill('@lead never mind, what time is it?');
  await ada.getByRole('textbox', { name: /^Write to/ }).press('Enter');
  await eventually(() => growing(ada).count()).toBe(0);
  expect(await messages(ada, 'word9').count()).toBe(0);
});
