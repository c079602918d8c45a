// Two agents can talk for ever. The host does not let them; the agents here do nothing to stop.
import { afterEach, describe, expect, it } from 'vitest';
import type { Turn } from '../../src/agent/index.ts';
import { world, type World } from './harness.ts';

let here: World;
afterEach(async () => {
  await here.stop();
  expect(here.problems).toEqual([]);
});

const MINUTE = 60_000;
/** All different, so that only counting stops them. */
const QUESTIONS = [
  'could you check the staging deploy?',
  'who wrote the migration for invoices?',
  'please list the failing browser suites',
  'what does the cache do on eviction?',
  'can you open the incident from Tuesday?',
  'is there a fixture for leap seconds?',
  'please measure how long startup takes',
  'where are the translations kept?',
  'can you bisect the memory regression?',
  'which port does the metrics exporter use?',
  'please draft release notes for April',
  'how do we rotate the signing keys?',
  'what broke the nightly backup?',
  'could you summarise the vendor contract?',
];
let said = 0;

/** Asks the other one something new, whatever it is told. */
function asks(other: string, turns: Turn[], waitMs: number): (turn: Turn) => Promise<void> {
  return async (turn) => {
    turns.push(turn);
    await new Promise<void>((resolve) => here.clock.after(waitMs, resolve));
    const text = `@${other} ${QUESTIONS[said++ % QUESTIONS.length]}`;
    await turn.reply(text, { mentions: [`agent:${other}`], recipient: `agent:${other}` });
  };
}

/** Deadlines out of the way: this is about how often they speak, not how fast. */
const PATIENT = {
  agents: [{ id: 'lead' }, { id: 'builder' }],
  attention: { limits: { deadlineMs: 60 * MINUTE } },
};
const LONG = { limits: { turnMs: 60 * MINUTE } };

const toldRoom = () => here.posted.filter(({ text }) => text.includes('so they are stopped here'));

async function talk(waitMs: number): Promise<{ lead: Turn[]; builder: Turn[] }> {
  here = await world(PATIENT);
  const lead: Turn[] = [];
  const builder: Turn[] = [];
  here.agent('lead', LONG).onTurn(asks('builder', lead, waitMs));
  here.agent('builder', LONG).onTurn(asks('lead', builder, waitMs));
  await here.pass(1_000);
  await here.say({ text: '@lead please go through the list', mentions: ['lead'] });
  return { lead, builder };
}

describe('two agents mentioning each other for ever', () => {
  it('are told at 5 that silence is fine, stopped at 10, and the room is told once [TC/loop-guard/notice-fenced, TC/loop-guard/notice-allows-silence, TC/loop-guard/notice-in-user-turn]', async () => {
    const { lead, builder } = await talk(1_000);
    await here.pass(5 * MINUTE, 500);
    const peerTurns = [...builder, ...lead.slice(1)];
    const noticed = [...lead, ...builder].filter(({ user }) =>
      user.includes('HOST NOTICE (not from a person): You and other agents'),
    );
    expect(peerTurns.length).toBeLessThanOrEqual(10);
    expect(noticed.length).toBeGreaterThan(0);
    expect(peerTurns.length - noticed.length).toBe(4);
    for (const { user, system, agent } of noticed) {
      expect(user.trimEnd().split('\n').at(-1)).toMatch(/^HOST NOTICE.*Staying silent is fine\./);
      // What changes goes into the user turn: the system prompt is the same as before the notice.
      expect(system).toBe((agent === 'lead' ? lead : builder)[0]?.system);
    }
    expect(toldRoom()).toHaveLength(1);
    const posted = here.posted.length;
    await here.pass(30 * MINUTE, 10_000);
    expect(here.posted.length).toBe(posted);
  });

  it('are stopped too when they say one thing every ten minutes', async () => {
    const { lead, builder } = await talk(10 * MINUTE);
    await here.pass(5 * 60 * MINUTE, 15_000);
    expect(lead.length + builder.length).toBeLessThanOrEqual(12);
    expect(toldRoom()).toHaveLength(1);
    const posted = here.posted.length;
    await here.pass(3 * 60 * MINUTE, 15_000);
    expect(here.posted.length).toBe(posted);
  });
});
