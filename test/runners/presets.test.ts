// `earshot run --with NAME`: each known program as a process that prints what the real one was seen to print, against a
// real host in memory.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  presetProgram,
  PRESET_NAMES,
  PRESETS,
  type PresetName,
  sessionFile,
} from '../../src/agent/runners/command.ts';
import { errorIn } from '../../src/agent/runners/error-text.ts';
import type { Turn } from '../../src/agent/turn.ts';
import { unaskedBy } from '../../src/agent/runners/unasked.ts';
import { world, type World } from '../agent/harness.ts';
import { type Ran, runIn } from './program.ts';

const PROGRAM = resolve('test/runners/programs/program.ts');
const GREEN = /^It is green\. \(turn (\d) of (\S+), (no rules|rules)\)$/;

let here: World;
let folder: string;
afterEach(() => here.stop());

interface Called {
  args: string[];
  cwd: string;
}
const calls = (): Called[] =>
  readFileSync(join(folder, 'calls'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Called);
const texts = (): string[] => here.posted.map(({ text }) => text);

/** The program in its own folder, outside of any repository. */
function withProgram(name: PresetName, usages: unknown[] = []): Ran {
  const cwd = mkdtempSync(join(tmpdir(), 'earshot-cwd-'));
  const memory = sessionFile({
    file: join(folder, '..', `${name}.json`),
    program: name,
    cwd: 'x',
    onProblem: fail,
  });
  const program = presetProgram({ preset: PRESETS[name], cwd, memory });
  const ran = runIn(here, '', {
    program: {
      ...program,
      call(turn: Turn) {
        const tell = turn.usage.bind(turn);
        turn.usage = (usage) => {
          usages.push(usage);
          tell(usage);
        };
        const call = program.call(turn);
        return { ...call, args: [PROGRAM, name, folder, ...call.args] };
      },
    },
    cwd,
  });
  return ran;
}

function fail(problem: string): void {
  throw new Error(problem);
}

async function room(): Promise<void> {
  here = await world();
  folder = join(mkdtempSync(join(tmpdir(), 'earshot-with-')), 'sessions');
  mkdirSync(folder);
}

async function ask(text: string, { quiet }: Ran, more: object = {}): Promise<void> {
  await here.say({ text: `@lead ${text}`, mentions: ['lead'], ...more });
  await here.pass(3_000);
  await quiet();
}

describe.each(PRESET_NAMES.map((name) => ({ name })))('$name', ({ name }) => {
  it('answers, goes on with its session, and does so after a restart', async () => {
    await room();
    const usages: {
      inputTokens: number;
      outputTokens: number;
      cachedInputTokens?: number;
      costUsd?: number;
    }[] = [];
    const first = withProgram(name, usages);
    await here.pass(1_000);
    await ask('how is it?', first);
    await ask('and now?', first);
    await ask('and here?', first, { in: 'C2' });
    await first.runner.close();
    const second = withProgram(name);
    await here.pass(1_000);
    await ask('after a restart?', second);
    const [one, two, other, later] = texts().map((text) => GREEN.exec(text)?.slice(1));
    expect(one).toEqual(['1', one?.[1], 'rules']);
    expect(two).toEqual(['2', one?.[1], 'no rules']);
    expect(other).toEqual(['1', other?.[1], 'rules']);
    expect(other?.[1]).not.toBe(one?.[1]);
    expect(later).toEqual(['3', one?.[1], 'no rules']);
    // Totals of a session are told as what each run has cost.
    expect(usages).toHaveLength(3);
    for (const usage of usages)
      expect(usage).toMatchObject({ inputTokens: 118, outputTokens: 9, source: 'reported' });
    if (['claude', 'pi', 'opencode'].includes(name))
      for (const usage of usages) expect(usage).toMatchObject({ costUsd: 0.25, cachedInputTokens: 100 });
  });

  it('whose session is gone begins a new one within the turn', async () => {
    await room();
    const ran = withProgram(name);
    await here.pass(1_000);
    await ask('how is it?', ran);
    for (const file of readdirSync(folder)) if (file.startsWith('session-')) rmSync(join(folder, file));
    await ask('and now?', ran);
    expect(texts().map((text) => GREEN.exec(text)?.[3])).toEqual(['rules', 'rules']);
    expect(calls()).toHaveLength(3);
    expect(ran.log.filter((line) => line.startsWith('error'))).toEqual([]);
  });

  it('that fails in its own way posts nothing, and the error is one line', async () => {
    await room();
    const ran = withProgram(name);
    await here.pass(1_000);
    await ask('!fails', ran);
    expect(texts()).toEqual([]);
    const failed = ran.log.filter((line) => line.startsWith('error the handler failed'));
    expect(failed.length).toBeGreaterThan(0);
    for (const line of failed) expect(line).toMatch(new RegExp(`${name} failed: .*401 the provider is away`));
  });

  it('says NO_REPLY: silence', async () => {
    await room();
    const ran = withProgram(name);
    await here.pass(1_000);
    await ask('!silent', ran);
    expect(texts()).toEqual([]);
    expect(ran.log.filter((line) => line.startsWith('error'))).toEqual([]);
  });
});

it('thanks start no program', async () => {
  await room();
  const ran = withProgram('claude');
  await here.pass(1_000);
  await ask('how is it?', ran);
  await ask('thanks!', ran);
  expect(calls()).toHaveLength(1);
  expect(here.reacted).toMatchObject([{ signal: 'seen' }]);
});

it('claude without a login: what it prints on standard output is the error', async () => {
  await room();
  const ran = withProgram('claude');
  await here.pass(1_000);
  await ask('!login', ran);
  expect(texts()).toEqual([]);
  expect(ran.log.join('\n')).toContain('claude failed: Not logged in · Please run /login');
});

it('codex outside of a repository, reading only, in its folder', async () => {
  await room();
  const ran = withProgram('codex');
  await here.pass(1_000);
  await ask('how is it?', ran);
  const [call] = calls();
  expect(call?.args).toEqual([
    'exec',
    '--json',
    '--skip-git-repo-check',
    '-C',
    call?.cwd,
    '--sandbox',
    'read-only',
    '-',
  ]);
});

it('the user’s own arguments replace the defaults', async () => {
  await room();
  const order = { session: undefined, newSession: 'n', cwd: '/c', inGit: true, model: 'm', mode: undefined };
  expect(PRESETS.codex.args({ ...order, extra: ['--sandbox=workspace-write'] })).toEqual([
    'exec',
    '--json',
    '-C',
    '/c',
    '--model',
    'm',
    '--sandbox=workspace-write',
    '-',
  ]);
  expect(PRESETS.qwen.args({ ...order, extra: ['--yolo'] })).not.toContain('--approval-mode');
});

describe('what runs commands unasked', () => {
  it.each<[string, string[], boolean]>([
    ['opencode', ['run'], true],
    ['/usr/local/bin/pi', ['-p'], true],
    ['goose', ['run', '-i', '-'], true],
    ['codex', ['exec', '--yolo', '-'], true],
    ['codex', ['exec', '--sandbox', 'danger-full-access', '-'], true],
    ['codex', ['exec', '-'], false],
    ['gemini', ['--yolo'], true],
    ['gemini', ['--approval-mode', 'yolo'], true],
    ['gemini', ['--acp'], false],
    ['claude', ['-p'], false],
    ['claude', ['-p', '--dangerously-skip-permissions'], true],
    ['cat', [], false],
  ])('%s %j: %s', (command, args, unasked) => {
    expect(unaskedBy(command, args) !== undefined).toBe(unasked);
  });
});

describe('an error in place of an answer', () => {
  it.each([
    'stream disconnected before completion: Transport error',
    'API Error: 500 {"type":"error"}',
    'Not logged in · Please run /login',
    '[API Error: 401 nope]',
    'Ran into this error: Request failed.\n\nPlease retry.',
  ])('%s', (text) => expect(errorIn(text)).toBeDefined());

  it.each([
    'The log says "stream disconnected before completion", so the provider is down.',
    `API Error handling is in src/errors.ts.\n\n${'It has many parts.\n'.repeat(6)}`,
    'It is green.',
  ])('but not %s', (text) => expect(errorIn(text)).toBeUndefined());
});
