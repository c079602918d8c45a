// Who goes on talking with an agent is heard by it, however many lines they write and however long they are ignored.
import { describe, expect, it } from 'vitest';
import { until, type WireHost } from './host.ts';
import { hostWith, replyTo } from './ways.ts';

const TURNS = { onTurn: () => undefined };

/** Longer than the state remembers. */
async function talkOn(wire: WireHost): Promise<void> {
  for (let line = 0; line < 40; line++) await wire.say('nice weather', { by: line % 2 ? 'bob' : 'jane' });
}

describe.each(['websocket', 'pull', 'mcp', 'sdk'] as const)('over %s', (way) => {
  it('the twelfth line in a row stays with its listener', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead', {}, TURNS);
    await wire.say('morning', { by: 'bob' });
    await wire.say('@lead the deploy is yours');
    for (let line = 2; line <= 12; line++) {
      await wire.pass(4_000);
      await wire.say(`and number ${line}, the cache is old`);
    }
    await wire.pass(4_000);
    const last = await lead.next(({ text }) => text.includes('number 12'), 'the twelfth line');
    expect(last.policy).toBe('may_respond');
  });

  it('an ignored person’s "??" stays with whom they asked, others talking meanwhile', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead', {}, TURNS);
    await wire.say('@lead is the deploy blocked?');
    await wire.pass(4_000);
    for (let line = 0; line < 12; line++)
      await wire.say('nice weather', { by: line % 2 === 0 ? 'bob' : 'jane' });
    const eventId = await wire.say('??');
    await wire.pass(4_000);
    await lead.next((seen) => seen.eventId === eventId, 'the question marks');
    const told = await wire.why(eventId, 'lead');
    expect(told).toMatchObject({ decision: { directedness: 'to_me', reason: 'exchange' } });
    expect(told.steps.join('\n')).toContain('the author adds to what they said');
  });

  it('talk about a person stays with the agent it is put to; what is put to the person does not', async () => {
    const { wire } = await hostWith(way, 'lead', {}, TURNS);
    await wire.say('morning', { by: 'jane' });
    const told = async (text: string): Promise<unknown> => {
      await wire.say('@lead is the deploy blocked?');
      await wire.pass(4_000);
      return (await wire.why(await wire.say(text), 'lead')).decision;
    };
    const talk = { directedness: 'to_me', reason: 'exchange' };
    expect(await told('jane is out today, can you take it?')).toMatchObject(talk);
    expect(await told('Jane says it is broken. is it?')).toMatchObject(talk);
    for (const call of ['jane: did olly answer you?', 'jane can you take it?', 'can you take it @jane?'])
      expect(await told(call)).toMatchObject({ directedness: 'to_other', reason: 'addressed_elsewhere' });
  });

  it('a participant called Ok does not swallow an "ok"', async () => {
    const { wire } = await hostWith(way, 'lead', {}, TURNS);
    await wire.say('good morning', { by: 'ok' });
    await wire.say('@lead shall we deploy?');
    await wire.pass(4_000);
    const eventId = await wire.say('ok then tell me when it is out');
    expect((await wire.why(eventId, 'lead')).decision).toMatchObject({
      directedness: 'to_me',
      reason: 'exchange',
    });
    const called = await wire.say('Ok: can you look at it?');
    expect((await wire.why(called, 'lead')).decision).toMatchObject({ directedness: 'to_other' });
  });
});

describe('a native reply to a message of long ago, of which the platform names only the id', () => {
  it('is for the agent that wrote it', async () => {
    const { wire, agent: lead } = await hostWith('websocket', 'lead', {}, TURNS);
    await wire.say('@lead is the deploy blocked?');
    await wire.pass(4_000);
    const seen = await lead.next(({ text }) => text.includes('blocked'), 'the question');
    await lead.tool('chat.send_message', replyTo(seen, 'It is not.'));
    const post = await until(() => wire.platform.shown[0], 'the answer');
    await talkOn(wire);
    const eventId = await wire.say('since when?', {
      by: 'cyn',
      more: { replyTo: { eventId: post.eventId } },
    });
    expect((await wire.why(eventId, 'lead')).decision).toMatchObject({
      directedness: 'to_me',
      policy: 'must_respond',
    });
  });

  it('is not for the agent that its author spoke with last, if a person wrote it', async () => {
    const { wire } = await hostWith('websocket', 'lead', {}, TURNS);
    const asked = await wire.say('the cache is old', { by: 'bob' });
    await talkOn(wire);
    await wire.say('@lead is the deploy blocked?');
    await wire.pass(4_000);
    const eventId = await wire.say('that is because of the proxy', { more: { replyTo: { eventId: asked } } });
    expect((await wire.why(eventId, 'lead')).decision).toMatchObject({ directedness: 'to_other' });
  });
});
