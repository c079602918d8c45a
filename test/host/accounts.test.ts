// Who we are on a platform, as its surface has learnt it: which agent an account is, how a record keeps it, and that a
// replay knows the same.
import { afterEach, describe, expect, it } from 'vitest';
import { Refold } from '../../src/host/operator/refold.ts';
import { unpackDecisions } from '../../src/host/kernel/log-row.ts';
import type { SurfaceAccount } from '../../src/surfaces/surface.ts';
import { type World, world } from './world.ts';

let w: World;
afterEach(async () => expect(await w.sound()).toEqual([]));

const AGENTS = [{ id: 'lead' }, { id: 'builder' }];
const OWN: SurfaceAccount = { id: 'U1', workspaceId: 'w', agents: ['lead'], name: 'Leadbot' };
const ELSEWHERE: SurfaceAccount = { id: 'U2', workspaceId: 'w2', agents: ['builder'], name: 'Buildbot' };
const tags = (id: string) => ({ more: { mentions: [{ kind: 'human', id }], mentionsResolved: true } });

async function decided(eventId: string): Promise<Record<string, string>> {
  const row = await w.store.get('log', eventId);
  const decisions = unpackDecisions(row?.decisions ?? [], eventId);
  return Object.fromEntries(decisions.map(({ agent, reason }) => [agent, reason]));
}

describe('an account that the surface has learnt', () => {
  it('is its agent in its workspace, and nobody elsewhere', async () => {
    w = await world({ agents: AGENTS, accounts: [OWN, ELSEWHERE] });
    expect(await decided(await w.say('is it green?', tags('U1')))).toEqual({
      lead: 'mention',
      builder: 'addressed_elsewhere',
    });
    expect(await decided(await w.say('is it green?', tags('U2')))).toMatchObject({
      builder: 'addressed_elsewhere',
    });
  });

  it('writes as its agent, whatever the platform takes it for', async () => {
    w = await world({ agents: AGENTS, accounts: [OWN] });
    for (const byKind of ['human', 'agent'] as const) {
      const id = await w.say('builder, can you look?', { by: 'U1', byKind });
      const row = await w.store.get('log', id);
      expect(row?.author).toBe('agent:lead');
      expect(await decided(id)).toEqual({ builder: 'mention' });
    }
  });

  it('is on the records that name it and on no others', async () => {
    w = await world({ agents: AGENTS, accounts: [OWN] });
    const factsOf = async (id: string) => (await w.store.get('log', id))?.record.facts.accounts;
    expect(await factsOf(await w.say('is it green?', tags('U1')))).toEqual([
      { id: 'U1', agents: ['lead'], name: 'Leadbot' },
    ]);
    expect(await factsOf(await w.say('lunch?'))).toBeUndefined();
    expect(await factsOf(await w.say('lunch?', tags('bob')))).toBeUndefined();
  });

  it('replays as it was decided, also after the account is gone', async () => {
    w = await world({ agents: AGENTS, accounts: [OWN] });
    await w.say('is it green?', tags('U1'));
    await w.say('and the tests?');
    w.platform.accounts = [];
    await w.restart();
    const rows = await w.logged();
    const refold = new Refold(w.host.context.attention);
    for (const row of rows) expect(refold.fold(row)).toEqual(unpackDecisions(row.decisions, row.key));
    expect(await decided(await w.say('is it green?', tags('U1')))).toMatchObject({
      lead: 'addressed_elsewhere',
    });
  });
});
