// The writer's side of the worker: it numbers requests and matches the answers. The thread starts with the first
// request, so a short command does not pay for it. It keeps the process alive only while a request is open.
import { Worker } from 'node:worker_threads';
import { StoreError } from '../store.ts';
import type { AnswerMessage, RequestMessage, RequestName, Requests, WorkerSetup } from './requests.ts';

interface Waiting {
  resolve: (answer: never) => void;
  reject: (error: Error) => void;
}

export class WorkerClient {
  readonly #setup: WorkerSetup;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #closed = false;
  #id = 0;

  constructor(setup: WorkerSetup) {
    this.#setup = setup;
  }

  ask<N extends RequestName>(name: N, ...args: Requests[N]['args']): Promise<Requests[N]['answer']> {
    if (this.#closed) return Promise.reject(new StoreError('closed', 'the store is closed'));
    const worker = (this.#worker ??= this.#start());
    const message: RequestMessage = { id: ++this.#id, name, args };
    return new Promise((resolve, reject) => {
      if (this.#waiting.size === 0) worker.ref();
      this.#waiting.set(message.id, { resolve, reject });
      worker.postMessage(message, []);
    });
  }

  /** Ends the thread after it has answered the open requests. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined || this.#closed) {
      this.#closed = true;
      return;
    }
    const ended = new Promise<void>((resolve) => {
      worker.once('exit', () => resolve());
    });
    await this.ask('close');
    this.#closed = true;
    worker.ref();
    await ended;
  }

  #start(): Worker {
    const script = import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js';
    const worker = new Worker(new URL(script, import.meta.url), { workerData: this.#setup });
    worker.unref();
    worker.on('message', (message: AnswerMessage) => this.#answer(message));
    worker.on('error', (error: unknown) => {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    });
    worker.on('exit', () => this.#fail(new Error('the store’s reading thread ended')));
    return worker;
  }

  #answer(message: AnswerMessage): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (this.#waiting.size === 0) this.#worker?.unref();
    if ('error' in message) {
      const { errcode } = message;
      waiting?.reject(Object.assign(new Error(message.error), errcode === undefined ? {} : { errcode }));
    } else waiting?.resolve(message.answer as never);
  }

  /** The next request starts a new thread. */
  #fail(error: Error): void {
    this.#worker = undefined;
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }
}
