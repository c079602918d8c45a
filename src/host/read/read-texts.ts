// What each agent has read, to find out whether a text that it sends quotes something. The texts are in the log; here
// are hashes of their runs of words (word-runs.ts), per conversation, loaded when they are first needed and kept up to
// date by the news. Working memory only, and bounded: after a restart it is read again. Which conversations an agent has
// read is known from its deliveries, and from its record for what it read by a tool alone.
import { aTurn } from '../../runtime/schedule.ts';
import type { LogRow } from '../../store/tables.ts';
import { agentRecordIn, readAgentRecord, withReading, writeAgentRecord } from '../kernel/agent-record.ts';
import { noChange } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import { agentStateKey } from '../kernel/conversation.ts';
import { textOf } from '../kernel/log-row.ts';
import { piecesOf, runsOf } from './word-runs.ts';

export const READ_TEXT_LIMITS = {
  /** Conversations remembered per agent, those read last. */
  conversations: 64,
  /** The newest log rows of a conversation that are compared. */
  rows: 500,
  /** Runs kept per conversation. The oldest is forgotten. */
  runs: 10_000,
  /** Conversations whose runs are in memory, of all agents. */
  loaded: 256,
  /** The newest deliveries of an agent that are searched for conversations it has read. */
  deliveries: 1_000,
} as const;

export interface ReadTexts {
  /** The conversations that the agent has read and whose words the text repeats; not `to` and what was said there. */
  quotedIn(agent: string, text: string, to: readonly string[]): Promise<string[]>;
  /** The agent has read these conversations by a tool. */
  noteReading(agent: string, conversations: Iterable<string>): Promise<void>;
  /** A text that is not in the log, such as an attachment, was shown from the conversation. */
  noteText(agent: string, conversation: string, text: string): Promise<void>;
}

/** By whom a run was said first, by its hash. */
type Runs = Map<number, string>;

export function createReadTexts(context: HostContext): ReadTexts {
  const memory = new ReadMemory(context);
  context.bus.listen((news) => {
    if (news.type === 'logged') memory.add(news.row);
    else if (news.type === 'deliver') memory.note(news.delivery.agent, news.delivery.conversation);
  });
  return {
    async quotedIn(agent, text, to) {
      const runs = runsOf(text);
      if (runs.length === 0) return [];
      const quoted: string[] = [];
      const sources = [...(await memory.readBy(agent))].filter((key) => !to.includes(key));
      for (const conversation of sources) {
        const known = await memory.runsIn(conversation);
        // The agent's own words are not something that it read there.
        const repeated = runs.filter((run) => (known.get(run) ?? agent) !== agent);
        if (repeated.length > 0 && !(await memory.holdsAll(to, repeated))) quoted.push(conversation);
      }
      return quoted;
    },
    noteReading: (agent, conversations) => memory.noteReading(agent, [...new Set(conversations)]),
    async noteText(agent, conversation, text) {
      await memory.noteReading(agent, [conversation]);
      const runs = await memory.runsIn(conversation);
      for (const piece of piecesOf(text)) {
        addRuns(runs, piece, '');
        await aTurn(context.schedule);
      }
    },
  };
}

class ReadMemory {
  readonly #context: HostContext;
  readonly #loaded = new Map<string, Promise<Runs>>();
  readonly #readBy = new Map<string, Promise<Set<string>>>();

  constructor(context: HostContext) {
    this.#context = context;
  }

  /** The conversations that the agent has read, the newest last. */
  readBy(agent: string): Promise<Set<string>> {
    const known = this.#readBy.get(agent) ?? this.#loadReadBy(agent);
    this.#readBy.set(agent, known);
    known.catch(() => this.#readBy.delete(agent));
    return known;
  }

  runsIn(conversation: string): Promise<Runs> {
    const known = this.#loaded.get(conversation) ?? this.#loadRuns(conversation);
    this.#loaded.delete(conversation);
    this.#loaded.set(conversation, known);
    known.catch(() => this.#loaded.delete(conversation));
    const [oldest] = this.#loaded.keys();
    if (this.#loaded.size > READ_TEXT_LIMITS.loaded && oldest !== undefined) this.#loaded.delete(oldest);
    return known;
  }

  /** Whether all of these runs were said in one of the conversations, so that its readers know them. */
  async holdsAll(conversations: readonly string[], runs: readonly number[]): Promise<boolean> {
    const known = await Promise.all(conversations.map((key) => this.runsIn(key)));
    return runs.every((run) => known.some((said) => said.has(run)));
  }

  add(row: LogRow): void {
    void this.#loaded.get(row.conversation)?.then((runs) => addRow(runs, row), ignore);
  }

  note(agent: string, conversation: string): void {
    void this.#readBy.get(agent)?.then((read) => noteIn(read, conversation), ignore);
  }

  /** Stores those that were not known, so that they are still known after a restart. */
  async noteReading(agent: string, conversations: readonly string[]): Promise<void> {
    const read = await this.readBy(agent);
    const fresh = conversations.filter((key) => !read.has(key));
    for (const key of conversations) noteIn(read, key);
    if (fresh.length === 0) return;
    await this.#context.apply({
      states: [agentStateKey(agent)],
      run(view) {
        const record = withReading(agentRecordIn(view, agent), fresh);
        return { ...noChange(), writes: [writeAgentRecord(agent, record)], result: undefined };
      },
    });
  }

  async #loadReadBy(agent: string): Promise<Set<string>> {
    const { store } = this.#context;
    const { readIn = [] } = await readAgentRecord(store, agent);
    const rows = await store.scan('delivery', 'byAgent', {
      eq: [agent],
      limit: READ_TEXT_LIMITS.deliveries,
      descending: true,
    });
    const read = new Set<string>();
    for (const { conversation } of rows.toReversed()) noteIn(read, conversation);
    for (const conversation of readIn) noteIn(read, conversation);
    return read;
  }

  async #loadRuns(conversation: string): Promise<Runs> {
    const rows = await this.#context.store.scan('log', 'byConversation', {
      eq: [conversation],
      limit: READ_TEXT_LIMITS.rows,
      descending: true,
    });
    const runs: Runs = new Map();
    for (const row of rows.toReversed()) addRow(runs, row);
    return runs;
  }
}

const ignore = (): void => undefined;

function noteIn(read: Set<string>, conversation: string): void {
  read.delete(conversation);
  read.add(conversation);
  const [oldest] = read;
  if (read.size > READ_TEXT_LIMITS.conversations && oldest !== undefined) read.delete(oldest);
}

function addRow(runs: Runs, row: LogRow): void {
  const { author } = row.record.event;
  addRuns(runs, textOf(row), author.kind === 'agent' ? author.id : '');
}

/** Whoever said it first counts. */
function addRuns(runs: Runs, text: string, agent: string): void {
  for (const run of runsOf(text)) if (!runs.has(run)) runs.set(run, agent);
  for (const oldest of runs.keys()) {
    if (runs.size <= READ_TEXT_LIMITS.runs) return;
    runs.delete(oldest);
  }
}
