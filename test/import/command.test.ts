// `earshot import` as its user sees it: one command from an export to a report, and clear words for everything else.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { earshot } from '../replay/fake-io.ts';
import { accountOf, imported, newFolder, onDisk, zipped } from './made-export.ts';
import { makeSlackExport } from './slack-workspace.ts';

interface AgentRow {
  id: string;
  turns: number;
  mentionTurns: number;
  everythingTurns: number;
}

const small = makeSlackExport(7, 600);
const SMALL = zipped(small.files);
const agentsOf = (summary: Record<string, unknown>): AgentRow[] => summary['agents'] as AgentRow[];

describe('an export of 20,000 messages', () => {
  const large = makeSlackExport(1, 20_000);
  const path = zipped(large.files);

  it('becomes lines and a report; every message is in one or counted', async () => {
    const report = join(newFolder(), 'report.html');
    const { events, summary } = await imported('slack', path, '--report', report);
    const { said, joins, edited, replies, directBetweenPeople } = large.expected;
    expect(said + joins + directBetweenPeople).toBe(20_000);
    const messages = events.filter(({ type }) => type === 'message');
    expect(messages).toHaveLength(said);
    expect(messages.filter(({ conversation }) => conversation.kind === 'thread')).toHaveLength(replies);
    expect(accountOf(summary)).toMatchObject({
      notices: { channel_join: joins },
      direct: { 'two people': directBetweenPeople },
    });
    const kept = Object.values(accountOf(summary)['edited'] ?? {}).reduce((sum, count) => sum + count, 0);
    expect(kept).toBe(edited);
    const page = readFileSync(report, 'utf8');
    for (const { id, turns } of agentsOf(summary)) {
      expect(turns).toBeGreaterThan(0);
      expect(page).toContain(`data-agent="${id}"`);
    }
  });
});

it('decides as replay does, from the lines that it wrote', async () => {
  const folder = newFolder();
  const [lines, config] = [join(folder, 'chat.jsonl'), join(folder, 'earshot.yaml')];
  writeFileSync(config, 'agents:\n  - id: deploy-bot\n    name: Deploy Bot\n    accounts: [U0A000]\n');
  const flags = ['--out', lines, '--json', '--agent', 'Deploy Bot'];
  const { out } = await earshot(['import', 'slack', SMALL, ...flags]);
  const [row] = agentsOf(JSON.parse(out) as Record<string, unknown>);
  const replayed = await earshot(['replay', lines, '--config', config]);
  expect(replayed.err).toBe('');
  expect(replayed.out).toContain(`${row?.turns} turns spent\n`);
});

describe('which agents', () => {
  it('without a word: the apps that people called', async () => {
    const { summary } = await imported('slack', SMALL);
    expect(
      agentsOf(summary)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(['deploy-bot', 'helper', 'standup']);
    expect(String(summary['notes'])).toContain('Choose with --agent NAME or --config FILE');
  });

  it('without a word and without apps: a stand-in', async () => {
    const bare = onDisk([
      ['users.json', []],
      ['channels.json', [{ id: 'C1', name: 'general' }]],
      [
        'general/2026-10-01.json',
        [{ ts: '1790812800.000100', user: 'U1', text: 'assistant, are you there?' }],
      ],
    ]);
    const { summary } = await imported('slack', bare);
    expect(agentsOf(summary)).toMatchObject([{ id: 'assistant', turns: 1 }]);
  });

  it.each([
    ['by name', 'deploy bot', 'deploy-bot', true],
    ['by id', 'U0A000', 'deploy-bot', true],
    ['an app that only posts', 'CI', 'ci', true],
    ['a new one', '@scribe', 'scribe', false],
    ['a name with accents', 'Zoë Ünal', 'zoe-unal', false],
    ['a name without a letter of an id', '助手', 'agent-1', false],
  ])('%s', async (_, name, id, isApp) => {
    const { summary } = await imported('slack', SMALL, '--agent', name);
    expect(agentsOf(summary).map((agent) => agent.id)).toEqual([id]);
    expect(String(summary['notes'])).toContain(isApp ? 'is the app' : 'is no app of this export');
  });

  it('of a configuration, which are taken for the apps of their names', async () => {
    const config = join(newFolder(), 'earshot.yaml');
    writeFileSync(config, 'agents:\n  - id: helper\n  - id: nova\n');
    const { summary } = await imported('slack', SMALL, '--config', config);
    const [helper, nova] = agentsOf(summary);
    const [asked] = agentsOf((await imported('slack', SMALL, '--agent', 'U0A001')).summary);
    expect(helper).toEqual(asked);
    expect(nova?.turns).toBe(0);
    expect((summary['notes'] as string[]).slice(0, 3)).toEqual([
      `The agents and rules are those of ${config}.`,
      'helper is taken for the app Helper (U0A001), because of its name.',
      'nova is no app of this export: it has said nothing yet.',
    ]);
  });
});

function post(second: number, more: Record<string, unknown>): Record<string, unknown> {
  return { ts: `${1_790_812_800 + second}.000100`, text: 'x', ...more };
}

it('an app that posts under two ids is one agent', async () => {
  const path = onDisk([
    ['users.json', [{ id: 'UB', is_bot: true, name: 'Lead' }]],
    ['channels.json', [{ id: 'C1', name: 'general' }]],
    [
      'general/2026-10-01.json',
      [
        post(0, { user: 'U1', text: '<@UB> are you there?' }),
        post(5, { user: 'UB', bot_id: 'B1', text: 'yes' }),
        post(9, { subtype: 'bot_message', bot_id: 'B1', username: 'Lead', text: 'and done' }),
      ],
    ],
  ]);
  const report = join(newFolder(), 'r.html');
  const { summary } = await imported('slack', path, '--report', report);
  expect(agentsOf(summary).map(({ id }) => id)).toEqual(['lead']);
  expect(readFileSync(report, 'utf8')).toContain('It wrote 2 messages in this time.');
});

it.each([
  ['of this workspace', 'slack/T0ACME/U0A000', 'lead is the app Deploy Bot (U0A000).'],
  ['of any workspace', 'U0A000', 'lead is the app Deploy Bot (U0A000).'],
  ['of another workspace', 'slack/T0OTHER/U0A000', 'lead is no app of this export: it has said nothing yet.'],
])('an account %s', async (_, account, note) => {
  const config = join(newFolder(), 'earshot.yaml');
  writeFileSync(config, `agents:\n  - id: lead\n    accounts: [${account}]\n`);
  const { summary } = await imported('slack', SMALL, '--config', config);
  expect(summary['notes']).toContain(note);
  expect((agentsOf(summary)[0]?.turns ?? 0) > 0).toBe(note.includes('is the app'));
});

describe('what is printed', () => {
  it('lines, when something reads them; the words go to standard error', async () => {
    const { code, out, err } = await earshot(['import', 'slack', SMALL]);
    expect(code).toBe(0);
    expect(out.trim().split('\n')).toHaveLength(
      small.expected.said + Number(/(\d+) reactions?\n/.exec(err)?.[1]),
    );
    expect(err).toContain(`${small.expected.said} messages from 2026-10-01 to 2026-10-31`);
    const replayed = await earshot(
      ['replay', '-', '--config', 'examples/earshot.yaml', '--json', '--strict'],
      out,
    );
    expect([replayed.code, replayed.err]).toEqual([0, '']);
  });

  it('on a terminal: what is in it, and what to type next', async () => {
    const { out, err } = await earshot(['import', 'slack', SMALL], '', false, { isTerminal: true });
    expect(err).toBe('');
    expect(out).not.toContain('"eventId"');
    expect(out).toContain('apps; make one an agent with --agent NAME:\n  ');
    expect(out).toContain(`for a report: earshot import slack ${SMALL} --report report.html`);
  });

  it('nothing older than --since', async () => {
    const { events } = await imported('slack', SMALL, '--since', '2026-10-20');
    expect(events.length).toBeGreaterThan(0);
    expect(Math.min(...events.map(({ at }) => Number(at)))).toBeGreaterThanOrEqual(Date.UTC(2026, 9, 20));
    expect(events.length).toBeLessThan(small.expected.said);
  });
});

describe('goes wrong in one line that says what to do', () => {
  const notAnExport = onDisk([['notes.txt', 'hello']]);
  const cut = join(newFolder(), 'cut.zip');
  writeFileSync(cut, readFileSync(SMALL).subarray(0, 10_000));
  const empty = onDisk([
    ['users.json', []],
    ['channels.json', []],
  ]);

  it.each<[string, string[], number, string]>([
    ['no platform', [], 2, 'earshot import slack EXPORT, or discord'],
    ['no export', ['slack'], 2, 'say what and where'],
    ['another platform', ['slak', SMALL], 2, 'did you mean "slack"?'],
    ['no such file', ['slack', '/nowhere/export.zip'], 1, 'no such file or folder; name the export'],
    ['no export at all', ['slack', notAnExport], 1, 'is no Slack export: expected users.json'],
    [
      'Discord’s package',
      ['slack', onDisk([['messages/c1/messages.json', []]])],
      1,
      'earshot import discord',
    ],
    ['a file that is neither', ['slack', 'package.json'], 1, 'is no Slack export'],
    ['a zip that is cut off', ['slack', cut], 1, 'cut off or no zip: download it again'],
    ['nothing in it', ['slack', empty], 1, 'no messages in it'],
    ['nothing since then', ['slack', SMALL, '--since', '2030-01-01'], 1, 'leave --since out'],
    ['no date', ['slack', SMALL, '--since', 'last month'], 2, 'write one such as 2026-10-01'],
    ['two words on agents', ['slack', SMALL, '--agent', 'a', '--config', 'b'], 2, 'not by both'],
    [
      'an unwritable report',
      ['slack', SMALL, '--report', '/nowhere/r.html'],
      1,
      '/nowhere/r.html: the report cannot be written',
    ],
    [
      'unwritable lines',
      ['slack', SMALL, '--out', '/nowhere/c.jsonl'],
      1,
      '/nowhere/c.jsonl cannot be written',
    ],
  ])('%s', async (_, argv, code, said) => {
    const ran = await earshot(['import', ...argv]);
    expect([ran.code, ran.out]).toEqual([code, '']);
    expect(ran.err).toContain(said);
    expect(ran.err.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('earshot replay --report', () => {
  it('writes the same report about a recorded chat', async () => {
    const report = join(newFolder(), 'report.html');
    const argv = [
      'replay',
      'examples/standup.jsonl',
      '--config',
      'examples/earshot.yaml',
      '--report',
      report,
    ];
    const { code, out } = await earshot(argv);
    expect([code, out]).toEqual([0, `report written to ${report}\n`]);
    const page = readFileSync(report, 'utf8');
    for (const agent of ['lead', 'builder', 'docs']) expect(page).toContain(`data-agent="${agent}"`);
    expect(page).not.toContain('What the import left out');
  });

  it.each([['--json'], ['--agent', 'lead'], ['--against', 'examples/earshot.yaml']])(
    'is about everything: not with %s',
    async (...flags) => {
      const report = join(newFolder(), 'report.html');
      const argv = [
        'replay',
        'examples/standup.jsonl',
        '--config',
        'examples/earshot.yaml',
        '--report',
        report,
      ];
      const { code, err } = await earshot([...argv, ...flags.filter((flag) => flag !== undefined)]);
      expect([code, existsSync(report)]).toEqual([2, false]);
      expect(err).toContain('--report is about everything');
    },
  );
});
