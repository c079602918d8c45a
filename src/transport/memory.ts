// Two transports joined in memory, for tests, the simulator and an agent in the host's own process. Frames arrive
// whole, in order, and never inside the call that sent them. They change as they would over a wire: lone surrogates
// become U+FFFD, sizes are limited, and `buffered` counts what the other side has not received yet. A frame is never
// doubled, because connections do not do that; senders do.
import type { Clock } from '../runtime/clock.ts';
import type { Random } from '../runtime/random.ts';
import { FrameTransport, type CloseReason, type Transport } from './transport.ts';

/** Faults are drawn from one seeded `random`, so that a run can be repeated. */
export interface MemoryPairFaults {
  random: Random;
  /** The chance, 0 to 1, that a frame is lost together with the connection and everything on its way. */
  lossChance: number;
  /** The longest that a frame may take. The order stays. Needs a clock. */
  delayMaxMs: number;
}

export interface MemoryPairOptions {
  clock?: Clock;
  faults?: MemoryPairFaults;
  frameBytes?: number;
}

export function memoryPair(options: MemoryPairOptions = {}): [Transport, Transport] {
  const left = new MemoryTransport(options);
  const right = new MemoryTransport(options);
  left.join(right);
  right.join(left);
  return [left, right];
}

/** `at`: when it may arrive, on the pair's clock. */
type Parcel = { frame: string; bytes: number; at: number } | { farewell: CloseReason; at: number };

class MemoryTransport extends FrameTransport {
  readonly #options: MemoryPairOptions;
  #other: MemoryTransport | undefined;
  /** What is on its way to us. It waits here until we are started. */
  #inbox: Parcel[] = [];
  #inboxBytes = 0;
  #arrivesAt = 0;
  #scheduled = false;

  constructor(options: MemoryPairOptions) {
    super(options.frameBytes);
    this.#options = options;
  }

  join(other: MemoryTransport): void {
    this.#other = other;
  }

  get buffered(): number {
    return this.#other === undefined ? 0 : this.#other.#inboxBytes;
  }

  protected open(): Promise<void> {
    this.opened();
    this.#schedule();
    return Promise.resolve();
  }

  protected write(frame: string): void {
    const { faults } = this.#options;
    if (faults !== undefined && faults.lossChance > 0 && faults.random.next() < faults.lossChance) {
      // Later, because a send must not close its own transport before it returns.
      queueMicrotask(() => this.close('lost'));
      return;
    }
    const text = frame.toWellFormed();
    this.#other?.take({ frame: text, bytes: Buffer.byteLength(text), at: 0 });
  }

  protected shut(reason: CloseReason): void {
    this.discard();
    if (reason === 'lost') this.#other?.discard();
    this.#other?.take({ farewell: reason, at: 0 });
    queueMicrotask(() => this.ended(reason));
  }

  take(parcel: Parcel): void {
    const { clock, faults } = this.#options;
    if ('bytes' in parcel) this.#inboxBytes += parcel.bytes;
    this.#inbox.push(parcel);
    if (clock === undefined || faults === undefined || faults.delayMaxMs <= 0) {
      this.#schedule();
      return;
    }
    const now = clock.now();
    const delayMs = Math.floor(faults.random.next() * (faults.delayMaxMs + 1));
    this.#arrivesAt = Math.max(this.#arrivesAt, now + delayMs);
    parcel.at = this.#arrivesAt;
    clock.after(this.#arrivesAt - now, () => this.#schedule());
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      if (this.isOpen) this.#arrive();
    });
  }

  /** Hands over everything that is due. What is sent meanwhile waits for the next round. */
  #arrive(): void {
    const inbox = this.#inbox;
    const now = this.#options.clock?.now() ?? 0;
    const count = inbox.length;
    let taken = 0;
    // A callback may close this transport, which replaces the inbox.
    while (taken < count && this.#inbox === inbox) {
      const parcel = inbox[taken];
      if (parcel === undefined || parcel.at > now) break;
      taken++;
      if ('farewell' in parcel) this.ended(parcel.farewell);
      else {
        this.#inboxBytes -= parcel.bytes;
        this.received(parcel.frame);
      }
    }
    if (this.#inbox !== inbox) return;
    inbox.splice(0, taken);
    if (this.isOpen && inbox[0] !== undefined && inbox[0].at <= now) this.#schedule();
  }

  discard(): void {
    this.#inbox = [];
    this.#inboxBytes = 0;
  }
}
