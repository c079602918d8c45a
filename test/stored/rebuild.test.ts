// A state that cannot be read is rebuilt from the log: the host goes on as if nothing had happened. Every scene is
// played, every state on its disk damaged in turn, and what is rebuilt compared with what was there.
import { describe, expect, it } from 'vitest';
import { type AttentionSettings, STATE_VERSION, attentionSettingsSchema } from '../../src/attention/index.ts';
import { EMPTY_AGENT_RECORD } from '../../src/host/kernel/agent-record.ts';
import type { ConversationState } from '../../src/host/kernel/conversation.ts';
import { createHostStateCodec } from '../../src/host/attend/rebuild-state.ts';
import type { MemoryImage } from '../../src/store/memory/disk.ts';
import { openMemoryStore } from '../../src/store/memory/open.ts';
import type { Store } from '../../src/store/store.ts';
import { SteppedClock } from '../host/stepped-clock.ts';
import { type WorldOptions, world } from '../host/world.ts';
import { SCENES, type Scene } from './scenes.ts';
import { HOUSE, playStory } from './story.ts';

const PLAYED = [...SCENES, { name: 'the house of the fixture', options: HOUSE, play: playStory }];

type Damage = (text: string, key: string) => string;

/** With these states damaged on the disk. */
function damaged(keys: RegExp, damage: Damage): (image: MemoryImage) => MemoryImage {
  return (image) => ({
    ...image,
    states: image.states.map(([key, state]) => [
      key,
      keys.test(key) ? { ...state, text: damage(state.text, key) } : state,
    ]),
  });
}

const cut: Damage = (text) => text.slice(0, -3);
const nonsense: Damage = () => 'nonsense';
const unknownCode: Damage = (text) => text.replace(/ (\w+)"\]$/, ' zz"]');
const newerState: Damage = (text) => text.replace(`\n[${STATE_VERSION},`, `\n[${STATE_VERSION + 1},`);
const newerDebts: Damage = (text) => text.replace('"version":1', '"version":2');
const ways: [string, Damage][] = [
  ['cut off', cut],
  ['overwritten', nonsense],
  ['with a number that means nothing', unknownCode],
];

const settings = ({ agents = [{ id: 'lead' }], attention }: WorldOptions): AttentionSettings =>
  attentionSettingsSchema.parse({ ...attention, agents });

async function statesOf(store: Store): Promise<Map<string, unknown>> {
  const keys = await store.stateKeys('', '', 1_000);
  return new Map(await Promise.all(keys.map(async (key) => [key, await store.state(key)] as const)));
}

/** Every state as it was, and as it is read again from a disk on which those of this kind are damaged. */
async function rebuilt({ options = {}, play }: Scene, keys: RegExp, damage: Damage) {
  const w = await world(options);
  await play(w);
  await w.drain();
  const before = await statesOf(w.store);
  const image = damaged(keys, damage)(w.store.crash());
  const lines: string[] = [];
  const codec = createHostStateCodec(settings(options), options.obligations);
  const store = openMemoryStore({ clock: w.clock, codec, image, log: (line) => void lines.push(line) });
  const after = await statesOf(store);
  const count = [...before.keys()].filter((key) => keys.test(key)).length;
  return { before, after, lines, count, store };
}

describe.each(PLAYED)('after "$name"', (scene) => {
  it.each(ways)('every conversation %s is rebuilt as it was, and the operator is told', async (_, damage) => {
    const { before, after, lines, count } = await rebuilt(scene, /^c\//, damage);
    expect(after).toEqual(before);
    expect(lines.filter((line) => /^state c\/.* cannot be read: .*rebuilt/.test(line))).toHaveLength(count);
  });

  it('the debts are rebuilt as they were, with the returns that were made', async () => {
    const { before, after } = await rebuilt(scene, /^obligations\//, nonsense);
    expect(after).toEqual(before);
  });

  it('by which ids a platform knows what was posted is rebuilt; an agent’s record begins anew', async () => {
    const { before, after } = await rebuilt(scene, /^(sent|agent)\//, cut);
    for (const [key, value] of before) {
      expect(after.get(key), key).toEqual(key.startsWith('agent/') ? EMPTY_AGENT_RECORD : value);
    }
  });
});

/** The host goes on after a crash: what it decides, hands over and posts. */
async function goesOn(scene: Scene, change?: (image: MemoryImage) => MemoryImage) {
  const w = await world(scene.options);
  await scene.play(w);
  await w.drain();
  await w.crash(1_000, change);
  const { agents = [{ id: 'lead' }] } = scene.options ?? {};
  const harnesses = [];
  for (const { id } of agents) harnesses.push(await w.harness(id, { obligations: true }));
  const said: string[] = [];
  for (const [index, text] of LINES.entries()) {
    const line = { id: `next-${index}`, by: index % 2 === 0 ? 'ada' : 'bob' };
    said.push(await w.say(text, line));
    await w.advance(3_000);
  }
  await w.advance(20 * 60_000);
  // What nobody has written to since is still damaged on disk: doctor says so.
  expect((await w.sound()).filter((problem) => !problem.includes('cannot be read'))).toEqual([]);
  const logged = await w.logged();
  return {
    decisions: logged.filter(({ key }) => said.includes(key)).map(({ seq, decisions }) => [seq, decisions]),
    handed: harnesses.map(({ agent, got }) => [agent, got.map(({ eventId }) => eventId)]),
    shown: w.texts(),
    rebuilt: w.storeLines.length,
  };
}

const LINES = ['and now?', 'what do you think?', '@lead go on', 'yes', 'thanks', 'lead, is it done?'];

describe('a host that finds damaged states', () => {
  it.each(PLAYED)('after "$name" decides, hands over and posts as one that does not', async (scene) => {
    const sound = await goesOn(scene);
    expect(sound.rebuilt).toBe(0);
    const { rebuilt: count, ...rest } = await goesOn(scene, damaged(/^(c\/|obligations\/)/, cut));
    expect(count).toBeGreaterThan(0);
    expect({ ...rest, rebuilt: 0 }).toEqual(sound);
  });

  it('writes the state anew with the next event, and finds nothing to rebuild then', async () => {
    const w = await world();
    await w.say('@lead can you check?');
    await w.crash(0, damaged(/^c\//, cut));
    expect(await w.store.check()).toEqual([expect.stringContaining('c/web/w/C1 cannot be read')]);
    await w.say('and this?');
    expect(await w.store.check()).toEqual([]);
    expect(w.storeLines).toHaveLength(1);
    await w.crash();
    await w.say('and that?');
    expect(w.storeLines).toHaveLength(1);
    expect((await w.logged()).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  it('goes on from the last row when retention has cut the first ones', async () => {
    const w = await world({ agents: [{ id: 'lead' }] });
    for (let n = 0; n < 5; n++) await w.say(`line ${n}`);
    await w.crash(0, (image) => {
      const log = image.tables.log?.filter(([key]) => key !== 'e1' && key !== 'e2') ?? [];
      return damaged(/^c\//, nonsense)({ ...image, tables: { ...image.tables, log } });
    });
    await w.say('one more');
    expect((await w.logged()).map(({ seq }) => seq)).toEqual([3, 4, 5, 6]);
    const { attention } = (await w.store.state('c/web/w/C1')) as ConversationState;
    expect(attention).toMatchObject({ seq: 6, n: 4 });
  });

  it('leaves what a newer Earshot wrote as it is, and says what to do', async () => {
    const w = await world();
    await w.say('@lead can you check?');
    await w.crash(0, damaged(/^c\//, newerState));
    await expect(w.store.state('c/web/w/C1')).rejects.toThrow('start the Earshot that wrote it');
    const [result] = await w.host.ingest([w.event('and this?')], 'web');
    expect(result?.status).toBe('refused');
    const { states } = w.store.crash();
    expect(new Map(states).get('c/web/w/C1')?.text).toContain(`\n[${STATE_VERSION + 1},`);
    expect(w.storeLines).toEqual([]);
  });

  it('refuses debts of a newer version by name, and rebuilds none over them', async () => {
    const { before, store } = await rebuilt(debts(), /^no state/, cut);
    expect(before.get('obligations/web/w')).toMatchObject({ version: 1 });
    const image = damaged(/^obligations\//, newerDebts)(store.crash());
    const codec = createHostStateCodec(settings({}));
    const reopened = openMemoryStore({ clock: new SteppedClock(0), codec, image });
    await expect(reopened.state('obligations/web/w')).rejects.toThrow('obligations state has version 2');
  });
});

function debts(): Scene {
  const scene = SCENES.find(({ name }) => name === 'obligations');
  if (scene === undefined) throw new Error('no scene has debts');
  return scene;
}
