// Attachments over MCP, through the official client: a model gets an image as an image, and the bytes once.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dataFolder, overHttp, overStdio, startMcpHost, stdioTransport } from './mcp-host.ts';

const BYTES = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 255]);
const DATA = BYTES.toString('base64');

async function connected(over: 'HTTP' | 'stdio') {
  const at = await startMcpHost();
  onTestFinished(() => at.close());
  if (over === 'HTTP') return { at, client: await overHttp(at, 'lead', 'modern') };
  const dir = await mkdtemp(join(tmpdir(), 'earshot-mcp-'));
  await dataFolder(join(dir, '.earshot'), at.tokenOf, at.url);
  const client = await overStdio('modern', stdioTransport(dir, '--agent', 'lead'));
  onTestFinished(async () => {
    await client.close();
    await rm(dir, { recursive: true });
  });
  return { at, client };
}

describe.each(['HTTP', 'stdio'] as const)('chat_read_attachment over %s', (over) => {
  it('gives a model what it can look at, listen to or read', async () => {
    const { at, client } = await connected(over);
    at.files.set('F1', { type: 'image/png', bytes: BYTES });
    at.files.set('F2', { type: 'audio/mpeg', bytes: BYTES });
    at.files.set('F3', { type: 'application/pdf', bytes: BYTES });
    at.files.set('F4', { type: 'text/markdown', bytes: Buffer.from('# Notes') });
    const attachments = ['F1', 'F2', 'F3', 'F4', 'F5'].map((id) => ({ id, kind: 'file' }));
    const eventId = await at.say('some files', { attachments });
    const read = (attachmentId: string) =>
      client.callTool({ name: 'chat_read_attachment', arguments: { attachmentId } });
    const about = { eventId, kind: 'file', bytes: BYTES.length };
    expect(await read('F1')).toMatchObject({
      content: [{ type: 'text' }, { type: 'image', data: DATA, mimeType: 'image/png' }],
      structuredContent: { ...about, attachmentId: 'F1', mediaType: 'image/png' },
    });
    expect((await read('F2')).content).toMatchObject([{}, { type: 'audio', data: DATA }]);
    expect((await read('F3')).content).toMatchObject([
      {},
      { type: 'resource', resource: { mimeType: 'application/pdf', blob: DATA } },
    ]);
    for (const id of ['F1', 'F2', 'F3']) expect(JSON.stringify(await read(id)).split(DATA)).toHaveLength(2);
    const text = await read('F4');
    expect(text.content).toHaveLength(1);
    expect(text.structuredContent).toMatchObject({ text: '# Notes', mediaType: 'text/markdown' });
    const gone = await read('F5');
    expect(gone).toMatchObject({ isError: true, structuredContent: { data: { name: 'not_readable' } } });
    const never = await read('F9');
    expect(JSON.stringify(never.content)).toContain('chat_list_events');
  });
});
