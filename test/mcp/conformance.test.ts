// The official MCP conformance suite against /mcp of a real host process. It passes no token, so a proxy on loopback adds
// one on the way. What it may fail is listed with the reason in conformance-expected-failures.yml: a scenario that fails
// and is not listed is red, and so is one that is listed and passes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { upHere } from '../server/here.ts';
import { folder } from '../server/up.ts';

const SUITE = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js');
const BASELINE = join(import.meta.dirname, 'conformance-expected-failures.yml');
/** The scenarios for a server with tools only; all others call fixtures. */
const PASSED = ['server-initialize', 'logging-set-level', 'ping', 'tools-list', 'dns-rebinding-protection'];

async function withToken(target: string, token: string): Promise<string> {
  const { port } = new URL(target);
  const proxy = createServer((from, to) => {
    const { url: path, method, headers } = from;
    const passed = { ...headers, authorization: `Bearer ${token}` };
    const on = request({ host: '127.0.0.1', port, path, method, headers: passed }, (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(to);
    });
    on.on('error', () => to.destroy());
    from.pipe(on);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as { port: number }).port}/mcp`;
}

async function conformance(url: string): Promise<{ code: number; out: string }> {
  const argv = [SUITE, 'server', '--url', url, '--expected-failures', BASELINE];
  const child = spawn(process.execPath, argv, { cwd: folder(), stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code: code as number, out: out + err };
}

it('passes the official suite, less the scenarios that need fixtures', async () => {
  const host = await upHere();
  const { code, out } = await conformance(await withToken(host.url, host.tokens.agents['lead'] ?? ''));
  const passed = PASSED.filter((name) => new RegExp(`✓ ${name}: [1-9]\\d* passed, 0 failed`).test(out));
  expect([passed, code === 0 ? '' : out]).toEqual([PASSED, '']);
  expect(await host.stop()).toBe(0);
});
