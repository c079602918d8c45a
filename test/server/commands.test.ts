// The operations commands, beside a running host and without one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { earshot } from '../replay/fake-io.ts';
import { upHere } from './here.ts';
import { folder, MAIN, run, until } from './up.ts';

describe('beside a running host', () => {
  it('say, tail, pair, token, backup and doctor go through it', async () => {
    const host = await upHere();
    const at = (...argv: string[]) => earshot([...argv, '--data', host.data]);

    const said = await at('say', '@lead are you there?', '--wait', '0');
    expect(said).toMatchObject({ code: 0, err: '' });
    expect(said.out).toMatch(/^web_\S+\n {2}lead must answer: it is mentioned\. {2}must_respond \S+\n/);
    expect(said.out).toContain('lead will get it when it is connected.');
    const id = said.out.split('\n', 1)[0] ?? '';

    const tail = await at('tail', '--once');
    expect(tail.out).toMatch(new RegExp(`general \\S+: @lead are you there\\?  ${id}\n`));
    expect(tail.out).toContain('lead must_respond');
    expect((await at('tail', '--once', '--in', '#General')).out).toContain(id);
    expect((await at('why', 'last', 'lead')).out).toContain('lead must answer');

    const pair = await at('pair', '--role', 'owner');
    expect(pair.out).toMatch(/^claim-[2-9A-Z]{4}-[2-9A-Z]{4}\n$/);
    expect((await at('say', pair.out.trim(), '--wait', '0')).code).toBe(0);
    expect((await at('tail', '--once')).out).not.toContain(pair.out.trim());

    const token = await at('token', 'create', '--kind', 'operator', '--subject', 'ops', '--label', 'mine');
    expect(token.out).toMatch(/^ear_o_[\w-]{43}\n$/);
    expect((await at('token', 'list')).out).toContain('mine');
    expect((await host.call('GET', '/v1/agents', token.out.trim())).status).toBe(200);

    const file = join(host.data, 'copy.db');
    expect((await at('backup', file)).out).toMatch(/copy\.db: \d+ bytes/);
    expect(readFileSync(file).subarray(0, 15).toString()).toBe('SQLite format 3');
    expect((await at('backup', file)).err).toContain('is there already');

    const doctor = await at('doctor');
    expect(doctor).toMatchObject({ code: 0, err: '' });
    expect(doctor.out).toContain(`ok  host     running at ${host.url}`);
    expect(doctor.out).toContain('invariants hold');
    expect(doctor.out).toMatch(/ok {2}surface {2}earshot, web, dev\S*: up\n/);
    await host.stop();
  });

  it('tail follows, and ends with the host', async () => {
    const host = await upHere();
    const child = spawn(process.execPath, [MAIN, 'tail', '--lines', '0', '--json', '--data', host.data], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    // The stream is open once something said after it shows up.
    await until(async () => {
      await earshot(['say', 'hello there', '--wait', '0', '--data', host.data]);
      return lines.some((line) => line.includes('hello there'));
    });
    const logged = lines.map(
      (line) => JSON.parse(line) as { type: string; data: { decisions: { trace: unknown }[] } },
    );
    expect(logged.find(({ type }) => type === 'logged')?.data.decisions[0]?.trace).toMatchObject({
      row: expect.any(String) as string,
    });
    const ended = once(child, 'close');
    expect(await host.stop()).toBe(0);
    expect((await ended)[0]).toBe(0);
  });

  it('connect --stdio joins a harness on standard streams', async () => {
    const host = await upHere();
    const child = spawn(
      process.execPath,
      [MAIN, 'connect', '--stdio', '--agent', 'lead', '--data', host.data],
      { stdio: ['pipe', 'pipe', 'pipe'] },
    );
    onTestFinished(() => void child.kill('SIGKILL'));
    const lines = createInterface({ input: child.stdout });
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2026-06-24' } })}\n`,
    );
    const [answer] = (await once(lines, 'line')) as [string];
    expect(JSON.parse(answer)).toMatchObject({ id: 1, result: { agent: 'agent:lead' } });
    child.stdin.end();
    expect((await once(child, 'close'))[0]).toBe(0);
    const unknown = await earshot(['connect', '--stdio', '--agent', 'leed', '--data', host.data]);
    expect(unknown.err).toContain('has no token for "leed"; did you mean "lead"?');
    await host.stop();
  });
});

describe('without a host', () => {
  it('token, pair, backup and doctor open the store themselves', async () => {
    const host = await upHere();
    await host.stop();
    const at = (...argv: string[]) => earshot([...argv, '--data', host.data]);
    const token = await at('token', 'create', '--kind', 'surface', '--subject', 'bridge');
    expect(token.out).toMatch(/^ear_s_/);
    expect((await at('pair', '--role', 'owner')).out).toMatch(/^claim-/);
    expect((await at('backup', join(host.data, 'b.db'))).code).toBe(0);
    const doctor = await at('doctor', '--json');
    expect([doctor.code, doctor.err]).toEqual([0, '']);
    for (const command of [['say', 'hi'], ['why', 'x'], ['tail']]) {
      const ran = await at(...command);
      expect(ran.code).toBe(1);
      expect(ran.err).toContain('no host runs on');
    }
    // The source that has a token but no configuration can post after the next start.
    const again = await upHere({ data: host.data });
    const bridge = token.out.trim();
    expect((await again.call('POST', '/v1/events', bridge, { bad: 1 })).status).toBe(400);
    await again.stop();
  });

  it('doctor says what is wrong and what to do, and exits with 1', async () => {
    const host = await upHere();
    await host.stop();
    chmodSync(join(host.data, 'tokens.json'), 0o644);
    writeFileSync(join(host.data, 'earshot.yaml'), 'agents: 3\n');
    const { code, out } = await run(['doctor', '--data', host.data], host.data);
    expect(code).toBe(1);
    expect(out).toContain('!!  config   earshot.yaml:1: agents: expected a list');
    expect(out).toContain(`others may read it (644); chmod 600 ${join(host.data, 'tokens.json')}`);
    expect(out).toContain('ok  store');
  });

  it('says when there is nothing yet', async () => {
    const data = join(folder(), 'none');
    for (const argv of [
      ['backup', 'x.db'],
      ['pair', '--role', 'r'],
      ['token', 'list'],
    ]) {
      const { code, err } = await earshot([...argv, '--data', data]);
      expect([code, err.includes('there is no data in')]).toEqual([1, true]);
    }
    expect(existsSync(data)).toBe(false);
    expect(
      (await earshot(['token', 'create', '--kind', 'operator', '--subject', 'me', '--data', data])).code,
    ).toBe(0);
    expect(statSync(data).mode & 0o777).toBe(0o700);
  });
});
