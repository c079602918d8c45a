// Replay turns recorded ChatEvents into log records and decisions, under a virtual clock. It does without a store what
// the live host does around the fold: sequence, time, facts, ticks, repeats. `earshot replay`, the simulator and the
// tests use it. Events keep their order, and fold time never goes back. Its state is one JSON value: a replay that is
// stopped anywhere and resumed from it decides the same.
import type { ChatEvent } from '../protocol/chat-event.ts';
import { hostId } from '../protocol/derived-id.ts';
import { instantMs, type LogRecord, recordKind } from '../protocol/log-record.ts';
import { attend, wakeAt } from './attend.ts';
import type { Decision, Effect } from './decision.ts';
import { partyOf } from './heard.ts';
import { type Outside, factsFor } from './replay-facts.ts';
import { type FedEvent, ReplayIndex } from './replay-index.ts';
import { type Place, type Roster, rosterFor } from './roster.ts';
import type { AttentionSettings } from './settings.ts';
import { type AttentionState, emptyState } from './state.ts';
import { decodeState, encodeState } from './state-codec.ts';

export const SNAPSHOT_VERSION = 1;
/** Compiled settings are kept for this many conversations. Others are compiled again when a message comes. */
const ROSTERS_KEPT = 1_024;

export interface Folded {
  record: LogRecord;
  decisions: readonly Decision[];
  effects: readonly Effect[];
}

/** `ticks`: what was due before the event, in this or another conversation. A repeated event folds nothing. */
export type Fed = ({ type: 'folded' } & Folded & { ticks: readonly Folded[] }) | { type: 'duplicate' };

export interface ReplaySnapshot {
  v: typeof SNAPSHOT_VERSION;
  /** The latest time of any event, epoch ms. */
  now: number;
  duplicates: number;
  focus: [agent: string, until: number][];
  /** Each state in its stored form (state-codec.ts). */
  conversations: { place: Place; state: string }[];
  events: [key: string, event: FedEvent][];
}

export interface Replay {
  feed(event: ChatEvent): Fed;
  /** The roster of a place: the agents that are bound there. */
  rosterOf(place: Place): Roster;
  now(): number;
  /** How many events were repeats. The first result stands. */
  duplicates(): number;
  snapshot(): ReplaySnapshot;
}

interface ReplayedConversation {
  place: Place;
  state: AttentionState;
}

export function createReplay(settings: AttentionSettings, from?: ReplaySnapshot): Replay {
  return new RunningReplay(settings, from);
}

class RunningReplay implements Replay {
  readonly rosterOf: (place: Place) => Roster;
  readonly #conversations = new Map<string, ReplayedConversation>();
  readonly #index: ReplayIndex;
  readonly #focus: Map<string, number>;
  /** Conversations with a claim that will expire, and when. */
  readonly #wakes = new Map<string, number>();
  #now: number;
  #duplicates: number;

  constructor(settings: AttentionSettings, from: ReplaySnapshot | undefined) {
    this.rosterOf = rosterCache(settings);
    this.#index = new ReplayIndex(from?.events);
    this.#focus = new Map(from?.focus);
    this.#now = from?.now ?? 0;
    this.#duplicates = from?.duplicates ?? 0;
    for (const { place, state } of from?.conversations ?? []) {
      this.#keep(placeKey(place), { place, state: decodeState(state) });
    }
  }

  feed(event: ChatEvent): Fed {
    if (this.#index.has(event)) {
      this.#duplicates++;
      return { type: 'duplicate' };
    }
    this.#now = Math.max(this.#now, instantMs(event.at));
    const ticks = this.#sweep();
    const folded = this.#fold(event);
    const roster = this.rosterOf(event);
    this.#index.note(event, folded.decisions, folded.effects, roster);
    if (event.type === 'focus') noteFocus(this.#focus, event, folded.record.at, roster);
    return { type: 'folded', ...folded, ticks };
  }

  now(): number {
    return this.#now;
  }

  duplicates(): number {
    return this.#duplicates;
  }

  snapshot(): ReplaySnapshot {
    const conversations = [...this.#conversations.values()].map(({ place, state }) => ({
      place,
      state: encodeState(state),
    }));
    return {
      v: SNAPSHOT_VERSION,
      now: this.#now,
      duplicates: this.#duplicates,
      focus: [...this.#focus],
      conversations,
      events: this.#index.entries(),
    };
  }

  #fold(event: ChatEvent): Folded {
    const key = placeKey(event);
    const state = this.#conversations.get(key)?.state ?? emptyState();
    const roster = this.rosterOf(event);
    const at = Math.max(state.at, instantMs(event.at));
    const outside = { index: this.#index, parent: this.#parentOf(event), focus: this.#focus };
    const facts = factsFor(event, at, state, roster, outside);
    const record: LogRecord = { kind: recordKind(event), seq: state.seq + 1, at, event, facts };
    const { state: next, decisions, effects } = attend(state, record, roster);
    const { platform, workspaceId, conversation } = event;
    this.#keep(key, { place: { platform, workspaceId, conversation }, state: next });
    return { record, decisions, effects };
  }

  #parentOf({ platform, workspaceId, conversation }: ChatEvent): Outside['parent'] {
    if (conversation.parentId === undefined) return undefined;
    const parent = { platform, workspaceId, conversation: { ...conversation, id: conversation.parentId } };
    const known = this.#conversations.get(placeKey(parent));
    return known === undefined ? undefined : { kind: known.place.conversation.kind, state: known.state };
  }

  #keep(key: string, conversation: ReplayedConversation): void {
    this.#conversations.set(key, conversation);
    const at = wakeAt(conversation.state);
    if (at === undefined) this.#wakes.delete(key);
    else this.#wakes.set(key, at);
  }

  /** Folds a tick for each claim that has ended by now, in order of time, as the live host's timers would. */
  #sweep(): Folded[] {
    const ticks: Folded[] = [];
    for (let due = this.#due(); due !== undefined; due = this.#due()) {
      const conversation = this.#conversations.get(due.key);
      if (conversation === undefined) throw new Error('only conversations that have been replayed can wake');
      ticks.push(this.#fold(tickAt(conversation, due.at)));
    }
    return ticks;
  }

  /** The earliest. Of two at the same time the key that sorts first, so a resumed replay does the same. */
  #due(): { key: string; at: number } | undefined {
    let first: { key: string; at: number } | undefined;
    for (const [key, at] of this.#wakes) {
      if (at > this.#now) continue;
      if (first === undefined || at < first.at || (at === first.at && key < first.key)) first = { key, at };
    }
    return first;
  }
}

function placeKey({ platform, workspaceId, conversation }: Place): string {
  return JSON.stringify([platform, workspaceId, conversation.id]);
}

/** Settings also depend on a conversation's parent and stream, so both are part of the key. */
function rosterCache(settings: AttentionSettings): (place: Place) => Roster {
  const rosters = new Map<string, Roster>();
  return ({ platform, workspaceId, conversation }) => {
    const { id, parentId, streamId } = conversation;
    const key = JSON.stringify([platform, workspaceId, id, parentId, streamId]);
    const kept = rosters.get(key);
    if (kept !== undefined) return kept;
    const roster = rosterFor(settings, { platform, workspaceId, conversation });
    for (const oldest of rosters.keys()) {
      if (rosters.size < ROSTERS_KEPT) break;
      rosters.delete(oldest);
    }
    rosters.set(key, roster);
    return roster;
  };
}

function tickAt({ place, state }: ReplayedConversation, at: number): ChatEvent {
  const { platform, workspaceId, conversation } = place;
  return {
    type: 'tick',
    eventId: hostId('tick', conversation.id, state.seq + 1),
    at,
    platform,
    workspaceId,
    conversation,
    author: { id: 'earshot', kind: 'system' },
  };
}

function noteFocus(
  focus: Map<string, number>,
  event: Extract<ChatEvent, { type: 'focus' }>,
  at: number,
  roster: Roster,
): void {
  const { agent } = partyOf(event, roster);
  if (agent === undefined) return;
  if (event.ttlMs === 0) focus.delete(agent.id);
  else focus.set(agent.id, at + event.ttlMs);
}
