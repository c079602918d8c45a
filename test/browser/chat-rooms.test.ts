// A chat that people keep open: invitations, names, what is new, links to messages, notifications.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { personToken } from '../console/person.ts';
import { upHere } from '../server/here.ts';
import type { Listening } from '../server/up.ts';
import { newKey, signIn } from '../surfaces/web/tab.ts';
import { useBrowser } from './browser.ts';
import { field, messages, say, visit } from './chat-people.ts';
import { eventually, open, shot } from './page.ts';

const browser = useBrowser();

/** So many messages of one author at once: fewer than the host lets a person write. */
const AT_ONCE = 35;

async function fill(host: Listening, room: string, count: number): Promise<string[]> {
  const said: string[] = [];
  while (said.length < count) {
    const n = said.length;
    const { tab } = await signIn(host.url, await personToken(host, `writer-${n}`, `Writer ${n}`));
    for (let at = n; at < Math.min(count, n + AT_ONCE); at++)
      said.push((await tab.say(room, `line ${at}`)).eventId);
  }
  return said;
}

async function isOnScreen(page: Page, text: string | RegExp): Promise<boolean> {
  const found = messages(page, text);
  const box = (await found.count()) === 0 ? null : await found.first().boundingBox();
  const { height } = page.viewportSize() ?? { height: 0 };
  return box !== null && box.y >= 0 && box.y + box.height <= height;
}

it('invites somebody by a link, who says what others call them', async () => {
  const host = await upHere();
  const expected = /400 \(Bad Request\)/;
  const ada = await visit(browser(), host, 'Ada', { operator: true, expected });
  await ada.getByRole('button', { name: 'Invite somebody' }).click();
  await ada.getByLabel('Their name').fill('Lead');
  await ada.getByRole('button', { name: 'Make a link' }).click();
  await ada.getByRole('alert').filter({ hasText: 'An agent is called "Lead"' }).waitFor();
  await ada.getByLabel('Their name').fill('Bob');
  await ada.getByRole('button', { name: 'Make a link' }).click();
  const link = await ada.getByLabel('A link for Bob').inputValue();
  await shot(ada, 'chat-invite');
  await ada.getByRole('button', { name: 'Done' }).click();
  const bob = await open(browser(), host, { hash: link.slice(link.indexOf('#')) });
  await say(bob, 'hello from Bob');
  await messages(ada, 'hello from Bob').filter({ hasText: 'Bob' }).waitFor();
  await bob.getByRole('button', { name: /^Bob you/ }).click();
  await bob.getByLabel('What others call you').fill('Robert');
  await bob.getByRole('button', { name: 'Save the name' }).click();
  // Also above what was said before.
  await messages(ada, 'hello from Bob').filter({ hasText: 'Robert' }).waitFor();
});

it('asks the first person once for a name', async () => {
  const host = await upHere();
  const { people, operator } = host.tokens as unknown as { people: Record<string, string>; operator: string };
  const page = await open(browser(), host, { hash: `#person=${people['you'] ?? ''}&operator=${operator}` });
  const question = page.getByRole('region', { name: 'Your name' });
  await question.getByLabel('What shall others call you?').fill('Grace');
  await shot(page, 'chat-ask-name');
  await question.getByRole('button', { name: 'Save the name' }).click();
  await eventually(() => question.count()).toBe(0);
  await page.reload();
  await field(page).waitFor();
  expect(await question.count()).toBe(0);
});

it('shows where the new messages begin, how many mention the person, and leads there', async () => {
  const host = await upHere();
  const bob = await visit(browser(), host, 'Bob');
  const { tab } = await signIn(host.url, await personToken(host, 'ada', 'Ada'));
  await tab.ask('create', { kind: 'channel', key: newKey(), name: 'releases' });
  await bob.getByRole('button', { name: 'releases' }).click();
  await eventually(() => bob.title()).toBe('#releases · Earshot');
  await tab.say('general', '@Bob the first new one');
  await fill(host, 'general', 60);
  await eventually(() => bob.title()).toBe('(61) #releases · Earshot');
  const entry = bob.getByRole('button', { name: /general.*mentions you.*61 unread/ });
  await entry.waitFor();
  await shot(bob, 'chat-unread');
  await entry.click();
  const jump = bob.getByRole('button', { name: 'Jump to first unread' });
  await jump.waitFor();
  await eventually(() => isOnScreen(bob, 'line 59')).toBe(true);
  await eventually(() => bob.title()).toBe('#general · Earshot');
  await jump.click();
  await eventually(() => isOnScreen(bob, 'the first new one')).toBe(true);
  await bob.getByRole('separator', { name: 'New messages' }).waitFor();
  await shot(bob, 'chat-new-line');
  expect(await jump.count()).toBe(0);
});

it('opens a link at its message, however far back, and says when there is none', async () => {
  const host = await upHere();
  const said = await fill(host, 'general', 170);
  const ada = await visit(browser(), host, 'Ada', { at: `&room=general&message=${said[3]}` });
  await eventually(() => isOnScreen(ada, /^line 3$/)).toBe(true);
  await eventually(() => ada.locator('.messages-row[data-lit]').textContent()).toContain('line 3');
  await shot(ada, 'chat-permalink');
  // What is copied leads there too.
  await ada.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: host.url });
  await messages(ada, /^line 5$/).hover();
  await messages(ada, /^line 5$/)
    .getByRole('button', { name: 'Copy link' })
    .click();
  await messages(ada, /^line 5$/)
    .getByRole('button', { name: 'Copied' })
    .waitFor();
  const link = await ada.evaluate<string>('navigator.clipboard.readText()');
  expect(link).toBe(`${host.url}/#/chat?room=general&message=${said[5]}`);
  const bob = await visit(browser(), host, 'Bob', { at: '&room=general&message=web:nothing' });
  await bob.getByRole('alert').filter({ hasText: 'This message is gone, not for you to see' }).waitFor();
});

/** Stands for the browser's own, which a test cannot see or click. */
async function recordNotifications(page: Page): Promise<void> {
  await page.evaluate(() => {
    const shown: { title: string; body: string; tag: string; click: () => void }[] = [];
    class Recorded extends EventTarget {
      static readonly permission = 'granted';
      constructor(title: string, { body, tag }: { body: string; tag: string }) {
        super();
        shown.push({ title, body, tag, click: () => this.dispatchEvent(new Event('click')) });
      }
      close(): void {}
    }
    Object.assign(globalThis, { Notification: Recorded, shown });
  });
}

const shownTo = (page: Page) =>
  page.evaluate(() =>
    (globalThis as unknown as { shown: { title: string; body: string }[] }).shown.map(({ title, body }) => [
      title,
      body,
    ]),
  );

it('notifies of mentions and direct messages that the person does not see, as the room’s setting says', async () => {
  const host = await upHere();
  const bob = await visit(browser(), host, 'Bob');
  const { tab } = await signIn(host.url, await personToken(host, 'ada', 'Ada'));
  await tab.ask('create', { kind: 'channel', key: newKey(), name: 'releases' });
  await recordNotifications(bob);
  await tab.say('general', '@Bob you see this');
  await messages(bob, 'you see this').waitFor();
  await tab.say('releases', 'not about Bob');
  await tab.say('releases', '@Bob look here');
  await eventually(() => shownTo(bob)).toEqual([['Ada in #releases', '@Bob look here']]);
  const dm = await tab.ask('create', { kind: 'dm', key: newKey(), with: 'human:bob' });
  await tab.say(dm.conversation.id, 'just you');
  await eventually(() => shownTo(bob)).toHaveLength(2);
  expect((await shownTo(bob))[1]).toEqual(['Ada', 'just you']);
  // A click opens the message.
  await bob.evaluate(() => (globalThis as unknown as { shown: { click: () => void }[] }).shown[0]?.click());
  await eventually(() => bob.locator('.messages-row[data-lit]').textContent()).toContain('look here');
  await bob.getByRole('button', { name: 'Settings of #releases' }).click();
  await bob.getByLabel('All messages').click();
  await shot(bob, 'chat-room-settings');
  await bob.getByRole('button', { name: 'Close' }).click();
  await bob.getByRole('button', { name: 'general', exact: false }).first().click();
  await bob.getByRole('heading', { name: '#general' }).waitFor();
  await tab.say('releases', 'anything at all');
  await eventually(async () => (await shownTo(bob)).at(-1)?.[1]).toContain('anything at all');
});

it('renames, archives, brings back and deletes a channel, for everybody', async () => {
  const host = await upHere();
  const ada = await visit(browser(), host, 'Ada');
  const bob = await visit(browser(), host, 'Bob');
  await ada.getByRole('button', { name: 'New channel' }).click();
  await ada.getByLabel('Name').fill('releases');
  await ada.getByRole('button', { name: 'Create channel' }).click();
  await ada.getByRole('heading', { name: '#releases' }).waitFor();
  await say(ada, 'the first release');
  await bob.getByRole('button', { name: 'releases' }).click();
  await messages(bob, 'the first release').waitFor();
  await ada.getByRole('button', { name: 'Settings of #releases' }).click();
  await ada.getByLabel('Name of the channel').fill('Launches');
  await ada.getByRole('button', { name: 'Rename' }).click();
  await bob.getByRole('heading', { name: '#Launches' }).waitFor();
  await ada.getByRole('button', { name: 'Archive it' }).click();
  await bob.getByText('This channel is archived. It can').waitFor();
  await messages(ada, 'the first release')
    .getByText('Nobody is asked here: the channel is archived')
    .waitFor();
  await shot(ada, 'chat-archived');
  await bob.getByText('Archived (1)').click();
  await bob.getByRole('button', { name: 'Settings of #Launches' }).click();
  expect(await bob.getByRole('region', { name: 'Delete' }).count()).toBe(0);
  await bob.getByRole('button', { name: 'Bring it back' }).click();
  await ada.getByRole('button', { name: 'Archive it' }).waitFor();
  const erase = ada.getByRole('button', { name: 'Delete it' });
  expect(await erase.isDisabled()).toBe(true);
  await ada.getByLabel('Write “Launches” to delete it').fill('Launches');
  await erase.click();
  await ada.getByRole('heading', { name: '#general' }).waitFor();
  await bob.getByText('#Launches was deleted.').waitFor();
  await eventually(() => bob.getByRole('button', { name: 'Launches', exact: true }).count()).toBe(0);
});
