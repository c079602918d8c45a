import { firstPersonName } from '../../../src/cli/first-person.ts';
import { systemUser } from '../../../src/runtime/system-user.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WebSocket as Ws } from 'ws';
import { WEB_CHAT_LIMITS } from '../../../src/protocol/web-chat.ts';
import { WEB_RATES } from '../../../src/host/web-chat/serve.ts';
import { newKey, openTab, Refusal, signIn } from './tab.ts';
import { office } from './office.ts';
import { team } from './team.ts';

/** The status of a refused upgrade, or 101. */
function upgrade(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = new Ws(url.replace('http', 'ws'), { headers });
    socket.on('open', () => {
      socket.close();
      resolve(101);
    });
    socket.on('unexpected-response', (request, response) => {
      request.destroy();
      resolve(response.statusCode ?? 0);
    });
    socket.on('error', reject);
  });
}

describe('who may open a tab', () => {
  it('pages of this host, by its own name, and nobody from elsewhere', async () => {
    const { url } = await office({ allowedHosts: ['chat.example.com'] });
    const at = `${url}/web`;
    const { host } = new URL(url);
    expect(await upgrade(at, {})).toBe(101);
    expect(await upgrade(at, { origin: `http://${host}` })).toBe(101);
    expect(await upgrade(at, { origin: 'https://evil.example' })).toBe(403);
    expect(await upgrade(at, { origin: 'null' })).toBe(403);
    expect(await upgrade(at, { host: 'evil.example' })).toBe(403);
    expect(await upgrade(at, { host: 'chat.example.com', origin: 'https://chat.example.com' })).toBe(101);
    expect(await upgrade(`${url}/elsewhere`, {})).toBe(404);
  });

  it.each([
    ['nobody', 'ear_p_wrong'],
    ['nobody', `ear_p_${'x'.repeat(43)}`],
    ['an agent', 'agent'],
    ['an operator', 'operator'],
    ['a source', 'surface'],
  ] as const)('not with a token of %s (%s), even one of the same name', async (_, given) => {
    const { url, tokens, person } = await office();
    await person('ada');
    const kind = given === 'agent' || given === 'operator' || given === 'surface' ? given : undefined;
    const token =
      kind === undefined ? given : (await tokens.issue({ kind, subject: 'ada', label: '' })).token;
    const tab = await openTab(url);
    const hello = await tab.ask('hello', { token }).catch((error: unknown) => error);
    expect((hello as Refusal).error.data.name).toBe('unauthorized');
    expect(await tab.closed).toBe(4401);
  });

  it('a person with a token, until it is revoked', async () => {
    const room = await team();
    const ada = await room.person('ada');
    const bob = await room.person('bob');
    const { operator } = room.host.tokens;
    const revoked = await room.host.call('DELETE', `/v1/tokens/${ada.key}`, operator);
    expect(revoked.status).toBe(200);
    expect(await ada.tab.closed).toBe(4401);
    await expect(signIn(room.host.url, ada.token)).rejects.toThrow('The token is missing or not valid.');
    const gone = await bob.tab.ask('create', { kind: 'dm', key: newKey(), with: 'human:ada' }).catch(String);
    expect(gone).toContain('There is no such person');
    // A person's token opens nothing else.
    for (const path of ['/v1/log', '/v1/agents', '/v1/tokens', '/v1/outbox']) {
      expect((await room.host.call('GET', path, bob.token)).status).toBe(403);
    }
  });

  it('the person of the first start, by the token in the data folder', async () => {
    const room = await team();
    const { people } = room.host.tokens as unknown as { people: Record<string, string> };
    const { hello } = await signIn(room.host.url, people['you'] ?? '');
    const name = firstPersonName(systemUser(), ['lead', 'builder']);
    expect(hello.me).toEqual({ id: 'you', name, connected: true, unnamed: true });
    expect(name).not.toBe('You');
  });

  it('not for longer than it takes to say hello, nor in silence', async () => {
    const { url, clock, person } = await office();
    const tab = await openTab(url);
    await expect(tab.ask('open', { conversation: 'general' })).rejects.toThrow(
      'Say "hello" with a token first.',
    );
    clock.advance(WEB_CHAT_LIMITS.helloMs);
    expect(await tab.closed).toBe(1000);
    const ada = await person('ada');
    clock.advance(WEB_CHAT_LIMITS.silentMs - 1);
    await ada.tab.ask('ping', {});
    clock.advance(WEB_CHAT_LIMITS.silentMs - 1);
    await ada.tab.ask('ping', {});
    clock.advance(WEB_CHAT_LIMITS.silentMs);
    expect(await ada.tab.closed).toBe(1000);
  });

  it('once a connection, and at most so many tabs', async () => {
    const { person, url } = await office();
    const ada = await person('ada');
    await expect(ada.tab.ask('hello', { token: ada.token })).rejects.toThrow(Refusal);
    for (let n = 1; n < 32; n++) await signIn(url, ada.token);
    await expect(signIn(url, ada.token)).rejects.toThrow('Too fast');
    await ada.tab.close();
    // A close is heard a moment later than it is said.
    let again = false;
    while (!again)
      again = await signIn(url, ada.token).then(
        () => true,
        () => false,
      );
    expect(again).toBe(true);
  });
});

describe('what is not for somebody does not exist for them', () => {
  it('a direct message between two others: not by its id, its messages, its thread or a reaction', async () => {
    const { person, store, signInAgain } = await office();
    const [ada, bob, eve] = [await person('ada'), await person('bob'), await person('eve')];
    const dm = await ada.tab.ask('create', { kind: 'dm', key: newKey(), with: 'human:bob' });
    const { id } = dm.conversation;
    expect(dm.conversation).toMatchObject({ title: 'bob', members: ['human:ada', 'human:bob'], agents: [] });
    const secret = await ada.tab.say(id, 'between us two, not for @lead');
    const heard = await bob.tab.until('message');
    expect(heard.message.text).toBe('between us two, not for @lead');
    const { eventId } = secret;
    const key = newKey();
    const tries: [string, Promise<unknown>][] = [
      ['open', eve.tab.ask('open', { conversation: id })],
      ['post', eve.tab.ask('post', { key, conversation: id, text: 'hello' })],
      ['reply', eve.tab.ask('post', { key, conversation: 'general', text: 'hm', replyTo: eventId })],
      ['before', eve.tab.ask('open', { conversation: 'general', before: eventId })],
      ['react', eve.tab.ask('react', { key, eventId, signal: 'seen' })],
      ['edit', eve.tab.ask('edit', { key, eventId, text: 'x' })],
      ['delete', eve.tab.ask('delete', { key, eventId })],
      ['read', eve.tab.ask('read', { conversation: id, eventId })],
      ['typing', eve.tab.ask('typing', { conversation: id })],
      ['thread', eve.tab.ask('create', { kind: 'thread', key, parent: eventId })],
      ['thread by id', eve.tab.ask('open', { conversation: eventId })],
    ];
    for (const [what, tried] of tries) {
      const name = await tried.then(
        () => 'done',
        (error: unknown) => (error as Refusal).error.data.name,
      );
      expect([what, name]).toEqual([what, 'not_found']);
    }
    const again = await signInAgain(eve, '0');
    expect(JSON.stringify([eve.tab.told, again.tab.told, again.hello])).not.toContain('between us');
    // No agent was asked about it either, whatever it is bound to.
    const row = await store.get('log', eventId);
    expect(row?.decisions).toEqual([]);
    await ada.tab.ask('edit', { key: newKey(), eventId, text: '@lead and @builder' });
    await bob.tab.ask('react', { key: newKey(), eventId, signal: 'agree' });
    const rows = await store.scan('delivery', 'byState', { eq: ['queued'], limit: 10 });
    expect(rows).toEqual([]);
  });
});

describe('bounds', () => {
  it('says when to come back to somebody who writes too fast, and stores nothing of it', async () => {
    const { person, clock } = await office();
    const ada = await person('ada');
    const bob = await person('bob');
    const { burst } = WEB_RATES.writes;
    for (let n = 0; n < burst; n++) await ada.tab.say('general', `${n}`);
    const refused = await ada.tab.say('general', 'too much').catch((error: unknown) => error as Refusal);
    const { data, message } = (refused as Refusal).error;
    expect(data).toMatchObject({ name: 'rate_limited', retryAfterMs: expect.any(Number) as number });
    expect(message).toMatch(/^Too fast\. Wait \d+ s/);
    expect((await bob.tab.say('general', 'I may')).text).toBe('I may');
    clock.advance(data.retryAfterMs ?? 0);
    await ada.tab.say('general', 'now');
    const { messages } = await bob.tab.ask('open', { conversation: 'general', limit: 100 });
    expect(messages.map(({ text }) => text)).not.toContain('too much');
    expect(messages).toHaveLength(burst + 2);
  });

  it('sends long pages in parts', async () => {
    const { person } = await office();
    const ada = await person('ada');
    const long = '漢'.repeat(WEB_CHAT_LIMITS.textChars);
    for (let n = 0; n < 20; n++)
      await ada.tab.say('general', `${n} ${long}`.slice(0, WEB_CHAT_LIMITS.textChars));
    const seen: string[] = [];
    let before: string | undefined;
    for (let more = true; more; ) {
      const params = { conversation: 'general', limit: 100, ...(before === undefined ? {} : { before }) };
      const page = await ada.tab.ask('open', params);
      seen.unshift(...page.messages.map(({ text }) => text.split(' ', 1)[0] ?? ''));
      before = page.messages[0]?.eventId;
      ({ more } = page);
    }
    expect(seen).toEqual(Array.from({ length: 20 }, (_, n) => String(n)));
    const tooLong = ada.tab.say('general', 'x'.repeat(WEB_CHAT_LIMITS.textChars + 1));
    await expect(tooLong).rejects.toThrow('text');
  });

  it('closes on a frame that is too large, and the host goes on', async () => {
    const { person, url } = await office();
    const ada = await person('ada');
    ada.tab.socket.send('x'.repeat(WEB_CHAT_LIMITS.frameBytes + 1));
    expect(await ada.tab.closed).toBeGreaterThan(1000);
    expect((await signIn(url, ada.token)).hello.me.id).toBe('ada');
  });
});

describe('frames nobody would send', () => {
  it('never end the tab or the host', async () => {
    const { person, clock } = await office();
    const ada = await person('ada');
    const bob = await person('bob');
    const word = fc.oneof(
      fc.constantFrom(
        'general',
        'dm:@ada:@bob',
        'dm:@ada:lead',
        'human:bob',
        'agent:lead',
        'agree',
        'channel',
        'thread',
        '__proto__',
        '\u0000',
        '\ud800',
      ),
      fc.string({ unit: 'binary', maxLength: 20 }),
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 3 },
        word,
        fc.double(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(word, tie('any'), { maxKeys: 3 }),
      ),
    })).any;
    const methods = [
      'hello',
      'ping',
      'open',
      'post',
      'edit',
      'delete',
      'react',
      'typing',
      'create',
      'read',
      'nope',
    ];
    const fields = [
      'key',
      'conversation',
      'text',
      'eventId',
      'signal',
      'kind',
      'name',
      'with',
      'parent',
      'before',
      'limit',
      'replyTo',
      'token',
    ];
    const params = fc.oneof(value, fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 5 }));
    const frame = fc.oneof(
      fc.string(),
      value.map((any) => JSON.stringify(any)),
      fc
        .record({ method: fc.constantFrom(...methods), params, id: fc.integer({ min: 1_000 }) })
        .map((rpc) => JSON.stringify({ jsonrpc: '2.0', ...rpc })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { maxLength: 10 }), async (frames) => {
        for (const text of frames) ada.tab.socket.send(text);
        expect(await ada.tab.ask('ping', {})).toEqual({});
        clock.advance(WEB_CHAT_LIMITS.silentMs / 2); // the rate limits are not what is tried here
      }),
      { numRuns: 100 },
    );
    await bob.tab.closed; // in silence
    const { messages } = await ada.tab.ask('open', { conversation: 'general', limit: 100 });
    expect(messages.every(({ text }) => text !== '')).toBe(true);
    expect(ada.tab.socket.readyState).toBe(WebSocket.OPEN);
  });
});
