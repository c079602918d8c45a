// A second opinion and a host that ends while it is asked for: the line was stored and held, nobody remembers the question,
// and the line is handed over when its time is over.
import { expect, it } from 'vitest';
import { type World, world } from './world.ts';

const WAIT_MS = 3_000;
/** Decisions before the first question may be asked, with some to spare. */
const BEFORE = 130;
const STEP_MS = 10_000;
/** What no window and no composing waits for. */
const SETTLED_MS = 10_000;

/** Lines of people among themselves, between the agent's last word and the line in question. */
const BETWEEN = 8;

interface Asked {
  w: World;
  /** The line of which attention is unsure. */
  line: string;
  questions: () => number;
  answer: (text: string) => void;
}

/** A room in which nova has helped ann, others have talked, and ann says something that may be for nova or not. */
async function asked(): Promise<Asked> {
  let questions = 0;
  let open: ((answer: { text: string }) => void)[] = [];
  const w = await world({
    agents: [{ id: 'nova', attention: 'keen' }],
    settings: { secondOpinion: { model: 'scripted', timeoutMs: WAIT_MS } },
    opinionModel: {
      ask: () =>
        new Promise((resolve) => {
          questions++;
          open.push(resolve);
        }),
    },
  });
  const nova = await w.harness('nova');
  const idle = Array.from({ length: BEFORE }, (_, n) => w.event(`line ${n}`, { in: 'idle', by: 'zoe' }));
  await w.ingest(...idle);
  const say = async (by: string, text: string, more: Record<string, unknown> = {}): Promise<string> => {
    await w.advance(STEP_MS);
    const membership = { humans: 4, agents: 1, complete: true, at: w.clock.now() };
    return w.say(text, { by, more: { membership, ...more } });
  };
  await say('ben', 'anyone here who knows the billing export?');
  const mentions = [{ kind: 'agent', id: 'nova' }];
  const call = await say('ann', '@nova the login page shows a 401 after the token expires', { mentions });
  await w.advance(STEP_MS);
  await nova.reply(call, 'ann: which browser do you use for the login page?');
  for (let n = 0; n < BETWEEN; n++) {
    const [by, to] = n % 2 === 0 ? ['cat', 'ben'] : ['ben', 'cat'];
    await say(by, `${to}: what is wrong with the totals?`);
  }
  const line = await say('ann', 'hm, strange');
  const answer = (text: string): void => {
    for (const resolve of open) resolve({ text });
    open = [];
  };
  return { w, line, questions: () => questions, answer };
}

const gotBy = (harness: { got: { eventId: string }[] }, line: string): number =>
  harness.got.filter(({ eventId }) => eventId === line).length;

it.each(['crash', 'restart'] as const)(
  'a host that ends by a %s before the answer hands the line over once, and asks nobody again',
  async (end) => {
    const { w, line, questions } = await asked();
    expect(questions()).toBe(1);
    expect(await w.delivery(line, 'nova')).toMatchObject({ state: 'held', dueFor: 'hand' });
    await w[end]();
    const nova = await w.harness('nova');
    await w.advance(SETTLED_MS);
    expect(gotBy(nova, line)).toBe(1);
    expect(questions()).toBe(1);
    expect(await w.sound()).toEqual([]);
  },
);

it('a host that ends right after a "no" keeps the line back for good', async () => {
  const { w, line, answer } = await asked();
  answer('no');
  await w.advance(0);
  await w.crash();
  const nova = await w.harness('nova');
  await w.advance(SETTLED_MS);
  expect(gotBy(nova, line)).toBe(0);
  expect(await w.ended(line, 'nova')).not.toMatch(/^held/);
  expect(await w.sound()).toEqual([]);
});

it('a host that is down for longer than the question hands the line over when it is back', async () => {
  const { w, line } = await asked();
  await w.crash(60_000);
  const nova = await w.harness('nova');
  await w.advance(SETTLED_MS);
  expect(gotBy(nova, line)).toBe(1);
  expect(await w.sound()).toEqual([]);
});
