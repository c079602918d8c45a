// One PostgreSQL for the whole run, started before the first test that needs one. Its files are in the run's temporary
// folder. Tests make schemas of their own, which share nothing.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { PostgresServer } from './server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the PostgreSQL of this run takes connections. */
    postgres: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await PostgresServer.in(join(tmpdir(), 'postgres'));
  project.provide('postgres', server.url);
  return () => server.stop();
}
