// Everyday lines through the real host and SDK: an agent that is called late in a message runs, with the whole message, and
// one that is told "not you" does not.
import { describe, expect, it } from 'vitest';
import { testHost } from '../../src/testing/index.ts';

const ANSWER = 'The importer retries three times.';

async function team(read: string[]) {
  const host = await testHost({ agents: ['lead', 'builder'] });
  await host.agent('lead', async (turn) => {
    read.push(turn.text);
    return ANSWER;
  });
  await host.agent('builder', async () => 'NO_REPLY');
  for (const who of ['ada', 'bob']) await host.say(who, 'morning');
  await host.advance(60_000);
  return host;
}

describe('a morning in a team', () => {
  it.each([
    'The importer hangs again. Lead, can you look?',
    'bob: thanks for the fix. lead, can you tell the customer?',
    'Der Import hängt. Lead, kannst du bitte schauen?',
  ])('an agent called later in a message answers: %s', async (text) => {
    const read: string[] = [];
    const host = await team(read);
    await host.say('ada', text);
    await host.advance(10_000);
    expect(read).toEqual([text]);
    expect(host.turns('builder')).toBe(0);
    await host.close();
  });

  it.each(['not you, lead', 'I was asking Bob'])(
    'an agent that was not meant keeps still: %s',
    async (text) => {
      const read: string[] = [];
      const host = await team(read);
      await host.say('ada', '@lead how often does the importer retry');
      await host.advance(10_000);
      await host.say('ada', text);
      await host.advance(10_000);
      await host.say('ada', 'the old one, I mean');
      await host.advance(10_000);
      expect(host.turns('lead')).toBe(1);
      await host.close();
    },
  );
});
