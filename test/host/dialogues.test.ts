// Two hundred drawn dialogues of a lead, two workers and two people: no work is stopped, every ping-pong is.
import { expect, it } from 'vitest';
import { LONG, SEED, seeds } from '../long.ts';
import { UNLISTED } from './dialogue-words.ts';
import { type Dialogue, dialogue } from './dialogues.ts';

const SEEDS = seeds(200, 1_000);
const TIMEOUT_MS = 600_000;
/** A ping-pong is stopped by its tenth turn: the tenth wakes nobody. */
const TENTH = 10;

it(
  'no task is stopped, and every ping-pong of thanks, echoes or “no, you” is, while people talk to others',
  async () => {
    const played: Dialogue[] = [];
    for (const seed of SEEDS) played.push(await dialogue(seed));
    const all = played.map(({ loop, ...rest }) => ({
      ...rest,
      loop: loop ?? { kind: 'none', turns: 0, stops: 0 },
    }));
    const loops = all.filter(({ loop }) => loop.kind !== 'none');
    const running = loops.filter(({ loop }) => loop.turns > TENTH);
    const wrong = all.flatMap(({ stoppedWork }) => stoppedWork);
    const right = loops.reduce((sum, { loop }) => sum + loop.stops, 0);
    const tasks = all.reduce((sum, one) => sum + one.tasks, 0);
    const unheard = all.flatMap((one) => one.unheard);
    console.log(
      [
        `loop guard, seeds ${LONG ? `drawn from ${SEED}` : `1 to ${SEEDS.length}`}: ${tasks} tasks, ${loops.length} ping-pongs;`,
        `precision ${(right / (right + wrong.length)).toFixed(3)} (${right} stops, ${wrong.length} of work),`,
        `recall ${(1 - running.length / loops.length).toFixed(3)} (longest ${Math.max(...loops.map(({ loop }) => loop.turns))} turns),`,
        `heard ${(1 - unheard.length / tasks).toFixed(3)}`,
      ].join(' '),
    );
    expect(wrong).toEqual([]);
    expect(running.filter(({ tongue }) => tongue !== UNLISTED)).toEqual([]);
    expect(unheard.length / tasks).toBeLessThan(0.01);
    // One line in the room for each stop.
    expect(all.filter(({ loop, notices }) => notices !== Math.min(1, loop.stops))).toEqual([]);
  },
  TIMEOUT_MS,
);
