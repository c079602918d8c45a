// What somebody outside the host could see in a run: acknowledgements, deliveries, answers of tools, the host's own log.
// The oracle judges these together with what is stored.

/** What a source was told about an event of its own. */
export interface Acked {
  eventId: string;
  seq: number;
  surface: string;
}

/** A delivery as it left the host. */
export interface Handed {
  agent: string;
  /** Counts the connections of the world: order is promised within one. */
  link: number;
  eventId: string;
  mode: string;
  attempt: number;
  frame: string;
}

/** A claim that the host granted. */
export interface Granted {
  agent: string;
  about: string;
  token: number;
  until: number;
  at: number;
}

export class Seen {
  /** By the source's id. */
  readonly acked = new Map<string, Acked>();
  readonly refused: string[] = [];
  readonly handed: Handed[] = [];
  readonly granted: Granted[] = [];
  /** What must never happen, found while it happened. */
  readonly problems: string[] = [];
  commits = 0;

  problem(what: string): void {
    if (!this.problems.includes(what)) this.problems.push(what);
  }
}
