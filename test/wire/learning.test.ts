// What people say about an agent's attention becomes a labelled record: in words, by a 🔇, by an operator, and by the agent
// that steps back itself. Nothing else does.
import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../src/protocol/operator-api.ts';
import { type RoomHost, roomHost, type Said, type WireRoom } from './room.ts';

const AGENTS = [{ id: 'nova' }, { id: 'rigel' }];

interface Label {
  target: string | undefined;
  agent: string | undefined;
  label: string | undefined;
  how: string | undefined;
  by: string;
}

async function labels({ wire }: RoomHost, room: WireRoom): Promise<Label[]> {
  const token = await wire.token('operator', 'ops');
  const { body } = await wire.call('GET', '/v1/log?type=correction&last=true&limit=100', token);
  return (body['log'] as LogEntry[])
    .filter(({ conversation }) => conversation.id === room.id)
    .map(({ targetEventId, agent, label, how, author }) => ({
      target: targetEventId,
      agent,
      label,
      how,
      by: author.id,
    }));
}

/** Ann asks the room, and nova answers what was not for it. */
async function answered(host: RoomHost): Promise<{ room: WireRoom; asked: Said; answer: Said }> {
  const room = host.room({ membership: { humans: 3 } });
  await room.say('jane', 'morning all');
  const asked = await room.say('ann', '@nova is the deploy blocked?');
  const answer = await room.say('nova', 'No, it is green.', { inReplyTo: asked });
  return { room, asked, answer };
}

describe('a correction in words', () => {
  it.each([
    'not you',
    'no, not you',
    'I meant Jane',
    'sorry nova, I was talking to Jane',
    'no te preguntaba',
    'pas toi',
    'nicht du',
    'não é pra você',
    'あなたじゃない',
    '너 말고',
    '不是问你',
  ])('"%s" after an answer labels what was answered', async (text) => {
    const host = await roomHost({ agents: AGENTS });
    const { room, asked } = await answered(host);
    await room.say('ann', text);
    expect(await labels(host, room)).toEqual([
      { target: asked.eventId, agent: 'nova', label: 'should_have_stayed_quiet', how: 'said', by: 'ann' },
    ]);
  });

  it('names who should have answered, where that is an agent', async () => {
    const host = await roomHost({ agents: AGENTS });
    const { room, asked } = await answered(host);
    await room.say('ann', 'I meant @rigel');
    expect(await labels(host, room)).toEqual([
      { target: asked.eventId, agent: 'nova', label: 'should_have_stayed_quiet', how: 'said', by: 'ann' },
      { target: asked.eventId, agent: 'rigel', label: 'should_have_answered', how: 'said', by: 'ann' },
    ]);
  });

  it.each(["@nova why didn't you answer?", 'nova, warum antwortest du nicht?', '@nova 你为什么不回答？'])(
    '"%s" labels the message before it',
    async (text) => {
      const host = await roomHost({ agents: AGENTS });
      const room = host.room({ membership: { humans: 3 } });
      await room.say('jane', 'morning all');
      const asked = await room.say('ann', 'does anybody know when the deploy is over?');
      await room.say('ann', text);
      expect(await labels(host, room)).toEqual([
        { target: asked.eventId, agent: 'nova', label: 'should_have_answered', how: 'said', by: 'ann' },
      ]);
    },
  );

  it.each([
    'I meant tomorrow',
    'it is not you, it is the cache',
    "why didn't you answer Jane's mail about the invoice?",
    'not you again, this test fails every day since we moved',
    'thanks',
  ])('"%s" labels nothing', async (text) => {
    const host = await roomHost({ agents: AGENTS });
    const { room } = await answered(host);
    await room.say('ann', text);
    expect(await labels(host, room)).toEqual([]);
  });

  it('labels nothing between people', async () => {
    const host = await roomHost({ agents: AGENTS });
    const { room } = await answered(host);
    await room.say('ann', 'Jane, can you review it?');
    await room.say('jane', 'me?');
    await room.say('ann', 'not you');
    await room.say('jane', "why didn't you answer?");
    expect(await labels(host, room)).toEqual([]);
  });

  it('labels nothing where the agent was woken and chose silence', async () => {
    const host = await roomHost({ agents: AGENTS });
    const room = host.room({ membership: { humans: 3 } });
    await room.say('ann', '@nova is the deploy blocked?');
    await room.say('ann', "@nova why didn't you answer?");
    expect(await labels(host, room)).toEqual([]);
  });
});

describe('a 🔇 on an answer', () => {
  it('labels what was answered, and taken back it counts no more', async () => {
    const host = await roomHost({ agents: AGENTS });
    const { room, asked, answer } = await answered(host);
    const mute = { type: 'reaction', targetEventId: answer.eventId, glyph: '🔇' };
    await room.event('jane', mute);
    await room.event('jane', { ...mute, removed: true });
    const label = { target: asked.eventId, agent: 'nova', how: 'reaction', by: 'jane' };
    expect(await labels(host, room)).toEqual([
      { ...label, label: 'should_have_stayed_quiet' },
      { ...label, label: 'withdrawn' },
    ]);
  });

  it('on a message of a person stands for nothing, and no source posts a correction of its own', async () => {
    const host = await roomHost({ agents: AGENTS });
    const { room, asked } = await answered(host);
    const mute = { type: 'reaction', targetEventId: asked.eventId, glyph: '🔇' };
    await expect(room.event('jane', mute)).rejects.toThrow('stands for no signal');
    const own = {
      type: 'correction',
      targetEventId: asked.eventId,
      agent: 'nova',
      label: 'should_have_answered',
      how: 'operator',
    };
    await expect(room.event('jane', own)).rejects.toThrow("for agents' tools and the host");
    expect(await labels(host, room)).toEqual([]);
  });
});

describe('an agent that steps back', () => {
  it('from a turn in which it said nothing labels what woke it', async () => {
    const host = await roomHost({ agents: AGENTS });
    const room = host.room({ membership: { humans: 3 } });
    const asked = await room.say('ann', '@nova is the deploy blocked?');
    const nova = host.agents.get('nova');
    await nova?.next(({ eventId }) => eventId === asked.eventId);
    await nova?.request('turn/started', { turnId: 't1', eventIds: [asked.eventId] });
    await nova?.tool('chat.disengage', { target: room.target, turnId: 't1' });
    expect(await labels(host, room)).toEqual([
      {
        target: asked.eventId,
        agent: 'nova',
        label: 'should_have_stayed_quiet',
        how: 'disengaged',
        by: 'nova',
      },
    ]);
  });

  it('after it has answered labels nothing', async () => {
    const host = await roomHost({ agents: AGENTS });
    const { room } = await answered(host);
    await host.agents.get('nova')?.tool('chat.disengage', { target: room.target });
    expect(await labels(host, room)).toEqual([]);
  });
});

describe("an operator's word in Why", () => {
  it('that an agent should have answered is a record too, and is told in Why', async () => {
    const host = await roomHost({ agents: AGENTS });
    const room = host.room({ membership: { humans: 3 } });
    await room.say('jane', 'morning all');
    const asked = await room.say('ann', 'does anybody know when the deploy is over?');
    const token = await host.wire.token('operator', 'ops');
    const said = await host.wire.call('POST', `/v1/why/${asked.eventId}/correction`, token, {
      agent: 'nova',
      label: 'should_have_answered',
    });
    expect(said).toMatchObject({ status: 200, body: { ok: true } });
    expect(await labels(host, room)).toMatchObject([
      { target: asked.eventId, agent: 'nova', label: 'should_have_answered', how: 'operator' },
    ]);
    const { since } = await host.wire.why(asked.eventId, 'nova');
    expect(since.map(({ words }) => words).join('\n')).toContain(
      'said that nova should have answered, in Why.',
    );
  });

  it('is a record that Why shows, and an audit row', async () => {
    const host = await roomHost({ agents: AGENTS });
    const { room, asked } = await answered(host);
    const path = `/v1/why/${asked.eventId}/correction`;
    const token = await host.wire.token('operator', 'ops');
    const said = await host.wire.call('POST', path, token, {
      agent: 'nova',
      label: 'should_have_stayed_quiet',
    });
    expect(said).toMatchObject({ status: 200, body: { ok: true } });
    expect(await labels(host, room)).toMatchObject([
      { target: asked.eventId, agent: 'nova', label: 'should_have_stayed_quiet', how: 'operator' },
    ]);
    const { since } = await host.wire.why(asked.eventId, 'nova');
    expect(since.map(({ words }) => words).join('\n')).toContain(
      'said that nova should have stayed quiet, in Why.',
    );
    const unasked = await host.wire.call('POST', path, token, {
      agent: 'nobody',
      label: 'should_have_answered',
    });
    expect(unasked).toMatchObject({ status: 409 });
  });
});
