// An answer that is ready early waits for an author who usually adds something later than a compose window waits. Whoever
// does not is answered at once.
import { afterEach, describe, expect, it } from 'vitest';
import type { Turn, TurnHandler } from '../../src/agent/index.ts';
import { world, type World } from './harness.ts';

let here: World;
afterEach(async () => {
  await here.stop();
  expect(here.problems).toEqual([]);
});

const GAP_MS = 12_000;
const ask = (text: string, by = 'U1') => ({ text: `@lead ${text}`, mentions: ['lead'], by });

/** Somebody who talks to the room in pieces, twelve seconds apart, then rests for five minutes. */
async function talksInPieces(by = 'U1'): Promise<void> {
  for (const text of ['the build', 'was red', 'again', 'this morning']) {
    await here.say({ text, by });
    await here.pass(GAP_MS);
  }
  await here.pass(5 * 60_000, 1_000);
}

async function roomWith(handler: TurnHandler, holdMs?: number): Promise<Turn[]> {
  here = await world();
  const turns: Turn[] = [];
  const limits = holdMs === undefined ? {} : { limits: { holdMs } };
  here.agent('lead', limits).onTurn((turn) => {
    turns.push(turn);
    return handler(turn);
  });
  await here.pass(1_000);
  return turns;
}

const answer: TurnHandler = (turn) => `heard ${turn.events.map(({ text }) => text).join(' | ')}`;
const shown = (): string[] => here.posted.map(({ text }) => text);

describe('an answer to somebody who talks in pieces', () => {
  it('waits for what they add, and is one answer to all of it', async () => {
    await roomWith(answer);
    await talksInPieces();
    await here.say(ask('is it green?'));
    await here.pass(10_000);
    expect(shown()).toEqual([]);
    await here.say(ask('the main branch I mean'));
    await here.pass(40_000);
    expect(shown()).toEqual(['heard @lead is it green? | @lead the main branch I mean']);
  });

  it('comes when they add nothing for as long as they usually take', async () => {
    await roomWith(answer);
    await talksInPieces();
    await here.say(ask('is it green?'));
    await here.pass(14_000);
    expect(shown()).toEqual([]);
    await here.pass(3_000);
    expect(shown()).toEqual(['heard @lead is it green?']);
  });

  it('shows the agent at work meanwhile, and lets its other turns run', async () => {
    here = await world();
    here.agent('lead', { limits: { concurrentTurns: 1 } }).onTurn(answer);
    await here.pass(1_000);
    await talksInPieces();
    await here.say(ask('is it green?'));
    await here.pass(4_000);
    const signs = here.typing.length;
    expect(signs).toBeGreaterThan(0);
    await here.say({ ...ask('and you?', 'U2'), in: 'C2' });
    await here.pass(4_000);
    expect(shown()).toEqual(['heard @lead and you?']);
    expect(here.typing.length).toBeGreaterThan(signs);
  });

  it('is streamed and still waits', async () => {
    await roomWith(async (turn) => {
      await turn.stream(['heard ', turn.text]);
    });
    await talksInPieces();
    await here.say(ask('is it green?'));
    await here.pass(10_000);
    await here.say(ask('main'));
    await here.pass(40_000);
    expect(shown()).toEqual(['heard @lead is it green?\n@lead main']);
  });

  it('is stopped with a word meanwhile', async () => {
    await roomWith(answer);
    await talksInPieces();
    await here.say(ask('is it green?'));
    await here.pass(6_000);
    await here.say(ask('stop'));
    await here.pass(40_000);
    expect(shown()).toEqual(['Okay, stopping. Mention me when you need me.']);
  });
});

describe('an answer that does not wait', () => {
  it('is one to somebody who says a thing at once', async () => {
    await roomWith(answer);
    for (let line = 0; line < 6; line++) {
      await here.say({ text: `line ${line}` });
      await here.pass(5 * 60_000, 1_000);
    }
    await here.say(ask('is it green?'));
    await here.pass(3_000);
    expect(shown()).toEqual(['heard @lead is it green?']);
  });

  it('is one to somebody who was told something in between: what they said next was an answer', async () => {
    await roomWith(answer);
    for (let line = 0; line < 4; line++) {
      await here.say({ text: `to you ${line}`, by: 'U1', more: { mentions: [{ kind: 'human', id: 'U2' }] } });
      await here.pass(GAP_MS / 2);
      await here.say({
        text: `and back ${line}`,
        by: 'U2',
        more: { mentions: [{ kind: 'human', id: 'U1' }] },
      });
      await here.pass(GAP_MS / 2);
    }
    await here.pass(60_000, 1_000);
    await here.say(ask('is it green?'));
    await here.pass(3_000);
    expect(shown()).toEqual(['heard @lead is it green?']);
  });

  it('is one that somebody else waits for', async () => {
    await roomWith(answer);
    await talksInPieces();
    await here.say(ask('is it green?'));
    await here.pass(6_000);
    expect(shown()).toEqual([]);
    await here.say(ask('and you?', 'U2'));
    await here.pass(3_000);
    expect(shown()).toEqual(['heard @lead is it green?', 'heard @lead and you?']);
  });

  it('is one of a connection that says so', async () => {
    await roomWith(answer, 0);
    await talksInPieces();
    await here.say(ask('is it green?'));
    await here.pass(3_000);
    expect(shown()).toEqual(['heard @lead is it green?']);
  });

  it('is what a handler says on its way', async () => {
    await roomWith(async (turn) => {
      await turn.reply('looking');
      return 'green';
    });
    await talksInPieces();
    await here.say(ask('is it green?'));
    await here.pass(3_000);
    expect(shown()).toEqual(['looking', 'green']);
  });
});
