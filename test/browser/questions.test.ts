// An answer that waits for a person, decided under the line that says so: by an approver without other rights, and by an
// operator, whose choice goes through the inbox.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/agent/index.ts';
import { upHere } from '../server/here.ts';
import { folder, type Listening } from '../server/up.ts';
import { violations } from './axe.ts';
import { useBrowser } from './browser.ts';
import { messages, say, visit } from './chat-people.ts';
import { shot } from './page.ts';

const browser = useBrowser();

const WAITS = 'A person has to approve my answer before I can post it.';
const ANSWER = 'Yes: a refund of 5.';
const CONFIG = `agents: [{ id: lead, name: Lead }]
host:
  sensitive: [{ reason: money, words: [refund] }]
  approvers: [web/local/ada]
limits: { composeMs: 50 }
`;

async function shop(): Promise<Listening> {
  const data = folder();
  writeFileSync(join(data, 'earshot.yaml'), CONFIG);
  const host = await upHere({ data });
  const agent = connect({
    url: `${host.url.replace('http', 'ws')}/c2a`,
    token: host.tokens.agents['lead'] ?? '',
    compose: { quietMs: 50 },
  });
  agent.onTurn(() => Promise.resolve(ANSWER));
  onTestFinished(() => agent.close());
  return host;
}

const question = (page: Page) => messages(page, WAITS).first();
const press = (page: Page, name: string) => question(page).getByRole('button', { name }).click();

it('shows the waiting text to whoever may decide, is approved by a click, and says so to everybody', async () => {
  const host = await shop();
  const [ada, bob] = [await visit(browser(), host, 'Ada'), await visit(browser(), host, 'Bob')];
  await say(bob, '@lead can I have my money back?');
  await question(bob).waitFor();
  await press(bob, 'Approve');
  await question(bob)
    .getByText(/^You may not decide this/)
    .waitFor();
  await press(ada, 'Show it to me');
  await question(ada).getByText(ANSWER).waitFor();
  await shot(ada, 'question');
  expect(await violations(ada)).toEqual([]);
  await press(ada, 'Approve');
  for (const page of [ada, bob]) {
    await question(page).getByText('Approved by Ada.').waitFor();
    await messages(page, ANSWER).waitFor();
    expect(await question(page).getByRole('button', { name: 'Approve' }).count()).toBe(0);
  }
});

it('is declined by an operator in the chat, as in the inbox', async () => {
  const host = await shop();
  const operator = await visit(browser(), host, 'Bob', { operator: true });
  await say(operator, '@lead can I have my money back?');
  await press(operator, 'Show it to me');
  await question(operator).getByText(ANSWER).waitFor();
  await press(operator, 'Decline');
  await question(operator)
    .getByText(/^Declined by /)
    .waitFor();
  await shot(operator, 'question-declined');
  expect(await messages(operator, ANSWER).count()).toBe(0);
});
