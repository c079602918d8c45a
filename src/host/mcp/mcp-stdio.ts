// MCP over standard input and output, for clients that start their servers as processes. The tools are run by a host
// elsewhere, over its HTTP endpoint: this process holds nothing that would be missed. Standard output belongs to
// the protocol; everything else is told through `onError`.
import type { Readable, Writable } from 'node:stream';
import type { McpServer, McpServerFactory } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Clock } from '../../runtime/clock.ts';
import { createAttachments } from './attachments.ts';
import { CHANNEL_METHOD, type ChannelNotice } from './channel-notice.ts';
import { mcpServerFor, type ToolCaller } from './mcp-server.ts';

const LOOKING_AROUND_MS = 1_000;

export interface McpStdioOptions {
  agent: string;
  call: ToolCaller;
  clock: Clock;
  input: Readable;
  output: Writable;
  onError: (error: Error) => void;
  /** Makes it a channel. Called when the client can be told, with the way to tell it. */
  onChannel?: (notify: (notice: ChannelNotice) => void) => void;
}

/** Resolves when the client has closed its end. */
export async function serveMcpStdio(options: McpStdioOptions): Promise<void> {
  const { agent, call, clock, input, output, onError, onChannel } = options;
  // A 2026 client may ask for a second server object before it settles: both share what is attached.
  const attachments = createAttachments(agent, clock);
  const transport = new ClosingTransport(input, output);
  const serverFor: McpServerFactory = ({ era }) => {
    const mcp = mcpServerFor(call, agent, attachments, onChannel !== undefined);
    const open = (): void => onChannel?.(notifierOf(mcp, onError));
    // A 2025 client says when it is ready. A later one does not, and may start a process only to look around.
    if (era === 'legacy') mcp.server.oninitialized = open;
    else clock.after(LOOKING_AROUND_MS, open);
    return mcp;
  };
  serveStdio(serverFor, { transport, onerror: onError });
  await transport.closed;
}

function notifierOf({ server }: McpServer, onError: (error: Error) => void): (notice: ChannelNotice) => void {
  return ({ content, meta }) => {
    server
      .notification({ method: CHANNEL_METHOD, params: { content, meta } })
      .catch((error: unknown) => onError(error instanceof Error ? error : new Error(String(error))));
  };
}

/** The SDK's own, which also tells when it is over: the client left, or sent what could not be read. */
class ClosingTransport extends StdioServerTransport {
  readonly #closed = Promise.withResolvers<void>();
  readonly closed: Promise<void> = this.#closed.promise;

  override async close(): Promise<void> {
    await super.close();
    this.#closed.resolve();
  }
}
