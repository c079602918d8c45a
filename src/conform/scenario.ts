// What a wire scenario is: one promise of the protocol, played against a running host from outside. A scenario that
// does not hold says what was expected, what came, and why it matters; whoever reads it wrote another host.
import type { ProtocolVersion } from '../protocol/vocabulary.ts';
import type { TestRoom } from './room.ts';
import type { TestSession } from './session.ts';

/** `push`: the host calls us, so that it can be left unanswered. `raw`: bytes that are no message can be sent. */
export type Need = 'push' | 'raw' | 'events';

export interface Scenario {
  /** Stable: `deliver/comes-again`. */
  id: string;
  title: string;
  /** What this way of connecting must be able to do; otherwise it is skipped, and said so. */
  needs?: readonly Need[];
  run(bench: Bench): Promise<void>;
}

export interface OpenOptions {
  version?: ProtocolVersion;
  /** False: deliveries are never acknowledged. */
  acks?: boolean;
  holding?: readonly string[];
}

export interface Bench {
  /** Connected and initialized; closed when the scenario is over. */
  open: (options?: OpenOptions) => Promise<TestSession>;
  /** Connected, nothing said yet. */
  dial: () => Promise<TestSession>;
  /** A conversation nobody has used before. */
  room: () => TestRoom;
  /** The agent we are, as the host calls it. */
  agent: string;
}

/** A promise that was not kept. */
export class Broken extends Error {
  readonly expected: string;
  readonly got: string;

  constructor(expected: string, got: unknown) {
    const shown = typeof got === 'string' ? got : JSON.stringify(got);
    super(`expected ${expected}; got ${shown ?? 'nothing'}`);
    this.name = 'Broken';
    this.expected = expected;
    this.got = shown ?? 'nothing';
  }
}

export function expectThat(holds: boolean, expected: string, got: unknown): asserts holds {
  if (!holds) throw new Broken(expected, got);
}
