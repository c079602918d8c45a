// `npm run docs`: writes the generated pages under docs/reference/ from the tables in src. A test compares the
// committed pages with what this would write.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { referencePages } from './reference/pages.ts';

const root = join(import.meta.dirname, '..');
const pages = Object.entries(referencePages());

for (const [path, text] of pages) {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
console.log(`docs: wrote ${pages.map(([path]) => path).join(', ')}`);
