// A room of sixty messages with agents that always answer and name everybody: what one of them says wakes no other.
import { describe, expect, it } from 'vitest';
import { seeds } from '../long.ts';
import { type Echo, SIXTY, drawnRoom, playRoom } from './busy-room.ts';

const ECHOES: readonly Echo[] = ['plain', 'marked'];
/** Turns of agents that agents may start in a whole room. */
const MOST_AGENT_TURNS = 4;

describe.each(ECHOES)('agents that always answer and echo names, %s', (echo) => {
  it('start few turns of each other in a room of sixty messages, and all that is for an agent is heard', async () => {
    expect(SIXTY).toHaveLength(60);
    const { agentTurns, unheard, turns } = await playRoom(SIXTY, echo);
    expect(unheard).toEqual([]);
    expect(agentTurns.length).toBeLessThanOrEqual(MOST_AGENT_TURNS);
    expect(turns).toBeLessThanOrEqual(30);
  });

  it('and in rooms drawn from templates', async () => {
    for (const seed of seeds(20, 100)) {
      const { agentTurns, unheard } = await playRoom(drawnRoom(seed), echo, seed);
      expect([seed, unheard]).toEqual([seed, []]);
      expect([seed, agentTurns.slice(MOST_AGENT_TURNS)]).toEqual([seed, []]);
    }
  });
});
