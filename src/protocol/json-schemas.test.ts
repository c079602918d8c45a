import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonSchemas, jsonSchemaText } from './json-schemas.ts';
import { METHOD_NAMES } from './methods.ts';
import { TOOL_NAMES } from './tool-name.ts';

const folder = join(import.meta.dirname, '..', '..', 'schema');
const files = jsonSchemas();

function refsOf(schema: unknown): string[] {
  return [...JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref ?? '');
}

describe('published JSON Schemas', () => {
  it('are the ones in schema/, no more and no fewer', () => {
    expect(readdirSync(folder).toSorted(), 'stale schema/: run `npm run schema`').toEqual(
      Object.keys(files).toSorted(),
    );
  });

  it.each(Object.entries(files))('%s is what the code says', (name, schema) => {
    const committed = readFileSync(join(folder, name), 'utf8');
    expect(committed === jsonSchemaText(schema), `stale schema/${name}: run \`npm run schema\``).toBe(true);
  });

  it.each(Object.entries(files))(
    '%s is draft 2020-12 under a URN, and refers only to its own kind',
    (name, schema) => {
      expect(schema['$schema']).toBe('https://json-schema.org/draft/2020-12/schema');
      expect(schema['$id']).toBe(`urn:earshot:schema:${name.replace('.json', '')}`);
      const ids = Object.values(files).map((each) => each['$id']);
      for (const ref of refsOf(schema)) expect(ids).toContain(ref);
    },
  );

  it('come out the same every time', () => {
    expect(JSON.stringify(jsonSchemas())).toBe(JSON.stringify(files));
  });

  it('describe every method and every tool', () => {
    for (const name of METHOD_NAMES)
      expect(files['methods.json']).toHaveProperty(['$defs', `${name}.params`]);
    for (const name of TOOL_NAMES) expect(files['tools.json']).toHaveProperty(['$defs', `${name}.input`]);
  });

  it('say in JSON Schema too that a notify knocks and withholds', () => {
    for (const name of ['envelope.json', 'short-event-2026-06-24.json', 'short-event-2026-08-11.json']) {
      expect(files[name]).toMatchObject({ oneOf: [{ required: expect.arrayContaining(['knock']) }, {}] });
    }
  });
});
