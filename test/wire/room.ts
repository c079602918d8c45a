// Rooms on the wire: people and agents talk in a conversation of a real host, and each decision is read twice, as the
// host explains it (`/v1/why`) and as the agent's harness got it. `of` fails when the two differ, so no test can lean on
// a decision that never left the host.
//
//   const { room } = await roomHost({ agents: [{ id: 'nova' }] });
//   const r = room();
//   const first = await r.say('ann', '@nova is the deploy blocked?');
//   (await first.of('nova')).policy                    // 'must_respond'
//   await r.say('nova', 'No, it is green.', { inReplyTo: first });
//
// Tests may share a host: every room is a conversation of its own.
import { expect } from 'vitest';
import type { ShownDecision } from '../../src/protocol/operator-api.ts';
import type { Signal } from '../../src/protocol/vocabulary.ts';
import { resultIn } from './debt-cast.ts';
import { until, type WireHost, type WireHostOptions, wireHost } from './host.ts';
import { harness, type Seen, type WireHarness } from './ways.ts';

export const SECOND = 1_000;
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Before every line. Longer than a compose window, so that nothing is a fragment by accident. */
const STEP_MS = 10 * SECOND;
/** Time passes in leaps of days here, so nobody is pinged. */
const NEVER_MS = 30 * DAY;

/** Harnesses that take every mode and compose by themselves, so that each event comes as it was decided. */
const EVERY_MODE = {
  capabilities: {
    obligations: true,
    injection: { immediate: true, buffered: true, notify: true, tool_mailbox: true, digest: true },
  },
};

export interface RoomHost {
  wire: WireHost;
  agents: ReadonlyMap<string, WireHarness>;
  room: (options?: RoomOptions) => WireRoom;
}

export interface RoomOptions {
  id?: string;
  /** Agents can be bound by workspace: `conversations: ['*\/two/*']`. */
  workspaceId?: string;
  kind?: 'channel' | 'dm' | 'thread' | 'system' | 'tool';
  parent?: WireRoom;
  streamId?: string;
  /** On every line, until `members` says otherwise. */
  membership?: Members;
  stepMs?: number;
}

export interface Members {
  humans: number;
  agents?: number;
  complete?: boolean;
  /** How long before the line it was read. */
  ageMs?: number;
}

type Ref = string | { eventId: string };
type Tag = string | { kind: 'agent' | 'human' | 'role' | 'broadcast'; id: string };

export interface SayOptions {
  /** Time on top of `stepMs`. */
  after?: number;
  /** 'nova' is an agent, 'ann' a person, 'role:ops' a role, '@here' a broadcast. */
  mentions?: readonly Tag[];
  /** A native reply; `{ to }` names the author replied to as well, as a platform would. */
  replyTo?: Ref | { eventId: string; to: string };
  inReplyTo?: Ref;
  displayName?: string;
  /** Further fields of the event, or of an agent's send. */
  more?: Record<string, unknown>;
}

/** What became of one line. */
export interface Said {
  eventId: string;
  /** What was decided for the agent, as its harness saw it. Throws when it was not asked. */
  of: (agent: string) => Promise<Told>;
  /** Whether the agent was asked at all. */
  asked: (agent: string) => Promise<boolean>;
}

export type Told = Pick<
  ShownDecision,
  'decision' | 'directedness' | 'policy' | 'mode' | 'reason' | 'intent'
> & {
  /** The event at the harness. Undefined when it was not handed over. */
  seen: Seen | undefined;
  notices: readonly string[];
};

const HANDED = new Set(['immediate', 'buffered', 'notify']);

let rooms = 0;

/** A host with every agent connected over WebSocket. */
export async function roomHost(options: WireHostOptions = {}): Promise<RoomHost> {
  const limits = { heartbeatMs: NEVER_MS, ...options.host?.limits };
  const wire = await wireHost({ ...options, host: { ...options.host, limits } });
  const agents = new Map<string, WireHarness>();
  for (const id of wire.agents) agents.set(id, await harness(wire, id, 'websocket', EVERY_MODE));
  return { wire, agents, room: (given = {}) => new WireRoom({ wire, agents }, given) };
}

export class WireRoom {
  readonly id: string;
  readonly #host: Pick<RoomHost, 'wire' | 'agents'>;
  readonly #options: RoomOptions;
  #members: Members | undefined;

  constructor(host: Pick<RoomHost, 'wire' | 'agents'>, options: RoomOptions) {
    this.#host = host;
    this.#options = options;
    this.#members = options.membership;
    this.id = options.id ?? `${options.kind ?? 'room'}-${++rooms}`;
  }

  get target(): string {
    return `${this.#options.kind ?? 'channel'}:${this.id}`;
  }

  thread(options: Omit<RoomOptions, 'kind' | 'parent'> = {}): WireRoom {
    return new WireRoom(this.#host, {
      ...this.#options,
      ...options,
      id: options.id ?? `${this.id}-t${++rooms}`,
      kind: 'thread',
      parent: this,
    });
  }

  /** What the next lines carry as membership; undefined: nothing is known from now on. */
  members(members: Members | undefined): this {
    this.#members = members;
    return this;
  }

  /** One leap. After a long one the sweep gets a few rounds, because each round leaves the rest to the next. */
  async wait(ms: number): Promise<this> {
    await this.#host.wire.pass(ms, Math.max(1, ms));
    if (ms >= MINUTE) await this.#host.wire.pass(3, 1);
    return this;
  }

  /** One of our agents sends with its tool. Anybody else speaks on the platform. */
  async say(author: string, text: string, options: SayOptions = {}): Promise<Said> {
    await this.wait((this.#options.stepMs ?? STEP_MS) + (options.after ?? 0));
    const own = this.#host.agents.get(author);
    return this.#said(
      own === undefined ? await this.#post(author, text, options) : await this.#send(own, text, options),
    );
  }

  /** Any other event on the platform: an edit, a reaction, somebody who types. */
  async event(author: string, fields: Record<string, unknown>): Promise<Said> {
    await this.wait(this.#options.stepMs ?? STEP_MS);
    const { wire } = this.#host;
    const { eventId, at, platform } = wire.event('', {});
    const [posted] = await wire.post({
      eventId,
      at,
      platform,
      ...this.#place(),
      author: this.#author(author),
      ...this.#membership(),
      ...fields,
    });
    if (posted?.status !== 'accepted') throw new Error(`it was not accepted: ${JSON.stringify(posted)}`);
    return this.#said(posted.eventId);
  }

  react(author: string, target: Ref, signal: Signal, more: Record<string, unknown> = {}): Promise<Said> {
    return this.event(author, { type: 'reaction', targetEventId: refOf(target), signal, ...more });
  }

  edit(author: string, target: Ref, text: string): Promise<Said> {
    return this.event(author, { type: 'edit', targetEventId: refOf(target), text });
  }

  remove(author: string, target: Ref): Promise<Said> {
    return this.event(author, { type: 'delete', targetEventId: refOf(target) });
  }

  async #post(
    author: string,
    text: string,
    { mentions, replyTo, inReplyTo, displayName, more }: SayOptions,
  ): Promise<string> {
    const { wire } = this.#host;
    const event = wire.event(text, { by: idOf(author) });
    const to = typeof replyTo === 'object' && 'to' in replyTo ? { authorId: replyTo.to } : {};
    const [posted] = await wire.post({
      ...event,
      ...this.#place(),
      author: { ...this.#author(author), ...(displayName === undefined ? {} : { displayName }) },
      ...this.#membership(),
      ...(mentions === undefined ? {} : { mentions: mentions.map((tag) => this.#mention(tag)) }),
      ...(replyTo === undefined ? {} : { replyTo: { eventId: refOf(replyTo), ...to } }),
      ...(inReplyTo === undefined ? {} : { inReplyTo: refOf(inReplyTo) }),
      ...more,
    });
    if (posted?.status !== 'accepted')
      throw new Error(`"${text}" was not accepted: ${JSON.stringify(posted)}`);
    return posted.eventId;
  }

  async #send(
    agent: WireHarness,
    text: string,
    { mentions = [], inReplyTo, more }: SayOptions,
  ): Promise<string> {
    const kind = this.#options.kind ?? 'channel';
    const tags = mentions.map((tag) => this.#mention(tag)).map(({ kind: who, id }) => `${who}:${id}`);
    const sent = await agent.tool('chat.send_message', {
      target: this.target,
      text,
      visibility: kind === 'dm' || kind === 'thread' ? kind : 'channel',
      directedness: 'to_me',
      idempotencyKey: `room-${++rooms}`,
      ...(tags.length === 0 ? {} : { mentions: tags }),
      ...(inReplyTo === undefined ? {} : { inReplyTo: refOf(inReplyTo) }),
      ...more,
    });
    return String(resultIn(sent)['eventId']);
  }

  #said(eventId: string): Said {
    const { wire, agents } = this.#host;
    return {
      eventId,
      asked: async (agent) => (await wire.why(eventId, agent)).decision !== undefined,
      async of(agent) {
        const { decision } = await wire.why(eventId, agent);
        if (decision === undefined) throw new Error(`${agent} was not asked about ${eventId}`);
        const connected = agents.get(agent);
        if (connected === undefined) throw new Error(`${agent} is not connected`);
        return toldTo(wire, connected, eventId, decision);
      },
    };
  }

  #place(): Record<string, unknown> {
    const { kind = 'channel', parent, streamId, workspaceId = 'w' } = this.#options;
    return {
      workspaceId,
      conversation: {
        id: this.id,
        kind,
        ...(parent === undefined ? {} : { parentId: parent.id }),
        ...(streamId === undefined ? {} : { streamId }),
      },
    };
  }

  #membership(): Record<string, unknown> {
    if (this.#members === undefined) return {};
    const { humans, agents = 1, complete = true, ageMs = 0 } = this.#members;
    return { membership: { humans, agents, complete, at: this.#host.wire.clock.now() - ageMs } };
  }

  #author(author: string): { id: string; kind: string; displayName: string } {
    const id = idOf(author);
    return { id, kind: this.#kindOf(author), displayName: id.charAt(0).toUpperCase() + id.slice(1) };
  }

  #kindOf(who: string): 'human' | 'agent' | 'system' {
    if (who.startsWith('system:')) return 'system';
    return who.startsWith('agent:') || this.#host.agents.has(who) ? 'agent' : 'human';
  }

  #mention(tag: Tag): { kind: string; id: string } {
    if (typeof tag !== 'string') return tag;
    if (tag.startsWith('@')) return { kind: 'broadcast', id: tag.slice(1) };
    if (tag.startsWith('role:')) return { kind: 'role', id: tag.slice('role:'.length) };
    return { kind: this.#kindOf(tag) === 'agent' ? 'agent' : 'human', id: tag };
  }
}

/** The decision and what the harness got of it. What is not handed over must not have arrived. */
async function toldTo(
  wire: WireHost,
  agent: WireHarness,
  eventId: string,
  shown: ShownDecision,
): Promise<Told> {
  const { decision, directedness, policy, mode, reason, intent } = shown;
  const find = (): Seen | undefined => agent.seen.find((one) => one.eventId === eventId);
  const told = { decision, directedness, policy, mode, reason, intent };
  if (!HANDED.has(mode)) {
    await wire.pass(1);
    expect(find(), `${eventId} was decided ${mode} for ${agent.agent} and handed over`).toBeUndefined();
    return { ...told, seen: undefined, notices: [] };
  }
  const seen = await until(find, `${eventId} at ${agent.agent}`);
  expect([seen.policy, seen.mode, seen.directedness, seen.reason]).toEqual([
    policy,
    mode,
    directedness,
    reason,
  ]);
  // A reaction has no words of its own.
  if (seen.raw['reaction'] === undefined)
    expect(seen.text === '', `a ${mode} shows ${JSON.stringify(seen.raw)}`).toBe(mode === 'notify');
  return { ...told, seen, notices: seen.notices };
}

function idOf(author: string): string {
  return author.replace(/^(?:system|agent):/, '');
}

function refOf(ref: Ref | { eventId: string; to: string }): string {
  return typeof ref === 'string' ? ref : ref.eventId;
}
