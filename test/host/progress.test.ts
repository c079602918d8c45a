// Progress is shown and digested, and put before a model only when somebody asks how far things are.
import { afterEach, describe, expect, it } from 'vitest';
import { foldText, holdsStatusWord } from '../../src/attention/index.ts';
import type { Harness } from './harness.ts';
import { type World, world } from './world.ts';

let w: World | undefined;
afterEach(async () => {
  expect((await w?.sound()) ?? []).toEqual([]);
  w = undefined;
});

async function building(): Promise<{ here: World; lead: Harness; builder: Harness }> {
  const here = await world({ agents: [{ id: 'lead' }, { id: 'builder' }] });
  const [lead, builder] = [await here.harness('lead'), await here.harness('builder')];
  const eventId = await here.say('@builder build it, please');
  for (const [progress, message] of [
    [1, 'compiling'],
    [2, 'linking'],
  ] as const) {
    builder.peer.notify('notifications/progress', {
      progressToken: 'b',
      progress,
      total: 3,
      message,
      eventId,
    });
    await here.advance(1_000);
  }
  w = here;
  return { here, lead, builder };
}

/** What came along with a turn about this message. */
async function seenBy(here: World, harness: Harness, text: string): Promise<string[]> {
  const id = await here.say(text, { by: 'bob' });
  const { seen } = await harness.start(`turn-${id}`, id);
  return (seen as { content: { text: string }[] }[]).flatMap(({ content }) =>
    content.map((part) => part.text),
  );
}

it('comes along when status is asked for, the newest of each piece of work, and otherwise not [C2A-06-02/progress/injected-on-request]', async () => {
  const { here, lead, builder } = await building();
  const reported = 'progress 2 of 3: linking';
  expect(await seenBy(here, lead, '@lead is the deploy blocked?')).not.toContain(reported);
  const told = await seenBy(here, lead, '@lead how far is the build?');
  expect(told.filter((line) => line.startsWith('progress'))).toEqual([reported]);
  // Asked again, it is the same; whoever reported it knows it.
  expect(await seenBy(here, lead, '@lead what is the status now?')).toContain(reported);
  expect(await seenBy(here, builder, '@builder any update?')).not.toContain(reported);
});

describe('how far things are', () => {
  it.each([
    'what’s the status?',
    '¿cómo va?',
    'où en es-tu ?',
    'wie weit bist du?',
    'qual é o andamento?',
    '進捗どうですか？',
    '어디까지 했어?',
    '进度怎么样？',
  ])('is asked by %j', (text) => {
    expect(holdsStatusWord(foldText(text))).toBe(true);
  });

  it.each([
    'the statuses table is broken',
    'can you look at the betatest?',
    'wie heißt du?',
    '今日は何日ですか？',
  ])('is not asked by %j', (text) => {
    expect(holdsStatusWord(foldText(text))).toBe(false);
  });
});
