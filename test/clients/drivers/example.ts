// Runs an example of ours as it stands in the tree: `earshot/agent` is our source, and the packages of others are taken
// from the folder that they were installed into.
import { registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = resolve(import.meta.dirname, '../../..');
const FROM = pathToFileURL(join(process.env['CLIENT_PACKAGES'] ?? '', '..', 'any.js')).href;
const example = pathToFileURL(resolve(ROOT, 'examples', process.argv[2] ?? '')).href;

registerHooks({
  resolve(name, context, next) {
    if (name === 'earshot/agent') return next(pathToFileURL(join(ROOT, 'src/agent/index.ts')).href, context);
    const isForeign = context.parentURL === example && !name.startsWith('.') && !name.startsWith('node:');
    return next(name, isForeign ? { ...context, parentURL: FROM } : context);
  },
});
await import(example);
