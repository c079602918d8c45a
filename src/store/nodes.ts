// What a node knows of the others that share its store, and what it tells them. Nodes agree on nothing among themselves:
// the store says who is alive and who holds which lease. A store in a file or in memory has one node, which is alone: it
// holds every lease at once, and there is nobody to tell.
//
// Trust a lease only as far as `holds` says. It answers false before anybody else can have it, by a clock that no pause of
// the process stops. Whatever a node without it still writes is refused, because the store fences the node as a whole.
import type { SessionRow } from './tables.ts';

export interface Nodes {
  /** The name of this node. Undefined: it is alone, and always will be. */
  readonly id: string | undefined;
  /** How many are alive, this one included. */
  count(): number;
  isAlive(node: string): boolean;
  holds(lease: string): boolean;
  /** False when this process may have been stopped: whoever asked it something may have left long ago. */
  isAwake(): boolean;
  /** Wants the lease from now on. Resolves when it has been taken up, or when another node has it. */
  want(lease: string, use: LeaseUse): Promise<void>;
  /** Resolves when another node can have it. Does not call `lost`: the caller has ended its use. */
  giveUp(lease: string): Promise<void>;
  /** Tells the others what they would find out by themselves within a second. Nothing is lost with a hint. */
  hint(hint: Hint): void;
  /** From now on this node is alive to the others, and looks for what they have done. Returns how to end that. */
  follow(follower: Follower): () => void;
  /** Looks now, instead of within a second. */
  look(): void;
  /** What the others, and `doctor`, see of this node. */
  announce(about: Partial<AboutNode>): void;
  /** For `doctor`. Undefined: there is one node, and nothing to say. */
  overview(): Promise<NodesOverview | undefined>;
}

export interface NodesOverview {
  nodes: readonly (AboutNode & { id: string; silentMs: number })[];
  leases: readonly { name: string; node: string }[];
  /** How long the oldest commit under way holds readers back. */
  horizonLagMs: number;
  /** How far this machine's clock is ahead of the database's. */
  clockAheadMs: number;
}

/** Neither may throw. `lost` is called before another node can have the lease, unless this process was stopped. */
export interface LeaseUse {
  gained(): void | Promise<void>;
  lost(): void | Promise<void>;
}

export interface AboutNode {
  url: string;
  version: string;
  /** The version of its settings. */
  config: string;
  /** It is about to stop. */
  draining: boolean;
}

export type Hint =
  /** Deliveries of this agent became ready, or this one has ended. */
  | { agent: string; ended?: string }
  /** The agent's session was opened or closed. */
  | { session: string }
  /** Something is to be posted there. */
  | { surface: string }
  /** A send has its outcome. */
  | { done: string }
  /** The sweep has something to do, at this time or at once. */
  | { due: number | null }
  | { token: string }
  /** What the others keep in memory was changed. */
  | { changed: string }
  | { typing: unknown }
  /** A sign that an agent is at work. */
  | { working: unknown }
  /** What was added to an answer that grows. */
  | { growing: unknown }
  /** A turn of an agent was stopped. */
  | { cancelTurn: { agent: string; turnId: string; reason: string } }
  /** A send that waited for a person is decided. Whoever posts there takes the buttons away. */
  | { decided: string };

/** What this node wants to know. Asked anew for each look. */
export interface Watch {
  /** Agents that are served here. */
  agents: readonly string[];
  /** Keys of deliveries in the hands of their sessions, or on the way there. Of many, some at a time. */
  deliveries: readonly string[];
  /** Surfaces that this node posts to. */
  surfaces: readonly string[];
  /** Whether it wants the earliest due time. */
  sweeps: boolean;
}

export interface Found {
  /** Which nodes are alive was read too, a moment before the rest. */
  knowsAlive: boolean;
  /** Deliveries that became ready, in that order. This node's own are among them. */
  ready: readonly { agent: string; key: string }[];
  /** Keys of the watched deliveries that have ended. */
  ended: readonly string[];
  /** Keys of sends that are due. */
  sends: readonly string[];
  dueAt: number | undefined;
  /** Session rows that were written since the last look, or a little earlier. */
  sessions: readonly SessionRow[];
}

/** None of these may throw. */
export interface Follower {
  /** A beat comes once a second. Looks in between are only for what is new: they leave out the deliveries in hand. */
  watch(isBeat: boolean): Watch;
  found(found: Found): void;
  hinted(hint: Hint): void;
  /** The others took this node for dead. Its sessions are not its own any more. */
  fenced(): void;
}

/** How long a node that does not say that it is alive may go on writing. */
const SILENT_MS = 10_000;

/**
 * Whether every live node is of this version or a newer one, such as '1.4.0'. Ask it before the first write of a format that
 * an older Earshot does not read, and go on writing the old one until then. A node that starts later is newer: the step of
 * the tables that comes with a format keeps older ones out.
 */
export async function everyNodeReads(nodes: Pick<Nodes, 'overview'>, version: string): Promise<boolean> {
  const overview = await nodes.overview();
  const live = overview?.nodes.filter(({ silentMs }) => silentMs < SILENT_MS) ?? [];
  return live.every((node) => isAtLeast(node.version, version));
}

function isAtLeast(version: string, least: string): boolean {
  const [own, wanted] = [version, least].map((text) => text.split('-')[0]?.split('.').map(Number) ?? []);
  for (const [at, number] of (wanted ?? []).entries()) {
    const difference = (own?.[at] ?? 0) - number;
    if (difference !== 0) return difference > 0;
  }
  return true;
}

/** The only node of its store. */
export function aloneNode(): Nodes {
  return {
    id: undefined,
    count: () => 1,
    isAlive: () => true,
    holds: () => true,
    isAwake: () => true,
    want: async (_, use) => use.gained(),
    giveUp: () => Promise.resolve(),
    hint: () => undefined,
    follow: () => () => undefined,
    look: () => undefined,
    announce: () => undefined,
    overview: () => Promise.resolve(undefined),
  };
}
