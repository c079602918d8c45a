// `earshot mcp --channel` as Claude Code starts it: a child process, a real host process, and the official MCP client on
// the other end of the pipe.
import type { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { earshot } from '../replay/fake-io.ts';
import { upHere } from '../server/here.ts';
import { folder, type Listening, message, until, up } from '../server/up.ts';
import { call, reply } from './call.ts';
import { stdioTransport } from './mcp-host.ts';

const METHOD = 'notifications/claude/channel';
const WORDS = 'the merger is called Bluebird';

interface Notice {
  content: string;
  meta: Record<string, string>;
}

async function connected(transport: StdioClientTransport, modern = false) {
  const notices: Notice[] = [];
  const client = new Client(
    { name: 'claude-code', version: '2.1.80' },
    modern ? { versionNegotiation: { mode: 'auto' } } : {},
  );
  client.fallbackNotificationHandler = (notification) => {
    if (notification.method === METHOD) notices.push(notification.params as unknown as Notice);
    return Promise.resolve();
  };
  let said = '';
  transport.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await client.connect(transport);
  await client.listTools();
  onTestFinished(() => client.close());
  return { client, notices, said: () => said };
}

const channelOf = (dir: string, ...flags: string[]): StdioClientTransport =>
  stdioTransport(dir, '--agent', 'lead', '--data', dir, '--channel', ...flags);

/** The host is asked in between, so that nothing spins. */
const seen = (host: Listening, is: () => boolean): Promise<boolean> =>
  until(async () => {
    await host.call('GET', '/healthz');
    return is();
  });

const visible = async (host: Listening): Promise<{ text: string }[]> =>
  (await host.call('GET', '/v1/outbox', host.tokens.surfaces['dev'])).body['messages'] as { text: string }[];

const ask = (more: Record<string, unknown> = {}) => message(`@lead ${WORDS}, can you look?`, more);

describe('a channel', () => {
  it('declares itself, knocks without a word of the message, again until it is taken, and its answer is visible once [C2A-06-02/notify/injects-the-knock]', async () => {
    const host = await upHere();
    const { client, notices } = await connected(channelOf(host.data, '--again', '1s'));
    expect(client.getServerCapabilities()?.experimental).toEqual({
      'claude/channel': {},
      'claude/channel/permission': {},
    });
    expect(client.getInstructions()).toContain('<channel kind="knock"');
    const sent = ask();
    await host.post(sent);
    await seen(host, () => notices.length >= 2);
    const [first, second] = notices;
    expect(first?.meta).toMatchObject({
      kind: 'knock',
      event_id: sent.eventId,
      from: 'human:ada',
      where: 'channel:general',
      directedness: 'to_me',
      policy: 'must_respond',
      priority: 'normal',
      knock: '1',
      read_with: 'chat_wait_events',
    });
    expect(second?.meta).toMatchObject({ event_id: sent.eventId, knock: '2' });
    expect(JSON.stringify(notices)).not.toContain('Bluebird');

    const pulled = await call(client, 'chat_wait_events', { timeoutMs: 1_000 });
    expect(pulled.data).toMatchObject({
      events: [{ eventId: sent.eventId, policy: 'must_respond', content: sent.text }],
    });
    const knocks = notices.length;
    const answer = reply('channel:general', sent.eventId, 'I have looked: it is fine.');
    expect((await call(client, 'chat_send_message', answer)).data).toMatchObject({ replayed: false });
    expect((await call(client, 'chat_send_message', answer)).data).toMatchObject({ replayed: true });
    // Longer than the next knock would have taken to come.
    expect((await call(client, 'chat_wait_events', { timeoutMs: 5_000 })).data).toMatchObject({ events: [] });
    expect(notices).toHaveLength(knocks);
    expect((await visible(host)).map(({ text }) => text)).toEqual(['I have looked: it is fine.']);
    await client.close();
    await host.stop();
  });

  it('knocks once for five fragments, and they are read as one [C2A-06-02/buffered/pieces-example]', async () => {
    const host = await upHere();
    const { client, notices } = await connected(channelOf(host.data, '--again', '600s'));
    const pieces = ['@lead when someone types', 'in', 'pieces', 'like this', 'the agent should wait'];
    const sent = pieces.map((text) => message(text));
    await host.post({ events: sent });
    await seen(host, () => notices.length >= 1);
    const pulled = await call(client, 'chat_wait_events', { timeoutMs: 5_000 });
    expect(pulled.data).toMatchObject({ events: [{ content: pieces.join('\n'), policy: 'must_respond' }] });
    // Longer than another fragment's window would take.
    expect((await call(client, 'chat_wait_events', { timeoutMs: 3_000 })).data).toMatchObject({ events: [] });
    expect(notices).toHaveLength(1);
    await client.close();
    await host.stop();
  });

  it('outlives the host: what was knocked for waits its time, what came since knocks once', async () => {
    const data = folder();
    const first = await up({ data });
    const { client, notices, said } = await connected(channelOf(data, '--again', '600s'));
    const before = ask();
    await first.post(before);
    await seen(first, () => notices.length === 1);
    expect(await first.stop('SIGKILL')).toBe(137);

    const second = await upHere({ data });
    const after = ask({ conversation: { id: 'dm-lead', kind: 'dm' } });
    await second.post(after);
    await seen(second, () => notices.length >= 2);
    expect(notices.map(({ meta }) => meta['event_id'])).toEqual([before.eventId, after.eventId]);
    const pulled = await call(client, 'chat_wait_events');
    expect(pulled.data).toMatchObject({ events: [{ eventId: before.eventId }, { eventId: after.eventId }] });
    await call(client, 'chat_send_message', reply('channel:general', before.eventId, 'Looked at one.'));
    await call(client, 'chat_send_message', reply('dm:dm-lead', after.eventId, 'Looked at the other.'));
    expect((await visible(second)).map(({ text }) => text).toSorted()).toEqual([
      'Looked at one.',
      'Looked at the other.',
    ]);

    // Down in between, and settled: the next host finds nothing to hand over, so nothing knocks.
    expect(await second.stop()).toBe(0);
    const third = await upHere({ data });
    const last = ask();
    await third.post(last);
    await seen(third, () => notices.length >= 3);
    expect(notices.at(-1)?.meta).toMatchObject({ event_id: last.eventId, knock: '1' });
    expect(said()).toContain('knocks wait for the host');
    expect(said()).not.toContain('ear_a_');
    await client.close();
    await third.stop();
  });

  it('hands what was left over to the next one, and gives way to it', async () => {
    const host = await upHere();
    const older = await connected(channelOf(host.data));
    const sent = ask();
    await host.post(sent);
    await seen(host, () => older.notices.length === 1);
    const newer = await connected(channelOf(host.data), true);
    await seen(host, () => newer.notices.length === 1);
    expect(newer.notices[0]?.meta).toMatchObject({ event_id: sent.eventId, knock: '1' });
    await seen(host, () => older.said().includes('a newer session of this agent has taken over'));
    // The tools of the older one go on working.
    expect((await call(older.client, 'chat_read_thread', { inReplyTo: sent.eventId })).isError).toBe(false);
    await newer.client.close();
    await older.client.close();
    await host.stop();
  });

  it('does not knock again for what was answered by another way', async () => {
    const host = await upHere();
    const { client, notices } = await connected(channelOf(host.data, '--again', '1s'));
    const sent = ask();
    await host.post(sent);
    await seen(host, () => notices.length === 1);
    const answer = { ...reply('channel:general', sent.eventId, 'Answered over HTTP.'), idempotencyKey: 'k1' };
    const params = { name: 'chat.send_message', arguments: answer };
    const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    await host.call('POST', '/c2a', host.tokens.agents['lead'], rpc);
    const other = ask({ conversation: { id: 'dm-lead', kind: 'dm' } });
    await host.post(other);
    const knocksFor = (id: string) => notices.filter(({ meta }) => meta['event_id'] === id).length;
    await seen(host, () => knocksFor(other.eventId) === 2);
    expect(knocksFor(sent.eventId)).toBe(1);
    await client.close();
    await host.stop();
  });

  it('says that an event was withdrawn, if it had been taken', async () => {
    const host = await upHere();
    const { client, notices } = await connected(channelOf(host.data));
    const sent = ask();
    await host.post(sent);
    await seen(host, () => notices.length === 1);
    await call(client, 'chat_read_thread', { inReplyTo: sent.eventId });
    const gone = { ...ask(), type: 'delete', targetEventId: sent.eventId, text: undefined };
    expect((await host.post(gone)).status).toBe(202);
    await seen(host, () => notices.length === 2);
    expect(notices[1]?.meta).toMatchObject({ kind: 'withdrawn', event_id: sent.eventId });
    await client.close();
    await host.stop();
  });

  it.each([
    [['--again', '15s'], '--again goes with --channel'],
    [['--channel', '--again', 'soon'], 'write seconds, such as 15s'],
  ])('%j is refused with what to write', async (flags, words) => {
    const flagged = ['mcp', '--agent', 'lead', '--url', 'http://127.0.0.1:9', '--token', 'x', ...flags];
    const ended = await earshot(flagged);
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.err).toContain(words);
  });
});

describe('permission over a channel', () => {
  const PERMISSION = 'notifications/claude/channel/permission';

  it('is asked in chat, and the verdict goes back; the revision is one of 2025 whatever is offered', async () => {
    const host = await upHere();
    const { client, notices } = await connected(channelOf(host.data), true);
    expect(client.getNegotiatedProtocolVersion()).toMatch(/^2025-/);
    const verdicts: unknown[] = [];
    const others = client.fallbackNotificationHandler;
    client.fallbackNotificationHandler = (notification) => {
      if (notification.method === PERMISSION) verdicts.push(notification.params);
      return others?.(notification) ?? Promise.resolve();
    };
    await host.post(ask());
    await seen(host, () => notices.length === 1);
    await call(client, 'chat_wait_events');
    await client.notification({
      method: `${PERMISSION}_request`,
      params: {
        request_id: 'abcde',
        tool_name: 'Bash',
        description: 'Deploys the site',
        input_preview: '{"command":"npm run deploy"}',
      },
    });
    await until(async () => (await visible(host)).length === 1);
    const [question] = (await visible(host)) as { text: string; idempotencyKey?: string }[];
    expect(question?.text).toBe('May I use Bash: `npm run deploy`? Please answer yes or no.');
    const shown = { key: question?.idempotencyKey, platformId: 'p1' };
    await host.call('POST', '/v1/outbox/ack', host.tokens.surfaces['dev'], shown);
    await host.post(message('yes'));
    await seen(host, () => verdicts.length === 1);
    expect(verdicts).toEqual([{ request_id: 'abcde', behavior: 'allow' }]);
    // The yes was for the question: it knocks for nothing.
    expect(notices).toHaveLength(1);
  });
});
