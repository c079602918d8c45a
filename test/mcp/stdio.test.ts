// `earshot mcp` as a process: what it writes where, how it ends, and what the model hears of a host that is not there.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { call } from './call.ts';
import { CLI, dataFolder, overStdio, startMcpHost, stdioTransport } from './mcp-host.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'earshot-mcp-'));
});
afterEach(() => rm(dir, { recursive: true }));

/** Runs it to its end with this input. */
async function run(flags: readonly string[], input = '', env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [CLI, 'mcp', ...flags], {
    cwd: dir,
    env: { ...process.env, ...env },
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { out, err, code: code as number };
}

const data = (): string => join(dir, '.earshot');
const LEAD = { lead: 'ear_a_x' };
const NOWHERE = 'http://127.0.0.1:9';

it.each([
  {
    what: 'no data folder',
    flags: ['--agent', 'lead'],
    agents: undefined,
    code: 1,
    said: 'with "earshot up"',
  },
  {
    what: 'an unknown agent',
    flags: ['--agent', 'laed'],
    agents: LEAD,
    code: 1,
    said: 'did you mean "lead"?',
  },
  { what: 'no agent in it', flags: ['--agent', 'lead'], agents: {}, code: 1, said: 'it names no agent' },
  { what: 'a file of another shape', flags: [], agents: ['x', 'y'], code: 1, said: 'is damaged' },
  {
    what: 'a choice of two',
    flags: [],
    agents: { a: 'x', b: 'y' },
    code: 2,
    said: '--agent ID, one of a, b',
  },
  { what: 'a wrong address', flags: ['--url', 'localhost'], agents: LEAD, code: 2, said: 'is no address' },
  {
    what: 'an unknown flag',
    flags: ['--agnet', 'x'],
    agents: LEAD,
    code: 2,
    said: 'did you mean "--agent"?',
  },
])(
  'ends with $code and one line on standard error when there is $what',
  async ({ flags, agents, code, said }) => {
    if (agents !== undefined) await dataFolder(data(), agents, NOWHERE);
    const ended = await run(flags);
    expect(ended).toMatchObject({ out: '', code });
    expect(ended.err).toContain(said);
    expect(ended.err.trim().split('\n')).toHaveLength(1);
  },
);

it('writes nothing but the protocol to standard output, and ends well when its input does', async () => {
  await dataFolder(join(dir, 'elsewhere'), LEAD, NOWHERE);
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const hello = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const child = spawn(process.execPath, [CLI, 'mcp', '--data', 'elsewhere'], { cwd: dir });
  child.stdin.write(`${hello}\nnot JSON\n`);
  const [first] = (await once(child.stdout, 'data')) as [Buffer];
  expect(JSON.parse(first.toString())).toMatchObject({ id: 1, result: { serverInfo: { name: 'earshot' } } });
  const [rest, err] = [text(child.stdout), text(child.stderr)];
  child.stdin.end();
  const [code] = (await once(child, 'exit')) as [number];
  expect([code, await rest]).toEqual([0, '']);
  expect(await err).toContain('earshot mcp: serving agent lead by http://127.0.0.1:9/c2a');
  expect(await err).not.toContain('ear_a_x');
});

it('tells the model of a host that does not run or does not know it, and finds it when it does', async () => {
  const first = await startMcpHost();
  await dataFolder(data(), first.tokenOf);
  const client = await overStdio('legacy', stdioTransport(dir, '--agent', 'lead'));
  const unavailable = { isError: true, data: { data: { name: 'unavailable', retryable: true } } };
  expect(await call(client, 'chat_list_events')).toMatchObject(unavailable);
  await dataFolder(data(), first.tokenOf, first.url);
  expect((await call(client, 'chat_list_events')).data).toEqual({ events: [] });
  await first.close();
  const gone = await call(client, 'chat_list_events');
  expect(gone).toMatchObject(unavailable);
  expect(gone.text).toContain('Call again later with the same arguments.');

  const second = await startMcpHost();
  await dataFolder(data(), first.tokenOf, second.url);
  const shut = await call(client, 'chat_list_events');
  expect(shut).toMatchObject({ isError: true, data: { data: { name: 'unauthorized' } } });
  await dataFolder(data(), second.tokenOf, second.url);
  expect((await call(client, 'chat_list_events')).data).toEqual({ events: [] });
  await client.close();
  await second.close();
});

it('takes agent, address and token from flags and environment, without any file', async () => {
  const at = await startMcpHost();
  const flags = ['--agent', 'builder', '--url', at.url, '--token', at.tokenOf.builder];
  const client = await overStdio('modern', stdioTransport(dir, ...flags));
  expect((await call(client, 'chat_list_events')).data).toEqual({ events: [] });
  await client.close();
  const ended = await run(['--agent', 'lead', '--url', at.url], '', { EARSHOT_TOKEN: at.tokenOf.lead });
  expect(ended).toMatchObject({ code: 0, out: '' });
  await at.close();
});
