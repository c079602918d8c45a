// Answers to calls of harnesses and sources. Methods other than tools take their turn in a lane, or are told when to come back.
import { type WireError, wireError } from '../../protocol/errors.ts';
import type { RpcAnswer } from '../../transport/requests.ts';
import { storeWireError } from '../kernel/store-refusal.ts';
import type { CallerRate, LaneName, Shares } from '../security/shares.ts';

export const ok = (result: unknown): RpcAnswer => ({ ok: true, result });

export const refused = (error: WireError): RpcAnswer => ({ ok: false, error });

/** A change that the store could not take is refused with when to call again. Undefined for every other error. */
export function refusedByStore(error: unknown): RpcAnswer | undefined {
  const refusal = storeWireError(error);
  return refusal === undefined ? undefined : refused(refusal);
}

const tooMany = (retryAfterMs: number): WireError => wireError('rate_limited', { retryAfterMs });

export function inLane(
  shares: Shares,
  who: string,
  lane: LaneName,
  run: () => Promise<RpcAnswer>,
): Promise<RpcAnswer> {
  return shares.run({ who, lane, refuse: (ms) => refused(tooMany(ms)) }, run);
}

/** A notification has no answer: only what is wrong with it. */
export function notificationInLane(
  shares: Shares,
  who: string,
  lane: LaneName,
  run: () => Promise<WireError | undefined>,
): Promise<WireError | undefined> {
  return shares.run<WireError | undefined>({ who, lane, refuse: tooMany }, run);
}

export async function withinRate(
  shares: Shares,
  who: string,
  rate: CallerRate,
  run: () => Promise<RpcAnswer>,
): Promise<RpcAnswer> {
  const taken = shares.take(who, rate);
  return taken.ok ? run() : refused(tooMany(taken.retryAfterMs));
}
