// The lines of a digest: for each conversation who wrote how much, how far reported work is, who holds claims, what was
// resolved, and which signals were given. Figures and ids only, never a word of what was said.
import type { ChatEvent } from '../../protocol/chat-event.ts';
import type { LogRow } from '../../store/tables.ts';
import type { DigestLine } from '../delivery/delivery-row.ts';
import type { ConversationState } from '../kernel/conversation.ts';

export const DIGEST_LIMITS = {
  lines: 20,
  /** Authors, reports, holders and resolved events that one line names. */
  named: 5,
} as const;

/** A conversation in the digest of one agent: what was decided as digest there, and what else happened. */
export interface DigestGroup {
  covered: readonly LogRow[];
  /** Claims, resolves and reactions of others. */
  acts: readonly LogRow[];
  state: ConversationState | undefined;
}

/** One line per stream and conversation, in the order of their names. */
export function digestLines(groups: readonly DigestGroup[], agents: AgentNames, now: number): DigestLine[] {
  return groups
    .map((group) => lineOf(group, agents, now))
    .toSorted((a, b) => `${a.stream ?? ''} ${a.where}`.localeCompare(`${b.stream ?? ''} ${b.where}`))
    .slice(0, DIGEST_LIMITS.lines);
}

/** The id of the agent with this key in a conversation's state. */
export type AgentNames = (state: ConversationState, key: string) => string | undefined;

function lineOf({ covered, acts, state }: DigestGroup, agents: AgentNames, now: number): DigestLine {
  const { conversation } = (covered[0] ?? acts[0])?.record.event ?? NOWHERE;
  const line: DigestLine = {
    where: `${conversation.kind}:${conversation.id}`,
    events: covered.length,
    authors: named(covered.map(({ author }) => author)),
    types: [...new Set(covered.map(({ type }) => type))],
  };
  if ('streamId' in conversation && conversation.streamId !== undefined) line.stream = conversation.streamId;
  const progress = progressOf(covered);
  if (progress.length > 0) line.progress = progress;
  const claims = claimsOf(state, agents, now);
  if (claims.length > 0) line.claims = claims;
  const resolved = acts.flatMap(({ record: { event }, author }) =>
    event.type === 'resolve' ? [{ by: author, eventId: event.targetEventId }] : [],
  );
  if (resolved.length > 0) line.resolved = resolved.slice(-DIGEST_LIMITS.named);
  const signals = countsOf(acts.flatMap(({ record: { event } }) => signalOf(event)));
  if (signals.length > 0) line.signals = signals.map(([signal, count]) => ({ signal, count }));
  return line;
}

const NOWHERE = { conversation: { id: '', kind: 'channel' as const } };

function named(words: readonly string[]): string[] {
  return [...new Set(words)].slice(0, DIGEST_LIMITS.named);
}

/** The last figures of each piece of work that somebody reported on. */
function progressOf(covered: readonly LogRow[]): NonNullable<DigestLine['progress']> {
  const last = new Map<string, { by: string; done: number; total?: number }>();
  for (const { author, record } of covered) {
    const { event } = record;
    if (event.type !== 'progress' || event.progress === undefined) continue;
    const { progress: done, total, progressToken = '' } = event;
    last.set(`${author} ${progressToken}`, { by: author, done, ...(total === undefined ? {} : { total }) });
  }
  return [...last.values()].slice(-DIGEST_LIMITS.named);
}

/** Who holds how many claims there now. Claims that were refused or have ended are not counted. */
function claimsOf(
  state: ConversationState | undefined,
  agents: AgentNames,
  now: number,
): NonNullable<DigestLine['claims']> {
  if (state === undefined) return [];
  const holders = state.attention.claims.flatMap(({ agent, until }) =>
    until > now ? (agents(state, agent) ?? []) : [],
  );
  return countsOf(holders)
    .slice(0, DIGEST_LIMITS.named)
    .map(([agent, count]) => ({ by: `agent:${agent}`, count }));
}

function signalOf(event: ChatEvent): string[] {
  return event.type === 'reaction' && event.removed !== true ? [event.signal] : [];
}

function countsOf(words: readonly string[]): [word: string, count: number][] {
  return [...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, all.length]);
}
