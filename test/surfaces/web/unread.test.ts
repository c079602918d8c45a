// What is new for a person, and the address of one message.
import { describe, expect, it } from 'vitest';
import { earshot } from '../../replay/fake-io.ts';
import { newKey, Refusal } from './tab.ts';
import { team } from './team.ts';

describe('what is unread', () => {
  it('is counted with what mentions the person, and has a first message', async () => {
    const room = await team();
    const ada = await room.person('ada', 'Ada');
    const bob = await room.person('bob', 'Bob');
    const first = await ada.tab.say('general', 'one');
    await bob.tab.say('general', 'my own');
    const second = await ada.tab.say('general', '@Bob two');
    await ada.tab.say('general', '@here three');
    await ada.tab.say('general', '@Lead four');
    const { conversation } = await bob.tab.ask('open', { conversation: 'general' });
    expect(conversation).toMatchObject({ unread: 4, mentioned: 2, firstUnread: first.eventId });
    const read = await bob.tab.ask('read', { conversation: 'general', eventId: first.eventId });
    expect(read).toEqual({ unread: 3, mentioned: 2, firstUnread: second.eventId });
    const last = await ada.tab.say('general', 'five');
    const all = await bob.tab.ask('read', { conversation: 'general', eventId: last.eventId });
    expect(all).toEqual({ unread: 0, mentioned: 0 });
    // Reading never goes back.
    const back = await bob.tab.ask('read', { conversation: 'general', eventId: first.eventId });
    expect(back.unread).toBe(0);
  });
});

describe('the address of a message', () => {
  it('finds it in a channel, a thread and a direct message, for those who may see it', async () => {
    const room = await team();
    const ada = await room.person('ada');
    const bob = await room.person('bob');
    const carol = await room.person('carol');
    const root = await ada.tab.say('general', 'shall we?');
    const inThread = await ada.tab.say(root.eventId, 'yes');
    const found = await bob.tab.ask('find', { eventId: inThread.eventId });
    expect(found.conversation).toMatchObject({ id: root.eventId, kind: 'thread', parentId: 'general' });
    expect(found.message).toMatchObject({ eventId: inThread.eventId, text: 'yes' });
    const dm = await ada.tab.ask('create', { kind: 'dm', key: newKey(), with: 'human:bob' });
    const secret = await ada.tab.say(dm.conversation.id, 'between us');
    expect((await bob.tab.ask('find', { eventId: secret.eventId })).message.text).toBe('between us');
    const refused = carol.tab.ask('find', { eventId: secret.eventId });
    await expect(refused).rejects.toThrow('There is no such message that you may see.');
    // The same words for what does not exist: nobody learns that there is a message.
    await expect(carol.tab.ask('find', { eventId: 'nothing' })).rejects.toThrow(
      'There is no such message that you may see.',
    );
    await expect(carol.tab.ask('find', { eventId: '' })).rejects.toThrow(Refusal);
    await ada.tab.ask('delete', { key: newKey(), eventId: inThread.eventId });
    const gone = await bob.tab.ask('find', { eventId: inThread.eventId });
    expect(gone.message).toMatchObject({ deleted: true, text: '' });
  });

  it('is understood by earshot why', async () => {
    const room = await team();
    const ada = await room.person('ada');
    const { eventId } = await ada.tab.say('general', '@lead can you look?');
    const link = `${room.host.url}/#/chat?room=general&message=${encodeURIComponent(eventId)}`;
    const ran = await earshot(['why', link, '--data', room.host.data]);
    expect(ran.code).toBe(0);
    expect(ran.out).toContain('lead');
    expect(ran.out).toContain('can you look?');
  });
});
