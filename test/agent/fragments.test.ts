// Chat is not a clean turn-based interface: fragments, edits, deletes and typing against a real host.
import { afterEach, describe, expect, it } from 'vitest';
import type { Turn } from '../../src/agent/index.ts';
import { world, type World } from './harness.ts';

let here: World;
afterEach(async () => {
  await here.stop();
  expect(here.problems).toEqual([]);
});

/** A handler that works until it is told to go on, or its turn is cancelled. */
function slow(): { turns: Turn[]; handler: (turn: Turn) => Promise<string>; finish: () => void } {
  const turns: Turn[] = [];
  let finish: (() => void) | undefined;
  return {
    turns,
    handler: (turn) => {
      turns.push(turn);
      return new Promise((resolve, reject) => {
        finish = () => resolve(`answer to ${turn.events.length}: ${turn.text}`);
        turn.signal.addEventListener('abort', () => reject(turn.signal.reason as Error));
      });
    },
    finish: () => finish?.(),
  };
}

const mention = (text: string, more: object = {}) => ({ text: `@lead ${text}`, mentions: ['lead'], ...more });

const types = (by: string, typing: boolean) => ({ by, more: { type: 'typing', typing } });
const edit = (id: string, text: string) => ({ text, more: { type: 'edit', targetEventId: id } });
const remove = (id: string) => ({ more: { type: 'delete', targetEventId: id } });

describe('fragments', () => {
  it('become one turn when they come one second apart', async () => {
    here = await world();
    const texts: string[] = [];
    here.agent('lead').onTurn((turn) => {
      texts.push(turn.text);
      return 'ok';
    });
    await here.pass(1_000);
    await here.say(mention('can you'));
    await here.pass(1_000);
    await here.say({ text: 'check the' });
    await here.pass(1_000);
    await here.say({ text: 'deploy?' });
    await here.pass(6_000);
    expect(texts).toEqual(['@lead can you\ncheck the\ndeploy?']);
    expect(here.posted).toHaveLength(1);
  });

  it('that arrive while the model thinks cancel the turn and restart it merged, with one visible answer', async () => {
    here = await world();
    const { turns, handler, finish } = slow();
    here.agent('lead').onTurn(handler);
    await here.pass(1_000);
    await here.say(mention('check the deploy'));
    await here.pass(1_000);
    await here.say({ text: 'and the tests' });
    await here.pass(4_000);
    expect(turns.map(({ events }) => events.length)).toEqual([2]);
    await here.say({ text: 'and the docs' });
    await here.pass(2_000);
    expect(turns.map(({ events }) => events.length)).toEqual([2, 3]);
    expect(turns[0]?.signal.aborted).toBe(true);
    finish();
    await here.pass(3_000);
    expect(here.posted.map(({ text }) => text)).toEqual([
      'answer to 3: @lead check the deploy\nand the tests\nand the docs',
    ]);
    const open = await here.store.scan('delivery', 'openByAgent', { eq: ['lead', 1], limit: 10 });
    expect(open).toEqual([]);
  });

  it('restart the turn also when its handler does not listen to the signal, and still once is answered', async () => {
    here = await world();
    const finishers: (() => void)[] = [];
    here.agent('lead').onTurn(
      (turn) =>
        new Promise((resolve) => {
          finishers.push(() => resolve(`heard ${turn.events.length}`));
        }),
    );
    await here.pass(1_000);
    await here.say(mention('one'));
    await here.pass(3_000);
    await here.say({ text: 'two' });
    await here.pass(6_000);
    for (const finish of finishers) finish();
    await here.pass(3_000);
    expect(here.posted.map(({ text }) => text)).toEqual(['heard 2']);
  });

  it('that arrive after something was sent are a turn of their own', async () => {
    here = await world();
    const seen: string[][] = [];
    let release: (() => void) | undefined;
    here.agent('lead').onTurn(async (turn) => {
      seen.push(turn.events.map(({ text }) => text));
      await turn.reply(`on ${turn.text}`);
      if (seen.length === 1) await new Promise<void>((resolve) => (release = resolve));
    });
    await here.pass(1_000);
    await here.say(mention('first'));
    await here.pass(4_000);
    await here.say(mention('second'));
    await here.pass(4_000);
    expect(seen).toEqual([['@lead first']]);
    release?.();
    await here.pass(4_000);
    expect(seen).toEqual([['@lead first'], ['@lead second']]);
    expect(here.posted.map(({ text }) => text)).toEqual(['on @lead first', 'on @lead second']);
  });

  it('of two authors are never merged', async () => {
    here = await world();
    const authors: string[][] = [];
    here.agent('lead').onTurn((turn) => {
      authors.push(turn.events.map(({ author }) => author.id));
      return `for ${turn.events[0]?.author.id}`;
    });
    await here.pass(1_000);
    await here.say(mention('one', { by: 'ada' }));
    await here.say(mention('two', { by: 'bob' }));
    await here.say(mention('three', { by: 'ada' }));
    await here.pass(8_000);
    expect(authors.map((turn) => new Set(turn).size)).toEqual([1, 1]);
    expect(authors.flat().toSorted()).toEqual(['ada', 'ada', 'bob']);
    expect(here.posted).toHaveLength(2);
  });
});

describe('typing', () => {
  it('keeps the window open until it stops', async () => {
    here = await world();
    const at: number[] = [];
    here.agent('lead').onTurn(() => {
      at.push(here.clock.now());
      return 'ok';
    });
    await here.pass(1_000);
    const said = here.clock.now();
    await here.say(mention('I am wondering'));
    for (let second = 0; second < 4; second++) {
      await here.pass(1_500);
      await here.say(types('ada', true));
    }
    expect(at).toEqual([]);
    await here.say({ text: 'whether it is blocked' });
    await here.pass(4_000);
    expect(at).toHaveLength(1);
    expect((at[0] ?? 0) - said).toBeGreaterThan(7_000);
  });

  it('cannot starve a turn past thirty seconds', async () => {
    here = await world();
    const at: number[] = [];
    here.agent('lead').onTurn(() => {
      at.push(here.clock.now());
      return 'ok';
    });
    await here.pass(1_000);
    const said = here.clock.now();
    await here.say(mention('well'));
    for (let second = 0; second < 40; second++) {
      await here.pass(1_000);
      await here.say(types('ada', true));
    }
    expect(at).toHaveLength(1);
    expect((at[0] ?? 0) - said).toBeLessThanOrEqual(31_000);
  });
});

describe('edits and deletes', () => {
  it('inject the edit when it comes before injection', async () => {
    here = await world();
    const texts: string[] = [];
    here.agent('lead').onTurn((turn) => void texts.push(turn.text));
    await here.pass(1_000);
    await here.say(mention('check staging?', { id: 'm1' }));
    await here.pass(500);
    await here.say(edit('m1', '@lead check production?'));
    await here.pass(4_000);
    expect(texts[0]).toBe('@lead check production?');
  });

  it('cancel and restart a turn in which nothing was sent', async () => {
    here = await world();
    const { turns, handler, finish } = slow();
    here.agent('lead').onTurn(handler);
    await here.pass(1_000);
    await here.say(mention('check staging?', { id: 'm1' }));
    await here.pass(4_000);
    expect(turns).toHaveLength(1);
    await here.say(edit('m1', '@lead check production?'));
    await here.pass(4_000);
    expect(turns.map(({ text }) => text)).toEqual(['@lead check staging?', '@lead check production?']);
    expect(turns[1]?.user).toContain('The author has edited this message');
    finish();
    await here.pass(3_000);
    expect(here.posted.map(({ text }) => text)).toEqual(['answer to 1: @lead check production?']);
  });

  it('edit one fragment of a running turn in its place', async () => {
    here = await world();
    const { turns, handler, finish } = slow();
    here.agent('lead').onTurn(handler);
    await here.pass(1_000);
    await here.say(mention('check staging', { id: 'm1' }));
    await here.pass(1_000);
    await here.say({ text: 'and tell me', id: 'm2' });
    await here.pass(4_000);
    await here.say(edit('m1', '@lead check production'));
    await here.pass(4_000);
    expect(turns.at(-1)?.text).toBe('@lead check production\nand tell me');
    finish();
    await here.pass(3_000);
    expect(here.posted).toHaveLength(1);
    const open = await here.store.scan('delivery', 'openByAgent', { eq: ['lead', 1], limit: 10 });
    expect(open).toEqual([]);
  });

  it('cancel the turn when its message is deleted, and answer nothing [C2A-06-02/cancel/running-turn]', async () => {
    here = await world();
    const { turns, handler, finish } = slow();
    here.agent('lead').onTurn(handler);
    await here.pass(1_000);
    await here.say(mention('never mind this', { id: 'm1' }));
    await here.pass(4_000);
    await here.say(remove('m1'));
    await here.pass(1_000);
    expect(turns[0]?.signal.aborted).toBe(true);
    finish();
    await here.pass(8_000);
    expect(turns).toHaveLength(1);
    expect(here.posted).toEqual([]);
  });

  it('take a deleted message out of the window before it is injected', async () => {
    here = await world();
    const texts: string[] = [];
    here.agent('lead').onTurn((turn) => void texts.push(turn.text));
    await here.pass(1_000);
    await here.say(mention('secret', { id: 'm1' }));
    await here.pass(500);
    await here.say(remove('m1'));
    await here.pass(8_000);
    expect(texts).toEqual([]);
  });
});
