// agents, claims, owed, why and tail beside a real host process, as somebody at a terminal uses them.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { COMMANDS } from '../../src/cli/dispatch.ts';
import type { ShownAgent, ShownClaim, ShownObligation } from '../../src/protocol/operator-api.ts';
import { earshot } from '../replay/fake-io.ts';
import { upHere } from '../server/here.ts';
import { folder, harness, MAIN, message, run, type Listening, until } from '../server/up.ts';

const YAML = `agents:
  - id: lead
    ignore: ["human:U66"]
  - id: builder
    lead: lead
owner: boss
`;

async function started(): Promise<Listening> {
  const data = folder();
  writeFileSync(join(data, 'earshot.yaml'), YAML);
  return upHere({ data });
}
/** The command in this process, the host in its own. */
const at = (host: Listening, ...argv: string[]) => earshot([...argv, '--data', host.data]);
const byName = (a: string, b: string) => (a < b ? -1 : 1);
const jsonLines = <T>(out: string): T[] =>
  out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
const tool = (host: Listening, agent: string, name: string, args: unknown) =>
  host.call('POST', '/c2a', host.tokens.agents[agent], {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  });

it('every command is in docs/cli.md', () => {
  const text = readFileSync('docs/cli.md', 'utf8');
  const named = [...text.matchAll(/^\| (`.*?`) +\|/gm)].flatMap(([, names = '']) =>
    names.split(', ').map((name) => name.replaceAll('`', '')),
  );
  expect(named.toSorted(byName)).toEqual(COMMANDS.map(({ name }) => name).toSorted(byName));
});

it('agents, doctor, tail and metrics say why the turns of an agent fail', async () => {
  const host = await started();
  const asked = message('@builder can you look?');
  await host.post([asked]);
  const rpc = (method: string, params: object) =>
    host.call('POST', '/c2a', host.tokens.agents['builder'], { jsonrpc: '2.0', id: 1, method, params });
  await rpc('turn/started', { turnId: 't1', eventIds: [asked.eventId] });
  await rpc('turn/ended', { turnId: 't1', outcome: 'failed', error: 'Not logged in · Please run /login' });
  expect((await at(host, 'agents', 'builder')).out).toContain('failing: Not logged in');
  const doctor = await at(host, 'doctor');
  expect(doctor.code).toBe(1);
  expect(doctor.out).toContain(
    '!!  agents   builder is failing, its last turn failed: Not logged in · Please run /login; mend that',
  );
  expect((await at(host, 'tail', '--once')).out).toContain('turn ended failed Not logged in');
  const metrics = await (await fetch(`${host.url}/metrics`)).text();
  expect(metrics).toContain('earshot_turn_failures_total{agent="builder",outcome="retry"} 1');
});

it('doctor names the model of second opinions that is in force, also after the file changed', async () => {
  const host = await started();
  const file = join(host.data, 'earshot.yaml');
  expect((await at(host, 'doctor')).out).not.toContain('opinion');
  for (const port of [9, 10]) {
    writeFileSync(file, `${YAML}host:\n  secondOpinion:\n    model: http://127.0.0.1:${port}/v1#small\n`);
    const reloaded = await at(host, 'reload');
    expect(reloaded).toMatchObject({ code: 0, err: '' });
    expect(reloaded.out).not.toContain('counts after a restart');
    const doctor = await at(host, 'doctor');
    expect(doctor.out).toContain(`ok  opinion  http://127.0.0.1:${port}/v1#small was asked 0 times`);
  }
});

describe('agents, claims and owed', () => {
  it('show who is there, what waits, what is taken and what is owed', async () => {
    const host = await started();
    const first = await at(host, 'agents');
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toMatch(/^AGENT +STATE +WAITING +OWES +BLOCKS +CLAIMS +SET\nlead +never connected +0 /);
    expect((await at(host, 'claims')).out).toBe('Nothing is claimed.\n');
    expect((await at(host, 'owed')).out).toBe('Nothing is owed.\n');

    const asked = message('@builder can you look?');
    const owed = message('which key do I use?', {
      author: { id: 'lead', kind: 'agent' },
      recipients: ['agent:builder'],
      obligation: { blocks: 'halted', defaultAction: 'I wait' },
    });
    await host.post([asked, owed]);
    await tool(host, 'builder', 'chat.claim', { inReplyTo: asked.eventId, ttlMs: 600_000 });
    const shown = await at(host, 'agents', 'builder', '--json');
    expect(jsonLines<ShownAgent>(shown.out)).toMatchObject([
      {
        id: 'builder',
        obligations: { owes: [{ owedTo: 'agent:lead' }] },
        claims: [{ eventId: asked.eventId }],
      },
    ]);
    expect((await at(host, 'agents')).out).toMatch(/\nbuilder +never connected +\d+ \(\d+ must\) +1 +1 +1/);
    expect((await at(host, 'agents', 'bilder')).err).toBe(
      'earshot: there is no agent "bilder"; did you mean "builder"?\n',
    );

    const claims = await at(host, 'claims');
    expect(claims.out).toMatch(
      new RegExp(`^AGENT +LEFT +WHERE +WHAT\\nbuilder +10m +general +${asked.eventId}\\n$`),
    );
    expect(jsonLines<ShownClaim>((await at(host, 'claims', '--json')).out)).toMatchObject([
      { agent: 'builder' },
    ]);
    expect((await at(host, 'claims', 'lead')).out).toBe('lead has claimed nothing.\n');

    const table = await at(host, 'owed', '--by', 'builder');
    expect(table.out).toMatch(/^OWED BY +TO +BLOCKS +AGE +WHERE +NEXT\nagent:builder +agent:lead +halted /);
    expect((await at(host, 'owed', '--to', 'builder')).out).toBe('Nothing is owed.\n');
    const [one] = jsonLines<ShownObligation>((await at(host, 'owed', '--json')).out);
    const refused = await at(host, 'owed', '--discharge', one?.key ?? '');
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining('only agent:lead may') as string,
    ]);
    await host.stop();
  });

  it('shows a connected agent, and one that has gone', async () => {
    const host = await started();
    const lead = harness(host, 'lead');
    await until(
      async () =>
        (await at(host, 'agents', 'lead')).out.includes('connected') &&
        !(await at(host, 'agents', 'lead')).out.includes('never'),
    );
    lead.child.kill('SIGKILL');
    await until(async () => (await at(host, 'agents', 'lead')).out.includes('away since'));
    await host.stop();
  });
});

describe('why', () => {
  it('--prompt prints what the model of an agent read, line by line', async () => {
    const host = await started();
    const { eventId } = message('@lead is it green?');
    const asked = { ...message('@lead is it green?'), eventId };
    await host.call('POST', '/v1/events', host.tokens.surfaces['dev'], asked);
    const none = await at(host, 'why', eventId, 'lead', '--prompt');
    expect(none).toMatchObject({ code: 0, err: '' });
    expect(none.out).toMatch(/^No prompt is stored for lead: /);
    const turn = async (method: string, params: object) =>
      host.call('POST', '/c2a', host.tokens.agents['lead'], { jsonrpc: '2.0', id: 1, method, params });
    await turn('turn/started', { turnId: 't1', eventIds: [eventId] });
    const prompt = 'C2A EVENT\n\u001B[31mred\nMESSAGE';
    await host.call('POST', '/c2a', host.tokens.agents['lead'], {
      jsonrpc: '2.0',
      method: 'notifications/prompt',
      params: { turnId: 't1', prompt },
    });
    await turn('turn/ended', { turnId: 't1', outcome: 'silent' });
    const { out } = await at(host, 'why', eventId, 'lead', '--prompt');
    expect(out).toMatch(/^\S+ {2}t1\nC2A EVENT\n.*red\nMESSAGE\n$/);
    expect(out).not.toContain('\u001B');
    const unsaid = await at(host, 'why', eventId, '--prompt');
    expect(unsaid).toMatchObject({
      code: 2,
      err: expect.stringContaining('--prompt needs the agent') as string,
    });
  });

  it('tells in words, of agents that were asked and of those that were not, and the rules only when asked', async () => {
    const host = await started();
    const sent = message('@lead are you there?');
    await host.post(sent);
    const both = await at(host, 'why', sent.eventId);
    expect(both).toMatchObject({ code: 0, err: '' });
    expect(both.out).toContain('Ada: @lead are you there?');
    expect(both.out).toContain('lead must answer: it is mentioned.');
    expect(both.out).toContain('builder stays silent');
    expect(both.out).toContain('It waits for lead to connect.');
    expect(both.out.replace(sent.eventId, '')).not.toMatch(/[a-z]_[a-z]|\bRule \d/);
    const rules = await at(host, 'why', sent.eventId, 'lead', '--rules');
    expect(rules.out).toContain('engage: to_me must_respond buffered mention (rule mention, row explicit)');
    expect(rules.out).not.toContain('builder');
    const link = `${host.url}/#/timeline?event=${encodeURIComponent(sent.eventId)}`;
    expect((await at(host, 'why', link, 'ghost')).out).toContain('ghost is not an agent of this host.');
    const none = await at(host, 'why', 'nothing');
    expect([none.code, none.err]).toEqual([
      1,
      expect.stringContaining('There is no event with this id') as string,
    ]);
    await host.stop();
  });

  it('reads as in docs/cli.md', async () => {
    const host = await started();
    await host.post(message('hello'));
    const body = { conversation: 'general', mode: 'left' };
    await host.call('POST', '/v1/agents/lead/mode', host.tokens.operator, body);
    await host.post(message('lead, are you there?', { eventId: 'm1' }));
    const { out } = await at(host, 'why', 'm1', 'lead');
    expect(readFileSync('docs/cli.md', 'utf8')).toContain(`\`\`\`\n${out}\`\`\`\n`);
    await host.stop();
  });

  it('has colours only where they are wanted', async () => {
    const host = await started();
    const sent = message('@lead are you there?');
    await host.post(sent);
    const argv = ['why', sent.eventId, '--data', host.data];
    const escape = '\u001B[';
    expect((await run(argv, host.data, { FORCE_COLOR: '1' })).out).toContain(escape);
    expect((await run(argv, host.data, { FORCE_COLOR: '1', NO_COLOR: '1' })).out).not.toContain(escape);
    await host.stop();
  });
});

describe('tail', () => {
  it('shows engage green, observe dim, denied red, claim magenta, and progress [TC/decision/colours] [C2A-06-02/progress/displayed]', async () => {
    const host = await started();
    await host.post([
      message('@lead can you look?'),
      message('@lead and for me?', { author: { id: 'U66', kind: 'human' } }),
      message('claim-ABCD-EFGH'),
      {
        ...message('half of the tests'),
        type: 'progress',
        progress: 5,
        total: 10,
        author: { id: 'builder', kind: 'agent' },
      },
    ]);
    const { out } = await earshot(['tail', '--once', '--data', host.data], '', true);
    expect(out).toMatch(/<green> +lead must_respond buffered \(mention\)<\/green>/);
    expect(out).toMatch(/<dim> +builder must_not_respond /);
    expect(out).toMatch(/<red> +lead must_not_respond silent \(denied\)<\/red>/);
    expect(out).toMatch(/<magenta> +lead must_not_respond silent \(pairing\)<\/magenta>/);
    expect(out).toContain('general builder: (progress 5/10 half of the tests)');
    await host.stop();
  });

  it('shows only what its filters let through, before and live', async () => {
    const host = await started();
    const lines = readFileSync('examples/standup.jsonl', 'utf8').trim().split('\n').slice(0, 12);
    await host.post(lines.map((line) => ({ ...(JSON.parse(line) as object), platform: 'dev' })));
    const must = await at(
      host,
      'tail',
      '--once',
      '--agent',
      'lead',
      '--policy',
      'must_respond',
      '--lines',
      '50',
    );
    expect(must).toMatchObject({ code: 0, err: '' });
    expect(must.out).toContain('where are we with the release?');
    expect(must.out).not.toContain('the coffee machine works again');
    const words = await at(host, 'tail', '--once', '--text', 'coffee', '--in', 'standup', '--json');
    expect(jsonLines<{ text: string }>(words.out).map(({ text }) => text.includes('coffee'))).toEqual([true]);
    expect((await at(host, 'tail', '--once', '--author', 'nobody')).out).toBe('');
    for (const [flag, value] of [
      ['--policy', 'must'],
      ['--reason', 'mentoin'],
      ['--decision', 'engaged'],
    ] as const) {
      const { code, err } = await at(host, 'tail', '--once', flag, value);
      expect([code, err]).toEqual([2, expect.stringContaining(`${flag}: "${value}" is not known`) as string]);
    }
    expect((await at(host, 'tail', '--to', '2026-06-02T09:00:00Z')).err).toContain('add --once');

    const child = spawn(
      process.execPath,
      [MAIN, 'tail', '--lines', '0', '--json', '--text', 'wanted', '--data', host.data],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    onTestFinished(() => void child.kill('SIGKILL'));
    const live: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => live.push(line));
    let said = 0;
    await until(async () => {
      await host.post([message('something else'), message(`this is wanted ${++said}`)]);
      return live.length > 0;
    });
    expect(live.every((line) => line.includes('this is wanted'))).toBe(true);
    await host.stop();
  });
});
