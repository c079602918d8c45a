// A long room full of code and tables scrolls as a room of plain lines does, on the same machine in the same run: the
// frames of both are printed and compared with each other, never with a clock. A long run holds 10,000 messages.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { cases } from '../long.ts';
import { upHere } from '../server/here.ts';
import { folder } from '../server/up.ts';
import { useBrowser } from './browser.ts';
import { visit } from './chat-people.ts';
import { seedWebChannel } from './seed.ts';

const browser = useBrowser();
const COUNT = cases(600, 10_000);
const FRAMES = 240;
/** Only ends what hangs. */
const LOADED_MS = 250_000;

function richText(index: number): string {
  const kinds = [
    `Message ${index} with **bold** words, \`code\` and https://example.org/${index}`,
    `\`\`\`ts\nexport function number${index}(a: string, b = ${index}): string {\n  const all = [a, \`x\${b}\`];\n  // the answer\n  return all.join(', ');\n}\n\`\`\``,
    `| n | name | state |\n|--:|:-----|:------|\n| ${index} | first | done |\n| ${index + 1} | second | **open** |`,
    `- one\n- two with \`code ${index}\`\n  - deeper\n\n> and a quotation`,
    `plain line ${index}`,
  ];
  return kinds[index % kinds.length] ?? '';
}

interface Scrolled {
  median: number;
  p95: number;
  longest: number;
  rows: number;
}

/** Loads the whole room, then scrolls down through its middle with a steady hand, 60 px a frame. */
async function scrolled(text: (index: number) => string): Promise<Scrolled> {
  const data = folder();
  await seedWebChannel(data, 'general', COUNT, text);
  const host = await upHere({ data });
  const page = await visit(browser(), host, 'Ada');
  await page.locator('[data-event]').first().waitFor();
  await loadAll(page);
  const frames = await steady(page);
  const sorted = frames.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  const rows = await page.locator('.messages-row').count();
  await page.context().close();
  await host.stop();
  return { median: at(0.5), p95: at(0.95), longest: at(1), rows };
}

/** A page of messages after the other. A long room takes hundreds of them. */
async function loadAll(page: Page): Promise<void> {
  const begins = page.getByText('This is where it begins.');
  const load = async (): Promise<number> => {
    await page.locator('.messages-scroll').evaluate((scroller) => scroller.scrollTo(0, 0));
    return begins.count();
  };
  await expect.poll(load, { timeout: LOADED_MS, interval: 50 }).toBe(1);
}

function steady(page: Page): Promise<number[]> {
  return page.locator('.messages-scroll').evaluate(
    (scroller, count) =>
      new Promise<number[]>((resolve) => {
        const view = scroller.ownerDocument.defaultView;
        scroller.scrollTo(0, scroller.scrollHeight / 2);
        const times: number[] = [];
        let last = performance.now();
        const frame = (now: number): void => {
          times.push(now - last);
          last = now;
          scroller.scrollBy(0, 60);
          if (times.length < count) view?.requestAnimationFrame(frame);
          else resolve(times);
        };
        view?.requestAnimationFrame(frame);
      }),
    FRAMES,
  );
}

const words = ({ median, p95, longest }: Scrolled): string =>
  `median ${median.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, longest ${longest.toFixed(1)} ms`;

it('scrolls code and tables as it scrolls plain lines', async () => {
  const plain = await scrolled((index) => `plain line ${index}`);
  const rich = await scrolled(richText);
  console.log(`frames in ${COUNT} plain messages: ${words(plain)}`);
  console.log(`frames in ${COUNT} messages with code and tables: ${words(rich)}`);
  expect(rich.rows).toBeLessThan(60);
  expect(rich.median).toBeLessThan(plain.median * 1.5);
}, 600_000);
