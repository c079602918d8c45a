// The tokens of this page. The browser is signed in as an operator, as a person, or as both, for every tab (localStorage),
// so a link to a message just opens. A tab can be another person than the browser (sessionStorage). Tokens come in the
// fragment of the address, which no server sees, and are removed from the address bar at once. A link never replaces whom
// the browser is signed in as.

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

/** Stores the tokens of the address, then reads the stored ones. Never replaces one that the browser has. */
export function openPageTokens(): PageTokens {
  const { session, rest } = takeTokens(location.hash);
  const known = localStorage.getItem(OPERATOR);
  const isOther = session.operator !== undefined && known !== null && known !== session.operator;
  if (session.operator !== undefined || session.person !== undefined) {
    keepTokens(isOther ? { ...session, operator: undefined } : session);
    history.replaceState(null, '', `${location.pathname}${location.search}#${rest === '' ? '/' : rest}`);
  }
  const tokens = {
    operator: localStorage.getItem(OPERATOR) ?? undefined,
    person: sessionStorage.getItem(PERSON) ?? personOfBrowser(),
  };
  return isOther ? { ...tokens, offered: session.operator } : tokens;
}

/** The operator counts for the browser. So does the first person; another one counts for this tab. */
export function keepTokens({ operator, person }: PageTokens): void {
  if (operator !== undefined) localStorage.setItem(OPERATOR, operator);
  if (person === undefined) return;
  if ((personOfBrowser() ?? person) === person) becomePersonOfBrowser(person);
  else sessionStorage.setItem(PERSON, person);
}

/** The person that a new tab is. */
export function personOfBrowser(): string | undefined {
  return localStorage.getItem(PERSON) ?? undefined;
}

/** Whether this tab is another person than the browser. */
export function isOnlyThisTab(): boolean {
  return sessionStorage.getItem(PERSON) !== null;
}

export function becomePersonOfBrowser(token: string): void {
  localStorage.setItem(PERSON, token);
  sessionStorage.removeItem(PERSON);
}

/** Signs the browser out: the operator and the person, here and in every other tab. */
export function forgetTokens(): void {
  localStorage.removeItem(OPERATOR);
  localStorage.removeItem(PERSON);
  sessionStorage.removeItem(PERSON);
}

/** The tab is the browser's person again. */
export function forgetPersonOfTab(): void {
  sessionStorage.removeItem(PERSON);
}

/** The host does not take this token any more. */
export function forgetRefusedPerson(token: string): void {
  for (const storage of [localStorage, sessionStorage])
    if (storage.getItem(PERSON) === token) storage.removeItem(PERSON);
}

/** Calls the listener when another tab signs in or out. Returns a function that stops this. */
export function onOtherTab(changed: () => void): () => void {
  const hear = ({ key }: StorageEvent): void => {
    if (key === null || key === OPERATOR || key === PERSON) changed();
  };
  window.addEventListener('storage', hear);
  return () => window.removeEventListener('storage', hear);
}
