// The connection comes and goes; order stays, nothing is lost, nothing is said twice.
import { afterEach, describe, expect, it } from 'vitest';
import { world, type World } from './harness.ts';

let here: World;
afterEach(async () => {
  await here.stop();
});

const ask = (text: string, by: string) => ({ text: `@lead ${text}`, mentions: ['lead'], by, id: text });

describe('reconnecting', () => {
  it('gets what was said meanwhile, in order, once', async () => {
    here = await world();
    const heard: string[] = [];
    const agent = here.agent('lead').onTurn((turn) => {
      heard.push(turn.events.map(({ eventId }) => eventId).join('+'));
      return `re ${turn.events[0]?.eventId}`;
    });
    await here.pass(1_000);
    await here.say(ask('q1', 'ada'));
    await here.pass(5_000);
    here.cut();
    for (const [index, by] of ['bob', 'cid', 'dan'].entries()) {
      await here.say(ask(`q${index + 2}`, by));
      await here.pass(100);
    }
    expect(agent.status).not.toBe('closed');
    await here.pass(30_000);
    expect(agent.status).toBe('ready');
    expect(heard).toEqual(['q1', 'q2', 'q3', 'q4']);
    expect(here.posted.map(({ text }) => text)).toEqual(['re q1', 're q2', 're q3', 're q4']);
  });

  it('finishes a turn whose question was answered while the connection was lost', async () => {
    here = await world();
    here.agent('lead').onTurn(async (turn) => (await turn.ask('May I deploy it?')).type);
    await here.pass(1_000);
    await here.say(ask('deploy', 'ada'));
    await here.pass(3_000);
    here.cut();
    await here.say({ text: 'yes', by: 'ada', id: 'a1' });
    await here.pass(10_000);
    expect(here.posted).toMatchObject([{ text: 'May I deploy it?' }, { text: 'agree', replyTo: 'a1' }]);
    expect(here.problems).toEqual([]);
  });

  it('finishes a turn that ran while the connection was lost [C2A-06-02/tool-retry/side-effects]', async () => {
    here = await world();
    let finish: (() => void) | undefined;
    let turns = 0;
    here.agent('lead').onTurn((turn) => {
      turns += 1;
      return new Promise((resolve) => (finish = () => resolve(`re ${turn.events[0]?.eventId}`)));
    });
    await here.pass(1_000);
    await here.say(ask('q1', 'ada'));
    await here.pass(4_000);
    here.cut();
    finish?.();
    await here.pass(30_000);
    expect(turns).toBe(1);
    expect(here.posted.map(({ text }) => text)).toEqual(['re q1']);
    const open = await here.store.scan('delivery', 'openByAgent', { eq: ['lead', 1], limit: 10 });
    expect(open).toEqual([]);
  });

  it('survives a crash of the host in the middle of a turn', async () => {
    here = await world();
    let finish: (() => void) | undefined;
    here
      .agent('lead')
      .onTurn((turn) => new Promise((resolve) => (finish = () => resolve(`re ${turn.events[0]?.eventId}`))));
    await here.pass(1_000);
    await here.say(ask('q1', 'ada'));
    await here.pass(4_000);
    await here.restart();
    await here.pass(30_000);
    finish?.();
    await here.pass(10_000);
    expect(here.posted.map(({ text }) => text)).toEqual(['re q1']);
  });

  it('drops what was deleted while it was away', async () => {
    here = await world();
    const heard: string[] = [];
    here.agent('lead', { limits: { reconnectBaseMs: 5_000 } }).onTurn((turn) => void heard.push(turn.text));
    await here.pass(1_000);
    await here.say(ask('q1', 'ada'));
    await here.pass(500);
    here.cut();
    await here.say({ by: 'ada', more: { type: 'delete', targetEventId: 'q1' } });
    await here.pass(60_000);
    expect(heard).toEqual([]);
  });

  it('loses nothing over a connection that keeps breaking', async () => {
    here = await world({ seed: 7 });
    const heard: string[] = [];
    here.agent('lead').onTurn((turn) => {
      heard.push(...turn.events.map(({ eventId }) => eventId));
      return `re ${turn.events.map(({ eventId }) => eventId).join(' ')} `;
    });
    await here.pass(1_000);
    const asked: string[] = [];
    for (let round = 1; round <= 30; round++) {
      asked.push(`q${round}`);
      await here.say({ ...ask(`q${round}`, `u${round % 3}`), in: `C${round % 5}` });
      await here.pass(700);
      if (round % 4 === 0) here.cut();
    }
    await here.pass(120_000);
    const answered = here.posted.flatMap(({ text }) => text.trim().split(' ').slice(1));
    expect(answered.toSorted()).toEqual(asked.toSorted());
    const open = await here.store.scan('delivery', 'openByAgent', { eq: ['lead', 1], limit: 10 });
    expect(open).toEqual([]);
  });

  it('stops for good when a newer session of the agent takes over', async () => {
    here = await world();
    const first = here.agent('lead').onTurn(() => undefined);
    await here.pass(1_000);
    const second = here.agent('lead').onTurn(() => undefined);
    await here.pass(2_000);
    expect(await first.closed).toBe('fenced');
    expect(second.status).toBe('ready');
  });
});
