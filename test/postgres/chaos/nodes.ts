// Three hosts on one database, each a process. One that dies is started again, on any free port: while it is down, its
// old port may be taken by anybody.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { childEnv, MAIN, type Tokens } from '../../server/up.ts';

export interface HostNode {
  data: string;
  child: ChildProcess;
  /** Where it listens; undefined while it starts. */
  port: number | undefined;
  /** Resolves once it listens, or has ended. */
  up: Promise<void>;
  /** What it wrote on standard error. */
  said: string[];
  isStopped: boolean;
  /** Nothing has told it to end. */
  isMeantToRun: boolean;
}

export class HostNodes {
  readonly #folder: string;
  readonly #store: string;
  readonly nodes: HostNode[] = [];
  /** Hosts that ended by themselves, with what they said last. */
  readonly ended: string[] = [];
  readonly #said: string[][] = [];

  constructor(folder: string, store: string) {
    this.#folder = folder;
    this.#store = store;
  }

  async start(count: number): Promise<void> {
    for (let nth = 1; nth <= count; nth++) {
      const node = this.#spawn(join(this.#folder, `node-${nth}`));
      this.nodes.push(node);
      await node.up;
    }
  }

  /** Where they listen now. */
  ports(): number[] {
    return this.nodes.flatMap(({ port }) => port ?? []);
  }

  get tokens(): Tokens {
    const [first] = this.nodes;
    return JSON.parse(readFileSync(join(first?.data ?? '', 'tokens.json'), 'utf8')) as Tokens;
  }

  /** What all of them wrote on standard error. */
  said(): string {
    return this.#said.flat().join('');
  }

  kill(node: HostNode): void {
    node.isMeantToRun = false;
    node.child.kill('SIGKILL');
    node.isStopped = false;
  }

  stop(node: HostNode): void {
    node.isStopped = true;
    node.child.kill('SIGSTOP');
  }

  wake(node: HostNode): void {
    node.isStopped = false;
    node.child.kill('SIGCONT');
  }

  async again(node: HostNode): Promise<void> {
    if (node.child.exitCode === null && node.child.signalCode === null) await once(node.child, 'exit');
    const next = this.#spawn(node.data);
    this.nodes[this.nodes.indexOf(node)] = next;
    await next.up;
  }

  /** In order, with the exit codes. */
  async end(): Promise<(number | null)[]> {
    return Promise.all(
      this.nodes.map(async (node) => {
        const { child } = node;
        node.isMeantToRun = false;
        child.kill('SIGTERM');
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
        return child.exitCode;
      }),
    );
  }

  killAll(): void {
    for (const node of this.nodes) this.kill(node);
  }

  #spawn(data: string): HostNode {
    mkdirSync(data, { recursive: true });
    const argv = ['up', '--json', '--no-demo', '--port', '0', '--data', data];
    const config = ['--config', join(this.#folder, 'earshot.yaml')];
    const child = spawn(process.execPath, [MAIN, ...argv, ...config], {
      cwd: data,
      env: childEnv({ EARSHOT_STORE: this.#store }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said: string[] = [];
    this.#said.push(said);
    child.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text));
    const up = once(createInterface({ input: child.stdout }), 'line').then(([line]) => {
      node.port = Number(new URL((JSON.parse(String(line)) as { url: string }).url).port);
    });
    const ended = once(child, 'close').then(([code]) => {
      if (node.isMeantToRun) this.ended.push(`${data}, code ${code}: ${said.slice(-12).join('')}`);
    });
    const node: HostNode = {
      data,
      child,
      port: undefined,
      up: Promise.race([up, ended]),
      said,
      isStopped: false,
      isMeantToRun: true,
    };
    return node;
  }
}
