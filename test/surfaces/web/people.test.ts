// Who is here: people come by an invitation, have a name that others see, and change it themselves.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { firstPersonName } from '../../../src/cli/first-person.ts';
import { earshot } from '../../replay/fake-io.ts';
import { upHere } from '../../server/here.ts';
import { office } from './office.ts';
import { newKey, Refusal, signIn } from './tab.ts';
import { team, Team, teamFolder } from './team.ts';

const tokenIn = (link: string): string => /#person=(\S+)/.exec(link)?.[1] ?? '';

describe('earshot invite', () => {
  it('prints a link that signs the person in, and keeps the token where commands on this machine find it', async () => {
    const { host } = await team();
    const ran = await earshot(['invite', 'Ada', '--data', host.data]);
    expect(ran.code).toBe(0);
    expect(ran.out.startsWith(`${host.url}/#person=`)).toBe(true);
    expect(ran.err).toContain('works on this machine only');
    const { hello } = await signIn(host.url, tokenIn(ran.out));
    expect(hello.me).toEqual({ id: 'ada', name: 'Ada', connected: true });
    const kept = JSON.parse(readFileSync(join(host.data, 'tokens.json'), 'utf8')) as {
      people: Record<string, string>;
    };
    expect(kept.people['ada']).toBe(tokenIn(ran.out));
    // A second link is for the same person, under the name they have.
    const label = await earshot(['invite', 'ada', '--label', 'Ada Lovelace', '--data', host.data]);
    expect(label.err).toContain('another link');
    const again = await earshot(['invite', 'ada', '--data', host.data, '--at', 'https://chat.example.com/']);
    expect(again.out.startsWith('https://chat.example.com/#person=')).toBe(true);
    const { hello: third } = await signIn(host.url, tokenIn(again.out));
    expect(third.me.name).toBe('Ada Lovelace');
  });

  it('refuses names that mean an agent or the reader', async () => {
    const { host } = await team();
    const agent = await earshot(['invite', 'Lead', '--data', host.data]);
    expect([agent.code, agent.out]).toEqual([1, '']);
    expect(agent.err).toContain('An agent is called "Lead"');
    const you = await earshot(['invite', 'bob', '--label', 'You', '--data', host.data]);
    expect([you.code, you.out]).toEqual([2, '']);
    expect((await earshot(['invite', '…', '--data', host.data])).code).toBe(2);
  });

  it('works while no host runs', async () => {
    const data = teamFolder();
    const ran = await earshot(['invite', 'Ada', '--data', data]);
    expect(ran.code).toBe(0);
    const { host } = new Team(await upHere({ data }));
    const { hello } = await signIn(host.url, tokenIn(ran.out));
    expect(hello.me.id).toBe('ada');
  });
});

describe('an invitation from the page', () => {
  it('is the operator’s, unless the settings let everybody invite', async () => {
    const room = await office();
    const ada = await room.person('ada', 'Ada');
    expect(ada.hello.mayInvite).toBe(false);
    await expect(ada.tab.ask('invite', { name: 'Bob' })).rejects.toThrow('Only an operator invites');
  });

  it('makes a person whom everybody sees, once, and nobody who is here already', async () => {
    const data = teamFolder();
    const file = join(data, 'earshot.yaml');
    writeFileSync(file, `${readFileSync(file, 'utf8')}host:\n  invites: everybody\n`);
    const room = new Team(await upHere({ data }));
    const ada = await room.person('ada', 'Ada');
    expect(ada.hello.mayInvite).toBe(true);
    const made = await ada.tab.ask('invite', { name: ' Bob  Stone ' });
    expect(made.person).toEqual({ id: 'bob-stone', name: 'Bob Stone', connected: false });
    const bob = await signIn(room.host.url, made.token);
    expect(bob.hello.me.name).toBe('Bob Stone');
    await ada.tab.until('presence', (told) => told.kind === 'human' && told.person.name === 'Bob Stone');
    // Somebody's token would be somebody's voice.
    for (const name of ['Bob Stone', 'ADA', 'аda', 'lead', 'oncall', 'everyone', 'You', '\u200b'])
      await expect(ada.tab.ask('invite', { name }), name).rejects.toThrow(Refusal);
  });
});

describe('a name', () => {
  it('is changed by its owner, for everybody and in every tab, and is the name agents read', async () => {
    const room = await team();
    const ada = await room.person('ada', 'Ada');
    const other = await signIn(room.host.url, ada.token);
    const bob = await room.person('bob', 'Bob');
    const read: string[] = [];
    room.agent('lead', (_text, turn) => {
      read.push(turn.events.at(-1)?.author.displayName ?? '');
      return 'yes';
    });
    const { eventId } = await ada.tab.say('general', 'before');
    const { me } = await ada.tab.ask('rename', { name: '  Ada\n*Lovelace*  ' });
    expect(me).toEqual({ id: 'ada', name: 'Ada Lovelace', connected: true });
    for (const { tab } of [other, bob])
      await tab.until('presence', (told) => told.kind === 'human' && told.person.name === 'Ada Lovelace');
    const { messages } = await bob.tab.ask('open', { conversation: 'general' });
    expect(messages.find((one) => one.eventId === eventId)?.author.name).toBe('Ada Lovelace');
    await other.tab.say('general', '@lead who am I?');
    await bob.tab.until('message', ({ message }) => message.text === 'yes');
    expect(read).toEqual(['Ada Lovelace']);
    const { hello } = await signIn(room.host.url, ada.token);
    expect(hello.me.name).toBe('Ada Lovelace');
  });

  it('is audited, and is nobody else’s, no agent’s and no word for the reader', async () => {
    const room = await office();
    const ada = await room.person('ada', 'Ada');
    await room.person('bob', 'Bob');
    for (const name of ['Bob', 'bob', 'Βob', 'Lead', 'build bot', 'oncall', 'here', 'you', 'Me', '\u2066'])
      await expect(ada.tab.ask('rename', { name }), name).rejects.toThrow(Refusal);
    await expect(ada.tab.ask('rename', { name: 'a'.repeat(41) })).rejects.toThrow(Refusal);
    await ada.tab.ask('rename', { name: 'Countess' });
    const rows = await room.store.scan('audit', 'byPosition', { limit: 100 });
    expect(rows.filter(({ what }) => what === 'person_renamed')).toMatchObject([
      { who: 'human:ada', detail: { from: 'Ada', to: 'Countess' } },
    ]);
  });

  it('of the first person is asked for until it is chosen, also if it stays', async () => {
    const { host } = await team();
    const you = (host.tokens as unknown as { people: Record<string, string> }).people['you'] ?? '';
    const first = await signIn(host.url, you);
    expect(first.hello.me.unnamed).toBe(true);
    expect(first.hello.me.name.toLowerCase()).not.toBe('you');
    await first.tab.ask('rename', { name: first.hello.me.name });
    expect((await signIn(host.url, you)).hello.me.unnamed).toBeUndefined();
  });

  it('of a person whom an earlier version called "You" is changed at the start', async () => {
    const room = await team();
    const { data } = room.host;
    const you = (room.host.tokens as unknown as { people: Record<string, string> }).people['you'] ?? '';
    await room.host.stop();
    const { withStore } = await import('../../../src/cli/local-store.ts');
    const place = { dataDir: data, store: undefined };
    await withStore(place, false, ({ tokens }) => tokens.rename({ subject: 'you', label: 'You' }));
    const { url } = await upHere({ data });
    const { hello } = await signIn(url, you);
    expect([hello.me.name === 'You', hello.me.unnamed]).toEqual([false, true]);
  });

  it('of the first person comes from the system, where that says something', () => {
    const names = ['ada', 'root', 'ubuntu', 'a', 'j.doe', 'Lead', undefined].map((user) =>
      firstPersonName(user, ['lead']),
    );
    expect(names).toEqual(['Ada', 'Owner', 'Owner', 'Owner', 'Owner', 'Owner', 'Owner']);
  });
});

it('a person who is invited can be written to at once', async () => {
  const room = await team();
  const ada = await room.person('ada', 'Ada');
  await earshot(['invite', 'Bob', '--data', room.host.data]);
  const { conversation } = await ada.tab.ask('create', { kind: 'dm', key: newKey(), with: 'human:bob' });
  expect(conversation.title).toBe('Bob');
});
