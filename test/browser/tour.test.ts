// A walk through every view and state, in both themes, wide and on a phone. judge.ts says what must hold everywhere.
import { it } from 'vitest';
import { upHere } from '../server/here.ts';
import { useBrowser } from './browser.ts';
import { field, say, visit } from './chat-people.ts';
import type { SeenKinds } from './contrast.ts';
import { judge, visitStop } from './judge.ts';
import { at, open, PHONE } from './page.ts';
import { stage } from './stage.ts';
import { STOPS } from './tour.ts';

const browser = useBrowser();
const TOUR_MS = 600_000;

it(
  'can be read everywhere, in every state of every control',
  async () => {
    const host = await stage();
    const page = await visit(browser(), host, 'Ada', { operator: true });
    const seen: SeenKinds = new Map();
    for (const stop of STOPS) await visitStop(page, host, stop, seen);
  },
  TOUR_MS,
);

it(
  'can be read where there is nothing yet, and by somebody who is not signed in',
  async () => {
    const host = await upHere();
    const seen: SeenKinds = new Map();
    const stranger = await open(browser(), host, { hash: '', expected: /401/ });
    await stranger.getByLabel('Token').waitFor();
    await judge(stranger, host, 'sign-in', seen);
    await stranger.getByLabel('Token').fill('ear_nonsense');
    await stranger.getByRole('button', { name: 'Sign in' }).click();
    await stranger.getByRole('alert').waitFor();
    await judge(stranger, host, 'sign-in-failed', seen);
    const page = await open(browser(), host, { hash: at(host, 'chat') });
    await page.getByRole('heading', { name: 'Who are you here?' }).waitFor();
    await judge(page, host, 'empty-home', seen);
    for (const view of ['timeline', 'agents', 'turns', 'inbox', 'replay']) {
      await page.goto(`${host.url}/#/${view}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await judge(page, host, `empty-${view}`, seen);
    }
  },
  TOUR_MS,
);

it(
  'can be read by a person without the operator’s rights, and while the host is away',
  async () => {
    const host = await stage();
    const seen: SeenKinds = new Map();
    const page = await visit(browser(), host, 'Ada', { expected: /ERR_|WebSocket|Failed/ });
    await say(page, '@reviewer can you look?');
    await page.getByText('Reviewer is offline').waitFor();
    await judge(page, host, 'person', seen);
    await page.setViewportSize(PHONE);
    await page.getByRole('button', { name: 'Conversations' }).click();
    await judge(page, host, 'person-list', seen);
    await page.keyboard.press('Escape');
    const operator = await open(browser(), host, {
      hash: at(host, 'timeline'),
      expected: /ERR_|Failed|preload|import/,
    });
    for (const view of ['Agents', 'Timeline']) await operator.getByRole('link', { name: view }).click();
    await operator.getByText('Live', { exact: true }).waitFor();
    await host.stop();
    await page.getByRole('alert').filter({ hasText: 'Not connected' }).waitFor();
    await field(page).fill('is anybody there?');
    await field(page).press('Enter');
    await judge(page, host, 'person-lost', seen);
    await operator.getByRole('alert').filter({ hasText: 'The host does not answer' }).first().waitFor();
    await judge(operator, host, 'lost', seen);
    await operator.getByRole('link', { name: 'Agents' }).click();
    await operator.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
    await operator.getByRole('button', { name: 'Try again' }).first().waitFor();
    await judge(operator, host, 'lost-agents', seen);
    await operator.getByRole('link', { name: 'Turns' }).click();
    await operator.getByText('This view could not be loaded').waitFor();
    await judge(operator, host, 'lost-view', seen);
  },
  TOUR_MS,
);
