// What a send tells its sender about agents that it was for and did not wake, because the loop guard has stopped the
// two. The message is posted as usual; without this its sender would wait for an answer that cannot come.
import { agentKey } from '../../attention/index.ts';
import type { LoopStop } from '../../protocol/act-tools.ts';
import type { LogRow, OutboxRow } from '../../store/tables.ts';
import { logUnitOf } from '../ingest/own-posts.ts';
import { namesOf, noChange } from '../kernel/change.ts';
import { readConversation } from '../kernel/conversation.ts';
import { unpackDecisions } from '../kernel/log-row.ts';
import type { ToolContext } from './tool-context.ts';

export async function notWoken(tools: ToolContext, row: OutboxRow): Promise<LoopStop[]> {
  const { store } = tools.context;
  const logged = (await store.get('log', row.eventId)) ?? (await ifShownNow(tools, row));
  if (logged === undefined) return [];
  const decided = unpackDecisions(logged.decisions, logged.key);
  return decided.flatMap(({ agent, reason, trace: { facts } }): LoopStop[] => {
    if (reason !== 'loop_stopped') return [];
    const why = (facts['cause'] ?? 'repeating') as LoopStop['why'];
    const releasedBy = (facts['releasedBy'] ?? 'person') as LoopStop['releasedBy'];
    return [{ agent, why, releasedBy, advice: adviceOn(agent, why, releasedBy) }];
  });
}

/** The event of a post that is not visible yet, as it would be logged now. Nothing is stored. */
async function ifShownNow({ context, committer }: ToolContext, row: OutboxRow): Promise<LogRow | undefined> {
  const state = await readConversation(context.store, row.conversation);
  const author = agentKey(row.agent);
  if (state?.attention.loop.pairs.some(({ a, b }) => a === author || b === author) !== true) return undefined;
  const unit = await logUnitOf({ context, committer }, row, state.place);
  return context.apply({
    ...namesOf([unit]),
    run: (view) => ({ ...noChange(), result: unit.run(view).result.row }),
  });
}

const BECAUSE: Record<LoopStop['why'], (agent: string) => string> = {
  repeating: (agent) => `you and ${agent} were repeating yourselves`,
  unproductive: (agent) => `you and ${agent} kept asking each other and nothing was answered`,
  told: (agent) => `a person told you or ${agent} to stop`,
};

const RELEASES: Record<LoopStop['releasedBy'], (agent: string) => string> = {
  person: (agent) =>
    `A person releases you by mentioning you or ${agent} here. If it matters, tell a person what you need.`,
  time: () =>
    'No person is here: you are released when you have let it rest for a while. If it matters, ask elsewhere.',
};

/** For the model: what happened, what not to do, and who can help. */
function adviceOn(agent: string, why: LoopStop['why'], releasedBy: LoopStop['releasedBy']): string {
  const fresh = why === 'repeating' ? ' A new task with a number, name or link of its own gets through.' : '';
  return `Posted, but ${agent} was not woken: ${BECAUSE[why](agent)}, so the exchange is stopped. Do not send it again.${fresh} ${RELEASES[releasedBy](agent)}`;
}
