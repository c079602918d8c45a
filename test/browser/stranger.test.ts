// A stranger with a fresh clone: from nothing to a first answer of an agent of their own. They read the banner and the page,
// and type two commands: the README's, and the line that the page gives them.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { childEnv, folder, until } from '../server/up.ts';
import { useBrowser } from './browser.ts';
import { say } from './chat-people.ts';
import { eventually, shot, WIDE } from './page.ts';

const browser = useBrowser();

/** Everything that was typed, each in a process group of its own. */
class Terminal {
  readonly typed: string[] = [];
  readonly #folder: string;
  #printed = '';

  constructor(where: string) {
    this.#folder = where;
  }

  get printed(): string {
    return this.#printed;
  }

  type(line: string): void {
    this.typed.push(line);
    const child = spawn('sh', ['-c', line], {
      cwd: this.#folder,
      // Any free port: others run on this machine.
      // And npm has something to warn about, as it has with an older Node. That is no concern of a stranger's.
      env: childEnv({ EARSHOT_PORT: '0', npm_config_what_nobody_knows: '1' }),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => void (this.#printed += chunk.toString()));
    onTestFinished(() => {
      try {
        process.kill(-(child.pid ?? 0), 'SIGKILL');
      } catch {
        // it has ended
      }
    });
  }
}

it('gets a first answer of their own agent with two commands, reading only the banner and the page', async () => {
  const clone = join(folder(), 'earshot');
  execFileSync('git', ['clone', '--quiet', '--local', '--no-hardlinks', '.', clone]);
  // What npm would install is here already.
  symlinkSync(resolve('node_modules'), join(clone, 'node_modules'));
  const terminal = new Terminal(clone);
  terminal.type('npm start');
  await until(() => Promise.resolve(terminal.printed.includes('Ctrl-C stops it.')));
  const link = /open (http:\/\/\S+)/.exec(terminal.printed)?.[1] ?? '';

  const context = await browser().newContext({ viewport: WIDE, locale: 'en-US' });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Add an agent' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an agent' });
  await dialog.getByLabel('Id', { exact: true }).fill('nova');
  await dialog.getByLabel('How it runs').selectOption('command');
  await dialog.getByRole('button', { name: 'Check' }).click();
  await dialog.getByRole('button', { name: 'Add nova' }).click();
  const line = (await page.getByTestId('line').textContent()) ?? '';
  terminal.type(line);
  await page.getByRole('button', { name: 'Test it' }).click();
  await page.getByText(/nova answered: I read \d+ characters\./).waitFor();
  await shot(page, 'stranger-tested');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

  await page.getByRole('link', { name: 'Chat' }).click();
  await say(page, '@nova are you there?');
  const answer = page.locator('.message').filter({ hasText: /^.*I read \d+ characters\./s });
  await eventually(() => answer.count()).toBe(1);
  await shot(page, 'stranger-answered');
  expect(terminal.printed).not.toContain('npm warn');
  expect(terminal.typed).toEqual(['npm start', expect.stringContaining('npx earshot run --agent nova')]);

  // The ten lines of the README run as they stand there, in the clone itself.
  const [, lines = ''] =
    /## An agent in ten lines\n\n```ts\n(.*?)```/s.exec(readFileSync('README.md', 'utf8')) ?? [];
  expect(lines).toContain("connect({ agent: 'lead' })");
  writeFileSync(join(clone, 'agent.ts'), lines);
  terminal.type('node agent.ts');
  await until(() => Promise.resolve(terminal.printed.includes('another program answers for this agent now')));
  await say(page, '@lead how much have you read?');
  await eventually(() => answer.count()).toBe(2);
}, 300_000);
