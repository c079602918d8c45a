// Agents, turns, inbox and replay, each doing what its buttons say, against a real host.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { upHere } from '../server/here.ts';
import { folder, message, type Listening, until } from '../server/up.ts';
import { useBrowser } from './browser.ts';
import { at, eventually, open, shot } from './page.ts';

const browser = useBrowser();

/** An agent's tool, called over HTTP. */
async function tool(host: Listening, agent: string, name: string, args: unknown): Promise<void> {
  const params = { name, arguments: args };
  const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  await host.call('POST', '/c2a', host.tokens.agents[agent], rpc);
}

it('steers an agent: its mode changes at the host, and the next message is decided by it', async () => {
  const running = await upHere();
  await running.post(message('@lead hello'));
  const page = await open(browser(), running, { hash: at(running, 'agents') });
  await page.getByRole('heading', { name: 'Lead', exact: true }).waitFor();
  await page.getByText('Queue: 1 open, 1 must be answered').waitFor();
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.locator('.mode-now').filter({ hasText: 'mode leave' }).waitFor();
  const { body } = await running.call('GET', '/v1/conversations', running.tokens.operator);
  expect(body).toMatchObject({ conversations: [{ modes: { lead: 'left' } }] });
  await page.getByRole('button', { name: 'Mute' }).click();
  await page.locator('.mode-now').filter({ hasText: 'mode mute' }).waitFor();
  await page.getByRole('button', { name: 'Focus 30 min' }).click();
  await page.getByRole('button', { name: 'End focus' }).click();
  await page.getByRole('button', { name: 'Focus 30 min' }).waitFor();
  await page.getByRole('button', { name: 'Disengage' }).click();
  await page.getByRole('status').filter({ hasText: 'out of every exchange' }).waitFor();
  await shot(page, 'agents');
});

it('hands a delivery over again', async () => {
  const running = await upHere();
  await running.post(message('@lead hello'));
  const page = await open(browser(), running, { hash: at(running, 'agents') });
  await page.getByRole('button', { name: 'Redeliver' }).first().click();
  const attempts = async () => {
    const { body } = await running.call('GET', '/v1/deliveries?agent=lead', running.tokens.operator);
    return (body as { deliveries: { attempt: number }[] }).deliveries.some(({ attempt }) => attempt > 1);
  };
  await until(attempts);
  await eventually(() => page.getByRole('region', { name: 'Queue' }).textContent()).toContain('2');
  await page.goto(`${running.url}/#/inbox`);
  await page
    .getByRole('region', { name: 'Stuck deliveries' })
    .getByRole('button', { name: 'Redeliver' })
    .click();
  await eventually(() => page.getByRole('region', { name: 'Stuck deliveries' }).textContent()).toContain('3');
});

it('lets a person approve, decline and close what waits for them', async () => {
  const data = folder();
  const config = join(data, 'earshot.yaml');
  writeFileSync(
    config,
    'agents: [{ id: lead }]\nhost: { sensitive: [{ reason: deploys, words: [deploy] }] }\n',
  );
  const running = await upHere({ data, config });
  const page = await open(browser(), running, { hash: at(running, 'inbox') });
  await page.getByText('Nobody waits for you').waitFor();
  const [ship, no] = [message('@lead ship it'), message('@lead tell a joke')];
  await running.post(ship);
  await running.post(no);
  const send = (text: string, idempotencyKey: string) =>
    tool(running, 'lead', 'chat.send_message', {
      target: 'channel:general',
      text,
      inReplyTo: ship.eventId,
      visibility: 'channel',
      directedness: 'ambient',
      idempotencyKey,
    });
  await send('I deploy it now.', 'k1');
  const item = page.locator('.inbox-item');
  await item.filter({ hasText: 'Needs a yes' }).waitFor();
  await tool(running, 'lead', 'chat.react', { inReplyTo: no.eventId, signal: 'declined' });
  await item.filter({ hasText: 'Declined' }).waitFor();
  await eventually(() => page.locator('.rail-count').textContent()).toBe('2 waiting');
  await shot(page, 'inbox');
  await item.filter({ hasText: 'Declined' }).getByRole('button', { name: 'Seen to' }).click();
  await item.filter({ hasText: 'Declined' }).waitFor({ state: 'detached' });
  await item.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Nobody waits for you').waitFor();
  const sent = async () => {
    const { text } = await running.call('GET', '/v1/outbox', running.tokens.surfaces['dev']);
    return text.includes('I deploy it now.');
  };
  await until(sent);
  await page.getByRole('tab', { name: 'Seen to' }).click();
  await eventually(() => item.count()).toBe(2);
});

it('shows what an agent owes and has claimed, and how far it says it is [C2A-06-02/progress/displayed]', async () => {
  const running = await upHere();
  const asked = message('@lead which region?', {
    recipients: ['lead'],
    obligation: { blocks: 'halted', defaultAction: 'I take eu-west' },
  });
  await running.post(asked);
  await tool(running, 'lead', 'chat.claim', { inReplyTo: asked.eventId });
  const page = await open(browser(), running, { hash: at(running, 'agents?agent=lead') });
  const owes = page.getByRole('region', { name: 'Owes' });
  await owes.waitFor();
  await eventually(() => owes.textContent()).toMatch(/human:ada.*halted.*I take eu-west/);
  await eventually(() => page.getByRole('region', { name: 'Claims' }).textContent()).toMatch(/evt-.*left/);
  const params = { eventId: asked.eventId, progressToken: 'b', progress: 3, total: 10, message: 'building' };
  const said = { jsonrpc: '2.0', method: 'notifications/progress', params };
  await running.call('POST', '/c2a', running.tokens.agents['lead'], said);
  await page.getByRole('status').filter({ hasText: 'building 3 of 10' }).waitFor();
});

it('shows turns spent and saved, as figures, as a plot and per agent', async () => {
  const running = await upHere();
  const now = new Date().toISOString();
  for (const text of ['@lead is it green?', 'lunch', '@builder and the tests?', 'nice weather'])
    await running.post(message(text, { at: now }));
  const page = await open(browser(), running, { hash: at(running, 'turns?period=hour') });
  const spent = page.locator('.tile').filter({ hasText: 'Turns spent' });
  await spent.waitFor();
  await eventually(() => spent.locator('.tile-value').textContent()).toBe('2');
  const plot = page.getByRole('img', { name: /^Turns over time: spent 2, answering everything 12/ });
  await plot.waitFor();
  const inked = await plot.evaluate((box) => {
    const canvas = box.querySelector('canvas');
    const image = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height);
    return [...(image?.data ?? [])].some((value, index) => index % 4 === 3 && value > 0);
  });
  expect(inked).toBe(true);
  await eventually(() => page.getByRole('region', { name: 'By agent' }).textContent()).toContain('lead');
  await shot(page, 'turns');
});

it('replays a recorded chat under another configuration and shows the difference', async () => {
  const running = await upHere();
  const page = await open(browser(), running, { hash: at(running, 'replay') });
  const file = join(import.meta.dirname, '..', '..', 'examples', 'standup.jsonl');
  await page.getByLabel('Recorded chat').setInputFiles(file);
  await page.getByLabel('Change').selectOption('mentions');
  await eventually(() => page.getByLabel('Configuration').inputValue()).toContain('mention_only');
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByText(/\d+ of \d+ decisions differ/).waitFor();
  const first = page.locator('.difference').first();
  await first.getByRole('button', { name: 'Why?' }).click();
  await first.getByRole('heading', { name: 'After' }).waitFor();
  await shot(page, 'replay');
  await page.getByLabel('Configuration').fill('agents: [');
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByRole('alert').filter({ hasText: 'not YAML' }).waitFor();
});

it('replays a period of the log against what was decided', async () => {
  const running = await upHere();
  const now = new Date().toISOString();
  await running.post(message('@lead is it green?', { at: now }));
  const page = await open(browser(), running, { hash: at(running, 'replay') });
  await page.getByRole('tab', { name: 'A period of the log' }).click();
  await page.getByLabel('Change').selectOption('typeclaw');
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByText(/\d+ of \d+ decisions differ/).waitFor();
});
