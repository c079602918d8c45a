// What PostgreSQL says no with, for whoever runs Earshot: one line with the reason and what to do.
import { StoreError } from '../store.ts';
import { faultOf } from './errors.ts';

const WORDS: Readonly<Record<string, string>> = {
  '28P01': 'it does not take this user and password: check the address',
  '28000': 'it does not let this user in from here: check the address, and pg_hba.conf on the server',
  '3D000': 'there is no such database: make it first, for instance with createdb',
  '42501':
    'this user may not do that there: let it make a schema (GRANT CREATE ON DATABASE … TO …), or take the one that owns it',
  '53100': 'the disk of the server is full: make room there, then try again',
  '53300': 'it has no connection left: end some, or raise max_connections',
  '25006': 'it can only be read: it may be a standby, so name the primary',
};

/** `shown`: the address without its password. An error that is none of the database's comes back as it is. */
export function inPostgresWords(error: unknown, shown: string): Error {
  const said = saidBy(error);
  if (said === undefined) return error instanceof Error ? error : new Error(String(error));
  const { code } = said as { code?: string };
  const why = said.message === '' ? String(code) : said.message;
  const known = code === undefined ? undefined : WORDS[code];
  if (known !== undefined) return new Error(`${shown}: ${known} (${why})`, { cause: error });
  return faultOf(said) === 'lost'
    ? new Error(`${shown} cannot be reached (${why}): check the address, and that it runs`, { cause: error })
    : new Error(`${shown}: ${why}`, { cause: error });
}

/** The error of the database or of its connection. The store's own word for it says less. */
function saidBy(error: unknown): Error | undefined {
  const said = error instanceof StoreError ? error.cause : error;
  return said instanceof Error && faultOf(said) !== undefined ? said : undefined;
}
