import { expect, it } from 'vitest';
import { eventParser, readStream } from './event-stream.ts';

it('puts events together whatever the chunks they come in', () => {
  const text =
    ': earshot\n\nevent: logged\ndata: {"a":1}\n\n: still here\n\nevent: inbox\ndata: {"key":"k"}\n\n';
  const expected = [
    { event: 'logged', data: '{"a":1}' },
    { event: 'inbox', data: '{"key":"k"}' },
  ];
  for (let size = 1; size <= text.length; size++) {
    const parse = eventParser();
    const found = [];
    for (let at = 0; at < text.length; at += size) found.push(...parse(text.slice(at, at + size)));
    expect(found).toEqual(expected);
  }
});

it('keeps characters whole that a chunk has cut', async () => {
  const bytes = new TextEncoder().encode('event: logged\ndata: {"text":"früh ✅"}\n\n');
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const found: string[] = [];
  let chunks = 0;
  await readStream(
    body,
    ({ data }) => found.push(data),
    () => chunks++,
  );
  expect(found).toEqual(['{"text":"früh ✅"}']);
  expect(chunks).toBeGreaterThan(1);
});
