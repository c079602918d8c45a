// Two hundred hostile texts in the real page: nothing runs, nothing is loaded, no element and no attribute exists that is
// not on the list, and the work is bounded however a text is made. `open` fails the test for whatever the content
// security policy refuses and for every request to anybody but the host.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { ELEMENTS_MAX, HIGHLIGHT_CHARS } from '../../src/console/chat/markdown/limits.ts';
import { upHere } from '../server/here.ts';
import { folder } from '../server/up.ts';
import { useBrowser } from './browser.ts';
import { visit } from './chat-people.ts';
import { HOSTILE } from './hostile.ts';
import { eventually } from './page.ts';
import { seedWebChannel } from './seed.ts';

const browser = useBrowser();

/** Everything that may exist below the text of a message. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  div: ['class', 'dir', 'role', 'aria-label', 'tabindex', 'data-cut'],
  p: ['class', 'dir', 'data-level'],
  span: ['class', 'title', 'data-code', 'data-kind', 'data-mine', 'role', 'aria-label'],
  bdi: [],
  a: ['href', 'title', 'target', 'rel', 'tabindex'],
  em: [],
  strong: [],
  s: [],
  code: [],
  pre: ['tabindex'],
  blockquote: [],
  ul: [],
  ol: ['start'],
  li: ['class', 'dir'],
  hr: [],
  table: [],
  thead: [],
  tbody: [],
  tr: [],
  th: ['dir', 'data-align'],
  td: ['dir', 'data-align'],
  button: ['type', 'class', 'tabindex', 'aria-label', 'aria-expanded'],
};

interface Seen {
  event: string;
  elements: number;
  depth: number;
  wrong: string[];
}

/** Opens the long texts on the screen, then says what is below each text. */
async function look(page: Page): Promise<Seen[]> {
  return page.locator('.messages-scroll').evaluate(async (scroller, allowed) => {
    for (const button of scroller.querySelectorAll('.show-more[aria-expanded="false"]'))
      (button as unknown as { click(): void }).click();
    const view = scroller.ownerDocument.defaultView;
    for (let frames = 0; frames < 2; frames++)
      await new Promise((resolve) => void view?.requestAnimationFrame(resolve));
    return [...scroller.querySelectorAll('[data-event]')].map((message) => {
      const wrong: string[] = [];
      const all = [...message.querySelectorAll('.message-text *')];
      let depth = 0;
      for (const element of all) {
        const tag = element.localName;
        if (!Object.hasOwn(allowed, tag)) wrong.push(tag);
        for (const { name, value } of element.attributes) {
          if (allowed[tag]?.includes(name) !== true) wrong.push(`${tag} ${name}`);
          if (name === 'href' && !/^(?:https?:\/\/|mailto:)/i.test(value)) wrong.push(value);
        }
        if (tag === 'a' && element.getAttribute('rel') !== 'noopener noreferrer nofollow')
          wrong.push('a without rel');
        let up = 0;
        for (let at = element; at !== message && at.parentElement !== null; at = at.parentElement) up++;
        depth = Math.max(depth, up);
      }
      return { event: message.getAttribute('data-event') ?? '', elements: all.length, depth, wrong };
    });
  }, ALLOWED);
}

/** How often the list is walked from its end to its beginning until every message was seen. */
const WAYS_UP = 4;

it('renders two hundred hostile texts inert, with bounded work', async () => {
  expect(HOSTILE.length).toBeGreaterThanOrEqual(200);
  const data = folder();
  await seedWebChannel(data, 'general', HOSTILE.length, (index) => HOSTILE[index] ?? '');
  const host = await upHere({ data });
  const page = await visit(browser(), host, 'Ada');
  const ran: string[] = [];
  await page.exposeFunction('pwned', () => ran.push('pwned'));
  page.on('dialog', (dialog) => void ran.push(dialog.message()));
  await page.locator('[data-event]').first().waitFor();
  // The parser and the colours are loaded with the first text that needs them.
  await page.locator('.md table, .md-code, .md ul').first().waitFor();

  const seen = new Map<string, Seen>();
  const lookAround = async () => {
    for (const one of await look(page)) {
      const before = seen.get(one.event);
      if (before === undefined || before.elements < one.elements) seen.set(one.event, one);
    }
  };
  const scroller = page.locator('.messages-scroll');
  // Rows that are measured while the list moves push others past the edge, so a second way up may find what one missed.
  for (let way = 0; way < WAYS_UP && seen.size < HOSTILE.length; way++) {
    await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    for (let step = 0; step < 400 && !(await atTop(page)); step++) {
      await lookAround();
      // The oldest row that exists comes to the upper edge, however high those below it are.
      await scroller.evaluate((element) => {
        const { top = 0 } = element.querySelector('.messages-row')?.getBoundingClientRect() ?? {};
        element.scrollBy(0, top - element.getBoundingClientRect().top - 200);
      });
    }
    await lookAround();
  }

  expect(seen.size).toBe(HOSTILE.length);
  const wrong = [...seen.values()].filter((one) => one.wrong.length > 0);
  expect(wrong).toEqual([]);
  // A block of code adds a span for each colour, and the frame of a message a few elements.
  const most = Math.max(...[...seen.values()].map(({ elements }) => elements));
  expect(most).toBeLessThanOrEqual(ELEMENTS_MAX + HIGHLIGHT_CHARS);
  expect(Math.max(...[...seen.values()].map(({ depth }) => depth))).toBeLessThan(80);
  expect(ran).toEqual([]);
  console.log(`the most elements of one of ${seen.size} messages: ${most}`);
  // The page still answers: a message goes out and is shown.
  await page.getByRole('textbox', { name: /^Write to/ }).fill('still here');
  await page.keyboard.press('Enter');
  await eventually(() => page.locator('.message-text', { hasText: 'still here' }).count()).toBeGreaterThan(0);
});

function atTop(page: Page): Promise<boolean> {
  return page
    .locator('.messages-scroll')
    .evaluate(
      (scroller) =>
        scroller.scrollTop === 0 &&
        scroller.querySelector('.messages-top')?.textContent === 'This is where it begins.',
    );
}
