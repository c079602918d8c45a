// What replay remembers of every event, besides the states of the conversations. It needs this to recognise repeats, to
// find what an edit, delete or reaction refers to, and to find a thread's root. The host asks its log instead.
// The index is bounded: the oldest event is forgotten first.
import type { ChatEvent, Mention } from '../protocol/chat-event.ts';
import type { OriginalFacts, RecordFacts } from '../protocol/log-record.ts';
import { putsTask } from './agent-talk.ts';
import type { Decision, Effect } from './decision.ts';
import { partyOf } from './heard.ts';
import type { Roster } from './roster.ts';
import { foldText, hashText } from './text.ts';

/** About 150 MB at the limit. A repeat or an edit of an older event counts as new. */
export const EVENTS_REMEMBERED = 500_000;

/** An event that replay has seen. Without `said` it was no message, or it was deleted. */
export interface FedEvent {
  conversation: string;
  said?: {
    author: string;
    textHash: number;
    mentions: readonly string[];
    addressed: readonly string[];
    answeredBy: readonly string[];
    /** Agents to which it put a question or a task. */
    tasked?: readonly string[];
  };
}

export class ReplayIndex {
  readonly #events: Map<string, FedEvent>;
  readonly #limit: number;

  constructor(entries: Iterable<[string, FedEvent]> = [], limit: number = EVENTS_REMEMBERED) {
    this.#events = new Map(entries);
    this.#limit = limit;
  }

  has(event: ChatEvent): boolean {
    return this.#keyIn(event, event.conversation.id, event.eventId) !== undefined;
  }

  entries(): [string, FedEvent][] {
    return [...this.#events];
  }

  /** The message that an edit, delete or reaction refers to, in this conversation or its parent room. */
  original(event: ChatEvent, targetEventId: string): OriginalFacts | undefined {
    const found = this.#near(event, targetEventId);
    if (found?.said === undefined) return undefined;
    const { author: authorId, textHash, addressed, answeredBy } = found.said;
    return { eventId: targetEventId, authorId, textHash, addressed, answeredBy };
  }

  /** Whether the message that this one replies to put a question or a task to this agent. */
  answersTask(event: ChatEvent, repliesTo: string, agent: string): boolean {
    const found = this.#near(event, repliesTo) ?? this.#events.get(plainKey(event, repliesTo));
    return found?.said?.tasked?.includes(agent) === true;
  }

  /** A thread's root: the message whose id the thread has, else the one its first message replies to. */
  root(event: ChatEvent): RecordFacts['root'] {
    const replyTo = event.type === 'message' ? event.replyTo : undefined;
    const { parentId } = event.conversation;
    for (const eventId of [event.conversation.id, replyTo?.eventId]) {
      if (eventId === undefined || parentId === undefined) continue;
      const found = this.#in(event, parentId, eventId);
      if (found?.said === undefined) continue;
      return { eventId, authorId: found.said.author, mentions: found.said.mentions };
    }
    if (replyTo?.authorId === undefined) return undefined;
    return { eventId: replyTo.eventId, authorId: replyTo.authorId, mentions: [] };
  }

  /** Called after an event has been folded. */
  note(event: ChatEvent, decisions: readonly Decision[], effects: readonly Effect[], roster: Roster): void {
    const plain = plainKey(event, event.eventId);
    const key = this.#events.has(plain) ? scopedKey(event, event.conversation.id, event.eventId) : plain;
    const entry: FedEvent = { conversation: event.conversation.id };
    if (event.type === 'message') {
      entry.said = {
        author: identityOf(event.author),
        textHash: hashText(foldText(event.text ?? '')),
        mentions: shared((event.mentions ?? []).flatMap(mentionedIdentity)),
        addressed: shared(toMe(decisions)),
        answeredBy: NONE,
      };
      const tasked = decisions.filter(putsTask).map(({ agent }) => agent);
      if (tasked.length > 0) entry.said.tasked = tasked;
      if (event.inReplyTo !== undefined) this.#answered(event, event.inReplyTo, roster);
    } else if (event.type === 'edit') {
      this.#edited(event, event.targetEventId, decisions, effects);
    } else if (event.type === 'delete') {
      this.#deleted(event, event.targetEventId);
    }
    this.#events.set(key, entry);
    for (const oldest of this.#events.keys()) {
      if (this.#events.size <= this.#limit) break;
      this.#events.delete(oldest);
    }
  }

  #answered(event: ChatEvent, target: string, roster: Roster): void {
    const { agent } = partyOf(event, roster);
    // An agent may answer in another conversation. It names the event by its event id.
    const found = this.#near(event, target) ?? this.#events.get(plainKey(event, target));
    if (agent === undefined || found?.said === undefined || found.said.answeredBy.includes(agent.id)) return;
    found.said = { ...found.said, answeredBy: [...found.said.answeredBy, agent.id] };
  }

  /** Does what the fold does for messages that it remembers: new words, and those for whom they are. */
  #edited(
    event: ChatEvent & { text?: string | undefined },
    target: string,
    decisions: readonly Decision[],
    effects: readonly Effect[],
  ): void {
    const found = this.#near(event, target);
    const textHash = hashText(foldText(event.text ?? ''));
    if (found?.said === undefined || found.said.textHash === textHash) return;
    const amended = effects.filter((effect) => effect.type === 'amend').map(({ agent }) => agent);
    found.said = { ...found.said, textHash, addressed: [...new Set([...amended, ...toMe(decisions)])] };
  }

  #deleted(event: ChatEvent, target: string): void {
    const found = this.#near(event, target);
    if (found !== undefined) delete found.said;
  }

  /** The event that is meant where this one is said: in its conversation, else in the parent of that. */
  #near(event: ChatEvent, eventId: string): FedEvent | undefined {
    const { id, parentId } = event.conversation;
    const here = this.#in(event, id, eventId);
    return here ?? (parentId === undefined ? undefined : this.#in(event, parentId, eventId));
  }

  #in(event: ChatEvent, conversation: string, eventId: string): FedEvent | undefined {
    const key = this.#keyIn(event, conversation, eventId);
    return key === undefined ? undefined : this.#events.get(key);
  }

  #keyIn(event: ChatEvent, conversation: string, eventId: string): string | undefined {
    const plain = plainKey(event, eventId);
    if (this.#events.get(plain)?.conversation === conversation) return plain;
    const scoped = scopedKey(event, conversation, eventId);
    return this.#events.has(scoped) ? scoped : undefined;
  }
}

const NONE: readonly string[] = [];
/** Most lists are empty: one empty list serves them all. */
const shared = (list: readonly string[]): readonly string[] => (list.length === 0 ? NONE : list);

/** The first conversation of a workspace that uses an id has this key. Nearly always it is the only one. */
function plainKey({ platform, workspaceId }: ChatEvent, eventId: string): string {
  return JSON.stringify([platform, workspaceId, eventId]);
}

/** An id is unique within its conversation. The others that use it have this key. */
function scopedKey({ platform, workspaceId }: ChatEvent, conversation: string, eventId: string): string {
  return JSON.stringify([platform, workspaceId, eventId, conversation]);
}

/** A person whose id is an agent's name is still a person. */
function identityOf({ id, kind }: ChatEvent['author']): string {
  return kind === 'human' ? `human:${id}` : id;
}

function mentionedIdentity({ kind, id }: Mention): string[] {
  if (kind === 'agent') return [id];
  return kind === 'human' ? [`human:${id}`] : [];
}

function toMe(decisions: readonly Decision[]): string[] {
  return decisions.filter(({ directedness }) => directedness === 'to_me').map(({ agent }) => agent);
}
