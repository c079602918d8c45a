// Names at a place of a text: whose name begins here, whose ends here. Our agents are known by their configured names,
// everybody else by the display name they had when they spoke.
import { HONORIFIC, HONORIFICS } from './call-words.ts';
import { mayBeCut } from './participants.ts';
import type { Speaker } from './state.ts';
import { type NameTable, endsWord, isInPath, isUnbounded, isWordChar, namesAt, startsWord } from './text.ts';

/** Whom a name may mean. */
export interface KnownNames {
  /** Our agents, by key. */
  agents: NameTable;
  /** Names that follow an @: agents, roles, broadcasts. */
  tags: NameTable;
  speakers: readonly Speaker[];
  /** Nobody calls themselves. */
  author: string;
  /** The platform says who is tagged. What follows an @ in the text is then nobody's name. */
  resolved: boolean;
}

export interface FoundName {
  keys: readonly string[];
  name: string;
  begin: number;
  /** Behind the name and its honorific. */
  end: number;
}

/** A shorter first word of a display name calls nobody by itself. */
const MIN_FIRST_NAME = 3;

/** The longest name that begins here. */
export function nameAt(text: string, at: number, names: KnownNames): FoundName | undefined {
  const agent = namesAt(text, at, names.agents);
  const speaker = speakerAt(text, at, names);
  let found: FoundName | undefined = speaker;
  if (agent !== undefined && (speaker === undefined || agent.end >= speaker.end)) {
    const keys = agent.ids.filter((key) => key !== names.author);
    found =
      keys.length === 0 ? speaker : { keys, name: text.slice(at, agent.end), begin: at, end: agent.end };
  }
  if (found === undefined || !startsWord(text, at)) return undefined;
  const title = isUnbounded(text[found.end] ?? '')
    ? HONORIFIC.exec(text.slice(found.end, found.end + 3))
    : null;
  return title === null ? found : { ...found, end: found.end + title[0].length };
}

/** A speaker is known by the whole display name or by its first word. */
export function speakerAt(text: string, at: number, { speakers, author }: KnownNames): FoundName | undefined {
  let found: FoundName | undefined;
  for (const { key, name } of speakers) {
    if (name === '' || key === author || name.charCodeAt(0) !== text.charCodeAt(at)) continue;
    const end = spokenEnd(text, at, name);
    if (end > (found?.end ?? at)) found = { keys: [key], name: text.slice(at, end), begin: at, end };
  }
  return found;
}

/** The first of them whose name is written with an @, and that is no name of ours. */
export function taggedSpeaker(text: string, names: KnownNames): string | undefined {
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    if (at > 0 && isWordChar(text[at - 1] ?? '')) continue;
    const found =
      namesAt(text, at + 1, names.tags) === undefined ? speakerAt(text, at + 1, names) : undefined;
    if (found !== undefined && !isInPath(text, at, found.end, names.tags)) return found.keys[0];
  }
  return undefined;
}

function spokenEnd(text: string, at: number, name: string): number {
  if (text.startsWith(name, at)) {
    const end = at + name.length;
    if (endsWord(text, end)) return end;
    if (mayBeCut(name)) return wordEnd(text, end);
  }
  const end = wordEnd(text, at);
  return isFirstName(name, text.slice(at, end)) && endsWord(text, end) ? end : -1;
}

/** The longest name that ends at this place, with or without an honorific. It may have several words. */
export function nameBefore(text: string, tail: number, names: KnownNames): FoundName | undefined {
  if (tail <= 0) return undefined;
  const found = longer(agentBefore(text, tail, names), speakerBefore(text, tail, names));
  if (found !== undefined || !isUnbounded(text[tail - 1] ?? '')) return found;
  const title = HONORIFICS.find((one) => text.endsWith(one, tail));
  const bare = title === undefined ? undefined : nameBefore(text, tail - title.length, names);
  return bare === undefined ? undefined : { ...bare, end: tail };
}

function longer(a: FoundName | undefined, b: FoundName | undefined): FoundName | undefined {
  return a === undefined || (b !== undefined && b.begin < a.begin) ? b : a;
}

function agentBefore(text: string, tail: number, { agents, author }: KnownNames): FoundName | undefined {
  let found: FoundName | undefined;
  for (let at = tail - 1; at >= 0 && tail - at <= agents.longest; at--) {
    const here = namesAt(text, at, agents);
    if (here === undefined || here.end !== tail || !startsWord(text, at)) continue;
    const keys = here.ids.filter((key) => key !== author);
    if (keys.length > 0) found = { keys, name: text.slice(at, tail), begin: at, end: tail };
  }
  return found;
}

function speakerBefore(text: string, tail: number, { speakers, author }: KnownNames): FoundName | undefined {
  let found: FoundName | undefined;
  let word = tail;
  while (word > 0 && isWordChar(text[word - 1] ?? '')) word--;
  const last = text.charCodeAt(tail - 1);
  const first = text.charCodeAt(word);
  for (const { key, name } of speakers) {
    let begin = tail;
    const whole = tail - name.length;
    if (whole >= 0 && name.charCodeAt(name.length - 1) === last && text.startsWith(name, whole))
      begin = whole;
    else if (name.charCodeAt(0) === first && isFirstName(name, text.slice(word, tail))) begin = word;
    if (begin >= (found?.begin ?? tail) || key === author || !startsWord(text, begin)) continue;
    found = { keys: [key], name: text.slice(begin, tail), begin, end: tail };
  }
  return found;
}

function isFirstName(name: string, word: string): boolean {
  return word.length >= MIN_FIRST_NAME && name[word.length] === ' ' && name.startsWith(word);
}

export function wordEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && isWordChar(text[end] ?? '')) end++;
  return end;
}

export function lastWord(text: string, end: number): number {
  let at = end;
  while (at > 0 && isWordChar(text[at - 1] ?? '')) at--;
  return at;
}

/** With the byte order mark and the zero-width space, which some clients put in front. */
export const BLANKS = ' \t\n\u3000\ufeff\u200b';

/** The arrows, the first block of symbols. Emoji come after it. */
export const FIRST_SYMBOL = 0x2190;

export function skip(text: string, from: number, chars: string): number {
  let at = from;
  while (at < text.length && chars.includes(text[at] ?? '')) at++;
  return at;
}
