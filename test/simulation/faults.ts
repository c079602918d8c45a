// What may go wrong in a simulated world. A fault is a plain entry: what, and from when to when. Which frame, commit or
// post it hits is drawn by name while the plan is played.
import { type Draw, between, pick } from './draw.ts';
import type { Cast } from './plan.ts';

export interface Span {
  from: number;
  until: number;
}

export type FrameFault = 'drop' | 'double' | 'delay' | 'reorder' | 'reset';
export type StoreFault = 'lost' | 'kept' | 'slow' | 'full';
/** `shown`: it was shown, and the answer is lost. `absent`: it was not. `late`: shown, and answered after the time-out. */
export type PostFault = 'busy' | 'error' | 'shown' | 'absent' | 'hang' | 'late' | 'refused';
/** The host dies at the nth of these, or at a time. */
export type CrashMoment = 'time' | 'before_commit' | 'after_commit' | 'frame' | 'shown';

export type Fault =
  | ({ type: 'frames'; fault: FrameFault; share: number } & Span)
  | { type: 'half_open'; at: number; agent: string }
  | ({ type: 'store'; fault: StoreFault; share: number } & Span)
  /** A part of the reads of the store takes up to so long. */
  | ({ type: 'reads'; share: number; mostMs: number } & Span)
  | { type: 'crash'; at: number; moment: CrashMoment; nth: number; downMs: number; keepsUnsynced: boolean }
  | { type: 'clock'; at: number; byMs: number }
  | ({ type: 'posts'; fault: PostFault; share: number } & Span)
  /** What people did arrives twice, late, or both. */
  | ({ type: 'webhooks'; fault: 'double' | 'late' } & Span)
  /** The platform hands back what the host has posted. */
  | ({ type: 'echoes'; times: number } & Span)
  | { type: 'harness_dies'; at: number; agent: string; downMs: number }
  | { type: 'twin'; at: number; agent: string }
  | ({ type: 'turns_fail'; share: number } & Span)
  | { type: 'flood'; at: number; room: string; by: string; count: number };

/** Today a clock that goes back stops what is due for as long. Farther jumps only make the run longer. */
const BACK_MS_MAX = 20_000;
const FORWARD_MS_MAX = 3 * 3_600_000;
const FLOOD = 40;
/** The share of the worlds that have slow reads. */
const SLOW_READS = 0.1;

export function drawFaults(draw: Draw, cast: Cast, chaosMs: number): Fault[] {
  const count = between(0, 5, draw('faults'));
  const faults = Array.from({ length: count }, (_, index) => drawFault(named(draw, index), cast, chaosMs));
  return [...faults, ...drawSlowReads(draw, chaosMs)];
}

/** Drawn apart from the others, so plans without it are what they were. */
function drawSlowReads(draw: Draw, chaosMs: number): Fault[] {
  if (draw('slow reads') >= SLOW_READS) return [];
  const from = between(0, chaosMs, draw('slow reads from'));
  const share = pick([0.05, 0.3, 1], draw('slow reads share'));
  const mostMs = pick([3, 40, 600], draw('slow reads ms'));
  const until = Math.min(chaosMs, from + between(500, 30_000, draw('slow reads length')));
  return [{ type: 'reads', share, mostMs, from, until }];
}

const named =
  (draw: Draw, index: number): Draw =>
  (...name) =>
    draw('fault', index, ...name);

function drawFault(draw: Draw, cast: Cast, chaosMs: number): Fault {
  const at = between(0, chaosMs, draw('at'));
  const span = { from: at, until: Math.min(chaosMs, at + between(500, 15_000, draw('length'))) };
  const agent = pick(cast.agents, draw('agent'));
  const share = pick([0.05, 0.2, 0.5], draw('share'));
  const makes: readonly [weight: number, make: () => Fault][] = [
    [3, () => ({ type: 'frames', fault: pick(FRAMES, draw('which')), share, ...span })],
    [1, () => ({ type: 'half_open', at, agent })],
    [3, () => ({ type: 'store', fault: pick(STORE, draw('which')), share, ...span })],
    [
      5,
      () => ({
        type: 'crash',
        at,
        moment: pick(MOMENTS, draw('which')),
        nth: between(1, 12, draw('nth')),
        downMs: pick([0, 50, 3_000], draw('down')),
        keepsUnsynced: draw('keeps') < 0.5,
      }),
    ],
    [1, () => ({ type: 'clock', at, byMs: jump(draw) })],
    [3, () => ({ type: 'posts', fault: pick(POSTS, draw('which')), share, ...span })],
    [2, () => ({ type: 'webhooks', fault: pick(['double', 'late'] as const, draw('which')), ...span })],
    [1, () => ({ type: 'echoes', times: between(1, 2, draw('times')), ...span })],
    [2, () => ({ type: 'harness_dies', at, agent, downMs: pick([0, 400, 8_000], draw('down')) })],
    [1, () => ({ type: 'twin', at, agent })],
    [1, () => ({ type: 'turns_fail', share, ...span })],
    [
      1,
      () => ({
        type: 'flood',
        at,
        room: pick(cast.rooms, draw('room')).id,
        by: pick(cast.people, draw('by')),
        count: between(10, FLOOD, draw('count')),
      }),
    ],
  ];
  let left = draw('type') * makes.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, make] of makes) {
    left -= weight;
    if (left < 0) return make();
  }
  throw new Error('the weights do not add up');
}

const FRAMES: readonly FrameFault[] = ['drop', 'double', 'delay', 'reorder', 'reset'];
const STORE: readonly StoreFault[] = ['lost', 'kept', 'slow', 'full'];
const MOMENTS: readonly CrashMoment[] = ['time', 'before_commit', 'after_commit', 'frame', 'shown'];
const POSTS: readonly PostFault[] = ['busy', 'error', 'shown', 'absent', 'hang', 'late', 'refused'];

function jump(draw: Draw): number {
  return draw('back') < 0.5
    ? -between(1, BACK_MS_MAX, draw('by'))
    : between(1_000, FORWARD_MS_MAX, draw('by'));
}
