// The peer-bot guard of the preset `typeclaw` (spec/typeclaw-engagement.txt): it counts agent messages that engage an
// agent since any human spoke, and those of the last minute. At five it gives the model a notice; it changes nothing
// else.
import type { AttentionLimits } from './settings.ts';
import { type PeerTurns, STATE_LIMITS } from './state.ts';

const WINDOW_S = 60;

/** Whether the guard is active with one more turn, and the count with it. */
export function readPeerTurns(
  peers: PeerTurns,
  at: number,
  { loopAdviceTurns }: Pick<AttentionLimits, 'loopAdviceTurns'>,
): { active: boolean; count: number } {
  const since = Math.max(secondOf(at) - WINDOW_S, secondOf(peers.humanAt));
  const minute = peers.at.filter((turn) => turn > since).length + 1;
  const count = peers.count + 1;
  return { active: count >= loopAdviceTurns || minute >= loopAdviceTurns, count };
}

export function countPeerTurn({ count, humanAt, at: turns }: PeerTurns, at: number): PeerTurns {
  const now = secondOf(at);
  const recent = [now, ...turns].filter((turn) => turn > now - WINDOW_S).slice(0, STATE_LIMITS.peerTurns);
  return { count: count + 1, humanAt, at: recent };
}

export function resetPeerTurns(at: number): PeerTurns {
  return { count: 0, humanAt: at, at: [] };
}

function secondOf(at: number): number {
  return Math.floor(at / 1_000);
}
