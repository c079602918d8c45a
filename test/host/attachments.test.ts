// chat.read_attachment: what is behind an attachment's id, for who may see its message, within a size and a time.
import { createRedactor } from '../../src/host/security/redact.ts';
import { SECRETS } from '../../src/host/security/secrets.fixture.ts';
import { AUDIT_LIMITS } from '../../src/host/kernel/audit.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { READ_ATTACHMENT_LIMITS } from '../../src/protocol/read-tools.ts';
import { TOOLS } from '../../src/protocol/tools.ts';
import type { Platform } from './fake-surface.ts';
import { type Line, World, type WorldOptions } from './world.ts';

let w: World;
afterEach(async () => {
  expect(await w.sound()).toEqual([]);
});

type Files = NonNullable<Platform['files']>;
const text = (words: string, type = 'text/plain; charset=utf-8') => ({ type, bytes: Buffer.from(words) });
const utf16 = (words: string): Buffer => Buffer.from(words, 'utf16le');
const PNG = { type: 'image/png', bytes: Buffer.from([137, 80, 78, 71, 0, 255]) };

async function withFiles(files: Record<string, ReturnType<Files['get']>>, options: WorldOptions = {}) {
  w = new World(options);
  w.platform.files = new Map(Object.entries(files)) as Files;
  await w.open();
  return w.harness('lead');
}

const shows = (words: string, id: string, line: Line = {}, more: Record<string, unknown> = {}) =>
  w.say(words, { ...line, more: { attachments: [{ id, kind: 'file', name: `${id}.txt`, ...more }] } });

describe('an attachment', () => {
  it('of an observed message can still be read by its id, the newest first [TC/observe/attachments-resolve]', async () => {
    const lead = await withFiles({ F1: text('the log says: out of disk'), F2: PNG });
    await shows('bob, look', 'F1', { by: 'bob', id: 'old' });
    await shows('bob, look again', 'F1', { by: 'bob', id: 'new' });
    await shows('and a picture', 'F2', { by: 'bob', id: 'photo' });
    expect(lead.got).toEqual([]);
    const asked = await w.say('@lead what does it say?');
    const seen = (await lead.start('t1', asked))['seen'];
    expect(JSON.stringify(seen)).toContain('"F1"');
    const read = await lead.call('chat.read_attachment', { attachmentId: 'F1' });
    expect(read).toMatchObject({
      ok: true,
      result: {
        eventId: 'new',
        attachmentId: 'F1',
        kind: 'file',
        name: 'F1.txt',
        mediaType: 'text/plain',
        bytes: 25,
        text: 'the log says: out of disk',
      },
    });
    const photo = await lead.call('chat.read_attachment', { attachmentId: 'F2', inReplyTo: asked });
    expect(photo).toMatchObject({ result: { eventId: 'photo', data: PNG.bytes.toString('base64') } });
    for (const outcome of [read, photo]) {
      if (!outcome.ok) throw new Error(outcome.message);
      expect(TOOLS['chat.read_attachment'].result.safeParse(outcome.result).error).toBeUndefined();
    }
    expect(w.platform.asked.map(({ place, eventId }) => [place.conversationId, eventId])).toEqual([
      ['C1', 'new'],
      ['C1', 'photo'],
    ]);
    await w.restart();
    const again = await w.harness('lead');
    expect(await again.call('chat.read_attachment', { attachmentId: 'F1' })).toMatchObject({ ok: true });
  });

  it('is looked for on the event named, then around it, then everywhere; in a place named, only there', async () => {
    const lead = await withFiles({ F1: text('x') });
    const asked = await shows('@lead this one?', 'F1', { id: 'here' });
    await shows('another of that id', 'F1', { id: 'later' });
    await shows('elsewhere', 'F1', { id: 'elsewhere', in: 'C2' });
    const found = async (args: Record<string, unknown>) => {
      const outcome = await lead.call('chat.read_attachment', { attachmentId: 'F1', ...args });
      return outcome.ok ? outcome.result['eventId'] : outcome.error;
    };
    expect(await found({ inReplyTo: asked })).toBe('here');
    const beside = await w.say('@lead and?');
    expect(await found({ inReplyTo: beside })).toBe('later');
    const far = await w.say('@lead and there?', { in: 'C3' });
    expect(await found({ inReplyTo: far })).toBe('elsewhere');
    expect(await found({ target: 'channel:C1' })).toBe('later');
    expect(await found({ target: 'channel:C3' })).toBe('not_found');
    expect(await found({})).toBe('elsewhere');
  });

  it('is there for who may see its message, and for nobody else', async () => {
    const lead = await withFiles(
      { F1: text('kumquat'), F2: text('kumquat'), F3: text('kumquat') },
      { agents: [{ id: 'lead', ignore: ['human:mallory'] }, { id: 'builder' }] },
    );
    await shows('builder, between us', 'F1', { in: 'D1', kind: 'dm', by: 'ada', id: 'private' });
    await shows('denied', 'F2', { by: 'mallory' });
    const gone = await shows('a slip', 'F3');
    await w.remove(gone);
    for (const attachmentId of ['F1', 'F2', 'F3', 'F9']) {
      for (const where of [{}, { target: 'channel:C1' }, { inReplyTo: 'private' }, { target: 'dm:D1' }]) {
        const outcome = await lead.call('chat.read_attachment', { attachmentId, ...where });
        expect(outcome).toMatchObject({ ok: false, error: 'not_found' });
      }
    }
    expect(w.platform.asked).toEqual([]);
    const builder = await w.harness('builder');
    expect(await builder.call('chat.read_attachment', { attachmentId: 'F2' })).toMatchObject({ ok: true });
  });

  it('that an edit has taken away is not there any more, one that it brought is', async () => {
    const lead = await withFiles({ F1: text('first'), F2: text('second') });
    const id = await shows('see', 'F1');
    await w.edit(id, 'see', { more: { attachments: [{ id: 'F2', kind: 'file' }] } });
    expect(await lead.call('chat.read_attachment', { attachmentId: 'F1' })).toMatchObject({
      error: 'not_found',
    });
    expect(await lead.call('chat.read_attachment', { attachmentId: 'F2' })).toMatchObject({
      result: { text: 'second' },
    });
  });
});

describe('its bytes', () => {
  it.each([
    ['the surface cannot', undefined, {}, 'not_readable', 'names only'],
    ['it is gone', { F1: 'refused' as const }, {}, 'not_readable', 'it is gone'],
    ['it says that it is too large', { F1: text('x') }, { bytes: 524_289 }, 'not_readable', '524288'],
    ['it is too large', { F1: text('x'.repeat(524_289)) }, {}, 'not_readable', '524288'],
    ['the platform is busy', { F1: 'retry' as const }, {}, 'unavailable', 'busy'],
    ['the adapter fails', { F1: 'throw' as const }, {}, 'unavailable', 'surface failed'],
    ['no answer comes', { F1: 'hang' as const }, {}, 'unavailable', 'in time'],
  ])('are refused with a reason when %s', async (_, files, more, error, says) => {
    w = new World({});
    if (files !== undefined) w.platform.files = new Map(Object.entries(files)) as Files;
    await w.open();
    const lead = await w.harness('lead');
    await shows('look', 'F1', {}, more);
    const reading = lead.call('chat.read_attachment', { attachmentId: 'F1' });
    await w.advance(15_000);
    const outcome = await reading;
    expect(outcome).toMatchObject({ ok: false, error });
    expect(outcome.ok ? '' : outcome.message).toContain(says);
    const hung = w.platform.asked.at(-1)?.signal.aborted;
    expect(hung ?? false).toBe(says === 'in time');
  });

  it('are read a few at a time; more wait for their turn', async () => {
    const lead = await withFiles({ F1: 'hang' }, { settings: { limits: { attachmentsAtOnce: 2 } } });
    await shows('look', 'F1');
    const reads = [1, 2, 3].map(() => lead.call('chat.read_attachment', { attachmentId: 'F1' }));
    await w.drain();
    expect(w.platform.asked).toHaveLength(2);
    await w.advance(15_000);
    expect(w.platform.asked).toHaveLength(3);
    await w.advance(15_000);
    for (const read of reads) expect(await read).toMatchObject({ error: 'unavailable' });
  });

  it.each([
    ['text', text('plain'), 'plain'],
    ['JSON', text('{"a":1}', 'application/problem+json'), '{"a":1}'],
    ['YAML without a charset', text('a: 1', 'application/yaml'), 'a: 1'],
    ['what only calls itself text', { type: 'text/plain', bytes: PNG.bytes }, undefined],
    ['what does not say', text('plain', ''), 'plain'],
  ])('are text where they are: %s', async (_, file, words) => {
    const lead = await withFiles({ F1: file });
    await shows('look', 'F1');
    const outcome = await lead.call('chat.read_attachment', { attachmentId: 'F1' });
    expect(outcome.ok && outcome.result['text']).toBe(words);
    expect(outcome.ok && 'data' in outcome.result).toBe(words === undefined);
  });

  it('as text hold no secrets, and no more than a model can take', async () => {
    const long = `token kumquat ${'x'.repeat(READ_ATTACHMENT_LIMITS.textChars)}`;
    const lead = await withFiles(
      { F1: text(long) },
      { findSecrets: (words) => (words.includes('kumquat') ? [[6, 13]] : []) },
    );
    await shows('look', 'F1');
    const outcome = await lead.call('chat.read_attachment', { attachmentId: 'F1' });
    if (!outcome.ok) throw new Error(outcome.message);
    expect(outcome.result).toMatchObject({ cut: true, bytes: long.length });
    expect(String(outcome.result['text'])).toHaveLength(READ_ATTACHMENT_LIMITS.textChars);
    expect(String(outcome.result['text'])).not.toContain('kumquat');
  });

  const [, token = ''] = SECRETS['github classic token'] ?? [];
  it.each([
    ['bytes that are text', { type: 'application/octet-stream', bytes: Buffer.from(`key ${token} end`) }],
    ['UTF-16 with a mark', { type: 'text/plain', bytes: utf16(`\ufeffkey ${token} end`) }],
    ['UTF-16 without one', { type: 'application/octet-stream', bytes: utf16(`key ${token} end`) }],
    ['UTF-16, big-endian', { type: 'text/csv', bytes: utf16(`\ufeffkey ${token} end`).swap16() }],
    ['a type nobody knows', { type: '???', bytes: Buffer.from(`key ${token} end`) }],
    [
      'a program',
      { type: 'application/x-elf', bytes: Buffer.concat([PNG.bytes, Buffer.from(token), PNG.bytes]) },
    ],
    [
      'a program, two bytes a letter',
      { type: 'image/x', bytes: Buffer.concat([PNG.bytes, utf16(token), PNG.bytes]) },
    ],
    [
      'a file of a type that is no text',
      { type: 'application/pdf', bytes: Buffer.from(`%PDF ${token} end`) },
    ],
  ])('hold no secrets: %s', async (_, file) => {
    const lead = await withFiles({ F1: file }, { findSecrets: createRedactor().findSecrets });
    await shows('look', 'F1');
    const outcome = await lead.call('chat.read_attachment', { attachmentId: 'F1' });
    if (!outcome.ok) throw new Error(outcome.message);
    const { text: words = '', data = '' } = outcome.result as { text?: string; data?: string };
    const bytes = Buffer.from(data, 'base64');
    expect(outcome.result['bytes']).toBe(file.bytes.length);
    expect(words.length + bytes.length).toBeGreaterThan(10);
    for (const shown of [words, bytes.toString('latin1'), bytes.toString('latin1').replaceAll('\0', '')])
      expect(shown).not.toContain(token.slice(4, 16));
    if (words !== '') expect(words).toBe('key [redacted] end');
  });

  it('of the largest size fit one answer', async () => {
    const bytes = Buffer.alloc(READ_ATTACHMENT_LIMITS.dataBytes, 255);
    const lead = await withFiles(
      { F1: { type: 'image/png', bytes } },
      { settings: { limits: { attachmentBytes: READ_ATTACHMENT_LIMITS.dataBytes } } },
    );
    await shows('look', 'F1');
    const outcome = await lead.call('chat.read_attachment', { attachmentId: 'F1' });
    expect(outcome.ok && outcome.result['data']).toBe(bytes.toString('base64'));
  });

  it('are audited by their id, never by what is in them', async () => {
    const lead = await withFiles({ F1: text('kumquat') });
    await shows('look', 'F1');
    await lead.call('chat.read_attachment', { attachmentId: 'F1' });
    await w.advance(AUDIT_LIMITS.lateMs);
    const rows = await w.store.scan('audit', 'byPosition', { limit: 10 });
    expect(rows).toMatchObject([{ what: 'chat.read_attachment', detail: { attachmentId: 'F1' } }]);
    expect(JSON.stringify(rows)).not.toContain('kumquat');
  });
});
