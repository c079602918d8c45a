// A stop is told once, where somebody is who can release it, whatever happens to the host meanwhile.
import { describe, expect, it } from 'vitest';
import { type World, world } from './world.ts';

const AGENTS = [{ id: 'boss' }, { id: 'lead', lead: 'boss' }, { id: 'builder', lead: 'boss' }];
const notices = (w: World): string[] => w.texts().filter((text) => text.includes('stopped here'));

/** lead and builder throw the same question at each other. */
async function throwAround(w: World, turns: number, where = {}): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    const [by, to] = turn % 2 === 0 ? ['lead', 'builder'] : ['builder', 'lead'];
    const more = { mentions: [{ kind: 'agent', id: to }] };
    await w.say(`@${to} could you take it?`, { by, byKind: 'agent', more, ...where });
  }
}

describe.each(['restart', 'crash'] as const)('a stop and a %s', (end) => {
  it('the room is told once where people are, and a person who calls one of the two begins anew', async () => {
    const w = await world({ agents: AGENTS });
    await w.say('good morning');
    await throwAround(w, 8);
    await w[end]();
    await w.advance(1_000);
    await throwAround(w, 4);
    await w.advance(60_000);
    expect(notices(w)).toHaveLength(1);
    await w.say('@lead please go on', { more: { mentions: [{ kind: 'agent', id: 'lead' }] } });
    await throwAround(w, 8);
    await w.advance(60_000);
    expect(notices(w)).toHaveLength(2);
    expect(await w.sound()).toEqual([]);
  });

  it('where no people are the lead of the two is told once, and nothing is posted', async () => {
    const w = await world({ agents: AGENTS });
    await throwAround(w, 8);
    await w[end]();
    await throwAround(w, 4);
    await w.advance(1_000);
    const told = (await w.deliveries('boss')).filter(({ key }) => key.includes('loop'));
    expect(told).toHaveLength(1);
    expect(notices(w)).toEqual([]);
  });

  it('where no people are and no lead is, it is one item of the inbox', async () => {
    const w = await world({ agents: [{ id: 'lead' }, { id: 'builder' }] });
    await throwAround(w, 8);
    await w[end]();
    await throwAround(w, 4);
    expect((await w.inbox()).map(({ kind }) => kind)).toEqual(['loop_stopped']);
  });
});
