// What is negotiated has an effect: every flag that `initialize` confirms changes what the session gets or may do, and
// whatever is refused or missing is not done. The flags are those of the drafts; the effects are in docs/harness.md.
import { describe, expect, it } from 'vitest';
import { until, type WireHost, wireHost } from './host.ts';
import { type HarnessOptions, harness, hostWith, type Seen, type Way, type WireHarness } from './ways.ts';

const WINDOW_MS = 3_000;
const ALL = {
  delivery: { ack: true, redelivery: true, idempotency: true },
  injection: { immediate: true, buffered: false, notify: true, tool_mailbox: true, digest: true },
  chatTools: {
    readThread: true,
    sendMessage: true,
    react: true,
    reactionSignals: true,
    claim: true,
    defer: true,
    resolve: true,
  },
  utilities: { progress: true, cancellation: true, logging: false },
};
type Block = keyof typeof ALL;

/** Everything but this flag. */
function without(block: Block, flag: string): HarnessOptions {
  return { capabilities: { ...ALL, [block]: { ...ALL[block], [flag]: false } } };
}

/** Ways on which a harness negotiates. */
const NEGOTIATED: readonly Way[] = ['websocket', 'pull'];

async function asked(
  wire: WireHost,
  agent: WireHarness,
  text = '@lead is the deploy blocked?',
): Promise<Seen> {
  const eventId = await wire.say(text);
  await wire.pass(WINDOW_MS);
  return agent.next((seen) => seen.eventId === eventId);
}

async function toolNames(agent: WireHarness): Promise<string[]> {
  const { tools } = (await agent.request('tools/list', {})) as { tools: { name: string }[] };
  return tools.map(({ name }) => name);
}

describe.each(NEGOTIATED)('over %s', (way) => {
  it.each([
    ['chatTools', 'readThread', 'chat.read_thread', { target: 'channel:general' }],
    ['chatTools', 'react', 'chat.react', { signal: 'done' }],
    ['chatTools', 'claim', 'chat.claim', {}],
    ['chatTools', 'defer', 'chat.defer', { reason: 'later' }],
    ['chatTools', 'resolve', 'chat.resolve', {}],
    ['injection', 'tool_mailbox', 'chat.list_events', {}],
    ['chatTools', 'sendMessage', 'chat.send_message', { target: 'channel:general', text: 'Hi.' }],
  ] as const)(
    'without %s.%s there is no %s: it is not listed, and refused',
    async (block, flag, tool, args) => {
      const { wire, agent: lead } = await hostWith(way, 'lead', {}, without(block, flag));
      const seen = await asked(wire, lead);
      expect(await toolNames(lead)).not.toContain(tool);
      const about = 'target' in args || tool === 'chat.list_events' ? {} : { inReplyTo: seen.eventId };
      expect(await lead.tool(tool, { ...about, ...args })).toMatchObject({
        ok: false,
        name: 'not_negotiated',
        message: expect.stringContaining(tool),
      });
      expect(wire.platform.arrived).toEqual([]);
    },
  );

  it('a harness that declares nothing may use every tool [C2A-06-02/initialize/negotiated-capabilities]', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    const seen = await asked(wire, lead);
    expect(await lead.tool('chat.defer', { inReplyTo: seen.eventId, reason: 'later' })).toMatchObject({
      ok: true,
    });
    expect(await lead.tool('chat.resolve', { inReplyTo: seen.eventId })).toMatchObject({ ok: true });
  });

  it('without react the host still says seen for the agent', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead', {}, without('chatTools', 'react'));
    const seen = await asked(wire, lead);
    await lead.reply(seen, 'No, it went out at nine.');
    await wire.say('@lead thanks!');
    await wire.pass(WINDOW_MS);
    await until(() => wire.platform.shown.some(({ signal }) => signal === 'seen'), 'the glyph for seen');
  });

  it('without claim an offer to the role goes to the next holder', async () => {
    const agents = [
      { id: 'lead', roles: ['ops'] },
      { id: 'builder', roles: ['ops'] },
    ];
    const wire = await wireHost({ agents });
    const lead = await harness(wire, 'lead', way, without('chatTools', 'claim'));
    const builder = await harness(wire, 'builder', 'websocket');
    const eventId = await wire.say('@ops can one of you check the deploy?');
    await wire.pass(45_000);
    await builder.next((seen) => seen.eventId === eventId);
    expect(lead.seen).toEqual([]);
  });

  it('without notify what must be answered comes in full, and the rest waits to be read [C2A-06-02/initialize/undeclared-mode-unused]', async () => {
    const agents = [{ id: 'lead', roles: ['ops'] }, { id: 'builder' }];
    const { wire, agent: lead } = await hostWith(way, 'lead', { agents }, without('injection', 'notify'));
    await wire.say('@ops can one of you check the deploy?');
    await wire.pass(WINDOW_MS);
    expect(await lead.next(() => true)).toMatchObject({
      mode: 'buffered',
      text: '@ops can one of you check the deploy?',
    });
  });

  it('a knock names a tool that the harness may call', async () => {
    const agents = [{ id: 'lead', roles: ['ops'] }, { id: 'builder' }];
    const { wire, agent: lead } = await hostWith(way, 'lead', { agents }, without('chatTools', 'readThread'));
    await wire.say('@ops can one of you check the deploy?');
    await wire.pass(WINDOW_MS);
    const { raw } = await lead.next(({ mode }) => mode === 'notify');
    expect(raw['knock']).toMatchObject({ pullWith: 'chat.list_events' });
  });

  it('without reactionSignals a reaction that answers a question comes in words', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead', {}, without('chatTools', 'reactionSignals'));
    const seen = await asked(wire, lead, '@lead please release version 4');
    const sent = await lead.reply(seen, 'Shall I release it now?');
    const targetEventId = sent.ok ? String(sent.result['eventId']) : '';
    await wire.post(
      wire.event('', { more: { type: 'reaction', targetEventId, signal: 'agree', text: undefined } }),
    );
    await wire.pass(WINDOW_MS);
    const answer = await lead.next(({ text }) => text.includes('agree'));
    expect(answer).toMatchObject({ text: '👍 (agree)', policy: 'must_respond' });
    expect(answer.raw['reaction']).toBeUndefined();
  });
});

it('interrupt is not confirmed: only a harness can interrupt its model', async () => {
  const { agent: lead } = await hostWith('pull', 'lead');
  const injection = { ...ALL.injection, interrupt: true };
  const agreed = await lead.request('initialize', {
    protocolVersion: '2026-06-02',
    capabilities: { injection },
  });
  expect(agreed).toMatchObject({ capabilities: { injection: { immediate: true, interrupt: false } } });
});

const PARTY = { done: ['🎉', '🥳'], agree: '🚀', seen: '🔭' };

describe.each(NEGOTIATED)('glyphs over %s', (way) => {
  const glyphs = { capabilities: { ...ALL, glyphs: PARTY } };

  it('are those of the agent’s reactions on the platform, and of the host’s for it [C2A-06-02/signal/glyphs-remapped]', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead', {}, glyphs);
    const seen = await asked(wire, lead);
    await lead.reply(seen, 'No, it went out at nine.');
    await lead.tool('chat.react', { inReplyTo: seen.eventId, signal: 'done' });
    await lead.tool('chat.react', { inReplyTo: seen.eventId, signal: 'queued' });
    await wire.say('@lead thanks!');
    await wire.pass(WINDOW_MS);
    await until(() => wire.platform.shown.some(({ signal }) => signal === 'seen'), 'the glyph for seen');
    const shown = wire.platform.shown.flatMap(({ signal, glyph }) =>
      signal === undefined ? [] : [[signal, glyph]],
    );
    expect(Object.fromEntries(shown)).toEqual({ done: '🎉', queued: '🕐', seen: '🔭' });
  });

  it('are read on the agent’s own messages, by name and by alias [C2A-06-02/signal/mapped-to-the-platform]', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead', {}, glyphs);
    const seen = await asked(wire, lead, '@lead please release version 4');
    const sent = await lead.reply(seen, 'Shall I release it now?');
    const targetEventId = sent.ok ? String(sent.result['eventId']) : '';
    const react = async (glyph: string) =>
      (
        await wire.post(wire.event('', { more: { type: 'reaction', targetEventId, glyph, text: undefined } }))
      )[0];
    expect(await react('👍')).toMatchObject({
      status: 'refused',
      error: { message: expect.stringContaining('👍') },
    });
    expect(await react('🚀')).toMatchObject({ status: 'accepted' });
    await wire.pass(WINDOW_MS);
    const answer = await lead.next(({ raw }) => raw['reaction'] !== undefined);
    expect(answer.raw['reaction']).toEqual({ targetEventId, signal: 'agree' });
  });
});

it('a glyph on a person’s message is read as the default one', async () => {
  const wire = await wireHost();
  const targetEventId = await wire.say('good morning');
  const [one] = await wire.post(
    wire.event('', { more: { type: 'reaction', targetEventId, glyph: '👍🏽', text: undefined } }),
  );
  expect(one).toMatchObject({ status: 'accepted' });
});

describe('what was agreed over HTTP', () => {
  it('is for HTTP: a session of the same agent keeps its own shape, and the other way round', async () => {
    const { wire, agent: pull } = await hostWith('pull', 'lead', {}, { version: '2026-06-24' });
    await wire.say('@lead one?');
    await wire.pass(WINDOW_MS);
    expect((await pull.next(() => true)).raw).toMatchObject({ addressedToMe: true, content: '@lead one?' });
    await pull.close();
    const session = await harness(wire, 'lead', 'websocket', { version: '2026-06-02' });
    await wire.say('@lead two?');
    await wire.pass(WINDOW_MS);
    const { raw } = await session.next(({ text }) => text.includes('two'));
    expect(raw).toMatchObject({ target: { directedness: 'to_me' } });
    await session.close();
    const again = await harness(wire, 'lead', 'pull', { version: '2026-08-11' });
    await wire.say('@lead three?');
    await wire.pass(WINDOW_MS);
    expect((await again.next(({ text }) => text.includes('three'))).raw).toMatchObject({ recipients: [] });
  });
});

describe.each(NEGOTIATED)('without idempotency over %s', (way) => {
  it('a send needs no key, and the same call again is the same message', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead', {}, without('delivery', 'idempotency'));
    const seen = await asked(wire, lead);
    const args = { target: 'channel:general', text: 'No.', inReplyTo: seen.eventId, visibility: 'channel' };
    const call = () => lead.tool('chat.send_message', { ...args, directedness: 'to_me' });
    expect(await call()).toMatchObject({ ok: true, result: { replayed: false } });
    expect(await call()).toMatchObject({ ok: true, result: { replayed: true } });
    expect(wire.platform.texts()).toEqual(['No.']);
  });

  it('is the exception: otherwise a send brings its key [C2A-06-02/send/idempotency-key]', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead', {}, { capabilities: ALL });
    const seen = await asked(wire, lead);
    const args = { target: 'channel:general', text: 'No.', inReplyTo: seen.eventId, visibility: 'channel' };
    expect(await lead.tool('chat.send_message', { ...args, directedness: 'to_me' })).toMatchObject({
      ok: false,
      name: 'invalid_params',
      message: expect.stringContaining('idempotencyKey'),
    });
  });
});

const REPORT = { progressToken: 'deploy-check-1', progress: 2, total: 5, message: 'Checked build status' };

describe.each(NEGOTIATED)('progress over %s', (way) => {
  it.each([
    ['without an event', {}, 'invalid_params', /eventId/],
    ['about an event that is not there', { eventId: 'nowhere' }, 'not_found', /no event/],
    ['without its figure', { progress: undefined }, 'invalid_params', /progress/],
  ])('%s is answered with an error that says what to do', async (_, change, name, words) => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    const params = { ...REPORT, ...change };
    await expect(lead.request('notifications/progress', params)).rejects.toThrow(words);
    await expect(lead.request('notifications/progress', params)).rejects.toThrow(name);
    if (way === 'pull')
      expect(await lead.notify('notifications/progress', params)).toMatchObject({
        ok: false,
        kind: 'error',
        error: { data: { name } },
      });
    expect(await reports(wire)).toEqual([]);
  });

  it('about an event is taken, with an id and without one', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    const { eventId } = await asked(wire, lead);
    expect(await lead.request('notifications/progress', { ...REPORT, eventId })).toEqual({});
    // Less than a second after the first: it is joined with what may still come, and logged when the second is over.
    const noted = lead.notify('notifications/progress', { ...REPORT, eventId, progress: 3 });
    await until(async () => {
      await wire.pass(1_000);
      return (await reports(wire)).length === 2;
    }, 'two reports in the log');
    await noted;
  });

  it('is refused to a harness that gave it up', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead', {}, without('utilities', 'progress'));
    const { eventId } = await asked(wire, lead);
    await expect(lead.request('notifications/progress', { ...REPORT, eventId })).rejects.toThrow(
      'not_negotiated',
    );
    expect(await reports(wire)).toEqual([]);
  });
});

async function reports(wire: WireHost): Promise<unknown[]> {
  const rows = await wire.host.context.store.scan('log', 'byPosition', { limit: 50 });
  return rows.filter(({ type }) => type === 'progress');
}

describe('logging over WebSocket', () => {
  it.each([true, false])(
    '(%s) says what became of a notification that was refused, or nothing',
    async (logging) => {
      const capabilities = { ...ALL, utilities: { ...ALL.utilities, logging } };
      const { wire, agent: lead } = await hostWith('websocket', 'lead', {}, { capabilities });
      await lead.notify('notifications/progress', REPORT);
      await lead.request('ping', {});
      await wire.pass(500);
      expect(lead.notes).toMatchObject(
        logging
          ? [
              {
                method: 'notifications/message',
                params: {
                  level: 'warning',
                  logger: 'notifications/progress',
                  data: { name: 'invalid_params' },
                },
              },
            ]
          : [],
      );
    },
  );
});

describe.each(NEGOTIATED)('the short draft over %s', (way) => {
  it('marks an edit that came after the answer as one [C2A-06-24/edits/after-response]', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead', {}, { version: '2026-06-24' });
    const seen = await asked(wire, lead);
    await lead.reply(seen, 'No.');
    const text = '@lead is the deploy of yesterday blocked?';
    await wire.post(wire.event(text, { more: { type: 'edit', targetEventId: seen.eventId } }));
    await wire.pass(WINDOW_MS);
    const edited = await lead.next((one) => one.eventId !== seen.eventId);
    expect(edited).toMatchObject({ text, policy: 'may_respond', notices: ['edited_after_response'] });
    expect(edited.raw).toMatchObject({ refersTo: seen.eventId });
  });
});

describe('a delivery over WebSocket', () => {
  it('without ack is a notification: what was handed over counts as accepted', async () => {
    const { wire, agent: lead } = await hostWith('websocket', 'lead', {}, without('delivery', 'ack'));
    const seen = await asked(wire, lead);
    expect(seen.requestId).toBeUndefined();
    await wire.pass(60_000);
    expect(lead.seen).toHaveLength(1); // nobody waits for an acknowledgement
    expect(await stateOf(wire, seen.eventId)).toMatchObject({ state: 'accepted' });
    expect(await lead.reply(seen, 'No.')).toMatchObject({ ok: true });
  });

  it('without redelivery is handed over once, and given up when it is not acknowledged', async () => {
    let asks = 0;
    const onDeliver = () => ({ code: -32603, message: `busy ${++asks}` });
    const options = { ...without('delivery', 'redelivery'), onDeliver };
    const { wire } = await hostWith('websocket', 'lead', {}, options);
    const eventId = await wire.say('@lead is the deploy blocked?');
    await wire.pass(60_000);
    expect(asks).toBe(1);
    expect(await stateOf(wire, eventId)).toMatchObject({ state: 'dead_lettered' });
    const ops = await wire.token('operator', 'ops');
    expect((await wire.call('GET', '/v1/inbox', ops)).body['inbox']).toMatchObject([{ kind: 'dead_letter' }]);
  });

  it('without redelivery does not come again in the next session once it was accepted', async () => {
    const options = without('delivery', 'redelivery');
    const { wire, agent: first } = await hostWith('websocket', 'lead', {}, options);
    await asked(wire, first);
    await first.close();
    const second = await harness(wire, 'lead', 'websocket', options);
    await wire.pass(WINDOW_MS);
    expect(second.seen).toEqual([]);
    await second.close();
    const third = await harness(wire, 'lead', 'websocket');
    await wire.pass(WINDOW_MS);
    await third.next(({ text }) => text.includes('deploy'));
  });

  it.each([
    ['-32603 (internal)', { code: -32603, message: 'no memory' }],
    ['-32010 (rate_limited)', { code: -32010, message: 'slow down', data: { retryAfterMs: 20_000 } }],
    ['-32012 (unavailable)', { code: -32012, message: 'no model' }],
    ['a code of its own', { code: 4711, message: 'try later' }],
    ['a code of its own and retryable', { code: -32602, message: 'try later', data: { retryable: true } }],
  ])(
    'that is answered with %s comes again until it is taken [C2A-06-02/reliability/at-least-once]',
    async (_, error) => {
      const times: number[] = [];
      const { wire, agent: lead } = await hostWith(
        'websocket',
        'lead',
        {},
        {
          onDeliver() {
            times.push(wire.clock.now());
            return times.length < 3 ? error : undefined;
          },
        },
      );
      const eventId = await wire.say('@lead is the deploy blocked?');
      await wire.pass(60_000);
      await lead.next((seen) => seen.eventId === eventId);
      const [first = 0, second = 0, third = 0] = times;
      expect(times).toHaveLength(3);
      // There is a pause, which grows, and is as long as the harness asks.
      expect(second - first).toBeGreaterThanOrEqual(
        'data' in error && 'retryAfterMs' in error.data ? 20_000 : 1,
      );
      expect(third - second).toBeGreaterThan(0);
      expect(await stateOf(wire, eventId)).toMatchObject({ state: 'accepted' });
    },
  );

  it.each([
    ['-32602 (invalid_params)', { code: -32602, message: 'no such field' }],
    ['-32601 (unknown_method)', { code: -32601, message: 'what?' }],
    ['an error that says it is final', { code: 4711, message: 'never', data: { retryable: false } }],
  ])('that is answered with %s is given up at once', async (_, error) => {
    let asks = 0;
    const { wire } = await hostWith('websocket', 'lead', {}, { onDeliver: () => (asks++, error) });
    const eventId = await wire.say('@lead is the deploy blocked?');
    await wire.pass(30_000);
    expect([asks, await stateOf(wire, eventId)]).toMatchObject([1, { state: 'dead_lettered' }]);
  });

  it('that is withdrawn is cancelled by the id of its request and of its event [C2A-06-02/cancel/notification]', async () => {
    const { wire, agent: lead } = await hostWith('websocket', 'lead', {}, { capabilities: ALL });
    const seen = await asked(wire, lead);
    await wire.post(
      wire.event('', { more: { type: 'delete', targetEventId: seen.eventId, text: undefined } }),
    );
    const note = await until(() => lead.notes.find(({ method }) => method === 'notifications/cancelled'));
    expect(note.params).toEqual({ requestId: seen.requestId, eventId: seen.eventId, reason: 'deleted' });
  });

  it('without cancellation is withdrawn in silence, and an answer to it is refused', async () => {
    const options = without('utilities', 'cancellation');
    const { wire, agent: lead } = await hostWith('websocket', 'lead', {}, options);
    const seen = await asked(wire, lead);
    await wire.post(
      wire.event('', { more: { type: 'delete', targetEventId: seen.eventId, text: undefined } }),
    );
    await wire.pass(WINDOW_MS);
    expect(lead.notes.filter(({ method }) => method === 'notifications/cancelled')).toEqual([]);
    expect(await lead.reply(seen, 'No.')).toMatchObject({ ok: false });
  });
});

describe('a delivery over pull', () => {
  it.each(['ack', 'redelivery'])('without %s is not offered again', async (flag) => {
    const { wire, agent: lead } = await hostWith('pull', 'lead', {}, without('delivery', flag));
    const seen = await asked(wire, lead);
    await wire.pass(150_000);
    expect(lead.seen).toHaveLength(1);
    expect(await stateOf(wire, seen.eventId)).toMatchObject({ state: 'accepted' });
  });
});

it('a webhook is cancelled by the id of its request too', async () => {
  const { wire, agent: lead } = await hostWith('webhook', 'lead');
  const seen = await asked(wire, lead);
  expect(seen.requestId).toEqual(expect.any(String));
  await wire.post(wire.event('', { more: { type: 'delete', targetEventId: seen.eventId, text: undefined } }));
  const note = await until(() => lead.notes.find(({ method }) => method === 'notifications/cancelled'));
  expect(note.params).toMatchObject({ requestId: seen.requestId, eventId: seen.eventId });
});

async function stateOf(wire: WireHost, eventId: string): Promise<unknown> {
  const ops = await wire.token('operator', 'ops');
  const { body } = await wire.call('GET', `/v1/why/${eventId}?agent=lead`, ops);
  return (body['deliveries'] as unknown[])[0];
}
