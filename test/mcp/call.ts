// One tool call by the official client, and what a test asks of its answer.
import type { Client } from '@modelcontextprotocol/client';
import { EVENTS_META } from '../../src/host/mcp/mcp-turns.ts';

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
    data: (result.structuredContent ?? eventsIn(result)) as Record<string, unknown>,
  };
}

/** A wait has its events where programs find them and models do not read them a second time. */
function eventsIn({ _meta = {} }: { _meta?: Record<string, unknown> | undefined }): Record<string, unknown> {
  return EVENTS_META in _meta ? { events: _meta[EVENTS_META] } : {};
}

/** A plain reply in the conversation of an event. */
export function reply(target: string, inReplyTo: string, text: string) {
  return { target, inReplyTo, text, visibility: 'channel', directedness: 'ambient' };
}
