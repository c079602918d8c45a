import { describe, expect, it } from 'vitest';
import { WEB_CHAT_LIMITS } from '../../../src/protocol/web-chat.ts';
import { newKey, signIn, type Tab } from './tab.ts';
import { office } from './office.ts';
import { Team, teamFolder } from './team.ts';
import { upHere } from '../../server/here.ts';
import { up } from '../../server/up.ts';

const idsIn = (tab: Tab): string[] =>
  tab.told.flatMap((one) => (one.method === 'message' ? [one.params.message.eventId] : []));

describe('a tab that comes back', () => {
  it('after the host was killed in the middle of talk, has heard everything once', async () => {
    const data = teamFolder();
    const first = await up({ data });
    const before = new Team(first);
    const ada = await before.person('ada');
    const bob = await before.person('bob');
    const posts = Array.from({ length: 30 }, (_, n) => ({
      key: `p${n}`,
      conversation: 'general',
      text: `line ${n}`,
    }));
    const acknowledged = new Set<string>();
    const sending = posts.map(async (post) => {
      const { message } = await ada.tab.ask('post', post);
      acknowledged.add(message.eventId);
      if (acknowledged.size === 8) first.child.kill('SIGKILL');
    });
    await Promise.allSettled(sending);
    await Promise.all([first.exit, ada.tab.closed, bob.tab.closed]);
    const after = new Team(await upHere({ data }));
    const adaAgain = await signIn(after.host.url, ada.token, ada.tab.position);
    // What had no answer is sent again under its key.
    for (const post of posts) {
      acknowledged.add((await adaAgain.tab.ask('post', post)).message.eventId);
    }
    const bobAgain = await signIn(after.host.url, bob.token, bob.tab.position);
    expect(bobAgain.hello.resumed).toBe(true);
    expect(bobAgain.hello.instance).toBe(bob.hello.instance);
    await adaAgain.tab.say('general', 'the end');
    await bobAgain.tab.until('message', ({ message }) => message.text === 'the end');
    const heard = [...idsIn(bob.tab), ...idsIn(bobAgain.tab)];
    expect(new Set(heard).size).toBe(heard.length);
    expect(heard.length).toBe(posts.length + 1);
    for (const eventId of acknowledged) expect(heard).toContain(eventId);
    const { messages } = await bobAgain.tab.ask('open', { conversation: 'general', limit: 100 });
    expect(messages.map(({ eventId }) => eventId)).toEqual(heard);
  });

  it('is told edits, deletions, reactions and new conversations it has missed, in order', async () => {
    const { person, signInAgain } = await office();
    const ada = await person('ada');
    const bob = await person('bob');
    const first = await ada.tab.say('general', 'one');
    await bob.tab.until('message');
    await bob.tab.close();
    const { eventId } = first;
    await ada.tab.ask('edit', { key: newKey(), eventId, text: 'one and a half' });
    await ada.tab.ask('react', { key: newKey(), eventId, signal: 'done' });
    const second = await ada.tab.say('general', 'two');
    await ada.tab.ask('delete', { key: newKey(), eventId: second.eventId });
    await ada.tab.say(first.eventId, 'in the thread');
    const dm = await ada.tab.ask('create', { kind: 'dm', key: newKey(), with: 'human:bob' });
    await ada.tab.say(dm.conversation.id, 'psst');
    const again = await signInAgain(bob);
    expect(again.hello.resumed).toBe(true);
    await again.tab.until('message', ({ message }) => message.text === 'psst');
    expect(again.tab.told.filter(({ method }) => method !== 'presence').map(({ method }) => method)).toEqual([
      'edited',
      'reaction',
      'message',
      'deleted',
      'conversation',
      'message',
      'conversation',
      'message',
    ]);
  });

  it('without a position, or from another log, starts anew', async () => {
    const { person, signInAgain } = await office();
    const ada = await person('ada');
    expect(ada.hello.resumed).toBe(false);
    await ada.tab.close();
    const elsewhere = await signInAgain(ada, '999999999');
    expect(elsewhere.hello.resumed).toBe(false);
    expect(Number(elsewhere.hello.position)).toBeLessThan(1_000);
  });

  it('after too much has happened, is asked to read anew', async () => {
    const { person, signInAgain, clock } = await office();
    const ada = await person('ada');
    const bob = await person('bob');
    const from = bob.tab.position;
    await bob.tab.close();
    for (let n = 0; n <= WEB_CHAT_LIMITS.resumeRows; n++) {
      clock.advance(1_000);
      await ada.tab.say('general', `${n}`);
    }
    const again = await signInAgain(bob, from);
    expect(again.hello.resumed).toBe(false);
    await ada.tab.say('general', 'now');
    await again.tab.until('message', ({ message }) => message.text === 'now');
    expect(again.tab.texts()).toEqual(['now']);
  });

  it('while others talk, again and again, has heard everything once', async () => {
    const { person, signInAgain, clock } = await office();
    const ada = await person('ada');
    const eve = await person('eve');
    const stop = new AbortController();
    const talk = async (): Promise<void> => {
      for (let n = 0; !stop.signal.aborted; n++) {
        clock.advance(500);
        await Promise.all([ada.tab.say('general', `ada ${n}`), eve.tab.say('general', `eve ${n}`)]);
      }
    };
    const bob = await person('bob');
    const talked = talk();
    const heard: string[] = [];
    let { tab } = bob;
    for (let round = 0; round < 20; round++) {
      const wanted = 1 + (round % 3);
      while (tab.texts().length < wanted) await tab.ask('ping', {});
      const from = tab.position;
      const seen = idsIn(tab);
      tab.socket.close();
      heard.push(...seen);
      const next = await signInAgain(bob, from);
      expect(next.hello.resumed).toBe(true);
      ({ tab } = next);
    }
    stop.abort();
    await talked;
    clock.advance(1_000);
    const last = await ada.tab.say('general', 'the end');
    await tab.until('message', ({ message }) => message.eventId === last.eventId);
    heard.push(...idsIn(tab));
    expect(new Set(heard).size).toBe(heard.length);
    const logged: string[] = [];
    for (let before: string | undefined, more = true; more; ) {
      const page = await tab.ask('open', { conversation: 'general', limit: 100, ...(before && { before }) });
      logged.unshift(...page.messages.map(({ eventId }) => eventId));
      before = page.messages[0]?.eventId;
      ({ more } = page);
    }
    expect(heard).toEqual(logged.slice(logged.indexOf(heard[0] ?? '')));
    expect(heard.length).toBeGreaterThan(20);
  });

  it('is told by everyone at once in one order, the order of the log', async () => {
    const { person } = await office();
    const [ada, bob, eve] = [await person('ada'), await person('bob'), await person('eve')];
    const all = [ada, bob, eve];
    await Promise.all(
      all.flatMap(({ tab }) => Array.from({ length: 10 }, (_, n) => tab.say('general', `${n}`))),
    );
    await ada.tab.say('general', 'last');
    for (const { tab } of all) await tab.until('message', ({ message }) => message.text === 'last');
    const { messages } = await eve.tab.ask('open', { conversation: 'general', limit: 100 });
    const logged = messages.map(({ eventId }) => eventId);
    expect(logged.length).toBe(31);
    for (const { tab } of all) expect(idsIn(tab)).toEqual(logged);
  });
});
