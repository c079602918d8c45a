// One tool call by the official client, and what a test asks of its answer.
import type { Client } from '@modelcontextprotocol/client';

export interface Called {
  isError: boolean;
  /** What the model reads. */
  text: string;
  data: Record<string, unknown>;
}

export async function call(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Called> {
  const result = await client.callTool({ name, arguments: args });
  const [first] = result.content;
  return {
    isError: result.isError === true,
    text: first?.type === 'text' ? first.text : '',
    data: (result.structuredContent ?? {}) as Record<string, unknown>,
  };
}

/** A plain reply in the conversation of an event. */
export function reply(target: string, inReplyTo: string, text: string) {
  return { target, inReplyTo, text, visibility: 'channel', directedness: 'ambient' };
}
