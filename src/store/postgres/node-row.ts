// The row of this node. Every commit updates it and names the epoch: whoever raises the epoch has fenced the node, and
// whatever a paused node still wants to write is refused. The number of the last batch stands in it too. After a lost
// answer the node raises its own epoch and reads that number. The old connection may still be at work: either its commit
// came first, and is in the number, or it comes later and is refused. So a batch is never stored twice.
import type { Connections, Statement, Values } from './connections.ts';

const REGISTER: Statement = {
  name: 'node_register',
  text: `INSERT INTO node AS n (id, epoch, batch, until) VALUES ($1, 1, 0, now())
    ON CONFLICT (id) DO UPDATE SET epoch = n.epoch + 1 RETURNING epoch, batch`,
};
const TAKE_BACK: Statement = {
  name: 'node_take_back',
  text: `WITH taken AS (UPDATE node SET epoch = epoch + 1 WHERE id = $1 AND epoch = $2 RETURNING epoch, batch),
    kept AS (UPDATE lease SET epoch = taken.epoch FROM taken WHERE lease.node = $1 AND lease.epoch = $2)
    SELECT epoch, batch FROM taken`,
};
const LAST_BATCH: Statement = { name: 'node_last_batch', text: 'SELECT batch FROM node WHERE id = $1' };
const REMOVE: Statement = {
  name: 'node_remove',
  text: `WITH gone AS (DELETE FROM node WHERE id = $1 AND epoch = $2 RETURNING id)
    DELETE FROM lease USING gone WHERE lease.node = gone.id`,
};

type Answer = [epoch: string, batch: string];
type Ask = (statement: Statement, values: Values) => Promise<Answer[]>;

export class NodeRow {
  readonly id: string;
  readonly #connections: Connections;
  epoch = 0;
  /** The last batch that is known to be committed. */
  #committed = 0;
  /** The last batch that was sent. The node may take a new epoch before the answer comes, and must still find it. */
  #sent = 0;

  constructor(id: string, connections: Connections) {
    this.id = id;
    this.#connections = connections;
  }

  /** Takes a new epoch, also after the node was fenced. Over the writing connection, if no other is given. */
  async register(ask?: Ask): Promise<void> {
    const write: Ask = (statement, values) => this.#connections.write<Answer>(statement, values);
    this.#take(await (ask ?? write)(REGISTER, [this.id]));
  }

  /** The number of the batch that is about to be committed. */
  get nextBatch(): number {
    return this.#committed + 1;
  }

  /** The next batch is on its way. One that only reads takes its number too, and never commits it: it runs again. */
  sending(): void {
    this.#sent = this.nextBatch;
  }

  committed(): void {
    this.#committed = Math.max(this.#committed, this.#sent);
  }

  /**
   * On a new connection: takes a new epoch, so that the old connection commits nothing more, and says whether the batch
   * that was under way is committed. Undefined: nobody can tell, because others have used the name of this node.
   */
  async takeBack(): Promise<{ committed: boolean | undefined; wasFenced: boolean }> {
    const sought = this.#sent;
    const taken = await this.#connections.write<Answer>(TAKE_BACK, [this.id, this.epoch]);
    if (taken.length === 1) {
      this.#take(taken);
      return { committed: this.#committed === sought, wasFenced: false };
    }
    const [last] = await this.#connections.write<[string]>(LAST_BATCH, [this.id]);
    await this.register();
    const isOwn = last !== undefined && [sought - 1, sought].includes(Number(last[0]));
    return { committed: isOwn ? Number(last[0]) === sought : undefined, wasFenced: true };
  }

  async remove(): Promise<void> {
    await this.#connections.write(REMOVE, [this.id, this.epoch]);
  }

  #take([answer]: readonly Answer[]): void {
    if (answer === undefined) throw new Error('the row of this node is gone');
    this.epoch = Number(answer[0]);
    this.#committed = Number(answer[1]);
  }
}
