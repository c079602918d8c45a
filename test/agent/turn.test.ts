// What a turn is and may do, against a real host: retries, claims, deferrals, interrupts, riders, tools, limits.
import { afterEach, describe, expect, it } from 'vitest';
import { TurnCancelled, type Turn } from '../../src/agent/index.ts';
import { HIDDEN } from '../../src/agent/tools.ts';
import { MODEL_HIDDEN } from '../../src/protocol/tool.ts';
import { world, type World } from './harness.ts';

let here: World;
afterEach(() => here.stop());

const mention = (text: string, more: object = {}) => ({ text: `@lead ${text}`, mentions: ['lead'], ...more });
const dispositions = async (agent = 'lead') =>
  (await here.store.scan('delivery', 'byAgent', { eq: [agent], limit: 50 })).map(
    ({ disposition }) => disposition,
  );
const open = async (agent = 'lead') =>
  (await here.store.scan('delivery', 'openByAgent', { eq: [agent, 1], limit: 50 })).map(
    ({ eventId }) => eventId,
  );

const ROLE = {
  agents: [
    { id: 'lead', roles: ['ops'] },
    { id: 'builder', roles: ['ops'] },
  ],
};
const role = (text: string) => ({ text, id: 'r1', more: { mentions: [{ kind: 'role', id: 'ops' }] } });
const urgent = (by: string) =>
  mention('URGENT: production is down, stop what you do!', { by, id: `urgent-${by}` });

describe('a handler that fails', () => {
  it('before any outbound action is run again with a higher attempt', async () => {
    here = await world();
    const attempts: number[][] = [];
    here.agent('lead').onTurn((turn) => {
      attempts.push(turn.events.map(({ attempt }) => attempt));
      if (attempts.length === 1) throw new Error('the model is down');
      return turn.text;
    });
    await here.pass(1_000);
    await here.say(mention('one'));
    await here.pass(500);
    await here.say({ text: 'two' });
    await here.pass(15_000);
    expect(attempts).toEqual([
      [1, 1],
      [2, 2],
    ]);
    expect(here.posted.map(({ text }) => text)).toEqual(['@lead one\ntwo']);
    expect(await open()).toEqual([]);
  });

  it('after one is never run again', async () => {
    here = await world();
    let turns = 0;
    here.agent('lead').onTurn(async (turn) => {
      turns += 1;
      await turn.reply('half an answer');
      throw new Error('the model is down');
    });
    await here.pass(1_000);
    await here.say(mention('one'));
    await here.pass(30_000);
    expect(turns).toBe(1);
    expect(here.posted).toHaveLength(1);
    expect(await dispositions()).toEqual(['responded']);
  });

  it('by never ending has failed when its time is over', async () => {
    here = await world();
    const signals: AbortSignal[] = [];
    here.agent('lead', { limits: { turnMs: 20_000 } }).onTurn((turn) => {
      signals.push(turn.signal);
      return signals.length === 1 ? new Promise<string>(() => undefined) : 'late but here';
    });
    await here.pass(1_000);
    await here.say(mention('one'));
    await here.pass(60_000);
    expect(signals[0]?.reason).toBeInstanceOf(TurnCancelled);
    expect(here.posted.map(({ text }) => text)).toEqual(['late but here']);
  });
});

describe('a turn', () => {
  it('goes on when its deadline expires, and its one answer settles everything', async () => {
    here = await world();
    let turns = 0;
    here.agent('lead').onTurn(async () => {
      turns += 1;
      await new Promise<void>((resolve) => here.clock.after(7 * 60_000, resolve));
      return 'took a while';
    });
    await here.pass(1_000);
    await here.say(mention('one'));
    await here.pass(500);
    await here.say({ text: 'two' });
    await here.pass(9 * 60_000, 1_000);
    expect(turns).toBe(1);
    expect(here.posted.map(({ text }) => text)).toEqual(['took a while']);
    expect(await open()).toEqual([]);
  });

  it('is put off as a whole by defer', async () => {
    here = await world();
    let turns = 0;
    here.agent('lead').onTurn(async (turn) => {
      turns += 1;
      await turn.defer('waiting for the deploy');
    });
    await here.pass(1_000);
    await here.say(mention('one'));
    await here.pass(500);
    await here.say({ text: 'two' });
    await here.pass(20_000);
    expect(turns).toBe(1);
    expect(await dispositions()).toEqual(['deferred', 'deferred']);
  });

  it('is discharged by a reaction, without a word', async () => {
    here = await world();
    here.agent('lead').onTurn(async (turn) => void (await turn.react('done')));
    await here.pass(1_000);
    await here.say(mention('please restart it', { id: 'm1' }));
    await here.pass(10_000);
    expect(here.reacted).toEqual([{ agent: 'lead', signal: 'done', on: 'm1' }]);
    expect(await dispositions()).toEqual(['responded']);
    expect(here.posted).toEqual([]);
  });

  it('of several fragments is discharged by one reaction', async () => {
    here = await world();
    let turns = 0;
    here.agent('lead').onTurn(async (turn) => {
      turns += 1;
      await turn.react('done');
    });
    await here.pass(1_000);
    await here.say(mention('please restart it', { id: 'm1' }));
    await here.pass(500);
    await here.say({ text: 'and the other one', id: 'm2' });
    await here.pass(30_000);
    expect(here.reacted).toEqual([{ agent: 'lead', signal: 'done', on: 'm2' }]);
    expect(turns).toBe(1);
    expect(await open()).toEqual([]);
  });

  it('shows that it runs, and stops showing it', async () => {
    here = await world();
    here.agent('lead').onTurn(async () => {
      await new Promise<void>((resolve) => here.clock.after(10_000, resolve));
      return 'ok';
    });
    await here.pass(1_000);
    await here.say(mention('one'));
    await here.pass(30_000);
    expect(here.typing).toEqual(['lead C1', 'lead C1', 'lead C1']);
  });

  it('is stopped by a person, for good', async () => {
    here = await world();
    const turns: Turn[] = [];
    here.agent('lead').onTurn((turn) => {
      turns.push(turn);
      return new Promise((_, reject) =>
        turn.signal.addEventListener('abort', () => reject(new Error('stopped'))),
      );
    });
    await here.pass(1_000);
    await here.say(mention('count to a million'));
    await here.pass(4_000);
    await here.say(mention('stop'));
    await here.pass(20_000);
    expect(turns).toHaveLength(1);
    expect(turns[0]?.signal.reason).toMatchObject({ why: 'stopped' });
    expect(await open()).toEqual([]);
  });

  it('is stopped also after it has said something', async () => {
    here = await world();
    const turns: Turn[] = [];
    here.agent('lead').onTurn(async (turn) => {
      turns.push(turn);
      await turn.reply('one, two');
      await new Promise<void>((resolve) => turn.signal.addEventListener('abort', () => resolve()));
      return 'three';
    });
    await here.pass(1_000);
    await here.say(mention('count'));
    await here.pass(4_000);
    here.host.courier.cancelTurn('lead', turns[0]?.id ?? '', 'stop');
    await here.pass(20_000);
    expect(turns[0]?.signal.aborted).toBe(true);
    expect(here.posted.filter(({ text }) => text === 'three')).toEqual([]);
  });
});

describe('turns', () => {
  it('run one at a time in a conversation and at most so many at once', async () => {
    here = await world();
    let running = 0;
    let most = 0;
    const inRoom = new Map<string, number>();
    let mostInRoom = 0;
    here.agent('lead', { limits: { concurrentTurns: 2 } }).onTurn(async (turn) => {
      const room = turn.conversation.id;
      most = Math.max(most, ++running);
      inRoom.set(room, (inRoom.get(room) ?? 0) + 1);
      mostInRoom = Math.max(mostInRoom, inRoom.get(room) ?? 0);
      await new Promise<void>((resolve) => here.clock.after(1_000, resolve));
      running -= 1;
      inRoom.set(room, (inRoom.get(room) ?? 1) - 1);
      return `re ${turn.events.length}`;
    });
    await here.pass(1_000);
    for (let index = 0; index < 12; index++) {
      await here.say(mention(`q${index}`, { by: `u${index}`, in: `C${index % 4}` }));
    }
    await here.pass(60_000);
    expect(here.posted).toHaveLength(12);
    expect([most, mostInRoom]).toEqual([2, 1]);
  });

  it('wait for the handler to be set', async () => {
    here = await world();
    const agent = here.agent('lead');
    await here.pass(1_000);
    await here.say(mention('early?'));
    await here.pass(10_000);
    agent.onTurn(() => 'now');
    await here.pass(5_000);
    expect(here.posted.map(({ text }) => text)).toEqual(['now']);
  });
});

describe('knocks', () => {
  it('an offer starts a turn with the knock alone; the body comes with the claim [C2A-06-02/notify/injects-the-knock]', async () => {
    here = await world(ROLE);
    const prompts: string[] = [];
    let tools: Turn['tools'] = [];
    const handler = async (turn: Turn): Promise<string> => {
      prompts.push(turn.user);
      tools = turn.tools;
      const claim = await turn.claim();
      return `claimed: ${claim.event?.text.length}`;
    };
    here.agent('lead').onTurn(handler);
    here.agent('builder').onTurn(handler);
    await here.pass(1_000);
    await here.say(role('@ops the disk of db7 is full'));
    await here.pass(60_000);
    expect(prompts).toHaveLength(1);
    expect(prompts[0]).toContain('KNOCK\nfrom: human:ada');
    expect(prompts[0]).not.toContain('db7');
    expect(here.posted.map(({ text }) => text)).toEqual(['claimed: 28']);
    expect([...(await open('lead')), ...(await open('builder'))].filter((id) => id === 'r1/claimed')).toEqual(
      [],
    );
    expect(tools.map(({ name }) => name)).toContain('chat_claim');
  });

  it('a claimed event that is deleted while its turn runs is not answered', async () => {
    here = await world({ agents: [{ id: 'lead', roles: ['ops'] }] });
    const { promise: deleted, resolve: go } = Promise.withResolvers<void>();
    const cancelled: boolean[] = [];
    here.agent('lead').onTurn(async (turn) => {
      await turn.claim();
      await deleted;
      cancelled.push(turn.signal.aborted);
      return 'on it';
    });
    await here.pass(1_000);
    await here.say(role('@ops the disk of db7 is full'));
    await here.pass(1_000);
    await here.say({ more: { type: 'delete', targetEventId: 'r1' } });
    go();
    await here.pass(60_000);
    expect(cancelled).toEqual([true]);
    expect(here.posted).toEqual([]);
    expect(await open()).toEqual([]);
  });

  it('an offer is taken unseen by an agent without tools that says so', async () => {
    here = await world(ROLE);
    const texts: string[] = [];
    const handler = (turn: Turn): string => {
      texts.push(turn.text);
      return 'on it, cleaning up the disk now';
    };
    here.agent('lead', { offers: 'take' }).onTurn(handler);
    here.agent('builder', { offers: 'take' }).onTurn(handler);
    await here.pass(1_000);
    await here.say(role('@ops the disk of db7 is full'));
    await here.pass(60_000);
    expect(texts).toEqual(['@ops the disk of db7 is full']);
    expect(here.posted).toHaveLength(1);
  });

  it('others ride on the next turn in their conversation, and are settled by it', async () => {
    here = await world({ agents: [{ id: 'lead' }, { id: 'builder' }] });
    const turns: Turn[] = [];
    here.agent('lead').onTurn((turn) => {
      turns.push(turn);
      return 'noted, thank you for asking me about it';
    });
    await here.pass(1_000);
    const thread = {
      in: 'T1',
      inKind: 'thread' as const,
      more: { conversation: { id: 'T1', kind: 'thread', parentId: 'C1' } },
    };
    await here.say({ ...mention('what about the plan?'), ...thread });
    await here.pass(6_000);
    expect(turns).toHaveLength(1);
    for (const by of ['bob', 'cid']) await here.say({ text: 'I like the plan', by, ...thread });
    await here.pass(10_000);
    const knocked = await open();
    await here.say({ ...mention('shall we start?', { by: 'dan' }), ...thread });
    await here.pass(6_000);
    expect(turns).toHaveLength(2);
    expect(turns[1]?.knocks.map(({ eventId }) => eventId)).toEqual(knocked);
    expect(knocked.length).toBeGreaterThan(0);
    expect(turns[1]?.user).toContain('KNOCKS (messages withheld');
    expect(turns[1]?.user).not.toContain('I like the plan');
    expect(await open()).toEqual([]);
  });
});

describe('urgent events', () => {
  it('by somebody else come in at the next boundary the runner declares', async () => {
    here = await world();
    const log: string[] = [];
    here.agent('lead', { interrupts: 'tool_boundary' }).onTurn(async (turn) => {
      for (let step = 0; step < 6; step++) {
        await new Promise<void>((resolve) => here.clock.after(2_000, resolve));
        const interrupt = await turn.step();
        if (interrupt === undefined) continue;
        log.push(interrupt.prompt.includes('production is down') ? 'interrupted' : 'what?');
        await turn.reply('looking at production now');
      }
      await turn.reply('and here is the report', { inReplyTo: 'report' });
    });
    await here.pass(1_000);
    await here.say(mention('please write the report', { id: 'report' }));
    await here.pass(5_000);
    await here.say(urgent('bob'));
    await here.pass(30_000);
    expect(log).toEqual(['interrupted']);
    expect(here.posted.map(({ text, replyTo }) => [text, replyTo])).toEqual([
      ['looking at production now', 'urgent-bob'],
      ['and here is the report', 'report'],
    ]);
    expect(await open()).toEqual([]);
  });

  it('abort the turn at once where the runner can be interrupted, and it is run again afterwards', async () => {
    here = await world();
    const asked: string[] = [];
    here.agent('lead', { interrupts: 'anytime' }).onTurn(async (turn) => {
      asked.push(turn.events[0]?.eventId ?? '');
      if (asked.length === 1) {
        await new Promise<void>((_, reject) =>
          turn.signal.addEventListener('abort', () => reject(new Error('cut'))),
        );
      }
      return `re ${turn.events[0]?.eventId}`;
    });
    await here.pass(1_000);
    await here.say(mention('please write the report', { id: 'report' }));
    await here.pass(5_000);
    await here.say(urgent('bob'));
    await here.pass(20_000);
    expect(asked).toEqual(['report', 'urgent-bob', 'report']);
    expect(here.posted.map(({ text }) => text)).toEqual(['re urgent-bob', 're report']);
    expect(await open()).toEqual([]);
  });

  it('wait for the end of the turn where the runner takes none [C2A-06-02/initialize/undeclared-interrupt-unused]', async () => {
    here = await world();
    const asked: string[] = [];
    here.agent('lead', { interrupts: 'never' }).onTurn(async (turn) => {
      asked.push(turn.events[0]?.eventId ?? '');
      await new Promise<void>((resolve) => here.clock.after(8_000, resolve));
      expect(await turn.step()).toBeUndefined();
      return `re ${turn.events[0]?.eventId}`;
    });
    await here.pass(1_000);
    await here.say(mention('please write the report', { id: 'report' }));
    await here.pass(5_000);
    await here.say(urgent('bob'));
    await here.pass(30_000);
    expect(asked).toEqual(['report', 'urgent-bob']);
    expect(here.posted).toHaveLength(2);
  });
});

describe('tools', () => {
  it('have underscored names and schemas without what a model never carries', async () => {
    here = await world();
    let tools: Turn['tools'] = [];
    here.agent('lead').onTurn(async (turn) => {
      tools = turn.tools;
      const send = turn.tools.find(({ name }) => name === 'chat_send_message');
      await send?.call({ text: 'said with a tool' });
    });
    await here.pass(1_000);
    await here.say(mention('hello?', { id: 'm1' }));
    await here.pass(6_000);
    expect(HIDDEN).toEqual(MODEL_HIDDEN);
    expect(tools.length).toBeGreaterThan(8);
    for (const { name, inputSchema } of tools) {
      expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      const text = JSON.stringify(inputSchema);
      for (const hidden of HIDDEN) expect(text).not.toContain(`"${hidden}"`);
    }
    expect(here.posted).toEqual([{ agent: 'lead', text: 'said with a tool', replyTo: 'm1' }]);
  });

  it('come back refused with words for the model', async () => {
    here = await world();
    const texts: string[] = [];
    here.agent('lead').onTurn(async (turn) => {
      const react = turn.tools.find(({ name }) => name === 'chat_react');
      const outcome = await react?.call({ inReplyTo: 'nothing-of-the-kind', signal: 'seen' });
      texts.push(`${outcome?.ok} ${outcome?.error}`);
      return 'ok';
    });
    await here.pass(1_000);
    await here.say(mention('hello?'));
    await here.pass(6_000);
    expect(texts).toEqual(['false not_found']);
  });
});
