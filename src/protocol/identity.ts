// Who somebody is: the identity on the wire (`agent:lead`, `human:U123`, `role:backend`) and the name that is shown. The
// host keeps kind and id apart; only these functions join and split them. This file does not import zod, because the
// agent SDK uses it to render headers.
import { looksLike } from './look-alikes.ts';
import type { AuthorKind } from './vocabulary.ts';

export const IDENTITY_KINDS = ['agent', 'human', 'role', 'system', 'broadcast'] as const;
export type IdentityKind = (typeof IDENTITY_KINDS)[number] | AuthorKind;
export type Identity = `${IdentityKind}:${string}`;

/** In place of an identity: a line calls somebody, and the host knows only a name for them. */
export const SOMEBODY = 'somebody';

/** An agent's id: letters, digits, ".", "_" and "-". Without a slash or a colon it can stand inside other ids. */
export const AGENT_ID = /^[a-z0-9][a-z0-9_.-]*$/i;
export const AGENT_ID_CHARS = 64;

/** An id that already carries its own kind (some surfaces write `agent:lead`) is not prefixed twice. */
export function identity(kind: IdentityKind, id: string): Identity {
  const prefix = `${kind}:`;
  return `${kind}:${id.startsWith(prefix) && id !== prefix ? id.slice(prefix.length) : id}`;
}

/** The id itself may contain colons (Matrix ids do). Only the first colon separates. */
export function parseIdentity(text: string): { kind: IdentityKind; id: string } | undefined {
  const colon = text.indexOf(':');
  const kind = IDENTITY_KINDS.find((known) => known === text.slice(0, Math.max(colon, 0)));
  const id = text.slice(colon + 1);
  return kind === undefined || id === '' ? undefined : { kind, id };
}

/** The draft's `reliability.idempotencyKey`: it names one delivery and is the same on every attempt. */
export function deliveryKey(eventId: string, agent: string): string {
  return `${eventId}:agent_${agent}`;
}

// Names are written by people and stand next to protocol words: in knocks, in prompt headers, in error messages. Each
// becomes one short line in which nobody can forge a header, a notice, a fence or a hidden instruction.

/** Names in knocks and prompt headers are one line of at most this many code points. */
export const NAME_CHARS = 40;

/** A person's or agent's name as it may stand in a knock or a header; '' when nothing printable is left. */
export function displayName(name: string, maxChars: number = NAME_CHARS): string {
  if (name.length <= maxChars && PLAIN_NAME.test(name)) return name;
  // NFKC first, so that a full-width colon or bracket is seen for what it looks like.
  return cut(oneLine(wellFormed(name).normalize('NFKC')).replace(HEADER_SYNTAX, ' '), maxChars);
}

/** The name of whoever is called so in a text for a model. */
const READS_AS_THE_MODEL = /^(?:you|yourself|me|myself|i)$/i;
/** Stands for a name that a model would take for itself or for the protocol. */
export const STAND_IN = 'User';

/** A name in a text for a model, which takes "you" for itself: the web chat's first person is called that. */
export function nameShown(name: string, maxChars: number = NAME_CHARS): string {
  const shown = displayName(name, maxChars);
  return READS_AS_THE_MODEL.test(looksLike(shown)) ? STAND_IN : shown;
}

/** An id beside a name. One that a model takes for itself has its kind in front: `human:you`. */
export function idShown(kind: AuthorKind, id: string, maxChars: number): string {
  return headerWord(READS_AS_THE_MODEL.test(id) ? identity(kind, id) : id, maxChars);
}

/** Ids of platforms are shorter. */
export const ID_SHOWN_CHARS = 160;
/** Of an id that is no id of a platform, so many code points are shown. Too few for a sentence. */
const ID_HEAD_CHARS = 24;

/**
 * An id or other machine word as it may stand in a header: one word. Sources choose ids freely, and a model reads what
 * stands there. So one with blanks in it, or a very long one, is shown by its beginning and a mark of the whole.
 */
export function headerWord(word: string, maxChars: number): string {
  const line = cut(oneLine(wellFormed(word)), READ_CHARS);
  const most = Math.min(maxChars, ID_SHOWN_CHARS);
  if (!line.includes(' ') && (line.length <= most || Array.from(line).length <= most)) return line;
  const head = cut(line.replaceAll(' ', '_'), Math.min(ID_HEAD_CHARS, maxChars - MARK_CHARS));
  return `${head.endsWith('…') ? head : `${head}…`}${markOf(word)}`;
}

const MARK_CHARS = 7;
const FNV_OFFSET = 2_166_136_261;
const FNV_PRIME = 16_777_619;

/** Tells two ids with the same beginning apart (FNV-1a). It proves nothing. */
function markOf(word: string): string {
  let hash = FNV_OFFSET;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), FNV_PRIME);
  return (hash >>> 0).toString(36).padStart(MARK_CHARS, '0');
}

/** Any text as one printable line, punctuation included. For messages that quote what a peer sent. */
export function printableLine(text: string, maxChars: number): string {
  return cut(oneLine(wellFormed(text)), maxChars);
}

/** Text beyond this is ignored: every caller cuts far shorter. */
const READ_CHARS = 1_024;
const BLANKS = /[\s\u0085]+/g;
// Control, format (bidi, zero width, tags), surrogate and unassigned characters; then letters and marks that nobody can
// see (variation selectors, Hangul fillers), which are used to hide text from a reader.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Most names: one line of letters, which the code below would leave as it is. */
const PLAIN_NAME = /^[\w.'-]+(?: [\w.'-]+)*$/;
/** The characters of headers, fences and notices. */
const HEADER_SYNTAX = /[:;=<>[\]{}`*|\\"~^#]/g;

function wellFormed(text: string): string {
  return text.slice(0, READ_CHARS).toWellFormed();
}

function oneLine(text: string): string {
  // The byte order mark counts as a blank in JavaScript, but nobody sees one.
  return text.replaceAll('\uFEFF', '').replace(BLANKS, ' ').replace(INVISIBLE, '');
}

function cut(line: string, maxChars: number): string {
  const shown = line.replace(BLANKS, ' ').trim();
  if (shown.length <= maxChars) return shown;
  const points = Array.from(shown);
  if (points.length <= maxChars) return shown;
  return `${points
    .slice(0, maxChars - 1)
    .join('')
    .trimEnd()}…`;
}
