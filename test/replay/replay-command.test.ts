// `earshot replay` as its user sees it: output, filters, differences, and what it says about bad lines and files.
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { EXAMPLE, EXAMPLE_CONFIG, earshot, file, line, rows } from './fake-io.ts';

const config = ['--config', EXAMPLE_CONFIG];
const example = ['replay', EXAMPLE, ...config];
const KEYS = ['eventId', 'agent', 'decision', 'directedness', 'policy', 'mode', 'reason', 'intent', 'trace'];
const OPTIONAL = ['refersTo', 'notice', 'claimFirst', 'heldUntil', 'leadIn'];

describe('--json', () => {
  it('prints the documented keys in their order, and the optional ones only when set', async () => {
    for (const row of rows((await earshot([...example, '--json'])).out)) {
      const keys = Object.keys(row);
      expect(keys.slice(0, KEYS.length)).toEqual(KEYS);
      expect(OPTIONAL).toEqual(expect.arrayContaining(keys.slice(KEYS.length)));
    }
  });

  it('keeps only the agent and the reason asked for', async () => {
    const { out } = await earshot([...example, '--json', '--agent', 'lead', '--reason', 'mention']);
    const found = rows(out);
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found.map(({ agent, reason }) => [agent, reason].join(' ')))).toEqual(
      new Set(['lead mention']),
    );
  });

  it('holds no word of the chat', async () => {
    const path = file(`${line({ text: '@lead zebrafish claim-ABCD-EFGH' })}\n`);
    expect((await earshot(['replay', path, ...config, '--json'])).out).not.toMatch(/zebrafish|ABCD/);
  });
});

describe('the text', () => {
  it('colours engage green, observe dim, denied red and a pairing code magenta', async () => {
    const { out } = await earshot(example, '', true);
    expect(out).toContain('<green>● lead: must_respond buffered mention</green>');
    expect(out).toContain('<dim>○ builder, docs: must_not_respond tool_mailbox addressed_elsewhere</dim>');
    expect(out).toContain('<red>✕ lead, builder, docs: must_not_respond silent denied</red>');
    expect(out).toContain('<magenta>◆ lead, builder, docs: must_not_respond silent pairing</magenta>');
  });

  it('names a crowd of quiet agents by a few', async () => {
    const crowd = file(
      `agents:\n${Array.from({ length: 30 }, (_, n) => `  - id: quiet-${n}\n`).join('')}`,
      '.yaml',
    );
    const { out } = await earshot(['replay', file(`${line()}\n`), '--config', crowd]);
    expect(out).toContain('quiet-7 and 22 more: must_not_respond');
  });

  it('ends with turns spent and what simple policies would have spent', async () => {
    const { out } = await earshot(example);
    expect(out).toMatch(
      /32 messages, \d+ decisions: \d+ engage, \d+ observe, 3 denied, 3 claim\n\d+ turns spent\n/,
    );
    expect(out).toMatch(/answer-everything: \d+ \(\d+ saved\)/);
    expect(out).toMatch(/mention-only: \d+ \(/);
  });

  it.each(['claim-7K2M-Q9XZ', ' claim-7K2M-Q9XZ ', 'ｃｌａｉｍ-7K2M-Q9XZ', 'use claim-7k2m-q9xz please'])(
    'never shows a pairing code: %s',
    async (text) => {
      const path = file(`${line({ text })}\n`);
      const filtered = await earshot(['replay', path, ...config]);
      expect(filtered.code).toBe(0);
      expect(filtered.out).not.toMatch(/7k2m/i);
    },
  );

  it('lets no chat text reach the terminal as a control sequence', async () => {
    const text = 'red \u001B[31m line\nforged \u009B31m \u202E end';
    const path = file(`${line({ text, author: { id: 'x', kind: 'human', displayName: '\u001B[2J' } })}\n`);
    const { out } = await earshot(['replay', path, ...config]);
    for (const control of ['\u001B', '\u009B', '\u202E']) expect(out).not.toContain(control);
    expect(out.split('\n')[1]).toContain('line forged');
  });
});

describe('--against', () => {
  const quiet = file('agents:\n  - id: lead\n    triggers: { mention: false }\n  - id: writer\n', '.yaml');

  it('prints nothing but the summary when nothing differs', async () => {
    const { out } = await earshot([...example, '--against', EXAMPLE_CONFIG, '--json']);
    const [{ summary } = {}, ...others] = rows(out);
    expect(others).toEqual([]);
    expect(summary).toMatchObject({ turnsAdded: 0, turnsSaved: 0, different: 0 });
  });

  it('prints what differs, before and after, and the turns saved or added', async () => {
    const found = rows((await earshot([...example, '--against', quiet, '--json'])).out);
    const summary = found.pop()?.summary as Record<string, number>;
    expect(Object.keys(summary)).toEqual([
      'turnsBefore',
      'turnsAfter',
      'turnsAdded',
      'turnsSaved',
      'decisions',
      'different',
    ]);
    expect(found).toHaveLength(summary.different ?? -1);
    expect((summary.turnsBefore ?? 0) + (summary.turnsAdded ?? 0) - (summary.turnsSaved ?? 0)).toBe(
      summary.turnsAfter,
    );
    for (const row of found) {
      expect(Object.keys(row)).toEqual(['eventId', 'agent', 'before', 'after']);
      expect(row.before).not.toEqual(row.after);
    }
    expect(found.find(({ agent }) => agent === 'builder')?.after).toBeNull();
    expect(found.find(({ agent }) => agent === 'writer')?.before).toBeNull();
  });

  it('says the same to people', async () => {
    const { out } = await earshot([...example, '--against', quiet]);
    expect(out).toMatch(
      /\d+ of \d+ decisions differ\nturns: \d+ before, \d+ after \(\d+ added, \d+ saved\)\n$/,
    );
    expect(out).toContain('-1 turn');
  });
});

describe('malformed lines', () => {
  const many = [
    'nonsense',
    line({ eventId: 'a' }),
    '[]',
    '',
    line({ eventId: 'b', at: 'noon' }),
    line({ eventId: 'c' }),
  ];
  const path = file(`${many.join('\n')}\n`);

  it('are named with file, line and field, counted and skipped', async () => {
    const { code, out, err } = await earshot(['replay', path, ...config, '--json']);
    expect(code).toBe(0);
    expect(new Set(rows(out).map(({ eventId }) => eventId))).toEqual(new Set(['a', 'c']));
    expect(err.split('\n')).toEqual([
      `${path}:1: line: expected one JSON object, this is not valid JSON`,
      `${path}:3: line: expected one JSON object`,
      `${path}:5: at: expected a time such as "2026-06-02T09:00:00Z", or epoch milliseconds`,
      `${path}: 3 malformed lines skipped`,
      '',
    ]);
  });

  it('stop the run with --strict', async () => {
    const bad = file(`${line()}\n${line({ eventId: 'm2', text: 7 })}\n${line({ eventId: 'm3' })}\n`);
    const { code, out, err } = await earshot(['replay', bad, ...config, '--json', '--strict']);
    expect(code).toBe(1);
    expect(err).toBe(`earshot: ${bad}:2: text: expected text\n`);
    expect(new Set(rows(out).map(({ eventId }) => eventId))).toEqual(new Set(['m1']));
  });

  it.each<[string, Record<string, unknown>, string]>([
    [
      'a missing field',
      { author: undefined },
      'author: expected an object with named fields, but it is missing',
    ],
    [
      'a word not known',
      { conversation: { id: 'r', kind: 'chanel' } },
      'conversation.kind: expected one of "dm", "channel", "thread", "system", "tool"; did you mean "channel"?',
    ],
    ['a type not known', { type: 'mesage' }, 'did you mean "message"?'],
    ['a key not known', { replyto: 'x' }, 'replyto: unknown key; did you mean "replyTo"?'],
    ['a long text', { text: 'x'.repeat(65_537) }, 'text: expected at most 65536 characters'],
    ['an empty id', { eventId: '' }, 'eventId: expected some text'],
  ])('say what was expected: %s', async (_, more, said) => {
    const { err } = await earshot(['replay', file(`${line(more)}\n`), ...config, '--strict']);
    expect(err).toContain(said);
  });

  it('never repeat what somebody wrote', async () => {
    const { err } = await earshot(['replay', '-', ...config], 'claim-ABCD-EFGH\n{"text":"secret",}\n');
    expect(err).not.toMatch(/ABCD|secret/);
  });

  it('may be cut in the middle of a character, end with CRLF, or have no last line feed', async () => {
    const bytes = Buffer.concat([
      Buffer.from(`\uFEFF${line({ text: 'sí\u2028no' })}\r\n`),
      Buffer.from([0xff, 10]),
      Buffer.from(line({ eventId: 'z' })),
    ]);
    const { code, out, err } = await earshot(['replay', file(bytes), ...config, '--json']);
    expect(code).toBe(0);
    expect(rows(out)).toHaveLength(6);
    expect(err).toContain(':2: line: expected UTF-8 text');
  });
});

it('counts repeated events and lets the first stand', async () => {
  const path = file(`${line()}\n${line({ text: '@lead changed?' })}\n`);
  const { out, err } = await earshot(['replay', path, ...config, '--json']);
  expect(rows(out)).toHaveLength(3);
  expect(err).toContain('1 repeated event ignored');
});

describe('files that are no recorded chat end in one clear line', () => {
  it.each<[string, () => string, string]>([
    ['missing', () => '/nowhere/chat.jsonl', '/nowhere/chat.jsonl: no such file'],
    ['a directory', () => 'examples', 'examples is a directory'],
    ['empty', () => file(''), 'is empty: expected one ChatEvent'],
    ['blank', () => file('\n\n'), 'no line of it is a ChatEvent'],
    ['binary', () => file(new Uint8Array([1, 0, 2, 0])), 'is no text file'],
    ['compressed', () => file(gzipSync(line())), 'is compressed: write  gunzip'],
  ])('%s', async (_, path, said) => {
    const { code, out, err } = await earshot(['replay', path(), ...config, '--json']);
    expect(code).toBe(1);
    expect(out).toBe('');
    expect(err).toContain(said);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });
});
