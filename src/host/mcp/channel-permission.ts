// Permission over a Claude Code channel. When the client asks for permission it tells the channel too; the question is put
// in chat, where the work was asked for, and the first answer counts, there or at the terminal. A verdict is sent only
// when a person gave one: otherwise the dialog at the terminal goes on waiting.
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { PERMISSION_METHOD, PERMISSION_REQUEST_METHOD } from './channel-notice.ts';
import type { HostPort } from './host-port.ts';
import type { McpTurns } from './mcp-turns.ts';

const requestSchema = z.object({
  request_id: z.string().min(1).max(64),
  tool_name: z.string().min(1),
  description: z.string().optional(),
  /** The arguments as JSON, cut. */
  input_preview: z.string().optional(),
});

export interface PermissionRelay {
  port: HostPort;
  turns: McpTurns;
  approver: string | undefined;
  onError: (error: Error) => void;
}

export function relayPermissions(mcp: McpServer, relay: PermissionRelay): void {
  const { server } = mcp;
  server.setNotificationHandler(PERMISSION_REQUEST_METHOD, { params: requestSchema }, async (request) => {
    const behavior = await ask(relay, request);
    if (behavior === undefined) return;
    const params = { request_id: request.request_id, behavior };
    await server.notification({ method: PERMISSION_METHOD, params });
  });
}

/** Undefined when nobody in chat has decided. */
async function ask(
  { port, turns, approver, onError }: PermissionRelay,
  { request_id, tool_name, description = '', input_preview = '' }: z.infer<typeof requestSchema>,
): Promise<'allow' | 'deny' | undefined> {
  const inReplyTo = turns.latest;
  // The person at the terminal works with it on something of their own.
  if (inReplyTo === undefined) return undefined;
  const input = argumentsIn(input_preview) ?? { input_preview, description };
  const args = { tool_name, input, inReplyTo, ...(approver === undefined ? {} : { approver }) };
  const request = { id: `permission ${request_id}`, signal: new AbortController().signal };
  const result = await port.call('chat.ask_permission', args, request);
  if (result.isError === true) {
    onError(new Error(`permission was not decided in chat: ${result.content[0]?.text ?? ''}`));
    return undefined;
  }
  return result.structuredContent?.['behavior'] === 'allow' ? 'allow' : 'deny';
}

/** A preview that was cut is no JSON any more. It is then shown as it is. */
function argumentsIn(preview: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(preview);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
