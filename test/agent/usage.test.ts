// `turn.usage`: what a turn cost goes to the host with the end of the turn, once, whatever was reported in how many parts.
import { afterEach, expect, it } from 'vitest';
import type { TurnHandler } from '../../src/agent/index.ts';
import { METHODS } from '../../src/protocol/methods.ts';
import { memoryPair } from '../../src/transport/memory.ts';
import { world, type World } from './harness.ts';

let here: World;
afterEach(() => here.stop());

/** What the host was told at the end of each turn. */
async function endsOf(handler: TurnHandler): Promise<Record<string, unknown>[]> {
  here = await world();
  const ends: Record<string, unknown>[] = [];
  here
    .agent('lead', {
      transport: () => {
        const [hostSide, agentSide] = memoryPair({ clock: here.clock });
        const send = agentSide.send.bind(agentSide);
        agentSide.send = (frame) => {
          const { method, params } = JSON.parse(frame) as {
            method?: string;
            params?: Record<string, unknown>;
          };
          if (method === 'turn/ended' && params !== undefined) ends.push(params);
          send(frame);
        };
        here.host.connect(hostSide, { kind: 'agent', agent: 'lead' }).catch(() => undefined);
        return agentSide;
      },
    })
    .onTurn(handler);
  await here.pass(1_000);
  await here.say({ text: '@lead how is it?', mentions: ['lead'] });
  await here.pass(5_000);
  return ends;
}

it('adds up', async () => {
  const ends = await endsOf((turn) => {
    turn.usage({
      inputTokens: 100,
      outputTokens: 5,
      cachedInputTokens: 60,
      costUsd: 0.5,
      source: 'reported',
    });
    turn.usage({ inputTokens: 200, outputTokens: 7, model: 'm', source: 'reported' });
    return 'green';
  });
  expect(ends).toMatchObject([
    {
      outcome: 'answered',
      usage: {
        inputTokens: 300,
        outputTokens: 12,
        cachedInputTokens: 60,
        costUsd: 0.5,
        model: 'm',
        source: 'reported',
      },
    },
  ]);
});

it('one estimated part makes it an estimate, and a number that is none does not keep the turn from ending', async () => {
  const [end] = await endsOf((turn) => {
    turn.usage({ inputTokens: Number.NaN, outputTokens: 5.4, source: 'reported' });
    turn.usage({ inputTokens: 1, outputTokens: -3, source: 'estimated' });
    return 'green';
  });
  expect(end?.['usage']).toEqual({ inputTokens: 1, outputTokens: 5, source: 'estimated' });
  expect(METHODS['turn/ended'].params.safeParse(end).success).toBe(true);
  expect(here.posted).toMatchObject([{ text: 'green' }]);
});

it('is an estimate when nothing was reported, and told for a failed turn too', async () => {
  const silent = await endsOf(() => 'green');
  expect(silent[0]).toMatchObject({ usage: { source: 'estimated', outputTokens: 2 } });
  await here.stop();
  const failed = await endsOf((turn) => {
    turn.usage({ inputTokens: 1, outputTokens: 1, source: 'reported' });
    throw new Error('too late');
  });
  expect(failed[0]).toMatchObject({ outcome: 'failed', usage: { inputTokens: 1 } });
});
