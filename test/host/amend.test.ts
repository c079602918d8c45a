// Edits and deletes at every stage a message can be in: waiting, composing, handed, in a turn, answered.
import { afterEach, describe, expect, it } from 'vitest';
import { type Handed, textOfEvent } from './harness.ts';
import { type World, world } from './world.ts';

let w: World;
afterEach(async () => {
  expect(await w.sound()).toEqual([]);
});

const seen = (events: readonly Handed[]) =>
  events.map((event) => [event.refersTo ?? event.eventId, textOfEvent(event)]);
const cancelled = (notes: readonly { method: string; params: Record<string, unknown> }[]) =>
  notes.filter(({ method }) => method === 'notifications/cancelled').map(({ params }) => params['eventId']);

describe('an edit', () => {
  it('of what waits for a session is what the session gets, under the same id', async () => {
    w = await world();
    const id = await w.say('@lead check the staging deploy?');
    await w.edit(id, '@lead check the production deploy?');
    const lead = await w.harness('lead');
    expect(lead.got.map((event) => [event.eventId, textOfEvent(event)])).toEqual([
      [id, '@lead check the production deploy?'],
    ]);
    expect(lead.got[0]?.attention.notices).toContain('edited');
  });

  it('of what was in flight when the session was lost is not dropped as a repeat', async () => {
    w = await world();
    const first = await w.harness('lead', { onDeliver: () => 'ignore' });
    const id = await w.say('@lead check the staging deploy?');
    first.peer.close('lost');
    await w.drain();
    await w.edit(id, '@lead check the production deploy?');
    // It had accepted the first, the acknowledgement was lost, and it says so.
    const second = await w.harness('lead', { holding: [id] });
    expect(second.initialized['superseded']).toEqual([id]);
    expect(seen(second.got)).toEqual([[id, '@lead check the production deploy?']]);
  });

  it('while it is being handed over reaches the harness under a derived id', async () => {
    w = await world();
    const lead = await w.harness('lead', {
      onDeliver: () => new Promise((resolve) => w.clock.after(500, () => resolve({ ok: true, result: {} }))),
    });
    const id = await w.say('@lead check the staging deploy?');
    await w.edit(id, '@lead check the production deploy?');
    await w.advance(5_000);
    expect(lead.got.map(({ eventId }) => eventId)).toEqual([id, `${id}/edit-2`]);
    expect(seen(lead.got).at(-1)).toEqual([id, '@lead check the production deploy?']);
    expect(cancelled(lead.notes)).toEqual([id]);
    expect(await w.ended(id)).toBe('superseded(edited)');
    expect(await w.ended(`${id}/edit-2`)).toBe('accepted');
  });

  it('of an accepted message withdraws it and hands the edit over [C2A-06-02/disposition/superseded]', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead check the staging deploy?');
    await w.edit(id, '@lead check the production deploy?');
    expect(seen(lead.turns)).toEqual([
      [id, '@lead check the staging deploy?'],
      [id, '@lead check the production deploy?'],
    ]);
    expect(await w.ended(id)).toBe('superseded(edited)');
  });

  it('during a turn that has sent nothing cancels it, and its late send is refused', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead check the staging deploy?');
    await lead.start('t1', id);
    await w.edit(id, '@lead check the production deploy?');
    expect(cancelled(lead.notes)).toEqual([id]);
    expect(await lead.reply(id, 'Staging is fine.')).toMatchObject({ ok: false, error: 'must_not_respond' });
    expect(await lead.end('t1', 'cancelled')).toEqual({ sendsCommitted: 0 });
    await lead.start('t2', `${id}/edit-2`);
    expect((await lead.reply(`${id}/edit-2`, 'Production is fine.')).ok).toBe(true);
    expect(w.texts()).toEqual(['Production is fine.']);
    expect(await w.ended(`${id}/edit-2`)).toBe('responded');
  });

  it('after the answer is a new event, edited_after_response, which may be answered', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead check the staging deploy?');
    await lead.reply(id, 'Staging is fine.');
    const edit = await w.edit(id, '@lead check the production deploy?');
    expect(lead.turns.at(-1)).toMatchObject({
      eventId: edit,
      refersTo: id,
      attention: { reason: 'edited_after_response', policy: 'may_respond' },
    });
    expect((await lead.reply(edit, 'Production is fine too.')).ok).toBe(true);
  });

  it('of an edit is handed over too, and after an answer to it counts as after the response', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead check one?');
    await w.edit(id, '@lead check two?');
    await w.edit(id, '@lead check three?');
    expect(lead.texts()).toEqual(['@lead check one?', '@lead check two?', '@lead check three?']);
    const open = (await w.deliveries()).filter((row) => row.open === 1);
    expect(open.map(({ eventId }) => eventId)).toEqual([`${id}/edit-3`]);
    expect((await lead.reply(`${id}/edit-3`, 'Three is fine.')).ok).toBe(true);
    await w.edit(id, '@lead check four?');
    expect(lead.turns.at(-1)?.attention.reason).toBe('edited_after_response');
  });

  it('that changes no words wakes nobody', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead check the deploy?');
    await w.edit(id, '@lead check the DEPLOY?');
    expect(lead.got).toHaveLength(1);
    expect(await w.ended(id)).toBe('accepted');
  });

  it('that turns thanks into a request is not lost', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead thanks');
    expect(lead.got).toEqual([]);
    await w.edit(id, '@lead please restart the deploy');
    expect(seen(lead.turns)).toEqual([[id, '@lead please restart the deploy']]);
    expect(lead.turns[0]?.attention.policy).toBe('must_respond');
    await w.edit(id, '@lead please restart the build');
    expect(seen(lead.turns).at(-1)).toEqual([id, '@lead please restart the build']);
    expect((await w.deliveries()).filter((row) => row.open === 1)).toHaveLength(1);
  });

  it('that turns a request into thanks withdraws it', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead please restart the deploy');
    await w.edit(id, '@lead thanks');
    expect(cancelled(lead.notes)).toEqual([id]);
    expect(await w.ended(id)).toBe('superseded(edited_away)');
    expect(lead.turns).toHaveLength(1);
  });

  it('that takes the mention away withdraws it; one that adds it delivers', async () => {
    w = await world({ agents: [{ id: 'lead' }, { id: 'builder' }] });
    const lead = await w.harness('lead');
    const builder = await w.harness('builder');
    const id = await w.say('@lead check the deploy?');
    await w.edit(id, '@builder check the deploy?');
    expect(cancelled(lead.notes)).toEqual([id]);
    expect(seen(builder.turns)).toEqual([[id, '@builder check the deploy?']]);
  });

  it('into a stop is obeyed', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead check the deploy?');
    await w.edit(id, '@lead stop');
    expect(cancelled(lead.notes)).toContain(id);
    expect(w.texts()).toEqual(['Okay, stopping. Mention me when you need me.']);
  });

  it('can be read with the tools, by whoever could read the message', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead check one?');
    await w.edit(id, '@lead check two?');
    const read = await lead.call('chat.read_thread', { inReplyTo: `${id}/edit-2` });
    expect(read).toMatchObject({ ok: true });
    expect(JSON.stringify(read)).toContain('check two');
  });
});

describe('composing by the host, for a harness without buffered', () => {
  const composing = { injection: { buffered: false } };

  it('three fragments are one delivery; the ones before it end merged', async () => {
    w = await world();
    const lead = await w.harness('lead', composing);
    const a = await w.say('@lead can you');
    await w.advance(1_000);
    const b = await w.say('check the deploy');
    await w.advance(1_000);
    const c = await w.say('of yesterday?');
    await w.advance(1_999);
    expect(lead.got).toEqual([]);
    await w.advance(1);
    expect(seen(lead.got)).toEqual([[c, '@lead can you\ncheck the deploy\nof yesterday?']]);
    expect([await w.ended(a), await w.ended(b), await w.ended(c)]).toEqual([
      'superseded(merged)',
      'superseded(merged)',
      'accepted',
    ]);
    expect((await lead.reply(a, 'It is fine.')).ok).toBe(true);
    expect(await w.ended(c)).toBe('responded');
  });

  it('typing keeps the window open, for 30 s at most', async () => {
    w = await world();
    const lead = await w.harness('lead', composing);
    await w.say('@lead can you');
    await w.typing(true);
    await w.advance(7_000);
    expect(lead.got).toEqual([]);
    for (let n = 0; n < 3; n++) {
      await w.typing(true);
      await w.advance(7_000);
    }
    expect(lead.got).toEqual([]);
    await w.typing(true);
    await w.advance(2_000);
    expect(lead.got).toHaveLength(1);
    expect(w.clock.now() - Number(lead.at[0])).toBeLessThanOrEqual(1);
  });

  it('typing that stops closes it', async () => {
    w = await world();
    const lead = await w.harness('lead', composing);
    await w.say('@lead can you check?');
    await w.typing(true);
    await w.advance(3_000);
    expect(lead.got).toEqual([]);
    await w.typing(false);
    await w.advance(1);
    expect(lead.got).toHaveLength(1);
  });

  it('urgent does not wait, and takes along what was said before', async () => {
    w = await world();
    const lead = await w.harness('lead', composing);
    await w.say('@lead the deploy');
    await w.say('@lead urgent: production is down!');
    expect(lead.got).toHaveLength(1);
    expect(textOfEvent(lead.got[0] as Handed)).toContain('the deploy');
  });

  it('an edit inside the window changes its line and nothing else', async () => {
    w = await world();
    const lead = await w.harness('lead', composing);
    const a = await w.say('@lead check staging');
    await w.advance(500);
    await w.say('and tell me');
    await w.advance(500);
    await w.edit(a, '@lead check production');
    await w.advance(5_000);
    expect(lead.got.map(textOfEvent)).toEqual(['@lead check production\nand tell me']);
    expect(cancelled(lead.notes)).toEqual([]);
  });

  it('an edit that adds the mention brings each line once', async () => {
    w = await world({ agents: [{ id: 'lead' }, { id: 'builder' }] });
    const lead = await w.harness('lead', composing);
    await w.say('the build is red');
    const id = await w.say('can you look?');
    await w.advance(500);
    await w.edit(id, '@lead can you look?');
    await w.advance(5_000);
    expect(lead.got.map(textOfEvent)).toEqual(['the build is red\n@lead can you look?']);
  });

  it('a delete inside the window takes its line out', async () => {
    w = await world();
    const lead = await w.harness('lead', composing);
    const a = await w.say('@lead check staging?');
    await w.advance(500);
    await w.say('@lead and the build?');
    await w.remove(a);
    await w.advance(5_000);
    expect(lead.got.map(textOfEvent)).toEqual(['@lead and the build?']);
    expect(await w.ended(a)).toBe('superseded(deleted)');
  });

  it('an edit of one line of a merged turn restarts the whole turn with the new line', async () => {
    w = await world();
    const lead = await w.harness('lead', composing);
    const a = await w.say('@lead check staging');
    await w.advance(500);
    await w.say('and tell me');
    await w.advance(5_000);
    await w.edit(a, '@lead check production');
    await w.advance(5_000);
    expect(lead.got.map(textOfEvent)).toEqual([
      '@lead check staging\nand tell me',
      '@lead check production\nand tell me',
    ]);
  });

  it('a delete of one line of a merged turn restarts it without the line', async () => {
    w = await world();
    const lead = await w.harness('lead', composing);
    const a = await w.say('@lead check staging');
    await w.advance(500);
    await w.say('and the build?');
    await w.advance(5_000);
    await w.remove(a);
    await w.advance(5_000);
    expect(lead.got.map(textOfEvent)).toEqual(['@lead check staging\nand the build?', 'and the build?']);
  });

  it('a merged turn is whole again in the next session and in its reminder', async () => {
    w = await world();
    const first = await w.harness('lead', composing);
    await w.say('@lead can you');
    await w.advance(500);
    const b = await w.say('check the deploy?');
    await w.advance(5_000);
    first.close();
    await w.drain();
    const second = await w.harness('lead', composing);
    expect(seen(second.got)).toEqual([[b, '@lead can you\ncheck the deploy?']]);
    await second.start('t1', b);
    await second.end('t1', 'silent');
    await w.advance(5_000);
    expect(textOfEvent(second.turns.at(-1) as Handed)).toBe('@lead can you\ncheck the deploy?');
    expect(second.turns).toHaveLength(2);
  });

  it('fragments that were composing when the session was lost are composed again', async () => {
    w = await world();
    const first = await w.harness('lead', composing);
    await w.say('@lead can you');
    await w.say('check the deploy?');
    first.close();
    await w.drain();
    expect(first.got).toEqual([]);
    const second = await w.harness('lead', composing);
    await w.advance(5_000);
    expect(second.got.map(textOfEvent)).toEqual(['@lead can you\ncheck the deploy?']);
  });

  it('a harness that composes is passed typing signs of conversations it is in', async () => {
    w = await world();
    const lead = await w.harness('lead');
    await w.say('@lead can you check?');
    await w.typing(true);
    await w.typing(true, { in: 'C2' });
    expect(lead.notes).toEqual([
      {
        method: 'notifications/typing',
        params: { conversation: { id: 'C1' }, author: { id: 'ada', kind: 'human' }, typing: true },
      },
    ]);
  });
});

describe('a delete', () => {
  it('of what waits delivers nothing [C2A-06-02/cancel/pending-event]', async () => {
    w = await world();
    const id = await w.say('@lead check the deploy?');
    await w.remove(id);
    const lead = await w.harness('lead');
    await w.advance(60_000);
    expect(lead.got).toEqual([]);
    expect(await w.ended(id)).toBe('superseded(deleted)');
  });

  it('of what was handed or is in a turn cancels it, and a late send is refused', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead check the deploy?');
    await lead.start('t1', id);
    await w.remove(id);
    expect(cancelled(lead.notes)).toEqual([id]);
    expect(await lead.reply(id, 'It is fine.')).toMatchObject({ ok: false, error: 'must_not_respond' });
    await lead.end('t1', 'cancelled');
    await w.advance(3_600_000);
    expect(lead.got).toHaveLength(1);
  });

  it('of an edited message cancels the edit', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead check one?');
    await w.edit(id, '@lead check two?');
    await w.remove(id);
    expect((await w.deliveries()).filter((row) => row.open === 1)).toEqual([]);
    expect(cancelled(lead.notes)).toEqual([id, `${id}/edit-2`]);
  });

  it('after the answer changes nothing for the agent', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead check the deploy?');
    await lead.reply(id, 'It is fine.');
    await w.remove(id);
    expect(await w.ended(id)).toBe('responded');
    expect(lead.got).toHaveLength(1);
    expect(cancelled(lead.notes)).toEqual([]);
  });

  it('ends the offer of a role mention and the delivery of whoever claimed it', async () => {
    w = await world({ agents: ['a', 'b'].map((id) => ({ id, roles: ['ops'] })) });
    const a = await w.harness('a');
    await w.harness('b');
    const offered = await w.say('@ops check the deploy?', { in: 'C1' });
    await w.remove(offered, { in: 'C1' });
    await w.advance(120_000);
    expect(await w.inbox()).toEqual([]);
    const claimed = await w.say('@ops check the build?', { in: 'C2' });
    const holder = a.got.some(({ eventId }) => eventId === claimed) ? a : w.harnesses[1];
    await holder?.call('chat.claim', { inReplyTo: claimed });
    await w.drain();
    await w.remove(claimed, { in: 'C2' });
    for (const agent of ['a', 'b']) {
      expect((await w.deliveries(agent)).filter((row) => row.open === 1)).toEqual([]);
    }
  });

  it('scrubs the stored text of the message, of its edits and of the send it came from', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead my pin is kumquat-one?', {
      more: { attachments: [{ id: 'f1', kind: 'file', name: 'kumquat.pdf' }] },
    });
    await w.edit(id, '@lead my pin is kumquat-two?');
    const sent = await lead.call('chat.send_message', {
      target: 'channel:C1',
      text: 'kumquat-three noted',
      visibility: 'channel',
      directedness: 'ambient',
      idempotencyKey: 'k',
    });
    await w.remove(id);
    await w.remove(String(sent.ok && sent.result['eventId']));
    const stored = JSON.stringify([await w.logged(), await w.outbox(), await w.deliveries()]);
    expect(stored).not.toContain('kumquat');
    const read = await lead.call('chat.list_events', { target: 'channel:C1' });
    expect(JSON.stringify(read)).not.toContain('kumquat');
  });

  it('or edit from another conversation touches nothing', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead keep this?');
    await w.remove(id, { in: 'C2' });
    await w.edit(id, '@lead other words?', { in: 'C2' });
    expect(await w.ended(id)).toBe('accepted');
    expect(JSON.stringify(await w.logged())).toContain('keep this');
    expect(cancelled(lead.notes)).toEqual([]);
  });
});
