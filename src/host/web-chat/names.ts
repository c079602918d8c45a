// Names in the web chat: what an `@` in a text means, and how somebody is called on the page. A mention is the longest
// registered name; agents count before roles, people and the words for everybody. Code and quotations mention nobody.
import { type AttentionSettings, foldText } from '../../attention/index.ts';
import { ownWords } from '../../attention/own-words.ts';
import { nameTable, textMentions } from '../../attention/text.ts';
import { type Author, EVENT_LIMITS, type Mention } from '../../protocol/chat-event.ts';
import { DEFAULT_GLYPHS, type GlyphTable } from '../../protocol/glyphs.ts';
import { printableLine, parseIdentity } from '../../protocol/identity.ts';
import type { Signal } from '../../protocol/vocabulary.ts';
import { WEB_CHAT_LIMITS, type WebAuthor, type WebMention } from '../../protocol/web-chat.ts';
import { BROADCAST_NAMES } from '../security/person-names.ts';
import type { Person } from './people.ts';

export interface Names {
  mentionsIn(text: string): Mention[];
  author(author: Author): WebAuthor;
  mention(mention: Mention): WebMention;
  /** The glyph with which this author sets the signal. */
  glyph(author: Pick<Author, 'id' | 'kind'>, signal: Signal): string;
}

export function createNames(
  { agents }: Pick<AttentionSettings, 'agents'>,
  people: ReadonlyMap<string, Person>,
  glyphsOf: (agent: string) => GlyphTable = () => DEFAULT_GLYPHS,
): Names {
  const roles = new Set(agents.flatMap((agent) => agent.roles));
  const table = nameTable([
    ...agents.flatMap(({ id, name = id, aliases }) =>
      [id, name, ...aliases].map((known) => [folded(known), `agent:${id}`] as const),
    ),
    ...[...roles].map((role) => [folded(role), `role:${role}`] as const),
    ...[...people.values()].flatMap(({ id, name }) =>
      [id, name].map((known) => [folded(known), `human:${id}`] as const),
    ),
    ...BROADCAST_NAMES.map((word) => [word, `broadcast:${word}`] as const),
  ]);
  const agentNames = new Map(agents.map(({ id, name = id }) => [id, name]));
  const nameOf = (kind: string, id: string): string | undefined =>
    kind === 'agent' ? agentNames.get(id) : kind === 'human' ? people.get(id)?.name : undefined;
  return {
    mentionsIn: (text) =>
      textMentions(foldText(ownWords(text)), table)
        .slice(0, EVENT_LIMITS.mentions)
        .flatMap(mentionOf),
    author: ({ id, kind, displayName }) => ({
      id,
      kind,
      name: printableLine(nameOf(kind, id) ?? displayName ?? id, WEB_CHAT_LIMITS.nameChars),
    }),
    mention: ({ kind, id }) => ({ kind, id, name: nameOf(kind, id) ?? id }),
    glyph: ({ id, kind }, signal) => (kind === 'agent' ? glyphsOf(id) : DEFAULT_GLYPHS)[signal][0],
  };
}

function folded(name: string): string {
  return foldText(name).trim();
}

function mentionOf(identity: string): Mention[] {
  const parsed = parseIdentity(identity);
  if (parsed === undefined || parsed.kind === 'system') return [];
  return [{ kind: parsed.kind, id: parsed.id }];
}
