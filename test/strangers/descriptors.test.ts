// A real process with few file descriptors. It says so when it starts, keeps room for those who have a token whatever
// strangers do, says when it has run out, lives on, and is as before when they have gone.
import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { childEnv, folder, Listening, MAIN, message, run, until } from '../server/up.ts';
import { crowd, stranger, type Stranger } from './crowd.ts';

class Small extends Listening {
  err: () => string = () => '';
  pid = 0;
  override stop = (): Promise<number> => Promise.resolve(0);

  /** Files that are open stay open. */
  lower(descriptors: number): void {
    expect(spawnSync('prlimit', ['--pid', String(this.pid), `--nofile=${descriptors}:`]).status).toBe(0);
  }

  async metric(name: string): Promise<number> {
    const { text } = await this.call('GET', '/metrics', this.tokens.operator);
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  }
}

/** `earshot up` under `ulimit -n`. */
async function small(descriptors: number): Promise<Small> {
  const data = folder();
  const argv = [MAIN, 'up', '--json', '--no-demo', '--port', '0', '--data', data];
  const child = spawn(
    'bash',
    ['-c', `ulimit -n ${descriptors} && exec "$0" "$@"`, process.execPath, ...argv],
    {
      cwd: data,
      env: childEnv(),
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('close', () => reject(new Error(err)));
  });
  const host = new Small(data, (JSON.parse(line) as { url: string }).url);
  host.err = () => err;
  host.pid = child.pid ?? 0;
  return host;
}

const LIMIT = 160;

const asked = (path: string, token: string, method = 'GET'): string =>
  `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n\r\n`;

/** Linux has a command that changes the limits of a running process. */
function canLower(): boolean {
  return spawnSync('prlimit', ['--version']).status === 0;
}

describe('few file descriptors', () => {
  it('strangers beyond the limit keep no token out, and the process says how few it has', async () => {
    const host = await small(LIMIT);
    expect(host.err()).toContain('the limit of file descriptors leaves room for');
    expect(await host.metric('earshot_descriptor_limit')).toBe(LIMIT);
    await crowd(host.url, LIMIT * 2);
    expect((await host.post(message('@lead hello'))).status).toBe(202);
    expect(await host.metric('earshot_open_descriptors')).toBeLessThan(LIMIT);
    expect(host.err().split('too many connections without a token')).toHaveLength(2);

    const doctor = await run(['doctor', '--data', host.data], host.data);
    expect(doctor.out).toMatch(/!! {2}files +\d+ of 160 descriptors open.*raise "ulimit -n"/);
  });

  it('one token cannot take the room of the others', async () => {
    const host = await small(LIMIT);
    const { operator } = host.tokens;
    const held: Stranger[] = [];
    for (let i = 0; i < LIMIT; i++) held.push(await stranger(host.url, asked('/v1/agents', operator)));
    const refused = await until(async () => held.find((one) => one.heard().includes('503')));
    expect(refused.heard()).toMatch(
      /^HTTP\/1\.1 503 [^]*retry-after: 10\r[^]*as many connections as it may have/i,
    );
    // It was told when to come back. What it asks before that is not read.
    refused.socket.write(asked('/v1/agents', operator));
    expect((await host.post(message('@lead hello'))).status).toBe(202);
    expect(refused.heard().split('HTTP/1.1')).toHaveLength(2);
    for (const { socket } of held) socket.destroy();
    await until(async () => (await host.metric('earshot_open_descriptors')) < LIMIT / 2);
    expect((await host.call('GET', '/v1/agents', operator)).status).toBe(200);
  });

  it.skipIf(!canLower())(
    'when none is left it says so once, lives on, and takes connections again',
    async () => {
      const host = await small(LIMIT);
      const { operator } = host.tokens;
      const held = await stranger(host.url, asked('/metrics', operator));
      await until(async () => held.heard().includes('earshot_open_descriptors'));
      // Every number below this is taken, so no file and no connection can be opened.
      host.lower(3);

      // The system takes a connection and drops it, or lets it wait. Nobody in the host is told.
      await stranger(host.url, asked('/v1/agents', operator));
      for (let i = 0; i < 3; i++) held.socket.write(asked('/metrics', operator));
      await until(async () => host.err().includes('out of file descriptors'));
      held.socket.write(asked('/v1/backup', operator, 'POST'));
      await until(async () => /HTTP\/1\.1 50[03]/.test(held.heard()));

      host.lower(LIMIT);
      expect(
        (await until(async () => host.post(message('@lead hello')).catch(() => false as const))).status,
      ).toBe(202);
      await until(
        async () => (await host.metric('earshot_open_descriptors')) > 0 && host.err().includes('free again'),
      );
      expect(host.err().split('out of file descriptors: new connections')).toHaveLength(2);
      expect((await host.call('POST', '/v1/backup', operator)).status).toBe(200);
      const doctor = await run(['doctor', '--data', host.data], host.data);
      expect(doctor.out).toContain('they ran out since the start');
    },
  );
});
