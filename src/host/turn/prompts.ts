// The prompts of turns: what a model read, as its harness told it (notifications/prompt) or as the host rendered it for
// a model that pulls. This file owns the prompt rows. They are kept for operators to look at, without secrets, for a
// while. A row waits for the end of its turn and goes into that commit; when the turn takes longer it is written by
// itself, so a short turn costs no further commit.
import type { WireError } from '../../protocol/errors.ts';
import { wireError } from '../../protocol/errors.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import { METHODS } from '../../protocol/methods.ts';
import { boundedPrompt } from '../../protocol/turn-report.ts';
import { readParams } from '../../protocol/read-params.ts';
import type { Cancel } from '../../runtime/clock.ts';
import type { Write } from '../../store/store.ts';
import type { LogRow, PromptRow } from '../../store/tables.ts';
import { findTurn, readAgentRecord } from '../kernel/agent-record.ts';
import type { HostContext } from '../kernel/context.ts';
import { redact } from '../security/redact.ts';

const LIMITS = {
  /** A row waits at most this long for the end of its turn. A crash may lose it. */
  lateMs: 1_000,
  /** At most this many rows wait. When the limit is reached, all of them are written at once. */
  waiting: 64,
  /** The newest prompts of a conversation that are searched for one event, and removed with a deleted message. */
  searched: 500,
  /** Old prompts removed in one commit. */
  batch: 200,
} as const;

export interface Prompts {
  /** A harness tells what its model read. Resolves with what is wrong with that, if something is. */
  told(agent: string, params: unknown): Promise<WireError | undefined>;
  /** The host has rendered an event for a model that pulls. */
  shown(agent: string, eventId: string, text: string): Promise<void>;
  /** The rows that wait for this turn, for the commit that ends it. `written` afterwards forgets them. */
  writesFor(agent: string, turnId: string): Write[];
  written(agent: string, turnId: string): void;
  /** The prompts that were about this event, for this agent, oldest first. */
  about(row: LogRow, agent: string): Promise<PromptRow[]>;
  /** Removes one batch of what is too old. True when there may be more. */
  removeOld(): Promise<boolean>;
  flush(): Promise<void>;
}

export function createPrompts(context: HostContext): Prompts {
  const waiting = new Map<string, PromptRow>();
  let timer: Cancel | undefined;
  const flush = (): Promise<void> => {
    timer?.();
    timer = undefined;
    const rows = [...waiting.values()];
    waiting.clear();
    return write(context, rows.map(put));
  };
  const keep = (row: PromptRow): void => {
    if (context.settings.limits.promptsMs === 0) return;
    waiting.set(row.key, row);
    if (waiting.size >= LIMITS.waiting) return void flush();
    timer ??= context.clock.after(LIMITS.lateMs, () => void flush());
  };
  context.bus.listen((news) => {
    if (news.type !== 'logged' || news.row.type !== 'delete') return;
    for (const [key, row] of waiting) if (row.conversation === news.row.conversation) waiting.delete(key);
    void forget(context, news.row);
  });
  return {
    flush,
    async told(agent, params) {
      const read = readParams(METHODS['notifications/prompt'].params, params);
      if (!read.ok) return read.error;
      const { turnId, prompt } = read.value;
      const turn = findTurn(await readAgentRecord(context.store, agent), turnId);
      const [first] = turn?.deliveries ?? [];
      const delivery = first === undefined ? undefined : await context.store.get('delivery', first);
      if (turn === undefined || delivery === undefined) return wireError('not_found', { what: 'turn' });
      const { deliveries } = turn;
      const { conversation } = delivery;
      const text = await cleaned(context, prompt);
      keep({
        key: promptKey(agent, turnId),
        agent,
        conversation,
        at: context.clock.now(),
        turnId,
        deliveries,
        text,
      });
      return undefined;
    },
    async shown(agent, eventId, text) {
      const key = deliveryKey(eventId, agent);
      const delivery = await context.store.get('delivery', key);
      if (delivery === undefined) return;
      const { conversation } = delivery;
      const clean = await cleaned(context, text);
      keep({
        key,
        agent,
        conversation,
        at: context.clock.now(),
        turnId: null,
        deliveries: [key],
        text: clean,
      });
    },
    writesFor(agent, turnId) {
      const row = waiting.get(promptKey(agent, turnId));
      return row === undefined ? [] : [put(row)];
    },
    written: (agent, turnId) => void waiting.delete(promptKey(agent, turnId)),
    async about(row, agent) {
      const deliveries = await context.store.scan('delivery', 'bySource', {
        eq: [row.key],
        limit: LIMITS.searched,
      });
      const keys = new Set(deliveries.filter((one) => one.agent === agent).map(({ key }) => key));
      const kept = await inConversation(context, row.conversation);
      const fresh = [...waiting.values()].filter(({ conversation }) => conversation === row.conversation);
      const all = new Map([...kept.toReversed(), ...fresh].map((one) => [one.key, one]));
      return [...all.values()].filter((one) => one.deliveries.some((key) => keys.has(key)));
    },
    removeOld: () => removeOld(context),
  };
}

function promptKey(agent: string, turnId: string): string {
  return `${agent} ${turnId}`;
}

function put(row: PromptRow): Write {
  return { table: 'prompt', row };
}

/** Without secrets. A harness may have put some in that the host never saw. */
async function cleaned(context: HostContext, text: string): Promise<string> {
  const bounded = boundedPrompt(text);
  const spans = context.findSecrets(bounded);
  return spans.length === 0 ? bounded : redact(bounded, spans);
}

async function write({ apply, log }: HostContext, writes: Write[]): Promise<void> {
  if (writes.length === 0) return;
  await apply({ states: [], run: () => ({ writes, news: [], result: undefined }) }).catch((error: unknown) =>
    log.warn({ err: error, prompts: writes.length }, 'prompts were not stored'),
  );
}

/** The newest first. */
function inConversation({ store }: HostContext, conversation: string) {
  const range = { eq: [conversation], limit: LIMITS.searched, descending: true };
  return store.scan('prompt', 'byConversation', range);
}

/** What a person deletes is not kept in a prompt either. Any prompt of the conversation since may hold it. */
async function forget(context: HostContext, deleted: LogRow): Promise<void> {
  const { event } = deleted.record;
  const target = event.type === 'delete' ? await context.store.get('log', event.targetEventId) : undefined;
  const since = target?.at ?? 0;
  const rows = await inConversation(context, deleted.conversation);
  await write(context, rows.filter(({ at }) => at >= since).map(removal));
}

function removal({ key }: PromptRow): Write {
  return { table: 'prompt', remove: key };
}

async function removeOld(context: HostContext): Promise<boolean> {
  const { promptsMs, retentionMs } = context.settings.limits;
  const keptMs = retentionMs === 0 ? promptsMs : Math.min(promptsMs, retentionMs);
  const before = context.clock.now() - keptMs;
  const rows = await context.store.scan('prompt', 'byPosition', { limit: LIMITS.batch });
  const old = rows.filter(({ at }) => at < before);
  await write(context, old.map(removal));
  return old.length === LIMITS.batch;
}
