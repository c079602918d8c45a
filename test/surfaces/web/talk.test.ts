import { describe, expect, it } from 'vitest';
import { callTool } from '../../../src/host/tools/call.ts';
import type { ToolName } from '../../../src/protocol/tool-name.ts';
import { office } from './office.ts';
import { newKey, Refusal } from './tab.ts';
import { team } from './team.ts';

describe('two tabs as two people, through a real host', () => {
  it('see what the other writes, edits, deletes, reacts to and types', async () => {
    const room = await team();
    const ada = await room.person('ada', 'Ada');
    const bob = await room.person('bob', 'Bob');
    expect(bob.hello.people.map(({ id, name, connected }) => [id, name, connected])).toEqual(
      expect.arrayContaining([
        ['ada', 'Ada', true],
        ['bob', 'Bob', true],
      ]),
    );
    expect(bob.hello.conversations.map(({ id, kind }) => [id, kind])).toEqual([['general', 'channel']]);
    expect(bob.hello.agents.map(({ id, name }) => [id, name])).toEqual([
      ['lead', 'Lead'],
      ['builder', 'builder'],
    ]);

    const said = await ada.tab.say('general', 'hello @Bob, and @oncall?');
    expect(said.mentions).toEqual([
      { kind: 'human', id: 'bob', name: 'Bob' },
      { kind: 'role', id: 'oncall', name: 'oncall' },
    ]);
    const { message } = await bob.tab.until('message');
    expect(message).toMatchObject({
      eventId: said.eventId,
      text: 'hello @Bob, and @oncall?',
      author: { id: 'ada', kind: 'human', name: 'Ada' },
    });

    const { eventId } = said;
    await ada.tab.ask('edit', { key: newKey(), eventId, text: 'hello @Lead' });
    const edited = await bob.tab.until('edited');
    expect(edited).toMatchObject({ eventId, text: 'hello @Lead', mentions: [{ kind: 'agent', id: 'lead' }] });

    await bob.tab.ask('react', { key: newKey(), eventId, signal: 'agree' });
    const reacted = await ada.tab.until('reaction', ({ by }) => by.kind === 'human');
    expect(reacted).toMatchObject({
      eventId,
      signal: 'agree',
      glyph: '👍',
      by: { id: 'bob' },
      removed: false,
    });

    const answer = await bob.tab.say('general', 'hi', { replyTo: eventId });
    expect(answer.replyTo).toEqual({ eventId, author: said.author, excerpt: 'hello @Lead' });

    await ada.tab.ask('typing', { conversation: 'general' });
    expect(await bob.tab.until('typing')).toMatchObject({ conversation: 'general', author: { id: 'ada' } });

    const page = await bob.tab.ask('open', { conversation: 'general' });
    expect(page.messages.map(({ text }) => text)).toEqual(['hello @Lead', 'hi']);
    expect(page.messages[0]?.editedAt).toBeDefined();
    expect(page.messages[0]?.reactions).toMatchObject([
      { signal: 'agree', by: [{ id: 'bob', name: 'Bob' }] },
    ]);

    await bob.tab.ask('react', { key: newKey(), eventId, signal: 'agree', remove: true });
    await ada.tab.ask('delete', { key: newKey(), eventId });
    await bob.tab.until('deleted', (deleted) => deleted.eventId === eventId);
    const after = await bob.tab.ask('open', { conversation: 'general' });
    expect(after.messages[0]).toMatchObject({
      eventId,
      deleted: true,
      text: '',
      reactions: [],
      mentions: [],
    });
    expect(after.messages[1]?.replyTo).toEqual({ eventId, author: said.author });
  });

  it('may change only what is their own', async () => {
    const room = await team();
    const ada = await room.person('ada');
    const bob = await room.person('bob');
    const { eventId } = await ada.tab.say('general', 'mine');
    const edit = bob.tab.ask('edit', { key: newKey(), eventId, text: 'yours' });
    await expect(edit).rejects.toThrow('You can edit your own messages only.');
    await expect(bob.tab.ask('delete', { key: newKey(), eventId })).rejects.toThrow(Refusal);
    expect((await ada.tab.ask('open', { conversation: 'general' })).messages[0]?.text).toBe('mine');
  });

  it('write to threads, which hang on messages of channels and are counted there', async () => {
    const room = await team();
    const ada = await room.person('ada');
    const bob = await room.person('bob');
    const root = await ada.tab.say('general', 'shall we ship on friday?');
    const { conversation } = await ada.tab.ask('create', {
      kind: 'thread',
      key: newKey(),
      parent: root.eventId,
    });
    expect(conversation).toMatchObject({ id: root.eventId, kind: 'thread', parentId: 'general' });
    const first = await ada.tab.say(conversation.id, 'I would');
    await bob.tab.say(conversation.id, 'me too');
    const opened = await bob.tab.until('conversation', (told) => told.conversation.kind === 'thread');
    expect(opened.conversation.title).toBe('shall we ship on friday?');
    const page = await bob.tab.ask('open', { conversation: 'general' });
    expect(page.messages[0]?.thread).toMatchObject({ conversation: root.eventId, replies: 2 });
    const thread = await bob.tab.ask('open', { conversation: root.eventId });
    expect(thread.root?.text).toBe('shall we ship on friday?');
    expect(thread.messages.map(({ text }) => text)).toEqual(['I would', 'me too']);
    const nested = ada.tab.ask('create', { kind: 'thread', key: newKey(), parent: first.eventId });
    await expect(nested).rejects.toThrow('threads hang on messages of channels');
  });

  it('make channels that everybody sees, once, and read in pages', async () => {
    const room = await team();
    const ada = await room.person('ada');
    const bob = await room.person('bob');
    const create = { kind: 'channel', name: '#Release Notes' } as const;
    const made = await ada.tab.ask('create', { ...create, key: newKey() });
    expect(made.conversation).toMatchObject({ id: 'release-notes', kind: 'channel', title: 'Release Notes' });
    const told = await bob.tab.until('conversation');
    expect(told.conversation.id).toBe('release-notes');
    const again = await bob.tab.ask('create', { ...create, key: newKey() });
    expect(again.conversation.id).toBe('release-notes');
    for (let n = 1; n <= 5; n++) await ada.tab.say('release-notes', `note ${n}`);
    const newest = await bob.tab.ask('open', { conversation: 'release-notes', limit: 2 });
    expect(newest.messages.map(({ text }) => text)).toEqual(['note 4', 'note 5']);
    expect(newest.more).toBe(true);
    expect(newest.conversation.unread).toBe(5);
    const before = newest.messages[0]?.eventId ?? '';
    const older = await bob.tab.ask('open', { conversation: 'release-notes', limit: 3, before });
    expect(older.messages.map(({ text }) => text)).toEqual(['note 1', 'note 2', 'note 3']);
    expect(older.more).toBe(false);
    const read = await bob.tab.ask('read', { conversation: 'release-notes', eventId: before });
    expect(read.unread).toBe(1);
  });

  it('post once per key, however often it is sent', async () => {
    const room = await team();
    const ada = await room.person('ada');
    const post = { key: 'k1', conversation: 'general', text: 'only once' };
    const [first, second] = await Promise.all([ada.tab.ask('post', post), ada.tab.ask('post', post)]);
    expect(second.message.eventId).toBe(first.message.eventId);
    const { messages } = await ada.tab.ask('open', { conversation: 'general' });
    expect(messages.map(({ text }) => text)).toEqual(['only once']);
    await expect(ada.tab.ask('post', { ...post, text: 'another' })).rejects.toThrow('Use a new key');
    // Somebody else's key is another one.
    const bob = await room.person('bob');
    expect((await bob.tab.ask('post', post)).message.eventId).not.toBe(first.message.eventId);
  });

  it('never see a secret that one of them pasted', async () => {
    const room = await team();
    const ada = await room.person('ada');
    const bob = await room.person('bob');
    const secret = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
    const said = await ada.tab.say('general', `the token is ${secret}`);
    const { message } = await bob.tab.until('message');
    for (const text of [said.text, message.text]) expect(text).not.toContain(secret);
    await ada.tab.ask('edit', { key: newKey(), eventId: said.eventId, text: `or ${secret}` });
    expect((await bob.tab.until('edited')).text).not.toContain(secret);
    expect(JSON.stringify(await bob.tab.ask('open', { conversation: 'general' }))).not.toContain(secret);
  });
});

describe('an agent on the other side', () => {
  it('answers in the channel, and the tab sees who has taken the message', async () => {
    const room = await team();
    const ada = await room.person('ada', 'Ada');
    room.agent('lead', (text) => `You said: ${text}`);
    await ada.tab.until(
      'presence',
      (told) => told.kind === 'agent' && told.agent === 'lead' && told.connected,
    );
    const asked = await ada.tab.say('general', '@lead are you there?');
    expect(asked.states.map(({ agent }) => agent)).toEqual(['lead']);
    const { message } = await ada.tab.until('message', (told) => told.message.author.kind === 'agent');
    expect(message).toMatchObject({
      author: { id: 'lead', kind: 'agent', name: 'Lead' },
      text: 'You said: @lead are you there?',
      replyTo: { eventId: asked.eventId },
    });
    const done = await ada.tab.until(
      'state',
      ({ eventId, states }) => eventId === asked.eventId && states.some(({ state }) => state === 'answered'),
    );
    expect(done.states).toEqual([{ agent: 'lead', state: 'answered' }]);
    await ada.tab.until('typing', ({ author }) => author.id === 'lead');
    const words = ada.tab.told.flatMap((one) =>
      one.method === 'state' && one.params.eventId === asked.eventId
        ? one.params.states.map(({ state }) => state)
        : [],
    );
    expect(words).toContain('working');
  });

  it('answers in a direct message that nobody else is told of', async () => {
    const room = await team();
    const ada = await room.person('ada');
    const bob = await room.person('bob');
    const heard: string[] = [];
    room.agent('lead', () => 'between us');
    room.agent('builder', (text) => {
      heard.push(text);
      return 'me too';
    });
    const { conversation } = await ada.tab.ask('create', { kind: 'dm', key: newKey(), with: 'agent:lead' });
    expect(conversation).toMatchObject({
      title: 'Lead',
      members: ['human:ada', 'agent:lead'],
      agents: ['lead'],
    });
    await ada.tab.say(conversation.id, 'a question for you, and @builder must not hear it');
    await ada.tab.until('message', ({ message }) => message.text === 'between us');
    const open = bob.tab.ask('open', { conversation: conversation.id });
    await expect(open).rejects.toThrow('There is no such conversation that you may see.');
    expect(bob.tab.told.filter(({ method }) => method === 'message' || method === 'conversation')).toEqual(
      [],
    );
    expect(heard).toEqual([]);
  });
});

describe('an agent that corrects itself', () => {
  it('is seen to: open tabs are told at once, and a page that is opened later has the final words', async () => {
    const room = await office();
    const ada = await room.person('ada');
    const { eventId: asked } = await ada.tab.say('general', '@lead can you look?');
    const tool = (name: ToolName, args: Record<string, unknown>) =>
      callTool(name, args, room.host.toolCaller('lead'));
    const sent = await tool('chat.send_message', {
      target: 'channel:general',
      text: 'I hvae looked.',
      inReplyTo: asked,
      visibility: 'channel',
      directedness: 'ambient',
      idempotencyKey: 'k1',
    });
    const eventId = String(sent.structuredContent?.['eventId']);
    await tool('chat.edit_message', { eventId, text: 'I have looked.' });
    const edited = await ada.tab.until('edited', (news) => news.eventId === eventId);
    expect(edited.text).toBe('I have looked.');
    const { messages } = await ada.tab.ask('open', { conversation: 'general' });
    expect(messages.at(-1)).toMatchObject({ eventId, text: 'I have looked.' });
    await tool('chat.delete_message', { eventId });
    await ada.tab.until('deleted', (news) => news.eventId === eventId);
    const after = await ada.tab.ask('open', { conversation: 'general' });
    expect(after.messages.at(-1)).toMatchObject({ eventId, deleted: true, text: '' });
  });
});
