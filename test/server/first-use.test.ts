// What a newcomer types in the first ten minutes: the banner's lines, `say`, and the ten-line agent, as they are printed.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/agent/index.ts';
import { openWebTalk } from '../../src/cli/web-talk.ts';
import { earshot } from '../replay/fake-io.ts';
import { upHere } from './here.ts';
import { childEnv, folder, MAIN, until } from './up.ts';

const ANSWER = /^Lead: I am here/m;
const silent = (): void => undefined;

/** A line as a shell reads it. */
function words(line = ''): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

describe('earshot say', () => {
  it('speaks in the room of the page, prints who must answer and then the answer', async () => {
    const host = await upHere({ demo: true });
    const said = await earshot(['say', '@lead are you there?', '--data', host.data]);
    expect(said).toMatchObject({ code: 0, err: '' });
    expect(said.out).toContain('lead must answer: it is mentioned.');
    expect(said.out).toMatch(ANSWER);
    const tab = await openWebTalk(host.url, host.tokens.people['you'] ?? '', () => undefined);
    const { messages } = await tab.ask('open', { conversation: 'general' });
    tab.close();
    expect(messages.map(({ author, text }) => [author.id, text])).toEqual([
      ['you', '@lead are you there?'],
      ['lead', expect.stringMatching(/^I am here/)],
    ]);
    await host.stop();
  });

  it('finds rooms by their names, knows direct messages, and says what it cannot find', async () => {
    const host = await upHere({ demo: true });
    const at = (...argv: string[]) => earshot(['say', ...argv, '--data', host.data]);
    const tab = await openWebTalk(host.url, host.tokens.people['you'] ?? '', () => undefined);
    await tab.ask('create', { kind: 'channel', key: 'k1', name: 'Release Plans' });
    tab.close();
    const quiet = await at('hello all', '--in', '#release plans', '--json');
    expect(JSON.parse(quiet.out)).toMatchObject({ conversation: 'release-plans', answers: [] });
    expect((await at('are you there?', '--dm', 'lead')).out).toMatch(ANSWER);
    expect(await at('hi', '--in', 'genral')).toMatchObject({
      code: 1,
      err: 'earshot: there is no room "genral"; did you mean "general"?\n',
    });
    expect((await at('hi', '--as', 'yuo')).err).toContain(
      'has no token of a person "yuo"; did you mean "you"?',
    );
    expect((await at('hi', '--dm', 'nobody')).code).toBe(1);
    expect((await at('hi', '--wait', 'long')).err).toContain('--wait: "long" is no time');
    await host.stop();
  });

  it('says when nobody was asked, and how to choose', async () => {
    const host = await upHere({ config: configOf('agents: [{ id: lead }, { id: builder }]') });
    const said = await earshot(['say', 'I had lunch', '--data', host.data]);
    expect(said.out).toContain('Nobody was asked: use @ to choose who answers, such as @lead.');
    const typed = await earshot(['say', '@laed are you there?', '--data', host.data]);
    expect(typed.out).toContain('Nobody here is called “laed”: use @ to choose who answers, such as @lead.');
    await host.stop();
  });

  it('waits for those who only may answer', async () => {
    const host = await upHere({ demo: true });
    const said = await earshot(['say', '@oncall is the build green?', '--data', host.data]);
    expect(said.out).toContain('builder may answer');
    expect(said.out).toMatch(/^(Builder|Reviewer): \S/m);
    expect(said.out).not.toContain('Nobody');
    await host.stop();
  });

  it('says when somebody who may answer stays quiet, or is not there', async () => {
    const host = await upHere({ config: configOf('agents: [{ id: lead, name: Lead }]') });
    const { url, tokens, data } = host;
    const agent = connect({ url, token: tokens.agents['lead'] ?? '', compose: { quietMs: 20 } });
    agent.onTurn(() => '');
    onTestFinished(() => agent.close());
    const quiet = await earshot(['say', 'We have watered the plants', '--data', data]);
    expect(quiet.out).toContain('lead may answer');
    expect(quiet.out).toMatch(/Nobody had to answer, and nobody did\.\n$/);
    await agent.close();
    const away = await earshot(['say', '@lead are you there?', '--data', data, '--wait', '1']);
    expect(away.out).toContain(
      'Lead is offline and gets it when it is back. Waiting 1 s at most; Ctrl-C ends that.\n',
    );
    const alone = await earshot(['say', 'We have moved the plants', '--data', data, '--wait', '1']);
    expect(alone.out).toMatch(/Not waiting any longer; .*\n$/);
    await host.stop();
  });
});

function configOf(yaml: string): string {
  const file = join(folder(), 'earshot.yaml');
  writeFileSync(file, `${yaml}\n`);
  return file;
}

describe('names that people see', () => {
  it('find a room in the log, and the page’s room where a source has one of the same name', async () => {
    const host = await upHere();
    await earshot(['say', 'on the page', '--wait', '0', '--data', host.data]);
    const event = {
      eventId: 'd1',
      at: 1,
      platform: 'dev',
      workspaceId: 'local',
      conversation: { id: 'general', kind: 'channel' },
      author: { id: 'u', kind: 'human' },
      type: 'message',
      text: 'from a source',
    };
    await host.post(event);
    const operator = (path: string) => host.call('GET', path, host.tokens.operator);
    const texts = async (name: string) => {
      const { body } = await operator(`/v1/log?conversation=${encodeURIComponent(name)}`);
      return (body['log'] as { text?: string }[]).flatMap(({ text }) => text ?? []);
    };
    expect(await texts('general')).toEqual(['on the page']);
    expect(await texts('#General')).toEqual(['on the page']);
    expect(await texts('c/dev/local/general')).toEqual(['from a source']);
    const none = await operator('/v1/log?conversation=nowhere');
    expect([none.status, JSON.stringify(none.body)]).toEqual([
      404,
      expect.stringContaining('no conversation'),
    ]);
    await host.stop();
  });
});

describe('the ten-line agent', () => {
  it('runs as the README prints it, in the folder of a host, with nothing set', async () => {
    const host = await upHere();
    const code =
      /```ts\n(import \{ connect \}[\s\S]+?)```/.exec(readFileSync('README.md', 'utf8'))?.[1] ?? '';
    const work = folder();
    mkdirSync(join(work, 'node_modules'));
    symlinkSync(resolve('.'), join(work, 'node_modules', 'earshot'));
    symlinkSync(host.data, join(work, '.earshot'));
    writeFileSync(
      join(work, 'agent.ts'),
      code.replace("'earshot/agent'", `'${resolve('src/agent/index.ts')}'`),
    );
    const agent = spawn(process.execPath, ['agent.ts'], { cwd: work, env: childEnv(), stdio: 'ignore' });
    onTestFinished(() => void agent.kill('SIGKILL'));
    await until(async () => {
      const { body } = await host.call('GET', '/v1/agents', host.tokens.operator);
      return JSON.stringify(body).includes('"connected":true');
    });
    const said = await earshot(['say', '@lead hello', '--data', host.data]);
    expect(said.out).toMatch(/^Lead: I read \d+ characters\.$/m);
    await host.stop();
  });

  it.each(['http://HOST', 'http://HOST/', 'ws://HOST', 'ws://HOST/c2a', 'http://HOST/c2a'])(
    'connects to %s',
    async (form) => {
      const host = await upHere();
      const url = form.replace('HOST', new URL(host.url).host);
      const agent = connect({ url, token: host.tokens.agents['lead'] });
      await until(() => Promise.resolve(agent.status === 'ready'));
      await agent.close();
      await host.stop();
    },
  );

  it('says which address was wrong', async () => {
    const lines: string[] = [];
    const warn = ({ err }: Record<string, unknown>): void => void lines.push(String(err));
    const log = { debug: silent, info: silent, warn, error: silent };
    const agent = connect({ url: 'http://127.0.0.1:9', token: 'ear_a_none', log });
    await until(() => Promise.resolve(lines.length > 0));
    await agent.close();
    expect(lines[0]).toMatch(/no connection to ws:\/\/127\.0\.0\.1:9\/c2a.*: is a host running there\?/);
    expect(() => connect({ url: '127.0.0.1:7575', token: 'x' })).toThrow(/is no address; write for example/);
  });
});

describe('earshot token show', () => {
  it('prints what a shell needs to be an agent', async () => {
    const host = await upHere();
    const at = (...argv: string[]) => earshot(['token', 'show', ...argv, '--data', host.data]);
    const token = host.tokens.agents['lead'] ?? '';
    expect((await at('lead')).out).toBe(`${token}\n`);
    expect((await at('lead', '--env')).out).toBe(
      `export EARSHOT_URL=${host.url}\nexport EARSHOT_TOKEN=${token}\n`,
    );
    expect(await at('leed')).toMatchObject({ code: 1, err: expect.stringContaining('did you mean "lead"?') });
    await host.stop();
  });
});

describe('the banner', () => {
  it('prints lines that work when they are pasted', async () => {
    const data = folder();
    const child = spawn(process.execPath, [MAIN, 'up', '--port', '0', '--data', data], {
      cwd: data,
      env: childEnv({ npm_command: 'run-script' }),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => void (printed += chunk.toString()));
    await until(() => Promise.resolve(printed.includes('Ctrl-C stops it.')));
    expect(printed).toContain('a demo, because there is no ./earshot.yaml here');
    expect(printed).toContain(data);
    const pasted = [...printed.matchAll(/^ {2}npx earshot (.+?) {3}/gm)].map(([, line = '']) => line.trim());
    expect(pasted.map((line) => line.split(' ', 1)[0])).toEqual(['say', 'tail', 'why']);
    const said = await earshot(words(pasted[0]));
    expect(said.err).toBe('');
    expect(said.out).toMatch(ANSWER);
    expect((await earshot([...words(pasted[1]), '--once'])).out).toContain('are you there?');
    expect((await earshot(words(pasted[2]))).out).toContain('lead must answer');
  });

  it.each([
    ['npm start', { npm_command: 'run-script' }, 'npx earshot', 'npm start -- --demo'],
    ['earshot up', {}, 'earshot', 'earshot up --demo'],
  ])(
    "after %s with a file of one's own says how an agent connects, and how the demo plays",
    async (_, env, name, demo) => {
      const data = folder();
      writeFileSync(join(data, 'earshot.yaml'), 'agents: [{ id: nova }, { id: lead }]\n');
      const child = spawn(process.execPath, [MAIN, 'up', '--port', '0'], {
        cwd: data,
        env: childEnv(env),
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      let printed = '';
      child.stdout.on('data', (chunk: Buffer) => void (printed += chunk.toString()));
      await until(() => Promise.resolve(printed.includes('Ctrl-C stops it.')));
      expect(printed).toContain(`  ${name} run --agent nova -- claude -p  `);
      expect(printed).toContain(`"${demo}" lets scripts play lead\n`);
    },
  );
});
