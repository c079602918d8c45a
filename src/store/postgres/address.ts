// Where a store on PostgreSQL is: an address as PostgreSQL's own tools take it, and in it, as `?schema=NAME`, the schema.
// Several hosts may share a database, each with a schema of its own.

export const DEFAULT_SCHEMA = 'earshot';
/** A name that needs no quotes. */
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,40}$/;

export interface PostgresAddress {
  /** Without the schema. */
  url: string;
  schema: string;
  /** For people: without a password. */
  shown: string;
}

/** Throws with what is wrong with it, in words. */
export function postgresAddress(text: string): PostgresAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['postgres:', 'postgresql:'].includes(url.protocol))
    throw new Error(`"${withoutPassword(text)}" is no address; write postgres://USER@HOST/DATABASE`);
  const schema = url.searchParams.get('schema') ?? DEFAULT_SCHEMA;
  mustBeName(schema);
  const shown = withoutPassword(text);
  url.searchParams.delete('schema');
  return { url: url.href, schema, shown };
}

export function mustBeName(schema: string): void {
  if (SCHEMA_NAME.test(schema)) return;
  throw new Error(
    `"${schema}" cannot be the name of a schema: take small letters, digits and _, 41 at most, and no digit first`,
  );
}

function withoutPassword(text: string): string {
  return text.replace(/(:\/\/[^/@:]*):[^@]*@/, '$1@');
}
