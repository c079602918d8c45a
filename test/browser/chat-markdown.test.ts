// Markdown in messages: what people and agents write is shown as they mean it, mentions are marked outside code only,
// code can be copied, long messages are shown in part, and a text that grows keeps what it has drawn.
import { expect, it } from 'vitest';
import { upHere } from '../server/here.ts';
import { violations } from './axe.ts';
import { useBrowser } from './browser.ts';
import { field, messages, say, visit } from './chat-people.ts';
import { eventually, LOOKS, shot, SIZES } from './page.ts';

const browser = useBrowser();

const RICH = `## What changed
The retry now **waits** for the lease, see https://example.org/pr/42 and _do not_ merge ~~today~~.
A second line, @lead.

1. read the row under \`FOR UPDATE\`
2. compare \`epoch\`
   - an older one is refused
3. write

- [x] tests
- [ ] docs, @lead

> quoted words
> of somebody

| stage | before | after |
|:------|-------:|:-----:|
| parse | 12 ms | 4 ms |
| store | 30 ms | 29 ms |

\`\`\`ts
// @lead is only a comment here
export async function retry(row: Row, attempts = 3): Promise<void> {
  const epoch = await lease(row.key);
  if (epoch !== row.epoch) throw new Error(\`stale: \${row.key}\`);
}
\`\`\`
![a plan](https://example.org/plan.png)`;

it('shows Markdown as it is meant, with mentions marked outside code alone', async () => {
  const host = await upHere();
  for (const [index, [scheme, size]] of LOOKS.entries()) {
    const page = await visit(browser(), host, 'Ada', { scheme, viewport: SIZES[size] });
    if (index === 0) await say(page, RICH);
    const message = messages(page, 'What changed').and(page.locator('[data-event]'));
    await message.locator('.md-heading').waitFor();
    expect(await message.locator('.mention').allTextContents()).toEqual(['@lead', '@lead']);
    expect(await message.locator('ol > li').count()).toBe(3);
    expect(await message.locator('ol ul > li').count()).toBe(1);
    expect(await message.getByRole('img', { name: 'done' }).count()).toBe(1);
    expect(await message.locator('td').allTextContents()).toEqual([
      'parse',
      '12 ms',
      '4 ms',
      'store',
      '30 ms',
      '29 ms',
    ]);
    expect(await message.locator('.md :is(strong, em, s)').allTextContents()).toEqual([
      'waits',
      'do not',
      'today',
    ]);
    expect(await message.locator('a').evaluateAll((all) => all.map((a) => a.getAttribute('href')))).toEqual([
      'https://example.org/pr/42',
      'https://example.org/plan.png',
    ]);
    expect(await message.locator('img').count()).toBe(0);
    expect((await message.locator('p').nth(1).textContent())?.split('\n')).toHaveLength(2);
    await message.locator('pre [data-code="keyword"]').first().waitFor();
    await shot(page, `chat-markdown-${scheme}-${size}`);
    expect(await violations(page)).toEqual([]);
  }
});

it('copies code, and shows a long message in part until somebody asks for the rest', async () => {
  const host = await upHere();
  const page = await visit(browser(), host, 'Ada');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await say(page, 'Run this:\n```sh\nnpm test -- --long\n```');
  const logged = messages(page, 'Run this').and(page.locator('[data-event]'));
  await logged.getByRole('button', { name: 'Copy the code' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('npm test -- --long');

  const lines = Array.from({ length: 120 }, (_, n) => `line ${n} of a long report`);
  await say(page, lines.join('\n'));
  const long = messages(page, 'line 0 of a long').and(page.locator('[data-event]'));
  await long.getByRole('button', { name: /^Show more/ }).waitFor();
  expect(await long.locator('.message-text').textContent()).not.toContain('line 119');
  await shot(page, 'chat-long');
  await long.getByRole('button', { name: /^Show more/ }).click();
  await eventually(() => long.locator('.message-text').textContent()).toContain('line 119');
  await long.getByRole('button', { name: 'Show less' }).click();
  await eventually(() => long.locator('.message-text').textContent()).not.toContain('line 119');
  expect(await field(page).inputValue()).toBe('');
});
