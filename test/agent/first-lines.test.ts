// The least an agent author writes, and the least it must do.
import { afterEach, describe, expect, it } from 'vitest';
import { world, type World } from './harness.ts';

let here: World;
afterEach(() => here.stop());

describe('an agent in ten lines', () => {
  it('answers what is addressed to it, once, where it was asked', async () => {
    here = await world();
    const prompts: string[] = [];
    const agent = here.agent('lead').onTurn((turn) => {
      prompts.push(turn.prompt);
      return `You said: ${turn.text}`;
    });
    await here.pass(1_000);
    expect(agent.status).toBe('ready');
    await here.say({ id: 'evt_1', text: '@lead is the deploy blocked?', mentions: ['lead'] });
    await here.pass(5_000);
    expect(here.posted).toEqual([
      { agent: 'lead', text: 'You said: @lead is the deploy blocked?', replyTo: 'evt_1' },
    ]);
    expect(prompts).toHaveLength(1);
    expect(prompts[0]).toContain('C2A EVENT\nevent_id: evt_1\nconversation: channel C1\nauthor: human:ada\n');
    const rows = await here.store.scan('delivery', 'byAgent', { eq: ['lead'], limit: 10 });
    expect(rows.map(({ state, disposition }) => [state, disposition])).toEqual([['settled', 'responded']]);
    expect(here.problems).toEqual([]);
  });
});
