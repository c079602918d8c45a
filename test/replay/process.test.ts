// The command line as a process: exit codes, streams, help, colours. The rest is tested on functions.
import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/dispatch.ts';
import { EXAMPLE, EXAMPLE_CONFIG, earshot, line, type Ran } from './fake-io.ts';
import { childEnv } from '../server/up.ts';

function run(
  argv: readonly string[],
  stdin = '',
  env: Record<string, string> = {},
  script = 'src/cli/main.ts',
): Promise<Ran> {
  const child = spawn(process.execPath, [script, ...argv], { env: childEnv(env) });
  const ran: Ran = { code: -1, out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (ran.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (ran.err += text));
  child.stdin.on('error', () => {}).end(stdin);
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ ...ran, code: code ?? -1 }));
  });
}

const example = ['replay', EXAMPLE, '--config', EXAMPLE_CONFIG];

describe('the process', () => {
  it('replays twice to the same bytes, and as the functions do', async () => {
    const [a, b] = await Promise.all([run([...example, '--json']), run([...example, '--json'])]);
    expect(a).toEqual({ code: 0, out: b.out, err: '' });
    expect(a.out).toBe((await earshot([...example, '--json'])).out);
  });

  it('starts through the launcher, reads a pipe, and colours only when told to', async () => {
    const argv = ['replay', '-', '--config', EXAMPLE_CONFIG];
    const [plain, coloured, refused] = await Promise.all([
      run(argv, line(), {}, 'bin/earshot.js'),
      run(argv, line(), { FORCE_COLOR: '1' }),
      run(argv, line(), { FORCE_COLOR: '1', NO_COLOR: '1' }),
    ]);
    expect(plain.code).toBe(0);
    expect(plain.out).not.toContain('\u001B');
    expect(coloured.out).toContain('\u001B[2m○');
    expect(refused.out).toBe(plain.out);
  });

  it('exits with 1 for wrong input and 2 for wrong usage, silent on standard output', async () => {
    const [input, usage] = await Promise.all([
      run(['replay', 'nowhere.jsonl', '--config', EXAMPLE_CONFIG]),
      run(['replay', '--nope']),
    ]);
    expect([input.code, input.out]).toEqual([1, '']);
    expect([usage.code, usage.out]).toEqual([2, '']);
  });
});

describe('usage', () => {
  it.each(COMMANDS.map(({ name }) => name))(
    '%s has --help with an example, and help %s is the same',
    async (name) => {
      const [flag, word, short] = [
        await earshot([name, '--help']),
        await earshot(['help', name]),
        await earshot([name, '-h']),
      ];
      expect(flag.code).toBe(0);
      expect(flag.out).toMatch(/^Usage: earshot/);
      expect(flag.out).toMatch(/\nExamples?:\n {2}earshot /);
      expect([word.out, short.out]).toEqual([flag.out, flag.out]);
    },
  );

  it.each([[], ['help'], ['--help']])('earshot %s lists every command', async (...argv) => {
    const { code, out } = await earshot(argv.filter((word) => word !== undefined));
    expect(code).toBe(0);
    for (const { name, summary } of COMMANDS) expect(out).toContain(`${name.padEnd(7)}  ${summary}`);
  });

  it('prints its version', async () => {
    expect((await earshot(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each<[string[], string]>([
    [['repaly'], 'there is no command "repaly"; did you mean "earshot replay"?'],
    [['xyzzy'], 'there is no command "xyzzy"; see: earshot help'],
    [['help', 'explian'], 'did you mean "earshot explain"?'],
    [['replay'], 'name the recorded chat, or - for standard input'],
    [['replay', EXAMPLE, '--confg', 'x'], 'unknown flag --confg; did you mean "--config"?'],
    [['replay', EXAMPLE, '-x'], 'unknown flag -x; known are --config'],
    [['replay', EXAMPLE, '--config'], '--config needs a value'],
    [['replay', EXAMPLE, '--config='], '--config needs a value'],
    [['replay', EXAMPLE, '--json=yes'], '--json takes no value'],
    [['replay', 'a', 'b'], '"b" is one argument too many'],
    [['replay', EXAMPLE, '--reason', 'mentoin'], '--reason: "mentoin" is not known; did you mean "mention"?'],
    [[...example, '--agent', 'leed'], '--agent: "leed" is not known; did you mean "lead"?'],
  ])('earshot %j is wrong usage, in one line', async (argv, said) => {
    const { code, out, err } = await earshot(argv);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(said);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });
});
