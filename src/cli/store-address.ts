// Where the store is: a file of the data folder, or a PostgreSQL database that several nodes share. The address of a
// database may have a password in it. It is never printed, and in `earshot.yaml` it is refused.
import { CommandError } from './io.ts';

export interface StoreAddress {
  url: string;
  schema: string;
}

const SCHEMA = 'earshot';
const EXAMPLE = 'postgres://earshot@db.example.com/earshot';

/** `where` it was read: a flag or a variable. `?schema=NAME` tells several hosts in one database apart. */
export function storeAddress(text: string, where: string): StoreAddress {
  const url = URL.parse(text);
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol) || url.pathname.length < 2)
    throw new CommandError(2, `${where}: this is no address of a database; write for example ${EXAMPLE}`);
  const schema = url.searchParams.get('schema') ?? SCHEMA;
  if (!/^[a-z_][a-z0-9_]{0,40}$/.test(schema))
    throw new CommandError(
      2,
      `${where}: "${schema}" cannot be the name of a schema; use small letters, digits and "_"`,
    );
  url.searchParams.delete('schema');
  return { url: url.href, schema };
}

/** For people: without password and options. */
export function shownAddress({ url, schema }: StoreAddress): string {
  const { username, host, pathname } = new URL(url);
  const user = username === '' ? '' : `${username}@`;
  return `postgres://${user}${host}${pathname}${schema === SCHEMA ? '' : `, schema ${schema}`}`;
}

/** What must not be printed. */
export function passwordOf({ url }: StoreAddress): string | undefined {
  const { password } = new URL(url);
  return password === '' ? undefined : decodeURIComponent(password);
}
