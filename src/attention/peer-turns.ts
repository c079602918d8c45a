// The peer-bot guard of the preset `typeclaw` (spec/typeclaw-engagement.txt): for each agent it counts the messages of
// other agents that engaged it since any human spoke. At five it gives the model a notice; it changes nothing else. Five
// in a minute trip it too, and they always are five since a human, because a human clears both counts. So one count is
// kept, in the state's table of pairs: a pair of the agent and everybody.
import { keepPair } from './loop-guard.ts';
import { type LoopPair, type LoopState, minuteOf } from './state.ts';

/** The document's figure. No setting changes it. */
export const MAX_PEER_TURNS = 5;

const EVERYBODY = '';

/** How often agents have engaged this one since a human spoke. */
export function peerTurnsOf({ pairs }: LoopState, agent: string): number {
  return pairs.find(({ a, b }) => a === agent && b === EVERYBODY)?.count ?? 0;
}

export function isPeerLoop(turns: number): boolean {
  return turns >= MAX_PEER_TURNS;
}

/** A message of an agent engaged these agents. */
export function countPeerTurn(loop: LoopState, agents: readonly string[], at: number): LoopState {
  if (agents.length === 0) return loop;
  const { count } = loop.peers;
  let next: LoopState = { ...loop, peers: { ...loop.peers, count: count + 1 } };
  for (const agent of agents) next = keepPair(next, pairOf(agent, peerTurnsOf(loop, agent) + 1, at));
  return next;
}

function pairOf(agent: string, count: number, at: number): LoopPair {
  return {
    a: agent,
    b: EVERYBODY,
    last: '',
    atMin: minuteOf(at),
    openA: 0,
    openB: 0,
    ask: 'new',
    count,
    passed: 0,
    stopped: null,
    asked: '',
    figures: '',
    about: '',
  };
}

/** A human spoke, here or in the parent room. */
export function resetPeerTurns({ pairs }: LoopState, at: number): LoopState {
  return { pairs: pairs.filter(({ b }) => b !== EVERYBODY), peers: { count: 0, humanAt: at, at: [] } };
}
