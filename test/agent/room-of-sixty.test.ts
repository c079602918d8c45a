// A room of sixty messages, four people and three agents that always answer and echo names, through the real SDK: what is
// for an agent is heard, and little else starts a turn.
import { describe, expect, it } from 'vitest';
import { AGENTS, drawnRoom, type Echo, PEOPLE } from '../host/busy-room.ts';
import { LONG, seeds } from '../long.ts';
import { playNaively, playThroughSdk, tokensOf } from './room-of-sixty.ts';
import { drawnLines, ROOM, type RoomLine } from './sixty-lines.ts';

const ECHOES: readonly Echo[] = ['plain', 'marked'];
/** Turns for each message that is for an agent: 24 for 18. */
const TURNS_PER_ASK = 1.34;
const mostTurns = (asks: number): number => Math.floor(asks * TURNS_PER_ASK);
const asksIn = (lines: readonly RoomLine[]): number => lines.filter(({ forAgent }) => forAgent !== '').length;

/** In a long run the figures are printed. */
const note = (text: string): void => void (LONG && console.log(text));

describe('the room of sixty', () => {
  it('has sixty messages of four people, eighteen of them for one of three agents', () => {
    expect(ROOM).toHaveLength(60);
    expect(new Set(ROOM.map(({ by }) => by))).toEqual(new Set(PEOPLE));
    expect([asksIn(ROOM), AGENTS.length, mostTurns(18)]).toEqual([18, 3, 24]);
  });

  it.each(ECHOES)('takes at most 24 turns, and all 18 are heard (echo: %s)', async (echo) => {
    const played = await playThroughSdk(ROOM, echo);
    note(`room of sixty, ${echo}: ${played.turns} turns, about ${tokensOf(played)} tokens`);
    expect(played.unheard).toEqual([]);
    expect(played.others).toEqual([]);
    expect(played.turns).toBeLessThanOrEqual(24);
  });

  it('costs a fraction of naive delivery, where every message is a turn of every agent', async () => {
    const [played, naive] = [await playThroughSdk(ROOM, 'marked'), await playNaively(ROOM)];
    expect(naive.turns).toBe(180);
    note(`naive delivery: ${naive.turns} turns, about ${tokensOf(naive)} tokens`);
    expect(tokensOf(played) * 5).toBeLessThan(tokensOf(naive));
  });
});

describe.each(ECHOES)('rooms drawn from templates (echo: %s)', (echo) => {
  it('are heard in full, with as few turns', async () => {
    for (const seed of seeds(5, 20)) {
      const lines = drawnLines(seed);
      const { unheard, others, turns, ...costs } = await playThroughSdk(lines, echo, seed);
      const asks = asksIn(lines);
      note(`drawn room ${seed}, ${echo}: ${asks} asks, ${turns} turns, about ${tokensOf(costs)} tokens`);
      expect([seed, unheard, others]).toEqual([seed, [], []]);
      expect([seed, turns, turns <= mostTurns(asks)]).toEqual([seed, turns, true]);
    }
  });

  // Nobody is named there by most lines, and who just talked with an agent is taken to go on: a rule of the exchange, which
  // the model is told of (the notice `group`). This model answers all the same, so its turns are not bounded here.
  it('take turns for follow-ups alone beside the asks where people say most things to nobody', async () => {
    for (const seed of seeds(2, 20)) {
      const lines = drawnRoom(seed).map(([by, text, forAgent]) => ({ by, text, forAgent }));
      const { unheard, others, turns, followUps } = await playThroughSdk(lines, echo, seed);
      note(`loose room ${seed}, ${echo}: ${asksIn(lines)} asks, ${turns} turns, ${followUps} follow-ups`);
      expect([seed, unheard, others]).toEqual([seed, [], []]);
    }
  });
});
