// Looks for what other nodes have done that concerns this one: deliveries that became ready, sends that are due, sessions
// that moved. A look may see commits beyond the horizon; it tells them at once and moves its cursor only to the horizon, so
// that nothing is passed over and nothing is told twice.
import type { Found, Watch } from '../nodes.ts';
import type { SessionRow } from '../tables.ts';
import { binaryArray } from './arrays.ts';
import type { Connections, Statement, Values } from './connections.ts';

const LOOK: Statement = {
  name: 'look_1',
  text: 'SELECT kind, item, num FROM earshot_look_1($1, $2, $3, $4, $5, $6, $7)',
};

/** What `earshot_beat_1` and `earshot_look_1` answer. */
export type Told = [kind: string, item: string | null, num: number | null];
/** Rows of one kind in one look. The next look goes on. */
const ROWS_MAX = 1_000;

export class Look {
  readonly #connections: Connections;
  /** Everything that became ready up to here was told. */
  #ready = 0;
  /** Where the cursor stood before the last look, and which agents that look was about. */
  #before = 0;
  #agents: ReadonlySet<string> = new Set();
  /** Told already, and beyond the cursor. */
  readonly #told = new Map<string, number>();
  #since = 0;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async at(watch: Watch): Promise<Found> {
    return this.found(await this.#connections.signal<Told>(LOOK, this.parameters(watch)));
  }

  parameters({ agents, deliveries, surfaces, sweeps }: Watch): Values {
    // An agent that came since was not looked for: what became ready for it meanwhile lies before the cursor.
    const isNew = agents.some((agent) => !this.#agents.has(agent));
    this.#agents = new Set(agents);
    return [
      binaryArray('text', agents),
      isNew ? this.#before : this.#ready,
      binaryArray('text', deliveries),
      binaryArray('text', surfaces),
      String(sweeps),
      this.#since,
      ROWS_MAX,
    ];
  }

  /** Moves on to what the answer says. */
  found(rows: readonly Told[]): Found {
    const of = (kind: string): [item: string, num: number | null][] =>
      rows.flatMap(([one, item, num]) => (one === kind ? [[item ?? '', num]] : []));
    const [horizon = this.#ready] = of('horizon').map(([, num]) => num ?? 0);
    const found = {
      knowsAlive: of('node').length > 0,
      ready: this.#untold(of('ready'), horizon).map(agentAndKey),
      ended: of('ended').map(([key]) => key),
      sends: of('send').map(([key]) => key),
      dueAt: of('due')[0]?.[1] ?? undefined,
      sessions: of('session').map(([doc]) => JSON.parse(doc) as SessionRow),
    };
    this.#since = of('since')[0]?.[1] ?? this.#since;
    return found;
  }

  #untold(rows: readonly [key: string, ready: number | null][], horizon: number): string[] {
    const keys = rows.flatMap(([key, ready]) => (this.#told.get(key) === ready ? [] : [key]));
    for (const [key, ready] of rows) this.#told.set(key, ready ?? 0);
    const last = rows.at(-1)?.[1] ?? horizon;
    const next = rows.length < ROWS_MAX ? horizon : Math.min(horizon, last);
    this.#before = this.#ready;
    this.#ready = Math.max(this.#ready, next);
    for (const [key, ready] of this.#told) if (ready <= this.#ready) this.#told.delete(key);
    return keys;
  }
}

function agentAndKey(item: string): { agent: string; key: string } {
  const at = item.indexOf(' ');
  return { agent: item.slice(0, at), key: item.slice(at + 1) };
}
