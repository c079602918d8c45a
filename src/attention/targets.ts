// Whom a message names: whom it tags, to whom it is assigned, whose message it replies to. As the surface said it, and by
// an @ in the author's own words.
import type { Mention } from '../protocol/chat-event.ts';
import type { LogRecord, RecordFacts } from '../protocol/log-record.ts';
import { keyOf } from './accounts.ts';
import { type SharedAccount, sharedAccount } from './front-door.ts';
import type { Heard, Said } from './heard.ts';
import { readMentions } from './mentions.ts';
import { recall } from './recent.ts';
import type { Roster } from './roster.ts';
import { type AttentionState, shortKey } from './state.ts';

const NOBODY: ReadonlySet<string> = new Set();

export function readTags(said: Said, spoken: string, authorKind: string, roster: Roster, facts: RecordFacts) {
  const mentions = readMentions(said, spoken, roster, facts);
  if (mentions.length === 0) return NO_TAGS;
  const mentioned = new Set<string>();
  let roles: Set<string> | undefined;
  let broadcast = false;
  let tagsPerson: string | undefined;
  let accounts = NO_ACCOUNTS;
  for (const { kind, id } of mentions) {
    const agent = kind === 'agent' ? roster.byIdentity.get(id) : undefined;
    const shared = agent === undefined ? sharedBy(kind, id, roster, facts) : undefined;
    if (agent !== undefined) mentioned.add(agent.key);
    else if (shared !== undefined) accounts = [...accounts, shared];
    else if (kind === 'role') roles = (roles ?? new Set()).add(id);
    else if (kind === 'broadcast') broadcast = true;
    else tagsPerson ??= keyOf(id, roster, facts);
  }
  if (broadcast && roster.broadcastRole !== undefined) roles = (roles ?? new Set()).add(roster.broadcastRole);
  // A human who tags many agents at once calls the room, not each of them.
  const crowd = authorKind === 'human' && mentioned.size > roster.limits.mentionedAgents;
  return {
    mentioned: crowd ? NOBODY : mentioned,
    roles: roles ?? NOBODY,
    tagsPerson,
    toAll: broadcast || crowd,
    accounts,
  };
}

const NO_ACCOUNTS: readonly SharedAccount[] = [];
const NO_TAGS = {
  mentioned: NOBODY,
  roles: NOBODY,
  tagsPerson: undefined,
  toAll: false,
  accounts: NO_ACCOUNTS,
};

function sharedBy(kind: Mention['kind'], id: string, roster: Roster, facts: RecordFacts) {
  return kind === 'agent' || kind === 'human' ? sharedAccount(id, roster, facts) : undefined;
}

export function replyTarget(
  state: AttentionState,
  { event: { conversation }, facts }: LogRecord,
  said: Said,
  roster: Roster,
): Pick<Heard, 'repliesTo' | 'underRoot'> {
  const { replyTo, inReplyTo } = said;
  const eventId = replyTo?.eventId ?? inReplyTo;
  if (eventId === undefined) return NO_REPLY;
  const author = replyTo?.authorId === undefined ? undefined : authorKey(replyTo.authorId, roster, facts);
  const isRoot = eventId === conversation.id || state.root?.key === shortKey(eventId);
  if (conversation.kind === 'thread' && isRoot && inReplyTo === undefined && !roster.preset.rootIsReply) {
    return { repliesTo: undefined, underRoot: author ?? state.root?.author };
  }
  return { repliesTo: author ?? recall(state, eventId)?.author, underRoot: undefined };
}

/** Undefined for an account of several agents: the message that is replied to tells which of them wrote it. */
function authorKey(id: string, roster: Roster, facts: RecordFacts): string | undefined {
  return sharedAccount(id, roster, facts) === undefined ? keyOf(id, roster, facts) : undefined;
}

const NO_REPLY = { repliesTo: undefined, underRoot: undefined } as const;

interface Recipients {
  recipients: ReadonlySet<string>;
  /** Accounts among them that several agents share. */
  among: readonly SharedAccount[];
}
const NO_RECIPIENTS: Recipients = { recipients: NOBODY, among: NO_ACCOUNTS };

export function recipientsOf(said: Said, roster: Roster, facts: RecordFacts): Recipients {
  const { recipients = [], target } = said;
  const one = target?.recipient;
  if (recipients.length === 0 && one === undefined) return NO_RECIPIENTS;
  const keys = new Set<string>();
  const among: SharedAccount[] = [];
  for (const identity of one === undefined ? recipients : [...recipients, one]) {
    const shared = sharedAccount(identity.replace(/^(?:human|agent):/, ''), roster, facts);
    if (shared === undefined || roster.byIdentity.has(identity)) keys.add(keyOf(identity, roster, facts));
    else among.push(shared);
  }
  return { recipients: keys, among };
}
