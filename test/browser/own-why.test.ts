// A person without the operator's rights sees in one sentence why nobody answers, under their own message alone.
import { expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/agent/index.ts';
import { upHere } from '../server/here.ts';
import { useBrowser } from './browser.ts';
import { messages, say, visit } from './chat-people.ts';
import { eventually, shot } from './page.ts';

const browser = useBrowser();

it('says that nobody was asked, until somebody speaks', async () => {
  const host = await upHere();
  const [ada, bob] = [await visit(browser(), host, 'Ada'), await visit(browser(), host, 'Bob')];
  await say(ada, 'is it green?');
  const sentence = messages(ada, 'is it green?').getByText('Nobody was asked: use @ to choose who answers');
  await sentence.waitFor();
  await messages(bob, 'is it green?').waitFor();
  expect(await bob.locator('.own-why').count()).toBe(0);
  await say(bob, 'I think so');
  await messages(ada, 'I think so').waitFor();
  await eventually(() => sentence.count()).toBe(0);
});

it('says who is offline, since when somebody works, and nothing once there is an answer', async () => {
  const host = await upHere();
  const ada = await visit(browser(), host, 'Ada');
  await say(ada, '@lead is it green?');
  const asked = messages(ada, '@lead is it green?');
  await asked.getByText('Lead is offline and gets it when it is back').waitFor();
  const answer = Promise.withResolvers<string>();
  const agent = connect({
    url: `${host.url.replace('http', 'ws')}/c2a`,
    token: host.tokens.agents['lead'] ?? '',
    compose: { quietMs: 50 },
  });
  onTestFinished(() => agent.close());
  agent.onTurn(() => answer.promise);
  await eventually(() => asked.locator('.own-why').textContent()).toMatch(
    /Lead is working on it, [1-9]\d* s/,
  );
  await shot(ada, 'own-why-working');
  answer.resolve('It is.');
  await asked.getByText('answered by Lead').waitFor();
  await eventually(() => asked.locator('.own-why').count()).toBe(0);
});

it('what the host says about an agent does not look as if the agent had said it', async () => {
  const host = await upHere();
  const ada = await visit(browser(), host, 'Ada');
  const agent = connect({
    url: `${host.url.replace('http', 'ws')}/c2a`,
    token: host.tokens.agents['lead'] ?? '',
    compose: { quietMs: 50 },
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  onTestFinished(() => agent.close());
  agent.onTurn((turn) => {
    if (turn.text.includes('hello')) return 'Hello.';
    throw new Error('Not logged in');
  });
  await say(ada, '@lead hello');
  const said = messages(ada, /^Hello\.$/);
  await said.locator('.face').waitFor();
  await say(ada, '@lead is it green?');
  const notice = messages(ada, 'Lead ran into a problem and is trying again.').and(
    ada.locator('[data-notice]'),
  );
  await notice.getByTitle('Earshot says this about Lead').waitFor();
  await shot(ada, 'own-why-notice');
  expect(await notice.getByText('agent', { exact: true }).count()).toBe(0);
  expect(await notice.locator('.face').count()).toBe(0);
  expect(await notice.getAttribute('aria-label')).toMatch(/^Earshot, about Lead: /);
  expect(await said.getAttribute('data-notice')).toBeNull();
});
