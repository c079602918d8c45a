// The committer: the one way an event gets into the log. It prepares the event (agent ids, secrets, pairing codes, what
// an edit amends), folds and stores it as one unit, and publishes the news after the sync. Sources come to it through
// ingest.ts; the host's own records (acts of agents, turns, ticks, what became visible) come to it directly.
import type { ChatEvent } from '../../protocol/chat-event.ts';
import { type CommitInput, type Committed, commitUnit } from '../attend/commit-event.ts';
import type { ChangeUnit } from '../kernel/change.ts';
import { conversationKeyOf, placeOf } from '../kernel/conversation.ts';
import { type PrepareDeps, needsAsyncPreparation, prepare } from './prepare.ts';

export interface Committer {
  /** Commits a record of the host's own. It waits its turn where an earlier event is still being prepared. */
  record(event: ChatEvent): Promise<Committed>;
  /** Ready to be committed. At once for nearly everything. `surface` is where it came from or is shown. */
  prepare(event: ChatEvent, surface: string | undefined): CommitInput | Promise<CommitInput>;
  commit(input: CommitInput): Promise<Committed>;
  /** The commit of a prepared event as a unit, to be combined with other writes. */
  unit(input: CommitInput): ChangeUnit<Committed>;
  /** Runs behind what is being prepared in the event's conversation and in front of what comes after. */
  queueByConversation<T>(event: ChatEvent, run: () => Promise<T>): Promise<T>;
  /** Is an earlier event of the conversation still being prepared? */
  isQueued(conversation: string): boolean;
}

export type CommitterDeps = PrepareDeps;

const ignore = (): void => undefined;

export function createCommitter(deps: CommitterDeps): Committer {
  const { context } = deps;
  /** Conversations in which an event is being prepared: what comes after it waits, so that order is kept. */
  const queues = new Map<string, Promise<void>>();
  const unit: Committer['unit'] = (input) => commitUnit(context, input);
  const commit: Committer['commit'] = (input) => context.apply(unit(input));
  const ready: Committer['prepare'] = (event, surface) => prepare(deps, event, surface);
  const queueByConversation: Committer['queueByConversation'] = (event, run) => {
    const key = conversationKeyOf(placeOf(event));
    const before = queues.get(key);
    const done = before === undefined ? run() : before.then(run);
    const queue = done.then(ignore, ignore).finally(() => {
      if (queues.get(key) === queue) queues.delete(key);
    });
    queues.set(key, queue);
    return done;
  };
  return {
    unit,
    commit,
    prepare: ready,
    queueByConversation,
    isQueued: (conversation) => queues.has(conversation),
    async record(event) {
      const waits = queues.has(conversationKeyOf(placeOf(event))) || needsAsyncPreparation(event);
      const prepared = async (): Promise<CommitInput> => ready(event, undefined);
      return commit(waits ? await queueByConversation(event, prepared) : await ready(event, undefined));
    },
  };
}
