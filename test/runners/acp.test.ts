// The `acp` runner with a real agent process, against a real host in memory under a virtual clock.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AGENT_LIMITS } from '../../src/agent/limits.ts';
import { ACP_LIMITS, type AcpOptions } from '../../src/agent/runners/acp.ts';
import { world, type World } from '../agent/harness.ts';
import { acpIn, type AcpRan } from './acp/run.ts';

let here: World;
let ran: AcpRan | undefined;
afterEach(async () => {
  await ran?.runner.close();
  await here.stop();
  for (const child of ran?.children ?? []) expect(child.exitCode ?? child.signalCode).not.toBeNull();
  ran = undefined;
});

const mention = (text: string, more: object = {}) => ({ text: `@lead ${text}`, mentions: ['lead'], ...more });
const texts = (): string[] => here.posted.map(({ text }) => text);
const open = async () =>
  (await here.store.scan('delivery', 'openByAgent', { eq: ['lead', 1], limit: 50 })).map(
    ({ eventId }) => eventId,
  );

async function started(more: Partial<AcpOptions> = {}): Promise<AcpRan> {
  here = await world();
  ran = acpIn(here, more);
  await here.pass(1_000);
  return ran;
}

/** No time passes but the machine's. */
const until = (holds: () => boolean): Promise<void> =>
  vi.waitFor(() => expect(holds()).toBe(true), { timeout: 60_000, interval: 10 });

/** So many messages are in chat and on record. Before that the host does not know what an answer is the answer to. */
const question = (messages = 1): Promise<void> =>
  vi.waitFor(
    async () => {
      const visible = await here.store.scan('outbox', 'bySurface', { eq: ['web', 'visible'], limit: 50 });
      expect(visible).toHaveLength(messages);
    },
    { timeout: 60_000, interval: 10 },
  );

/** Said, and its turn has begun. */
async function ask(text: string, more: object = {}): Promise<void> {
  await here.say(mention(text, more));
  await here.pass(3_000);
}

describe('an agent', () => {
  it('gets the turn as a prompt, and what it says is one reply', async () => {
    const { logged, children, saw } = await started();
    await ask('!say how is it?', { id: 'q1' });
    await logged('answered');
    expect(here.posted).toEqual([{ agent: 'lead', text: 'I was asked: how is it?', replyTo: 'q1' }]);
    await here.pass(20_000);
    expect(await open()).toEqual([]);
    expect(children).toHaveLength(1);
    expect(saw('session')).toEqual([`session {"cwd":"${process.cwd()}","mcpServers":[]}`]);
  });

  it('has a session for each conversation, and is told the rules once in each', async () => {
    const { logged, children } = await started();
    await ask('!session');
    await logged('answered', 1);
    await ask('!session', { in: 'C2' });
    await logged('answered', 2);
    await ask('!session');
    await logged('answered', 3);
    expect(texts()).toEqual([
      's1 prompt 1, rules, no history',
      's2 prompt 1, rules, no history',
      's1 prompt 2, no rules, no history',
    ]);
    expect(children).toHaveLength(1);
  });

  it('has so many sessions at most: the one used least recently is closed, and begun anew', async () => {
    const { logged, saw } = await started({ limits: { sessions: 2 } });
    for (const [index, room] of ['C1', 'C2', 'C1', 'C3', 'C2'].entries()) {
      await ask('!session', { in: room });
      await logged('answered', index + 1);
    }
    expect(texts()).toEqual([
      's1 prompt 1, rules, no history',
      's2 prompt 1, rules, no history',
      's1 prompt 2, no rules, no history',
      's3 prompt 1, rules, no history',
      's4 prompt 1, rules, history',
    ]);
    await logged('saw close', 2);
    expect(saw('close')).toEqual(['close s2', 'close s1']);
  });

  it('is offered neither files nor terminals, and no token of Earshot’s', async () => {
    const { PATH } = process.env;
    const env = { PATH, KEPT: 'yes', EARSHOT_TOKEN: 'any', MINE: `Bearer ear_a_${'x'.repeat(43)}` };
    const { logged, saw } = await started({ env });
    await ask('!say hi');
    await logged('answered');
    expect(saw('initialize')).toEqual([
      'initialize {"fs":{"readTextFile":false,"writeTextFile":false},"terminal":false,"auth":{"terminal":false}} EARSHOT_AGENT,KEPT,PATH',
    ]);
  });

  it('says paragraphs around its work; the work itself is in the log', async () => {
    const { logged, log } = await started();
    await ask('!work');
    await logged('answered');
    expect(texts()).toEqual(['Let me look.\n\nIt is green.']);
    const work = log
      .filter((line) => /plan|grep/.test(line))
      .map((line) => line.slice(line.indexOf(': ') + 2));
    expect(work).toEqual(['plan: 0 of 1 done, now look', 'grep deploy: pending', 'grep deploy: completed']);
  });

  it('declares what it can: it is woken and cancelled, not steered', async () => {
    const { runner } = await started();
    expect(runner.capabilities).toEqual({ wake: true, steer: false, cancel: true, ack: true, tools: false });
    const { cancelGraceMs, killGraceMs } = ACP_LIMITS;
    expect(cancelGraceMs + killGraceMs).toBeLessThan(AGENT_LIMITS.cancelGraceMs);
  });
});

describe('how a prompt ends', () => {
  it('NO_REPLY, in pieces: silence; what must be answered is asked once more', async () => {
    const { logged } = await started();
    await ask('!silent');
    await logged('had nothing to say', 1);
    await here.pass(10_000);
    await logged('had nothing to say', 2);
    expect(texts()).toEqual([]);
  });

  it('max_tokens: what was said, and that it is unfinished', async () => {
    const { logged } = await started();
    await ask('!max_tokens');
    await logged('answered');
    expect(texts()).toEqual([
      'The first reason is\n\n[unfinished: the agent has reached its limit of tokens]',
    ]);
  });

  it('refusal without a word: declined', async () => {
    const { logged } = await started();
    await ask('!refusal', { id: 'q1' });
    await logged('saw prompt');
    await until(() => here.reacted.length > 0);
    expect(here.reacted).toEqual([{ agent: 'lead', signal: 'declined', on: 'q1' }]);
    expect(texts()).toEqual([]);
  });

  it.each([
    ['max_turn_requests', 'reached its limit of steps without an answer'],
    ['cancelled', 'cancelled the turn, though nobody asked it to'],
    ['throws', 'failed: no credit'],
  ])('%s: failed, tried again and again, nothing posted', async (word, why) => {
    const { logged, log, children } = await started();
    await ask(`!${word}`);
    for (const times of [1, 2, 3]) {
      await logged('error the handler failed', times);
      await here.pass(20_000);
    }
    expect(texts()).toEqual([]);
    expect(log.filter((line) => line.includes(why))).toHaveLength(3);
    expect(children).toHaveLength(1);
  });
});

describe('cancelling', () => {
  /** Time is the test's, and the agent's is not: it must not run out on a slow machine. */
  const patient = { limits: { cancelGraceMs: 3_600_000 } };

  it('a further fragment: the agent hears of it, and there is one answer to everything', async () => {
    const { logged, saw, children } = await started(patient);
    await ask('!think', { id: 'f1' });
    await logged('saw prompt 1');
    await here.say({ text: 'in two words', id: 'f2' });
    await logged('saw cancel s1');
    await logged('saw prompt 2');
    await logged('answered');
    expect(here.posted).toEqual([{ agent: 'lead', text: 'half an answer', replyTo: 'f2' }]);
    expect(saw('prompt')).toEqual(['prompt 1 of s1', 'prompt 2 of s1']);
    expect(children).toHaveLength(1);
  });

  it('"stop": nothing is said any more, and the session lives on', async () => {
    const { logged, children } = await started(patient);
    await ask('!think');
    await logged('saw prompt 1');
    await here.say(mention('stop'));
    await logged('saw cancel s1');
    await here.pass(5_000);
    await ask('!session');
    await logged('answered');
    // What was cancelled may be gone from its memory: it is told the rules again.
    expect(texts().filter((text) => text.includes('prompt'))).toEqual(['s1 prompt 2, rules, history']);
    expect(children).toHaveLength(1);
  });

  it('an agent that does not stop is stopped, and another is started', async () => {
    const { logged, children } = await started();
    await ask('!deaf', { id: 'q1' });
    await logged('saw prompt 1');
    await here.say({ more: { type: 'delete', targetEventId: 'q1' } });
    await logged('saw cancel s1');
    const closed = new Promise((resolve) => children[0]?.once('close', resolve));
    await here.pass(ACP_LIMITS.cancelGraceMs + 250);
    await closed;
    expect(children[0]?.signalCode).toBe('SIGTERM');
    await ask('!say and now?', { id: 'q2' });
    await here.pass(2_000);
    await logged('answered');
    expect(texts()).toEqual(['I was asked: and now?']);
    expect(children).toHaveLength(2);
  });
});

describe('permission', () => {
  const QUESTION = 'May I run `rm -r build`? Please answer yes or no.';

  it.each([
    ['yes', 'permission yes', 'cleaned up'],
    ['no', 'permission no', 'left as it is'],
  ])('is asked for in chat, and "%s" is %s', async (answer, outcome, said) => {
    const { logged, saw } = await started();
    await ask('!permit', { id: 'q1' });
    await logged('saw prompt 1');
    await question();
    expect(here.posted).toEqual([{ agent: 'lead', text: QUESTION, replyTo: 'q1' }]);
    await here.say({ text: answer, id: 'a1' });
    await here.pass(3_000);
    await logged('answered');
    expect(saw('permission')).toEqual([outcome]);
    expect(here.posted[1]).toEqual({ agent: 'lead', text: said, replyTo: 'a1' });
    await here.pass(20_000);
    expect(await open()).toEqual([]);
    expect(saw('prompt')).toHaveLength(1);
  });

  it('is not given by other words: they reach the agent as a further prompt', async () => {
    const { logged, saw } = await started();
    await ask('!permit');
    await question();
    await here.say({ text: 'only the cache folder' });
    await here.pass(3_000);
    await logged('answered');
    expect(saw('permission')).toEqual(['permission no']);
    expect(texts()).toEqual([QUESTION, 'left as it is\n\nread: no permission']);
    expect(saw('prompt')).toEqual(['prompt 1 of s1', 'prompt 2 of s1']);
  });

  it('that nobody answers is cancelled, and nothing more is said', async () => {
    const { logged, saw } = await started();
    await ask('!permit');
    await question();
    await here.pass(ACP_LIMITS.permissionMs + 1_000, 10_000);
    await logged('left it at the question');
    expect(saw('permission')).toEqual(['permission cancelled']);
    expect(texts()).toEqual([QUESTION]);
    await here.pass(20_000);
    expect(saw('prompt')).toHaveLength(1);
  });

  it('is cancelled with its turn', async () => {
    const { logged, saw } = await started();
    await ask('!permit');
    await question();
    await here.say(mention('stop'));
    await logged('saw permission');
    expect(saw('permission')).toEqual(['permission cancelled']);
  });

  it('asked for twice is asked twice', async () => {
    const { logged } = await started();
    const command = `rm -r ${'build/'.repeat(8)}`;
    for (const times of [1, 2]) {
      await ask(`!permit ${command}`);
      await question(2 * times - 1);
      await here.say({ text: 'no' });
      await here.pass(3_000);
      await logged('answered', times);
    }
    expect(texts()[2]).toBe(`${texts()[0]} (request 2)`);
  });

  it('shows one line, bounded, that calls nobody and says what it leaves out', async () => {
    const { logged } = await started({ limits: { permissionChars: 40 } });
    await ask(`!permit echo \`id\` @builder \u202Ehi; rm -r ${'x'.repeat(100)}`);
    await question();
    expect(texts()[0]).toMatch(
      /^May I run `echo 'id' @\u2060builder hi; rm -r x+…?` \(and \d+ more characters, not shown\)\? Please/,
    );
    await here.say({ text: 'no' });
    await here.pass(3_000);
    await logged('answered');
  });

  it('that could only be given for ever is not asked for', async () => {
    const { logged, log } = await started();
    await ask('!always');
    await logged('answered');
    expect(texts()).toEqual(['cancelled']);
    expect(log.join('\n')).toContain('it offers no way to allow it once');
  });

  it('is a person’s to give: asked on behalf of another agent it is refused', async () => {
    const { logged, log } = await started();
    await here.say(mention('!permit please', { by: 'robot', kind: 'agent' }));
    await here.pass(3_000);
    await logged('answered');
    expect(texts()).toEqual(['left as it is']);
    expect(log.join('\n')).toContain('name one with --approver');
  });
});

describe('an agent that misbehaves', () => {
  it('and dies in the middle of a turn: tried again with a new one, one answer in the end', async () => {
    const { logged, log, children } = await started();
    await ask('!crash', { id: 'q1' });
    await logged('error the handler failed');
    expect(log.filter((line) => line.startsWith('error')).at(-1)).toMatch(/exited with 3: out of memory$/);
    await here.pass(10_000);
    await logged('answered');
    expect(texts()).toEqual(['alive again']);
    expect(children).toHaveLength(2);
    await here.pass(20_000);
    expect(await open()).toEqual([]);
  });

  it('and dies after it was given permission: the answer is a turn of its own', async () => {
    const { logged, saw } = await started();
    await ask('!crashafter', { id: 'q1' });
    await question();
    await here.say({ text: 'yes', id: 'a1' });
    await here.pass(3_000);
    await logged('it is not run again');
    await here.pass(10_000);
    await logged('answered');
    expect(texts()).toHaveLength(2);
    expect(texts()[1]).toContain('yes');
    expect(saw('prompt')).toEqual(['prompt 1 of s1', 'prompt 1 of s1']);
  });

  it('and cannot be kept alive is started less and less often', async () => {
    here = await world();
    ran = acpIn(here, { args: ['-e', 'process.exit(1)'] });
    await here.pass(1_000);
    await ask('hello');
    const waits: number[] = [];
    for (const times of [1, 2]) {
      await ran.logged('error the handler failed', times);
      expect(ran.children).toHaveLength(times);
      // Not a step further than the next start: its process ends in real time.
      const from = here.clock.now();
      while (ran.children.length === times && here.clock.now() < from + 60_000) await here.pass(250);
      waits.push(here.clock.now() - from);
    }
    await ran.logged('error the handler failed', 3);
    expect(ran.children).toHaveLength(3);
    expect(Math.min(...waits)).toBeGreaterThan(0);
    expect(waits[1]).toBeGreaterThanOrEqual(waits[0] ?? 0);
    expect(ran.log.filter((line) => line.endsWith('exited with 1'))).toHaveLength(3);
  });

  it('and is not there: the log says what to do', async () => {
    const { logged, log } = await started({ command: 'earshot-no-such-agent', spawn: undefined });
    await ask('hello');
    await logged('error the handler failed');
    expect(log.join('\n')).toContain(
      'earshot-no-such-agent was not found: is it installed, and on the PATH?',
    );
  });

  it('and is no ACP agent: it is given up after a while', async () => {
    const { logged, log, children } = await started({ command: '/bin/cat', args: [] });
    await ask('hello');
    await until(() => children.length > 0);
    await here.pass(ACP_LIMITS.startMs + 250, 1_000);
    await logged('error the handler failed');
    expect(log.join('\n')).toMatch(/\/bin\/cat (?:did not answer within 60 s|refused to be initialized)/);
  });

  it('and never gets ready does not keep the runner from closing', async () => {
    const { runner, children } = await started({ command: '/bin/sleep', args: ['3600'] });
    await ask('hello');
    await until(() => children.length > 0);
    await runner.close();
    expect(children.map(({ signalCode }) => signalCode)).toEqual(['SIGTERM']);
  });

  it('and prints what is no message: it goes to the log, and the answer is heard', async () => {
    const { logged, log } = await started();
    await ask('!garbage');
    await logged('answered');
    expect(texts()).toEqual(['all the same']);
    const stray = log
      .filter((line) => line.includes('no message'))
      .map((line) => line.split('no message: ')[1]);
    expect(stray.slice(0, 4)).toEqual(['Welcome!', 'not json', '{"level":"info"}', '[1]']);
  });

  it('and floods: the answer is cut between two characters and says so', async () => {
    const { logged } = await started({ limits: { answerBytes: 10_001 } });
    await ask('!flood');
    await logged('answered');
    expect(texts()).toEqual([`${'é'.repeat(5_000)}\n\n[cut: 1990000 of 2000000 bytes are left out]`]);
  });

  it('and writes a message longer than may be: it is ended, and the turn fails', async () => {
    const { logged, log, children } = await started({ limits: { messageBytes: 1_000_000 } });
    await ask('!long');
    await logged('saw prompt');
    await new Promise((resolve) => children[0]?.once('close', resolve));
    await logged('error the handler failed');
    expect(log.join('\n')).toContain('wrote a message of more than 1000000 bytes');
    expect(texts()).toEqual([]);
  });

  it('and talks on standard error: so many lines a turn', async () => {
    const { logged, log } = await started({ limits: { logLines: 2 } });
    await ask('!say hi');
    await logged('answered');
    expect(log.filter((line) => line.includes('standard error'))).toHaveLength(2);
    expect(log.filter((line) => line.includes('after 2 lines the rest is left out'))).toHaveLength(1);
  });
});
