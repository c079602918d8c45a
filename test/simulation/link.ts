// A connection between an agent and the host in a simulated world. Unlike the memory pair it can do what networks do:
// lose, double, delay and reorder frames, reset, and stay half open, so that neither side hears of the other's end.
import type { Clock } from '../../src/runtime/clock.ts';
import { type CloseReason, FrameTransport, type Transport } from '../../src/transport/transport.ts';
import type { FrameFault } from './faults.ts';

export type Side = 'host' | 'agent';

export interface LinkPorts {
  clock: Clock;
  /** Asked for every frame. */
  fate(to: Side, frame: string): FrameFault | undefined;
  delayMs(): number;
}

export interface SimLink {
  host: Transport;
  agent: Transport;
  /** Cuts it. Both sides hear of it. */
  reset(): void;
  /** From now on nothing arrives, not even the end of the other side. */
  mute(): void;
}

/** A side that writes into a half-open connection hears of it after so long, as the system's time-outs go. */
const WRITE_FAILS_MS = 60_000;

export function simLink(ports: LinkPorts): SimLink {
  const wire = { isMuted: false };
  const host = new LinkSide('host', ports, wire);
  const agent = new LinkSide('agent', ports, wire);
  host.join(agent);
  agent.join(host);
  return {
    host,
    agent,
    reset() {
      wire.isMuted = false;
      host.cut();
      agent.cut();
    },
    mute() {
      wire.isMuted = true;
    },
  };
}

class LinkSide extends FrameTransport {
  readonly #side: Side;
  readonly #ports: LinkPorts;
  readonly #wire: { isMuted: boolean };
  #other: LinkSide | undefined;
  #early: (() => void)[] = [];
  #fails = false;

  constructor(side: Side, ports: LinkPorts, wire: { isMuted: boolean }) {
    super();
    this.#side = side;
    this.#ports = ports;
    this.#wire = wire;
  }

  get buffered(): number {
    return 0;
  }

  join(other: LinkSide): void {
    this.#other = other;
  }

  /** By the network, not by this side: one that has not started yet hears of it when it starts. */
  cut(): void {
    this.ended('lost');
  }

  protected open(): Promise<void> {
    this.opened();
    const early = this.#early;
    this.#early = [];
    queueMicrotask(() => {
      for (const arrive of early) arrive();
    });
    return Promise.resolve();
  }

  protected write(frame: string): void {
    const { clock } = this.#ports;
    const to = this.#other;
    if (to === undefined) return;
    if (this.#wire.isMuted) {
      if (!this.#fails) clock.after(WRITE_FAILS_MS, () => this.cut());
      this.#fails = true;
      return;
    }
    const fault = this.#ports.fate(to.#side, frame);
    if (fault === 'drop') return;
    if (fault === 'reset') {
      // Later, because a send must not close its own transport before it returns.
      queueMicrotask(() => {
        this.cut();
        to.cut();
      });
      return;
    }
    // A frame that is delayed alone is overtaken by those after it.
    if (fault === 'delay' || fault === 'reorder') clock.after(this.#ports.delayMs(), () => to.#arrive(frame));
    else to.#arrive(frame);
    if (fault === 'double') to.#arrive(frame);
  }

  protected shut(reason: CloseReason): void {
    const other = this.#other;
    queueMicrotask(() => {
      this.ended(reason);
      if (!this.#wire.isMuted && other !== undefined) other.#later(() => other.ended(reason));
    });
  }

  #arrive(frame: string): void {
    if (this.#wire.isMuted) return;
    this.#later(() => this.received(frame));
  }

  /** Never inside the call that sent it. What comes before the start waits for it. */
  #later(run: () => void): void {
    if (!this.isOpen && !this.isEnding) this.#early.push(run);
    else queueMicrotask(run);
  }
}
