// The prompt of a turn, as an operator reads it back: what the model read, to the byte, without secrets, for a while,
// and not longer than the words it quotes.
import { describe, expect, it } from 'vitest';
import type { PromptsShown } from '../../src/protocol/operator-api.ts';
import { PROMPT_LIMITS } from '../../src/protocol/turn-report.ts';
import { until, type WireHost, wireHost } from './host.ts';
import { harness } from './ways.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

async function promptsOf(wire: WireHost, eventId: string, agent = 'lead'): Promise<PromptsShown> {
  const token = await wire.token('operator', 'local');
  const { status, body } = await wire.call('GET', `/v1/why/${eventId}/prompt?agent=${agent}`, token);
  expect(status).toBe(200);
  return body as unknown as PromptsShown;
}

/** One that answers every turn, and what its model read. */
async function answering(wire: WireHost, tell: (prompt: string) => string | undefined = () => undefined) {
  const read: string[] = [];
  const lead = await harness(wire, 'lead', 'sdk', {
    onTurn(turn) {
      read.push(turn.prompt);
      const told = tell(turn.prompt);
      if (told !== undefined) turn.tellPrompt(told);
      return 'Done.';
    },
  });
  return { lead, read };
}

async function asked(wire: WireHost, text: string, read: readonly string[]): Promise<string> {
  const before = read.length;
  const eventId = await wire.say(text);
  await wire.pass(3_000);
  await until(() => read.length > before, 'the turn');
  await wire.pass(2_000);
  return eventId;
}

describe('the prompt of a turn', () => {
  it('is stored as the model read it, and shown to operators alone', async () => {
    const wire = await wireHost();
    const { read } = await answering(wire);
    const eventId = await asked(wire, '@lead is it green?', read);
    const { prompts } = await promptsOf(wire, eventId);
    expect(prompts.map(({ text }) => text)).toEqual(read);
    const path = `/v1/why/${eventId}/prompt?agent=lead`;
    expect((await wire.call('GET', path, await wire.token('agent', 'lead'))).status).toBe(403);
    expect((await wire.call('GET', path, await wire.token('person', 'ada'))).status).toBe(403);
  });

  it('has every turn that the event took, the restarted ones too', async () => {
    const wire = await wireHost();
    const read: string[] = [];
    await harness(wire, 'lead', 'sdk', {
      onTurn: (turn) => {
        read.push(turn.prompt);
        if (read.length > 1) return 'Both are green.';
        return new Promise<string>((resolve) => {
          turn.signal.addEventListener('abort', () => resolve(''), { once: true });
        });
      },
    });
    const eventId = await asked(wire, '@lead is staging green?', read);
    await asked(wire, 'and production?', read);
    const { prompts } = await promptsOf(wire, eventId);
    expect(prompts.map(({ text }) => text)).toEqual(read);
    expect(new Set(prompts.map(({ turnId }) => turnId)).size).toBe(2);
  });

  it('holds no secret, whoever put it there, and is cut in the middle', async () => {
    const wire = await wireHost();
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    const { read } = await answering(wire, (prompt) => `${prompt}\n${secret}\n${'x'.repeat(100_000)}END`);
    const eventId = await asked(wire, '@lead is it green?', read);
    const [prompt] = (await promptsOf(wire, eventId)).prompts;
    expect(prompt?.text).not.toContain(secret);
    expect(prompt?.text.startsWith('C2A RESPONSE RULES')).toBe(true);
    expect(prompt?.text.endsWith('xEND')).toBe(true);
    expect(prompt?.text).toContain('left out');
    expect(prompt?.text.length).toBeLessThanOrEqual(PROMPT_LIMITS.chars);
  });

  it('is gone with a message that was deleted', async () => {
    const wire = await wireHost();
    const { read } = await answering(wire);
    const overheard = await wire.say('the code of the door is 4711');
    const eventId = await asked(wire, '@lead is it green?', read);
    expect(read[0]).toContain('4711');
    const { conversation, author, platform, workspaceId } = wire.event('');
    await wire.post({
      eventId: 'gone',
      at: wire.clock.now(),
      platform,
      workspaceId,
      conversation,
      author,
      type: 'delete',
      targetEventId: overheard,
    });
    await wire.pass(1_000);
    expect((await promptsOf(wire, eventId)).prompts).toEqual([]);
  });

  it('is kept for as long as the settings say, and none is when they say so', async () => {
    const wire = await wireHost({ host: { limits: { promptsMs: 2 * DAY, heartbeatMs: 30 * DAY } } });
    const { read } = await answering(wire);
    const eventId = await asked(wire, '@lead is it green?', read);
    await wire.pass(DAY, DAY);
    expect((await promptsOf(wire, eventId)).prompts).toHaveLength(1);
    await wire.pass(2 * DAY, DAY);
    await wire.pass(2 * HOUR, HOUR);
    expect((await promptsOf(wire, eventId)).prompts).toEqual([]);
    const none = await wireHost({ host: { limits: { promptsMs: 0 } } });
    const other = await answering(none);
    const unkept = await asked(none, '@lead is it green?', other.read);
    expect(await promptsOf(none, unkept)).toMatchObject({ prompts: [], note: /promptsMs is 0/ });
  });

  it('is what the host rendered, for a model that pulls', async () => {
    const wire = await wireHost();
    const lead = await harness(wire, 'lead', 'mcp');
    const eventId = await wire.say('@lead is it green?');
    await wire.pass(3_000);
    await lead.next((seen) => seen.eventId === eventId);
    await wire.pass(2_000);
    const [prompt] = (await promptsOf(wire, eventId)).prompts;
    expect(prompt).toMatchObject({ text: expect.stringContaining('@lead is it green?') as string });
    expect(prompt?.turnId).toBeUndefined();
  });
});
