// Who is here, for an agent that is asked often: what was said since the last question is known without reading it back.
import { expect, it } from 'vitest';
import { createParticipants } from '../../src/host/read/participants.ts';
import { delegate, fixture, message } from './fixture.ts';

const PLACE = 'c/dev/w/general';

/** Counts the log rows that are read from the store. */
function counting() {
  const read = { rows: 0 };
  const wrapStore = (store: Parameters<typeof delegate>[0]) => ({
    ...delegate(store),
    scan: async (...[table, index, range]: Parameters<typeof store.scan>) => {
      const rows = await store.scan(table, index, range);
      if (table === 'log' && index === 'byConversation') read.rows += rows.length;
      return rows as never;
    },
  });
  return { read, wrapStore };
}

async function room() {
  const { read, wrapStore } = counting();
  const here = await fixture({ wrapStore });
  const { context } = here.host;
  const say = async (id: string, displayName: string): Promise<void> => {
    const { body } = await here.call(
      'POST',
      '/v1/events',
      'dev',
      message('hello there', { author: { id, kind: 'human', displayName } }),
    );
    expect(JSON.stringify(body)).toContain('accepted');
  };
  return { read, say, context };
}

it('reads no row again that was logged since the last question', async () => {
  const { read, say, context } = await room();
  const participants = createParticipants(context);
  await say('ada', 'Ada');
  for (const agent of ['lead', 'builder']) await participants(agent, PLACE);
  expect(read.rows).toBeGreaterThan(0);
  read.rows = 0;
  for (let line = 0; line < 30; line++) await say(`U${line % 3}`, `Person ${line}`);
  for (const agent of ['lead', 'builder']) {
    const { participants: found } = await participants(agent, PLACE);
    expect(found.map(({ displayName }) => displayName)).toEqual(
      expect.arrayContaining(['Ada', 'Person 27', 'Person 28', 'Person 29']),
    );
    expect(found).toEqual((await createParticipants(context)(agent, PLACE)).participants);
  }
  // The two that were asked for the first time just now read all; those that were asked before read nothing.
  expect(read.rows).toBe(2 * 31);
});

it('reads what another node has logged, of which this one hears nothing', async () => {
  const { say, context } = await room();
  const deaf = { ...context.bus, listen: () => () => {} };
  const participants = createParticipants({ ...context, bus: deaf });
  const heard = createParticipants(context);
  for (const name of ['Ada', 'Ben', 'Cleo']) {
    await say(name.toLowerCase(), name);
    const found = await participants('lead', PLACE);
    expect(found).toEqual(await heard('lead', PLACE));
    expect(found.participants.map(({ displayName }) => displayName)).toContain(name);
  }
});
