// A node among others. Once a second it says that it is alive, renews and takes leases, and looks for what others have
// done. When its beats stay unanswered it gives its leases up by itself, a part of LEASE_MS before the database gives them
// to others: letting go takes time, and two of them on one platform answer twice.
//
//   follows ─▶ beat, beat, … ─▶ fenced: leases and sessions are over, a new epoch ─▶ beat, … ─▶ ends
import type { Cancel, Clock } from '../../runtime/clock.ts';
import type { AboutNode, Follower, Hint, LeaseUse, Nodes, NodesOverview, Watch } from '../nodes.ts';
import { binaryArray } from './arrays.ts';
import type { Connections, Statement } from './connections.ts';
import type { DatabaseClock } from './database-clock.ts';
import { faultOf } from './errors.ts';
import { Hints } from './hints.ts';
import { Look, type Told } from './look.ts';
import { readOverview } from './overview.ts';
import type { NodeRow } from './node-row.ts';

export const NODE_LIMITS = {
  beatMs: 1_000,
  leaseMs: 10_000,
  /** The last part of a lease in which its holder ends what it does under it. */
  letGoShare: 0.2,
  /** A node whose last beat is older was stopped, or has lost the database. */
  awakeMs: 5_000,
} as const;

const BEAT: Statement = {
  name: 'beat_1',
  text: 'SELECT kind, item, num FROM earshot_beat_1($1, $2, $3, $4, $5, $6, $7, $8)',
};
/** Both in one trip, one after the other. */
const BEAT_AND_LOOK: Statement = {
  name: 'beat_and_look_1',
  text: `${BEAT.text} UNION ALL SELECT kind, item, num FROM earshot_look_1($9, $10, $11, $12, $13, $14, $15)`,
};

export interface NodesOptions {
  connections: Connections;
  node: NodeRow;
  /** The machine's own. A pause of the process does not stop its `elapsed`. */
  clock: DatabaseClock & Pick<Clock, 'after'>;
  log: (line: string) => void;
  leaseMs?: number;
}

interface Lease {
  use: LeaseUse;
  isHeld: boolean;
  /** `gained` and `lost` are called one after the other. */
  calls: Promise<void>;
}

export class PostgresNodes implements Nodes {
  readonly #options: NodesOptions;
  readonly #leaseMs: number;
  readonly #leases = new Map<string, Lease>();
  readonly #hints: Hints;
  readonly #look: Look;
  #alive: ReadonlySet<string> = new Set();
  #about: AboutNode = { url: '', version: '', config: '', draining: false };
  #follower: Follower | undefined;
  #timer: Cancel | undefined;
  /** When the last beat was sent that the database answered, by `elapsed`. */
  #beatAt = Number.NEGATIVE_INFINITY;
  #expiry: Cancel | undefined;
  #asking: Promise<void> | undefined;
  #lookAgain = false;
  #givingUp: Promise<void> | undefined;
  #silentSince: number | undefined;

  constructor(options: NodesOptions) {
    const { connections, node, leaseMs = NODE_LIMITS.leaseMs } = options;
    this.#options = options;
    this.#leaseMs = leaseMs;
    this.#hints = new Hints(connections, node.id, (hint) => this.#follower?.hinted(hint));
    this.#look = new Look(connections);
  }

  get id(): string {
    return this.#options.node.id;
  }

  count(): number {
    return Math.max(1, this.#alive.size);
  }

  isAlive(node: string): boolean {
    return node === this.id || this.#alive.has(node);
  }

  holds(name: string): boolean {
    return this.#leases.get(name)?.isHeld === true && this.#heldForMs() > 0;
  }

  isAwake(): boolean {
    return this.#options.clock.elapsed() - this.#beatAt < NODE_LIMITS.awakeMs;
  }

  async want(name: string, use: LeaseUse): Promise<void> {
    this.#leases.set(name, { use, isHeld: false, calls: Promise.resolve() });
  }

  async giveUp(name: string): Promise<void> {
    const lease = this.#leases.get(name);
    this.#leases.delete(name);
    if (lease?.isHeld !== true || this.#follower === undefined) return;
    // Those that are given up together go in one beat.
    this.#givingUp ??= Promise.resolve()
      .then(() => this.#beat())
      .catch(() => undefined)
      .finally(() => {
        this.#givingUp = undefined;
      });
    await this.#givingUp;
  }

  hint(hint: Hint): void {
    if (this.count() > 1) this.#hints.send(hint);
  }

  announce(about: Partial<AboutNode>): void {
    this.#about = { ...this.#about, ...about };
  }

  overview(): Promise<NodesOverview> {
    return readOverview(this.#options.connections, this.#leaseMs);
  }

  follow(follower: Follower): () => void {
    this.#follower = follower;
    this.#tick();
    return () => {
      this.#follower = undefined;
      this.#timer?.();
      this.#expiry?.();
    };
  }

  /** Looks at once, and once more if a look is under way: that one may have looked too early. */
  look(): void {
    if (this.#asking !== undefined) this.#lookAgain = true;
    else this.#ask(() => this.#lookNow());
  }

  /** The store has found that this node was taken for dead. */
  fenced(): void {
    this.#beatAt = Number.NEGATIVE_INFINITY;
    this.#expire();
    this.#follower?.fenced();
  }

  #tick(): void {
    if (this.#follower === undefined) return;
    if (this.#asking === undefined) {
      this.#ask(() => this.#beat(this.#follower?.watch(true)));
    }
    this.#timer = this.#options.clock.after(NODE_LIMITS.beatMs, () => this.#tick());
  }

  #ask(ask: () => Promise<void>): void {
    const { clock, log } = this.#options;
    this.#asking = ask()
      .then(() => {
        if (this.#silentSince !== undefined) log('the database answers again');
        this.#silentSince = undefined;
      })
      .catch((error: unknown) => {
        if (this.#silentSince === undefined) log(`the database does not answer this node: ${String(error)}`);
        this.#silentSince ??= clock.elapsed();
      })
      .finally(() => {
        this.#asking = undefined;
        const again = this.#lookAgain && this.#follower !== undefined;
        this.#lookAgain = false;
        if (again) this.look();
      });
  }

  async #beat(watch?: Watch): Promise<void> {
    const { connections, node, clock } = this.#options;
    const { url, version, config, draining } = this.#about;
    const { epoch } = node;
    const sentAt = clock.elapsed();
    const wanted = [...this.#leases.keys()].toSorted();
    const look = watch === undefined ? [] : this.#look.parameters(watch);
    let rows: Told[];
    try {
      rows = await connections.signal<Told>(watch === undefined ? BEAT : BEAT_AND_LOOK, [
        node.id,
        epoch,
        this.#leaseMs,
        binaryArray('text', wanted),
        url,
        version,
        config,
        String(draining),
        ...look,
      ]);
    } catch (error) {
      if (faultOf(error) !== 'fenced') throw error;
      // The epoch may have been raised by this node itself, on a new connection.
      if (node.epoch !== epoch) return;
      await node.register((statement, values) => connections.signal(statement, values));
      this.fenced();
      return;
    }
    const of = (kind: string): string[] => rows.flatMap(([one, item]) => (one === kind ? [item ?? ''] : []));
    const time = rows.find(([kind]) => kind === 'time');
    if (time !== undefined) clock.learn(time[2] ?? 0, sentAt);
    this.#alive = new Set(of('node'));
    if (watch !== undefined) this.#follower?.found(this.#look.found(rows));
    if (node.epoch !== epoch) return;
    this.#beatAt = sentAt;
    if (this.#heldForMs() > 0) this.#holdOnly(new Set(of('lease')));
    this.#expire();
  }

  async #lookNow(): Promise<void> {
    const follower = this.#follower;
    if (follower === undefined) return;
    const found = await this.#look.at(follower.watch(false));
    this.#follower?.found(found);
  }

  /** For how long its leases are still its own. The database counts from a later moment, and to the end of the lease. */
  #heldForMs(): number {
    return this.#beatAt + this.#leaseMs * (1 - NODE_LIMITS.letGoShare) - this.#options.clock.elapsed();
  }

  /** Lets everything go when nobody has confirmed it for too long, and looks again when that may be so. */
  #expire(): void {
    this.#expiry?.();
    this.#expiry = undefined;
    const leftMs = this.#heldForMs();
    if (leftMs <= 0) this.#holdOnly(new Set());
    else if (this.#follower !== undefined)
      this.#expiry = this.#options.clock.after(leftMs, () => this.#expire());
  }

  #holdOnly(held: ReadonlySet<string>): void {
    for (const [name, lease] of this.#leases) {
      const isHeld = held.has(name);
      if (isHeld === lease.isHeld) continue;
      lease.isHeld = isHeld;
      lease.calls = lease.calls
        .then(() => (isHeld ? lease.use.gained() : lease.use.lost()))
        .catch((error: unknown) =>
          this.#options.log(`the lease ${name} could not be used: ${String(error)}`),
        );
    }
  }
}
