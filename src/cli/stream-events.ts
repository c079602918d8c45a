// Server-sent events out of a response's bytes.

export interface StreamEvent {
  type: string;
  data: Record<string, unknown>;
}

export async function* streamEvents(response: Response): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  let waiting = '';
  for await (const chunk of response.body ?? []) {
    waiting += decoder.decode(chunk as Uint8Array, { stream: true });
    const blocks = waiting.split('\n\n');
    waiting = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parseBlock(block);
      if (event !== undefined) yield event;
    }
  }
}

function parseBlock(block: string): StreamEvent | undefined {
  const lines = block.split('\n');
  const field = (name: string): string | undefined =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const [type, data] = [field('event'), field('data')];
  return type === undefined || data === undefined
    ? undefined
    : { type, data: JSON.parse(data) as Record<string, unknown> };
}
