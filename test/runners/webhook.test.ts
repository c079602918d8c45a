// Agents that only listen, against a real host process: the example as it stands, and `webhookHandler` in this process.
// Deliveries go out signed; what the response says is visible once.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nodeListener, webhookHandler, type WebhookOptions } from '../../src/agent/runners/webhook.ts';
import { readAnswer } from '../../src/host/harness/webhook-answer.ts';
import { TROUBLE_LINES } from '../../src/host/outbox/trouble-lines.ts';
import { upHere } from '../server/here.ts';
import { childEnv, folder, message, type Listening, until, up } from '../server/up.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;

/** The example, with a `think` of the test's. */
async function example(think: string, secret = SECRET): Promise<{ url: string; calls: () => number }> {
  const dir = folder();
  const [file, counted] = [join(dir, 'think.mjs'), join(dir, 'calls')];
  writeFileSync(counted, '');
  writeFileSync(
    file,
    `import { appendFileSync, readFileSync } from 'node:fs';
export async function think(text, event) {
  appendFileSync(${JSON.stringify(counted)}, '.');
  const nth = readFileSync(${JSON.stringify(counted)}, 'utf8').length;
  ${think}
}
`,
  );
  const child = spawn(process.execPath, [resolve('examples/webhook/server.mjs'), file], {
    env: childEnv({ WEBHOOK_SECRET: secret, PORT: '0' }),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { url: `http://127.0.0.1:${line.split(' ').at(-1)}`, calls: () => readFileSync(counted).length };
}

async function handler(options: Omit<WebhookOptions, 'secret'>, posted = () => {}): Promise<string> {
  const quiet = { debug() {}, info() {}, warn() {}, error() {} };
  const handle = webhookHandler({ secret: SECRET, log: quiet, ...options });
  const counted = (request: Request): Promise<Response> => {
    posted();
    return handle(request);
  };
  const server = createServer(nodeListener(counted));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

function host(url: string, agent?: string, limits?: string): Promise<Listening> {
  return upHere({ data: configured(url, agent, limits) });
}

function configured(url: string, agent = '{ id: lead }', limits = 'retryBaseMs: 1'): string {
  const data = folder();
  writeFileSync(
    join(data, 'earshot.yaml'),
    `agents: [${agent}]
host:
  webhooks: [{ agent: lead, url: "${url}", secret: "${SECRET}" }]
  limits: { ${limits} }
`,
  );
  return data;
}

const slowly = (): Promise<string> =>
  new Promise((answer) => {
    setTimeout(() => answer('Slowly.'), 1_500);
  });

interface Shown {
  type: string;
  text?: string;
  replyTo?: string;
  signal?: string;
}

async function shown(at: Listening): Promise<Shown[]> {
  return (await at.call('GET', '/v1/outbox', at.tokens.surfaces['dev'])).body['messages'] as Shown[];
}

const some = (at: Listening): Promise<Shown[]> =>
  until(async () => {
    const all = await shown(at);
    return all.length > 0 && all;
  });

async function why(at: Listening, eventId: string): Promise<string> {
  return (await at.call('GET', `/v1/why/${eventId}?agent=lead`, at.tokens.operator)).text;
}

describe('the example', () => {
  it('answers a signed delivery in its response, visibly once', async () => {
    const { url } = await example('return `${nth}: ${event.author.displayName} said "${text}"`;');
    const at = await host(url);
    const sent = message('@lead are you there?');
    await at.post(sent);
    expect(await some(at)).toMatchObject([
      { type: 'message', text: '1: Ada said "@lead are you there?"', replyTo: sent.eventId },
    ]);
    expect(await at.stop()).toBe(0);
  });

  it('is posted to again after a failure, and answers once', async () => {
    const { url, calls } = await example('if (nth < 3) throw new Error("not yet"); return `after ${nth}`;');
    const at = await host(url);
    await at.post(message('@lead are you there?'));
    expect(await some(at)).toMatchObject([{ text: 'after 3' }]);
    // A further one, so that anything still under way for the first would be seen.
    await at.post(message('@lead and now?', { author: { id: 'bob', kind: 'human' } }));
    const all = await until(async () => {
      const now = await shown(at);
      return now.length >= 2 && now;
    });
    expect(all.map(({ text }) => text)).toEqual(['after 3', 'after 4']);
    expect(calls()).toBe(4);
    await at.stop();
  });

  it('gets fragments as one, and nothing of them is left open', async () => {
    const { url } = await example('return `read: ${text.replaceAll("\\n", " / ")}`;');
    const at = await host(url);
    await at.post(message('@lead can you look'));
    await at.post(message('at the build?'));
    expect(await some(at)).toMatchObject([{ text: 'read: @lead can you look / at the build?' }]);
    const open = await until(async () => {
      const { body } = await at.call('GET', '/v1/deliveries?agent=lead', at.tokens.operator);
      const rows = body['deliveries'] as { state: string }[];
      return rows.every(({ state }) => state === 'settled' || state === 'superseded') && rows;
    });
    expect(open.length).toBeGreaterThan(1);
    await at.stop();
  });

  it('answers once when the host dies while it is being asked', async () => {
    const { url, calls } = await example(
      'await new Promise((done) => setTimeout(done, 1_500)); return `asked ${nth} times`;',
    );
    const first = await up({ data: configured(url) });
    await first.post(message('@lead are you there?'));
    await until(async () => {
      await first.call('GET', '/healthz');
      return calls() === 1;
    });
    expect(await first.stop('SIGKILL')).toBe(137);
    const second = await upHere({ data: first.data });
    expect(await some(second)).toMatchObject([{ text: 'asked 1 times' }]);
    expect(calls()).toBe(1);
    await second.stop();
  });

  it('refuses what is not signed with its secret, which the host shows as a dead letter', async () => {
    const { url, calls } = await example('return "never";', OTHER);
    const at = await host(url);
    const sent = message('@lead are you there?');
    await at.post(sent);
    const letter = await until(async () => {
      const { body } = await at.call('GET', '/v1/inbox', at.tokens.operator);
      return (body['inbox'] as { kind: string }[] | undefined)?.find(({ kind }) => kind === 'dead_letter');
    });
    expect(JSON.stringify(letter)).toContain('401');
    expect(calls()).toBe(0);
    // Whoever asked is told, and nothing of the answer is shown.
    expect(await some(at)).toMatchObject([{ type: 'message', text: TROUBLE_LINES.en['gave-up']('lead') }]);
    await at.stop();
  });

  it('gives the same delivery the same answer, and no other signature any [C2A-06-02/inbound/dedupe-by-event-id]', async () => {
    const { url, calls } = await example('return `${nth}`;');
    const delivery = {
      eventId: 'e1',
      author: { id: 'U1', kind: 'human' },
      attention: { policy: 'must_respond' },
      content: [],
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 'x', method: 'chat/deliver', params: delivery });
    const at = new Date();
    const post = async (secret: string, id: string, when = at) => {
      const response = await fetch(url, {
        method: 'POST',
        body,
        headers: {
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(when.getTime() / 1_000)),
          'webhook-signature': new Webhook(secret).sign(id, when, body),
        },
      });
      return [response.status, await response.json()];
    };
    expect(await post(SECRET, 'm1')).toEqual([200, { reply: '1' }]);
    expect(await post(SECRET, 'm1')).toEqual([200, { reply: '1' }]);
    expect(await post(SECRET, 'm2')).toEqual([200, { reply: '2' }]);
    expect((await post(OTHER, 'm3'))[0]).toBe(401);
    expect((await post(SECRET, 'm4', new Date(at.getTime() - 600_000)))[0]).toBe(401);
    expect(calls()).toBe(2);
  });
});

describe('an answer in a response', () => {
  it.each([
    ['{"reply":"x"}', { reply: 'x' }],
    ['{"reply":"x","output":{"tokens":3}}', { reply: 'x' }],
    ['{"react":"done"}', { react: 'done' }],
    ['{"claim":true}', { claim: true }],
    ['{"silent":true}', { silent: true }],
  ])('%s is one', (body, answer) => {
    expect(readAnswer(body)).toEqual({ type: 'answer', answer });
  });

  it.each(['', '{}', '[]', 'ok', 'null', '{"ok":true}', '<html>'])('%j only acknowledges', (body) => {
    expect(readAnswer(body)).toEqual({ type: 'none' });
  });

  it.each(['{"reply":1}', '{"react":"party"}', '{"silent":false}', '{"reply":"x","react":"done"}'])(
    '%s is told apart, with what to write instead',
    (body) => {
      expect(readAnswer(body)).toMatchObject({
        type: 'unreadable',
        problem: expect.stringContaining('{"reply": text}'),
      });
    },
  );

  it('with files that cannot be read says what is wrong with them', () => {
    const body = JSON.stringify({ reply: 'Here.', attachments: [{ name: 'a.txt' }] });
    expect(readAnswer(body)).toMatchObject({
      type: 'unreadable',
      problem: expect.stringContaining('exactly one of text, base64'),
    });
  });
});

describe('webhookHandler', () => {
  it('asks with the rendered prompt and posts the reply', async () => {
    const prompts: string[] = [];
    const url = await handler({
      onEvent: ({ event, prompt }) => {
        prompts.push(prompt);
        return `Yes, ${event.author.displayName}.`;
      },
    });
    const at = await host(url);
    const sent = message('@lead are you there?');
    await at.post(sent);
    expect(await some(at)).toMatchObject([{ text: 'Yes, Ada.', replyTo: sent.eventId }]);
    expect(prompts).toHaveLength(1);
    expect(prompts[0]).toContain('C2A RESPONSE RULES');
    expect(prompts[0]).toMatch(/MESSAGE\n<<<chat (\w+)\n@lead are you there\?\n\1 chat>>>/);
    await at.stop();
  });

  it('is told who it is and who is here, and its prompt says so', async () => {
    const prompts: string[] = [];
    const url = await handler({
      onEvent: ({ system }) => {
        prompts.push(system);
        return 'Yes.';
      },
    });
    const named = '{ id: lead, name: Lena, roles: [ops], lead: boss }, { id: boss }';
    const at = await host(url, named);
    const author = { id: 'U2', kind: 'human', displayName: 'Bob' };
    await at.post({ ...message('the build is red'), author });
    await at.post(message('@lead are you there?'));
    await some(at);
    expect(prompts[0]).toContain(
      'YOU\nYou are agent:lead, an agent in a chat with people and other agents.\nalso_called: Lena\nroles: ops\nlead: agent:boss\n',
    );
    const here = prompts[0]?.split('\nHERE ')[1]?.split('\n').slice(1);
    expect(here).toEqual([
      '- agent:lead (you), called Lena',
      '- agent:boss',
      '- human:Bob, id U2',
      '- human:Ada, id ada',
    ]);
    await at.stop();
  });

  it('may take longer than an acknowledgement: it is not posted twice for that', async () => {
    let posts = 0;
    const url = await handler({ onEvent: slowly }, () => posts++);
    const at = await host(url, '{ id: lead }', 'retryBaseMs: 1, ackTimeoutMs: 100');
    await at.post(message('@lead are you there?'));
    expect(await some(at)).toMatchObject([{ text: 'Slowly.' }]);
    expect(posts).toBe(1);
    await at.stop();
  });

  it('may say something by a call of its own, and answer in the response too', async () => {
    const calls = Promise.withResolvers<Listening>();
    const url = await handler({
      async onEvent({ event }) {
        const at = await calls.promise;
        const { eventId: inReplyTo, conversation } = event;
        const said = { target: conversation.target, inReplyTo, text: 'Looking.', idempotencyKey: 'k1' };
        const args = { ...said, visibility: 'channel', directedness: 'to_me' };
        const params = { name: 'chat.send_message', arguments: args };
        const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
        await at.call('POST', '/c2a', at.tokens.agents['lead'], rpc);
        return 'It is green.';
      },
    });
    const at = await host(url);
    calls.resolve(at);
    await at.post(message('@lead is the build red?'));
    const all = await until(async () => {
      const now = await shown(at);
      return now.length === 2 && now;
    });
    expect(all.map(({ text }) => text)).toEqual(['Looking.', 'It is green.']);
    await at.stop();
  });

  it('reacts in place of a sentence', async () => {
    const at = await host(await handler({ onEvent: () => ({ react: 'done' }) }));
    const sent = message('@lead please restart the build');
    await at.post(sent);
    expect(await some(at)).toMatchObject([{ type: 'reaction', signal: 'done' }]);
    expect(await until(async () => (await why(at, sent.eventId)).includes('responded'))).toBe(true);
    await at.stop();
  });

  it('may be silent: what must be answered is asked once more, with a reminder', async () => {
    const notices: (readonly string[])[] = [];
    const url = await handler({
      onEvent: ({ event }) => {
        notices.push(event.notices);
        return event.notices.includes('reminder') ? 'Here I am.' : 'NO_REPLY';
      },
    });
    const at = await host(url);
    await at.post(message('@lead are you there?'));
    expect(await some(at)).toMatchObject([{ text: 'Here I am.' }]);
    expect(notices).toEqual([[], ['reminder']]);
    await at.stop();
  });

  it('takes what is offered to its role, and answers it', async () => {
    const texts: string[] = [];
    const url = await handler({
      onEvent: ({ event }) => {
        texts.push(event.text);
        return 'On it.';
      },
    });
    const at = await host(url, '{ id: lead, roles: [oncall] }');
    await at.post(message('@oncall the build is red', { mentions: [{ kind: 'role', id: 'oncall' }] }));
    expect(await until(async () => (await shown(at)).find(({ type }) => type === 'message'))).toMatchObject({
      text: 'On it.',
    });
    expect(texts).toEqual(['@oncall the build is red']);
    await at.stop();
  });

  it('is told that an event was withdrawn, and its answer is dropped', async () => {
    const asked = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    const url = await handler({
      onEvent: async ({ event, signal }) => {
        if (event.text.includes('second')) return 'Second.';
        asked.resolve();
        await once(signal, 'abort');
        over.resolve();
        return 'Too late.';
      },
    });
    const at = await host(url);
    const sent = message('@lead first');
    await at.post(sent);
    await asked.promise;
    await at.post({ ...message(''), type: 'delete', targetEventId: sent.eventId, text: undefined });
    await over.promise;
    await at.post(message('@lead second'));
    expect((await some(at)).map(({ text }) => text)).toEqual(['Second.']);
    await at.stop();
  });

  it('gets what its author adds while it works as one: cancelled first, then everything, and one answer', async () => {
    const asked = Promise.withResolvers<void>();
    const heard: string[] = [];
    const url = await handler({
      onEvent: async ({ event, signal }) => {
        heard.push(event.text);
        if (event.text.includes('staging')) return 'Both are green.';
        asked.resolve();
        await once(signal, 'abort');
        heard.push('cancelled');
        return 'Production is green.';
      },
    });
    const at = await host(url);
    const sent = message('@lead is production green?');
    await at.post(sent);
    await asked.promise;
    const more = message('@lead and staging?');
    await at.post(more);
    expect((await some(at)).map(({ text }) => text)).toEqual(['Both are green.']);
    expect(heard).toEqual([
      '@lead is production green?',
      'cancelled',
      '@lead is production green?\n@lead and staging?',
    ]);
    // A late answer to what was cancelled is refused, and says what to answer instead.
    const args = {
      target: 'channel:general',
      inReplyTo: sent.eventId,
      text: 'Late.',
      idempotencyKey: 'late',
    };
    const params = {
      name: 'chat.send_message',
      arguments: { ...args, visibility: 'channel', directedness: 'to_me' },
    };
    const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const late = await at.call('POST', '/c2a', at.tokens.agents['lead'], rpc);
    expect(late.text).toContain('must_not_respond');
    expect(await shown(at)).toHaveLength(1);
    await at.stop();
  });

  it('does not hold up a host that stops', async () => {
    const asked = Promise.withResolvers<void>();
    const url = await handler({
      onEvent: () => {
        asked.resolve();
        return new Promise(() => {});
      },
    });
    const at = await host(url);
    await at.post(message('@lead are you there?'));
    await asked.promise;
    expect(await at.stop()).toBe(0);
  });

  it('answers a request that is no delivery with what is wrong', async () => {
    const handle = webhookHandler({ secret: SECRET, onEvent: () => 'x' });
    const ask = async (method: string, body?: string, signed = SECRET) => {
      const now = new Date();
      const headers = {
        'webhook-id': 'm1',
        'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
        'webhook-signature': new Webhook(signed).sign('m1', now, body ?? ''),
      };
      const request = new Request('http://a.example/', {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
      });
      return (await handle(request)).status;
    };
    expect(await ask('GET')).toBe(405);
    expect(await ask('POST', '{}', OTHER)).toBe(401);
    expect(await ask('POST', 'no JSON')).toBe(400);
    expect(await ask('POST', '{"jsonrpc":"2.0","id":1,"method":"chat/deliver","params":{}}')).toBe(400);
    expect(await ask('POST', `"${'x'.repeat(2 ** 20)}"`)).toBe(413);
    expect(await ask('POST', '{"jsonrpc":"2.0","method":"notifications/typing","params":{}}')).toBe(204);
  });
});
