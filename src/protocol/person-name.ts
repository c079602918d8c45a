// The name of a person of the web chat, and the id that is made out of it. The host, the command line and the page use
// the same rules, so that a link made in one place is the person of the other.
import { displayName, NAME_CHARS, nameShown, STAND_IN } from './identity.ts';

/** As many as a name has in the prompt of an agent, so that everybody reads the same name. */
export const PERSON_NAME_CHARS: typeof NAME_CHARS = NAME_CHARS;

/** The name as everybody sees it: one line, without the characters of headers. Empty when nothing is left. */
export function personName(text: string): string {
  return displayName(text);
}

/** True for names that mean their reader: "You", "me". Nobody is called that by others. */
export function meansTheReader(name: string): boolean {
  return nameShown(name) === STAND_IN && displayName(name).toLowerCase() !== STAND_IN.toLowerCase();
}

const ID_CHARS = 40;

/** Makes an id that can be mentioned out of a name. Empty when nothing is left. */
export function personIdOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, ID_CHARS)
    .replace(/^-+|-+$/g, '');
}
