// `npm run schema`: writes the published JSON Schemas under schema/ from src/protocol. A test compares the committed
// files with what this would write.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonSchemas, jsonSchemaText } from '../src/protocol/json-schemas.ts';

const folder = join(import.meta.dirname, '..', 'schema');
const files = jsonSchemas();

mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) {
  if (name.endsWith('.json') && !Object.hasOwn(files, name)) rmSync(join(folder, name));
}
for (const [name, schema] of Object.entries(files)) {
  writeFileSync(join(folder, name), jsonSchemaText(schema));
}
console.log(`schema: wrote ${Object.keys(files).length} files to ${folder}`);
