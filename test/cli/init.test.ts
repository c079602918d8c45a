// `earshot init`: the file is right as written and with every option uncommented, questions are few, and nothing that is
// there is lost.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type HostConfig, parseHostConfig } from '../../src/cli/config.ts';
import { dispatch } from '../../src/cli/dispatch.ts';
import { configText } from '../../src/cli/init-file.ts';
import type { Plan } from '../../src/cli/init-plan.ts';
import type { Io } from '../../src/cli/io.ts';

const folder = (): string => mkdtempSync(join(tmpdir(), 'earshot-init-'));

interface Ran {
  code: number;
  out: string;
  err: string;
}

/** `answers` makes it a terminal at which these lines are typed. */
async function init(argv: readonly string[], answers?: readonly string[]): Promise<Ran> {
  const ran: Ran = { code: -1, out: '', err: '' };
  const io: Io = {
    out: (text) => {
      ran.out += text;
      return Promise.resolve();
    },
    flush: () => Promise.resolve(),
    err: (text) => {
      ran.err += text;
    },
    stdin: typed(answers),
    paint: (_, text) => text,
    columns: 100,
    progress: { show: () => {}, clear: () => {} },
  };
  ran.code = await dispatch(['init', ...argv], io);
  return ran;
}

function typed(answers: readonly string[] | undefined): AsyncIterable<Uint8Array> {
  if (answers === undefined) {
    return {
      [Symbol.asyncIterator]: () => {
        throw new Error('standard input was read although nobody is there');
      },
    };
  }
  const lines = async function* (): AsyncGenerator<Uint8Array> {
    for (const answer of answers) yield await Promise.resolve(Buffer.from(`${answer}\r\n`));
  };
  return Object.assign(lines(), { isTTY: true });
}

const read = (file: string): HostConfig => parseHostConfig(readFileSync(file, 'utf8'), file);

async function secondStep(kind: string): Promise<string | undefined> {
  const { out } = await init([folder(), '--run', kind, '--json']);
  return (JSON.parse(out) as { next: string[] }).next[1];
}

describe('what it writes', () => {
  it('runs as it is: the demo, without a question', async () => {
    const dir = folder();
    const { code, out, err } = await init([dir]);
    const file = join(dir, 'earshot.yaml');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(`wrote ${file} (lead, builder; lead leads)`);
    expect(out).toContain(`earshot up --config ${file} --demo`);
    const { attention, host } = read(file);
    expect(attention.agents.map(({ id, lead }) => [id, lead])).toEqual([
      ['lead', undefined],
      ['builder', 'lead'],
    ]);
    expect(host.listen).toEqual({ host: '127.0.0.1', port: 7575 });
  });

  it('takes names that YAML would read as something else', async () => {
    const file = join(folder(), 'e.yaml');
    expect((await init(['--out', file, '--agents', 'true,7,null', '--source', '1e3'])).code).toBe(0);
    const { attention, host } = read(file);
    expect(attention.agents.map(({ id, lead }) => [id, lead])).toEqual([
      ['true', undefined],
      ['7', 'true'],
      ['null', 'true'],
    ]);
    expect(host.sources.map(({ id }) => id)).toEqual(['1e3']);
  });

  it('is told as JSON', async () => {
    const file = join(folder(), 'new', 'my agents.yaml');
    const { out } = await init(['--out', file, '--agents', 'nova', '--run', 'command', '--json']);
    expect(JSON.parse(out)).toEqual({
      file,
      agents: ['nova'],
      lead: null,
      run: 'command',
      source: null,
      next: [`npx earshot up --config '${file}'`, 'npx earshot run --agent nova -- claude -p'],
    });
    expect(read(file).attention.agents).toHaveLength(1);
  });

  it('names each way of running its next command', async () => {
    expect(await secondStep('demo')).toMatch(/^npx earshot say /);
    expect(await secondStep('command')).toMatch(/^npx earshot run --agent lead -- /);
    expect(await secondStep('own')).toBe('npx earshot connect --stdio --agent lead');
  });
});

/** Options that show their default change nothing. */
function isDefault(line: string): boolean {
  return /#(conversations: \["\*"\]|respondTo|limits)/.test(line);
}

describe('the options it shows', () => {
  const plans: [string, Plan][] = [
    ['one agent', { agents: ['solo'], lead: undefined, run: 'own', source: undefined }],
    ['a team with a source', { agents: ['a', 'b', 'true'], lead: 'b', run: 'command', source: 'bridge' }],
  ];
  /** "#" right before a key or a list, not before prose. */
  const option = /^( *)#(?! \S)/;
  const uncomment = (line: string): string => line.replace(option, '$1');

  /** Runs of option lines; each line that is not further in than the first starts its own. */
  function blocks(lines: readonly string[]): number[][] {
    const found: number[][] = [];
    let base = 0;
    for (const [index, line] of lines.entries()) {
      const isOption = option.test(line);
      const depth = uncomment(line).search(/\S/);
      const last = found.at(-1);
      if (!isOption) continue;
      if (last !== undefined && last.at(-1) === index - 1 && depth > base) last.push(index);
      else {
        found.push([index]);
        base = depth;
      }
    }
    return found;
  }

  it.each(plans)('are right one by one and all at once: %s', (_, plan) => {
    const lines = configText(plan).split('\n');
    const options = blocks(lines);
    expect(options.length).toBeGreaterThan(12);
    const before = JSON.stringify(parseHostConfig(lines.join('\n'), 'as written'));
    for (const block of options) {
      const text = lines.map((line, index) => (block.includes(index) ? uncomment(line) : line)).join('\n');
      // Not only valid: it is read as keys, and not still a comment.
      const shown = lines[block[0] ?? 0];
      expect([shown, JSON.stringify(parseHostConfig(text, 'c.yaml')) === before]).toEqual([
        shown,
        isDefault(shown ?? ''),
      ]);
    }
    const all = parseHostConfig(lines.map(uncomment).join('\n'), 'all');
    expect(all.attention.conversations).toHaveLength(3);
    expect(all.host.sensitive).toHaveLength(1);
    expect(lines.map(uncomment).filter((line) => /^ *#(?! )/.test(line))).toEqual([]);
  });
});

describe('at a terminal', () => {
  it('asks four things and takes the defaults at Enter', async () => {
    const file = join(folder(), 'e.yaml');
    const { code, err } = await init(['--out', file], ['', '', '', '']);
    expect(code).toBe(0);
    expect(err.match(/\[[^\]]+\]: /g)).toEqual(['[lead, builder]: ', '[lead]: ', '[demo]: ', '[none]: ']);
    expect(readFileSync(file, 'utf8')).toBe(
      configText({ agents: ['lead', 'builder'], lead: 'lead', run: 'demo', source: undefined }),
    );
  });

  it('takes answers, and says what is wrong with one and asks again', async () => {
    const file = join(folder(), 'e.yaml');
    const typedLines = [
      'no va',
      '@nova, nova',
      'nova, scribe',
      'novA',
      'scribe',
      'demo',
      'comand',
      'command',
      'web',
      'irc',
    ];
    const { code, err } = await init(['--out', file], typedLines);
    expect(code).toBe(0);
    expect(err).toContain('"no va" is no name here');
    expect(err).toContain('"nova" is there twice');
    expect(err).toContain('"novA" is none of the agents; did you mean "nova"?');
    expect(err).toContain('the demo plays lead, builder, reviewer and none of yours');
    expect(err).toContain('did you mean "command"?');
    expect(err).toContain(`"web" is the host's own`);
    const { attention, host } = read(file);
    expect(attention.agents.map(({ id, lead }) => [id, lead])).toEqual([
      ['nova', 'scribe'],
      ['scribe', undefined],
    ]);
    expect(host.sources.map(({ id }) => id)).toEqual(['irc']);
  });

  it('does not ask what a flag has said, nor who leads an agent alone', async () => {
    const file = join(folder(), 'e.yaml');
    const { err } = await init(['--out', file, '--agents', 'nova', '--source', 'none'], ['own']);
    expect(err.match(/\[[^\]]+\]: /g)).toEqual(['[command]: ']);
  });

  it.each<[string, string[], string]>([
    ['the input ends', ['nova'], 'there was no answer, so nothing was written'],
    ['nothing is right', Array.from({ length: 9 }, () => '!'), 'no right answer in 5 tries'],
  ])('writes nothing when %s', async (_, answers, told) => {
    const dir = folder();
    const { code, err } = await init([dir], answers);
    expect([code, readdirSync(dir)]).toEqual([1, []]);
    expect(err).toContain(told);
  });

  it('asks nothing with --yes', async () => {
    const { code, err } = await init([folder(), '--yes'], []);
    expect([code, err]).toEqual([0, '']);
  });
});

describe('what is there already', () => {
  it('is kept, before anything is asked, unless --force', async () => {
    const dir = folder();
    const file = join(dir, 'earshot.yaml');
    writeFileSync(file, 'mine\n');
    const { code, err } = await init([dir], ['nova']);
    expect([code, readFileSync(file, 'utf8')]).toEqual([1, 'mine\n']);
    expect(err).toBe(
      `earshot: ${file} is there already and was left as it is: name another place, or write over it with --force\n`,
    );
    expect((await init([dir, '--force', '--yes'])).code).toBe(0);
    expect(read(file).attention.agents).toHaveLength(2);
  });

  it('says so when the place is no place', async () => {
    const dir = folder();
    writeFileSync(join(dir, 'a'), '');
    const { code, err } = await init([join(dir, 'a', 'b')]);
    expect(code).toBe(1);
    expect(err).toMatch(/cannot be written \(E\w+\): choose a place/);
  });
});

describe('wrong usage', () => {
  it.each<[string[], string]>([
    [['--agent', 'x'], 'init: unknown flag --agent; did you mean "--agents"? (see: earshot init --help)'],
    [['a', 'b'], 'init: "b" is one argument too many'],
    [['a', '--out', 'b'], 'init: give a folder or --out FILE, not both'],
    [['--run', 'dmeo'], '--run: "dmeo" is not known; did you mean "demo"?'],
    [['--agents', ''], 'init: --agents needs a value'],
    [['--agents', 'a,,b'], '--agents: "" is no name here'],
    [['--agents', 'none'], '--agents: "none" means that there is none'],
    [['--lead', 'nova'], '--lead: "nova" is none of the agents'],
    [['--agents', 'nova', '--run', 'demo'], '--run: the demo plays lead, builder, reviewer'],
  ])('%j', async (argv, told) => {
    const { code, err } = await init([
      ...argv,
      ...(argv[1] === 'b' || argv[1] === '--out' ? [] : [folder()]),
    ]);
    expect(code).toBe(2);
    expect(err).toContain(told);
  });

  it('has help with an example, and is in the list', async () => {
    const { code, out } = await init(['--help']);
    expect(code).toBe(0);
    expect(out).toMatch(/Example:\n {2}earshot init /);
  });
});

it('as a process, with nobody at its standard input, it writes and ends', () => {
  const cwd = folder();
  const main = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts');
  const ran = spawnSync(process.execPath, [main, 'init'], { cwd, encoding: 'utf8', timeout: 30_000 });
  expect([ran.status, ran.stderr]).toEqual([0, '']);
  expect(ran.stdout).toContain('  npx earshot up --demo\n');
  expect(readdirSync(cwd)).toEqual(['earshot.yaml']);
});
