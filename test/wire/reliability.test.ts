// What survives failure, on the wire: deliveries come at least once and in order, with the same ids; a session that is lost
// goes on where its acknowledgements ended; a send is visible once, whatever happens on the way.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connect } from '../../src/agent/index.ts';
import { VirtualClock } from '../../src/runtime/clock.ts';
import { createPeer } from '../../src/transport/peer.ts';
import { webSocketClient } from '../../src/transport/websocket-client.ts';
import { upHere } from '../server/here.ts';
import { folder } from '../server/up.ts';
import { resultIn } from './debt-cast.ts';
import { until, wireHost } from './host.ts';
import { scriptedHost } from './scripted-host.ts';
import { harness, hostWith, replyTo, type Seen, WAYS } from './ways.ts';

/** The same event on every attempt. */
function hello(attempt: number): object {
  return {
    eventId: 'e1',
    conversation: { id: 'C1', kind: 'dm' },
    author: { id: 'U1', kind: 'human' },
    target: { directedness: 'to_me' },
    content: [{ type: 'text', text: 'hello?' }],
    attention: { policy: 'must_respond' },
    injection: { mode: 'buffered' },
    reliability: { attempt, idempotencyKey: 'e1:agent_lead' },
  };
}

function call(id: string, method: string, params: object = {}): object {
  return { jsonrpc: '2.0', id, method, params };
}

const NO_WAITING = { capabilities: { injection: { buffered: true, notify: true, tool_mailbox: true } } };

describe('a delivery', () => {
  it('is a request with an id that waits for an answer, and is handed again with the same ids until there is one, the attempt counted [C2A-06-02/inbound/deliver-is-a-request, C2A-06-02/inbound/retry-same-ids, C2A-06-02/transport/ack, C2A-06-02/transport/retry, C2A-06-02/reliability/at-least-once, C2A-06-02/envelope/attempt, C2A-06-02/envelope/idempotency-key, C2A-06-02/operation/host-delivers]', async () => {
    const handed: Record<string, unknown>[] = [];
    const { wire } = await hostWith(
      'websocket',
      'lead',
      {},
      {
        ...NO_WAITING,
        // The first two hand-overs fail for now; the third is acknowledged.
        onDeliver: (params) => {
          handed.push(params);
          return handed.length < 3 ? { code: -32603, message: 'busy' } : undefined;
        },
      },
    );
    const eventId = await wire.say('@lead is it up?');
    await until(async () => {
      await wire.pass(1_000);
      return handed.length >= 3;
    }, 'the third attempt');
    const keys = handed.map(({ reliability }) => reliability as { attempt: number; idempotencyKey: string });
    expect(handed.map((event) => event['eventId'])).toEqual([eventId, eventId, eventId]);
    expect(keys.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(new Set(keys.map(({ idempotencyKey }) => idempotencyKey))).toEqual(
      new Set([`${eventId}:agent_lead`]),
    );
    await wire.pass(60_000, 5_000);
    expect(handed).toHaveLength(3);
  });

  it('that nobody acknowledged comes again, also when the acknowledgement was lost with its connection [C2A-06-02/reliability/at-least-once, C2A-06-02/transport/resume, C2A-06-02/shutdown/resumes-from-last-ack, C2A-06-02/shutdown/transport-owns-it, C2A-06-02/transport/keeps-event-ids, C2A-06-02/transport/keeps-order]', async () => {
    const { wire, agent } = await hostWith('websocket', 'lead', {}, NO_WAITING);
    const first = await wire.say('@lead one');
    await agent.next(({ eventId }) => eventId === first);
    resultIn(await agent.reply(agent.seen[0] as Seen, 'One it is.'));
    // The session ends with its connection. There is no word for it.
    await agent.close();
    await until(() => !wire.host.courier.connected('lead'), 'the end of the session');
    const missed = [await wire.say('@lead two'), await wire.say('@lead three'), await wire.say('@lead four')];
    const again = await harness(wire, 'lead', 'websocket', NO_WAITING);
    await again.next(({ eventId }) => eventId === missed[2]);
    expect(again.seen.map(({ eventId }) => eventId)).toEqual(missed);
  });

  it('that is never answered comes again, in its session and in the next one [C2A-06-02/reliability/at-least-once, C2A-06-02/transport/retry]', async () => {
    const handed: { eventId: unknown; attempt: unknown }[] = [];
    const { wire, agent } = await hostWith(
      'websocket',
      'lead',
      {},
      {
        ...NO_WAITING,
        onDeliver: ({ eventId, reliability }) => {
          handed.push({ eventId, attempt: (reliability as { attempt: number }).attempt });
          return 'silence';
        },
      },
    );
    const eventId = await wire.say('@lead is it up?');
    await until(async () => {
      await wire.pass(1_000);
      return handed.length >= 2;
    }, 'the second attempt');
    expect(handed.slice(0, 2)).toEqual([1, 2].map((attempt) => ({ eventId, attempt })));
    await agent.close();
    await until(() => !wire.host.courier.connected('lead'), 'the end of the session');
    const next = await harness(wire, 'lead', 'websocket', NO_WAITING);
    const seen = await next.next((one) => one.eventId === eventId);
    expect(seen.raw['reliability']).toMatchObject({ attempt: handed.length + 1 });
  });

  it('keeps the order and the ids of its conversation on every transport [C2A-06-02/transport/keeps-order, C2A-06-02/transport/keeps-event-ids, C2A-06-02/transport/agnostic]', async () => {
    for (const way of WAYS.filter((one) => one !== 'sdk')) {
      const { wire, agent } = await hostWith(way, 'lead', {}, NO_WAITING);
      const said: string[] = [];
      for (let n = 0; n < 8; n++) {
        said.push(await wire.say(`@lead number ${n}`, { by: `p${n}` }));
      }
      await wire.pass(35_000, 5_000);
      await agent.next(({ eventId }) => eventId === said.at(-1));
      expect([way, agent.seen.map(({ eventId }) => eventId)]).toEqual([way, said]);
    }
  });

  it('is answered by the SDK only once it holds the event: with its hands full the host keeps the rest [C2A-06-02/inbound/answers-after-accepting]', async () => {
    const wire = await wireHost({ agents: [{ id: 'lead' }] });
    const done = Promise.withResolvers<string>();
    const turns: string[] = [];
    const connection = connect({
      url: `${wire.url.replace('http', 'ws')}/c2a`,
      token: await wire.token('agent', 'lead'),
      clock: wire.clock,
      limits: { heldEvents: 1 },
      log: QUIET,
    });
    connection.onTurn((turn) => {
      turns.push(turn.text);
      return done.promise;
    });
    await until(() => connection.status === 'ready', 'the session');
    await wire.pass(1);
    const [first, second] = [await wire.say('@lead one?'), await wire.say('@lead two?', { in: 'other' })];
    await wire.pass(5_000);
    const ops = await wire.token('operator', 'ops');
    const stateOf = async (id: string): Promise<string | undefined> => {
      const { body } = await wire.call('GET', '/v1/deliveries?agent=lead', ops);
      return (body['deliveries'] as { eventId: string; state: string }[]).find(
        ({ eventId }) => eventId === id,
      )?.state;
    };
    expect([await stateOf(first), await stateOf(second)]).toEqual(['turn_taken', 'queued']);
    done.resolve('Yes.');
    await wire.pass(60_000, 1_000);
    expect(turns).toEqual(['@lead one?', '@lead two?']);
    await Promise.race([connection.close(), wire.pass(60_000, 5_000)]);
  });

  it('that a host repeats is accepted each time and starts one turn [C2A-06-02/inbound/dedupe-by-event-id, C2A-06-02/operation/harness-acknowledges]', async () => {
    const clock = new VirtualClock(1_000);
    const host = await scriptedHost(clock);
    const turns: string[][] = [];
    const connection = connect({ url: host.url, token: 'any', clock, log: QUIET, typing: false });
    connection.onTurn(({ events }) => {
      turns.push(events.map(({ eventId }) => eventId));
      return 'hi';
    });
    await until(() => connection.status === 'ready', 'the session');
    for (let attempt = 1; attempt <= 3; attempt++) {
      expect(await host.deliver(hello(attempt))).toMatchObject({ ok: true });
      await until(() => {
        clock.advance(500);
        return host.ended() > 0;
      }, 'the end of the turn');
    }
    // Another event shows that the repeats were seen and led to nothing.
    expect(await host.deliver({ ...hello(1), eventId: 'next' })).toMatchObject({ ok: true });
    await until(() => {
      clock.advance(500);
      return host.ended() > 1;
    }, 'the end of the next turn');
    expect([turns, host.sent()]).toEqual([[['e1'], ['next']], 2]);
    const closing = connection.close();
    clock.advance(60_000);
    await closing;
  });

  it('outlives the host: what was not delivered is there after a restart [C2A-06-02/shutdown/undelivered-persist]', async () => {
    const data = folder();
    const config = join(data, 'earshot.yaml');
    writeFileSync(config, 'agents:\n  - id: lead\n');
    const before = await upHere({ data, config });
    const event = {
      eventId: 'kept',
      at: new Date().toISOString(),
      platform: 'chat',
      workspaceId: 'w',
      conversation: { id: 'general', kind: 'channel' },
      author: { id: 'ada', kind: 'human' },
      type: 'message',
      text: '@lead is it up?',
    };
    await before.post({ events: [event] });
    await before.stop();
    const after = await upHere({ data, config });
    const shown = await after.call('GET', '/v1/deliveries?agent=lead', after.tokens.operator);
    expect(shown).toMatchObject({
      body: { deliveries: [{ eventId: 'kept', state: 'queued', policy: 'must_respond' }] },
    });
    await after.stop();
  });
});

const QUIET = { debug() {}, info() {}, warn() {}, error() {} };

describe('a send', () => {
  it('with the same key and body has one visible effect and the stored answer, with another body it is refused [C2A-06-02/transport/idempotent-sends, C2A-06-02/operation/keyed-sends, C2A-06-02/reliability/idempotent-operations, C2A-06-02/minimal/7-send, C2A-06-02/tools/send-message]', async () => {
    const { wire, agent } = await hostWith('websocket', 'lead', {}, NO_WAITING);
    await wire.say('@lead is it up?');
    const seen = await agent.next(({ text }) => text.includes('is it up'));
    const args = replyTo(seen, 'It is.');
    const first = resultIn(await agent.tool('chat.send_message', args));
    const second = resultIn(await agent.tool('chat.send_message', args));
    expect([first['replayed'], second['replayed'], second['eventId']]).toEqual([
      false,
      true,
      first['eventId'],
    ]);
    expect(await agent.tool('chat.send_message', { ...args, text: 'It is not.' })).toMatchObject({
      ok: false,
      name: 'duplicate_key_other_body',
    });
    expect(wire.platform.texts()).toEqual(['It is.']);
  });

  it('every other act repeated changes nothing: react, claim, defer, resolve [C2A-06-02/reliability/idempotent-operations]', async () => {
    const { wire, agent } = await hostWith('websocket', 'lead', {}, NO_WAITING);
    const said = await wire.say('@lead is it up?');
    await agent.next(({ eventId }) => eventId === said);
    const open = await wire.say('can somebody look at the build?', { by: 'bob', in: 'other' });
    const calls = [
      ['chat.react', { inReplyTo: said, signal: 'working' }],
      ['chat.claim', { inReplyTo: open }],
      ['chat.defer', { inReplyTo: said, reason: 'later' }],
      ['chat.resolve', { inReplyTo: said }],
    ] as const;
    for (const [name, args] of calls) {
      const before = resultIn(await agent.tool(name, args));
      const shown = wire.platform.shown.length;
      const after = resultIn(await agent.tool(name, args));
      expect([name, after]).toEqual([
        name,
        name === 'chat.defer' ? expect.objectContaining({ disposition: 'deferred' }) : before,
      ]);
      expect([name, wire.platform.shown.length]).toEqual([name, shown]);
    }
  });

  it('that fails for now is posted again with the same key and body, and is visible once [C2A-06-02/outbound-retry/transient-failures, C2A-06-02/outbound-retry/same-key-and-body, C2A-06-02/outbound-retry/no-second-message]', async () => {
    const { wire, agent } = await hostWith('websocket', 'lead', {}, NO_WAITING);
    wire.platform.onPost = () => (wire.platform.arrived.length < 3 ? 'retry' : 'show');
    await wire.say('@lead is it up?');
    const seen = await agent.next(({ text }) => text.includes('is it up'));
    const sent = agent.reply(seen, 'It is.');
    await until(async () => {
      await wire.pass(1_000);
      return wire.platform.shown.length > 0;
    }, 'the post');
    expect(await sent).toMatchObject({ ok: true });
    const posts = wire.platform.arrived.map(({ idempotencyKey, text }) => `${idempotencyKey} ${text}`);
    expect([posts.length, new Set(posts).size]).toEqual([3, 1]);
    await wire.pass(60_000, 5_000);
    expect(wire.platform.texts()).toEqual(['It is.']);
  });

  it('that the platform refuses for good is told as the result of the call, and only then is another answer taken [C2A-06-02/outbound-retry/permanent-failures, C2A-06-02/model-retry/unless-never-delivered]', async () => {
    const { wire, agent } = await hostWith('websocket', 'lead', {}, NO_WAITING);
    await wire.say('@lead is it up?');
    const seen = await agent.next(({ text }) => text.includes('is it up'));
    wire.platform.onPost = () => 'refuse';
    expect(await agent.reply(seen, 'It is, at great length.')).toMatchObject({
      ok: false,
      name: 'not_delivered',
      message: expect.stringMatching(/msg_too_long|422/),
    });
    wire.platform.onPost = () => 'show';
    expect(await agent.reply(seen, 'It is.')).toMatchObject({ ok: true });
    expect(wire.platform.texts()).toEqual(['It is.']);
  });

  it('of a turn that has sent something is never made again differently: the turn is fenced when it ends [C2A-06-02/model-retry/no-different-answer]', async () => {
    let runs = 0;
    // Whether it answers in its place, or has said something elsewhere only.
    for (const options of [{}, { target: 'channel:other', directedness: 'ambient' as const }]) {
      const { wire } = await hostWith(
        'sdk',
        'lead',
        {},
        {
          onTurn: async (turn) => {
            runs += 1;
            await turn.reply(`Answer ${runs}.`, options);
            throw new Error('the model failed after it had answered');
          },
        },
      );
      await wire.say('morning', { in: 'other' });
      runs = 0;
      await wire.say('@lead is it up?');
      await wire.pass(60_000, 1_000);
      expect([runs, wire.platform.texts()]).toEqual([1, ['Answer 1.']]);
    }
  });

  it('of a turn that has ended is refused: nothing it says later is shown [C2A-06-02/model-retry/no-different-answer]', async () => {
    const { wire, agent } = await hostWith('websocket', 'lead', {}, NO_WAITING);
    await wire.say('@lead is it up?');
    const seen = await agent.next(({ text }) => text.includes('is it up'));
    await agent.request('turn/started', { turnId: 't1', eventIds: [seen.eventId] });
    expect(await agent.reply(seen, 'It is.', { turnId: 't1' })).toMatchObject({ ok: true });
    await agent.request('turn/ended', { turnId: 't1', outcome: 'failed' });
    expect(await agent.reply(seen, 'It is not.', { turnId: 't1' })).toMatchObject({
      ok: false,
      name: 'fenced',
    });
    expect(wire.platform.texts()).toEqual(['It is.']);
  });

  it('of a turn that failed before it did anything is made again [C2A-06-02/model-retry/same-event-next-attempt]', async () => {
    let runs = 0;
    const attempts: number[] = [];
    const { wire } = await hostWith(
      'sdk',
      'lead',
      {},
      {
        onTurn: ({ events }) => {
          runs += 1;
          attempts.push(events[0]?.attempt ?? 0);
          if (runs === 1) throw new Error('the model failed');
          return 'It is.';
        },
      },
    );
    await wire.say('@lead is it up?');
    await wire.pass(30_000, 1_000);
    expect([runs, wire.platform.texts()]).toEqual([
      2,
      ['lead ran into a problem and is trying again.', 'It is.'],
    ]);
    expect(attempts[1]).toBeGreaterThan(attempts[0] ?? 0);
  });
});

describe('the frames', () => {
  it('are JSON-RPC 2.0: a request gets one answer with its id, a notification none, and what is no JSON-RPC gets the standard errors [C2A-06-02/data/json-rpc, C2A-06-02/data/request-has-result, C2A-06-02/data/notification-unanswered, C2A-06-02/progress/notification, C2A-06-02/initialize/starts-the-session]', async () => {
    const { wire } = await hostWith('websocket', 'lead');
    const socket = new WebSocket(`${wire.url.replace('http', 'ws')}/c2a`, {
      headers: { authorization: `Bearer ${await wire.token('agent', 'builder')}` },
    });
    const got: Record<string, unknown>[] = [];
    socket.addEventListener('message', ({ data }) =>
      got.push(JSON.parse(String(data)) as Record<string, unknown>),
    );
    await new Promise((resolve) => {
      socket.addEventListener('open', resolve);
    });
    const ask = async (frame: unknown, answers = 1): Promise<Record<string, unknown>[]> => {
      const before = got.length;
      socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
      await until(() => got.length >= before + answers, 'an answer');
      return got.slice(before);
    };
    // Nothing but `initialize` is taken before it.
    expect(await ask(call('1', 'tools/list'))).toMatchObject([
      { jsonrpc: '2.0', id: '1', error: { code: expect.any(Number) } },
    ]);
    expect(await ask('{ not json')).toMatchObject([{ jsonrpc: '2.0', id: null, error: { code: -32700 } }]);
    expect(await ask({ hello: 1 })).toMatchObject([{ error: { code: -32600 } }]);
    const [begun] = await ask(call('2', 'initialize', { protocolVersion: '2026-06-02' }));
    expect(begun).toMatchObject({ id: '2', result: { protocolVersion: '2026-06-02' } });
    for (const method of ['no/such', 'shutdown', 'exit'])
      expect(await ask(call('3', method))).toMatchObject([{ id: '3', error: { code: -32601 } }]);
    // Notifications, right or wrong, are not answered: the next answer is that of the request after them.
    socket.send(
      JSON.stringify({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 'x', progress: 'far' },
      }),
    );
    socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/unheard', params: {} }));
    expect(await ask(call('4', 'tools/list'))).toMatchObject([
      { id: '4', result: { tools: expect.any(Array) } },
    ]);
    socket.close();
  });

  it('of a delivery are answered with nothing but their acceptance: what the model thinks has no room there [C2A-06-02/data/response-is-acceptance]', async () => {
    const { wire } = await hostWith('websocket', 'lead');
    const transport = webSocketClient({
      url: `${wire.url.replace('http', 'ws')}/c2a`,
      token: await wire.token('agent', 'builder'),
      clock: wire.clock,
    });
    const peer = createPeer(transport, {
      clock: wire.clock,
      handlers: {
        ping: () => ({ ok: true, result: {} }),
        'chat/deliver': () => ({
          ok: true,
          result: { reply: 'I will not do it', policy: 'must_not_respond' },
        }),
      },
    });
    await peer.start();
    await peer.request('initialize', { protocolVersion: '2026-06-02', ...NO_WAITING });
    const eventId = await wire.say('@builder is it up?');
    const ops = await wire.token('operator', 'ops');
    const row = await until(async () => {
      await wire.pass(100);
      const { body } = await wire.call('GET', '/v1/deliveries?agent=builder', ops);
      const [one] = body['deliveries'] as { state: string; eventId: string; policy: string }[];
      return one?.state === 'accepted' ? one : undefined;
    }, 'the acceptance');
    expect(row).toMatchObject({ eventId, policy: 'must_respond', disposition: null });
    expect(wire.platform.texts()).toEqual([]);
    peer.close('normal');
    await peer.closed;
  });
});
