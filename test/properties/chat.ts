// Arbitrary chat: sequences of events of all fourteen types whose ids come from small pools, so that they meet each
// other: edits of what was said, claims on what was asked, reactions to asks, replies across authors.
import fc from 'fast-check';
import {
  type Attended,
  type AttentionState,
  type Roster,
  attend,
  attentionSettingsSchema,
  emptyState,
  rosterFor,
} from '../../src/attention/index.ts';
import type { ChatEvent, Conversation } from '../../src/protocol/chat-event.ts';
import { type LogRecord, type RecordFacts, recordKind } from '../../src/protocol/log-record.ts';
import { CONVERSATION_KINDS, DIRECTEDNESS, MODES, SIGNALS } from '../../src/protocol/vocabulary.ts';

export const T0 = Date.parse('2026-06-24T09:00:00Z');
export const AGENTS = ['nova', 'otto', 'iris', 'rex'] as const;
const AUTHORS: readonly ChatEvent['author'][] = [
  ...['ann', 'ben', 'cat', 'dan'].map((id) => ({ id, kind: 'human' as const, displayName: id })),
  ...AGENTS.map((id) => ({ id, kind: 'agent' as const, displayName: id })),
  { id: 'robo', kind: 'agent', displayName: 'Robo' },
  { id: 'ci', kind: 'system' },
];

/** The same agents under different settings: presets, stickiness, roles, ownership, permissions, capabilities. */
export function rosterOf(
  preset: 'default' | 'typeclaw',
  conversation: Conversation,
  openFloor = false,
): Roster {
  const settings = attentionSettingsSchema.parse({
    preset,
    agents: [
      { id: 'nova', roles: ['ops'], accounts: ['U7'] },
      { id: 'otto', lead: 'nova', stickiness: 'one_shot', injection: { notify: false, digest: false } },
      { id: 'iris', roles: ['ops'], owns: { conversations: ['C1'] }, injection: { immediate: false } },
      { id: 'rex', ignore: ['human:dan'], triggers: { reply: false } },
    ],
    conversations: [{ match: '*', defaultResponder: 'otto', openFloor, broadcastRole: 'ops' }],
  });
  return rosterFor(settings, { platform: 'web', workspaceId: 'W1', conversation });
}

export interface Spec {
  event: (eventId: string, at: number, conversation: Conversation, earlier: readonly string[]) => ChatEvent;
  after: number;
  facts: RecordFacts;
}

const WORDS = (
  'nova|@otto|@nova|iris|rex|robo|ben|@here|@ops|innovation|stop|leave|thanks|ok|yes|no|why?|is it up?|urgent|' +
  'please check the build|cancel that|follow this thread|only when I mention you|shall I deploy?|好的|停|👍|' +
  'claim-ab12-cd34|done|the build is green|status: 40%||토토아|"\\'
).split('|');
const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }).map((words) => words.join(' '));
const identity = fc.constantFrom('nova', 'agent:otto', 'iris', 'U7', 'human:ann', 'ben', 'zed', 'agent:robo');
const mention = fc.oneof(
  fc.record({ kind: fc.constantFrom('agent' as const, 'human' as const), id: identity }),
  fc.constantFrom({ kind: 'role' as const, id: 'ops' }, { kind: 'broadcast' as const, id: 'here' }),
);
const mentions = fc.array(mention, { maxLength: 3 });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 3 });
/** How many events back something refers; far back is somewhere nobody remembers. */
const back = fc.nat({ max: 14 });

const body = fc.oneof(
  { weight: 12, arbitrary: message() },
  said('edit', { text, mentions, back }),
  said('delete', { back }),
  said('reaction', { back, signal: fc.constantFrom(...SIGNALS), removed: maybe(fc.boolean()) }),
  said('membership', { change: maybe(fc.constantFrom('joined' as const, 'left' as const)) }),
  said('typing', { typing: maybe(fc.boolean()) }),
  said('progress', { text: maybe(text) }),
  said('claim', {
    back: maybe(back),
    op: maybe(fc.constantFrom('claim' as const, 'renew' as const, 'release' as const)),
    ttlMs: maybe(fc.constantFrom(1, 60_000, 600_000)),
    token: maybe(fc.nat({ max: 40 })),
  }),
  said('mode', { mode: fc.constantFrom(...MODES), agent: maybe(identity) }),
  said('focus', { ttlMs: fc.constantFrom(0, 60_000) }),
  said('disengage', {}),
  said('turn', { phase: fc.constantFrom('started' as const, 'ended' as const) }),
  said('resolve', { back: maybe(back) }),
  said('tick', {}),
);

type Body = (earlier: readonly string[]) => Record<string, unknown>;

function message(): fc.Arbitrary<Body> {
  return fc
    .record({
      text: maybe(text),
      mentions: maybe(mentions),
      subtype: maybe(fc.constantFrom('log', 'status', 'join', 'assigned', 'review_requested')),
      replyTo: maybe(fc.tuple(back, maybe(identity))),
      inReplyTo: maybe(back),
      recipients: maybe(fc.array(identity, { maxLength: 2 })),
      obligation: maybe(fc.constant({ blocks: 'halted' as const, defaultAction: 'wait' })),
      target: maybe(
        fc.record(
          { directedness: fc.constantFrom(...DIRECTEDNESS), recipient: identity },
          { requiredKeys: [] },
        ),
      ),
    })
    .map(({ replyTo, inReplyTo, ...rest }) => (earlier: readonly string[]) => ({
      type: 'message',
      ...rest,
      ...(replyTo && {
        replyTo: { eventId: at(earlier, replyTo[0]), ...(replyTo[1] && { authorId: replyTo[1] }) },
      }),
      ...(inReplyTo !== undefined && { inReplyTo: at(earlier, inReplyTo) }),
    }));
}

function said(type: ChatEvent['type'], fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Body> {
  return fc.record(fields).map(({ back: steps, ...rest }) => (earlier: readonly string[]) => ({
    type,
    ...rest,
    ...(typeof steps === 'number' && { targetEventId: at(earlier, steps) }),
  }));
}

function at(earlier: readonly string[], steps: number): string {
  return earlier.at(-1 - steps) ?? 'unknown';
}

const facts: fc.Arbitrary<RecordFacts> = fc
  .record({
    origin: maybe(fc.constantFrom('live' as const, 'gap' as const, 'backfill' as const)),
    membership: maybe(
      fc.record({
        humans: fc.nat({ max: 3 }),
        agents: fc.nat({ max: 5 }),
        complete: fc.boolean(),
        ago: fc.constantFrom(0, 59_000, 120_000),
      }),
    ),
    focus: maybe(fc.constant([{ agent: 'nova', until: T0 + 3_600_000 }])),
    parent: maybe(
      fc.record({
        humans: fc.nat({ max: 3 }),
        humanAt: fc.constantFrom(0, T0, T0 + 60_000),
        modes: fc.constant([{ agent: 'iris', mode: 'left' as const }]),
      }),
    ),
    root: maybe(fc.constant({ eventId: 'root', authorId: 'nova', mentions: ['otto'] })),
    original: maybe(
      fc.constant({
        eventId: 'unknown',
        authorId: 'ann',
        textHash: 1,
        addressed: ['nova'],
        answeredBy: ['otto'],
      }),
    ),
  })
  .map((drawn) => clean(drawn) as RecordFacts);

export const spec: fc.Arbitrary<Spec> = fc
  .record({
    author: fc.constantFrom(...AUTHORS),
    body,
    after: fc.constantFrom(0, 80, 1_500, 5_000, 61_000, 16 * 60_000, 3 * 3_600_000, 8 * 86_400_000),
    facts: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, facts),
  })
  .map(({ author, body: make, after, facts: drawn }) => ({
    after,
    facts: drawn,
    event: (eventId, now, conversation, earlier) =>
      clean({
        ...make(earlier),
        eventId,
        at: now,
        platform: 'web',
        workspaceId: 'W1',
        conversation,
        author,
      }) as ChatEvent,
  }));

/** Lists reach their full length: without `size` they stay around ten. */
export const specs = (maxLength = 60): fc.Arbitrary<Spec[]> => fc.array(spec, { maxLength, size: 'max' });

export const conversation: fc.Arbitrary<Conversation> = fc
  .constantFrom(...CONVERSATION_KINDS)
  .map((kind) => ({ id: 'C1', kind, ...(kind === 'thread' && { parentId: 'C0' }) }));

export interface Chat {
  conversation: Conversation;
  roster: Roster;
  records: readonly LogRecord[];
}

export const chat = (preset?: 'default' | 'typeclaw', maxLength?: number): fc.Arbitrary<Chat> =>
  fc
    .record({
      conversation,
      preset:
        preset === undefined ? fc.constantFrom('default' as const, 'typeclaw' as const) : fc.constant(preset),
      specs: specs(maxLength),
      openFloor: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
    })
    .map(({ conversation: place, preset: chosen, specs: drawn, openFloor }) => {
      const records = recordsOf(drawn, place);
      return {
        conversation: place,
        roster: rosterOf(chosen, place, openFloor),
        records,
        // A counterexample is read by people: the records say it all, the roster would drown them.
        [fc.toStringMethod]: () => `${chosen}${openFloor ? ', open floor' : ''}: ${lines(records)}`,
      };
    });

function lines(records: readonly LogRecord[]): string {
  return records
    .map(({ seq, at: now, event, facts: given }) => {
      const { platform: _platform, workspaceId: _workspace, at: _at, ...rest } = event;
      return `\n  ${seq} +${now - T0} ms ${JSON.stringify(rest)} ${JSON.stringify(given)}`;
    })
    .join('');
}

/** The log as a host would write it: places without gaps, time that never runs back. */
export function recordsOf(drawn: readonly Spec[], place: Conversation): LogRecord[] {
  const ids: string[] = [];
  let now = T0;
  return drawn.map(({ event: make, after, facts: given }, index) => {
    now += after;
    const event = make(`m${index}`, now, place, ids);
    ids.push(event.eventId);
    return { kind: recordKind(event), seq: index + 1, at: now, event, facts: factsAt(given, now, index) };
  });
}

function factsAt(given: RecordFacts, now: number, index: number): RecordFacts {
  const { membership, root, ...rest } = given as RecordFacts & { membership?: { ago?: number } };
  const read = membership as { humans: number; agents: number; complete: boolean; ago: number } | undefined;
  return {
    ...rest,
    ...(index === 0 && root && { root }),
    ...(read && {
      membership: { humans: read.humans, agents: read.agents, complete: read.complete, at: now - read.ago },
    }),
  };
}

function clean(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

/** Everything a fold gives, record by record. `between` may replace the state after each record. */
export function foldAll(
  { records, roster }: Pick<Chat, 'records' | 'roster'>,
  between: (state: AttentionState, index: number) => AttentionState = (state) => state,
): { steps: Omit<Attended, 'state'>[]; state: AttentionState } {
  let state = emptyState();
  const steps = records.map((record, index) => {
    const { state: next, decisions, effects } = attend(state, record, roster);
    state = between(next, index);
    return { decisions, effects };
  });
  return { steps, state };
}
