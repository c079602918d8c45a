// Every command, gone wrong in every usual way: one clear line that says what to do, and the right exit code.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSilent } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { COMMANDS } from '../../src/cli/dispatch.ts';
import { earshot } from '../replay/fake-io.ts';

const NAMES = COMMANDS.map(({ name }) => name);
/** Commands that need a running host, with what they need besides. */
const NEED_HOST: [string, ...string[]][] = [
  ['say', 'hi'],
  ['tail', '--once'],
  ['why', 'm1'],
  ['agents'],
  ['claims'],
  ['owed'],
];
/** What they carry on standard output is a protocol, or a program's own. */
const WITHOUT_JSON = new Set(['connect', 'mcp', 'run']);

const folder = (): string => mkdtempSync(join(tmpdir(), 'earshot-cli-'));

/** One line, without a stack. */
function isOneLine(err: string): boolean {
  return /^earshot: [^\n]{20,}\n$/.test(err) && !err.includes('    at ');
}

/** A data folder whose host is this server. */
async function pretend(
  answer: (path: string) => { status?: number; body: string },
  tokens = true,
): Promise<string> {
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const { status = 200, body } = path === '/healthz' ? { body: '{"instance":"i1"}' } : answer(path);
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const data = folder();
  const url = `http://127.0.0.1:${port}`;
  writeFileSync(join(data, 'host.json'), JSON.stringify({ url, instance: 'i1', pid: 1 }));
  if (tokens) {
    const kept = {
      url,
      operator: 'ear_o_x',
      surfaces: { dev: 'ear_s_x' },
      agents: {},
      people: { you: 'ear_p_x' },
    };
    writeFileSync(join(data, 'tokens.json'), JSON.stringify(kept));
  }
  return data;
}

describe.each(NAMES)('earshot %s', (name) => {
  it('has a help with an example, the same both ways', async () => {
    const { code, out, err } = await earshot([name, '--help']);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(new RegExp(`^Usage: earshot ${name}`));
    expect(out).toMatch(/\nExamples?:\n {2}\S*.*earshot /);
    expect((await earshot(['help', name])).out).toBe(out);
  });

  it('names a flag it does not know, and the nearest', async () => {
    // What `run` runs comes after its flags.
    const { code, err } = await earshot([name, '--hlp', ...(name === 'run' ? ['--', 'true'] : [])]);
    expect(code).toBe(2);
    expect(isOneLine(err)).toBe(true);
    expect(err).toContain(`${name}: unknown flag --hlp; did you mean "--help"?`);
  });

  it('has --json, where its output is its own', async () => {
    expect((await earshot([name, '--help'])).out.includes('--json')).toBe(!WITHOUT_JSON.has(name));
  });
});

describe.each(NEED_HOST)('earshot %s %s', (...argv) => {
  const words = argv.filter((word) => typeof word === 'string');

  it('says that no host runs, and how to start one', async () => {
    const data = folder();
    const { code, err } = await earshot([...words, '--data', data]);
    expect([code, isOneLine(err)]).toEqual([1, true]);
    expect(err).toContain(`no host runs on ${data}: start it with "earshot up"`);
  });

  it('does not take a stranger on the port for the host', async () => {
    const data = await pretend(() => ({ body: '{}' }));
    const known = JSON.parse(readFileSync(join(data, 'host.json'), 'utf8')) as { url: string };
    writeFileSync(join(data, 'host.json'), JSON.stringify({ ...known, instance: 'another', pid: 1 }));
    const { code, err } = await earshot([...words, '--data', data]);
    expect([code, isOneLine(err), err.includes('no host runs on')]).toEqual([1, true, true]);
  });

  it('says where a token is missing', async () => {
    const data = await pretend(() => ({ body: '{}' }), false);
    const { code, err } = await earshot([...words, '--data', data]);
    expect([code, isOneLine(err)]).toEqual([1, true]);
    expect(err).toContain('has no tokens.json: set EARSHOT_TOKEN');
  });

  it('says that --url needs a token, and what an address is', async () => {
    const { code, err } = await earshot([...words, '--url', 'http://127.0.0.1:1']);
    expect([code, isOneLine(err)]).toEqual([2, true]);
    expect(err).toContain('--url needs a token: set EARSHOT_TOKEN');
    vi.stubEnv('EARSHOT_TOKEN', 'ear_o_x');
    onTestFinished(() => void vi.unstubAllEnvs());
    const wrong = await earshot([...words, '--url', 'localhost']);
    expect([wrong.code, wrong.err.includes('write for example http://127.0.0.1:7575')]).toEqual([2, true]);
    const dead = await earshot([...words, '--url', 'http://127.0.0.1:1']);
    expect([dead.code, isOneLine(dead.err)]).toEqual([1, true]);
    expect(dead.err).toContain('does not answer: is it still running?');
  });

  /** It speaks over a WebSocket, where nothing of this can be answered. */
  if (words[0] === 'say') {
    it('says so when something else is on the port', async () => {
      const data = await pretend(() => ({ body: '{}' }));
      const { code, err } = await earshot([...words, '--data', data]);
      expect([code, isOneLine(err)]).toEqual([1, true]);
      expect(err).toContain('does not answer: is it still running?');
    });
    return;
  }

  it.each([
    ['no JSON', { body: '<html>hello</html>' }, 'and no JSON: is something else on its port?'],
    ['another shape', { body: '{}' }, 'is it another version of Earshot, or something else on its port?'],
    ['null', { body: 'null' }, 'is it another version of Earshot, or something else on its port?'],
    ['a failure without words', { status: 500, body: '{}' }, 'the host answered 500'],
    [
      'a refusal',
      { status: 401, body: '{"error":{"code":"unauthorized","message":"This token has been revoked."}}' },
      'This token has been revoked.',
    ],
  ])('answered with %s, says so', async (_, answer, expected) => {
    const data = await pretend(() => answer);
    const { code, err } = await earshot([...words, '--data', data]);
    expect([code, isOneLine(err)]).toEqual([1, true]);
    expect(err).toContain(expected);
  });
});

describe.each([['token', 'list'], ['pair', '--role', 'owner'], ['doctor'], ['backup', 'copy.db']])(
  'earshot %s %s, which also works without a host',
  (...argv) => {
    const words = argv.filter((word) => typeof word === 'string');

    it.each([
      ['no JSON', { body: '<html>' }],
      ['a failure', { status: 500, body: '{"error":{"message":"The host failed while doing this."}}' }],
    ])('answered with %s, fails in one line', async (_, answer) => {
      const data = await pretend(() => answer);
      const { code, err, out } = await earshot([...words, '--data', data]);
      expect(code).toBe(1);
      // doctor has findings, and tells them as such.
      expect(words[0] === 'doctor' ? out.includes('!!') : isOneLine(err)).toBe(true);
    });
  },
);

it('a host that is stopped is not taken for one that does not run', async () => {
  const silent = createSilent();
  onTestFinished(() => void silent.close());
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const data = folder();
  const url = `http://127.0.0.1:${port}`;
  writeFileSync(join(data, 'host.json'), JSON.stringify({ url, instance: 'i1', pid: 1 }));
  const says = `the host at ${url} has not answered for 10 s: it is stopped or overloaded`;
  const [agents, doctor] = await Promise.all([
    earshot(['agents', '--data', data]),
    earshot(['doctor', '--data', data]),
  ]);
  expect([agents.code, isOneLine(agents.err), agents.err.includes(says)]).toEqual([1, true, true]);
  expect([doctor.code, doctor.out.includes(`!!  host     ${says}`)]).toEqual([1, true]);
});
