// `earshot up` as people run it: a real process, real sockets, a real file.
import { once } from 'node:events';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { childEnv, folder, harness, type Listening, message, run, up, until } from './up.ts';

describe('from a message to the reply', () => {
  it('the harness of the docs receives, acks and replies, the reply is pulled and acked once', async () => {
    const host = await up();
    const { tokens } = host;
    const agent = harness(host, 'lead');
    await agent.said('answer hello');
    const sent = message('@lead are you there?');
    expect((await host.post(sent)).status).toBe(202);

    const dev = tokens.surfaces['dev'];
    const outbox = async () =>
      (await host.call('GET', '/v1/outbox', dev)).body['messages'] as Record<string, unknown>[];
    const reply = await until(async () => (await outbox())[0]);
    expect(reply).toMatchObject({
      type: 'message',
      agent: 'lead',
      text: 'Hello Ada, I am here.',
      replyTo: sent.eventId,
      place: { workspaceId: 'local', conversationId: 'general' },
    });
    expect(await outbox()).toHaveLength(1); // again until it is acknowledged
    const ack = { key: reply['idempotencyKey'], platformId: 'p1' };
    expect((await host.call('POST', '/v1/outbox/ack', dev, ack)).body).toMatchObject({ state: 'visible' });
    expect((await host.call('POST', '/v1/outbox/ack', dev, ack)).body).toMatchObject({
      state: 'visible',
      platformId: 'p1',
    });
    expect(await outbox()).toEqual([]);

    const why = await run(['why', sent.eventId, 'lead', '--data', host.data], host.data);
    expect(why.err).toBe('');
    expect(why.out).toContain('lead must answer');
    expect(why.out).toContain('lead answered it.');
    expect(await host.stop()).toBe(0);
  });
});

describe('stopping and starting', () => {
  it('drains on SIGTERM: exit 0, sessions told, nothing left behind but data', async () => {
    const host = await up();
    const agent = harness(host, 'lead');
    await agent.said('answer hello');
    expect(await host.stop('SIGTERM')).toBe(0);
    await agent.said('closed 4503');
    expect(existsSync(join(host.data, 'host.json'))).toBe(false);
    expect(host.err()).toContain('"msg":"the host is down"');
  });

  it('ends at once on a second signal', async () => {
    const host = await up();
    // A request that never ends holds the drain open.
    const socket = await halfRequest(host);
    host.child.kill('SIGTERM');
    await until(
      async () =>
        host.err().includes('draining') ||
        (await host.call('GET', '/readyz').then(
          () => undefined,
          () => true,
        )),
    );
    host.child.kill('SIGINT');
    expect(await host.exit).toBe(130);
    socket.destroy();
  });

  it('is not held up by a connection on which nothing was ever asked', async () => {
    const host = await up();
    const silent = connect(Number(new URL(host.url).port), '127.0.0.1');
    await once(silent, 'connect');
    expect((await host.post(message('stored before the end'))).status).toBe(202);
    expect(await host.stop('SIGTERM')).toBe(0);
    silent.destroy();
  });

  it('says not ready while it drains, and still answers', async () => {
    const host = await up();
    const socket = await halfRequest(host);
    host.child.kill('SIGTERM');
    const ready = await until(async () => {
      const answer = await host.call('GET', '/readyz');
      return answer.status === 503 && answer;
    });
    expect(ready.headers.get('retry-after')).toBe('1');
    expect(ready.body).toMatchObject({ error: { code: 'unavailable' } });
    expect((await host.call('GET', '/healthz')).status).toBe(200);
    const refused = await host.post(message('too late'));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    socket.destroy();
    expect(await host.exit).toBe(0);
  });

  it('resumes by itself after kill -9: what was acknowledged is delivered to the next session', async () => {
    const first = await up();
    const sent = message('@lead remember this');
    expect((await first.post(sent)).status).toBe(202);
    expect(await first.stop('SIGKILL')).toBe(137);

    const second = await up({ data: first.data });
    const agent = harness(second, 'lead');
    await agent.said(`answer ${sent.eventId}`);
    const again = await second.post(sent);
    expect(again.body).toMatchObject({ events: [{ eventId: sent.eventId, status: 'repeat', seq: 1 }] });
    expect(await second.stop()).toBe(0);
  });

  it('takes the next free port when nobody asked for one and the usual one is busy, and says so', async () => {
    const usual = 7_575;
    const blocker = createServer().listen(usual, '127.0.0.1');
    // Somebody else may have it already, such as a host of whoever runs the tests. It is busy either way.
    await once(blocker, 'listening').catch(() => undefined);
    const data = folder();
    writeFileSync(join(data, 'earshot.yaml'), 'agents: [{ id: lead }]\n');
    const host = await up({ data, port: 'usual' });
    expect(host.line.busyPort).toBe(usual);
    expect(Number(new URL(host.url).port)).toBeGreaterThan(usual);
    expect((await host.call('GET', '/readyz')).status).toBe(200);
    await host.stop();
    blocker.close();
  });

  it('ends with one line when the port that was asked for is busy, by a flag or by the file', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as { port: number };
    const data = folder();
    const text = `agents: [{ id: lead }]\nhost: { listen: { port: ${port} } }\n`;
    writeFileSync(join(data, 'earshot.yaml'), text);
    const byFlag = await run(['up', '--port', String(port), '--data', data], data);
    expect([byFlag.code, byFlag.out]).toEqual([1, '']);
    expect(byFlag.err).toContain(`port ${port} is busy: choose another with --port, or 0 for any free one`);
    const byFile = await run(['up', '--data', data], data);
    expect([byFile.code, byFile.out]).toEqual([1, '']);
    expect(byFile.err).toContain(`earshot.yaml: host.listen.port: port ${port} is busy; write another one`);
    const elsewhere = await up({ data });
    expect(elsewhere.line.busyPort).toBeNull();
    await elsewhere.stop();
    blocker.close();
  });

  it.each([
    ['a file', 'file', 'ENOTDIR|EEXIST'],
    ['a folder in a file', 'file/deeper', 'ENOTDIR'],
    ['a place where nothing can be made', '/proc/earshot', 'ENOENT|EACCES'],
  ])('ends at once with one line when its data folder is %s', async (_, path, code) => {
    const here = folder();
    writeFileSync(join(here, 'file'), 'not a folder');
    const asked = await run(
      ['up', '--port', '0', '--data', join(path.startsWith('/') ? '' : here, path)],
      here,
    );
    expect([asked.code, asked.out]).toEqual([1, '']);
    expect(asked.err).toMatch(
      new RegExp(`^earshot: \\S+ cannot be made \\((?:${code})\\): choose another with --data DIR\n$`),
    );
  });

  it('lets one host use a folder', async () => {
    const host = await up();
    const second = await run(['up', '--port', '0', '--data', host.data], host.data);
    expect(second.code).toBe(1);
    expect(second.err).toMatch(/another Earshot is using .*earshot\.db \(pid \d+\)/);
    await host.stop();
  });
});

/** Announces a body that never comes. */
/** With a token: a stranger's request is refused before its body, and holds nothing open. */
async function halfRequest({ url, tokens }: Listening) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(
    `POST /v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${tokens.surfaces['dev']}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`,
  );
  // The host answers the next request on another connection: by then it has read this one's head.
  await fetch(`${url}/healthz`);
  return socket;
}

describe('who may reach it', () => {
  it('does not listen wider than loopback without a token, and does with one', async () => {
    const data = folder();
    const refused = await run(['up', '--host', '0.0.0.0', '--port', '0', '--data', data], data);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('not listening on 0.0.0.0');
    expect(refused.err).toContain('earshot token create');

    const made = await run(
      ['token', 'create', '--kind', 'operator', '--subject', 'ops', '--data', data],
      data,
    );
    expect(made.code).toBe(0);
    const token = made.out.trim();
    const host = await up({ data, argv: ['--host', '0.0.0.0'] });
    expect((await host.call('GET', '/metrics')).status).toBe(401);
    expect((await host.call('GET', '/metrics', token)).status).toBe(200);
    expect(existsSync(join(data, 'tokens.json'))).toBe(false); // tokens are the operator's own now
    await host.stop();
  });

  it('keeps folder and tokens to their owner', async () => {
    const parent = folder();
    const data = join(parent, 'deep', 'er');
    const host = await up({ data, cwd: parent });
    expect(statSync(data).mode & 0o777).toBe(0o700);
    expect(statSync(join(data, 'tokens.json')).mode & 0o777).toBe(0o600);
    await host.stop();
  });

  it('a revoked token is refused from then on, and its connection is closed', async () => {
    const host = await up();
    const agent = harness(host, 'lead');
    await agent.said('answer hello');
    const list = await run(['token', 'list', '--json', '--data', host.data], host.data);
    const rows = list.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { key: string; kind: string; subject: string });
    const key = rows.find(({ kind, subject }) => kind === 'agent' && subject === 'lead')?.key ?? '';
    const revoked = await run(['token', 'revoke', key.slice(0, 10), '--data', host.data], host.data);
    expect(revoked).toMatchObject({ code: 0, err: '' });
    await agent.said('closed 4401');
    const call = await host.call('POST', '/c2a', host.tokens.agents['lead'], {
      jsonrpc: '2.0',
      id: 1,
      method: 'ping',
    });
    expect(call.status).toBe(401);
    expect(call.text).toContain('has been revoked');
    await host.stop();
  });
});

describe('configuration', () => {
  it('a flag counts before the environment, that before the file', async () => {
    const cwd = folder();
    writeFileSync(
      join(cwd, 'earshot.yaml'),
      `agents: [{ id: nova }]\nhost:\n  dataDir: ${join(cwd, 'file')}\n`,
    );
    const [byFile, byEnv, byFlag] = [join(cwd, 'file'), join(cwd, 'env'), join(cwd, 'flag')];
    mkdirSync(byFlag);
    const { data: _, ...host } = { ...(await upIn(cwd, {}, [])) };
    expect(host.dataDir).toBe(byFile);
    expect(host.agents).toEqual(['nova']);
    expect((await upIn(cwd, { EARSHOT_DATA: byEnv }, [])).dataDir).toBe(byEnv);
    expect((await upIn(cwd, { EARSHOT_DATA: byEnv }, ['--data', byFlag])).dataDir).toBe(byFlag);
  });

  it.each<[string, string]>([
    [
      'host: { listen: { port: 99999 } }\n',
      'earshot.yaml:2: host.listen.port: expected at most 65535; write: port: 7575',
    ],
    ['host: { lissen: {} }\n', 'earshot.yaml:2: host.lissen: unknown key; did you mean "listen"?'],
    [
      'host: { sources: [{ id: a, url: "https://x.example" }] }\n',
      'host.sources[0]: "a" has a url, so it needs a secret',
    ],
  ])('%j is told with line, key and what to write', async (text, said) => {
    const cwd = folder();
    writeFileSync(join(cwd, 'earshot.yaml'), `agents: [{ id: nova }]\n${text}`);
    const ran = await run(['up', '--port', '0'], cwd);
    expect(ran.code).toBe(1);
    expect(ran.err).toContain(said);
  });

  it.each<[string[], string]>([
    [['up', '--port', 'http'], '--port: "http" is no port'],
    [['up', '--log', 'loud'], '--log: "loud" is not known'],
    [['up', 'now'], '"now" is one argument too many'],
  ])('%j is wrong usage', async (argv, said) => {
    const ran = await run(argv, folder());
    expect(ran.code).toBe(2);
    expect(ran.err).toContain(said);
  });
});

async function upIn(cwd: string, env: Record<string, string>, argv: string[]) {
  const { spawn } = await import('node:child_process');
  const { MAIN } = await import('./up.ts');
  const child = spawn(process.execPath, [MAIN, 'up', '--json', ...argv], {
    cwd,
    env: childEnv({ EARSHOT_PORT: '0', ...env }),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [chunk] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  child.kill('SIGTERM');
  await once(child, 'close');
  return JSON.parse(chunk) as { dataDir: string; agents: string[]; data?: undefined };
}
