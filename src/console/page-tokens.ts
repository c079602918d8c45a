// The tokens of this page: an operator's (in localStorage, for every tab) and a person's (in sessionStorage, for this
// tab only). Both come in the fragment of the address, which no server sees, and are removed from the address bar at
// once.

export interface PageTokens {
  operator: string | undefined;
  person: string | undefined;
  /** An operator's token that came in a link while another one is in use. It is not stored before a person says so. */
  offered?: string | undefined;
}

const OPERATOR = 'earshot.operator';
const PERSON = 'earshot.person';
const TOKEN = /^[\w.~+/=-]{8,256}$/;

/** Takes the tokens out of a fragment such as `#operator=…&person=…` or `#/timeline?…&operator=…`. */
export function takeTokens(fragment: string): { session: PageTokens; rest: string } {
  const text = fragment.replace(/^#/, '');
  const cut = text.indexOf('?');
  const path = text.startsWith('/') ? text.slice(0, cut < 0 ? undefined : cut) : '';
  const query = new URLSearchParams(path === '' ? text.replace(/^\?/, '') : cut < 0 ? '' : text.slice(cut));
  const session = { operator: tokenOf(query, 'operator'), person: tokenOf(query, 'person') };
  if (path === '') return { session, rest: '' };
  const rest = query.toString();
  return { session, rest: rest === '' ? path : `${path}?${rest}` };
}

function tokenOf(query: URLSearchParams, name: string): string | undefined {
  const token = query.get(name)?.trim();
  query.delete(name);
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}

/** Stores the tokens of the address, then reads the stored ones. Never replaces an operator's token. */
export function openPageTokens(): PageTokens {
  const { session, rest } = takeTokens(location.hash);
  const known = read(localStorage, OPERATOR);
  const isOther = session.operator !== undefined && known !== undefined && known !== session.operator;
  if (session.operator !== undefined || session.person !== undefined) {
    keepTokens(isOther ? { ...session, operator: undefined } : session);
    history.replaceState(null, '', `${location.pathname}${location.search}#${rest === '' ? '/' : rest}`);
  }
  const tokens = { operator: read(localStorage, OPERATOR), person: read(sessionStorage, PERSON) };
  return isOther ? { ...tokens, offered: session.operator } : tokens;
}

export function keepTokens({ operator, person }: PageTokens): void {
  if (operator !== undefined) write(localStorage, OPERATOR, operator);
  if (person !== undefined) write(sessionStorage, PERSON, person);
}

export function forgetTokens(): void {
  localStorage.removeItem(OPERATOR);
  sessionStorage.removeItem(PERSON);
}

function read(storage: Storage, name: string): string | undefined {
  return storage.getItem(name) ?? undefined;
}

function write(storage: Storage, name: string, token: string): void {
  storage.setItem(name, token);
}
