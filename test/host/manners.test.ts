// Reactions in and out, thanks, leave, stop and modes: what the host does itself, without asking a model.
import { afterEach, describe, expect, it } from 'vitest';
import type { Harness } from './harness.ts';
import { type World, world } from './world.ts';

let w: World;
afterEach(async () => {
  expect(await w.sound()).toEqual([]);
});

const sent = async (lead: Harness, text: string): Promise<string> => {
  const id = await w.say('@lead can you check?');
  const answer = await lead.reply(id, text);
  return String(answer.ok && answer.result['eventId']);
};

describe('a reaction in', () => {
  it.each([
    ['agree', 'approval'],
    ['declined', 'rejection'],
    ['done', 'answer'],
  ])('%s on what the agent has asked wakes it', async (signal) => {
    w = await world();
    const lead = await w.harness('lead');
    const asked = await sent(lead, 'Shall I deploy it now?');
    const reaction = await w.react(asked, signal);
    expect(lead.turns.at(-1)).toMatchObject({
      eventId: reaction,
      attention: { policy: 'must_respond', reason: 'signal' },
      reaction: { targetEventId: asked, signal },
    });
  });

  it('any other, and any on somebody else’s message, wakes nobody and can be read', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const said = await sent(lead, 'It is fine.');
    const turns = lead.turns.length;
    await w.react(said, 'seen');
    await w.react('e1', 'agree', { by: 'bob' });
    expect(lead.turns).toHaveLength(turns);
    const listed = await lead.call('chat.list_events', { target: 'channel:C1' });
    expect(JSON.stringify(listed)).toContain('"signal":"seen"');
  });
});

describe('a reaction out', () => {
  it('is set once, can be taken back, and is an event for the others', async () => {
    w = await world({ agents: [{ id: 'lead' }, { id: 'builder' }] });
    const lead = await w.harness('lead');
    const id = await w.say('@lead please check');
    await lead.call('chat.react', { inReplyTo: id, signal: 'queued' });
    await lead.call('chat.react', { inReplyTo: id, signal: 'queued' });
    await lead.call('chat.react', { inReplyTo: id, signal: 'queued', remove: true });
    expect(w.platform.reactions.map(({ signal, remove, glyph }) => [signal, remove === true, glyph])).toEqual(
      [
        ['queued', false, '🕐'],
        ['queued', true, '🕐'],
      ],
    );
    expect((await w.logged('reaction')).map(({ author }) => author)).toEqual(['agent:lead', 'agent:lead']);
  });

  it('on what the agent may not see is refused', async () => {
    w = await world({ agents: [{ id: 'lead' }, { id: 'builder', conversations: ['web/w/B'] }] });
    const builder = await w.harness('builder');
    const id = await w.say('@lead please check');
    expect(await builder.call('chat.react', { inReplyTo: id, signal: 'seen' })).toMatchObject({
      error: 'not_found',
    });
  });
});

describe('thanks', () => {
  it('get one seen after the compose window, zero turns; those of an agent nothing', async () => {
    w = await world({ agents: [{ id: 'lead' }, { id: 'builder' }] });
    const lead = await w.harness('lead');
    await sent(lead, 'It is fine.');
    const thanks = await w.say('@lead thanks!');
    expect(w.platform.reactions).toEqual([]);
    await w.advance(2_100);
    expect(w.platform.reactions.map(({ signal, target }) => [signal, target.eventId])).toEqual([
      ['seen', thanks],
    ]);
    await w.say('@lead thanks!', { by: 'builder', byKind: 'agent' });
    await w.advance(10_000);
    expect(w.platform.reactions).toHaveLength(1);
    expect(lead.turns).toHaveLength(1);
  });
});

describe('leave', () => {
  it('is acknowledged exactly once, ends what is open, and silences until called back [C2A-06-24/leave/one-acknowledgement]', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const open = await w.say('@lead can you check the deploy?');
    const event = w.event('@lead leave');
    await w.ingest(event);
    await w.ingest(event);
    await w.advance(60_000);
    expect(w.texts()).toEqual(['Okay, I am leaving this conversation. Mention me to bring me back.']);
    expect(await w.ended(open)).toBe('superseded(left)');
    const turns = lead.turns.length;
    await w.say('lead is gone now, right?');
    await w.restart();
    const again = await w.harness('lead');
    await w.say('what do you think?');
    expect(again.turns).toHaveLength(0);
    expect(lead.turns).toHaveLength(turns);
    const back = await w.say('@lead are you there?');
    expect(again.turns.map(({ eventId }) => eventId)).toEqual([back]);
    expect(w.texts()).toHaveLength(1);
  });

  it('is not read by the agent: what is said while it is away stays unseen', async () => {
    w = await world();
    const lead = await w.harness('lead');
    await w.say('@lead leave');
    await w.say('now that it is gone: the party is on friday');
    const listed = await lead.call('chat.list_events', { target: 'channel:C1' });
    expect(JSON.stringify(listed)).not.toContain('friday');
  });
});

describe('stop', () => {
  it('cancels the turn and what is unsent, fences it, is acknowledged, and stops nothing said after it', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead post three long reports');
    await lead.start('t1', id);
    w.platform.script = ['retry', 'retry'];
    const unsent = lead.reply(id, 'Report one of three', { turnId: 't1' });
    await w.advance(0);
    const stop = w.event('@lead stop');
    const next = w.event('@lead how late is it?');
    await w.ingest(stop, next);
    await w.advance(60_000);
    expect(await unsent).toMatchObject({ ok: false, error: 'fenced' });
    expect(w.texts()).toEqual(['Okay, stopping. Mention me when you need me.']);
    expect(
      lead.notes.filter(({ method }) => method === 'notifications/cancelled').map(({ params }) => params),
    ).toContainEqual({ turnId: 't1', reason: 'stop' });
    expect(
      await lead.call('chat.send_message', {
        target: 'channel:C1',
        text: 'Report two of three',
        visibility: 'channel',
        directedness: 'ambient',
        idempotencyKey: 'r2',
        turnId: 't1',
      }),
    ).toMatchObject({ error: 'fenced' });
    expect(await w.ended(String(next['eventId']))).toBe('accepted');
    expect((await lead.reply(String(next['eventId']), 'Half past nine.')).ok).toBe(true);
  });

  it('asks again what the stopped turn had from elsewhere, which nobody told it to stop', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead post three long reports');
    const other = await w.say('lead, is it built?', { in: 'C2' });
    await lead.start('t1', id, other);
    await w.say('@lead stop');
    await w.advance(10_000);
    expect([await w.ended(id), await w.ended(other)]).toEqual(['superseded(stop)', 'superseded(retry)']);
    const again = String(lead.turns.at(-1)?.eventId);
    expect(again).toBe(`${other}/retry-2`);
    await lead.start('t2', again);
    expect((await lead.reply(again, 'It is.', { turnId: 't2', target: 'channel:C2' })).ok).toBe(true);
    await lead.end('t2', 'answered');
    expect(await w.ended(again)).toBe('responded');
  });

  it('survives a crash right after it was said: what it stopped is not handed again', async () => {
    w = await world();
    const id = await w.say('@lead post three long reports');
    w.platform.script = ['hang'];
    const done = w.host.ingest([w.event('@lead stop')], 'web');
    await done;
    await w.crash();
    const lead = await w.harness('lead');
    await w.advance(60_000);
    expect(await w.ended(id)).toBe('superseded(stop)');
    expect(w.texts()).toEqual(['Okay, stopping. Mention me when you need me.']);
    expect(lead.fresh.filter(({ eventId }) => eventId === id).length).toBeLessThanOrEqual(1);
  });
});

describe('modes', () => {
  it('are set by words, acknowledged, and by tool, silently', async () => {
    w = await world();
    const lead = await w.harness('lead');
    await w.say('@lead only when I mention you');
    expect(w.texts()).toEqual(['Okay, I will only answer here when you mention me.']);
    expect(await lead.call('chat.set_mode', { target: 'channel:C1', mode: 'left' })).toMatchObject({
      result: { mode: 'left' },
    });
    await w.say('lead, what do you think?');
    expect(lead.turns).toEqual([]);
    expect(w.texts()).toHaveLength(1);
    await w.say('@lead hello?', { in: 'D1', kind: 'dm' });
    expect(await lead.call('chat.set_mode', { target: 'dm:D1', mode: 'left' })).toMatchObject({
      result: { mode: 'mention_only' },
    });
  });

  it('of a place the agent may not read cannot be set', async () => {
    w = await world({ agents: [{ id: 'lead' }, { id: 'builder', conversations: ['web/w/B'] }] });
    const builder = await w.harness('builder');
    await w.say('hello');
    for (const [tool, args] of [
      ['chat.set_mode', { target: 'channel:C1', mode: 'left' }],
      ['chat.disengage', { target: 'channel:C1' }],
      ['chat.claim', { target: 'channel:C1' }],
      ['chat.resolve', { target: 'channel:C1' }],
      ['chat.read_thread', { target: 'channel:C1' }],
      ['chat.list_events', { target: 'channel:C1' }],
    ] as const) {
      expect(await builder.call(tool, args), tool).toMatchObject({ error: 'not_found' });
    }
  });

  it('disengaging, by tool and in the turn, sends nothing and ends the exchange [TC/disengage/a-tool, TC/disengage/sends-nothing]', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    await lead.start('t', id);
    expect((await lead.call('chat.disengage', { target: 'channel:C1', turnId: 't' })).ok).toBe(true);
    await lead.reply(id, 'Done, and I am out.', { turnId: 't' });
    await lead.end('t', 'answered');
    await w.say('nice');
    await w.say('and what now?', { by: 'bob' });
    expect(lead.turns).toHaveLength(1);
    expect(w.texts()).toEqual(['Done, and I am out.']);
  });
});

describe('loops', () => {
  it('that are stopped reach the lead, or a person when the lead is in the loop [C2A-06-24/loops/escalates-to-a-human]', async () => {
    w = await world({ agents: [{ id: 'a' }, { id: 'b', lead: 'a' }] });
    await w.harness('a');
    await w.harness('b');
    for (let n = 0; n < 24; n++) {
      const [by, to] = n % 2 === 0 ? ['a', 'b'] : ['b', 'a'];
      await w.say(`@${to} can you look at item ${n * 7919}?`, { by, byKind: 'agent' });
      await w.advance(20_000);
    }
    expect((await w.inbox()).map(({ kind }) => kind)).toContain('loop_stopped');
  });
});
