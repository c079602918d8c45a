// The comparison with the last week: what counts as different, its bound, and its end before its time.
import { expect, it } from 'vitest';
import { type AttentionSettingsInput, attentionSettingsSchema } from '../../src/attention/index.ts';
import { createDifferences, DIFFERENCE_LIMITS } from '../../src/host/operator/settings-difference.ts';
import { seededRandom } from '../../src/runtime/random.ts';
import { world } from './world.ts';

const AGENTS: AttentionSettingsInput['agents'] = [{ id: 'lead' }, { id: 'builder' }];
const settings = (agents: AttentionSettingsInput['agents']) => attentionSettingsSchema.parse({ agents });

async function talked(lines: number) {
  const w = await world({ agents: AGENTS });
  for (let n = 0; n < lines; n++) await w.say(n % 3 === 0 ? '@lead look' : '@builder look');
  const differences = createDifferences(w.host.context, seededRandom(1), new AbortController().signal);
  return { w, differences };
}

it('a new agent that stays quiet changes nothing; one that would be woken does', async () => {
  const { differences } = await talked(9);
  const quiet = [...(AGENTS ?? []), { id: 'nova' }];
  const none = await differences.start(settings(AGENTS), settings(quiet)).ended;
  expect(none).toMatchObject({ state: 'done', different: 0, done: 9, of: 9, complete: true });
  const woken = [...(AGENTS ?? []), { id: 'nova', aliases: ['builder'] }];
  const some = await differences.start(settings(AGENTS), settings(woken.toReversed())).ended;
  expect(some.different).toBeGreaterThan(0);
});

it('one that is cancelled, or replaced by the next, ends early and says how far it came', async () => {
  const { differences } = await talked(DIFFERENCE_LIMITS.page * 2);
  const first = differences.start(settings(AGENTS), settings([{ id: 'lead' }]));
  first.cancel();
  const second = differences.start(settings(AGENTS), settings([{ id: 'lead' }]));
  expect((await first.ended).state).toBe('cancelled');
  expect(differences.find(first.id)?.answer()).toEqual(await first.ended);
  expect((await first.ended).done).toBeLessThan(DIFFERENCE_LIMITS.page * 2);
  expect(await second.ended).toMatchObject({ state: 'done', done: DIFFERENCE_LIMITS.page * 2 });
  for (let n = 0; n < DIFFERENCE_LIMITS.kept; n++)
    await differences.start(settings(AGENTS), settings([{ id: 'lead' }])).ended;
  expect(differences.find(second.id)).toBeUndefined();
});

it('what is older than a week is left out', async () => {
  const { w, differences } = await talked(4);
  await w.advance(DIFFERENCE_LIMITS.periodMs + 1_000);
  await w.say('@lead once more');
  const denied = settings([{ id: 'lead', respondTo: [] }, { id: 'builder' }]);
  const found = await differences.start(settings(AGENTS), denied).ended;
  expect(found.turnsSaved).toBe(1);
  expect(found.saved).toMatchObject([{ text: '@lead once more' }]);
});
