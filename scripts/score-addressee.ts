// Scores "Is this for me?" on labelled chat. Every regular participant plays the agent once: its own lines become sends
// that answer what they really answered, and everybody else is human. The same run scores three simple policies for
// comparison.
import {
  type AttentionSettings,
  attend,
  attentionSettingsSchema,
  emptyState,
  rosterFor,
  startsTurn,
} from '../src/attention/index.ts';
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

export interface Score {
  precision: number;
  recall: number;
  f1: number;
  /** How often the policy would have started a model turn. */
  turns: number;
}

export const POLICY_NAMES = ['default', 'typeclaw', 'everything', 'name_only', 'last_partner_60s'] as const;
export type PolicyName = (typeof POLICY_NAMES)[number];

interface Verdict {
  forMe: boolean;
  turn: boolean;
}
type Policy = (session: readonly AddresseeRow[], me: string) => Verdict[];

const MIN_MESSAGES = 5;
const MIN_INCOMING = 3;

export function scoreAddressee(rows: readonly AddresseeRow[]): Record<PolicyName, Score> {
  const tallies = new Map(POLICY_NAMES.map((name) => [name, { tp: 0, fp: 0, fn: 0, turns: 0 }]));
  for (const session of sessions(rows)) {
    for (const me of agentsIn(session)) {
      for (const [name, tally] of tallies) {
        const verdicts = POLICIES[name](session, me);
        for (const [index, row] of session.entries()) {
          if (row.ann !== 1 || row.author === me) continue;
          const verdict = verdicts[index] ?? { forMe: false, turn: false };
          const gold = isFor(row, me);
          if (verdict.forMe && gold) tally.tp++;
          else if (verdict.forMe) tally.fp++;
          else if (gold) tally.fn++;
          if (verdict.turn) tally.turns++;
        }
      }
    }
  }
  return Object.fromEntries([...tallies].map(([name, tally]) => [name, scoreOf(tally)])) as Record<
    PolicyName,
    Score
  >;
}

function scoreOf({ tp, fp, fn, turns }: { tp: number; fp: number; fn: number; turns: number }): Score {
  const precision = tp / Math.max(1, tp + fp);
  const recall = tp / Math.max(1, tp + fn);
  return {
    precision,
    recall,
    f1: (2 * precision * recall) / Math.max(Number.MIN_VALUE, precision + recall),
    turns,
  };
}

function sessions(rows: readonly AddresseeRow[]): AddresseeRow[][] {
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

function isFor(row: AddresseeRow, me: string): boolean {
  return row.addressee === me || (row.addressees ?? []).includes(me);
}

function agentsIn(session: readonly AddresseeRow[]): string[] {
  return [...new Set(session.map((row) => row.author))].filter((me) => {
    const scored = session.filter((row) => row.ann === 1);
    const incoming = scored.filter((row) => row.author !== me && isFor(row, me));
    return (
      scored.filter((row) => row.author === me).length >= MIN_MESSAGES && incoming.length >= MIN_INCOMING
    );
  });
}

const POLICIES: Record<PolicyName, Policy> = {
  default: (session, me) => replay(session, me, 'default'),
  typeclaw: (session, me) => replay(session, me, 'typeclaw'),
  everything: (session) => session.map(() => verdict(true)),
  name_only: (session, me) => session.map((row) => verdict(names(row.text, me))),
  last_partner_60s: lastPartner,
};

const verdict = (forMe: boolean): Verdict => ({ forMe, turn: forMe });

function names(text: string, me: string): boolean {
  return text.toLowerCase().includes(me.toLowerCase());
}

/** True when I am named, or when nobody is named and the author and I last spoke to each other within a minute. */
function lastPartner(session: readonly AddresseeRow[], me: string): Verdict[] {
  const partners = new Map<string, { who: string; t: number }>();
  const people = new Set(session.map((row) => row.author));
  return session.map((row) => {
    const live = partners.get(row.author);
    const partner = live !== undefined && row.t - live.t <= 60 ? live.who : undefined;
    const answers = row.author === me && row.replyTo !== null ? session[row.replyTo]?.author : undefined;
    const to = answers ?? calledIn(row.text, people) ?? partner;
    if (to !== undefined && to !== row.author) {
      partners.set(row.author, { who: to, t: row.t });
      partners.set(to, { who: row.author, t: row.t });
    }
    return verdict(row.author !== me && (to === me || names(row.text, me)));
  });
}

/** The nick at the beginning of a line, as an IRC surface resolves it. */
function mentionIn(row: AddresseeRow, me: string, session: readonly AddresseeRow[]): Mention | undefined {
  const called = calledIn(row.text, new Set(session.map((other) => other.author)));
  if (called === undefined || called === row.author) return undefined;
  return called === me ? { kind: 'agent', id: 'agent-under-test' } : { kind: 'human', id: called };
}

function calledIn(text: string, people: ReadonlySet<string>): string | undefined {
  const [first] = text.split(/[:,\s]/, 1);
  return first !== undefined && people.has(first) ? first : undefined;
}

function settingsFor(me: string, preset: 'default' | 'typeclaw'): AttentionSettings {
  return attentionSettingsSchema.parse({ preset, agents: [{ id: 'agent-under-test', name: me }] });
}

function replay(session: readonly AddresseeRow[], me: string, preset: 'default' | 'typeclaw'): Verdict[] {
  const conversation = { id: 'room', kind: 'channel' as const };
  const roster = rosterFor(settingsFor(me, preset), { platform: 'irc', workspaceId: 'w', conversation });
  let state = emptyState();
  return session.map((row, index) => {
    const event = toEvent(row, me, session);
    const record = {
      kind: 'event' as const,
      seq: index + 1,
      at: Math.max(state.at, row.t * 1_000),
      event,
      facts: {},
    };
    const attended = attend(state, record, roster);
    state = attended.state;
    const decision = attended.decisions[0];
    if (decision === undefined) return verdict(false);
    return { forMe: decision.directedness === 'to_me', turn: startsTurn(decision) };
  });
}

function toEvent(row: AddresseeRow, me: string, session: readonly AddresseeRow[]): MessageEvent {
  const mine = row.author === me;
  const called = mentionIn(row, me, session);
  const answers = mine && row.replyTo !== null && row.replyTo !== row.i ? session[row.replyTo] : undefined;
  return {
    eventId: `e${row.i}`,
    at: row.t * 1_000,
    platform: 'irc',
    workspaceId: 'w',
    conversation: { id: 'room', kind: 'channel' },
    author: mine
      ? { id: 'agent-under-test', kind: 'agent', displayName: row.author }
      : { id: row.author, kind: 'human', displayName: row.author },
    type: 'message',
    text: row.text,
    ...(called !== undefined && { mentions: [called] }),
    ...(answers && {
      inReplyTo: `e${answers.i}`,
      replyTo: {
        eventId: `e${answers.i}`,
        authorId: answers.author === me ? 'agent-under-test' : answers.author,
      },
    }),
  };
}
