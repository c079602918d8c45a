// MCP over standard input and output, for clients that start their servers as processes. A host in another process runs
// the tools over its HTTP endpoint, so nothing is lost when this process ends. Standard output belongs to the protocol;
// everything else goes to `onError`.
import type { Readable, Writable } from 'node:stream';
import type { McpServer, McpServerFactory } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Clock } from '../../runtime/clock.ts';
import { createCallKeys } from './call-keys.ts';
import { CHANNEL_METHOD, type ChannelNotice } from './channel-notice.ts';
import { mcpServerFor, type RunToolCall } from './mcp-server.ts';

/** A 2026 client that is still connected after this time did not start the process only to list its tools. */
const LOOKING_AROUND_MS = 1_000;

export interface McpStdioOptions {
  agent: string;
  call: RunToolCall;
  clock: Clock;
  input: Readable;
  output: Writable;
  onError: (error: Error) => void;
  /** If given, this server is a channel. Called with `notify` when the client can take notices. */
  onChannel?: (notify: (notice: ChannelNotice) => void) => void;
}

/** Resolves when the client has closed the connection. */
export async function serveMcpStdio(options: McpStdioOptions): Promise<void> {
  const { agent, call, clock, input, output, onError, onChannel } = options;
  // A 2026 client may ask for a second server object at first. Both share the call keys.
  const callKeys = createCallKeys(agent, clock);
  const transport = new ClosingTransport(input, output);
  const serverFor: McpServerFactory = ({ era }) => {
    const mcp = mcpServerFor(call, agent, callKeys, { channel: onChannel !== undefined });
    const open = (): void => onChannel?.(notifierOf(mcp, onError));
    // A 2025 client says when it is ready. A 2026 client does not, so the channel opens after a delay.
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

/** The SDK's transport, which also says when it has closed: the client left, or sent something unreadable. */
class ClosingTransport extends StdioServerTransport {
  readonly #closed = Promise.withResolvers<void>();
  readonly closed: Promise<void> = this.#closed.promise;

  override async close(): Promise<void> {
    await super.close();
    this.#closed.resolve();
  }
}
