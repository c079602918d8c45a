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
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(token);
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
