// Counts what one mention and its reply pass through: the files of src in which a function ran, and the commits. The real
// host and the real agent SDK on the memory store and transport, second time round, so that loading, compiling and first
// lookups are not counted. `npm run path` prints the totals; `--files` lists every file.
import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testHost } from '../src/testing/index.ts';

/** What is on the path only because this is a script: the stage and the scripted agent. */
const STAGE = 'src/testing/';
const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** Long enough for the compose window, short of every deadline. */
const ROUND_MS = 10_000;

interface Path {
  files: string[];
  commits: number;
}

async function measure(): Promise<Path> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const host = await testHost({ agents: ['lead', 'builder'] });
  await host.agent('lead', () => 'Done.');
  const round = async (): Promise<void> => {
    await host.say('ada', '@lead can you look at the build?');
    await host.advance(ROUND_MS);
  };
  await round();
  await session.post('Profiler.takePreciseCoverage'); // counts start again from here
  await round();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const answers = host.visible('lead');
  if (answers.length !== 2) throw new Error(`expected two answers, one a round, and saw ${answers.length}`);
  await host.close();
  return pathOf(result);
}

function pathOf(result: readonly Profiler.ScriptCoverage[]): Path {
  const ran = result.flatMap(({ url, functions }) => {
    if (!url.startsWith('file:')) return [];
    const file = posix.relative(ROOT, fileURLToPath(url));
    const called = functions.filter(({ ranges }) => ranges.some(({ count }) => count > 0));
    return file.startsWith('src/') && !file.startsWith(STAGE) && called.length > 0 ? [{ file, called }] : [];
  });
  const transact = ran
    .find(({ file }) => file === 'src/store/group-commit.ts')
    ?.called.find(({ functionName }) => functionName === 'transact');
  return { files: ran.map(({ file }) => file).toSorted(), commits: transact?.ranges[0]?.count ?? 0 };
}

const { files, commits } = await measure();
if (process.argv.includes('--files')) for (const file of files) console.log(file);
for (const [folder, inIt] of Map.groupBy(files, (file) => file.split('/')[1] ?? '')) {
  console.log(`${folder.padEnd(10)} ${inIt.length}`);
}
console.log(`one mention and its reply: ${files.length} files of src, ${commits} commits`);
