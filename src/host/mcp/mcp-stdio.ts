// MCP over standard input and output, for clients that start their servers as processes. A host in another process runs
// the tools over its HTTP endpoint, so nothing is lost when this process ends. Standard output belongs to the protocol;
// everything else goes to `onError`.
import type { Readable, Writable } from 'node:stream';
import type { McpServer } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Clock } from '../../runtime/clock.ts';
import { createCallKeys } from './call-keys.ts';
import { CHANNEL_METHOD, type ChannelNotice } from './channel-notice.ts';
import { relayPermissions } from './channel-permission.ts';
import type { HostPort } from './host-port.ts';
import { mcpServerFor, type McpServerDeps } from './mcp-server.ts';
import { McpTurns } from './mcp-turns.ts';

export interface McpStdioOptions {
  agent: string;
  port: HostPort;
  clock: Clock;
  newId: () => string;
  waitMs?: number | undefined;
  eventId?: string | undefined;
  approver?: string | undefined;
  permissionOnly?: boolean;
  input: Readable;
  output: Writable;
  onError: (error: Error) => void;
  /** If given, this server is a channel. Called with `notify` when the client can take notices. */
  onChannel?: (notify: (notice: ChannelNotice) => void) => void;
}

/** Resolves when the client has closed the connection. */
export async function serveMcpStdio(options: McpStdioOptions): Promise<void> {
  const { agent, port, clock, newId, input, output, onError, onChannel } = options;
  const { waitMs, eventId, approver, permissionOnly = false } = options;
  const channel = onChannel !== undefined;
  // A 2026 client may ask for a second server object at first. Both share the call keys and the turn.
  const callKeys = createCallKeys(agent, clock);
  const turns = new McpTurns({ clock, newId, channel });
  const served = { agent, port, callKeys, turns, clock, channel };
  const deps: McpServerDeps = { ...served, waitMs, eventId, approver, permissionOnly };
  const transport = new ClosingTransport(input, output);
  if (onChannel === undefined) serveStdio(() => mcpServerFor(deps), { transport, onerror: onError });
  else {
    const mcp = mcpServerFor(deps);
    relayPermissions(mcp, { port, turns, approver, onError });
    await serveChannel(mcp, transport, onChannel, onError);
  }
  await transport.closed;
}

/**
 * A channel speaks the 2025 revisions only: Claude Code ignores the channel of a server that agrees to a newer one. A
 * client that offers a newer one is answered with the newest of 2025, and one that tries another opening falls back.
 */
async function serveChannel(
  mcp: McpServer,
  transport: StdioServerTransport,
  onChannel: (notify: (notice: ChannelNotice) => void) => void,
  onError: (error: Error) => void,
): Promise<void> {
  const oninitialized = (): void => onChannel(notifierOf(mcp, onError));
  Object.assign(mcp.server, { onerror: onError, oninitialized });
  await mcp.connect(transport);
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
