// Loaded before everything else in a process that runs with a planted fault (`node --import`). It changes the text of one
// file while that is read; nothing on disk changes.
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { PLANTED } from './faults.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const name = process.argv[2] ?? '';
const fault = PLANTED.find((one) => one.name === name);
if (fault === undefined) throw new Error(`no planted fault is called "${name}": see faults.ts`);
const { file, from, to } = fault;
const url = pathToFileURL(join(ROOT, file)).href;

registerHooks({
  load(address, context, nextLoad) {
    const loaded = nextLoad(address, context);
    if (address !== url) return loaded;
    const text = Buffer.from((loaded.source ?? '') as string).toString();
    if (text.split(from).length !== 2) throw new Error(`${file}: "${from}" must stand there exactly once`);
    return { ...loaded, source: text.replace(from, () => to) };
  },
});
