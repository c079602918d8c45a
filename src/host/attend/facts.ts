// The facts a record carries: everything a decision may use that is not in its own conversation, looked up when the
// record is written and stamped on it. Pure over what the unit has loaded and what the host holds in memory.
import { foldText, hashText } from '../../attention/index.ts';
import type { ChatEvent } from '../../protocol/chat-event.ts';
import {
  type OriginalFacts,
  type ParentFacts,
  type RecordFacts,
  instantMs,
} from '../../protocol/log-record.ts';
import type { Tables } from '../../store/tables.ts';
import type { ConversationState } from '../kernel/conversation.ts';
import { unpackDecisions } from '../kernel/pack-decisions.ts';

export interface FactSources {
  configVersion: string;
  parent: ConversationState | undefined;
  /** The logged event an edit, delete or reaction refers to, and its deliveries. */
  target: Tables['log'] | undefined;
  targetDeliveries: readonly Tables['delivery'][];
  /** The message a thread hangs on, when this is the thread's first record. */
  root: Tables['log'] | undefined;
  authorRoles: readonly string[];
  focus: readonly { agent: string; until: number }[];
  agentIdOfKey: (key: string) => string | undefined;
}

export function factsFor(event: ChatEvent, sources: FactSources, now: number): RecordFacts {
  const facts: RecordFacts = { configVersion: sources.configVersion };
  if (event.origin !== undefined) facts.origin = event.origin;
  if (event.membership !== undefined) {
    const { humans, agents = 0, complete, at = event.at } = event.membership;
    facts.membership = { humans, agents, complete, at: Math.min(instantMs(at), now) };
  }
  if (sources.authorRoles.length > 0) facts.authorRoles = sources.authorRoles;
  if (sources.focus.length > 0) facts.focus = sources.focus;
  if (sources.parent !== undefined) facts.parent = parentFacts(sources.parent, sources.agentIdOfKey);
  if (sources.root !== undefined) facts.root = rootFacts(sources.root);
  if (sources.target !== undefined) facts.original = originalFacts(sources.target, sources.targetDeliveries);
  return facts;
}

function parentFacts(
  { attention }: ConversationState,
  agentIdOfKey: FactSources['agentIdOfKey'],
): ParentFacts {
  const modes = attention.agents.flatMap(({ key, mode }) => {
    const agent = agentIdOfKey(key);
    return mode === null || agent === undefined ? [] : [{ agent, mode }];
  });
  const humans = attention.speakers.filter((speaker) => speaker.kind === 'human').length;
  return { modes, humans, humanAt: attention.loop.humanAt };
}

function rootFacts(row: Tables['log']): NonNullable<RecordFacts['root']> {
  const { event } = row.record;
  const mentions = event.type === 'message' ? (event.mentions ?? []).map((mention) => mention.id) : [];
  return { eventId: row.key, authorId: event.author.id, mentions };
}

function originalFacts(row: Tables['log'], deliveries: readonly Tables['delivery'][]): OriginalFacts {
  const { event } = row.record;
  const text = 'text' in event ? (event.text ?? '') : '';
  const addressed = unpackDecisions(row.decisions, row.key).filter(
    ({ directedness }) => directedness === 'to_me',
  );
  return {
    eventId: row.key,
    authorId: event.author.id,
    textHash: hashText(foldText(text)),
    addressed: addressed.map(({ agent }) => agent),
    answeredBy: deliveries.filter(({ disposition }) => disposition === 'responded').map(({ agent }) => agent),
  };
}
