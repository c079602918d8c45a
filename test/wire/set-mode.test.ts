// A request that the host did not read reaches the model, whose rules name the tool for it: chat.set_mode. The tool does
// in every kind of conversation what the host would have done, and says what happens next.
import { describe, expect, it } from 'vitest';
import type { Turn } from '../../src/agent/index.ts';
import { type Line, until, type WireHost } from './host.ts';
import { hostWith, type Way, type WireHarness } from './ways.ts';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** Nobody is asked anything in words that the host knows. */
const ODD = 'your presence in these parts has become rather superfluous, old sport';
const STEP_MS = 4_000;
const PLACES: Record<string, { line: Line; target: string; named: string }> = {
  channel: { line: {}, target: 'channel:general', named: '@lead ' },
  thread: { line: { in: 'T1', thread: 'general' }, target: 'thread:T1', named: '@lead ' },
  dm: { line: { in: 'D1', kind: 'dm', more: { recipients: ['agent:lead'] } }, target: 'dm:D1', named: '' },
};

async function say(wire: WireHost, text: string, line: Line): Promise<string> {
  const eventId = await wire.say(text, line);
  await wire.pass(STEP_MS, STEP_MS / 2);
  return eventId;
}

const came = (lead: WireHarness, eventId: string): boolean =>
  lead.seen.some((one) => one.eventId === eventId);

/** The SDK's model says a line and calls the tool inside its turn; other harnesses do it by hand. */
async function obey(
  way: Way,
  place: keyof typeof PLACES,
  mode: string,
): Promise<{ wire: WireHost; lead: WireHarness; result: Record<string, unknown> }> {
  const { line, target, named } = PLACES[place] ?? { line: {}, target: '', named: '' };
  let told: Record<string, unknown> | undefined;
  const onTurn = async (turn: Turn): Promise<string | void> => {
    if (!turn.text.includes('superfluous')) return;
    expect(turn.prompt).toContain('chat_set_mode');
    const tool = turn.tools.find(({ name }) => name === 'chat_set_mode');
    await turn.reply('As you wish.');
    const outcome = await tool?.call({ mode });
    expect(outcome).toMatchObject({ ok: true });
    told = outcome?.data;
  };
  const { wire, agent: lead } = await hostWith(way, 'lead', {}, { onTurn });
  const eventId = await say(wire, `${named}${ODD}`, line);
  const seen = await lead.next((one) => one.eventId === eventId, 'the odd request');
  expect(seen.policy).toBe('must_respond');
  if (way !== 'sdk') {
    expect(await lead.reply(seen, 'As you wish.')).toMatchObject({ ok: true });
    const answer = await lead.tool('chat.set_mode', { target, mode });
    expect(answer).toMatchObject({ ok: true });
    told = answer.ok ? answer.result : undefined;
  }
  const result = await until(() => told, 'the result of the tool');
  await wire.pass(1);
  return { wire, lead, result };
}

describe.each(['websocket', 'mcp', 'sdk', 'pull'] as const)('over %s', (way) => {
  it.each(['channel', 'thread'])(
    'left, in a %s: nothing until it is mentioned [C2A-06-24/leave/stays-out, C2A-06-24/leave/returns-on-mention]',
    async (place) => {
      const { wire, lead, result } = await obey(way, place, 'left');
      expect(result).toMatchObject({
        mode: 'left',
        next: expect.stringContaining('@mentions you') as string,
      });
      const { line } = PLACES[place] ?? { line: {} };
      expect(came(lead, await say(wire, 'and the budget?', line))).toBe(false);
      expect(came(lead, await say(wire, 'lead, are you there?', line))).toBe(false);
      const back = await say(wire, '@lead is it up?', line);
      await lead.next((one) => one.eventId === back, 'the mention');
      expect(wire.platform.texts()).toEqual(['As you wish.']);
    },
  );

  it('left, in a direct message: it is quiet there until it is called', async () => {
    const { wire, lead, result } = await obey(way, 'dm', 'left');
    expect(result).toMatchObject({
      mode: 'mention_only',
      next: expect.stringContaining('writes your name') as string,
    });
    const { line } = PLACES['dm'] ?? { line: {} };
    expect(came(lead, await say(wire, 'and the budget?', line))).toBe(false);
    const named = await say(wire, 'lead, is it up?', line);
    await lead.next((one) => one.eventId === named, 'its name');
    await say(wire, 'come back please', line);
    const after = await say(wire, 'and the budget?', line);
    await lead.next((one) => one.eventId === after, 'what came after "come back"');
  });

  it('mention_only and auto again', async () => {
    const { wire, lead } = await obey(way, 'channel', 'mention_only');
    expect(came(lead, await say(wire, 'and the budget?', {}))).toBe(false);
    const auto = await lead.tool('chat.set_mode', { target: 'channel:general', mode: 'auto' });
    expect(auto).toMatchObject({ ok: true, result: { mode: 'auto', next: 'You are woken here as usual.' } });
    for (const text of ['@lead is it up?', 'and the budget?']) {
      const eventId = await say(wire, text, {});
      await lead.next((one) => one.eventId === eventId, text);
    }
  });
});

describe('an agent that leaves without a word', () => {
  it('is not reminded of what it was asked there', async () => {
    const { wire, agent: lead } = await hostWith('websocket', 'lead');
    const eventId = await say(wire, `@lead ${ODD}`, {});
    await lead.next((one) => one.eventId === eventId);
    expect(await lead.tool('chat.set_mode', { target: 'channel:general', mode: 'left' })).toMatchObject({
      ok: true,
    });
    await wire.pass(60 * 60_000, 60_000);
    expect(lead.seen.map((one) => one.eventId)).toEqual([eventId]);
    const { since } = await wire.why(eventId, 'lead');
    expect(since.map(({ kind, words }) => `${kind}: ${words}`)).toContainEqual(
      expect.stringMatching(/^settled: .*told to leave/),
    );
  });
});

describe('the rules that reach a model name the tool', () => {
  it('over MCP, in the instructions and in the list of tools', async () => {
    const { wire } = await hostWith('websocket', 'lead');
    const headers = { authorization: `Bearer ${await wire.token('agent', 'lead')}` };
    const client = new Client({ name: 'wire', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', wire.url), {
      requestInit: { headers },
    });
    await client.connect(transport);
    expect(client.getInstructions()).toMatch(/asks you to leave.*chat_set_mode/);
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'chat_set_mode')?.description).toContain(
      'asks you to leave: left',
    );
    await client.close();
  });

  it('over WebSocket, in the list of tools', async () => {
    const { agent: lead } = await hostWith('websocket', 'lead');
    const { tools } = (await lead.request('tools/list', {})) as {
      tools: { name: string; description: string }[];
    };
    expect(tools.find(({ name }) => name === 'chat.set_mode')?.description).toContain(
      'asks you to leave (left)',
    );
  });
});
