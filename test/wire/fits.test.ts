// Long messages make no agent deaf: whatever was said, every delivery and every answer of a reading tool is within one
// frame on every way, pages joined give everything back, and whoever follows the hint in a cut text reads all of it.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { rootEventId } from '../../src/protocol/derived-id.ts';
import { FIT_LIMITS, jsonBytes } from '../../src/protocol/fit.ts';
import { READ_ATTACHMENT_LIMITS } from '../../src/protocol/read-tools.ts';
import { seededRandom } from '../../src/runtime/random.ts';
import { TRANSPORT_LIMITS } from '../../src/transport/transport.ts';
import { seeds } from '../long.ts';
import { until, wireHost } from './host.ts';
import { longRoom } from './long-room.ts';
import { hostWith, type ToolResult, WAYS, type WireHarness } from './ways.ts';

const PASTE = 'the log says: nothing to see here, move along\n'.repeat(1_305); // 60 KB
const AGENTS = [{ id: 'nova' }];
/** Time passes in leaps here, so nobody is pinged. */
const NEVER_MS = 24 * 3_600_000;
/** What a request or an answer has around its contents. */
const AROUND = 1_024;

interface Listed {
  eventId: string;
  content?: { type: string; text?: string }[];
}

/** The result of a call, which was within a frame with its text. */
function fitting(answer: ToolResult): Record<string, unknown> {
  if (!answer.ok) throw new Error(`${answer.name}: ${answer.message}`);
  const bytes = jsonBytes(answer.result) + jsonBytes(answer.text) + AROUND;
  expect(bytes).toBeLessThanOrEqual(TRANSPORT_LIMITS.frameBytes);
  return answer.result;
}

/** All pages, newest event first. */
async function allPages(agent: WireHarness, tool: 'chat.read_thread' | 'chat.list_events', target: string) {
  const listed: Listed[] = [];
  let cursor: unknown;
  do {
    const more = cursor === undefined ? {} : { cursor };
    const page = fitting(await agent.tool(tool, { target, limit: 100, ...more }));
    const events = page['events'] as Listed[];
    listed.push(...(tool === 'chat.read_thread' ? events.toReversed() : events));
    cursor = page['nextCursor'];
  } while (cursor !== undefined);
  return listed;
}

const HINT =
  /\n\[… \d+ of \d+ characters left out here\. To read on: chat\.read_thread (\{"inReplyTo":.*?"textFrom":\d+\}) …\]\n/gu;

/** What the hints in a text lead to, by the event: the text from where it was cut, read to its end. */
async function followed(agent: WireHarness, text: string) {
  const rests: { inReplyTo: string; textFrom: number; rest: string; before: string }[] = [];
  for (const hint of text.matchAll(HINT)) {
    const args = JSON.parse(hint[1] ?? '') as { inReplyTo: string; textFrom: number };
    let rest = '';
    for (let next: number | undefined = args.textFrom; next !== undefined; ) {
      const page = fitting(await agent.tool('chat.read_thread', { ...args, textFrom: next }));
      rest += textOf((page['events'] as Listed[])[0]);
      next = page['nextTextFrom'] as number | undefined;
    }
    rests.push({ ...args, rest, before: text.slice(0, hint.index) });
  }
  return rests;
}

function textOf(listed: Listed | undefined): string {
  return listed?.content?.find(({ type }) => type === 'text')?.text ?? '';
}

/** A webhook is told with each event who its agent is (a short record here) and who is there. */
const EVENT_BYTES: Partial<Record<(typeof WAYS)[number], number>> = {
  webhook: FIT_LIMITS.eventBytes + FIT_LIMITS.participantsBytes + 256,
};

describe.each(WAYS)('over %s', (way) => {
  it('after twelve pastes of 60 KB the question arrives, and everything can be read', async () => {
    const { wire, agent } = await hostWith(way, 'nova', { agents: AGENTS });
    const said: string[] = [];
    for (let paste = 0; paste < 12; paste++) said.push(await wire.say(`${paste} ${PASTE}`));
    said.push(await wire.say('@nova what went wrong there?'));
    await wire.pass(40_000);
    const asked = await agent.next(({ text }) => text.includes('what went wrong'), 'the question');
    expect(asked.policy).toBe('must_respond');
    for (const tool of ['chat.read_thread', 'chat.list_events'] as const) {
      const listed = await allPages(agent, tool, 'channel:general');
      expect(listed.map(({ eventId }) => eventId)).toEqual(said.toReversed());
      expect(textOf(listed.at(-1))).toBe(`0 ${PASTE}`);
    }
    const around = fitting(await agent.tool('chat.read_thread', { inReplyTo: said[5] ?? '' }));
    expect((around['events'] as Listed[]).map(({ eventId }) => eventId)).toContain(said[5]);
  });

  it.each(seeds(1, 12))(
    'everything of a drawn room arrives, fits and can be read (seed %i)',
    async (seed) => {
      const host = { agents: AGENTS, host: { limits: { heartbeatMs: NEVER_MS } } };
      const { wire, agent } = await hostWith(way, 'nova', host, { onTurn: () => undefined });
      const whole = new Map<string, string>();
      const room = longRoom(seededRandom(seed), 'nova', 10);
      for (const { text, by, pauseMs, more } of room) {
        await wire.pass(pauseMs, pauseMs);
        whole.set(await wire.say(text, { in: 'd', kind: 'dm', by, more }), text);
      }
      for (const { word } of room) {
        await wire.pass(31_000, 5_000);
        await until(() => agent.seen.some(({ text }) => text.includes(word)), `${word} over ${way}`);
      }
      for (const { raw, text } of agent.seen) {
        if (way !== 'sdk')
          expect(jsonBytes(raw)).toBeLessThanOrEqual(EVENT_BYTES[way] ?? FIT_LIMITS.eventBytes);
        for (const { inReplyTo, textFrom, rest } of await followed(agent, text))
          expect(rest === whole.get(rootEventId(inReplyTo))?.slice(textFrom)).toBe(true);
      }
      for (const tool of ['chat.read_thread', 'chat.list_events'] as const) {
        const listed = await allPages(agent, tool, 'dm:d');
        expect(listed.map(({ eventId }) => eventId)).toEqual([...whole.keys()].toReversed());
        for (const one of listed) {
          const [cut] = await followed(agent, textOf(one));
          const read = cut === undefined ? textOf(one) : `${cut.before}${cut.rest}`;
          expect(read.startsWith(whole.get(one.eventId) ?? '?')).toBe(true);
        }
      }
    },
  );
});

it('a turn over MCP is within a frame, and so is what was said before it, whatever that is', async () => {
  const wire = await wireHost({ agents: AGENTS });
  const headers = { authorization: `Bearer ${await wire.token('agent', 'nova')}` };
  const client = new Client({ name: 'wire', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', wire.url), { requestInit: { headers } }),
  );
  wire.finished(() => client.close());
  const strange = '\u0001'.repeat(65_000);
  for (let line = 0; line < 25; line++)
    await wire.say(`${line} ${strange}`, { by: `${line}${'"'.repeat(250)}` });
  await wire.say(`@nova ${strange} what is this?`);
  await wire.pass(40_000);
  const turn = await client.callTool({ name: 'chat_wait_events', arguments: { timeoutMs: 0 } });
  expect(jsonBytes(turn) + AROUND).toBeLessThanOrEqual(TRANSPORT_LIMITS.frameBytes);
  const [{ text } = { text: '' }] = turn.content as { text: string }[];
  expect(text).toContain('CONTEXT');
  expect(text).toContain('what is this?');
});

it('the text of an attachment is read in pages that fit, and joined they are the text', async () => {
  const { wire, agent } = await hostWith('pull', 'nova', {
    agents: AGENTS,
    asks: ['attachments'],
    host: { limits: { attachmentBytes: READ_ATTACHMENT_LIMITS.dataBytes } },
  });
  const text = `${'\u0002"日🙂'.repeat(60_000)}end`;
  wire.platform.files.set('f1', { bytes: Buffer.from(text), contentType: 'text/plain' });
  await wire.say('@nova see the log', { more: { attachments: [{ id: 'f1', kind: 'file' }] } });
  let read = '';
  for (let textFrom: number | undefined = 0; textFrom !== undefined; ) {
    const page = fitting(await agent.tool('chat.read_attachment', { attachmentId: 'f1', textFrom }));
    read += String(page['text']);
    textFrom = page['nextTextFrom'] as number | undefined;
  }
  expect(read === text).toBe(true);
});
