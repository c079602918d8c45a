// The facts from outside a conversation, as replay knows them. They are the same that the live host looks up and
// stores, so a recorded chat gets the same decisions in both.
import type { ChatEvent } from '../protocol/chat-event.ts';
import { instantMs, type ParentFacts, type RecordFacts } from '../protocol/log-record.ts';
import type { ConversationKind } from '../protocol/vocabulary.ts';
import { directFacts } from './direct.ts';
import { recall } from './recent.ts';
import { partyOf } from './heard.ts';
import type { ReplayIndex } from './replay-index.ts';
import type { Roster } from './roster.ts';
import { SCORER_VERSION } from './scorer/parameters.ts';
import { type AttentionState, minuteOf } from './state.ts';

export interface Outside {
  index: ReplayIndex;
  /** The parent room, when this is a thread and replay knows the room. */
  parent: { kind: ConversationKind; state: AttentionState } | undefined;
  /** Agents in focus anywhere, and until when. */
  focus: ReadonlyMap<string, number>;
}

export function factsFor(
  event: ChatEvent,
  at: number,
  state: AttentionState,
  roster: Roster,
  outside: Outside,
): RecordFacts {
  const facts: RecordFacts = {};
  if (event.type === 'message') facts.scorer = SCORER_VERSION;
  if (event.origin !== undefined) facts.origin = event.origin;
  const membership = membershipOf(event, at, state);
  if (membership !== undefined) facts.membership = membership;
  if (outside.parent !== undefined) facts.parent = parentFacts(outside.parent, at, roster);
  if (event.conversation.kind === 'thread') {
    const root = state.seq === 0 ? outside.index.root(event) : undefined;
    if (root !== undefined) facts.root = root;
  }
  const focus = roster.agents.flatMap(({ id }) => {
    const until = outside.focus.get(id) ?? 0;
    return until > at ? [{ agent: id, until }] : [];
  });
  if (focus.length > 0) facts.focus = focus;
  const author = event.type === 'message' ? partyOf(event, roster).agent : undefined;
  const repliesTo = author === undefined ? undefined : repliedId(event);
  if (author !== undefined && repliesTo !== undefined) {
    if (outside.index.answersTask(event, repliesTo, author.id)) facts.answersTask = true;
  }
  const target = amendedId(event);
  if (target !== undefined && recall(state, target) === undefined) {
    const original = outside.index.original(event, target);
    if (original !== undefined) facts.original = original;
  }
  return facts;
}

function repliedId(event: ChatEvent): string | undefined {
  return event.type === 'message' ? (event.replyTo?.eventId ?? event.inReplyTo) : undefined;
}

function amendedId(event: ChatEvent): string | undefined {
  return event.type === 'edit' || event.type === 'delete' || event.type === 'reaction'
    ? event.targetEventId
    : undefined;
}

/** Undefined for a read that is older than the one in the state. */
function membershipOf(event: ChatEvent, at: number, state: AttentionState): RecordFacts['membership'] {
  const { membership } = event;
  if (membership === undefined) return undefined;
  const readAt = membership.at === undefined ? at : Math.min(at, instantMs(membership.at));
  if (readAt < (state.membership?.at ?? 0)) return undefined;
  const { humans, agents = 0, complete } = membership;
  return { humans, agents, complete, at: readAt };
}

function parentFacts(
  { kind: parentKind, state: parent }: NonNullable<Outside['parent']>,
  at: number,
  roster: Roster,
): ParentFacts {
  const since = minuteOf(at - roster.limits.speakersMs);
  const spoken = parent.speakers.filter(({ kind, atMin }) => kind === 'human' && atMin >= since).length;
  const forgotten = parent.forgotten.atMin >= since ? parent.forgotten.humans : 0;
  const modes = parent.agents.flatMap(({ key, mode }) => {
    const agent = roster.byKey.get(key);
    return agent === undefined || mode === null ? [] : [{ agent: agent.id, mode }];
  });
  const direct = parentKind === 'dm' ? directFacts(parent, at, roster) : undefined;
  const { humanAt } = parent.loop.peers;
  const facts: ParentFacts = { modes, humans: spoken + forgotten, ...(humanAt > 0 && { humanAt }) };
  return direct === undefined ? facts : { ...facts, direct };
}
