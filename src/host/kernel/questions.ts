// Questions of agents that the host itself waits for: may I use this tool? Their answers are no business of the harness,
// whose turn runs on meanwhile: a "yes" that reached it would cancel the very turn that waits. Whoever asked waits in an
// open call, so the question ends with its host. Where several hosts share the store, what is asked stands in the store
// before it is posted, and the unit of every event looks at it: an answer that comes in at another host ends there.
import type { DeliveryRow, LogRow } from '../../store/tables.ts';
import { StoreError, type UnitView, type Write } from '../../store/store.ts';
import type { HostContext } from './context.ts';

export interface OpenQuestion {
  agent: string;
  /** The key of the conversation where it was asked. */
  conversation: string;
  /** Whose answer counts, such as `human:U1`. */
  who: string;
  /** The event of the question, known before it is posted. A reaction to it is an answer. */
  eventId: string;
  /** The message in whose turn it is asked. */
  about: string;
}

export interface Questions {
  /** Resolves when every answer from here on is taken. */
  open(question: OpenQuestion): Promise<AskedQuestion>;
  /** How often the agent has asked this, this time included. The same words would be taken for a repeat. */
  nth(agent: string, text: string): number;
  /** The states that a unit has to look at before it can ask `takes`. */
  readonly reads: readonly string[];
  /** Whether a delivery is the answer to an open question. It then ends without being handed over. */
  takes(view: UnitView, delivery: DeliveryRow, logged: LogRow): boolean;
  /** Questions of hosts that are gone. */
  lost(): readonly SharedQuestion[];
  /** The state that holds what several hosts ask. */
  readonly key: string;
  /** Takes a lost question out of it. Undefined when another host was faster. */
  removeLost(view: UnitView, id: string): Write[] | undefined;
}

export interface AskedQuestion {
  question: OpenQuestion;
  close(): void;
}

export interface SharedQuestion extends OpenQuestion {
  id: string;
  node: string;
}

/** The reason with which a delivery ends that was the answer to a question. */
export const ANSWERED_QUESTION = 'answered_question';

/** Different questions that are counted. Beyond that, counting starts again. */
const COUNTED_MAX = 1_000;
/** Questions of all hosts at once. The oldest is then forgotten, and its answer is handed to the agent. */
const SHARED_MAX = 500;
/** How soon a question that is over is taken out again, where the store did not answer. */
const REMOVE_AGAIN_MS = 1_000;
const KEY = 'questions';

type Deps = Pick<HostContext, 'store' | 'apply' | 'changes' | 'random' | 'clock' | 'log'>;

export async function createQuestions(deps: Deps): Promise<Questions> {
  const { store, changes } = deps;
  const own = new Set<OpenQuestion>();
  const counted = new Map<string, number>();
  let shared: readonly SharedQuestion[] = [];
  const read = async (): Promise<void> => {
    shared = listIn(await store.state(KEY));
  };
  if (!changes.isAlone) await read();
  changes.follow('question', read);
  const others = (all: readonly SharedQuestion[]): readonly SharedQuestion[] =>
    all.length === 0 ? all : all.filter(({ node }) => node !== store.nodes.id);
  return {
    key: KEY,
    reads: changes.isAlone ? [] : [KEY],
    async open(question) {
      own.add(question);
      if (changes.isAlone) return { question, close: () => void own.delete(question) };
      const untell = await tellOthers(deps, question);
      return {
        question,
        close() {
          own.delete(question);
          untell();
        },
      };
    },
    nth(agent, text) {
      const key = `${agent} ${text}`;
      const nth = (counted.get(key) ?? 0) + 1;
      if (counted.size >= COUNTED_MAX) counted.clear();
      counted.set(key, nth);
      return nth;
    },
    takes(view, delivery, logged) {
      if ([...own].some((question) => isAnswer(question, delivery, logged))) return true;
      if (changes.isAlone) return false;
      const asked = others(listIn(view.state(KEY)));
      return asked.some((one) => store.nodes.isAlive(one.node) && isAnswer(one, delivery, logged));
    },
    lost: () => others(shared).filter(({ node }) => !store.nodes.isAlive(node)),
    removeLost(view, id) {
      const list = listIn(view.state(KEY));
      const rest = list.filter((one) => one.id !== id);
      return rest.length === list.length ? undefined : written(changes, view, rest);
    },
  };
}

/** Resolves when it is stored, to a function that removes it. */
async function tellOthers(
  { store, apply, changes, random, clock, log }: Deps,
  question: OpenQuestion,
): Promise<() => void> {
  const { nodes } = store;
  const first: SharedQuestion = { ...question, id: random.id(), node: nodes.id ?? '' };
  const write = async (now: SharedQuestion | undefined): Promise<void> => {
    await apply({
      states: [KEY, ...changes.names],
      run(view) {
        const rest = listIn(view.state(KEY)).filter(({ id }) => id !== first.id);
        const list = now === undefined ? rest : [...rest, now].slice(-SHARED_MAX);
        return { writes: written(changes, view, list), news: [], result: undefined };
      },
    });
    nodes.hint({ changed: 'question' });
  };
  await write(first);
  // Until it is removed, other hosts take what the person says next for its answer.
  const remove = (): void => {
    write(undefined).catch((error: unknown) => {
      if (error instanceof StoreError && error.kind === 'closed') return;
      log.warn({ err: error }, 'other hosts were not told that a question is over; it is tried again');
      clock.after(REMOVE_AGAIN_MS, remove);
    });
  };
  return remove;
}

function written(changes: Deps['changes'], view: UnitView, list: readonly SharedQuestion[]): Write[] {
  const value = list.length === 0 ? undefined : JSON.stringify(list);
  return [{ state: KEY, value, wakeAt: null }, ...changes.tell(view, 'question', [KEY])];
}

function listIn(value: unknown): readonly SharedQuestion[] {
  return typeof value === 'string' ? (JSON.parse(value) as SharedQuestion[]) : [];
}

export function isAnswer(question: OpenQuestion, delivery: DeliveryRow, { record }: LogRow): boolean {
  const { event } = record;
  const { agent, conversation, who, eventId } = question;
  // "Stop" is never an answer. It goes to whoever runs the turn.
  if (delivery.agent !== agent || delivery.conversation !== conversation || delivery.mode === 'immediate')
    return false;
  if (`${event.author.kind}:${event.author.id}` !== who) return false;
  return event.type === 'message' || (event.type === 'reaction' && event.targetEventId === eventId);
}
