// Labelled chat as rooms (docs/scoring.md): sessions in order, who can play the agent, and each line as the event that a
// surface would bring. Scoring and training read the same rooms in the same way.
import { type AttentionSettings, attentionSettingsSchema } from '../src/attention/index.ts';
import type { Mention, MessageEvent } from '../src/protocol/chat-event.ts';

export interface AddresseeRow {
  session: string;
  i: number;
  /** Epoch seconds. */
  t: number;
  author: string;
  text: string;
  addressee: string | null;
  replyTo: number | null;
  /** 1 when the row has a label and is scored. */
  ann: 0 | 1;
  addressees?: string[];
}

/** The lines of one session, in order. `replyTo` is a place in it. */
export type LabelledRoom = readonly AddresseeRow[];

/** The agent that one of the participants plays. */
export const PLAYED = 'agent-under-test';

const MIN_MESSAGES = 5;
const MIN_INCOMING = 3;

export function roomsOf(rows: readonly AddresseeRow[]): LabelledRoom[] {
  const bySession = Map.groupBy(rows, (row) => row.session);
  return [...bySession.values()].map((session) => spread(session.toSorted((a, b) => a.i - b.i)));
}

/** Some logs have only minutes. The lines of one minute are spread over it evenly. */
function spread(session: AddresseeRow[]): AddresseeRow[] {
  if (session.some((row) => row.t % 60 !== 0)) return session;
  const minutes = Map.groupBy(session, (row) => row.t);
  return [...minutes.values()].flatMap((lines) =>
    lines.map((row, index) => ({ ...row, t: row.t + Math.floor((60 * index) / lines.length) })),
  );
}

export function isFor(row: AddresseeRow, me: string): boolean {
  return row.addressee === me || (row.addressees ?? []).includes(me);
}

const count = (counts: Map<string, number>, who: string): void =>
  void counts.set(who, (counts.get(who) ?? 0) + 1);

/** Everybody with enough labelled lines of their own, and enough that are for them. */
export function playersIn(room: LabelledRoom): string[] {
  const own = new Map<string, number>();
  const incoming = new Map<string, number>();
  for (const row of room) {
    if (row.ann !== 1) continue;
    count(own, row.author);
    for (const to of new Set([row.addressee, ...(row.addressees ?? [])])) {
      if (to !== null && to !== row.author) count(incoming, to);
    }
  }
  return [...new Set(room.map((row) => row.author))].filter(
    (me) => (own.get(me) ?? 0) >= MIN_MESSAGES && (incoming.get(me) ?? 0) >= MIN_INCOMING,
  );
}

export function settingsFor(me: string, preset: 'default' | 'typeclaw'): AttentionSettings {
  return attentionSettingsSchema.parse({ preset, agents: [{ id: PLAYED, name: me }] });
}

/** Makes an event of every line, with `me` as the agent. */
export function eventsOf(room: LabelledRoom, me: string): MessageEvent[] {
  const people = new Set(room.map((row) => row.author));
  const idOf = (who: string): string => (who === me ? PLAYED : who);
  return room.map((row) => {
    const answers = row.author === me ? answeredBy(row, room) : undefined;
    const target = row.author === me && answers === undefined ? row.addressee : null;
    const called = calledIn(row.text, people) ?? target ?? undefined;
    return {
      eventId: `e${row.i}`,
      at: row.t * 1_000,
      platform: 'irc',
      workspaceId: 'w',
      conversation: { id: 'room', kind: 'channel' },
      author: { id: idOf(row.author), kind: row.author === me ? 'agent' : 'human', displayName: row.author },
      type: 'message',
      text: row.text,
      ...(called !== undefined && called !== row.author && { mentions: [mentionOf(called, me)] }),
      ...(answers !== undefined && {
        inReplyTo: `e${answers.i}`,
        replyTo: { eventId: `e${answers.i}`, authorId: idOf(answers.author) },
      }),
    };
  });
}

/** A nick at the beginning of a line is a mention, as an IRC surface resolves it. */
function mentionOf(called: string, me: string): Mention {
  return called === me ? { kind: 'agent', id: PLAYED } : { kind: 'human', id: called };
}

/**
 * The line that an agent's own line answers. Where the labels name only the person, it is that person's last line before
 * it: an agent always knows whom it answers. A person who has said nothing yet is mentioned instead.
 */
function answeredBy(row: AddresseeRow, room: LabelledRoom): AddresseeRow | undefined {
  if (row.replyTo !== null && row.replyTo !== row.i) return room[row.replyTo];
  const to = row.addressee;
  if (to === null || to === row.author) return undefined;
  for (let at = row.i - 1; at >= 0; at--) if (room[at]?.author === to) return room[at];
  return undefined;
}

export function calledIn(text: string, people: ReadonlySet<string>): string | undefined {
  const [first] = text.split(/[:,\s]/, 1);
  return first !== undefined && people.has(first) ? first : undefined;
}
