// The `command` runner with real programs, against a real host in memory under a virtual clock.
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { COMMAND_LIMITS } from '../../src/agent/runners/command.ts';
import { AGENT_LIMITS } from '../../src/agent/limits.ts';
import { world, type World } from '../agent/harness.ts';
import { type Ran, runIn } from './program.ts';

let here: World;
let ran: Ran | undefined;
afterEach(async () => {
  // Whatever a failed test left behind.
  for (const child of ran?.children ?? []) child.kill('SIGKILL');
  ran = undefined;
  await here.stop();
});

const mention = (text: string, more: object = {}) => ({ text: `@lead ${text}`, mentions: ['lead'], ...more });
const texts = (): string[] => here.posted.map(({ text }) => text);
const open = async () =>
  (await here.store.scan('delivery', 'openByAgent', { eq: ['lead', 1], limit: 50 })).map(
    ({ eventId }) => eventId,
  );

/** Asked once, and its turn has begun. */
async function asked(
  code: string,
  more: Parameters<typeof runIn>[2] = {},
  text = 'how is the deploy?',
): Promise<Ran> {
  here = await world();
  ran = runIn(here, code, more);
  await here.pass(1_000);
  await here.say(mention(text, { id: 'q1' }));
  await here.pass(3_000);
  return ran;
}

const print = (...texts_: string[]): string =>
  texts_.map((text) => `process.stdout.write(${JSON.stringify(text)});`).join('\n');

describe('a program', () => {
  it('gets the prompt on standard input, and what it prints is the reply', async () => {
    const { exit, quiet } = await asked(
      `console.log(prompt.includes('how is the deploy?') && prompt.includes('RESPONSE RULES') ? 'green' : prompt);`,
    );
    expect(await exit(1)).toEqual({ code: 0, signal: null });
    await quiet();
    expect(here.posted).toEqual([{ agent: 'lead', text: 'green', replyTo: 'q1' }]);
    expect(await open()).toEqual([]);
  });

  it('need not read its input', async () => {
    here = await world();
    ran = runIn(here, '', { command: '/bin/echo', args: ['fine, $HOME "as it is"'] });
    await here.pass(1_000);
    await here.say(mention('x'.repeat(16_000)));
    await here.pass(3_000);
    await ran.quiet();
    expect(texts()).toEqual(['fine, $HOME "as it is"']);
  });

  it('inherits the environment and is told what the turn is about, and never gets a token', async () => {
    const token = `ear_a_${'x'.repeat(43)}`;
    const env = {
      KEPT: 'yes',
      EARSHOT_TOKEN: 'any',
      EARSHOT_DATA: '/srv/e',
      MINE: `Bearer ${token}`,
      NOT_SET: undefined,
    };
    const { quiet } = await asked(
      `const { PATH, ...rest } = process.env; console.log(JSON.stringify(rest));`,
      { env },
    );
    await quiet();
    expect(JSON.parse(texts()[0] ?? '')).toEqual({
      KEPT: 'yes',
      EARSHOT_DATA: '/srv/e',
      EARSHOT_AGENT: 'lead',
      EARSHOT_CONVERSATION: 'channel:C1',
      EARSHOT_EVENT_ID: 'q1',
    });
  });

  it('answers without escape sequences and control characters', async () => {
    const { quiet } = await asked(
      print('\u001B[1;31mred\u001B[0m \u001B]8;;http://x\u0007link\u0007\r\n\tnext\u0000'),
    );
    await quiet();
    expect(texts()).toEqual(['red link\n\tnext']);
  });

  it('has its standard error in the log, within bounds, and none of it in chat', async () => {
    const { log, quiet } = await asked(
      `for (let n = 1; n <= 5; n++) console.error('\\u001B[2mstep ' + n + 'x'.repeat(900)); ${print('done')}`,
      { limits: { errors: { lines: 2, lineChars: 12 } } },
    );
    await quiet();
    const lines = log.filter((line) => line.includes('on standard error'));
    expect(lines.map((line) => line.slice(line.indexOf(': ') + 2))).toEqual([
      expect.stringMatching(/^step 1x*$/),
      expect.stringMatching(/^step 2x*$/),
      '[… after 2 lines the rest is left out]',
    ]);
    expect(texts()).toEqual(['done']);
  });

  it('declares what it can: it is woken and cancelled, not steered', async () => {
    const { runner, quiet } = await asked(print('ok'));
    await quiet();
    expect(runner.capabilities).toEqual({ wake: true, steer: false, cancel: true, ack: true, tools: false });
    expect(COMMAND_LIMITS.killGraceMs).toBeLessThan(AGENT_LIMITS.cancelGraceMs);
  });
});

describe('silence', () => {
  // must_respond: reminded once by the host, so two runs.
  it.each<[string, string]>([
    ['nothing at all', ''],
    ['white space', print(' \n\n')],
    ['NO_REPLY', print('NO_REPLY\n')],
    ['NO_REPLY in colour', print('\u001B[32mNO_REPLY\u001B[0m')],
    [
      'NO_REPLY split over writes',
      `process.stdout.write('NO_', () => process.stdout.write('REP', () => process.stdout.write('LY\\n')));`,
    ],
    ['NO_REPLY and a reason', print('NO_REPLY\n', 'this was not for me')],
    ['NO_REPLY before more than is read', `process.stdout.write('NO_REPLY\\n' + 'x'.repeat(200_000));`],
  ])('is %s', async (_, code) => {
    const { children, quiet } = await asked(code);
    await quiet();
    expect(texts()).toEqual([]);
    expect(children).toHaveLength(2);
  });
});

describe('how it ends', () => {
  const FAILED = 3;
  it.each<[string, string, { posted: string[]; runs: number; log?: string }]>([
    ['0 with text', 'process.exitCode = 0;', { posted: ['half'], runs: 1 }],
    [
      '75',
      "console.error('busy'); process.exitCode = 75;",
      { posted: [], runs: FAILED, log: 'asks to be tried again (exit code 75): busy' },
    ],
    [
      '1',
      "console.error('first'); console.error('no credit\\n'); process.exitCode = 1;",
      { posted: [], runs: FAILED, log: 'exited with 1: no credit' },
    ],
    [
      '2, with what is wrong on standard output',
      'process.exitCode = 2;',
      { posted: [], runs: FAILED, log: 'exited with 2: half' },
    ],
    [
      '1, complaining on standard output',
      "console.log('\\nNot logged in · Please run /login'); process.exitCode = 1;",
      { posted: [], runs: FAILED, log: 'exited with 1: Not logged in · Please run /login' },
    ],
    [
      'a signal',
      "process.kill(process.pid, 'SIGKILL');",
      { posted: [], runs: FAILED, log: 'was ended by SIGKILL' },
    ],
  ])('%s', async (_, code, { posted, runs, log }) => {
    const {
      children,
      log: lines,
      quiet,
    } = await asked(`await new Promise((done) => process.stdout.write('half', done)); ${code}`);
    await quiet();
    expect(texts()).toEqual(posted);
    expect(children).toHaveLength(runs);
    const failures = lines.filter((line) => line.startsWith('error the handler failed'));
    expect(failures).toHaveLength(log === undefined ? 0 : runs);
    for (const line of failures) expect(line.endsWith(log ?? '')).toBe(true);
  });

  it('0 with an error in place of an answer: failed, and nothing is posted', async () => {
    const { log, quiet } = await asked(
      print('stream disconnected before completion: the provider is away\n'),
    );
    await quiet();
    expect(texts()).toEqual([]);
    expect(log.join('\n')).toContain('failed: stream disconnected before completion');
  });

  it('75 at first is tried again, and the one answer is posted', async () => {
    const { children, quiet } = await asked(
      `console.log('run ' + nth); process.exitCode = nth === 1 ? 75 : 0;`,
    );
    await quiet();
    expect(texts()).toEqual(['run 2']);
    expect(children).toHaveLength(2);
    expect(await open()).toEqual([]);
  });

  it.each(['earshot-no-such-program', '/nowhere/at/all'])('%s was not found', async (command) => {
    const { log, quiet } = await asked('', { command, spawn: undefined });
    await here.pass(20_000);
    await quiet();
    expect(texts()).toEqual([]);
    expect(log.join('\n')).toContain(`${command} was not found: is it installed, and on the PATH?`);
  });

  it('with more than may be said: cut between two characters, and the answer says so', async () => {
    const { quiet } = await asked(`process.stdout.write('é'.repeat(150_000) + 'END');`, {
      limits: { answerBytes: 1_001 },
    });
    await quiet();
    expect(texts()).toEqual([`${'é'.repeat(500)}\n\n[cut: 299002 of 300003 bytes are left out]`]);
  });

  it('leaving something behind that holds its output: that is not waited for', async () => {
    const { children, logged, log } = await asked(
      `const { spawn } = await import('node:child_process');
       const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'inherit', detached: true });
       left.on('spawn', () => { console.error('left ' + left.pid); console.log('done'); });
       left.unref();`,
    );
    const [child] = children;
    if (child?.exitCode === null) await once(child, 'exit');
    await logged('left ');
    await here.pass(COMMAND_LIMITS.drainMs + 5_000);
    process.kill(Number(/left (\d+)/.exec(log.join('\n'))?.[1]), 'SIGKILL');
    expect(texts()).toEqual(['done']);
    expect(children).toHaveLength(1);
  });
});

/** Says that it is ready, has printed half an answer, and goes on until it is stopped. */
const ENDLESS = `process.stdout.write('half an ans');
  console.error('ready ' + nth);
  setInterval(() => {}, 1_000_000);`;
const STUBBORN = `process.on('SIGTERM', () => console.error('no'));`;

describe('stopping', () => {
  it('on time-out: SIGTERM, then SIGKILL after a grace; nothing is posted, and it is tried again', async () => {
    const { exit, logged, log, quiet } = await asked(
      `if (nth === 2) { console.log('late but here'); process.exit(); } ${STUBBORN} ${ENDLESS}`,
      { timeoutMs: 20_000 },
    );
    await logged('ready 1');
    await here.pass(20_000);
    await logged(': no');
    await here.pass(COMMAND_LIMITS.killGraceMs);
    expect(await exit(1)).toEqual({ code: null, signal: 'SIGKILL' });
    await here.pass(15_000);
    await quiet();
    expect(log.join('\n')).toContain('took longer than 20 s and was stopped');
    expect(texts()).toEqual(['late but here']);
  });

  it('when a further fragment arrives: the process is gone before the next one starts, and one answer is posted', async () => {
    const { exit, logged, order, log, quiet } = await asked(
      `if (nth === 2) { console.log(/and the tests/.test(prompt) ? 'both' : 'one'); process.exit(); } ${ENDLESS}`,
    );
    await logged('ready 1');
    await here.say({ text: 'and the tests?' });
    await here.pass(500); // less than the grace: it ends by itself
    expect(await exit(1)).toEqual({ code: null, signal: 'SIGTERM' });
    await here.pass(5_000);
    await quiet();
    expect(order).toEqual(['start 1', 'exit 1', 'start 2', 'exit 2']);
    expect(texts()).toEqual(['both']);
    expect(log.filter((line) => line.startsWith('error'))).toEqual([]);
  });

  it('when it does not listen: killed within the grace, before the next one starts', async () => {
    const { exit, logged, order, quiet } = await asked(
      `if (nth === 2) { console.log('merged'); process.exit(); } ${STUBBORN} ${ENDLESS}`,
    );
    await logged('ready 1');
    await here.say({ text: 'and the tests?' });
    await here.pass(COMMAND_LIMITS.killGraceMs + 2_000);
    expect(await exit(1)).toEqual({ code: null, signal: 'SIGKILL' });
    await here.pass(5_000);
    await quiet();
    expect(order).toEqual(['start 1', 'exit 1', 'start 2', 'exit 2']);
    expect(texts()).toEqual(['merged']);
  });

  it('what it has started goes with it', async () => {
    const { exit, logged } = await asked(
      `const { spawn } = await import('node:child_process');
       const own = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'inherit' });
       own.on('spawn', () => console.error('started ' + own.pid));
       process.on('SIGTERM', () => {}); ${ENDLESS}`,
      { limits: { drainMs: 1e9 } },
    );
    await Promise.all([logged('started'), logged('ready 1')]);
    await here.say({ more: { type: 'delete', targetEventId: 'q1' } });
    await here.pass(COMMAND_LIMITS.killGraceMs + 1_000);
    // Its streams close when the last one that holds them has ended.
    expect(await exit(1)).toEqual({ code: null, signal: 'SIGKILL' });
    await here.pass(5_000);
    expect(texts()).toEqual([]);
  });

  it('close stops what runs, and called again kills it', async () => {
    const { runner, exit, logged } = await asked(`${STUBBORN} ${ENDLESS}`);
    await logged('ready 1');
    const closed = runner.close();
    await logged(': no');
    await Promise.all([closed, runner.close()]);
    expect(await exit(1)).toEqual({ code: null, signal: 'SIGKILL' });
    await here.pass(20_000);
    expect(texts()).toEqual([]);
  });

  it('after close nothing is started', async () => {
    here = await world();
    ran = runIn(here, print('ok'));
    await ran.runner.close();
    await here.pass(1_000);
    await here.say(mention('are you there?'));
    await here.pass(30_000);
    expect(ran.children).toEqual([]);
  });

  it('for something urgent of somebody else, and it is run again after that', async () => {
    const { logged, exit, quiet } = await asked(
      `const urgent = prompt.includes('production is down');
       if (nth > 1) { console.log(urgent ? 'rolled back' : 'green again'); process.exit(); } ${ENDLESS}`,
    );
    await logged('ready 1');
    await here.say(mention('URGENT: production is down, stop what you do!', { by: 'bob' }));
    await here.pass(500); // less than the grace: it ends by itself
    expect(await exit(1)).toEqual({ code: null, signal: 'SIGTERM' });
    await here.pass(5_000);
    await quiet();
    expect(texts().toSorted()).toEqual(['green again', 'rolled back']);
  });
});
