// The vocabulary of the wire with its meanings. Complete by type: a new word does not compile until it is explained.
import { INTENT_WORDS, MODE_WORDS, POLICY_WORDS, REASON_WORDS } from '../../src/attention/trace-words.ts';
import { defaultGlyph } from '../../src/protocol/glyphs.ts';
import { KNOCK_WORDS } from '../../src/protocol/knock-topic.ts';
import {
  AUTHOR_KINDS,
  type AuthorKind,
  BLOCKS,
  type Blocks,
  CONVERSATION_KINDS,
  type ConversationKind,
  type ConversationMode,
  DIRECTEDNESS,
  type Directedness,
  DISPOSITIONS,
  type Disposition,
  INBOUND_DECISIONS,
  type InboundDecision,
  INJECTION_MODES,
  INTENTS,
  MODES,
  ORIGINS,
  type Origin,
  POLICIES,
  PRIORITIES,
  type Priority,
  PROTOCOL_VERSIONS,
  type ProtocolVersion,
  REASONS,
  SIGNAL_DISPOSITIONS,
  SIGNALS,
  type Signal,
  VISIBILITIES,
  type Visibility,
} from '../../src/protocol/vocabulary.ts';
import type { CloseReason } from '../../src/transport/transport.ts';
import { code, codes, table } from './markdown.ts';

const VERSION_WORDS: Record<ProtocolVersion, string> = {
  '2026-08-11': 'the short event with obligations',
  '2026-06-24': 'the short event; knows three policies: `ack_only` is shown as `must_not_respond`',
  '2026-06-02': 'the full envelope; obligations when asked for',
};
const KIND_WORDS: Record<ConversationKind, string> = {
  dm: 'a direct message; with more than two people or agents in it, it counts as a channel',
  channel: 'a room',
  thread: 'a thread: a conversation of its own, in the room `parentId`',
  system: 'the platform’s own; silent unless it names a recipient',
  tool: 'what a tool writes; silent unless it names a recipient',
};
const AUTHOR_WORDS: Record<AuthorKind, string> = {
  human: 'a person',
  agent: 'an agent, ours or another',
  system: 'the platform itself: joins, hooks, bots without an identity',
};
const DIRECTEDNESS_WORDS: Record<Directedness, string> = {
  to_me: 'it is for this agent',
  to_my_role: 'it is for a role the agent has, or in a place that is its own',
  to_other: 'it is for somebody else',
  ambient: 'it is for nobody in particular',
};
const PRIORITY_WORDS: Record<Priority, string> = {
  normal: 'it waits for its turn',
  urgent: 'something urgent, a warning or a cancellation, for this agent',
};
const DISPOSITION_WORDS: Record<Disposition, string> = {
  responded: 'answered, or marked done',
  acknowledged: 'a signal was enough',
  deferred: 'put off; it comes back once, when the time is over',
  claimed: 'somebody works on it; it comes back once, when the claim lapses',
  ignored: 'left or declined',
  superseded: 'an edit, a deletion or a newer delivery has replaced it',
  failed: 'it should have been answered and was not',
};
const VISIBILITY_WORDS: Record<Visibility, string> = {
  dm: 'the two of them',
  thread: 'the thread',
  channel: 'the room',
  ephemeral: 'one person, where the platform can do that',
};
const INBOUND_WORDS: Record<InboundDecision, string> = {
  engage: 'the agent is woken, or the host acknowledges for it',
  observe: 'the agent is not woken; it can look the message up',
  denied: 'the author may not talk to this agent; kept for the audit, never shown',
  claim: 'a pairing code, which the host consumes',
};
const CONVERSATION_MODE_WORDS: Record<ConversationMode, string> = {
  auto: 'the rules decide',
  follow: 'what is said in threads it takes part in comes in batches',
  mention_only: 'only what calls it by mention, reply, assignment, name or role, and direct messages',
  left: 'nothing, until it is mentioned, assigned something or owes an answer',
};
const BLOCKS_WORDS: Record<Blocks, string> = {
  halted: 'the author cannot go on',
  degraded: 'the author goes on, but with worse results',
  none: 'the author goes on, but wants an answer',
};
const ORIGIN_WORDS: Record<Origin, string> = {
  live: 'as it happened',
  gap: 'it came late, after a gap: it is decided, and its age lowers the decision',
  backfill: 'history: it is remembered and never decided',
};
const SIGNAL_WORDS: Record<Signal, string> = {
  seen: 'read',
  agree: 'yes; with a `recipient`, from the author of a debt: it closes the debt',
  working: 'I work on it',
  queued: 'I do it later',
  claimed: 'I take it',
  done: 'finished; with a `recipient`, from the author of a debt: it closes the debt',
  declined: 'not me, or no',
  blocked: 'waiting for something',
  unclear: 'I do not understand it',
};
export const CLOSE_WORDS: Record<CloseReason, string> = {
  normal: 'done',
  protocol_error: 'the peer sent something that is no JSON-RPC',
  unauthorized: 'the token is missing, not valid, or was revoked',
  fenced: 'a newer session of this agent has taken over; do not connect again',
  too_large: 'a frame was larger than 1 MiB',
  going_away: 'the host is going down: connect again',
  lost: 'the connection broke without a close: connect again',
};

function words(title: string, list: readonly string[], meaning: Readonly<Record<string, string>>): string {
  return `### ${title}\n\n${table(
    ['word', 'means'],
    list.map((word) => [code(word), meaning[word] ?? '']),
  )}\n`;
}

const TOPIC_EXAMPLES = [
  'review request',
  'question to your role',
  '2 questions and a request in your thread, oldest 4 min',
  'owed answer, 16 min old, work halted',
];

export function vocabularyText(): string {
  const signals = SIGNALS.map((signal) => {
    const disposition = SIGNAL_DISPOSITIONS[signal];
    return [
      code(signal),
      defaultGlyph(signal),
      disposition === null ? 'none' : code(disposition),
      SIGNAL_WORDS[signal],
    ];
  });
  return `## Words

${words('Versions', PROTOCOL_VERSIONS, VERSION_WORDS)}
${words('Directedness', DIRECTEDNESS, DIRECTEDNESS_WORDS)}
${words('Policy, the strongest first', POLICIES, POLICY_WORDS)}
${words('Injection mode, the most visible first', INJECTION_MODES, MODE_WORDS)}
### Signals

Agents reason about signals, never glyphs: a workspace may show others, settled in \`initialize\`.

${table(['signal', 'shown as', 'disposition', 'means'], signals)}
${words('Dispositions: how a delivery ends', DISPOSITIONS, DISPOSITION_WORDS)}
${words('The four-way decision', INBOUND_DECISIONS, INBOUND_WORDS)}
${words('Modes of an agent in a conversation', MODES, CONVERSATION_MODE_WORDS)}
${words('Conversation kinds', CONVERSATION_KINDS, KIND_WORDS)}
${words('Author kinds', AUTHOR_KINDS, AUTHOR_WORDS)}
${words('Visibility of a send', VISIBILITIES, VISIBILITY_WORDS)}
${words('Priority', PRIORITIES, PRIORITY_WORDS)}
${words('Obligations: what blocks', BLOCKS, BLOCKS_WORDS)}
${words('Origin of an event', ORIGINS, ORIGIN_WORDS)}
${words('Intent', INTENTS, INTENT_WORDS)}
${words('Reasons', REASONS, REASON_WORDS)}
### Topics of a knock

What kind of task, how many, where, how old, and what hangs on it, such as ${codes(TOPIC_EXAMPLES)}. A topic has these
words and numbers, and no others: ${codes([...KNOCK_WORDS].toSorted())}.
`.replaceAll(/\n{3,}/g, '\n\n');
}
