// Scores "Is this for me?" on labelled chat. Every regular participant plays the agent once: its own lines become sends
// that answer what they really answered, and everybody else is human. The same run scores three simple policies for
// comparison.
import { SCORER_VERSION, attend, emptyState, rosterFor, startsTurn } from '../src/attention/index.ts';
import {
  type AddresseeRow,
  type LabelledRoom,
  calledIn,
  eventsOf,
  isFor,
  playersIn,
  roomsOf,
  settingsFor,
} from './labelled-rooms.ts';
import { thinned } from './thinned-rooms.ts';

export interface Score {
  precision: number;
  recall: number;
  f1: number;
  /** How often the policy would have started a model turn. */
  turns: number;
}

/** `exchange_rule`: the preset `default` without the scorer. */
export const POLICY_NAMES = [
  'default',
  'exchange_rule',
  'typeclaw',
  'everything',
  'name_only',
  'last_partner_60s',
] as const;
export type PolicyName = (typeof POLICY_NAMES)[number];

interface Verdict {
  forMe: boolean;
  turn: boolean;
}
type Policy = (session: LabelledRoom, me: string) => Verdict[];

/** Quieter copies of the rooms: the share of the conversations that is kept. */
export interface Thinning {
  keep: number;
  seed: number;
}

export function scoreAddressee(
  rows: readonly AddresseeRow[],
  thinning?: Thinning,
): Record<PolicyName, Score> {
  const tallies = new Map(POLICY_NAMES.map((name) => [name, { tp: 0, fp: 0, fn: 0, turns: 0 }]));
  const rooms = roomsOf(rows);
  for (const session of thinning === undefined ? rooms : thinned(rooms, thinning.keep, thinning.seed)) {
    for (const me of playersIn(session)) {
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

const POLICIES: Record<PolicyName, Policy> = {
  default: (session, me) => replay(session, me, 'default', { scorer: SCORER_VERSION }),
  exchange_rule: (session, me) => replay(session, me, 'default', {}),
  typeclaw: (session, me) => replay(session, me, 'typeclaw', {}),
  everything: (session) => session.map(() => verdict(true)),
  name_only: (session, me) => session.map((row) => verdict(names(row.text, me))),
  last_partner_60s: lastPartner,
};

const verdict = (forMe: boolean): Verdict => ({ forMe, turn: forMe });

function names(text: string, me: string): boolean {
  return text.toLowerCase().includes(me.toLowerCase());
}

/** True when I am named, or when nobody is named and the author and I last spoke to each other within a minute. */
function lastPartner(session: LabelledRoom, me: string): Verdict[] {
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

function replay(
  session: LabelledRoom,
  me: string,
  preset: 'default' | 'typeclaw',
  facts: { scorer?: number },
): Verdict[] {
  const conversation = { id: 'room', kind: 'channel' as const };
  const roster = rosterFor(settingsFor(me, preset), { platform: 'irc', workspaceId: 'w', conversation });
  let state = emptyState();
  return eventsOf(session, me).map((event, index) => {
    const at = Math.max(state.at, Number(event.at));
    const record = { kind: 'event' as const, seq: index + 1, at, event, facts };
    const attended = attend(state, record, roster);
    state = attended.state;
    const decision = attended.decisions[0];
    if (decision === undefined) return verdict(false);
    return { forMe: decision.directedness === 'to_me', turn: startsTurn(decision) };
  });
}
