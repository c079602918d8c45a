// An earlier Earshot kept the debts of all workspaces in one state. A store that has it opens, and every debt goes on in
// the workspace of its question.
import { afterEach, expect, it } from 'vitest';
import type { Obligation, ObligationsState } from '../../src/attention/index.ts';
import type { MemoryImage } from '../../src/store/memory/disk.ts';
import { type World, world } from '../host/world.ts';

let w: World;
afterEach(async () => {
  expect(await w.sound()).toEqual([]);
});

const MINUTE = 60_000;
const INTERVAL = 15 * MINUTE;
const agents = [{ id: 'worker', lead: 'chief' }, { id: 'chief' }];
const owedBy = (workspaceId: string) => ({
  workspaceId,
  recipients: ['worker'],
  obligation: { blocks: 'halted', defaultAction: 'I wait.' },
});

const isDebts = (key: string): boolean => key.startsWith('obligations/');
const parse = (text: string): ObligationsState => JSON.parse(text) as ObligationsState;

/** The image as the earlier Earshot would have left it. */
function asOneState(image: MemoryImage, change = (open: readonly Obligation[]) => open): MemoryImage {
  const parts = image.states.filter(([key]) => isDebts(key)).map(([, { text }]) => parse(text));
  expect(parts.length).toBeGreaterThan(1);
  const whole: ObligationsState = {
    version: 1,
    open: change(parts.flatMap(({ open }) => open)),
    held: parts.flatMap(({ held }) => held),
    closed: parts.flatMap(({ closed }) => closed),
    derived: Math.max(...parts.map(({ derived }) => derived)),
  };
  const wakeAt = Math.min(...whole.open.flatMap(({ dueAt }) => dueAt ?? []));
  const states = image.states.filter(([key]) => !isDebts(key));
  return { ...image, states: [...states, ['obligations', { text: JSON.stringify(whole), wakeAt }]] };
}

async function openIn(workspace: string): Promise<string[]> {
  const state = (await w.store.state(`obligations/web/${workspace}`)) as ObligationsState | undefined;
  return (state?.open ?? []).map(({ eventId }) => eventId).toSorted();
}

it('each debt goes to its workspace, comes back there and is discharged there', async () => {
  w = await world({ agents });
  await w.say('which database?', { id: 'one', more: owedBy('w') });
  await w.say('which port?', { id: 'two', more: owedBy('v') });
  await w.say('which host?', { id: 'paid', more: owedBy('v') });
  const reaction = { workspaceId: 'v', recipient: 'agent:worker' };
  await w.react('paid', 'agree', { more: reaction });
  await w.crash(0, asOneState);
  expect(await w.store.state('obligations')).toBeUndefined();
  expect([await openIn('w'), await openIn('v')]).toEqual([['one'], ['two']]);
  const worker = await w.harness('worker', { obligations: true });
  await w.advance(INTERVAL + MINUTE);
  const got = worker.got.map(({ eventId }) => eventId);
  expect(got).toEqual(expect.arrayContaining(['one/return-1', 'two/return-1']));
  await w.react('two', 'agree', { more: reaction });
  expect([await openIn('w'), await openIn('v')]).toEqual([['one'], []]);
});

it('an escalation keeps its own workspace; what others had on its list is escalated over there', async () => {
  w = await world({ agents, obligations: { returnsBeforeEscalation: 2 } });
  await w.say('which database?', { id: 'one', more: owedBy('w') });
  await w.say('which port?', { id: 'two', more: owedBy('v') });
  await w.advance(3 * INTERVAL + MINUTE);
  await w.crash(0, (image) =>
    asOneState(image, (open) => {
      const [first, second] = open.filter(({ kind }) => kind === 'escalation');
      const questions = open.filter(({ kind }) => kind === 'question');
      if (first === undefined || second === undefined) throw new Error('both must be escalated');
      const items = questions.map(({ id }) => id);
      return [{ ...first, items }, ...questions.map((one) => ({ ...one, escalatedTo: first.id }))];
    }),
  );
  const chief = await w.harness('chief', { obligations: true });
  await w.advance(2 * INTERVAL + 2 * MINUTE);
  const [inW, inV] = [await openIn('w'), await openIn('v')];
  expect(inW).toEqual(['one', expect.stringMatching(/^one\/escalation-/)]);
  expect(inV).toEqual(['two', expect.stringMatching(/^two\/escalation-/)]);
  expect(chief.got.map(({ eventId }) => eventId)).toContain(inV[1]);
});
