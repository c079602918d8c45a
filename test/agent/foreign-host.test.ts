// Against a host of somebody else's making, spoken by hand: repeats, strange frames, and what is never answered.
import { describe, expect, it } from 'vitest';
import { connect } from '../../src/agent/index.ts';
import { VirtualClock } from '../../src/runtime/clock.ts';
import { seededRandom } from '../../src/runtime/random.ts';
import { memoryPair } from '../../src/transport/memory.ts';
import { createPeer, type Peer } from '../../src/transport/peer.ts';

const QUIET = { debug() {}, info() {}, warn() {}, error() {} };
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

async function foreign(handler: () => string) {
  const clock = new VirtualClock(1_000);
  const calls: string[] = [];
  const hosts: Peer[] = [];
  const ok = (method: string, result: object) => () => {
    calls.push(method);
    return { ok: true as const, result };
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
  agent.onTurn(() => {
    turns += 1;
    return handler();
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
});
