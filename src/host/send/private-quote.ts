// Private stays private. A send waits for a person's agreement when it may take something from a place that its readers
// cannot see: it answers something that was said there, its turn was handed something from there, or its text repeats
// a run of words that the agent has read there (read/read-texts.ts). Readers who could read it anyway need no agreement.
import type { LogRow } from '../../store/tables.ts';
import { findTurn, readAgentRecord } from '../kernel/agent-record.ts';
import {
  type ConversationState,
  newConversation,
  parentKeyOf,
  readConversation,
} from '../kernel/conversation.ts';
import type { ReadTexts } from '../read/read-texts.ts';
import { type ReaderDeps, isPrivateAt, mayAllRead } from '../read/readers.ts';
import type { HostContext } from '../kernel/context.ts';
import type { Destination } from './private-way.ts';
import { type SendInput, TAKES_ELSEWHERE } from './send-rules.ts';

export interface QuoteDeps extends ReaderDeps {
  context: HostContext;
  texts: ReadTexts;
}

const QUOTES = 'it quotes words from a conversation that its readers cannot see';

/** Why a person must agree first; undefined when nobody has to. */
export async function quotesPrivately(
  deps: QuoteDeps,
  agent: string,
  input: Pick<SendInput, 'text' | 'turnId'>,
  target: Destination,
  answers: LogRow | undefined,
): Promise<string | undefined> {
  const state = await stateAt(deps, target);
  if (state === undefined) return undefined;
  const to = { key: target.key, state };
  const parent = parentKeyOf(state.place);
  const places = parent === undefined ? [target.key] : [target.key, parent];
  for (const source of await taintedBy(deps, agent, input, answers)) {
    if (places.includes(source) || !(await isPrivateAt(deps, source))) continue;
    if (!(await mayAllRead(deps, agent, source, to))) return TAKES_ELSEWHERE;
  }
  for (const source of await deps.texts.quotedIn(agent, input.text, places)) {
    if (!(await mayAllRead(deps, agent, source, to))) return QUOTES;
  }
  return undefined;
}

async function stateAt({ context }: QuoteDeps, target: Destination): Promise<ConversationState | undefined> {
  const known = await readConversation(context.store, target.key);
  if (known !== undefined || target.opens === undefined) return known;
  return newConversation(target.opens.place, target.opens.surface);
}

/** The conversations of the event that it answers, and of what its turn was handed. */
async function taintedBy(
  { context: { store } }: QuoteDeps,
  agent: string,
  { turnId }: Pick<SendInput, 'turnId'>,
  answers: LogRow | undefined,
): Promise<Set<string>> {
  const tainted = new Set(answers === undefined ? [] : [answers.conversation]);
  if (turnId === undefined) return tainted;
  const turn = findTurn(await readAgentRecord(store, agent), turnId);
  for (const key of turn?.deliveries ?? []) {
    const delivery = await store.get('delivery', key);
    if (delivery !== undefined) tainted.add(delivery.conversation);
  }
  for (const conversation of turn?.privateIn ?? []) tainted.add(conversation);
  return tainted;
}
