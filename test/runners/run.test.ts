// `earshot run` as people run it: a real host process, the command as a process beside it, a real program.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { earshot } from '../replay/fake-io.ts';
import { upHere } from '../server/here.ts';
import { folder, message, run, until } from '../server/up.ts';
import { putProgram, start } from './earshot-run.ts';
import { program } from './program.ts';
import { startProvider } from './provider/server.ts';

describe('beside a running host', () => {
  it('a program answers what is posted, without a token in its environment', async () => {
    const host = await upHere();
    const token = host.tokens.agents['lead'] ?? '';
    const file = program(`const leaks = Object.values(process.env).some((value) => value.includes('ear_a_'));
      console.error('thinking');
      console.log(process.env.EARSHOT_AGENT + ' heard ' + /tests are (\\w+)/.exec(prompt)[1] + (leaks ? ' and leaks' : ''));`);
    const running = start(host, ['--agent', 'lead', '--timeout', '1m', '--', process.execPath, file], {
      EARSHOT_TOKEN: token,
      COPY: token,
    });
    const sent = message('@lead the tests are red, have a look');
    expect((await host.post(sent)).status).toBe(202);
    const dev = host.tokens.surfaces['dev'];
    const reply = await until(
      async () =>
        ((await host.call('GET', '/v1/outbox', dev)).body['messages'] as Record<string, unknown>[])[0],
    );
    expect(reply).toMatchObject({ agent: 'lead', text: 'lead heard red', replyTo: sent.eventId });
    await running.said('answered');
    expect(running.err()).toContain('earshot run: | thinking\n');
    expect(running.err()).not.toContain(token);
    running.child.kill('SIGTERM');
    expect(await running.exit).toBe(0);
    expect(await host.stop()).toBe(0);
  });

  it('a signal ends the program too, and leaves the question to the next session', async () => {
    const host = await upHere();
    const file =
      program(`process.on('SIGTERM', () => { appendFileSync(here + '/stopped', '1'); process.exit(); });
      if (nth === 2) { console.log('second session'); process.exit(); }
      console.error('ready'); setInterval(() => {}, 1_000_000);`);
    const argv = ['--agent', 'lead', '--', process.execPath, file];
    const first = start(host, argv);
    await host.post(message('@lead are you there?'));
    await first.said('| ready');
    first.child.kill('SIGINT');
    expect(await first.exit).toBe(0);
    expect(existsSync(join(dirname(file), 'stopped'))).toBe(true);
    expect(first.err()).not.toContain('the handler failed');
    const second = start(host, argv);
    await second.said('answered');
    second.child.kill('SIGTERM');
    expect(await second.exit).toBe(0);
    expect(await host.stop()).toBe(0);
  });

  it('a model answers with its tools, and a signal ends it in order while it thinks', async () => {
    const provider = await startProvider(async ({ nth, last, system, hungUp }) => {
      if (nth === 1) return { toolCalls: [{ name: 'chat_read_thread' }] };
      if (nth === 2) return `${/Be \w+/.exec(system)?.[0]}: ${/tests are (\w+)/.exec(last)?.[1]}`;
      await hungUp;
      return 'late';
    });
    onTestFinished(() => provider.close());
    const host = await upHere();
    const instructions = join(host.data, 'lead.md');
    writeFileSync(instructions, 'Be brief.\n');
    const running = start(
      host,
      ['--agent', 'lead', '--model', 'anthropic/claude-haiku-4-5', '--instructions', instructions],
      { ANTHROPIC_API_KEY: provider.key, ANTHROPIC_BASE_URL: provider.anthropicUrl },
    );
    const sent = message('@lead the tests are red, have a look');
    await host.post(sent);
    await running.said('answered');
    const { body } = await host.call('GET', '/v1/outbox', host.tokens.surfaces['dev']);
    expect(body['messages']).toMatchObject([{ agent: 'lead', text: 'Be brief: red', replyTo: sent.eventId }]);
    expect(running.err()).toContain('lead answers with anthropic/claude-haiku-4-5');
    await running.said('the model ran steps=2 tokensIn=200');
    await host.post(message('@lead and the deploy?', { conversation: { id: 'other', kind: 'channel' } }));
    const third = await provider.request(3);
    running.child.kill('SIGTERM');
    await third.hungUp;
    expect(await running.exit).toBe(0);
    expect(running.err()).not.toContain('failed');
    expect(running.err()).not.toContain(provider.key);
    expect(provider.refusals).toEqual([]);
    expect(await host.stop()).toBe(0);
  });

  it('an ACP agent is started once, answers, and ends with the command', async () => {
    const host = await upHere();
    const file = join(import.meta.dirname, 'acp/agent.ts');
    const running = start(host, ['--agent', 'lead', '--acp', '--', process.execPath, file, host.data]);
    await host.post(message('@lead !say hello'));
    await running.said('answered');
    const { body } = await host.call('GET', '/v1/outbox', host.tokens.surfaces['dev']);
    expect(body['messages']).toMatchObject([{ agent: 'lead', text: 'I was asked: hello' }]);
    running.child.kill('SIGTERM');
    expect(await running.exit).toBe(0);
    expect(await host.stop()).toBe(0);
  });

  it('an ACP agent has the chat tools over MCP: what it sends with them is its answer, once', async () => {
    const host = await upHere();
    const file = join(import.meta.dirname, 'acp/agent.ts');
    const argv = ['--agent', 'lead', '--acp', '--', process.execPath, file, folder(), 'http,load'];
    const running = start(host, argv);
    const sent = message('@lead !chattool');
    await host.post(sent);
    await running.said('answered with the chat tools');
    const messages = await until(async () => {
      const { body } = await host.call('GET', '/v1/outbox', host.tokens.surfaces['dev']);
      const list = body['messages'] as Record<string, unknown>[];
      return list.length > 0 ? list : undefined;
    });
    expect(messages).toMatchObject([{ agent: 'lead', text: 'by tool', replyTo: sent.eventId }]);
    expect(running.err()).toContain('/mcp?for=turn');
    // Even an agent that logs what it was given does not bring the token into our log.
    expect(running.err()).not.toContain('ear_a_');
    running.child.kill('SIGTERM');
    expect(await running.exit).toBe(0);
    // Its session is kept for the next start.
    expect(readFileSync(join(host.data, 'runners', 'lead.json'), 'utf8')).toContain('"s1"');
    expect(await host.stop()).toBe(0);
  });

  it('a known program is found, called with its flags, and named when it runs commands unasked', async () => {
    const bin = folder();
    for (const name of ['claude', 'pi']) putProgram(bin, name, 'program.ts');
    const env = { PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` };
    const host = await upHere();
    const running = start(
      host,
      ['--agent', 'lead', '--with', 'claude', '--model', 'opus', '--cwd', bin],
      env,
    );
    await host.post(message('@lead how is it?'));
    await running.said('answered event');
    expect(running.err()).not.toContain('take care');
    running.child.kill('SIGTERM');
    expect(await running.exit).toBe(0);
    const called = readFileSync(join(bin, 'calls'), 'utf8');
    expect(called).toContain('["-p","--output-format","json","--model","opus",');
    const second = start(host, ['--agent', 'lead', '--with', 'pi'], env);
    await second.said('take care: pi edits files and runs commands without asking anybody');
    second.child.kill('SIGTERM');
    expect(await second.exit).toBe(0);
    const none = ['run', '--agent', 'lead', '--data', host.data, '--with', 'codex'];
    const { code, err } = await run(none, bin, { PATH: bin });
    expect([code, err]).toEqual([
      1,
      'earshot: run: "codex" was not found; install it: npm i -g @openai/codex\n',
    ]);
    expect(await host.stop()).toBe(0);
  });

  it('a key that is refused is said in a line, without the key', async () => {
    const provider = await startProvider(() => 'never');
    onTestFinished(() => provider.close());
    const host = await upHere();
    const running = start(host, ['--agent', 'lead', `--model=${provider.openaiUrl}#llama`], {
      EARSHOT_MODEL_KEY: 'sk-wrong-0123456789',
    });
    await host.post(message('@lead are you there?'));
    await running.said('the handler failed: the provider does not take the key (401): check the API key');
    expect(running.err()).not.toContain('0123456789');
    running.child.kill('SIGTERM');
    expect(await running.exit).toBe(0);
    await host.stop();
  });

  it('a token that is refused, or for another agent, ends it with the reason', async () => {
    const host = await upHere();
    const argv = ['run', '--agent', 'lead', '--data', host.data, '--', 'cat'];
    const refused = await run(argv, host.data, { EARSHOT_TOKEN: `ear_a_${'x'.repeat(43)}` });
    const other = await run(argv, host.data, { EARSHOT_TOKEN: host.tokens.agents['builder'] ?? '' });
    for (const { code, err } of [refused, other]) {
      expect(code).toBe(1);
      expect(err).toContain('the host does not take this token for this agent');
    }
    await host.stop();
  });
});

describe('what is wrong is said at once, in one line', () => {
  const data = folder();
  const plain = join(data, 'plain.sh');
  writeFileSync(plain, '');
  chmodSync(plain, 0o644);
  const known = join(data, 'known');
  mkdirSync(known);
  writeFileSync(join(known, 'tokens.json'), JSON.stringify({ agents: { lead: 'x', builder: 'y' } }));

  it.each<[string[], number, string]>([
    [
      ['--agent', 'lead', 'claude', '-p'],
      2,
      'put the program after "--", such as: earshot run --agent lead -- claude -p',
    ],
    [[], 2, 'put the program after "--"'],
    [['--agent', 'lead', '--'], 2, 'name the program after "--"'],
    [['--', 'cat'], 2, 'say as which agent with --agent ID'],
    [
      ['--agent', 'lead', '--model', 'openai/x', '--', 'cat'],
      2,
      'a model or a program, not both: drop --model, or "--" and all after it',
    ],
    [['--agent', 'lead', '--acp', '--model', 'openai/x'], 2, 'put the program after "--"'],
    [['--agent', 'lead', '--with', 'cluade'], 2, '--with: "cluade" is not known; did you mean "claude"?'],
    [['--agent', 'lead', '--with', 'pi', '--acp'], 2, 'drop --with or --acp'],
    [['--agent', 'lead', '--with', 'pi', '--mode', 'plan'], 2, 'pi has no --mode: drop it'],
    [['--agent', 'lead', '--with', 'pi', '--approver', 'U1'], 2, '--approver is for an ACP agent (--acp)'],
    [['--agent', 'lead', '--mode', 'plan', '--', 'cat'], 2, '--mode is for an ACP agent (--acp) or a known'],
    [['--agent', 'lead', '--model', 'openai/x', '--cwd', '.'], 2, '--cwd is for a program'],
    [['--agent', 'lead', '--cwd', './nowhere', '--', 'cat'], 1, '--cwd ./nowhere is no folder'],
    [
      ['--agent', 'lead', '--acp', '--approver', 'agent:builder', '--', 'cat'],
      2,
      '--approver: "agent:builder" is no person; write for example human:U1',
    ],
    [['--agent', 'lead', '--acp', 'gemini'], 2, 'put the program after "--"'],
    [['--agent', 'lead', '--acp', '--'], 2, 'name the program after "--"'],
    [['--agent', 'lead', '--acp', '--', 'earshot-nothing'], 1, '"earshot-nothing" was not found'],
    [['--agent', 'lead', '--model'], 2, '--model needs a value'],
    [['--agent', 'lead', '--model', 'gpt-5', 'cat'], 2, '"cat" is one argument too many'],
    [['--agent', 'lead', '--model', 'gpt-5'], 2, '"gpt-5" is no model: write openai/gpt-5'],
    [['--agent', 'lead', '--model', 'http://127.0.0.1:1'], 2, 'such as http://127.0.0.1:1/v1#llama3.2'],
    [['--model', 'http://127.0.0.1:1#llama'], 2, 'say as which agent with --agent ID'],
    [
      ['--agent', 'lead', '--model', 'http://127.0.0.1:1#llama', '--instructions', 'nowhere.md'],
      1,
      '--instructions nowhere.md cannot be read (ENOENT): is the path right?',
    ],
    [
      ['--agent', 'lead', '--instructions', 'x.md', '--', 'cat'],
      2,
      '--instructions are for a model: drop it, or name a model with --model',
    ],
    [['lead', '--', 'cat'], 2, '"lead" is one argument too many'],
    [['--agnet', 'lead', '--', 'cat'], 2, 'did you mean "--agent"?'],
    [['--agent', 'lead', '--timeout', '5', '--', 'cat'], 2, '--timeout: "5" is no time; write 90s, 5m or 1h'],
    [['--agent', 'lead', '--timeout', '0s', '--', 'cat'], 2, '--timeout: "0s" is no time'],
    [['--agent', 'lead', '--timeout', '25h', '--', 'cat'], 2, 'at most 24h'],
    [
      ['--agent', 'lead', '--', 'earshot-nothing'],
      1,
      '"earshot-nothing" was not found; is it installed, and on the PATH?',
    ],
    [['--agent', 'lead', '--', './nothing'], 1, '"./nothing" was not found; is the path right?'],
    [
      ['--agent', 'lead', '--', 'cat -u'],
      1,
      '"cat -u" was not found; there is no shell: write -- cat -u without the quotes',
    ],
    [['--agent', 'lead', '--', plain], 1, 'is not executable; "chmod +x" makes it so'],
    [['--agent', 'lead', '--data', data, '--', 'cat'], 1, 'has no token for "lead"; set EARSHOT_TOKEN'],
    [['--agent', 'laed', '--data', known, '--', 'cat'], 1, 'has no token for "laed"; did you mean "lead"?'],
    [['--agent', 'lead', '--data', known, '--', 'cat'], 1, 'no host runs on'],
    [
      ['--agent', 'lead', '--data', known, '--url', 'nowhere', '--', 'cat'],
      2,
      '--url: "nowhere" is no address',
    ],
  ])('earshot run %j', async (argv, code, said) => {
    const ran = await earshot(['run', ...argv]);
    expect([ran.code, ran.out]).toEqual([code, '']);
    expect(ran.err).toContain(said);
    expect(ran.err.trimEnd().split('\n')).toHaveLength(1);
  });
});
