// The connection comes and goes; order stays, nothing is lost, nothing is said twice.
import { afterEach, describe, expect, it } from 'vitest';
import type { AgentConnection } from '../../src/agent/index.ts';
import { memoryPair } from '../../src/transport/memory.ts';
import type { Transport } from '../../src/transport/transport.ts';
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

  it('stays closed when it is closed while its connection opens', async () => {
    here = await world();
    const opening = Promise.withResolvers<Transport>();
    const [hostSide, agentSide] = memoryPair({ clock: here.clock });
    const heard: string[] = [];
    Object.assign(hostSide, { onmessage: (frame: string) => void heard.push(frame) });
    const agent = here.agent('lead', { transport: () => opening.promise });
    await here.pass(100);
    const closed = agent.close();
    await hostSide.start();
    opening.resolve(agentSide);
    await here.pass(60_000);
    await closed;
    expect(agent.status).toBe('closed');
    expect(heard).toEqual([]);
  });

  it('keeps an edit that comes before the answer that ends what it edits', async () => {
    here = await world();
    const heard: string[] = [];
    let link: Transport | undefined;
    const transport = (): Transport => {
      const [hostSide, agentSide] = memoryPair({ clock: here.clock });
      const send = hostSide.send.bind(hostSide);
      hostSide.send = (frame) => {
        if (frame.includes('"superseded":["q1"]')) here.clock.after(1_000, () => send(frame));
        else send(frame);
      };
      link = agentSide;
      here.host.connect(hostSide, { kind: 'agent', agent: 'lead' }).catch(() => undefined);
      return agentSide;
    };
    here.agent('lead', { transport, limits: { reconnectBaseMs: 5_000 } }).onTurn((turn) => {
      heard.push(turn.text);
      return 'done';
    });
    await here.pass(1_000);
    await here.say(ask('q1', 'ada'));
    await here.pass(500);
    link?.close('lost');
    const edit = { type: 'edit', targetEventId: 'q1' };
    await here.say({ ...ask('q2', 'ada'), more: edit });
    await here.pass(60_000);
    expect(heard).toEqual(['@lead q2']);
    expect(here.posted).toMatchObject([{ text: 'done' }]);
    const open = await here.store.scan('delivery', 'openByAgent', { eq: ['lead', 1], limit: 10 });
    expect(open).toEqual([]);
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

  it('comes back when the newer session may be one that it asked for and had no answer', async () => {
    here = await world();
    let connections = 0;
    const first: AgentConnection = here
      .agent('lead', {
        limits: { requestMs: 2_000 },
        transport: () => {
          const [hostSide, agentSide] = memoryPair({ clock: here.clock });
          // Nobody answers on the first one.
          if (++connections > 1) void here.host.connect(hostSide, { kind: 'agent', agent: 'lead' });
          return agentSide;
        },
      })
      .onTurn(() => undefined);
    await here.pass(6_000);
    expect(first.status).toBe('ready');
    const newer = here.agent('lead').onTurn(() => undefined);
    await here.pass(6_000);
    expect([first.status, await newer.closed]).toEqual(['ready', 'fenced']);
    // The next one is somebody else's.
    const last = here.agent('lead').onTurn(() => undefined);
    await here.pass(6_000);
    expect([last.status, await first.closed]).toEqual(['ready', 'fenced']);
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
