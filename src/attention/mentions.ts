// Whom a message mentions: as its platform says and, unless that is all there is (`mentionsResolved`), by an @ in the
// author's own words. An account of one of our agents is
// that agent, whatever the platform takes it for and however it writes it ("@lead", "<@U123>", "@U123").
import type { Mention, MessageEvent } from '../protocol/chat-event.ts';
import type { LogRecord, RecordFacts } from '../protocol/log-record.ts';
import { ownerOf } from './accounts.ts';
import { ownWords } from './own-words.ts';
import type { Roster } from './roster.ts';
import { foldText, textMentions } from './text.ts';

const NO_MENTIONS: readonly Mention[] = [];

type Tagging = Partial<Pick<MessageEvent, 'mentions' | 'mentionsResolved'>>;

/** Each once, the platform's first. `spoken`: the author's own words, folded. */
export function readMentions(
  { mentions: given, mentionsResolved: resolved }: Tagging,
  spoken: string,
  roster: Roster,
  facts: RecordFacts,
): readonly Mention[] {
  const tags =
    resolved !== true && spoken.includes('@') ? textMentions(spoken, roster.names.mentionable) : [];
  if (tags.length === 0 && (given === undefined || given.length === 0)) return NO_MENTIONS;
  const mentions = (given ?? NO_MENTIONS).map((mention) => resolve(mention, roster, facts));
  for (const tag of tags) {
    const mention = mentionOf(tag);
    if (!mentions.some(({ kind, id }) => kind === mention.kind && id === mention.id)) mentions.push(mention);
  }
  return mentions;
}

/** The mentions of any event, for those who read it. */
export function mentionsOf(
  { event, facts }: Pick<LogRecord, 'event' | 'facts'>,
  roster: Roster,
): readonly Mention[] {
  if (event.type !== 'message' && event.type !== 'edit') return NO_MENTIONS;
  const { text = '' } = event;
  const spoken = MAY_TAG.test(text) ? foldText(ownWords(text)) : '';
  return readMentions(event, spoken, roster, facts);
}

/** What folds to an @. Without one the text tags nobody, and is not read. */
const MAY_TAG = /[@\uFE6B\uFF20]/;

function resolve(mention: Mention, roster: Roster, facts: RecordFacts): Mention {
  const { kind, id } = mention;
  if (kind === 'role') return roster.groups.get(id) ?? mention;
  if (kind === 'broadcast') return mention;
  const agent = ownerOf(id, roster, facts) ?? (kind === 'agent' ? roster.byIdentity.get(id) : undefined);
  return agent === undefined ? mention : { kind: 'agent', id: agent.id };
}

/** The tables of names have identities: `agent:lead`, `role:ops`, `broadcast:here`. */
function mentionOf(tag: string): Mention {
  const colon = tag.indexOf(':');
  return { kind: tag.slice(0, colon) as Mention['kind'], id: tag.slice(colon + 1) };
}
