// Files of people, over HTTP and the tab's connection: uploaded by whoever has a token, stored in the commit of their
// message, read by whoever may see it, gone with it.
import { describe, expect, it } from 'vitest';
import { WEB_CHAT_LIMITS } from '../../../src/protocol/web-chat.ts';
import { newKey, type Tab } from './tab.ts';
import { office } from './office.ts';
import { team } from './team.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const SECRET = `ghp_${'Ab1'.repeat(12)}`;

interface Uploaded {
  status: number;
  file?: { id: string; name: string; bytes: number; contentType: string };
  error?: { code: string; message: string };
}

async function upload(
  url: string,
  token: string,
  name: string,
  body: string | Uint8Array,
): Promise<Uploaded> {
  const at = `${url}/v1/web/files?name=${encodeURIComponent(name)}`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/html' };
  const answer = await fetch(at, { method: 'POST', headers, body: Buffer.from(body) });
  return { status: answer.status, ...((await answer.json()) as object) };
}

const read = (url: string, token: string, event: string, id: string): Promise<Response> =>
  fetch(`${url}/v1/web/files/${event}/${id}`, { headers: { authorization: `Bearer ${token}` } });

async function sent(tab: Tab, conversation: string, uploads: readonly Uploaded[], text = '') {
  const ids = uploads.map(({ file }) => file?.id ?? '');
  const { message } = await tab.ask('post', { key: newKey(), conversation, text, uploads: ids });
  return message;
}

describe('a file of a person', () => {
  it('is shown with its message and read by whoever may see it, with headers that let nothing run', async () => {
    const made = await team();
    const { host } = made;
    const ada = await made.person('ada');
    const bob = await made.person('bob');
    const eve = await made.person('eve');
    const png = await upload(host.url, ada.token, '../a plan.png', PNG);
    const html = await upload(host.url, ada.token, 'x.html', '<script>alert(1)</script>');
    const svg = await upload(host.url, ada.token, 'x.svg', '<svg onload="alert(1)"/>');
    const lie = await upload(host.url, ada.token, 'lie.png', '<script>alert(1)</script>');
    const text = await upload(host.url, ada.token, 'notes.txt', `token ${SECRET}\n`);
    expect(png).toMatchObject({ status: 201, file: { name: 'a plan.png', contentType: 'image/png' } });
    expect(lie.file?.contentType).toBe('application/octet-stream');
    const dm = await ada.tab.ask('create', { kind: 'dm', key: newKey(), with: 'human:bob' });
    const message = await sent(ada.tab, dm.conversation.id, [png, html, svg, lie, text]);
    expect(message).toMatchObject({
      text: '',
      files: [{ name: 'a plan.png', bytes: PNG.length }, {}, {}, {}, {}],
    });
    const { message: told } = await bob.tab.until(
      'message',
      (one) => one.message.eventId === message.eventId,
    );
    expect(told.files).toEqual(message.files);

    const answers = await Promise.all(
      (message.files ?? []).map(({ id }) => read(host.url, bob.token, message.eventId, id)),
    );
    const shown = answers.map(({ headers }) => [
      headers.get('content-type'),
      headers.get('content-disposition')?.split(';')[0],
    ]);
    expect(shown).toEqual([
      ['image/png', 'inline'],
      ...Array.from({ length: 4 }, () => ['application/octet-stream', 'attachment']),
    ]);
    for (const { headers } of answers) {
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
    expect(Buffer.from((await answers[0]?.arrayBuffer()) ?? new ArrayBuffer())).toEqual(PNG);
    expect(await answers[4]?.text()).toBe('token [redacted]\n');

    const [first] = message.files ?? [];
    expect((await read(host.url, eve.token, message.eventId, first?.id ?? '')).status).toBe(404);
    expect((await read(host.url, 'ear_p_wrong', message.eventId, first?.id ?? '')).status).toBe(401);
    const elsewhere = await eve.tab.say('general', 'mine');
    expect((await read(host.url, eve.token, elsewhere.eventId, first?.id ?? '')).status).toBe(404);
  });

  it('is read by agents under the rights of its message', async () => {
    const room = await team();
    const ada = await room.person('ada');
    const seen: unknown[] = [];
    room.agent('lead', async (_, turn) => {
      const tool = turn.tools.find(({ name }) => name === 'chat_read_attachment');
      for (const { id } of turn.events.flatMap(({ attachments }) => attachments))
        seen.push((await tool?.call({ attachmentId: id }))?.data);
      return 'read';
    });
    const csv = await upload(room.host.url, ada.token, 'builds.csv', `monday,7\n${SECRET}\n`);
    const png = await upload(room.host.url, ada.token, 'plan.png', PNG);
    await sent(ada.tab, 'general', [csv, png], '@lead look at these');
    await ada.tab.until('message', ({ message }) => message.text === 'read');
    expect(seen).toMatchObject([
      { name: 'builds.csv', text: 'monday,7\n[redacted]\n' },
      { name: 'plan.png', mediaType: 'image/png', data: PNG.toString('base64') },
    ]);
  });

  it('goes with its message when that is deleted', async () => {
    const { url, store, person } = await office();
    const ada = await person('ada');
    const png = await upload(url, ada.token, 'plan.png', PNG);
    const message = await sent(ada.tab, 'general', [png], 'the plan');
    const id = message.files?.[0]?.id ?? '';
    expect(await store.get('file', id)).toMatchObject({ eventId: message.eventId, send: '' });
    await ada.tab.ask('delete', { key: newKey(), eventId: message.eventId });
    expect(await store.get('file', id)).toBeUndefined();
    expect((await read(url, ada.token, message.eventId, id)).status).toBe(404);
  });

  it('goes with its message when that is older than the retention', async () => {
    const hourMs = 3_600_000;
    const { url, store, clock, person } = await office({ retentionMs: hourMs });
    const ada = await person('ada');
    await sent(ada.tab, 'general', [await upload(url, ada.token, 'plan.png', PNG)], 'the plan');
    expect((await store.stats())['file']).toBe(1);
    await expect
      .poll(async () => {
        clock.advance(hourMs / 4);
        return (await store.stats())['file'];
      })
      .toBe(0);
  });

  it('is stored once, however often its message is sent', async () => {
    const { url, store, person } = await office();
    const ada = await person('ada');
    const png = await upload(url, ada.token, 'plan.png', PNG);
    const post = { key: newKey(), conversation: 'general', text: 'x', uploads: [png.file?.id ?? ''] };
    const first = await ada.tab.ask('post', post);
    const again = await ada.tab.ask('post', post);
    expect(again.message).toEqual(first.message);
    expect((await store.stats())['file']).toBe(1);
  });

  it('that waits is its own person’s, for a time, and within bounds', async () => {
    const { url, clock, person } = await office();
    const ada = await person('ada');
    const bob = await person('bob');
    const gone = 'A file is not there any more: attach it again';
    const mine = await upload(url, ada.token, 'a.txt', 'a');
    await expect(sent(bob.tab, 'general', [mine])).rejects.toThrow(gone);
    const removed = await upload(url, ada.token, 'b.txt', 'b');
    const headers = { authorization: `Bearer ${ada.token}` };
    await fetch(`${url}/v1/web/files/${removed.file?.id}`, { method: 'DELETE', headers });
    await expect(sent(ada.tab, 'general', [removed])).rejects.toThrow(gone);
    clock.advance(WEB_CHAT_LIMITS.silentMs / 2);
    await ada.tab.ask('ping', {});
    expect((await sent(ada.tab, 'general', [mine])).files).toHaveLength(1);

    const late = await upload(url, ada.token, 'late.txt', 'c');
    for (let waited = 0; waited < WEB_CHAT_LIMITS.uploadMs; waited += WEB_CHAT_LIMITS.silentMs / 2) {
      clock.advance(WEB_CHAT_LIMITS.silentMs / 2);
      await ada.tab.ask('ping', {});
    }
    await expect(sent(ada.tab, 'general', [late])).rejects.toThrow(gone);
    await expect(sent(ada.tab, 'general', [])).rejects.toThrow('write something');

    const largest = new Uint8Array(WEB_CHAT_LIMITS.fileBytes);
    expect((await upload(url, ada.token, 'big', new Uint8Array(largest.length + 1))).status).toBe(413);
    expect((await upload(url, ada.token, 'empty', '')).status).toBe(400);
    const many: number[] = [];
    for (let n = 0; n * largest.length <= WEB_CHAT_LIMITS.uploadsBytes; n++)
      many.push((await upload(url, ada.token, `${n}`, largest)).status);
    expect(many.at(-2)).toBe(201);
    expect(many.at(-1)).toBe(503);
    expect((await upload(url, 'ear_p_wrong', 'x', 'x')).status).toBe(401);
  });
});
