// Asks a small model about lines of which the scorer is unsure. The line is stored and its delivery is held by then; the
// verdict becomes a record, which releases or withdraws it. An answer that fails or comes late is left out, and the sweep
// releases what is held when its time is over: nothing waits longer, and a crash leaves nothing behind.
import { type Decision, isUnsure } from '../../attention/index.ts';
import { hostId } from '../../protocol/derived-id.ts';
import type { LogRow } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';
import { placeOf } from '../kernel/conversation.ts';
import { textOf, unpackDecisions } from '../kernel/log-row.ts';
import { mayReadEvent } from '../read/may-read.ts';
import type { Committer } from '../ingest/committer.ts';
import {
  OPINION_LIMITS,
  type OpinionLine,
  type OpinionQuestion,
  questionFor,
  verdictIn,
} from './question.ts';
import { BYTES_A_TOKEN, isAskedAbout, type OpinionQuota } from './quota.ts';

/** Asks the model of that name, as the settings in force have it. `tokens`: what the answer has cost, if it says so. */
export interface OpinionModel {
  ask(
    question: OpinionQuestion,
    signal: AbortSignal,
    model: string,
  ): Promise<{ text: string; tokens?: number }>;
}

export interface OpinionDeps {
  context: HostContext;
  committer: Pick<Committer, 'record'>;
  quota: OpinionQuota;
  model: OpinionModel;
}

/** Without a model nobody is asked. What it returns ends the questions that are under way. */
export function startSecondOpinions(
  given: Omit<OpinionDeps, 'model'>,
  model: OpinionModel | undefined,
): () => Promise<void> {
  if (model === undefined) return () => Promise.resolve();
  const deps = { ...given, model };
  const { context, quota } = deps;
  const running = new Map<Promise<void>, AbortController>();
  const end = context.bus.listen((news) => {
    if (news.type !== 'logged' || news.row.type !== 'message') return;
    const { row } = news;
    const decisions = unpackDecisions(row.decisions, row.key);
    quota.decided(decisions.length);
    for (const decision of decisions) {
      if (!isHeld(decision)) {
        if (isUnsure(decision) && decision.heldUntil === undefined && isAskedAbout(row.record.event))
          quota.refused();
        continue;
      }
      const name = quota.take();
      if (name === undefined) {
        quota.refused();
        continue;
      }
      const over = new AbortController();
      quota.held.add(row, decision.agent);
      const asking = ask(deps, { row, decision, model: name, over })
        .catch((error: unknown) => {
          quota.ended(name, 'failed');
          context.log.warn({ eventId: row.key, error: String(error) }, 'no second opinion: the model failed');
        })
        .finally(() => {
          quota.held.remove(row, decision.agent);
          running.delete(asking);
        });
      running.set(asking, over);
    }
  });
  return async () => {
    end();
    for (const over of running.values()) over.abort();
    await Promise.all(running.keys());
  };
}

interface Asking {
  row: LogRow;
  decision: Decision;
  /** Its name. */
  model: string;
  over: AbortController;
}

const isHeld = ({ trace }: Decision): boolean => trace.lowered?.includes('second_opinion') === true;

async function ask(
  { context, committer, quota, model }: OpinionDeps,
  { row, decision: { agent, heldUntil = 0 }, model: name, over }: Asking,
): Promise<void> {
  const { clock } = context;
  const question = questionFor(agent, await lastLines(context, row, agent));
  const cancel = clock.after(Math.max(0, heldUntil - clock.now()), () => over.abort());
  const ended = new Promise<undefined>((resolve) =>
    over.signal.addEventListener('abort', () => resolve(undefined), { once: true }),
  );
  try {
    const answer = await Promise.race([model.ask(question, over.signal, name), ended]);
    quota.spent(answer?.tokens ?? Math.ceil((question.system + question.prompt).length / BYTES_A_TOKEN));
    if (answer === undefined || clock.now() >= heldUntil) return quota.ended(name, 'late');
    const verdict = verdictIn(answer.text);
    if (verdict === undefined) throw new Error('the answer is neither yes nor no');
    quota.ended(name, 'answered');
    const { random } = context;
    await committer.record({
      type: 'opinion',
      eventId: hostId('act', random.id()),
      at: clock.now(),
      ...placeOf(row.record.event),
      author: { id: 'second-opinion', kind: 'system' },
      targetEventId: row.key,
      agent,
      verdict,
    });
    if (verdict === 'not_for') quota.changed();
  } catch (error) {
    if (over.signal.aborted) return quota.ended(name, 'late');
    throw error;
  } finally {
    cancel();
  }
}

/** The last lines that this agent may read, oldest first, without the secrets in them. */
async function lastLines(context: HostContext, row: LogRow, agent: string): Promise<OpinionLine[]> {
  const rows = await context.store.scan('log', 'byConversation', {
    eq: [row.conversation],
    before: row.seq + 1,
    descending: true,
    limit: OPINION_LIMITS.lines * 3,
  });
  const lines: OpinionLine[] = [];
  for (const one of rows) {
    if (one.type !== 'message' || lines.length >= OPINION_LIMITS.lines) continue;
    if (!(await mayReadEvent(context, one, agent))) continue;
    const { author } = one.record.event;
    lines.push({ from: author.displayName ?? author.id, text: textOf(one) });
  }
  return lines.toReversed();
}
