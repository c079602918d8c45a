// Files that agents send: over every way, to a source that shows them, read by other agents under the rights of the
// message, kept through a refusal and a delete as long as they should be and no longer.
import { describe, expect, it } from 'vitest';
import { JSONRPC_LIMITS } from '../../src/protocol/jsonrpc.ts';
import { EVENT_LIMITS } from '../../src/protocol/chat-event.ts';
import { SENT_FILE_LIMITS } from '../../src/protocol/sent-files.ts';
import { WIRE_LIMITS } from '../../src/protocol/wire-fields.ts';
import { SOURCE, until, type WireHost, wireHost, type WireHostOptions } from './host.ts';
import { harness, hostWith, WAYS, type WireHarness, webhookFor } from './ways.ts';

const CSV = 'day,builds\nmonday,7\n';
const PNG = Buffer.from([137, 80, 78, 71, 0, 255]);
const FILES = [
  { name: 'builds.csv', text: CSV },
  { name: 'chart.png', base64: PNG.toString('base64') },
];

interface Ref {
  id: string;
  name: string;
  contentType: string;
  bytes: number;
}

async function fetched(wire: WireHost, id: string, token: string): Promise<Response> {
  const headers = { authorization: `Bearer ${token}` };
  return fetch(`${wire.url}/v1/outbox/attachments/${id}`, { headers });
}

const source = (wire: WireHost): Promise<string> => wire.token('surface', SOURCE);

/** What the platform was posted. */
function posted(wire: WireHost): Ref[] {
  return wire.platform.shown.flatMap(({ attachments = [] }) => attachments as unknown as Ref[]);
}

async function asked(wire: WireHost, lead: WireHarness, text = '@lead the numbers?', line = {}) {
  const id = await wire.say(text, line);
  await wire.pass(3_000);
  return lead.next(({ eventId }) => eventId === id, 'the question');
}

async function room(options: WireHostOptions = {}) {
  const wire = await wireHost({ files: true, ...options });
  const lead = await harness(wire, 'lead', 'websocket');
  return { wire, lead };
}

describe('a file of an agent', () => {
  it.each(WAYS)('is sent over %s, fetched by the source, and read by another agent', async (way) => {
    const { wire, agent } = await hostWith(way, 'lead', { files: true });
    const builder = await harness(wire, 'builder', 'websocket');
    const question = await asked(wire, agent);
    const sent = await agent.reply(question, 'Here they are.', { attachments: FILES });
    expect(sent).toMatchObject({ ok: true, result: { status: 'sent' } });
    const refs = posted(wire);
    expect(refs).toMatchObject([
      { name: 'builds.csv', contentType: 'text/csv', bytes: CSV.length },
      { name: 'chart.png', contentType: 'image/png', bytes: PNG.length },
    ]);
    const bytes = await Promise.all(
      refs.map(async ({ id }) => (await fetched(wire, id, await source(wire))).arrayBuffer()),
    );
    expect(bytes.map((one) => Buffer.from(one))).toEqual([Buffer.from(CSV), PNG]);
    const [csv, png] = refs.map(({ id }) => id);
    const read = await builder.tool('chat.read_attachment', { attachmentId: csv });
    expect(read).toMatchObject({
      ok: true,
      result: { name: 'builds.csv', mediaType: 'text/csv', text: CSV },
    });
    const seen = await builder.tool('chat.read_attachment', { attachmentId: png });
    expect(seen).toMatchObject({ ok: true, result: { kind: 'image', data: PNG.toString('base64') } });
    expect(wire.platform.asked).toEqual([]);
  });

  it('comes with the answer of a webhook', async () => {
    const large = { name: 'large.bin', base64: Buffer.alloc(300_000, 7).toString('base64') };
    const attachments = [...FILES, large];
    const entry = await webhookFor('lead', () => ({ reply: 'Here they are.', attachments }));
    const wire = await wireHost({ files: true, host: { webhooks: [entry] } });
    await harness(wire, 'lead', 'webhook');
    await wire.say('@lead the numbers?');
    await wire.pass(3_000);
    await until(() => posted(wire).length === 3, 'all files');
    expect(wire.platform.texts()).toEqual(['Here they are.']);
  });

  it('is delivered by its name to an agent that is told of the message', async () => {
    const { wire, lead } = await room();
    const builder = await harness(wire, 'builder', 'websocket');
    const question = await asked(wire, lead);
    const ask = { attachments: FILES, recipient: 'agent:builder', mentions: ['agent:builder'] };
    await lead.reply(question, 'Can you check these, @builder?', ask);
    await wire.pass(3_000);
    const { raw } = await builder.next(({ text }) => text.includes('check these'));
    const [part] = (raw['content'] as { type: string; name?: string }[]).filter(
      ({ type }) => type === 'attachment',
    );
    expect(part).toMatchObject({ name: 'builds.csv', contentType: 'text/csv', bytes: CSV.length });
  });

  it('is the same send under the same key, and another one with another content', async () => {
    const { wire, lead } = await room();
    const question = await asked(wire, lead);
    const more = { idempotencyKey: 'k1', attachments: FILES };
    const first = await lead.reply(question, 'Here they are.', more);
    const again = await lead.reply(question, 'Here they are.', more);
    expect(again).toMatchObject({ ok: true, result: { ...(first.ok && first.result), replayed: true } });
    const other = { idempotencyKey: 'k1', attachments: [{ name: 'builds.csv', text: 'other' }] };
    expect(await lead.reply(question, 'Here they are.', other)).toMatchObject({
      name: 'duplicate_key_other_body',
    });
    expect(posted(wire)).toHaveLength(2);
  });

  it('makes another message of the same words', async () => {
    const { wire, lead } = await room();
    const question = await asked(wire, lead);
    const words = 'Here is the next part of the numbers that you asked for.';
    for (const part of ['1', '2'])
      expect(
        await lead.reply(question, words, { attachments: [{ name: 'numbers.txt', text: part }] }),
      ).toMatchObject({ ok: true });
    const same = { attachments: [{ name: 'numbers.txt', text: '2' }] };
    expect(await lead.reply(question, words, same)).toMatchObject({ ok: false, name: 'repeated_text' });
  });
});

const big = (bytes: number) => ({ name: 'big.bin', base64: Buffer.alloc(bytes, 7).toString('base64') });

describe('what is refused', () => {
  it.each(WAYS)('more bytes than a send may hold, over %s, with the limit', async (way) => {
    const { wire, agent } = await hostWith(way, 'lead', { files: true });
    const question = await asked(wire, agent);
    const attachments = [big(SENT_FILE_LIMITS.bytes), { name: 'one-more.txt', text: 'x' }];
    expect(await agent.reply(question, 'Here.', { attachments })).toMatchObject({
      ok: false,
      name: 'too_large',
      message: expect.stringContaining(String(SENT_FILE_LIMITS.bytes)),
    });
    expect(wire.platform.texts()).toEqual([]);
    const all = { attachments: [big(SENT_FILE_LIMITS.bytes)] };
    expect(await agent.reply(question, 'Here.', all)).toMatchObject({ ok: true });
  });

  it('a message of the largest size with the largest files fits into a frame', () => {
    const ids = Array.from(
      { length: EVENT_LIMITS.mentions },
      () => `human:${'x'.repeat(WIRE_LIMITS.idChars)}`,
    );
    const files = Array.from({ length: SENT_FILE_LIMITS.files }, () => ({
      name: '€'.repeat(SENT_FILE_LIMITS.nameChars),
      base64: Buffer.alloc(Math.ceil(SENT_FILE_LIMITS.bytes / SENT_FILE_LIMITS.files)).toString('base64'),
    }));
    const args = { text: '€'.repeat(EVENT_LIMITS.textChars), mentions: ids, attachments: files };
    const frame = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { arguments: args },
    });
    expect(Buffer.byteLength(frame)).toBeLessThan(JSONRPC_LIMITS.frameBytes);
  });

  it.each([
    ['too many', Array.from({ length: 6 }, () => ({ name: 'a.txt', text: 'x' })), 'attachments'],
    ['no content', [{ name: 'a.txt' }], 'exactly one of text, base64'],
    ['two contents', [{ name: 'a.txt', text: 'x', base64: 'eA==' }], 'exactly one of text, base64'],
    ['no base64', [{ name: 'a.bin', base64: 'not base64!' }], 'expected base64'],
    ['no name', [{ name: '', text: 'x' }], 'attachments.0.name'],
    ['no media type', [{ name: 'a.txt', text: 'x', contentType: 'text' }], 'expected a media type'],
  ])('%s', async (_, attachments, problem) => {
    const { wire, lead } = await room();
    const question = await asked(wire, lead);
    expect(await lead.reply(question, 'Here.', { attachments })).toMatchObject({
      ok: false,
      name: 'invalid_params',
      message: expect.stringContaining(problem),
    });
    expect(wire.platform.texts()).toEqual([]);
  });

  it('a place that shows no files, with what to do instead', async () => {
    const { wire, lead } = await room({ files: false });
    const question = await asked(wire, lead);
    expect(await lead.reply(question, 'Here.', { attachments: FILES })).toMatchObject({
      ok: false,
      name: 'unsupported',
      message: expect.stringContaining('Put what matters into the text'),
    });
    expect(wire.platform.texts()).toEqual([]);
    expect(await lead.reply(question, 'Here: monday, 7.')).toMatchObject({ ok: true });
  });
});

describe('who may read it', () => {
  it('nobody who may not read its message, and no other source', async () => {
    const { wire, lead } = await room({
      agents: [{ id: 'lead' }, { id: 'builder', conversations: ['C2'] }],
    });
    const builder = await harness(wire, 'builder', 'websocket');
    const question = await asked(wire, lead, 'the numbers?', { in: 'D1', kind: 'dm', by: 'ada' });
    expect(await lead.reply(question, 'Here.', { attachments: FILES })).toMatchObject({ ok: true });
    const [{ id } = { id: '' }] = posted(wire);
    for (const where of [{}, { target: 'dm:D1' }, { inReplyTo: question.eventId }])
      expect(await builder.tool('chat.read_attachment', { attachmentId: id, ...where })).toMatchObject({
        ok: false,
        name: 'not_found',
      });
    const own = { inReplyTo: question.eventId };
    expect(await lead.tool('chat.read_attachment', { attachmentId: id, ...own })).toMatchObject({ ok: true });
    expect((await fetched(wire, id, await wire.token('surface', 'other'))).status).toBe(404);
    expect((await fetched(wire, id, await wire.token('agent', 'builder'))).status).toBe(403);
    expect((await fetched(wire, id, 'ear_wrong')).status).toBe(401);
  });

  it('nobody by planting its id on a message of their own', async () => {
    const { wire, lead } = await room({
      agents: [{ id: 'lead' }, { id: 'builder', conversations: ['C2'] }],
    });
    const builder = await harness(wire, 'builder', 'websocket');
    const question = await asked(wire, lead, 'the numbers?', { in: 'D1', kind: 'dm', by: 'ada' });
    await lead.reply(question, 'Here.', { attachments: FILES });
    const [{ id } = { id: '' }] = posted(wire);
    const attachments = [{ id, kind: 'file', name: 'builds.csv' }];
    await wire.say('@builder look', { in: 'C2', by: 'mallory', more: { attachments } });
    const read = await builder.tool('chat.read_attachment', { attachmentId: id, target: 'channel:C2' });
    expect(read).toMatchObject({ ok: false, name: 'not_readable' });
  });
});

describe('what is in it', () => {
  const TOKEN = `ghp_${'Ab1'.repeat(12)}`;

  it('no secret in a name or in a text reaches a model, and no path is left in a name', async () => {
    const { wire, lead } = await room();
    const builder = await harness(wire, 'builder', 'websocket');
    const question = await asked(wire, lead);
    const attachments = [
      { name: `../etc/${TOKEN}.txt`, text: `the token is ${TOKEN}` },
      { name: '..', text: 'x' },
      { name: '\u202Etxt.exe', text: 'x' },
    ];
    expect(await lead.reply(question, 'Here.', { attachments })).toMatchObject({ ok: true });
    const refs = posted(wire);
    expect(refs.map(({ name }) => name)).toEqual(['[redacted]', 'file', 'txt.exe']);
    const read = await builder.tool('chat.read_attachment', { attachmentId: refs[0]?.id });
    expect(JSON.stringify(read)).toContain('the token is [redacted]');
    expect(JSON.stringify(read)).not.toContain(TOKEN);
  });

  it.each([
    ['as text', (words: string) => ({ text: words })],
    ['as base64', (words: string) => ({ base64: Buffer.from(words).toString('base64') })],
  ])('what a person must agree to is found in a file, %s', async (_, content) => {
    const { wire, lead } = await room({
      host: { sensitive: [{ words: ['kumquat'], reason: 'a code word' }] },
    });
    const question = await asked(wire, lead);
    const attachments = [{ name: 'notes.txt', ...content('the kumquat is ready') }];
    expect(await lead.reply(question, 'Here.', { attachments })).toMatchObject({
      ok: false,
      name: 'needs_approval',
    });
    expect(posted(wire)).toEqual([]);
    const operator = await wire.token('operator', 'ops');
    const { body } = await wire.call('GET', '/v1/inbox?open=true', operator);
    const [item] = body['inbox'] as { key: string }[];
    expect(JSON.stringify(item)).toContain('[file: notes.txt, 20 bytes]');
    await wire.call('POST', `/v1/inbox/${encodeURIComponent(item?.key ?? '')}/approve`, operator, {});
    await until(() => posted(wire).length === 1, 'the file');
  });
});

const kept = async (wire: WireHost): Promise<unknown> => (await wire.host.context.store.stats())['file'];

describe('how long it is kept', () => {
  it('not when the platform refuses the send', async () => {
    const { wire, lead } = await room();
    wire.platform.onPost = () => 'refuse';
    const question = await asked(wire, lead);
    expect(await lead.reply(question, 'Here.', { attachments: FILES })).toMatchObject({
      ok: false,
      name: 'not_delivered',
    });
    expect(await kept(wire)).toBe(0);
  });

  it('not when its message is deleted', async () => {
    const { wire, lead } = await room();
    const question = await asked(wire, lead);
    await lead.reply(question, 'Here.', { attachments: FILES });
    expect(await kept(wire)).toBe(2);
    const [{ id } = { id: '' }] = posted(wire);
    await wire.post({
      ...wire.event(''),
      text: undefined,
      eventId: 'gone',
      type: 'delete',
      targetEventId: 'p1',
    });
    expect(await kept(wire)).toBe(0);
    expect(await lead.tool('chat.read_attachment', { attachmentId: id })).toMatchObject({
      ok: false,
      name: 'not_found',
    });
  });

  it('not when its event is older than the retention', async () => {
    const { wire, lead } = await room({ host: { limits: { retentionMs: 3_600_000 } } });
    const question = await asked(wire, lead);
    await lead.reply(question, 'Here.', { attachments: FILES });
    expect(await kept(wire)).toBe(2);
    await wire.pass(3 * 3_600_000, 60_000);
    expect(await kept(wire)).toBe(0);
  });
});
