// A job queue on the same PostgreSQL, in a process of its own: jobs are added 64 at a time with the same payload, handed to
// a task that does nothing, and completed in batches. It decides nothing and keeps no log: the least that a durable queue
// costs on this server.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { processUs } from '../measure.ts';
import { keepSending, type Said, type Speech } from './talk.ts';

export interface PeerOptions {
  peer: 'graphile-worker' | 'pg-boss';
  /** Where its packages are. */
  packages: string;
  url: string;
}

interface Queue {
  add(events: readonly Said[]): Promise<unknown>;
  /** Resolves when everything that was added is done, and that is stored. */
  done(): Promise<void>;
}

const TASK = 'bench';
const CONCURRENCY = 100;
const FETCHED = 500;
const FETCHERS = 2;
/** More than this wait for nobody: a queue that is behind is not filled further. */
const BEHIND_MAX = 4_000;

/** What was added, and what is done of it. */
class Jobs {
  added = 0;
  done = 0;

  async allDone(): Promise<void> {
    while (this.done < this.added) await pause();
  }

  /** Waits where the queue is behind. */
  async add(count: number): Promise<void> {
    while (this.added - this.done > BEHIND_MAX) await pause();
    this.added += count;
  }
}

const options = JSON.parse(process.argv[2] ?? '{}') as PeerOptions;
const load = createRequire(join(options.packages, 'of-the-bench.js'));
const pause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 1));

async function graphileWorker(): Promise<Queue> {
  const worker = load('graphile-worker') as {
    makeWorkerUtils(options: object): Promise<WorkerUtils>;
    run(options: object): Promise<unknown>;
    Logger: new (make: () => () => void) => object;
  };
  const logger = new worker.Logger(() => () => undefined);
  const base = { connectionString: options.url, maxPoolSize: 12, logger };
  const utils = await worker.makeWorkerUtils(base);
  await utils.migrate();
  const jobs = new Jobs();
  await worker.run({
    ...base,
    noHandleSignals: true,
    preset: {
      worker: {
        concurrentJobs: CONCURRENCY,
        localQueue: { size: FETCHED },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
    taskList: { [TASK]: () => void jobs.done++ },
  });
  return {
    async add(events) {
      await jobs.add(events.length);
      await utils.addJobs(events.map((payload) => ({ identifier: TASK, payload })));
    },
    async done() {
      await jobs.allDone();
      while ((await jobsLeft(utils)) > 0) await pause();
    },
  };
}

interface WorkerUtils {
  migrate(): Promise<void>;
  addJobs(jobs: readonly object[]): Promise<unknown>;
  withPgClient<R>(
    use: (client: { query(text: string): Promise<{ rows: { n: number }[] }> }) => Promise<R>,
  ): Promise<R>;
}

/** A completed job is removed. */
function jobsLeft(utils: WorkerUtils): Promise<number> {
  return utils.withPgClient(async (client) => {
    const { rows } = await client.query('SELECT count(*)::int AS n FROM graphile_worker.jobs');
    return rows[0]?.n ?? 0;
  });
}

async function pgBoss(): Promise<Queue> {
  const { PgBoss } = load('pg-boss') as {
    PgBoss: new (
      options: object,
    ) => {
      start(): Promise<unknown>;
      on(event: 'error', take: (error: Error) => void): void;
      createQueue(name: string): Promise<void>;
      insert(name: string, jobs: readonly object[]): Promise<unknown>;
      fetch(name: string, options: object): Promise<{ id: string }[]>;
      complete(name: string, ids: readonly string[]): Promise<unknown>;
    };
  };
  const boss = new PgBoss({ connectionString: options.url, max: 12 });
  boss.on('error', (error) => console.error('pg-boss', error));
  await boss.start();
  await boss.createQueue(TASK);
  const all = new Jobs();
  let waiting = Promise.withResolvers<void>();
  const work = async (): Promise<void> => {
    for (;;) {
      const jobs = await boss.fetch(TASK, { batchSize: FETCHED });
      if (jobs.length === 0) {
        if (all.done >= all.added) await waiting.promise;
        else await pause();
        continue;
      }
      await boss.complete(
        TASK,
        jobs.map(({ id }) => id),
      );
      all.done += jobs.length;
    }
  };
  for (let at = 0; at < FETCHERS; at++) void work();
  return {
    async add(events) {
      await all.add(events.length);
      waiting.resolve();
      waiting = Promise.withResolvers();
      await boss.insert(
        TASK,
        events.map((data) => ({ data })),
      );
    },
    done: () => all.allDone(),
  };
}

async function main(): Promise<void> {
  const queue = await (options.peer === 'pg-boss' ? pgBoss() : graphileWorker());
  let slices = 0;
  process.on('message', (question: { type: 'cpu' } | ({ type: 'slice' } & Speech)) => {
    if (question.type === 'cpu') {
      process.send?.({ processUs: processUs(), units: 0 });
      return;
    }
    const run = `slice-${slices++}`;
    void keepSending(question, run, ['agent-0'], (events) => queue.add(events)).then(async (events) => {
      await queue.done();
      process.send?.({ events });
    });
  });
  process.send?.({ port: 0, readyMs: 0, openMs: 0 });
}

await main();
