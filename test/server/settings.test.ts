// The settings of a running host: changed by the page's routes, by editing the file, by a signal and by the command line.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as rest } from 'node:timers/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveConfig } from '../../src/cli/host-config.ts';
import type { CheckAnswer, DifferenceAnswer, SettingsFileAnswer } from '../../src/protocol/settings-api.ts';
import { cases } from '../long.ts';
import { upHere } from './here.ts';
import { folder, type Listening, message, run, until, up } from './up.ts';

const FILE = `# Who answers here.
agents:
  - id: lead
    roles: [oncall] # by day
  - id: builder
    lead: lead
host:
  webhooks:
    # The page never sees the secret.
    - agent: builder
      url: http://127.0.0.1:9/hook
      secret: whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQtMTIz
`;
const SECRET = 'whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQtMTIz';

function written(text = FILE): { data: string; config: string } {
  const data = folder();
  const config = join(data, 'earshot.yaml');
  writeFileSync(config, text);
  return { data, config };
}

const view = async (host: Listening): Promise<SettingsFileAnswer> =>
  (await host.call('GET', '/v1/settings/file', host.tokens.operator)).body as never;
const ask = (host: Listening, path: string, body: object) =>
  host.call('POST', `/v1/settings/${path}`, host.tokens.operator, body);
const compared = (host: Listening, id: string): Promise<DifferenceAnswer> =>
  until(async () => {
    const { body } = await host.call('GET', `/v1/settings/difference/${id}`, host.tokens.operator);
    return body['state'] === 'running' ? undefined : (body as unknown as DifferenceAnswer);
  });

const inForce = (host: Listening, number: number): Promise<SettingsFileAnswer> =>
  until(async () => {
    const now = await view(host);
    return now.number >= number ? now : undefined;
  });

describe('from the page', () => {
  it('what is shown is of one version, and a check is told of also when the file that was written is seen', async () => {
    const { data, config } = written();
    const host = await upHere({ data, config });
    const seen: SettingsFileAnswer[] = [];
    const over = new AbortController();
    const asking = Array.from({ length: 4 }, async () => {
      while (!over.signal.aborted) seen.push(await view(host));
    });
    const last = 12;
    for (let number = 2; number <= last; number++) {
      const edits = [{ op: 'set', path: ['limits', 'composeMs'], value: number * 100 }];
      const { body } = await ask(host, 'check', { edits });
      const applied = await ask(host, 'apply', { text: body['text'], basedOn: number - 1 });
      expect(applied.body).toMatchObject({ number });
    }
    const { body: checked } = await ask(host, 'check', { edits: [] });
    for (let looks = 0; looks < 20; looks++) {
      const path = `/v1/settings/difference/${checked['difference'] as string}`;
      expect((await host.call('GET', path, host.tokens.operator)).status).toBe(200);
      await rest(25);
    }
    over.abort();
    await Promise.all(asking);
    const changed = seen.filter(({ number }) => number > 1);
    expect(changed.at(-1)?.number).toBe(last);
    for (const { number, attention, text } of changed) {
      expect(attention).toMatchObject({ limits: { composeMs: number * 100 } });
      expect(text).toContain(`composeMs: ${number * 100}`);
    }
  });

  it('a change is checked against the log, applied, kept as a version and taken back', async () => {
    const { data, config } = written();
    const host = await upHere({ data, config });
    for (let n = 0; n < 5; n++) await host.post(message('@builder build it'));
    await host.post(message('@lead look'));
    const before = await view(host);
    expect(before).toMatchObject({ number: 1, file: config, problems: [], afterRestart: [] });

    const edits = [{ op: 'set', path: ['agents', 1, 'respondTo'], value: ['human:nobody'] }];
    const checked = (await ask(host, 'check', { edits })).body as unknown as CheckAnswer & { ok: true };
    expect(checked.words).toEqual(['builder: respondTo ["*"] → ["human:nobody"]']);
    expect(checked.applied).toBeNull();
    const difference = await compared(host, checked.difference);
    expect(difference).toMatchObject({ state: 'done', decisions: 12, different: 6, turnsSaved: 5 });
    expect(difference.words).toBe('6 of 12 decisions of the last week would differ');
    expect(difference.saved).toHaveLength(5);
    expect(difference.added).toEqual([]);
    expect(difference.otherwise).toHaveLength(1); // it was not for the builder, and now its author is denied
    expect(readFileSync(config, 'utf8')).toBe(FILE); // nothing has changed yet

    const applied = await ask(host, 'apply', { text: checked.text, basedOn: 1 });
    expect(applied.body).toMatchObject({ number: 2, words: checked.words, version: checked.version });
    const now = readFileSync(config, 'utf8');
    expect(now).toContain('# Who answers here.');
    expect(now).toContain('# by day');
    expect(now).toContain('respondTo: ["human:nobody"]'.replaceAll('"', ''));
    expect(now).toContain(SECRET);
    const refused = message('@builder once more');
    await host.post(refused);
    const why = await host.call('GET', `/v1/why/${refused.eventId}`, host.tokens.operator);
    expect(why.text).toContain('denied');

    const back = await ask(host, 'versions/1/back', { basedOn: 2 });
    expect(back.body).toMatchObject({ number: 3, version: before.version });
    expect(readFileSync(config, 'utf8')).toBe(FILE);
    const { body } = await host.call('GET', '/v1/settings/versions', host.tokens.operator);
    const kept = body['versions'] as { number: number; by: string; way: string; version: string }[];
    expect(kept.map(({ number, by, way }) => `${number} ${by} ${way}`)).toEqual([
      '3 operator:local page',
      '2 operator:local page',
      '1 start start',
    ]);
    expect(new Set(kept.map(({ version }) => version)).size).toBe(2);
  });

  it('no secret is shown or kept, and it stays in the file', async () => {
    const { data, config } = written();
    const host = await upHere({ data, config });
    const { text } = await view(host);
    expect(text).toBe(FILE.replace(SECRET, 'kept'));
    const applied = await ask(host, 'apply', { text: text.replace('by day', 'by night'), basedOn: 1 });
    expect(applied.body).toMatchObject({ number: 2, words: ['nothing that decides anything'] });
    expect(readFileSync(config, 'utf8')).toBe(FILE.replace('by day', 'by night'));
    const answers = [
      await ask(host, 'check', { text: `${text}  limits: { awayMs: 0 }\n` }),
      await host.call('GET', '/v1/settings/versions', host.tokens.operator),
      await host.call('GET', '/v1/settings/file', host.tokens.operator),
    ];
    expect(answers.filter(({ text: answer }) => answer.includes(SECRET.slice(6)))).toEqual([]);
    expect(host.err()).not.toContain(SECRET.slice(6));
  });

  it('a mistake is told at its line, and nothing changes', async () => {
    const { data, config } = written();
    const host = await upHere({ data, config });
    const { text, version } = await view(host);
    const wrong = text.replace('roles: [oncall]', 'rolls: [oncall]').replace('lead: lead', 'lead: led');
    const { problems } = (await ask(host, 'check', { text: wrong })).body as unknown as CheckAnswer & {
      ok: false;
    };
    expect(problems.map(({ line }) => line)).toEqual([4, 6]);
    expect(problems[0]?.message).toMatch(/did you mean "roles"\?/);
    const applied = await ask(host, 'apply', { text: wrong, basedOn: 1 });
    expect(applied.status).toBe(422);
    expect(applied.text).toContain('did you mean');
    expect(await view(host)).toMatchObject({ number: 1, version });
    expect(readFileSync(config, 'utf8')).toBe(FILE);
  });

  it('a change that is based on an older version is refused with what came meanwhile', async () => {
    const { data, config } = written();
    const host = await upHere({ data, config });
    const { text } = await view(host);
    const mine = text.replace('[oncall]', '[oncall, night]');
    const yours = text.replace('[oncall]', '[day]');
    const both = await Promise.all([
      ask(host, 'apply', { text: mine, basedOn: 1 }),
      ask(host, 'apply', { text: yours, basedOn: 1 }),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 409]);
    expect(both[1]?.text).toContain('lead gets role night');
    expect((await view(host)).text).toBe(mine);
  });

  it('only an operator who may write changes them', async () => {
    const { data, config } = written();
    const host = await upHere({ data, config });
    const { text } = await view(host);
    const made = await host.call('POST', '/v1/tokens', host.tokens.operator, {
      kind: 'operator',
      subject: 'reader',
      scopes: ['operator:read'],
    });
    const reader = String(made.body['token']);
    const tries = [
      ['POST', '/v1/settings/apply', { text, basedOn: 1 }],
      ['POST', '/v1/settings/reload', { dryRun: false }],
      ['POST', '/v1/settings/versions/1/back', { basedOn: 1 }],
    ] as const;
    for (const token of [reader, host.tokens.agents['lead'], host.tokens.surfaces['dev']]) {
      for (const [method, path, body] of tries)
        expect((await host.call(method, path, token, body)).status).toBe(403);
    }
    expect((await host.call('GET', '/v1/settings/file', reader)).status).toBe(200);
    expect((await host.call('POST', '/v1/settings/reload', reader, { dryRun: true })).status).toBe(200);
    expect((await host.call('GET', '/v1/settings/file', host.tokens.agents['lead'])).status).toBe(403);
    expect((await view(host)).number).toBe(1);
  });
});

describe('by editing the file', () => {
  it('a valid change counts at once, however the editor writes, and the log says what it changes', async () => {
    const { data, config } = written();
    const host = await upHere({ data, config });
    writeFileSync(config, FILE.replace('[oncall]', '[oncall, night]')); // in place
    await inForce(host, 2);
    writeFileSync(`${config}~`, FILE.replace('[oncall]', '[night]')); // replaced
    renameSync(`${config}~`, config);
    await inForce(host, 3);
    await until(async () => host.err().includes('lead loses role oncall; the last week'));
    expect(host.err()).toContain('lead gets role night; the last week has no decisions to compare with');
    expect(host.err()).toContain('Take it back: earshot reload --back 2');
    const { taken } = await view(host);
    expect(taken).toMatchObject({ number: 3, words: ['lead loses role oncall'], back: 2 });
    expect(taken?.difference).toContain('the last week');
    const token = host.tokens.agents['nova'];
    expect(token).toBeUndefined();
    writeFileSync(config, FILE.replace('agents:\n', 'agents:\n  - id: nova\n'));
    await inForce(host, 4);
    expect(host.tokens.agents['nova']).toBeDefined(); // for the commands of this machine
  });

  it('an invalid one is refused with its line, the old settings stay, and page and log say so', async () => {
    const { data, config } = written();
    const host = await upHere({ data, config });
    const { version } = await view(host);
    writeFileSync(config, FILE.replace('id: builder', 'id: lead'));
    const problem = await until(async () => (await view(host)).problems[0]);
    expect(problem).toMatchObject({ line: 5 });
    expect(problem?.message).toContain('is used twice');
    expect(host.err()).toContain('earshot.yaml:5');
    expect(await view(host)).toMatchObject({ number: 1, version });
    rmSync(config);
    await until(async () => (await view(host)).problems[0]?.message.includes('There is no'));
    writeFileSync(config, FILE);
    await until(async () => (await view(host)).problems.length === 0);
    expect((await view(host)).number).toBe(1);
  });

  it('what needs a restart is named and stays as it was', async () => {
    const { data, config } = written();
    const host = await upHere({ data, config });
    writeFileSync(config, `${FILE}  sources:\n    - id: bridge\n  limits:\n    awayMs: 0\n`);
    const now = await inForce(host, 2);
    expect(now.afterRestart).toEqual(['host.sources']);
  });
});

describe('as a process', () => {
  it('`earshot reload` prints what changes, looks first with --dry-run, and SIGHUP takes the file', async () => {
    const { data, config } = written();
    const host = await up({ data, argv: ['--config', config] });
    await host.post(message('@lead hi'));
    writeFileSync(config, FILE.replace('[oncall]', '[oncall, night]'));
    const looked = await run(['reload', '--dry-run', '--data', data], data);
    expect(looked.err).toBe('');
    expect(looked.out).toMatch(/^(This would change|Nothing)/);
    host.child.kill('SIGHUP');
    await until(async () => (await view(host)).number === 2);
    const draft = join(data, 'draft.yaml');
    writeFileSync(draft, FILE.replace('[oncall]', '[day]'));
    const drafted = await run(['reload', '--dry-run', draft, '--data', data], data);
    expect(drafted.out).toMatch(/^This would change:\n {2}lead gets role day/);
    writeFileSync(draft, FILE.replace('lead: lead', 'leed: lead'));
    const wrong = await run(['reload', '--dry-run', draft, '--data', data], data);
    expect(wrong.err).toMatch(/^\S*draft\.yaml:6: .*did you mean "lead"/);
    expect(wrong.err).toContain('the draft is not taken');
    const back = await run(['reload', '--back', '1', '--data', data], data);
    expect(back.out).toContain('Version 1 is in force again, as version 3');
    expect(readFileSync(config, 'utf8')).toBe(FILE);
    writeFileSync(config, FILE.replace('lead: lead', 'leed: lead'));
    const refused = await run(['reload', '--data', data], data);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('earshot.yaml:6');
    expect(refused.err).toContain('did you mean "lead"');
    expect(await host.stop()).toBe(0);
  });

  it('without a file the first change that is applied writes one, and the host goes on with it', async () => {
    const host = await up();
    const home = join(host.data, 'earshot.yaml');
    const first = await view(host);
    expect(first).toMatchObject({ file: null, home });
    const text = first.text.replace('owner: you', 'owner: ann');
    const applied = await ask(host, 'apply', { text, basedOn: 1 });
    expect(applied.body).toMatchObject({ words: ['owner you → ann'], file: home });
    expect(readFileSync(home, 'utf8')).toBe(text);
    expect(await view(host)).toMatchObject({ file: home, number: 2 });
    await host.stop();
  });

  it('a kill -9 while settings are applied leaves the old ones or the new ones, and the log names one that is kept', async () => {
    for (let life = 0; life < cases(2, 12); life++) {
      const { data, config } = written();
      const host = await up({ data, argv: ['--config', config] });
      const { text, version: old } = await view(host);
      const after = text.replace('[oncall]', '[oncall, night]');
      const checked = (await ask(host, 'check', { text: after })).body as unknown as { version: string };
      const said = message('@night are you there?');
      const going = [ask(host, 'apply', { text: after, basedOn: 1 }), host.post(said)];
      // At once, as soon as the file is the new one, and then ever later.
      const isTime = (): boolean => life === 0 || readFileSync(config, 'utf8').includes('night');
      while (!isTime()) await new Promise(setImmediate);
      for (let turn = 1; turn < life; turn++) await new Promise(setImmediate);
      host.child.kill('SIGKILL');
      await Promise.allSettled(going);
      await host.exit;
      const onDisk = await resolveConfig({ config, data, port: '0' }, {});
      expect([old, checked.version]).toContain(onDisk.version);

      const again = await up({ data, argv: ['--config', config] });
      const now = await view(again);
      expect(now.version).toBe(onDisk.version);
      await again.post({ ...said, eventId: `${said.eventId}-again` });
      const log = await again.call('GET', '/v1/log?limit=50', again.tokens.operator);
      const versions = await again.call('GET', '/v1/settings/versions', again.tokens.operator);
      const kept = (versions.body['versions'] as { version: string }[]).map(({ version }) => version);
      const named = [...log.text.matchAll(/"settings":"(\w+)"/g)].map(([, name]) => name);
      expect(named.length).toBeGreaterThan(0);
      for (const name of named) expect(kept).toContain(name);
      await again.stop();
    }
  });
});
