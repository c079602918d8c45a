// A wire scenario checks one promise of the protocol against a running host from outside. If the promise is broken, it
// says what was expected and what came. The reader is the author of another host.
import type { ProtocolVersion } from '../protocol/vocabulary.ts';
import type { TestRoom } from './room.ts';
import type { TestSession } from './session.ts';

/** `push`: the host calls us, so we can leave it unanswered. `raw`: we can send bytes that are not a message. */
export type Need = 'push' | 'raw' | 'events';

export interface Scenario {
  /** Stable, such as `deliver/comes-again`. */
  id: string;
  title: string;
  /** What the way of connecting must be able to do. Without it the scenario is reported as skipped. */
  needs?: readonly Need[];
  run(bench: Bench): Promise<void>;
}

export interface OpenOptions {
  version?: ProtocolVersion;
  /** False: never acknowledge deliveries. */
  acks?: boolean;
  /** The first delivery is answered with an error of this code. */
  refuseFirst?: number;
  /** Blocks of capabilities besides or in place of the tester's own. */
  capabilities?: Readonly<Record<string, unknown>>;
  holding?: readonly string[];
}

export interface Bench {
  /** Connects and initializes. Closed when the scenario is over. */
  open: (options?: OpenOptions) => Promise<TestSession>;
  /** Connects and says nothing yet. */
  dial: () => Promise<TestSession>;
  /** A conversation nobody has used before. */
  room: () => TestRoom;
  /** Lets time pass. */
  rest: (ms: number) => Promise<void>;
  /** The id of the agent that the tester plays. */
  agent: string;
}

/** The host broke a promise. */
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
