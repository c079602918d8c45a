// Which people are connected to the other hosts of the store. Each host writes its own into one small state when somebody
// comes or goes, and reads it when another has changed it. Who was connected to a host that is gone does not count. A host
// that is alone writes and reads nothing.
import type { Cancel } from '../../runtime/clock.ts';
import type { HostContext } from '../kernel/context.ts';

export interface PeopleElsewhere {
  connected(person: string): boolean;
  /** Who is connected here, whenever that has changed. */
  tell(people: readonly string[]): void;
  close(): void;
}

const KEY = 'here';
/** People of one host that the others are told of. */
const TOLD_MAX = 2_000;
const AGAIN_MS = 1_000;

type Here = Readonly<Record<string, readonly string[]>>;

/** `changed`: somebody came to another host, or left it. */
export async function createPeopleElsewhere(
  { store, apply, changes, clock, log }: Pick<HostContext, 'store' | 'apply' | 'changes' | 'clock' | 'log'>,
  changed: (person: string) => void,
): Promise<PeopleElsewhere> {
  const { nodes } = store;
  const own = nodes.id;
  if (own === undefined) return { connected: () => false, tell: () => undefined, close: () => undefined };
  let known: Here = {};
  let elsewhere: ReadonlySet<string> = new Set();
  let here: readonly string[] = [];
  let writing: Promise<void> | undefined;
  let again: Cancel | undefined;

  const look = (): void => {
    const others = Object.entries(known).filter(([node]) => node !== own && nodes.isAlive(node));
    const before = elsewhere;
    elsewhere = new Set(others.flatMap(([, people]) => people));
    for (const person of new Set([...elsewhere, ...before]))
      if (elsewhere.has(person) !== before.has(person)) changed(person);
  };
  const write = async (): Promise<void> => {
    for (let told: readonly string[] | undefined; told !== here; ) {
      told = here;
      const people = told;
      await apply({
        states: [KEY, ...changes.names],
        run(view) {
          const alive = Object.entries(hereIn(view.state(KEY))).filter(
            ([node]) => node !== own && nodes.isAlive(node),
          );
          const value = JSON.stringify(Object.fromEntries([...alive, [own, people.slice(0, TOLD_MAX)]]));
          const writes = [{ state: KEY, value, wakeAt: null }, ...changes.tell(view, 'here', [own])];
          return { writes, news: [], result: undefined };
        },
      });
      nodes.hint({ changed: 'here' });
    }
  };
  const writeSoon = (): void => {
    writing ??= write()
      .catch((error: unknown) => {
        log.warn({ err: error }, 'other hosts were not told who is connected; it is tried again');
        again = clock.after(AGAIN_MS, writeSoon);
      })
      .finally(() => {
        writing = undefined;
      });
  };
  const read = async (): Promise<void> => {
    known = hereIn(await store.state(KEY));
    look();
    // Another host took this one for dead.
    if (here.length > 0 && known[own] === undefined) writeSoon();
  };
  changes.follow('here', read);
  const unlook = changes.onLook(look);
  await read();
  return {
    connected: (person) => elsewhere.has(person),
    tell(people) {
      here = people;
      writeSoon();
    },
    close() {
      unlook();
      again?.();
    },
  };
}

function hereIn(value: unknown): Here {
  return typeof value === 'string' ? (JSON.parse(value) as Here) : {};
}
