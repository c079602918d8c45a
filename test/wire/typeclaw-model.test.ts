// The preset `typeclaw` on the wire, what the model is told: notices, what it observed while it was quiet, and what was
// said before it came.
import { describe, expect, it } from 'vitest';
import { resultIn } from './debt-cast.ts';
import { hostWith } from './ways.ts';

function lastSection(prompt: string): string {
  return prompt.split('\n\n').at(-1) ?? '';
}

describe('what the model is told', () => {
  it('the notices stand at the end of the user turn, as host notices and never from a person, and allow silence [TC/loop-guard/notice-fenced, TC/loop-guard/notice-allows-silence, TC/loop-guard/notice-in-user-turn, TC/nudge/in-user-turn, TC/nudge/says-when-to-speak]', async () => {
    const prompts: { system: string; user: string }[] = [];
    const { wire } = await hostWith(
      'sdk',
      'toto',
      { attention: { preset: 'typeclaw' }, agents: [{ id: 'toto' }] },
      { onTurn: ({ system, user }) => void prompts.push({ system, user }) },
    );
    const mentions = { mentions: [{ kind: 'agent', id: 'toto' }] };
    await wire.say('morning', { by: 'ann' });
    await wire.say('toto, what is left today?', { by: 'ben' });
    await wire.pass(5_000);
    for (let n = 0; n < 5; n++) {
      await wire.say(`point ${'x'.repeat(n + 1)}`, { by: 'robo', byKind: 'agent', more: mentions });
      await wire.pass(5_000);
    }
    const [group, ...bots] = prompts
      .filter(({ user }) => !user.includes('\nmorning\n'))
      .map(({ user }) => lastSection(user));
    expect(group).toMatch(
      /^HOST NOTICE \(not from a person\): .*[Rr]eply only if it is addressed to you.*stay silent/,
    );
    expect(bots.at(-1)).toMatch(/^HOST NOTICE \(not from a person\): .*[Ss]taying silent is fine/);
    // The notices change with the turn. The system prompt changes only when somebody joins: robo, after the first turns.
    const systems = prompts.map(({ system }) => system);
    expect(new Set(systems.filter((system) => system.includes('agent:robo'))).size).toBe(1);
    expect(new Set(systems.map((system) => system.split('\nHERE ')[0])).size).toBe(1);
    expect(prompts[0]?.system).not.toContain('HOST NOTICE');
  });

  it('identical tool calls have a guard of their own, in the session [TC/loop-guard/two-guards]', async () => {
    const answers: string[] = [];
    const { wire } = await hostWith(
      'sdk',
      'toto',
      { attention: { preset: 'typeclaw' }, agents: [{ id: 'toto' }] },
      {
        onTurn: async ({ tools }) => {
          const read = tools.find(({ name }) => name === 'chat_read_thread');
          for (let n = 0; n < 6; n++) answers.push((await read?.call({}))?.text ?? '');
        },
      },
    );
    await wire.say('toto?', { by: 'ann' });
    await wire.pass(5_000);
    expect(answers).toHaveLength(6);
    expect(answers.slice(0, 4).join()).not.toMatch(/this very call/);
    expect(answers.at(-1)).toMatch(/this very call 5 times/);
  });

  it('a turn shows what was observed under a heading of its own, apart from the message, each line once [TC/observe/remembered, TC/observe/two-headings, TC/observe/flushed-once]', async () => {
    const prompts: string[] = [];
    const { wire } = await hostWith(
      'sdk',
      'toto',
      { attention: { preset: 'typeclaw' }, agents: [{ id: 'toto' }] },
      { onTurn: ({ user }) => void prompts.push(user) },
    );
    await wire.say('the kettle is on', { by: 'ann' });
    await wire.pass(5_000);
    await wire.say('milk for me', { by: 'ben' });
    await wire.pass(5_000);
    const before = prompts.length;
    await wire.say('toto, what is left?', { by: 'cat' });
    await wire.pass(5_000);
    await wire.say('toto, and tomorrow?', { by: 'cat' });
    await wire.pass(5_000);
    const [first = '', second = ''] = prompts.slice(before);
    const context = first.slice(
      first.indexOf('RECENT CONTEXT (not addressed to you)'),
      first.indexOf('C2A EVENT'),
    );
    expect(context).toMatch(/milk for me/);
    expect(first.slice(first.indexOf('MESSAGE'))).toMatch(/what is left/);
    expect(first.slice(first.indexOf('MESSAGE'))).not.toMatch(/milk for me/);
    expect(second).toMatch(/and tomorrow/);
    expect(second).not.toMatch(/RECENT CONTEXT/);
  });

  it('only the newest 20 observed messages come into the next turn [TC/observe/at-most-20]', async () => {
    const prompts: string[] = [];
    const { wire } = await hostWith(
      'sdk',
      'toto',
      { attention: { preset: 'typeclaw' }, agents: [{ id: 'toto' }] },
      { onTurn: ({ user }) => void prompts.push(user) },
    );
    await wire.say('morning', { by: 'ann' });
    await wire.pass(5_000);
    for (let n = 1; n <= 25; n++) await wire.say(`line ${n}.`, { by: n % 2 === 0 ? 'ann' : 'ben' });
    await wire.pass(5_000);
    const before = prompts.length;
    await wire.say('toto?', { by: 'cat' });
    await wire.pass(5_000);
    const shown = [...(prompts.slice(before).at(-1) ?? '').matchAll(/line (\d+)\./g)].map(([, n]) =>
      Number(n),
    );
    expect(shown).toEqual(Array.from({ length: 20 }, (_, n) => n + 6));
  });
});

it('an attachment of an observed message is read by its id, the newest first [TC/observe/attachments-resolve]', async () => {
  const { wire, agent: toto } = await hostWith('websocket', 'toto', {
    attention: { preset: 'typeclaw' },
    agents: [{ id: 'toto' }],
    asks: ['attachments'],
  });
  wire.platform.files.set('log', { contentType: 'text/plain', bytes: Buffer.from('out of disk') });
  const attached = { more: { attachments: [{ id: 'log', kind: 'file', name: 'a.log' }] } };
  await wire.say('ann, look', { by: 'ben', ...attached });
  const newest = await wire.say('cat, look again', { by: 'ann', ...attached });
  const read = resultIn(await toto.tool('chat.read_attachment', { attachmentId: 'log' }));
  expect(read).toMatchObject({ eventId: newest, text: 'out of disk' });
  expect(wire.platform.asked).toMatchObject([{ type: 'attachment', eventId: newest }]);
});

it('on a cold start the history of the platform is what the first turn remembers, also more than 20 lines of it [TC/observe/prefetch-seeds]', async () => {
  const prompts: string[] = [];
  const { wire } = await hostWith(
    'sdk',
    'toto',
    { attention: { preset: 'typeclaw' }, agents: [{ id: 'toto' }], asks: ['history'] },
    { onTurn: ({ user }) => void prompts.push(user) },
  );
  wire.platform.history = Array.from({ length: 24 }, (_, n) => ({
    ...wire.event(`before ${n + 1}.`, { id: `old-${n}`, by: n % 2 === 0 ? 'ann' : 'ben' }),
    at: wire.clock.now() - (30 - n) * 60_000,
  }));
  await wire.say('toto, what did I miss?', { by: 'cat' });
  await wire.pass(5_000);
  expect(wire.platform.asked).toMatchObject([{ type: 'history' }]);
  const shown = [...(prompts.at(-1) ?? '').matchAll(/before (\d+)\./g)].map(([, n]) => Number(n));
  expect(shown).toEqual(Array.from({ length: 24 }, (_, n) => n + 1));
});
