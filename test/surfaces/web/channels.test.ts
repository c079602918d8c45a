// Channels are renamed, archived, brought back and deleted: for everybody, by records in the log, over a restart.
import { describe, expect, it } from 'vitest';
import { callTool } from '../../../src/host/tools/call.ts';
import { upHere } from '../../server/here.ts';
import { office } from './office.ts';
import { newKey, signIn, type Tab } from './tab.ts';
import { team } from './team.ts';

const make = async (tab: Tab, name: string) =>
  (await tab.ask('create', { kind: 'channel', key: newKey(), name })).conversation;

describe('a channel', () => {
  it('has another name for everybody, under the same id, also after a restart', async () => {
    const room = await team();
    const ada = await room.person('ada');
    const bob = await room.person('bob');
    await make(ada.tab, 'releases');
    const { eventId } = await ada.tab.say('releases', 'one');
    const wanted = { act: 'rename', conversation: 'releases', name: '#Launches' } as const;
    const { conversation } = await bob.tab.ask('change', { ...wanted, key: newKey() });
    expect(conversation).toMatchObject({ id: 'releases', title: 'Launches' });
    await ada.tab.until('conversation', (told) => told.conversation.title === 'Launches');
    // What is said there, and in its threads, does not undo it.
    await bob.tab.say('releases', 'two');
    await bob.tab.say(eventId, 'in the thread');
    for (const name of ['General', '…'])
      await expect(
        ada.tab.ask('change', { act: 'rename', conversation: 'releases', key: newKey(), name }),
        name,
      ).rejects.toThrow();
    await room.host.stop();
    const { url } = await upHere({ data: room.host.data, config: `${room.host.data}/earshot.yaml` });
    const { hello } = await signIn(url, ada.token);
    expect(hello.conversations.find(({ id }) => id === 'releases')?.title).toBe('Launches');
  });

  it('is read-only while it is archived, for people and agents, and open when it is brought back', async () => {
    const room = await office();
    const ada = await room.person('ada');
    const bob = await room.person('bob');
    await make(ada.tab, 'releases');
    const { eventId } = await ada.tab.say('releases', '@lead one');
    const archive = { act: 'archive', conversation: 'releases', key: newKey() } as const;
    const archived = await bob.tab.ask('change', archive);
    expect(archived.conversation.closed).toBe('archived');
    await ada.tab.until('conversation', (told) => told.conversation.closed === 'archived');
    const refused = [
      ada.tab.say('releases', 'two'),
      ada.tab.say(eventId, 'in a thread'),
      ada.tab.ask('edit', { key: newKey(), eventId, text: 'other' }),
      ada.tab.ask('react', { key: newKey(), eventId, signal: 'agree' }),
    ];
    await Promise.all(refused.map((one) => expect(one).rejects.toThrow('This channel is archived')));
    const sent = await callTool(
      'chat.send_message',
      {
        target: 'channel:releases',
        text: 'late',
        visibility: 'channel',
        directedness: 'ambient',
        idempotencyKey: 'k1',
      },
      room.host.toolCaller('lead'),
    );
    expect(JSON.stringify(sent)).toContain('archived');
    const { messages } = await bob.tab.ask('open', { conversation: 'releases' });
    expect(messages.map(({ text }) => text)).toEqual(['@lead one']);
    const hello = (await room.signInAgain(ada, '0')).hello;
    expect(hello.conversations.find(({ id }) => id === 'releases')?.closed).toBe('archived');
    await bob.tab.ask('change', { act: 'restore', conversation: 'releases', key: newKey() });
    await ada.tab.say('releases', 'again');
    const general = { conversation: 'general', key: newKey() };
    await expect(ada.tab.ask('change', { act: 'archive', ...general })).rejects.toThrow('#general stays');
  });

  it('takes back what agents had there when it is archived, in its threads and offered to a role too', async () => {
    const room = await office();
    const ada = await room.person('ada');
    await make(ada.tab, 'releases');
    const root = await ada.tab.say('releases', '@lead one');
    const inThread = await ada.tab.say(root.eventId, '@builder two');
    const offered = await ada.tab.say('releases', '@oncall three');
    const elsewhere = await ada.tab.say('general', '@lead four');
    const open = async ({ eventId }: { eventId: string }) =>
      (await room.store.scan('delivery', 'bySource', { eq: [eventId], limit: 9 })).map((row) => [
        row.agent,
        row.open === 1 ? 'open' : row.why,
      ]);
    expect(await open(offered)).toContainEqual(['lead', 'open']);
    const archive = { act: 'archive', conversation: 'releases', key: newKey() } as const;
    await ada.tab.ask('change', archive);
    for (const said of [root, inThread, offered])
      for (const [, how] of await open(said)) expect(how).toBe('archived');
    expect(await room.store.get('offer', offered.eventId)).toMatchObject({ open: 0, dueAt: null });
    expect(await open(elsewhere)).toContainEqual(['lead', 'open']);
    // A repeat, as after a crash in between, finds nothing more to do.
    await ada.tab.ask('change', archive);
    await ada.tab.ask('change', { act: 'restore', conversation: 'releases', key: newKey() });
    expect(await open(root)).toContainEqual(['lead', 'archived']);
  });

  it('is deleted by an operator, whoever made it, by its name and with an audit row', async () => {
    const room = await office();
    const ada = await room.person('ada');
    await make(ada.tab, 'releases');
    const { eventId } = await ada.tab.say('releases', 'a very secret plan');
    const { token: operator } = await room.tokens.issue({ kind: 'operator', subject: 'root', label: '' });
    const erase = async (id: string, name: string, token = operator) => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${room.url}/v1/web/channels/${id}?name=${name}`, {
        method: 'DELETE',
        headers,
      });
      return `${answer.status} ${await answer.text()}`;
    };
    expect(await erase('releases', 'releases', ada.token)).toMatch(/^403/);
    expect(await erase('releases', 'x')).toMatch(/^400.*write .*releases.* to delete it/);
    expect(await erase('general', 'general')).toMatch(/^400.*#general stays/);
    expect(await erase('nothing', 'nothing')).toMatch(/^404/);
    expect(await erase('releases', 'releases')).toMatch(/^200/);
    await ada.tab.until('conversation', (told) => told.conversation.closed === 'deleted');
    await expect(ada.tab.ask('find', { eventId })).rejects.toThrow('no such message');
    const rows = await room.store.scan('log', 'byPosition', { limit: 99 });
    expect(JSON.stringify(rows)).not.toContain('secret plan');
    expect(rows.at(-1)).toMatchObject({ type: 'membership', author: 'human:operator:root' });
    const audit = await room.store.scan('audit', 'byPosition', { limit: 99 });
    // What was refused is not in it.
    expect(audit.filter(({ what }) => what === 'channel_deleted')).toHaveLength(1);
    expect(audit.map(({ who, what, detail }) => [who, what, detail['conversation']])).toContainEqual([
      'operator:root',
      'channel_deleted',
      'releases',
    ]);
  });

  it('is deleted by whoever made it, with every text in it, and stays so', async () => {
    const room = await team();
    const ada = await room.person('ada');
    const bob = await room.person('bob');
    await make(ada.tab, 'releases');
    const root = await bob.tab.say('releases', 'a very secret plan');
    const reply = await ada.tab.say(root.eventId, 'the secret reply');
    await bob.tab.ask('edit', { key: newKey(), eventId: root.eventId, text: 'another secret plan' });
    const erase = { act: 'delete', conversation: 'releases', name: 'releases' } as const;
    await expect(bob.tab.ask('change', { ...erase, key: newKey() })).rejects.toThrow('Only whoever made');
    await expect(ada.tab.ask('change', { ...erase, key: newKey(), name: 'x' })).rejects.toThrow(
      'write "releases" to delete it',
    );
    await ada.tab.ask('change', { ...erase, key: newKey() });
    await bob.tab.until('conversation', (told) => told.conversation.closed === 'deleted');
    await expect(bob.tab.ask('open', { conversation: 'releases' })).rejects.toThrow('no such conversation');
    await expect(bob.tab.ask('open', { conversation: root.eventId })).rejects.toThrow('no such conversation');
    for (const { eventId } of [root, reply])
      await expect(bob.tab.ask('find', { eventId })).rejects.toThrow('no such message');
    await expect(make(bob.tab, 'releases')).rejects.toThrow('was deleted');
    const { operator } = room.host.tokens;
    const log = await room.host.call('GET', '/v1/log?limit=200', operator);
    expect(log.text).toContain(root.eventId);
    expect(log.text).not.toContain('secret');
    await room.host.stop();
    const { url } = await upHere({ data: room.host.data, config: `${room.host.data}/earshot.yaml` });
    const { hello } = await signIn(url, bob.token);
    expect(hello.conversations.map(({ id }) => id)).toEqual(['general']);
  });
});
