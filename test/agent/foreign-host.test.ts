// Against a host of somebody else's making, spoken by hand: repeats, strange frames, and what is never answered.
import { describe, expect, it } from 'vitest';
import { connect, type TurnHandler } from '../../src/agent/index.ts';
import { VirtualClock } from '../../src/runtime/clock.ts';
import { seededRandom } from '../../src/runtime/random.ts';
import { memoryPair } from '../../src/transport/memory.ts';
import { createPeer, type Peer } from '../../src/transport/peer.ts';

const QUIET = { debug() {}, info() {}, warn() {}, error() {} };
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** `hangs`: calls that are taken and never answered. */
async function foreign(
  handler: TurnHandler,
  hangs: (method: string, params: unknown) => boolean = () => false,
) {
  const clock = new VirtualClock(1_000);
  const calls: string[] = [];
  const told: object[] = [];
  const hosts: Peer[] = [];
  const ok = (method: string, result: object) => (params: unknown) => {
    calls.push(method);
    told.push({ method, ...(params as object) });
    return hangs(method, params) ? new Promise<never>(() => undefined) : { ok: true as const, result };
  };
  const agent = connect({
    clock,
    random: seededRandom(1),
    log: QUIET,
    typing: false,
    transport: () => {
      const [ours, theirs] = memoryPair();
      const host = createPeer(ours, {
        clock,
        handlers: {
          initialize: ok('initialize', { protocolVersion: '2026-06-02', agent: 'agent:lead' }),
          'tools/list': ok('tools/list', { tools: [] }),
          'turn/started': ok('turn/started', {}),
          'turn/ended': ok('turn/ended', { sendsCommitted: 0 }),
          'tools/call': ok('tools/call', { content: [{ type: 'text', text: '{}' }], structuredContent: {} }),
        },
      });
      hosts.push(host);
      void host.start();
      return theirs;
    },
  });
  let turns = 0;
  agent.onTurn((turn) => {
    turns += 1;
    return handler(turn);
  });
  await settle();
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 250) {
      clock.advance(250);
      await settle();
    }
  };
  return {
    calls,
    told,
    pass,
    turns: () => turns,
    deliver: (event: object) => hosts.at(-1)?.request('chat/deliver', event),
  };
}

const event = (eventId: string, more: object = {}) => ({
  eventId,
  conversation: { id: 'C1', kind: 'dm' },
  author: { id: 'U1', kind: 'human' },
  target: { directedness: 'to_me' },
  content: [{ type: 'text', text: 'hello?' }],
  attention: { policy: 'must_respond' },
  injection: { mode: 'buffered' },
  reliability: { idempotencyKey: `${eventId}:agent_lead` },
  ...more,
});

const starts = (...eventIds: string[]) => ({ method: 'turn/started', eventIds });

describe('a host that is not ours', () => {
  it('may deliver an event as often as it likes: it is accepted each time and answered once [C2A-06-02/operation/harness-acknowledges, C2A-06-02/inbound/dedupe-by-event-id]', async () => {
    const { calls, pass, turns, deliver } = await foreign(() => 'hi');
    expect(await deliver(event('e1'))).toMatchObject({ ok: true, result: { eventId: 'e1' } });
    expect(await deliver(event('e1'))).toMatchObject({ ok: true, result: { duplicate: true } });
    await pass(5_000);
    const again = event('e1', { reliability: { attempt: 2, idempotencyKey: 'e1:agent_lead' } });
    expect(await deliver(again)).toMatchObject({ ok: true, result: { duplicate: true } });
    await pass(5_000);
    expect(turns()).toBe(1);
    expect(calls.filter((method) => method === 'tools/call')).toHaveLength(1);
  });

  it('is told what is wrong with a delivery, and the session goes on', async () => {
    const { pass, turns, deliver } = await foreign(() => 'hi');
    expect(await deliver({ nonsense: true })).toMatchObject({
      ok: false,
      kind: 'error',
      error: { code: -32602 },
    });
    await deliver(event('e1'));
    await pass(5_000);
    expect(turns()).toBe(1);
  });

  it.each([
    ['must_not_respond', 'buffered'],
    ['ack_only', 'immediate'],
    ['ack_only', 'notify'],
    ['must_not_respond', 'notify'],
    ['must_not_respond', 'digest'],
    ['may_respond', 'tool_mailbox'],
    ['must_respond', 'silent'],
  ])('never gets a turn out of %s %s', async (policy, mode) => {
    const { pass, turns, deliver } = await foreign(() => 'hi');
    expect(await deliver(event('e1', { attention: { policy }, injection: { mode } }))).toMatchObject({
      ok: true,
    });
    await pass(40_000);
    expect(turns()).toBe(0);
  });

  it('is told of all that a turn has taken in before it is told that it ended, also where that was cut short', async () => {
    let isHanging = true;
    const { pass, told, deliver } = await foreign(
      async (turn) => void (await turn.reply('hi')),
      (method, params) =>
        isHanging && (method === 'tools/call' || JSON.stringify(params).includes('expired-2')),
    );
    await deliver(event('e1'));
    await pass(3_000);
    // The turn takes in the follow-up and is answering it. Neither is answered before the author goes on.
    await deliver(event('e1/expired-2', { refersTo: 'e1' }));
    isHanging = false;
    await deliver(event('e2', { content: [{ type: 'text', text: 'and this?' }] }));
    await pass(3_000);
    expect(told.slice(told.findIndex((call) => 'eventIds' in call))).toMatchObject([
      starts('e1'),
      { method: 'tools/call' },
      starts('e1/expired-2'),
      starts('e1/expired-2'),
      { method: 'turn/ended', outcome: 'cancelled' },
      starts('e1/expired-2', 'e2'),
      { method: 'tools/call' },
      { method: 'turn/ended', outcome: 'answered' },
    ]);
  });

  it('is told that a follow-up of what a turn took in meanwhile belongs to it too', async () => {
    const urgent = { author: { id: 'U2', kind: 'human' }, injection: { mode: 'immediate' } };
    const late = Promise.withResolvers<void>();
    const { pass, told, deliver } = await foreign(async (turn) => {
      await late.promise;
      await turn.step();
      await pass(1_000);
      await deliver(event('e2/expired-2', { ...urgent, refersTo: 'e2' }));
    });
    await deliver(event('e1'));
    await pass(3_000);
    await deliver(event('e2', urgent));
    late.resolve();
    await pass(3_000);
    const turns = told.flatMap((call) => ('turnId' in call ? [call] : []));
    const nested = `${String(turns[0]?.turnId)}.1`;
    expect(turns).toMatchObject([
      starts('e1'),
      { ...starts('e2'), turnId: nested },
      { ...starts('e2/expired-2'), turnId: nested },
      { method: 'turn/ended', outcome: 'silent' },
      { method: 'turn/ended', outcome: 'silent', turnId: nested },
    ]);
  });
});
