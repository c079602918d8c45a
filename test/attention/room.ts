// The one fixture of the attention tests: a room in which people and agents talk, folded record by record by the real
// `attend`. Time stands still except for `stepMs` before every record, `after` and `wait`; nothing is random.
//
//   const r = room({ agents: ['nova', 'otto'] });
//   const first = r.say('ann', '@nova is the deploy blocked?');
//   first.of('nova').policy           // 'must_respond'
//   r.say('nova', 'No, it is green.', { inReplyTo: first.eventId });
//   r.wait(60_000).react('ben', first, 'seen');
//
// An author is an agent when it is in `agents`, `system:ci` is the platform, `agent:x` an agent of somebody else,
// anybody else a human. Every event goes through the event schema and every state through its stored form, so that
// no test leans on what the wire or a restart would lose.
import { type Decision, type Effect, attend } from '../../src/attention/index.ts';
import { SCORER_VERSION, decodeState, directFacts, encodeState } from '../../src/attention/index.ts';
import { type AttentionSettingsInput, type AttentionState, type Roster } from '../../src/attention/index.ts';
import { attentionSettingsSchema, emptyState, rosterFor } from '../../src/attention/index.ts';
import { type ChatEvent, type Conversation, chatEventSchema } from '../../src/protocol/chat-event.ts';
import type { ChatEventOf, ChatEventType, Mention, MessageEvent } from '../../src/protocol/chat-event.ts';
import { type LogRecord, type RecordFacts, recordKind } from '../../src/protocol/log-record.ts';
import type { ConversationMode, Signal } from '../../src/protocol/vocabulary.ts';

export const T0 = Date.parse('2026-06-24T09:00:00Z');
export const SECOND = 1_000;
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Bound everywhere, with nothing set but their ids. */
export const AGENTS = ['nova', 'otto', 'iris'] as const;

type AgentInput = NonNullable<AttentionSettingsInput['agents']>[number];
type HereInput = Omit<NonNullable<AttentionSettingsInput['conversations']>[number], 'match'>;

export interface RoomOptions {
  /** Ids, or agent settings. Default: nova, otto and iris. */
  agents?: readonly (string | AgentInput)[];
  preset?: 'default' | 'typeclaw';
  limits?: NonNullable<AttentionSettingsInput['limits']>;
  /** Settings of this conversation (and of its threads): defaultResponder, openFloor, mode, … */
  here?: HereInput;
  /** Settings of conversations by match, looked at before `here`. */
  conversations?: NonNullable<AttentionSettingsInput['conversations']>;
  kind?: Conversation['kind'];
  id?: string;
  streamId?: string;
  /** Stamped on every record until `members` says otherwise. Read at the time of each record. */
  membership?: Members;
  /** Before every record. Longer than a compose window, so that nothing is a fragment by accident. */
  stepMs?: number;
}

export interface Members {
  humans: number;
  agents?: number;
  complete?: boolean;
  /** How long before the record it was read. */
  ageMs?: number;
}

/** Common to every record: time before it on top of `stepMs`, facts the host would have looked up. */
export interface Extra {
  after?: number;
  facts?: RecordFacts;
  eventId?: string;
  /** The platform's own time, when it is not the fold's. */
  sentAt?: number;
}

type Ref = string | { eventId: string };
type Tag = string | Mention;

export interface SayOptions
  extends Extra,
    Partial<
      Pick<
        MessageEvent,
        'subtype' | 'obligation' | 'target' | 'visibility' | 'recipients' | 'attachments' | 'mentionsResolved'
      >
    > {
  /** 'nova' is an agent, 'ann' a human, 'role:ops' a role, '@here' a broadcast. */
  mentions?: readonly Tag[];
  /** Native reply, by event; `{ to }` names the author replied to as well, as a platform would. */
  replyTo?: Ref | { eventId: string; to: string };
  inReplyTo?: Ref;
  /** null: the platform gives no display name. */
  displayName?: string | null;
}

/** What one record did. */
export interface Outcome {
  eventId: string;
  record: LogRecord;
  /** By agent id; an agent without a decision is not there. */
  decisions: Readonly<Partial<Record<string, Decision>>>;
  effects: readonly Effect[];
  /** This agent's decision; throws when there is none. */
  of: (agent: string) => Decision;
  /** Effects of one type. */
  effect: <T extends Effect['type']>(type: T) => Extract<Effect, { type: T }>[];
  /** Ids of the agents whose decision has this policy. */
  who: (policy: Decision['policy']) => string[];
}

interface Clock {
  now: number;
  events: number;
}

export type EventBody<T extends ChatEventType> = Omit<
  ChatEventOf<T>,
  'type' | 'eventId' | 'at' | 'platform' | 'workspaceId' | 'conversation' | 'author'
>;

export class Room {
  readonly conversation: Conversation;
  state: AttentionState = emptyState();
  readonly roster: Roster;
  readonly log: LogRecord[] = [];
  readonly #options: RoomOptions;
  readonly #clock: Clock;
  readonly #parent: Room | undefined;
  #root: RecordFacts['root'];
  #members: Members | undefined;

  constructor(options: RoomOptions = {}, clock: Clock = { now: T0, events: 0 }, parent?: Room, root?: Ref) {
    this.#options = options;
    this.#clock = clock;
    this.#parent = parent;
    this.#members = options.membership;
    this.conversation = {
      id: options.id ?? 'C1',
      kind: options.kind ?? 'channel',
      ...(parent && { parentId: parent.conversation.id }),
      ...(options.streamId !== undefined && { streamId: options.streamId }),
    };
    this.roster = rosterFor(settingsOf(options), {
      platform: 'web',
      workspaceId: 'W1',
      conversation: this.conversation,
    });
    this.#root = root === undefined ? undefined : parent?.rootFacts(root);
  }

  get now(): number {
    return this.#clock.now;
  }

  /** A thread of this room: its own conversation, with the room's facts on its records and one clock for both. */
  thread(options: Pick<RoomOptions, 'id' | 'kind' | 'membership' | 'streamId'> & { root?: Ref } = {}): Room {
    const { root, ...given } = options;
    const own: RoomOptions = { ...this.#options, id: 'T1', kind: 'thread', ...given };
    return new Room(own, this.#clock, this, root);
  }

  /** Time passes and nothing happens. */
  wait(ms: number): this {
    this.#clock.now += ms;
    return this;
  }

  /** What the next records carry as membership; undefined: nothing is known from now on. */
  members(members: Members | undefined): this {
    this.#members = members;
    return this;
  }

  say(author: string, text: string, options: SayOptions = {}): Outcome {
    const { mentions, replyTo, inReplyTo, subtype, obligation, target, visibility, recipients } = options;
    const body: EventBody<'message'> = { text };
    if (mentions !== undefined) body.mentions = mentions.map((tag) => this.#mention(tag));
    if (replyTo !== undefined) {
      const to = typeof replyTo === 'object' && 'to' in replyTo ? replyTo.to : undefined;
      body.replyTo = { eventId: idOf(replyTo), ...(to !== undefined && { authorId: to }) };
    }
    if (inReplyTo !== undefined) body.inReplyTo = idOf(inReplyTo);
    if (subtype !== undefined) body.subtype = subtype;
    if (obligation !== undefined) body.obligation = obligation;
    if (target !== undefined) body.target = target;
    if (visibility !== undefined) body.visibility = visibility;
    if (recipients !== undefined) body.recipients = recipients;
    if (options.attachments !== undefined) body.attachments = options.attachments;
    if (options.mentionsResolved !== undefined) body.mentionsResolved = options.mentionsResolved;
    return this.fold('message', author, body, options);
  }

  /** The author's earlier message now reads `text`. */
  edit(
    author: string,
    target: Ref,
    text: string,
    options: Extra & { mentions?: readonly Tag[]; mentionsResolved?: true } = {},
  ): Outcome {
    const { mentions, mentionsResolved } = options;
    const tags = {
      ...(mentions !== undefined && { mentions: mentions.map((tag) => this.#mention(tag)) }),
      ...(mentionsResolved !== undefined && { mentionsResolved }),
    };
    return this.fold('edit', author, { targetEventId: idOf(target), text, ...tags }, options);
  }

  remove(author: string, target: Ref, options: Extra = {}): Outcome {
    return this.fold('delete', author, { targetEventId: idOf(target) }, options);
  }

  react(
    author: string,
    target: Ref,
    signal: Signal,
    options: Extra & { removed?: boolean; recipient?: string } = {},
  ): Outcome {
    const { removed, recipient } = options;
    const body: EventBody<'reaction'> = { targetEventId: idOf(target), signal };
    if (removed !== undefined) body.removed = removed;
    if (recipient !== undefined) body.recipient = recipient;
    return this.fold('reaction', author, body, options);
  }

  /** A work claim; without a target on the whole conversation. */
  claim(
    agent: string,
    target?: Ref,
    options: Extra & { op?: 'claim' | 'renew' | 'release'; ttlMs?: number; token?: number } = {},
  ): Outcome {
    const { op, ttlMs, token } = options;
    const body: EventBody<'claim'> = {};
    if (target !== undefined) body.targetEventId = idOf(target);
    if (op !== undefined) body.op = op;
    if (ttlMs !== undefined) body.ttlMs = ttlMs;
    if (token !== undefined) body.token = token;
    return this.fold('claim', agent, body, options);
  }

  mode(by: string, mode: ConversationMode, agent?: string, options: Extra = {}): Outcome {
    return this.fold('mode', by, { mode, ...(agent !== undefined && { agent }) }, options);
  }

  turn(agent: string, phase: 'started' | 'ended', options: Extra = {}): Outcome {
    return this.fold('turn', agent, { phase }, options);
  }

  disengage(agent: string, options: Extra = {}): Outcome {
    return this.fold('disengage', agent, {}, options);
  }

  resolve(agent: string, target?: Ref, options: Extra = {}): Outcome {
    return this.fold('resolve', agent, target === undefined ? {} : { targetEventId: idOf(target) }, options);
  }

  progress(author: string, text: string, options: Extra = {}): Outcome {
    return this.fold('progress', author, { text }, options);
  }

  typing(author: string, typing = true, options: Extra = {}): Outcome {
    return this.fold('typing', author, { typing }, options);
  }

  /** The clock's own record, `ms` later. */
  tick(ms = 0): Outcome {
    return this.fold('tick', 'system:clock', {}, { after: ms });
  }

  /** Any event. Fields the other verbs do not have go through here. */
  fold<T extends ChatEventType>(type: T, author: string, body: EventBody<T>, options: Extra = {}): Outcome {
    this.#clock.now += (this.#options.stepMs ?? 10 * SECOND) + (options.after ?? 0);
    const at = this.#clock.now;
    const eventId = options.eventId ?? `e${++this.#clock.events}`;
    const event: ChatEvent = chatEventSchema.parse({
      type,
      eventId,
      at: options.sentAt ?? at,
      platform: 'web',
      workspaceId: 'W1',
      conversation: this.conversation,
      author: this.#author(author, options),
      ...body,
    });
    const seq = this.state.seq + 1;
    const record = { kind: recordKind(event), seq, at, event, facts: this.#facts(type, at, options.facts) };
    this.log.push(record);
    const { state, decisions, effects } = attend(this.state, record, this.roster);
    this.state = decodeState(encodeState(state));
    return outcomeOf(record, decisions, effects);
  }

  /** Facts about one of our messages as the root of a thread. */
  rootFacts(root: Ref): NonNullable<RecordFacts['root']> {
    const event = this.log.find((record) => record.event.eventId === idOf(root))?.event;
    if (event?.type !== 'message') throw new Error(`no message ${idOf(root)} in ${this.conversation.id}`);
    const mentions = (event.mentions ?? []).map(({ id }) => id);
    return { eventId: event.eventId, authorId: event.author.id, mentions };
  }

  #facts(type: ChatEventType, at: number, given: RecordFacts = {}): RecordFacts {
    const facts: RecordFacts = type === 'message' ? { scorer: SCORER_VERSION } : {};
    if (this.#parent !== undefined) facts.parent = parentFacts(this.#parent);
    if (this.#root !== undefined && this.state.seq === 0) facts.root = this.#root;
    if (this.#members !== undefined) {
      const { humans, agents = this.roster.agents.length, complete = true, ageMs = 0 } = this.#members;
      facts.membership = { humans, agents, complete, at: at - ageMs };
    }
    return { ...facts, ...given };
  }

  #author(author: string, { displayName }: SayOptions): ChatEvent['author'] {
    const kind = this.#kindOf(author);
    const id = author.replace(/^(?:system|agent):/, '');
    const name = displayName === undefined ? (id[0] ?? '').toUpperCase() + id.slice(1) : displayName;
    return { id, kind, ...(name !== null && { displayName: name }) };
  }

  #kindOf(who: string): ChatEvent['author']['kind'] {
    if (who.startsWith('system:')) return 'system';
    return who.startsWith('agent:') || this.roster.byIdentity.has(who) ? 'agent' : 'human';
  }

  #mention(tag: Tag): Mention {
    if (typeof tag !== 'string') return tag;
    if (tag.startsWith('@')) return { kind: 'broadcast', id: tag.slice(1) };
    if (tag.startsWith('role:')) return { kind: 'role', id: tag.slice('role:'.length) };
    return { kind: this.#kindOf(tag) === 'agent' ? 'agent' : 'human', id: tag };
  }
}

export function room(options: RoomOptions = {}): Room {
  return new Room(options);
}

function settingsOf(options: RoomOptions) {
  const agents = (options.agents ?? AGENTS).map((agent) =>
    typeof agent === 'string' ? { id: agent } : agent,
  );
  const here = options.here === undefined ? [] : [{ match: '*', ...options.here }];
  return attentionSettingsSchema.parse({
    preset: options.preset ?? 'default',
    agents,
    conversations: [...(options.conversations ?? []), ...here],
    limits: options.limits ?? {},
  });
}

/** What the host stamps on a thread's records about its room. */
function parentFacts(parent: Room): NonNullable<RecordFacts['parent']> {
  const { state, roster, conversation } = parent;
  const modes = state.agents.flatMap(({ key, mode }) => {
    const agent = roster.byKey.get(key)?.id;
    return mode === null || agent === undefined ? [] : [{ agent, mode }];
  });
  const humans = state.speakers.filter(({ kind }) => kind === 'human').length;
  const facts = { modes, humans, humanAt: state.loop.peers.humanAt };
  const direct = conversation.kind === 'dm' ? directFacts(state, state.at, roster) : undefined;
  return direct === undefined ? facts : { ...facts, direct };
}

function outcomeOf(record: LogRecord, decided: readonly Decision[], effects: readonly Effect[]): Outcome {
  const decisions = Object.fromEntries(decided.map((decision) => [decision.agent, decision]));
  if (Object.keys(decisions).length !== decided.length) throw new Error('two decisions for one agent');
  return {
    eventId: record.event.eventId,
    record,
    decisions,
    effects,
    of: (agent) => {
      const decision = decisions[agent];
      if (decision === undefined) throw new Error(`no decision for ${agent} about ${record.event.eventId}`);
      return decision;
    },
    effect: <T extends Effect['type']>(type: T) =>
      effects.filter((effect): effect is Extract<Effect, { type: T }> => effect.type === type),
    who: (policy) => decided.filter((decision) => decision.policy === policy).map(({ agent }) => agent),
  };
}

function idOf(ref: Ref | { eventId: string; to: string }): string {
  return typeof ref === 'string' ? ref : ref.eventId;
}
