// What hosts of one store tell each other: whose roles, focus, budget, agreement or token has changed, and that the settings
// have. Each host keeps these in memory. A change is written, in its own commit, into a short list in the store; every host reads the list once a
// second, or at once after a hint, and reads again what is on it. A host that is alone on its store writes and reads no
// such list.
import type { Cancel, Clock } from '../../runtime/clock.ts';
import type { Store, UnitView, Write } from '../../store/store.ts';
import type { HostLog } from './change.ts';

/**
 * `agent`: its record, with its focus, what it has spent, and who was told that it is away. `agreed`: what it agreed to, and
 * its glyphs. `here`: who is connected to the web chat of a host. `question`: a request for permission.
 */
export type ChangeKind = 'agent' | 'agreed' | 'grant' | 'here' | 'question' | 'settings' | 'token';

/** Reads it again. Without a key, any of this kind may have changed. */
type Follower = (key: string | undefined) => Promise<void>;

export interface Changes {
  /** No other host writes to this store. */
  readonly isAlone: boolean;
  /** The states that a unit names when it tells of a change. */
  readonly names: readonly string[];
  /** Tells the other hosts, in the unit of the change. */
  tell(view: UnitView, kind: ChangeKind, keys: readonly string[]): Write[];
  follow(kind: ChangeKind, follower: Follower): void;
  /** Calls the listener each time this host looks. Returns a function that stops this. */
  onLook(listener: () => void): () => void;
  /** Reads what others have changed. */
  look(): Promise<void>;
  stop(): void;
}

const never = (): void => undefined;

export const ALONE: Changes = {
  isAlone: true,
  names: [],
  tell: () => [],
  follow: never,
  onLook: () => never,
  look: async () => undefined,
  stop: never,
};

const KEY = 'changed';
/** A host that has missed more changes than this reads everything again. */
const KEPT = 256;
const EVERY_MS = 1_000;

/** The last changes. Each has a number, one more than the one before. */
interface ChangeList {
  last: number;
  changes: readonly (readonly [kind: ChangeKind, key: string])[];
}

export interface ChangesDeps {
  store: Pick<Store, 'state'>;
  clock: Clock;
  log: HostLog;
  everyMs?: number;
}

/** Call it before anything that follows is read: changes from here on are found. */
export async function createChanges({
  store,
  clock,
  log,
  everyMs = EVERY_MS,
}: ChangesDeps): Promise<Changes> {
  const followers = new Map<ChangeKind, Follower[]>();
  const listeners = new Set<() => void>();
  let { last } = listOf(await store.state(KEY));
  let isStopped = false;
  let timer: Cancel = never;
  let looking: Promise<void> | undefined;
  let again = false;

  const read = async (): Promise<void> => {
    const list = listOf(await store.state(KEY));
    for (const [kind, keys] of missedSince(list, last)) {
      for (const follower of followers.get(kind) ?? []) for (const key of keys) await follower(key);
    }
    ({ last } = list);
  };
  const readAll = async (): Promise<void> => {
    do {
      again = false;
      await read();
    } while (again);
  };
  const look = (): Promise<void> => {
    if (isStopped) return Promise.resolve();
    for (const listener of listeners) listener();
    if (looking !== undefined) {
      again = true;
      return looking;
    }
    looking = readAll().finally(() => {
      looking = undefined;
    });
    return looking;
  };
  const lookLater = (): void => {
    timer = clock.after(everyMs, () => {
      look()
        .catch((error: unknown) => log.warn({ err: error }, 'what other hosts changed could not be read'))
        .finally(() => isStopped || lookLater());
    });
  };
  lookLater();
  return {
    isAlone: false,
    names: [KEY],
    tell: (view, kind, keys) => (keys.length === 0 ? [] : [told(listOf(view.state(KEY)), kind, keys)]),
    follow: (kind, follower) => void followers.set(kind, [...(followers.get(kind) ?? []), follower]),
    onLook(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    look,
    stop() {
      isStopped = true;
      timer();
    },
  };
}

/** A list that cannot be read begins anew: its numbers are lower, so every host reads everything. */
function listOf(value: unknown): ChangeList {
  return typeof value === 'string' ? (JSON.parse(value) as ChangeList) : { last: 0, changes: [] };
}

function told({ last, changes }: ChangeList, kind: ChangeKind, keys: readonly string[]): Write {
  const more = [...changes, ...keys.map((key) => [kind, key] as const)];
  const list: ChangeList = { last: last + keys.length, changes: more.slice(-KEPT) };
  return { state: KEY, value: JSON.stringify(list), wakeAt: null };
}

const KINDS: readonly ChangeKind[] = ['agent', 'agreed', 'grant', 'here', 'question', 'settings', 'token'];

function missedSince({ last, changes }: ChangeList, known: number): Map<ChangeKind, (string | undefined)[]> {
  const count = last - known;
  if (count < 0 || count > changes.length) return new Map(KINDS.map((kind) => [kind, [undefined]]));
  const missed = new Map<ChangeKind, (string | undefined)[]>();
  for (const [kind, key] of changes.slice(changes.length - count)) {
    const keys = missed.get(kind) ?? [];
    if (!keys.includes(key)) missed.set(kind, [...keys, key]);
  }
  return missed;
}
