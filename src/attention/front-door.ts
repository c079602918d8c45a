// The front door: several agents share one account, and a message calls the account. Which of them is meant is decided
// once per message, in this order: those that are named beside it, the one that the author replies to or talks with, the
// agent of the thread, the default responder. When nothing tells, it is offered to one of them at a time.
import { holdersOf } from './accounts.ts';
import type { Heard } from './heard.ts';
import { modeOf } from './modes.ts';
import { denies } from './participants.ts';
import type { Roster, RosterAgent } from './roster.ts';
import { agentState } from './state.ts';
import { endsWord, foldText } from './text.ts';
import type { RecordFacts } from '../protocol/log-record.ts';

/** How it was decided. */
export type DoorWay = 'named' | 'only' | 'reply' | 'exchange' | 'thread' | 'default' | 'first' | 'offered';

export interface Door {
  way: DoorWay;
  /** The keys of those whom the call is for. Offered: of all who may take it. */
  keys: ReadonlySet<string>;
}

/** An account of several agents. */
export interface SharedAccount {
  id: string;
  holders: readonly RosterAgent[];
}

export function sharedAccount(id: string, roster: Roster, facts: RecordFacts): SharedAccount | undefined {
  const holders = holdersOf(id, roster, facts);
  return holders.length > 1 ? { id, holders } : undefined;
}

type Call = Pick<
  Heard,
  'state' | 'record' | 'roster' | 'author' | 'mentioned' | 'named' | 'repliesTo' | 'underRoot' | 'exchange'
>;

/** Undefined: nobody who speaks through these accounts may take it here. */
export function atFrontDoor(accounts: readonly SharedAccount[], call: Call): Door | undefined {
  const { author, record, mentioned, named } = call;
  const holders = new Set(accounts.flatMap((account) => account.holders));
  const here = [...holders].filter(
    (agent) =>
      agent.bound &&
      agent.triggers.mention &&
      agent.key !== author.key &&
      !denies(agent, record, author.agent?.id),
  );
  const called = here.filter(({ key }) => named.has(key) || mentioned.has(key));
  if (called.length > 0) return doorTo('named', called);
  const present = here.filter((agent) => modeOf(call, agent) !== 'left');
  const candidates = present.length > 0 ? present : here;
  if (candidates.length < 2) return candidates.length === 0 ? undefined : doorTo('only', candidates);
  return known(candidates, call) ?? unknown(candidates, call.roster);
}

function doorTo(way: DoorWay, agents: readonly RosterAgent[]): Door {
  return { way, keys: new Set(agents.map(({ key }) => key)) };
}

/** What came before tells whom the author means. */
function known(candidates: readonly RosterAgent[], call: Call): Door | undefined {
  const { repliesTo, exchange, record, roster } = call;
  const ways: [DoorWay, string | undefined][] = [
    ['reply', repliesTo],
    ['exchange', exchange?.partner],
    ['thread', record.event.conversation.kind === 'thread' ? agentOfThread(candidates, call) : undefined],
    ['default', candidates.find(({ id }) => id === roster.defaultResponder)?.key],
  ];
  for (const [way, key] of ways) {
    const agent = key === undefined ? undefined : roster.byKey.get(key);
    if (agent !== undefined && candidates.includes(agent)) return doorTo(way, [agent]);
  }
  return undefined;
}

/** Whoever began the thread, else the one that spoke last in it. */
function agentOfThread(candidates: readonly RosterAgent[], { state, underRoot }: Call): string | undefined {
  const root = state.root?.author ?? underRoot;
  if (candidates.some(({ key }) => key === root)) return root;
  let last: { key: string; spokeN: number } | undefined;
  for (const { key } of candidates) {
    const { spokeN } = agentState(state, key);
    if (spokeN > (last?.spokeN ?? 0)) last = { key, spokeN };
  }
  return last?.key;
}

/** A preset without roles offers nothing, so there the first one takes it. */
function unknown(candidates: readonly RosterAgent[], { preset }: Roster): Door {
  if (preset.rungs.has('role_mention')) return doorTo('offered', candidates);
  return doorTo('first', candidates.slice(0, 1));
}

const UNKNOWN_TAG = /@[\p{L}\p{N}_.-]+/u;

/**
 * The words without the tag of the account, so that a name beside it is read as a name: "@earshot lead can you look?",
 * "can you look @earshot lead?". A mark stands in its place. `spoken` is folded.
 */
export function withoutAccounts(
  spoken: string,
  accounts: readonly SharedAccount[],
  { accounts: learnt = [] }: RecordFacts,
): string {
  let words = spoken;
  for (const { id } of accounts) {
    const name = learnt.find((one) => one.id === id)?.name ?? '';
    for (const tag of [name, id].map(foldText)) if (tag !== '') words = withoutTag(words, tag);
  }
  // The platform may show the account by a name that we were not told. Its tag is then the first one.
  return words === spoken ? spoken.replace(UNKNOWN_TAG, ',') : words;
}

/** "@name", and as platforms write ids: "<@name>", "<@!name>", "<@name|label>". */
function withoutTag(words: string, tag: string): string {
  let rest = words;
  for (let at = rest.indexOf(tag); at > 0; at = rest.indexOf(tag, at + 1)) {
    const begin = beginOfTag(rest, at);
    const end = at + tag.length;
    if (begin < 0 || !endsWord(rest, end)) continue;
    const closed = rest[begin] === '<' ? rest.indexOf('>', end) + 1 : end;
    rest = `${rest.slice(0, begin)},${rest.slice(Math.max(closed, end))}`;
    at = begin;
  }
  return rest;
}

/** Where the tag whose name begins here begins. -1: it is no tag. */
function beginOfTag(words: string, at: number): number {
  const mark = words[at - 1] === '!' ? at - 2 : at - 1;
  if (words[mark] !== '@') return -1;
  return words[mark - 1] === '<' ? mark - 1 : mark;
}
