// One host after the other on the same file. While one lives, the next already loads its modules, so that many lives
// cost as many openings of the store, and not as many starts of Node.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What parent and child tell each other: a word, and what belongs to it. */
interface Word {
  type: string;
  [more: string]: unknown;
}

/** `Ready`: what the child says once it is open. */
export class Life<Ready extends { type: string } = { type: 'ready'; port: number }> {
  readonly #child: ChildProcess;
  readonly #said = new Map<string, PromiseWithResolvers<Word>>();
  /** The signal that ended it, or its exit code. */
  readonly ended: Promise<NodeJS.Signals | number | null>;
  readonly complaints: string[] = [];

  constructor(script: URL, env: Readonly<Record<string, string>> = {}) {
    this.#child = fork(fileURLToPath(script), [], {
      execArgv: [],
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    });
    this.#child.on('message', (message: Word) => this.#await(message.type).resolve(message));
    this.#child.stderr?.on('data', (text: Buffer) => this.complaints.push(text.toString()));
    this.ended = new Promise((resolve) => {
      this.#child.once('exit', (code, signal) => resolve(signal ?? code));
    });
  }

  /** What it says when it is ready; undefined when it was killed on the way there. */
  async open(order: Word): Promise<Ready | undefined> {
    await Promise.race([this.#await('loaded').promise, this.ended]);
    this.#tell(order);
    const ready = await Promise.race([this.#await('ready').promise, this.ended]);
    return typeof ready === 'object' && ready?.type === 'ready' ? (ready as unknown as Ready) : undefined;
  }

  /** It has opened the store. */
  async stored(): Promise<void> {
    await Promise.race([this.#await('stored').promise, this.ended]);
  }

  /** False when it ended first. */
  async drain(): Promise<boolean> {
    this.#tell({ type: 'drain' });
    const answer = await Promise.race([this.#await('drained').promise, this.ended]);
    return typeof answer === 'object' && answer?.type === 'drained';
  }

  close(): Promise<unknown> {
    this.#tell({ type: 'close' });
    return this.ended;
  }

  /** No handler runs, nothing is flushed: what was not synced is the operating system's to keep. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #tell(message: Word): void {
    if (this.#child.connected) this.#child.send(message);
  }

  #await(type: string): PromiseWithResolvers<Word> {
    const known = this.#said.get(type);
    if (known !== undefined) return known;
    const waiting = Promise.withResolvers<Word>();
    this.#said.set(type, waiting);
    return waiting;
  }
}
