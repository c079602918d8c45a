// The report of an import in a real browser: readable in both themes and on a phone, and nothing in it runs or loads.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { hostileExport } from '../import/hostile-export.ts';
import { newFolder, zipped } from '../import/made-export.ts';
import { makeSlackExport } from '../import/slack-workspace.ts';
import { earshot } from '../replay/fake-io.ts';
import { violations } from './axe.ts';
import { useBrowser } from './browser.ts';
import { shot } from './page.ts';

const browser = useBrowser();
const WIDTHS = [1_200, 390];

async function reportOn(export_: string, ...flags: string[]): Promise<string> {
  const report = join(newFolder(), 'report.html');
  const { code, err } = await earshot(['import', 'slack', export_, '--report', report, ...flags]);
  if (code !== 0) throw new Error(err);
  return pathToFileURL(report).href;
}

async function opened(url: string, options: BrowserContextOptions): Promise<Page> {
  const context = await browser().newContext(options);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

describe('the report', () => {
  let url = '';
  beforeAll(async () => {
    url = await reportOn(zipped(makeSlackExport(3, 2_000).files));
  });

  it.each(['light', 'dark'] as const)(
    'keeps nobody out, in the %s theme, wide and narrow',
    async (colorScheme) => {
      for (const width of WIDTHS) {
        const page = await opened(url, { colorScheme, viewport: { width, height: 900 } });
        const wide = await page.evaluate('document.documentElement.scrollWidth');
        expect(wide).toBeLessThanOrEqual(width);
        expect(await violations(page)).toEqual([]);
        await shot(page, `report-${colorScheme}-${width}`);
      }
    },
  );

  it('has for each agent ten examples of each side, each with its reason', async () => {
    const page = await opened(url, { viewport: { width: 1_200, height: 900 } });
    const agents = page.locator('section.agent');
    expect(await agents.count()).toBe(3);
    for (const side of ['woken', 'quiet']) {
      const blocks = agents.first().locator(`.card.${side} .example`);
      expect(await blocks.count()).toBe(10);
      expect(await blocks.locator(`.chip.${side}`).count()).toBe(10);
    }
    const why = agents.first().locator('.example details').first();
    await why.locator('summary').click();
    await why.getByText('What decided:').waitFor();
    await page.getByRole('link', { name: 'standup' }).click();
    expect(await page.evaluate('location.hash')).toMatch(/^#agent-\d$/);
  });

  it('has a bar for each day', async () => {
    const page = await opened(url, { viewport: { width: 1_200, height: 900 } });
    expect(await page.locator('svg.messages g').count()).toBe(31);
    expect(await page.locator('svg.turns rect.spent').count()).toBe(31);
  });
});

it('runs nothing and loads nothing that a hostile export brings', async () => {
  const url = await reportOn(zipped(hostileExport()), '--agent', 'UB');
  const context = await browser().newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('dialog', (dialog) => asked.push(dialog.message()));
  await page.goto(url);
  expect(asked).toEqual([url]);
  expect(await page.evaluate("'pwned' in globalThis")).toBe(false);
  expect(await page.locator('script, img, iframe, link, form').count()).toBe(0);
  expect(await page.locator('.example .said').first().textContent()).toContain('<script>');
});
