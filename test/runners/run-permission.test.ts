// `earshot run --with claude` asks in chat before it acts: a real host, the command as a process, and a scripted program
// that asks as Claude Code was seen to.
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { earshot } from '../replay/fake-io.ts';
import { upHere } from '../server/here.ts';
import { folder, message, until } from '../server/up.ts';
import { putProgram, start } from './earshot-run.ts';

type Posted = Record<string, unknown> & { text: string };

async function room(argv: readonly string[] = [], { byToken = false } = {}) {
  const bin = folder();
  putProgram(bin, 'claude', 'asking-claude.ts');
  const host = await upHere();
  const token = host.tokens.agents['lead'] ?? '';
  const path = { PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` };
  const given = ['--agent', 'lead', '--with', 'claude', '--cwd', bin, ...argv];
  const running = byToken
    ? start({ data: folder() }, ['--url', host.url, ...given], { ...path, EARSHOT_TOKEN: token })
    : start(host, given, path);
  const dev = host.tokens.surfaces['dev'];
  const all: Posted[] = [];
  /** The first message that fits, shown and acknowledged as a platform does it. */
  const posted = (pattern: RegExp): Promise<Posted> =>
    until(async () => {
      const { body } = await host.call('GET', '/v1/outbox', dev);
      for (const one of body['messages'] as Posted[]) {
        const key = String(one['idempotencyKey']);
        await host.call('POST', '/v1/outbox/ack', dev, { key, platformId: `p-${key}` });
        if (!all.some((known) => known['idempotencyKey'] === key)) all.push(one);
      }
      return all.find(({ text }) => pattern.test(text));
    });
  const end = async (): Promise<void> => {
    running.child.kill('SIGTERM');
    expect(await running.exit).toBe(0);
    expect(await host.stop()).toBe(0);
  };
  const made = (file: string): boolean => existsSync(join(bin, file));
  const texts = (): string[] => all.map(({ text }) => text);
  return { bin, host, token, running, posted, texts, made, end };
}

describe('claude, started once a turn', () => {
  it('asks where it was asked, acts after a yes, and has no tool but the one that asks', async () => {
    const { bin, host, token, running, posted, made, end } = await room();
    const sent = message('@lead please !touch walnut');
    await host.post(sent);
    const question = await posted(/^May I /);
    expect(question).toMatchObject({ agent: 'lead', replyTo: sent.eventId });
    expect(question.text).toBe('May I use Bash: `touch walnut`? Please answer yes or no.');
    expect(made('walnut')).toBe(false);
    await host.post(message('yes'));
    expect(await posted(/is made/)).toMatchObject({ text: 'walnut is made.', replyTo: sent.eventId });
    expect(made('walnut')).toBe(true);
    expect(readFileSync(join(bin, 'tools'), 'utf8')).toBe('["chat_ask_permission"]');
    // Arguments can be read by everybody on the machine.
    expect(readFileSync(join(bin, 'args'), 'utf8')).not.toContain(token);
    expect(running.err()).not.toContain(token);
    await end();
  });

  it('does not act after a no, and reads what the person said', async () => {
    const { host, posted, texts, made, end } = await room();
    await host.post(message('@lead please !touch walnut'));
    await posted(/^May I /);
    await host.post(message('no'));
    expect((await posted(/^I may not/)).text).toContain('"no"');
    expect(made('walnut')).toBe(false);
    expect(texts()).toHaveLength(2);
    await end();
  });

  it('asks in each of two conversations at once about its own command, and the named person decides', async () => {
    const { host, posted, made, end } = await room(['--approver', 'human:U9']);
    const rooms = ['walnut', 'almond'].map((word) => ({ word, conversation: { id: word, kind: 'channel' } }));
    for (const { word, conversation } of rooms)
      await host.post(message(`@lead please !touch ${word}`, { conversation }));
    for (const { word } of rooms)
      expect((await posted(new RegExp(`touch ${word}`)))['place']).toMatchObject({ conversationId: word });
    // Somebody who was not part of the talk answers by name, as always in a channel.
    const author = { id: 'U9', kind: 'human' };
    await host.post(message('@lead no', { author, conversation: { id: 'walnut', kind: 'channel' } }));
    await host.post(message('@lead yes', { author, conversation: { id: 'almond', kind: 'channel' } }));
    await posted(/^I may not/);
    await posted(/almond is made/);
    expect([made('walnut'), made('almond')]).toEqual([false, true]);
    await end();
  });

  it('cannot ask where its token is not in the data folder, and the log says so', async () => {
    const { bin, running, host, posted, end } = await room([], { byToken: true });
    await running.said('claude cannot ask in chat, because');
    await host.post(message('@lead please !touch walnut'));
    await posted(/nobody can be asked/);
    expect(readFileSync(join(bin, 'args'), 'utf8')).not.toContain('--mcp-config');
    await end();
  });

  it('is left alone where its arguments say who decides', async () => {
    const { bin, host, posted, end } = await room(['--', '--permission-prompts', 'none']);
    await host.post(message('@lead please !touch walnut'));
    await posted(/nobody can be asked/);
    expect(readFileSync(join(bin, 'args'), 'utf8')).not.toContain('--permission-prompt-tool');
    await end();
  });
});

it.each<[string[], string]>([
  [['--approver', 'U1', '--approver', 'U2'], '--approver: claude asks one person: name one'],
  [['--no-tools'], '--no-tools is for an ACP agent (--acp): drop it'],
])('earshot run --with claude %j is refused with the reason', async (argv, said) => {
  const ran = await earshot(['run', '--agent', 'lead', '--with', 'claude', ...argv]);
  expect(ran.code).toBe(2);
  expect(ran.err).toContain(said);
});
