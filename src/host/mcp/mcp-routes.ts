// Mounts /mcp in the host's web server. The SDK reads the body and writes the answer itself, so the route lives in a
// Fastify scope of its own without the app's body parsing.
import type { FastifyInstance } from 'fastify';
import type { Tokens } from '../security/tokens.ts';
import type { ToolHost } from './agent-servers.ts';
import { type McpHttp, mcpHttpHandler, type McpHttpOptions } from './mcp-http.ts';

export interface McpRoutesContext {
  host: ToolHost;
  tokens: Pick<Tokens, 'authenticate'>;
  /** Aborted when the server begins to stop. */
  drain: { signal: AbortSignal };
}

export function mcpRoutes(
  app: FastifyInstance,
  { host, tokens, drain }: McpRoutesContext,
  options: McpHttpOptions = {},
): McpHttp {
  const { log } = host.context;
  const mcp = mcpHttpHandler(host, (token) => tokens.authenticate(token), {
    ...options,
    get allowedHosts() {
      return host.context.settings.allowedHosts;
    },
  });
  const close = (): void =>
    void mcp.close().catch((error: unknown) => log.error({ err: error }, '/mcp did not close'));
  drain.signal.addEventListener('abort', close, { once: true });
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, taken) => taken(null));
    scope.route({
      method: ['GET', 'POST', 'DELETE'],
      url: '/mcp',
      config: { refusesStrangers: true },
      async handler(request, reply) {
        reply.hijack();
        await mcp.handle(request.raw, reply.raw);
      },
    });
    done();
  });
  return mcp;
}
