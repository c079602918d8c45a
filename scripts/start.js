// What `npm start` runs, on the Node that npm has just installed: builds the page if it is stale, then is `earshot up`,
// in this very process, so that a signal to it reaches the host.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { leadToSources } from './own-name.js';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

spawnSync(process.execPath, [here('./build-page.js')], { stdio: 'inherit' });
leadToSources();
const launcher = here('../bin/earshot.js');
process.argv = [process.execPath, launcher, 'up', ...process.argv.slice(2)];
await import(launcher);
