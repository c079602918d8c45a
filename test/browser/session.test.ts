// Signing in, and what the page says when the host refuses it, is gone, or comes back.
import { expect, it } from 'vitest';
import { upHere } from '../server/here.ts';
import { message } from '../server/up.ts';
import { useBrowser } from './browser.ts';
import { at, eventually, open, shot } from './page.ts';

const browser = useBrowser();

it('asks for a token, says what is wrong with one, and takes a good one', async () => {
  const running = await upHere();
  const page = await open(browser(), running, { hash: '', expected: /401/ });
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
  expect(await page.getByRole('main').textContent()).toContain('npx earshot token create --kind operator');
  await page.getByLabel('Token').fill('ear_nonsense');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').filter({ hasText: 'not valid here' }).waitFor();
  await shot(page, 'sign-in');
  await page.getByLabel('Token').fill(running.tokens.operator);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Who was woken, and why' }).waitFor();
});

it('takes the token out of the address, keeps it over a reload, and forgets it on signing out', async () => {
  const running = await upHere();
  const page = await open(browser(), running, { hash: `#operator=${running.tokens.operator}` });
  await page.getByRole('heading', { name: 'Who was woken, and why' }).waitFor();
  expect(page.url()).not.toContain(running.tokens.operator);
  expect(await page.evaluate('history.length')).toBeLessThanOrEqual(2);
  await page.reload();
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Token').waitFor();
  expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toContain('ear_');
});

it('asks before a link replaces the token in use, and does not ask when that one is dead', async () => {
  const running = await upHere();
  const { operator } = running.tokens;
  const made = await running.call('POST', '/v1/tokens', operator, { kind: 'operator', subject: 'visitor' });
  const { token, key } = made.body as { token: string; key: string };
  const page = await open(browser(), running, {
    hash: `#operator=${token}`,
    expected: /401|INCOMPLETE/,
  });
  await page.getByText('Live', { exact: true }).waitFor();
  const kept = () => page.evaluate<string>("localStorage.getItem('earshot.operator')");
  await page.goto(`${running.url}/#operator=${operator}`);
  await page.getByRole('heading', { name: 'Use another token?' }).waitFor();
  expect(page.url()).not.toContain(operator);
  expect(await kept()).toBe(token);
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await page.getByText('Live', { exact: true }).waitFor();
  expect(await kept()).toBe(token);
  await running.call('DELETE', `/v1/tokens/${key}`, operator);
  await page.goto(`${running.url}/#operator=${operator}`);
  await eventually(kept).toBe(operator);
  await page.getByText('Live', { exact: true }).waitFor();
  const next = await running.call('POST', '/v1/tokens', operator, { kind: 'operator', subject: 'visitor' });
  const other = (next.body as { token: string }).token;
  await page.goto(`${running.url}/#operator=${other}`);
  await page.getByRole('button', { name: 'Use the link’s' }).click();
  await eventually(kept).toBe(other);
});

it('says that the host is gone, and goes on by itself once it is back, with what was missed', async () => {
  const first = await upHere();
  const { port } = new URL(first.url);
  const page = await open(browser(), first, { hash: at(first, 'timeline'), expected: /ERR_|Failed to load/ });
  await page.getByText('Live', { exact: true }).waitFor();
  await first.stop();
  await page.getByRole('alert').filter({ hasText: 'The host does not answer' }).first().waitFor();
  await shot(page, 'host-gone');
  const second = await upHere({ data: first.data, port: Number(port) });
  await second.post(message('said while nobody listened'));
  await page.getByText('said while nobody listened').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await eventually(() => page.getByRole('alert').count()).toBe(0);
});

it('says so when the token is revoked while the page is open', async () => {
  const running = await upHere();
  const { operator } = running.tokens;
  const made = await running.call('POST', '/v1/tokens', operator, { kind: 'operator', subject: 'visitor' });
  const { token, key } = made.body as { token: string; key: string };
  const page = await open(browser(), running, {
    hash: `#/timeline?operator=${token}`,
    expected: /401|INCOMPLETE/,
  });
  await page.getByText('Live', { exact: true }).waitFor();
  await running.call('DELETE', `/v1/tokens/${key}`, operator);
  await page.getByRole('alert').filter({ hasText: 'no longer takes this token' }).waitFor();
});

it('asks for another token, and shows nothing else, where the host has never known this one', async () => {
  const running = await upHere();
  const hash = '#/timeline?operator=ear_o_of_another_folder';
  const page = await open(browser(), running, { hash, expected: /401/ });
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  const [words, ...others] = await page.getByRole('alert').allTextContents();
  expect([words, others]).toEqual([expect.stringContaining('does not know the token'), []]);
  await page.getByLabel('Token').fill(running.tokens.operator);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Live', { exact: true }).waitFor();
});

it('shows the chat alone, and says so, where only the person’s token is known', async () => {
  const running = await upHere();
  const { people } = running.tokens as unknown as { people: Record<string, string> };
  const hash = `#person=${people['you'] ?? ''}&operator=ear_o_of_another_folder`;
  const page = await open(browser(), running, { hash, expected: /401/ });
  await page.getByRole('alert').filter({ hasText: 'you see the chat alone' }).waitFor();
  await page.getByRole('textbox', { name: /^Write to/ }).waitFor();
  await page.getByRole('button', { name: 'Sign in again' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

it('shows a person without an operator’s token the chat alone', async () => {
  const running = await upHere();
  const made = await running.call('POST', '/v1/tokens', running.tokens.operator, {
    kind: 'person',
    subject: 'ada',
    label: 'Ada',
  });
  const { token } = made.body as { token: string };
  const page = await open(browser(), running, { hash: `#person=${token}` });
  await page.getByRole('main').getByText('Ada').first().waitFor();
  expect(page.url()).not.toContain(token);
  expect(await page.getByRole('navigation', { name: 'Views' }).count()).toBe(0);
  // A link to a message just opens, in any tab of the browser, and another person's link counts for its tab alone.
  const second = await page.context().newPage();
  await second.goto(`${running.url}/#/chat?room=general`);
  await second.getByRole('button', { name: 'Ada you', exact: true }).waitFor();
  const bob = await running.call('POST', '/v1/tokens', running.tokens.operator, {
    kind: 'person',
    subject: 'bob',
    label: 'Bob',
  });
  await second.goto(`${running.url}/#person=${(bob.body as { token: string }).token}`);
  await second.getByRole('button', { name: 'Bob you, in this tab only' }).click();
  expect(await page.evaluate("localStorage.getItem('earshot.person')")).toBe(token);
  await second.getByRole('button', { name: 'Stop being Bob here' }).click();
  await second.getByRole('button', { name: 'Ada you', exact: true }).waitFor();
  // Signing out counts for every tab.
  await page.getByRole('button', { name: 'Ada you', exact: true }).click();
  await page.getByRole('button', { name: 'Sign out of this browser' }).click();
  for (const tab of [page, second]) await tab.getByLabel('Token').waitFor();
  await second.goto(`${running.url}/#/chat?room=general&message=web:x`);
  await second.reload();
  await second.getByText('This link leads to a message').waitFor();
  expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toContain('ear_');
});

it('lets a new person’s link take the place of a token that the host does not know any more', async () => {
  const running = await upHere();
  const tokenFor = async (subject: string) => {
    const made = await running.call('POST', '/v1/tokens', running.tokens.operator, {
      kind: 'person',
      subject,
      label: subject,
    });
    return made.body as { token: string; key: string };
  };
  const [gone, next] = [await tokenFor('gone'), await tokenFor('next')];
  const page = await open(browser(), running, { hash: `#person=${gone.token}` });
  await page.getByRole('button', { name: 'gone you', exact: true }).waitFor();
  await page.goto('about:blank');
  await running.call('DELETE', `/v1/tokens/${gone.key}`, running.tokens.operator);
  await page.goto(`${running.url}/#person=${next.token}`);
  await eventually(() => page.evaluate("localStorage.getItem('earshot.person')")).toBe(next.token);
  await page.reload();
  await page.getByRole('button', { name: 'next you', exact: true }).waitFor();
});

it('offers the newer page when the host was updated behind an open one', async () => {
  const running = await upHere();
  const page = await open(browser(), running, {
    hash: at(running, 'timeline'),
    expected: /404|Failed|imported module/,
  });
  await page.getByText('Live', { exact: true }).waitFor();
  await page.route('**/assets/agents-*.js', (route) => route.fulfill({ status: 404 }), { times: 1 });
  await page.getByRole('link', { name: 'Agents' }).click();
  await page.getByText('The host has a newer page').waitFor();
  await page.getByRole('button', { name: 'Load it' }).click();
  await page.getByRole('heading', { name: 'Agents' }).waitFor();
});

it('keeps the theme somebody has chosen', async () => {
  const running = await upHere();
  const page = await open(browser(), running, { hash: at(running, 'timeline'), scheme: 'light' });
  const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  const light = await ground();
  await page.getByRole('button', { name: 'Theme: system' }).click();
  await page.getByRole('button', { name: 'Theme: light' }).click();
  await page.getByRole('button', { name: 'Theme: dark' }).waitFor();
  const dark = await ground();
  expect(dark).not.toBe(light);
  await page.reload();
  await page.getByRole('button', { name: 'Theme: dark' }).waitFor();
  expect(await ground()).toBe(dark);
});
