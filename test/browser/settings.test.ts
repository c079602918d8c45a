// The settings view against a real host: a change with its difference shown, applied and taken back; an agent added from
// the page, run as a process of its own with the token that the page shows, and tested live.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { upHere } from '../server/here.ts';
import { childEnv, folder, message } from '../server/up.ts';
import { violations } from './axe.ts';
import { useBrowser } from './browser.ts';
import { at, eventually, LOOKS, open, shot, SIZES } from './page.ts';

const browser = useBrowser();
const FILE = `# Ours.
agents:
  - id: lead # the first
  - id: builder
    lead: lead
`;

async function host() {
  const data = folder();
  const config = join(data, 'earshot.yaml');
  writeFileSync(config, FILE);
  return { config, running: await upHere({ data, config }) };
}

it('a setting is changed in the form: the difference is shown, it counts, and it is taken back', async () => {
  const { config, running } = await host();
  for (let n = 0; n < 3; n++) await running.post(message('@builder build it'));
  const page = await open(browser(), running, { hash: at(running, 'settings') });
  const builder = page.getByRole('group', { name: 'builder' });
  await builder.getByLabel('Answers to').fill('human:nobody');
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByText('builder: respondTo').waitFor();
  await page.getByText('3 of 6 decisions of the last week would differ').waitFor();
  expect(readFileSync(config, 'utf8')).toBe(FILE);
  await page.getByText('Would stay quiet: 3 examples').click();
  await shot(page, 'settings-checked');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('Version 2').waitFor();
  expect(readFileSync(config, 'utf8')).toContain('- id: lead # the first');
  await running.post(message('@builder once more', { eventId: 'after' }));
  const why = await running.call('GET', '/v1/why/after', running.tokens.operator);
  expect(why.text).toContain('denied');

  await page.getByRole('tab', { name: 'Versions' }).click();
  await page.getByRole('button', { name: 'Go back to this' }).click();
  await page.getByText('Version 3').first().waitFor();
  await eventually(() => Promise.resolve(readFileSync(config, 'utf8'))).toBe(FILE);
});

it('a mistake in the file is shown at its line, and a file edited elsewhere makes the draft stale', async () => {
  const { config, running } = await host();
  // 409: the draft is stale. 404: the comparison with it ended meanwhile.
  const page = await open(browser(), running, { hash: at(running, 'settings'), expected: /40[49]/ });
  await page.getByRole('tab', { name: 'The file' }).click();
  const text = page.getByLabel('Settings file');
  await text.fill(FILE.replace('lead: lead', 'leed: lead'));
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByText('did you mean "lead"').waitFor();
  expect(await page.locator('.settings-lines [data-wrong]').allTextContents()).toEqual(['5']);
  await text.fill(`${FILE}owner: ann\n`);
  await page.getByRole('button', { name: 'Check' }).click();
  const apply = page.getByRole('button', { name: 'Apply' });
  await apply.waitFor();
  await page.route('**/v1/settings/file', () => undefined); // this tab does not hear of the other change
  const changed = await running.call('POST', '/v1/settings/apply', running.tokens.operator, {
    text: `${FILE}owner: ben\n`,
    basedOn: 1,
  });
  expect(changed.status).toBe(200);
  await apply.click();
  await page.getByText('owner not set → ben').waitFor();
  expect(readFileSync(config, 'utf8')).toContain('owner: ben');
});

it('a file that was edited by hand counts at once, says what it changes, and is taken back by one click', async () => {
  const { config, running } = await host();
  for (let n = 0; n < 3; n++) await running.post(message('@builder build it'));
  const page = await open(browser(), running, { hash: at(running, 'settings') });
  await page.getByText('Version 1').waitFor();
  writeFileSync(config, `${FILE}    respondTo: ["human:nobody"]\n`);
  const taken = page.getByRole('region', { name: 'Taken from the file' });
  await taken.getByText('builder: respondTo').waitFor();
  await taken.getByText('3 of 6 decisions of the last week would differ').waitFor();
  expect(await violations(page)).toEqual([]);
  await shot(page, 'settings-taken');
  await taken.getByRole('button', { name: 'Take it back' }).click();
  await page.getByText('Version 3').waitFor();
  await eventually(() => taken.count()).toBe(0);
  expect(readFileSync(config, 'utf8')).toBe(FILE);
});

it('an agent is added, run with the token that is shown once, and answers the live test', async () => {
  const { running } = await host();
  const page = await open(browser(), running, { hash: at(running, 'settings') });
  await page.getByRole('button', { name: 'Add an agent' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an agent' });
  await dialog.getByLabel('Id', { exact: true }).fill('nova');
  await dialog.getByLabel('Roles, by commas').fill('oncall');
  await dialog.getByLabel('How it runs').selectOption('sdk');
  await dialog.getByRole('button', { name: 'Check' }).click();
  await dialog.getByText('nova is added, with role oncall').waitFor();
  await dialog.getByRole('button', { name: 'Add nova' }).click();
  const token = (await page.getByTestId('token').textContent()) ?? '';
  expect(token).toMatch(/^ear_a_/);
  expect(await page.getByTestId('line').textContent()).toContain(`EARSHOT_TOKEN=${token}`);
  await page.getByRole('button', { name: 'Test it' }).click();
  await page.getByText('waiting for nova to connect…').waitFor();
  await shot(page, 'settings-agent');

  const script = join(running.data, 'nova.mjs');
  writeFileSync(
    script,
    `import { connect } from ${JSON.stringify(resolve('src/agent/index.ts'))};
const agent = connect({ url: process.env.EARSHOT_URL, token: process.env.EARSHOT_TOKEN });
agent.onTurn(() => 'Nova hears you.');
`,
  );
  const env = childEnv({ EARSHOT_URL: `${running.url.replace('http', 'ws')}/c2a`, EARSHOT_TOKEN: token });
  const child = spawn(process.execPath, [script], { env, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await page.getByText('nova answered: Nova hears you.').waitFor();
  await page.getByText('nova is connected').waitFor();
});

it('the view is readable and usable in every look', async () => {
  const { running } = await host();
  for (const [scheme, size] of LOOKS) {
    const page = await open(browser(), running, {
      hash: at(running, 'settings'),
      scheme,
      viewport: SIZES[size],
    });
    for (const tab of ['Agents and rooms', 'The file', 'Versions']) {
      await page.getByRole('tab', { name: tab }).click();
      expect(await violations(page)).toEqual([]);
      await shot(page, `settings-${tab}-${scheme}-${size}`.replaceAll(' ', '-').toLowerCase());
    }
    await page.getByRole('button', { name: 'Add an agent' }).click();
    await page.getByRole('dialog').waitFor();
    await shot(page, `settings-add-${scheme}-${size}`);
    expect(await violations(page)).toEqual([]);
  }
});
