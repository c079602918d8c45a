// Two people at the chat of a real host, each in a real browser.
import { expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/agent/index.ts';
import { personToken } from '../console/person.ts';
import { upHere } from '../server/here.ts';
import { type Listening, up } from '../server/up.ts';
import { useBrowser } from './browser.ts';
import { field, messages, say, visit } from './chat-people.ts';
import { eventually, open, PHONE, shot } from './page.ts';

const browser = useBrowser();

it('lets two people talk, see each other type, and see who is here', async () => {
  const host = await upHere();
  const ada = await visit(browser(), host, 'Ada');
  const bob = await visit(browser(), host, 'Bob');
  await ada.getByRole('button', { name: 'Bob' }).waitFor();
  await say(ada, 'hello Bob, see https://example.org/x');
  await messages(bob, 'hello Bob').waitFor();
  const link = messages(bob, 'hello Bob').getByRole('link');
  expect(await link.getAttribute('href')).toBe('https://example.org/x');
  expect(await link.getAttribute('rel')).toContain('noopener');
  await field(bob).pressSequentially('a lin');
  await ada.getByRole('status').filter({ hasText: 'Bob is typing…' }).waitFor();
  await field(bob).press('Shift+Enter');
  await field(bob).pressSequentially('and another');
  await field(bob).press('Enter');
  await messages(ada, /a lin\nand another/).waitFor();
  await eventually(() => ada.getByRole('status').filter({ hasText: 'Bob is typing…' }).count()).toBe(0);
  await say(bob, '<img src=x onerror="document.title=1"> <b>bold</b>');
  await messages(ada, '<img src=x onerror').waitFor();
  expect(await ada.locator('.message-text img, .message-text b').count()).toBe(0);
  await shot(ada, 'chat-two-people');
});

it('is somebody else in another tab of the same browser', async () => {
  const host = await upHere();
  const ada = await visit(browser(), host, 'Ada', { operator: true });
  await ada.getByRole('button', { name: /^Ada you/ }).click();
  await ada.getByLabel('Your name').fill('Bob');
  const [bob] = await Promise.all([
    ada.context().waitForEvent('page'),
    ada.getByRole('region', { name: 'Somebody new' }).getByRole('button', { name: 'In a new tab' }).click(),
  ]);
  await field(bob).waitFor();
  await say(bob, 'I am Bob');
  await messages(ada, 'I am Bob').filter({ hasText: 'Bob' }).waitFor();
  await say(ada, 'and I am still Ada');
  await messages(bob, 'and I am still Ada').filter({ hasText: 'Ada' }).waitFor();
  expect(bob.url()).not.toContain('person=');
  // And in the same tab.
  await ada.getByRole('button', { name: /^Ada you/ }).click();
  await shot(ada, 'chat-identity');
  await ada.getByRole('button', { name: 'Be Bob here' }).click();
  await eventually(() => ada.getByRole('dialog').count()).toBe(0);
  await messages(ada, 'I am Bob').waitFor();
  await say(ada, 'two tabs, one Bob');
  await messages(bob, 'two tabs, one Bob').filter({ hasText: 'Bob' }).waitFor();
});

it('completes mentions with the keyboard', async () => {
  const host = await upHere();
  const page = await visit(browser(), host, 'Ada');
  await field(page).pressSequentially('hey @');
  const list = page.getByRole('listbox');
  await eventually(() => list.getByRole('option').allTextContents()).toContain(
    '@oncallrole: builder, reviewer',
  );
  await field(page).pressSequentially('r');
  await list.getByRole('option', { name: '@reviewer', selected: true }).waitFor();
  await field(page).press('Escape');
  await eventually(() => list.count()).toBe(0);
  await field(page).pressSequentially(' @');
  await field(page).press('ArrowDown');
  await list.getByRole('option', { name: '@builder', selected: true }).waitFor();
  const active = await field(page).getAttribute('aria-activedescendant');
  expect(await page.locator(`[id="${active}"]`).textContent()).toContain('@builder');
  await shot(page, 'chat-completion');
  await field(page).press('Enter');
  await eventually(() => field(page).inputValue()).toBe('hey @r @builder ');
  // A name that is written out is sent by the first Enter, although the list is open.
  await field(page).fill('');
  await field(page).pressSequentially('thanks @reviewer');
  await list.waitFor();
  await field(page).press('Enter');
  await messages(page, 'thanks @reviewer').and(page.locator('[data-event]')).waitFor();
  expect(await field(page).inputValue()).toBe('');
  await field(page).pressSequentially('hey @r @builder ');
  await field(page).pressSequentially('are you there?');
  await field(page).press('Enter');
  const mention = messages(page, 'are you there?').locator('.mention');
  await eventually(() => mention.allTextContents()).toEqual(['@builder']);
  await messages(page, 'are you there?').getByText('Builder is offline').waitFor();
});

it('edits, deletes and signals, for everybody', async () => {
  const host = await upHere();
  const ada = await visit(browser(), host, 'Ada');
  const bob = await visit(browser(), host, 'Bob');
  await say(ada, 'the firts line');
  await messages(bob, 'the firts line').waitFor();
  // By keyboard: the up arrow edits the last one.
  await field(ada).press('ArrowUp');
  await eventually(() => field(ada).inputValue()).toBe('the firts line');
  await field(ada).fill('the first line');
  await field(ada).press('Enter');
  await messages(bob, 'the first line').getByText('edited').waitFor();
  await messages(bob, 'the first line').hover();
  await messages(bob, 'the first line').getByRole('button', { name: 'Give a signal' }).click();
  await eventually(() => bob.getByRole('menuitemcheckbox').count()).toBe(9);
  await shot(bob, 'chat-palette');
  await bob.getByRole('menuitemcheckbox', { name: 'agree' }).click();
  const given = messages(ada, 'the first line').getByRole('button', { name: 'agree Bob' });
  await given.waitFor();
  await given.click();
  await messages(bob, 'the first line').getByRole('button', { name: 'agree Bob and Ada' }).waitFor();
  await messages(ada, 'the first line')
    .getByRole('button', { name: 'agree Bob and Ada', pressed: true })
    .click();
  await messages(bob, 'the first line').getByRole('button', { name: 'agree Bob', exact: true }).waitFor();
  // Replying, then taking back what was replied to.
  await messages(bob, 'the first line').hover();
  await messages(bob, 'the first line').getByRole('button', { name: 'Reply' }).click();
  await field(bob).fill('quite right');
  await field(bob).press('Enter');
  await messages(ada, 'quite right').getByRole('button', { name: 'Ada the first line' }).waitFor();
  await messages(ada, 'the first line').first().hover();
  await messages(ada, 'the first line').first().getByRole('button', { name: 'Delete' }).click();
  await ada.getByRole('button', { name: 'Delete', exact: true }).click();
  await messages(bob, 'This message was deleted.').waitFor();
  await eventually(() => bob.getByText('the first line').count()).toBe(0);
  await shot(bob, 'chat-edited');
});

it('has threads, direct messages and channels, and counts what is unread', async () => {
  const host = await upHere();
  const ada = await visit(browser(), host, 'Ada');
  const bob = await visit(browser(), host, 'Bob');
  await say(ada, 'let us talk about it');
  await messages(bob, 'let us talk').hover();
  await messages(bob, 'let us talk').getByRole('button', { name: 'Open a thread' }).click();
  await field(bob, 'Write in the thread').fill('in here?');
  await field(bob, 'Write in the thread').press('Enter');
  await bob.locator('.thread .message').filter({ hasText: 'in here?' }).waitFor();
  await shot(bob, 'chat-thread');
  await messages(ada, 'let us talk')
    .getByRole('button', { name: /^1 reply/ })
    .click();
  await ada.locator('.thread .message').filter({ hasText: 'in here?' }).waitFor();
  await field(ada, 'Write in the thread').press('Escape');
  await eventually(() => ada.locator('.thread').count()).toBe(0);

  await bob.getByRole('region', { name: 'People' }).getByRole('button', { name: 'Ada' }).click();
  await field(bob, 'Write to Ada').fill('between us');
  await field(bob, 'Write to Ada').press('Enter');
  const unread = ada
    .getByRole('region', { name: 'Direct messages' })
    .getByRole('button', { name: /Bob.*1 unread/ });
  await unread.click();
  await messages(ada, 'between us').waitFor();
  await eventually(() => ada.getByText('unread').count()).toBe(0);

  await ada.getByRole('button', { name: 'New channel' }).click();
  await ada.getByLabel('Name').fill('Releases');
  await ada.keyboard.press('Enter');
  await field(ada, 'Write to #Releases').fill('first');
  await field(ada, 'Write to #Releases').press('Enter');
  await bob.getByRole('button', { name: /Releases.*1 unread/ }).waitFor();
  await ada.reload();
  await field(ada, 'Write to #Releases').waitFor();
});

it('keeps what is written while the host is away, and sends it once when it is back', async () => {
  const first = await up();
  const expected = /ERR_|WebSocket|Failed to load/;
  const ada = await visit(browser(), first, 'Ada', { expected });
  const bob = await visit(browser(), first, 'Bob', { expected });
  await say(ada, 'before');
  await messages(bob, 'before').waitFor();
  await first.stop('SIGKILL');
  await ada.getByRole('alert').filter({ hasText: 'Not connected.' }).waitFor();
  await say(ada, 'meanwhile');
  await messages(ada, 'meanwhile').getByText('waits for the host').waitFor();
  await shot(ada, 'chat-not-connected');
  await upHere({ data: first.data, port: Number(new URL(first.url).port) });
  await eventually(() => ada.getByRole('alert').count()).toBe(0);
  await say(ada, 'after');
  await messages(bob, 'after').waitFor();
  for (const page of [ada, bob]) {
    const texts = await page.locator('.room .message-text').allTextContents();
    expect(texts).toEqual(['before', 'meanwhile', 'after']);
  }
});

it('says what could not be sent and why, and lets one try again or discard it', async () => {
  const host = await upHere();
  const page = await visit(browser(), host, 'Ada');
  await page.goto(`${host.url}/#/chat?room=nowhere`);
  await page.getByRole('alert').filter({ hasText: 'no such conversation' }).waitFor();
  await page.getByRole('button', { name: 'general' }).click();
  await say(page, 'x');
  await messages(page, 'x').waitFor();
  const sender = page.getByRole('button', { name: 'Send', exact: true });
  await field(page).fill('y'.repeat(16_001));
  await page.getByText('1 character too many').waitFor();
  expect(await sender.isDisabled()).toBe(true);
  // Nobody may write to somebody who has been sent away.
  await personToken(host, 'eve', 'Eve');
  await page.getByRole('region', { name: 'People' }).getByRole('button', { name: 'Eve' }).click();
  await field(page, 'Write to Eve').waitFor();
  await page.getByText('You and Eve').waitFor();
  await host.call('DELETE', `/v1/tokens/${await keyOf(host, 'eve')}`, host.tokens.operator);
  await say(page, 'are you there?');
  const refused = messages(page, 'are you there?');
  await refused.getByRole('alert').filter({ hasText: 'Not sent. There is no such conversation' }).waitFor();
  await shot(page, 'chat-refused');
  await refused.getByRole('button', { name: 'Try again' }).click();
  await refused.getByRole('alert').waitFor();
  await refused.getByRole('button', { name: 'Discard' }).click();
  await eventually(() => refused.count()).toBe(0);
});

async function keyOf(host: Listening, subject: string): Promise<string> {
  const { body } = await host.call('GET', '/v1/tokens', host.tokens.operator);
  const { tokens } = body as { tokens: { key: string; subject: string }[] };
  return tokens.find((one) => one.subject === subject)?.key ?? '';
}

it('asks a tab without a person for one, and says when a token is no good', async () => {
  const host = await upHere();
  const page = await open(browser(), host, { hash: `#/chat?operator=${host.tokens.operator}` });
  await page.getByRole('heading', { name: 'Who are you here?' }).waitFor();
  await shot(page, 'chat-nobody');
  await page.getByLabel('A person’s token').fill('ear_person_nonsense');
  await page.getByRole('button', { name: 'Sign in with the token' }).click();
  await page.getByRole('alert').filter({ hasText: 'This token is not valid' }).waitFor();
  await page.getByLabel('Your name').fill('Ada Lovelace');
  await page.keyboard.press('Enter');
  await field(page).waitFor();
  await say(page, 'here I am');
  await messages(page, 'here I am').filter({ hasText: 'Ada Lovelace' }).waitFor();
});

it('shows operators under each message who was woken, each decision once, and why in place of a thread', async () => {
  const host = await upHere();
  const page = await visit(browser(), host, 'Ada', { operator: true });
  await say(page, '@lead is it green?');
  const asked = messages(page, '@lead is it green?');
  const chip = asked.getByRole('button', { name: /^lead must answer · mentioned/ });
  await chip.waitFor();
  expect(await page.locator('.chip').filter({ hasText: 'must answer' }).count()).toBe(1);
  await asked.hover();
  await asked.getByRole('button', { name: 'Open a thread' }).click();
  const thread = page.getByRole('region', { name: 'Thread' });
  await thread.waitFor();
  await chip.click();
  await page.locator('.headline').filter({ hasText: /lead/i }).waitFor();
  await eventually(() => chip.getAttribute('aria-pressed')).toBe('true');
  await thread.waitFor({ state: 'hidden' });
  await asked.getByRole('button', { name: '2 stay quiet' }).click();
  const quiet = asked.getByRole('button', { name: /^builder stays quiet · meant for lead/ });
  expect(await quiet.getAttribute('title')).toContain('must_not_respond · to_other');
  await shot(page, 'chat-why');
  await page.keyboard.press('Escape');
  await thread.waitFor();
});

it('shows the files of an agent under its message, and saves one on a click', async () => {
  const host = await upHere();
  const page = await visit(browser(), host, 'Ada');
  const agent = connect({
    url: `${host.url.replace('http', 'ws')}/c2a`,
    token: host.tokens.agents['lead'] ?? '',
    compose: { quietMs: 50 },
  });
  onTestFinished(() => agent.close());
  agent.onTurn(async (turn) => {
    await turn.reply('Here they are.', { attachments: [{ name: 'numbers.csv', text: 'monday,7' }] });
  });
  await say(page, '@lead the numbers?');
  const file = messages(page, 'Here they are.').getByRole('button', { name: 'numbers.csv' });
  await file.waitFor();
  const [saved] = await Promise.all([page.waitForEvent('download'), file.click()]);
  expect(saved.suggestedFilename()).toBe('numbers.csv');
  const chunks: Buffer[] = [];
  for await (const chunk of await saved.createReadStream()) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).toString()).toBe('monday,7');
});

it('puts the list of a phone away with Escape, from the button that opened it', async () => {
  const host = await upHere();
  const page = await visit(browser(), host, 'Ada', { viewport: PHONE });
  const button = page.getByRole('button', { name: 'Conversations' });
  await button.press('Enter');
  await page.getByRole('button', { name: 'New channel' }).waitFor();
  await button.press('Escape');
  await eventually(() => button.getAttribute('aria-expanded')).toBe('false');
});
