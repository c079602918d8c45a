// Which faults of a plan are on right now, and what each does to the next frame, commit or post. Once the world is healed
// there are none.
import type { Draw } from './draw.ts';
import type { Fault, FrameFault, PostFault, StoreFault } from './faults.ts';
import type { Plan } from './plan.ts';

type Lasting = Extract<Fault, { from: number }>;

export class ActiveFaults {
  readonly #plan: Plan;
  readonly #draw: Draw;
  readonly #sinceStart: () => number;
  readonly #posts = new Map<string, number>();
  #isHealed = false;
  #reads = 0;

  constructor(plan: Plan, draw: Draw, sinceStart: () => number) {
    this.#plan = plan;
    this.#draw = draw;
    this.#sinceStart = sinceStart;
  }

  heal(): void {
    this.#isHealed = true;
  }

  of<T extends Lasting['type']>(type: T): Extract<Lasting, { type: T }>[] {
    const at = this.#sinceStart();
    if (this.#isHealed) return [];
    return this.#plan.faults.filter(
      (fault): fault is Extract<Lasting, { type: T }> =>
        fault.type === type && 'from' in fault && fault.from <= at && at < fault.until,
    );
  }

  /** `count`: the how manieth frame of the world it is. */
  frame(count: number): FrameFault | undefined {
    return this.of('frames').find(({ share }, index) => this.#draw('frame', count, index) < share)?.fault;
  }

  commit(count: number): Exclude<StoreFault, 'slow'> | undefined {
    const active = this.of('store').filter(({ fault }) => fault !== 'slow');
    const hit = active.find(({ fault, share }) => fault === 'full' || this.#draw('commit', count) < share);
    return hit?.fault as Exclude<StoreFault, 'slow'> | undefined;
  }

  /** In half of the worlds a sync takes no time, in the others a moment. */
  syncMs(count: number): number {
    const isSlow = this.of('store').some(({ fault }) => fault === 'slow');
    if (isSlow) return 20 + Math.floor(this.#draw('slow', count) * 1_500);
    return this.#plan.seed % 2 === 0 ? 0 : Math.floor(this.#draw('sync', count) * 4);
  }

  /** How long the next read takes. */
  readMs(): number {
    const [slow] = this.of('reads');
    if (slow === undefined) return 0;
    const count = ++this.#reads;
    if (this.#draw('slow read', count) >= slow.share) return 0;
    return 1 + Math.floor(this.#draw('read ms', count) * slow.mostMs);
  }

  post(key: string): PostFault | undefined {
    const tried = this.#posts.get(key) ?? 0;
    this.#posts.set(key, tried + 1);
    return this.of('posts').find(({ share }) => this.#draw('post', key, tried) < share)?.fault;
  }
}
