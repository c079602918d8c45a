// What several hosts of one store tell each other of the questions that they wait for.
import { expect, it } from 'vitest';
import { VirtualClock } from '../../runtime/clock.ts';
import { seededRandom } from '../../runtime/random.ts';
import { aTurn } from '../../runtime/schedule.ts';
import { createQuestions } from './questions.ts';

it('takes a question that is over out of the store, again and again until the store answers', async () => {
  let stored: string | undefined;
  let failures = 0;
  const clock = new VirtualClock();
  const deps = {
    store: { state: () => Promise.resolve(stored), nodes: { id: 'a', hint: () => undefined } },
    apply: (unit: { run: (view: unknown) => { writes: { state: string; value?: string }[] } }) => {
      if (failures-- > 0) return Promise.reject(new Error('the database does not answer'));
      const { writes } = unit.run({ state: () => stored });
      for (const { state, value } of writes) if (state === 'questions') stored = value;
      return Promise.resolve();
    },
    changes: { isAlone: false, names: [], follow: () => undefined, tell: () => [] },
    random: seededRandom(1),
    clock,
    log: { warn: () => undefined },
  };
  const questions = await createQuestions(deps as never);
  const about = { agent: 'lead', conversation: 'c', who: 'human:ada', eventId: 'out_1', about: 'e1' };
  const asked = await questions.open(about);
  expect(JSON.parse(stored ?? '[]')).toMatchObject([{ node: 'a', eventId: 'out_1' }]);
  failures = 2;
  asked.close();
  await aTurn();
  expect(stored).toBeDefined();
  for (let second = 0; second < 3; second++) {
    clock.advance(1_000);
    await aTurn();
  }
  expect(stored).toBeUndefined();
});
