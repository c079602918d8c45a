// Permission over MCP: a program asks through the tool `chat_ask_permission`, as `claude -p --permission-prompt-tool`
// calls it, and gets the verdict that a person gave in chat. The answer reaches nobody else.
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { PERMISSION_LIMITS } from '../../src/host/tools/permission.ts';
import { deliveryKey } from '../../src/protocol/identity.ts';
import { call } from './call.ts';
import { COMPOSE_MS, type McpHost, overHttp, startMcpHost } from './mcp-host.ts';

let at: McpHost;
let client: Client;
beforeEach(async () => {
  at = await startMcpHost();
  client = await overHttp(at, 'lead', 'legacy');
  onTestFinished(() => client.close());
});
afterEach(() => at.close());

const DM = { conversation: { id: 'dm-lead', kind: 'dm' } };
const REQUEST = { tool_name: 'Bash', input: { command: 'rm -rf build @builder' }, tool_use_id: 'toolu_1' };
const texts = () => at.posted.map(({ text }) => String(text));

/** A turn that asks for permission, and its verdict. */
async function asked(request: object = REQUEST) {
  await at.say('Please clean up the build.', DM);
  at.clock.advance(COMPOSE_MS);
  await call(client, 'chat_wait_events');
  const verdict = call(client, 'chat_ask_permission', request as Record<string, unknown>);
  await expect.poll(() => texts().some((text) => text.startsWith('May I use'))).toBe(true);
  return verdict.then(({ text }) => JSON.parse(text) as Record<string, unknown>);
}

/** Says it, and waits until the host has taken it as the answer. */
async function answer(text: string, more: object = {}): Promise<string> {
  const eventId = await at.say(text, { ...DM, ...more });
  await expect
    .poll(async () => (await at.host.context.store.get('delivery', deliveryKey(eventId, 'lead')))?.why)
    .toBe('answered_question');
  return eventId;
}

/** The verdict, once nothing more is said. When the program hears of an answer is its own business, so time passes until then. */
async function decided<T>(verdict: Promise<T>): Promise<T> {
  let isOver = false;
  const over = verdict.finally(() => (isOver = true));
  await expect
    .poll(() => {
      if (!isOver) at.clock.advance(COMPOSE_MS);
      return isOver;
    })
    .toBe(true);
  return over;
}

describe('a request for permission', () => {
  it('shows what would be done, and a yes allows it, with the input as it was', async () => {
    const verdict = asked();
    await expect.poll(() => at.posted.length).toBe(1);
    expect(texts()[0]).toMatch(/^May I use Bash: `rm -rf build @\u2060builder`\? Please answer yes or no\.$/);
    const yes = await answer('yes');
    expect(await decided(verdict)).toEqual({ behavior: 'allow', updatedInput: REQUEST.input });
    // Nobody is asked about the "yes".
    expect((await call(client, 'chat_wait_events', { timeoutMs: 0, reply: 'It is clean.' })).data).toEqual({
      events: [],
    });
    expect(texts()).toEqual([texts()[0], 'It is clean.']);
    expect(yes).toBeTruthy();
  });

  it('is denied by anything that is no plain yes, and the program hears what was said', async () => {
    for (const [said, part] of [
      [['no'], '"no"'],
      [['yes', 'but not the cache'], '"yes\\nbut not the cache"'],
    ] as const) {
      const before = at.posted.length;
      await at.say(`Please clean up the build, ${before}.`, DM);
      at.clock.advance(COMPOSE_MS);
      await call(client, 'chat_wait_events');
      const verdict = call(client, 'chat_ask_permission', REQUEST);
      await expect.poll(() => at.posted.length).toBe(before + 1);
      for (const line of said) await answer(line);
      const { behavior, message } = JSON.parse((await decided(verdict)).text) as Record<string, string>;
      expect(behavior).toBe('deny');
      expect(message).toContain(part);
      await call(client, 'chat_wait_events', { reply: `I left it alone, ${before}.`, timeoutMs: 0 });
    }
  });

  it('is answered by nobody but the one who may', async () => {
    const verdict = asked();
    await expect.poll(() => at.posted.length).toBe(1);
    const other = await at.say('yes', { ...DM, author: { id: 'U2', kind: 'human' } });
    const delivery = await at.host.context.store.get('delivery', deliveryKey(other, 'lead'));
    expect(delivery?.why ?? null).not.toBe('answered_question');
    await answer('no');
    expect(await decided(verdict)).toMatchObject({ behavior: 'deny' });
  });

  it('that nobody answers is denied in time, and so is one without a turn', async () => {
    const verdict = asked();
    await expect.poll(() => at.posted.length).toBe(1);
    at.clock.advance(PERMISSION_LIMITS.answerMs);
    expect(await verdict).toEqual({
      behavior: 'deny',
      message: expect.stringContaining('nobody answered within 4 minutes'),
    });
    const builder = await overHttp(at, 'builder', 'legacy');
    onTestFinished(() => builder.close());
    const idle = await call(builder, 'chat_ask_permission', REQUEST);
    expect(JSON.parse(idle.text)).toMatchObject({
      behavior: 'deny',
      message: expect.stringContaining('turn'),
    });
  });
});
