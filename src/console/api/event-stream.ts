// Reads server-sent events from a fetch, because EventSource cannot send a token. It understands only what the host
// sends: `event` and `data` lines, and comments as signs of life.

export interface StreamEvent {
  event: string;
  data: string;
}

/** Takes chunks of text and returns the events that are complete. */
export function eventParser(): (chunk: string) => StreamEvent[] {
  let rest = '';
  return (chunk) => {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.flatMap(parseBlock);
  };
}

function parseBlock(block: string): StreamEvent[] {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('event: ')) event = line.slice(7);
    else if (line.startsWith('data: ')) data.push(line.slice(6));
  }
  return data.length === 0 ? [] : [{ event, data: data.join('\n') }];
}

/** Reads until the other end closes. Calls `alive` with every chunk, comments included. */
export async function readStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  tell: (event: StreamEvent) => void,
  alive: () => void,
): Promise<void> {
  const parse = eventParser();
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    alive();
    for (const event of parse(value)) tell(event);
  }
}
