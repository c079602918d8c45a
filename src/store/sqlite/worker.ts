// The worker thread does whatever reads much or waits for the disk, on its own connections, so the writing thread never
// has to. It cannot write to the store's file, only to the search index and to backups.
import { parentPort, workerData } from 'node:worker_threads';
import { makeHandlers } from './handlers.ts';
import type { AnswerMessage, RequestMessage, WorkerSetup } from './requests.ts';

const port = parentPort;
if (port === null) throw new Error('worker.ts runs as a worker thread');
const handlers = makeHandlers(workerData as WorkerSetup);

const running = new Set<Promise<void>>();
/** Requests wait for it, between `hold` and `release`. */
let gate: PromiseWithResolvers<void> | undefined;

port.on('message', (message: RequestMessage) => {
  const closing = message.name === 'close';
  if (message.name === 'hold') gate ??= Promise.withResolvers();
  if (message.name === 'release' || closing) {
    gate?.resolve();
    gate = undefined;
  }
  const isHeld = gate !== undefined && message.name !== 'hold';
  const before = closing ? Promise.all(running) : isHeld ? gate?.promise : Promise.resolve();
  const done = Promise.resolve(before)
    .then(() => answer(message))
    .then((reply) => {
      port.postMessage(reply);
      running.delete(done);
      if (closing) port.close();
    });
  running.add(done);
});

async function answer({ id, name, args }: RequestMessage): Promise<AnswerMessage> {
  try {
    const handle = handlers[name] as (...args: unknown[]) => unknown;
    return { id, answer: await handle(...args) };
  } catch (error) {
    const { errcode } = (error ?? {}) as { errcode?: number };
    return { id, error: error instanceof Error ? error.message : String(error), errcode };
  }
}
