// One sentence for the author of a message: nobody was asked, or who is waited for. It says only what a person may know
// about any agent here: whether it is connected, and whether it works on this message. Reasons, errors and settings of
// an agent are for operators.
import type { Decision } from '../../attention/index.ts';
import { ownWords } from '../../attention/own-words.ts';
import { listedNames } from '../../protocol/listed-names.ts';
import { iso } from '../../protocol/log-record.ts';
import type { Intent } from '../../protocol/vocabulary.ts';
import type { WebState, WebWhy } from '../../protocol/web-chat.ts';
import type { DeliveryRow, LogRow } from '../../store/tables.ts';
import { decisionOf } from '../delivery/delivery-row.ts';
import type { StoreReader } from '../kernel/context.ts';
import { textOf, unpackDecisions } from '../kernel/log-row.ts';
import type { Names } from './names.ts';

export interface OwnWhyDeps {
  store: StoreReader;
  names: () => Promise<Names>;
  isConnected: (agent: string) => boolean;
}

/** At most this many deliveries of a message are read, and records after it to find the beginning of a turn. */
const LOOKED_AT = { deliveries: 64, records: 200 } as const;

/** After these nobody expects an answer, so nothing is to be explained. */
const EXPECT_NOTHING: ReadonlySet<Intent> = new Set([
  'thanks',
  'ack',
  'status',
  'leave',
  'stop',
  'mode_change',
]);
/** Somebody who may answer need not: these words ask for an answer all the same. */
const EXPECT_ANSWER: ReadonlySet<Intent> = new Set(['question', 'request', 'urgent', 'safety', 'blocker']);

/** Undefined when there is nothing to explain. */
export async function ownWhy(
  deps: OwnWhyDeps,
  row: LogRow,
  states: readonly WebState[],
): Promise<WebWhy | undefined> {
  const rows = await deps.store.scan('delivery', 'bySource', { eq: [row.key], limit: LOOKED_AT.deliveries });
  const names = await deps.names();
  const nameOf = (id: string): string => names.author({ id, kind: 'agent' }).name;
  const offered = rows.filter(isOffered).map(({ agent }) => agent);
  const waiting = waitingWords(deps, states, offered, nameOf);
  if (waiting !== undefined)
    return { kind: 'waiting', words: waiting, ...(await since(deps, row, states, rows)) };
  // How it ended, or that somebody took it, stands there already for everybody.
  if (states.length > 0 || rows.some(({ open }) => open === 1)) return undefined;
  const words = unaskedWords(row, rows, nameOf);
  return words === undefined ? undefined : { kind: 'unasked', words };
}

/** A role was asked: one holder at a time may take it. The others wait behind it. */
function isOffered(row: DeliveryRow): boolean {
  const { open, policy, state } = row;
  const { directedness } = decisionOf(row);
  return open === 1 && policy === 'may_respond' && directedness === 'to_my_role' && state !== 'held';
}

function waitingWords(
  { isConnected }: OwnWhyDeps,
  states: readonly WebState[],
  offered: readonly string[],
  nameOf: (id: string) => string,
): string | undefined {
  const those = (wanted: WebState['state']): string[] =>
    states.filter(({ state }) => state === wanted).map(({ agent }) => agent);
  const open = [...those('queued'), ...those('delivered')];
  const taken = new Set(states.map(({ agent }) => agent));
  const asked = offered.filter((agent) => !taken.has(agent));
  const offline = [...open, ...asked].filter((agent) => !isConnected(agent));
  const groups: [readonly string[], one: string, several: string][] = [
    [those('working'), 'is working on it', 'are working on it'],
    [those('delivered').filter(isConnected), 'has it', 'have it'],
    [those('queued').filter(isConnected), 'gets it in a moment', 'get it in a moment'],
    [asked.filter(isConnected), 'is asked whether it takes it', 'are asked whether they take it'],
    [offline, 'is offline and gets it when it is back', 'are offline and get it when they are back'],
  ];
  const parts = groups.flatMap(([agents, one, several]) =>
    agents.length === 0 ? [] : [`${listedNames(agents.map(nameOf))} ${agents.length === 1 ? one : several}`],
  );
  return parts.length === 0 ? undefined : parts.join('; ');
}

/** For one agent at work: since when its turn runs. The page counts from there. */
async function since(
  { store }: OwnWhyDeps,
  row: LogRow,
  states: readonly WebState[],
  deliveries: readonly DeliveryRow[],
): Promise<Pick<WebWhy, 'since'>> {
  const working = states.filter(({ state }) => state === 'working');
  const [only] = working;
  if (only === undefined || working.length > 1) return {};
  const { turnId } = deliveries.find(({ agent, open }) => agent === only.agent && open === 1) ?? {};
  const range = { eq: [row.conversation], after: row.seq, limit: LOOKED_AT.records };
  const begun = (await store.scan('log', 'byConversation', range)).find(
    ({ record: { event } }) => event.type === 'turn' && event.phase === 'started' && event.turnId === turnId,
  );
  return begun === undefined ? {} : { since: iso(begun.at) };
}

function unaskedWords(
  row: LogRow,
  rows: readonly DeliveryRow[],
  nameOf: (id: string) => string,
): string | undefined {
  const { event } = row.record;
  if (event.type !== 'message') return undefined;
  const decisions = unpackDecisions(row.decisions, row.key);
  const called = (event.mentions ?? []).filter(({ kind }) => kind === 'agent').map(({ id }) => id);
  const deaf = called.filter((id) => decisions.every(({ agent }) => agent !== id));
  if (deaf.length > 0)
    return `${listedNames(deaf.map(nameOf))} ${deaf.length === 1 ? 'does' : 'do'} not listen here`;
  const closed = decisions.filter(({ agent, reason }) => reason === 'denied' && called.includes(agent));
  if (closed.length > 0)
    return `${listedNames(closed.map(({ agent }) => nameOf(agent)))} may not answer you here`;
  if (called.length > 0 || decisions.length === 0) return undefined;
  const stranger =
    event.mentions === undefined || event.mentions.length === 0 ? strangerIn(textOf(row)) : undefined;
  if (
    stranger !== undefined &&
    rows.length === 0 &&
    !decisions.some(({ intent }) => EXPECT_NOTHING.has(intent))
  )
    return `Nobody here is called “${stranger}”: use @ to choose who answers`;
  if (decisions.some(expectsNothing)) return undefined;
  if (rows.length === 0 && decisions.every(({ decision }) => decision !== 'engage'))
    return 'Nobody was asked: use @ to choose who answers';
  return decisions.some(({ intent }) => EXPECT_ANSWER.has(intent))
    ? 'Nobody has to answer this: use @ to choose who does'
    : undefined;
}

/** Not an address, a package or a path. */
const TAG = /(?<![\p{L}\p{N}_@./])@(?<name>[\p{L}\p{N}][\p{L}\p{N}_-]*)(?![\p{L}\p{N}_@/-])/u;

/** The first name with an @ in the author's own words. Of a message that mentions nobody, it is a name that nobody has. */
function strangerIn(text: string): string | undefined {
  return TAG.exec(ownWords(text))?.groups?.['name'];
}

/** It was thanks or a command, is a pairing code, or is aimed at a person, who needs no waking. */
function expectsNothing({ intent, policy, decision, reason }: Decision): boolean {
  return (
    EXPECT_NOTHING.has(intent) ||
    policy === 'ack_only' ||
    decision === 'claim' ||
    reason === 'addressed_elsewhere'
  );
}
