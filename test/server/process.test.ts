// `earshot up` as people run it: a real process, real sockets, a real file.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { childEnv, folder, harness, message, run, up, until } from './up.ts';

describe('from a message to the reply', () => {
  it('the line of the banner works, the harness of the docs receives, acks and replies, the reply is pulled and acked once', async () => {
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

  it('prints a curl line that can be pasted, more than once', async () => {
    const data = folder();
    const { child, out } = await plainUp(data);
    const line =
      out()
        .split('\n')
        .find((text) => text.startsWith('curl ')) ?? '';
    const { stdout } = await promisify(execFile)('bash', ['-c', line]);
    expect(JSON.parse(stdout)).toMatchObject({ events: [{ status: 'accepted', seq: 1 }] });
    expect(out()).toContain('a demo, because there is no ./earshot.yaml here');
    expect(out()).toContain(data);
    child.kill('SIGTERM');
    await once(child, 'close');
  });
});

async function plainUp(data: string) {
  const { spawn } = await import('node:child_process');
  const { MAIN } = await import('./up.ts');
  const child = spawn(process.execPath, [MAIN, 'up', '--port', '0', '--data', data], {
    cwd: data,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  child.stdout.setEncoding('utf8');
  while (!text.includes('Ctrl-C')) text += String((await once(child.stdout, 'data'))[0]);
  return { child, out: () => text };
}

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
    const socket = await halfRequest(host.url);
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

  it('says not ready while it drains, and still answers', async () => {
    const host = await up();
    const socket = await halfRequest(host.url);
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

  it('takes the next free port when its own is busy, and says so', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as { port: number };
    const host = await up({ argv: ['--port', String(port)] });
    expect(host.line.busyPort).toBe(port);
    expect(Number(new URL(host.url).port)).toBeGreaterThan(port);
    expect((await host.call('GET', '/readyz')).status).toBe(200);
    blocker.close();
    await host.stop();
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
async function halfRequest(url: string) {
  const { connect } = await import('node:net');
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(
    'POST /v1/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
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
