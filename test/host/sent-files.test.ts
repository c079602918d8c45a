// Files on a surface that shows them apart from the text: two messages under two keys, one event. A lost answer or a kill
// at any moment shows nothing twice, and what the surface noted is there for the next attempt.
import { afterEach, describe, expect, it } from 'vitest';
import type { Surface } from '../../src/surfaces/surface.ts';
import type { Step } from './fake-surface.ts';
import { type World, world } from './world.ts';

let w: World;
afterEach(async () => expect(await w.sound()).toEqual([]));

const MINUTE = 60_000;
const FILE = { name: 'numbers.csv', text: 'day,builds' };
const KEYS = ['lead:k', 'lead:k#2'];

/** Notes a number with each post, as an adapter notes what it has uploaded. */
let notes: (string | undefined)[] = [];
const apart = (surface: Surface): Surface => ({
  ...surface,
  capabilities: {
    ...surface.capabilities,
    does: { ...surface.capabilities.does, files: true },
    files: { maxBytes: 100, apart: true },
  },
  async post(message) {
    notes.push(await message.notes?.read());
    await message.notes?.write(`noted ${notes.length}`);
    return surface.post(message);
  },
});

async function asked(): Promise<string> {
  notes = [];
  const id = await w.say('@lead the numbers?');
  await w.advance(2_500);
  return id;
}

const keys = (): string[] => w.platform.seen.map(({ key }) => key);
const options = { idempotencyKey: 'k', attachments: [FILE] };

async function attached(): Promise<string[]> {
  const rows = await w.logged('message');
  return rows.flatMap(({ record: { event } }) =>
    'attachments' in event ? (event.attachments ?? []).map(({ name = '' }) => name) : [],
  );
}

describe('files that are shown apart from the text', () => {
  it('are a message of their own after it, and one event', async () => {
    w = await world({ surface: apart });
    const lead = await w.harness('lead');
    const id = await asked();
    expect(await lead.reply(id, 'Here.', options)).toMatchObject({ ok: true, result: { status: 'sent' } });
    expect(keys()).toEqual(KEYS);
    const [text, files] = w.platform.posts;
    expect(text).toMatchObject({ text: 'Here.', part: { number: 1, of: 2 }, following: [{ size: 10 }] });
    expect(text?.attachments).toBeUndefined();
    expect(files).toMatchObject({ text: '', part: { number: 2, of: 2 }, attachments: [{ name: FILE.name }] });
    expect(Buffer.from((await files?.attachments?.[0]?.bytes()) ?? []).toString()).toBe(FILE.text);
    expect(await attached()).toEqual([FILE.name]);
    expect(notes).toEqual([undefined, 'noted 1']);
    expect(await w.ended(id)).toBe('responded');
  });

  it('a reply to the message names its text, not its files', async () => {
    w = await world({ surface: apart });
    const lead = await w.harness('lead');
    const id = await asked();
    const sent = await lead.reply(id, 'Here.', options);
    const rows = await w.outbox('lead', 'c/web/w/C1');
    expect(sent.ok && rows.find(({ key }) => key === 'lead:k')?.platformId).toBe('p1');
  });

  const STEPS: Step[] = ['unknown_shown', 'unknown_lost', 'retry', 'hang', 'throw'];
  it.each(STEPS.flatMap((step) => [0, 1].map((part) => [step, part] as const)))(
    'are shown once after %s of message %i, and after a kill',
    async (step, part) => {
      w = await world({ surface: apart });
      const lead = await w.harness('lead');
      const id = await asked();
      w.platform.script = [...Array.from({ length: part }, () => 'visible' as const), step];
      void lead.reply(id, 'Here.', options);
      await w.advance(10);
      await w.crash(0);
      await w.advance(2 * MINUTE);
      expect(keys()).toEqual(KEYS);
      expect(await attached()).toEqual([FILE.name]);
      const again = await w.harness('lead');
      const [file] = (await w.logged('message')).flatMap(({ record: { event } }) =>
        'attachments' in event ? (event.attachments ?? []) : [],
      );
      expect(await again.call('chat.read_attachment', { attachmentId: file?.id })).toMatchObject({
        result: { text: FILE.text },
      });
    },
  );

  it('that are larger than the surface takes are refused before anything is posted', async () => {
    w = await world({ surface: apart });
    const lead = await w.harness('lead');
    const id = await asked();
    const large = { ...options, attachments: [{ name: 'large.txt', text: 'x'.repeat(101) }] };
    expect(await lead.reply(id, 'Here.', large)).toMatchObject({
      ok: false,
      error: 'too_large',
      message: expect.stringContaining('100 bytes in one file'),
    });
    expect(w.platform.posts).toEqual([]);
  });

  it('are not shown to one reader alone', async () => {
    w = await world({
      surface: (surface) => {
        const made = apart(surface);
        const does = { ...made.capabilities.does, ephemeral: true };
        return { ...made, capabilities: { ...made.capabilities, does } };
      },
    });
    const lead = await w.harness('lead');
    const id = await asked();
    const only = { ...options, visibility: 'ephemeral' };
    expect(await lead.reply(id, 'Here.', only)).toMatchObject({ ok: false, error: 'unsupported' });
  });
});
