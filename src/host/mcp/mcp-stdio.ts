// MCP over standard input and output, for clients that start their servers as processes. The tools are run by a host
// elsewhere, over its HTTP endpoint: this process holds nothing that would be missed. Standard output belongs to
// the protocol; everything else is told through `onError`.
import type { Readable, Writable } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Clock } from '../../runtime/clock.ts';
import { createAttachments } from './attachments.ts';
import { mcpServerFor, type ToolCaller } from './mcp-server.ts';

export interface McpStdioOptions {
  agent: string;
  call: ToolCaller;
  clock: Clock;
  input: Readable;
  output: Writable;
  onError: (error: Error) => void;
}

/** Resolves when the client has closed its end. */
export async function serveMcpStdio(options: McpStdioOptions): Promise<void> {
  const { agent, call, clock, input, output, onError } = options;
  // A 2026 client may ask for a second server object before it settles: both share what is attached.
  const attachments = createAttachments(agent, clock);
  const transport = new ClosingTransport(input, output);
  serveStdio(() => mcpServerFor(call, agent, attachments), { transport, onerror: onError });
  await transport.closed;
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
