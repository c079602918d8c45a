// Owned threads: what is said in a thread that an agent owns reaches it as a knock to its role, also when the platform
// names the thread's root as the message replied to, or when another agent answers somebody there.
import { describe, expect, it } from 'vitest';
import { type Line, until, type WireHost } from './host.ts';
import { harness, hostWith, type Seen, type WireHarness } from './ways.ts';

const AGENTS = [{ id: 'lead', owns: { conversations: ['T1'] } }, { id: 'builder' }, { id: 'scout' }];
const THREAD: Line = { in: 'T1', thread: 'general', by: 'ben' };
const UNDER_ROOT = { replyTo: { eventId: 'root', authorId: 'ada' } };

const KNOCK = { policy: 'may_respond', mode: 'notify', directedness: 'to_my_role' };

async function threadOf(wire: WireHost): Promise<void> {
  await wire.say('the migration starts today', { id: 'root', by: 'ada' });
}

const knockAbout = async (agent: WireHarness, eventId: string): Promise<Seen> =>
  agent.next((seen) => seen.eventId === eventId, `the knock about ${eventId}`);

const post = (agent: WireHarness, text: string): Promise<unknown> =>
  agent.tool('chat.send_message', {
    target: 'thread:T1',
    text,
    visibility: 'thread',
    directedness: 'to_my_role',
    idempotencyKey: text,
  });

describe.each(['websocket', 'pull', 'webhook', 'mcp'] as const)('over %s', (way) => {
  it('a reply to the root in a thread it owns is a knock to its role [C2A-06-02/directedness/to-my-role-owned-thread, C2A-06-02/matrix/thread-participation]', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead', { agents: AGENTS });
    await threadOf(wire);
    const eventId = await wire.say('the schema has landed', { ...THREAD, more: UNDER_ROOT });
    await wire.pass(4_000);
    expect(await knockAbout(lead, eventId)).toMatchObject({
      policy: 'may_respond',
      mode: 'notify',
      text: '',
    });
    expect((await wire.why(eventId, 'lead')).decision).toMatchObject({ ...KNOCK, reason: 'owned_thread' });
    expect((await wire.why(eventId, 'builder')).decision).toMatchObject({ policy: 'must_not_respond' });
  });

  it('an agent’s answer to somebody there is one too [C2A-06-02/outbound/add-to-owned-thread]', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead', { agents: AGENTS });
    const builder = await harness(wire, 'builder', 'websocket');
    await threadOf(wire);
    await wire.say('@builder is the schema in?', { ...THREAD, more: UNDER_ROOT });
    await wire.pass(4_000);
    const asked = await builder.next(({ text }) => text.includes('is the schema in?'));
    expect(await builder.reply(asked, 'It went in at nine.')).toMatchObject({ ok: true });
    await until(() => wire.platform.texts().length === 1, 'the answer');
    const answer = await lead.next((seen) => JSON.stringify(seen.raw).includes('agent:builder'), 'the knock');
    expect(answer).toMatchObject({ policy: 'may_respond', mode: 'notify', text: '' });
    expect((await wire.why(answer.eventId, 'lead')).decision).toMatchObject({
      ...KNOCK,
      reason: 'owned_thread',
    });
  });

  it('what an agent declares for the role is for all who take part in the thread [C2A-06-02/outbound/directedness-inherited]', async () => {
    const { wire, agent: scout } = await hostWith(way, 'scout', { agents: AGENTS });
    const builder = await harness(wire, 'builder', 'websocket');
    await threadOf(wire);
    await wire.say('@scout what is left? and @builder?', { ...THREAD, more: UNDER_ROOT });
    await wire.pass(4_000);
    const asked = await scout.next(({ text }) => text.includes('what is left?'));
    await scout.reply(asked, 'Two tables.');
    await until(() => wire.platform.texts().length === 1, 'the answer');
    expect(await post(builder, 'I have split the second table.')).toMatchObject({ ok: true });
    const said = await scout.next(({ mode }) => mode === 'notify', 'the knock');
    expect(said).toMatchObject({ policy: 'may_respond', mode: 'notify', text: '' });
    const told = await wire.why(said.eventId, 'scout');
    expect(told.decision).toMatchObject({ ...KNOCK, reason: 'thread_participation' });
    expect(told.steps.join('\n')).toContain('its sender meant it for those who take part in the thread');
  });
});
