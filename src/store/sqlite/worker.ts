// The worker thread: everything that reads much or waits on the disk, on connections of its own, so that the thread
// that writes never does. It cannot write to the store's file, only to the search index and to backups.
import { parentPort, workerData } from 'node:worker_threads';
import { makeHandlers } from './handlers.ts';
import type { AnswerMessage, RequestMessage, WorkerSetup } from './requests.ts';

const port = parentPort;
if (port === null) throw new Error('worker.ts runs as a worker thread');
const handlers = makeHandlers(workerData as WorkerSetup);

port.on('message', (message: RequestMessage) => {
  void answer(message).then((reply) => {
    port.postMessage(reply);
    if (message.name === 'close') port.close();
  });
});

async function answer({ id, name, args }: RequestMessage): Promise<AnswerMessage> {
  try {
    const handle = handlers[name] as (...args: unknown[]) => unknown;
    return { id, answer: await handle(...args) };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}
