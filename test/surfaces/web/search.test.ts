// Search over the wire: a person finds what they may read, as it reads now, and nothing that others say privately.
import { describe, expect, it } from 'vitest';
import { WEB_RATES } from '../../../src/host/web-chat/serve.ts';
import { WEB_CHAT_LIMITS } from '../../../src/protocol/web-chat.ts';
import { newKey, type Refusal, type Tab } from './tab.ts';
import { team } from './team.ts';

const texts = async (tab: Tab, words: string, more: object = {}): Promise<string[]> => {
  const { found } = await tab.ask('search', { words, ...more });
  return found.map(({ excerpt }) => excerpt);
};

describe('search', () => {
  it('finds words in channels, threads and own direct messages, newest first, with the hits marked', async () => {
    const room = await team();
    const { tab: ada } = await room.person('ada', 'Ada');
    const { tab: bob } = await room.person('bob', 'Bob');
    const root = await ada.say('general', 'The Déploiement waits for the lease');
    const thread = await ada.ask('create', { kind: 'thread', key: newKey(), parent: root.eventId });
    await bob.say(thread.conversation.id, 'which lease?');
    const dm = await ada.ask('create', { kind: 'dm', key: newKey(), with: 'human:bob' });
    await ada.say(dm.conversation.id, `our lease ${'x '.repeat(300)}`);

    const { found, cursor } = await bob.ask('search', { words: 'LEASE' });
    expect(cursor).toBeUndefined();
    expect(found.map(({ conversation }) => conversation)).toEqual([
      { id: dm.conversation.id, kind: 'dm', title: 'Ada' },
      { id: root.eventId, kind: 'thread', title: 'general', parentId: 'general' },
      { id: 'general', kind: 'channel', title: 'general' },
    ]);
    for (const { excerpt, hits } of found)
      expect(hits.map(([from, to]) => excerpt.slice(from, to))).toEqual(['lease']);
    expect(found[0]?.excerpt.length).toBeLessThanOrEqual(WEB_CHAT_LIMITS.excerptChars + 2);
    expect(found[2]).toMatchObject({ eventId: root.eventId, author: { id: 'ada', name: 'Ada' } });

    expect(await texts(ada, 'deploiement lease')).toEqual(['The Déploiement waits for the lease']);
    expect(await texts(ada, 'lease', { conversation: root.eventId })).toEqual(['which lease?']);
    expect(await texts(ada, 'nothing')).toEqual([]);

    // The last word may be typed in part. What is found is marked whole.
    await ada.say('general', 'Deployments: two');
    const partly = await bob.ask('search', { words: 'DEPLOYM' });
    expect(partly.found.map(({ excerpt, hits: [hit] }) => excerpt.slice(...(hit ?? [])))).toEqual([
      'Deployments',
    ]);
    expect(await texts(bob, 'two deploi')).toEqual([]);
    expect(await texts(bob, 'deploym two')).toEqual([]);
  });

  it('never shows what others say privately, not even that it is there', async () => {
    const room = await team();
    const { tab: ada } = await room.person('ada', 'Ada');
    const { tab: bob } = await room.person('bob', 'Bob');
    const { tab: eve } = await room.person('eve', 'Eve');
    const dm = await ada.ask('create', { kind: 'dm', key: newKey(), with: 'human:bob' });
    const toLead = await ada.ask('create', { kind: 'dm', key: newKey(), with: 'agent:lead' });
    for (let n = 0; n < 5; n++) await ada.say(dm.conversation.id, `acquisition ${n}`);
    await ada.say(toLead.conversation.id, 'acquisition too');
    expect(await texts(bob, 'acquisition')).toHaveLength(5);
    expect(await texts(ada, 'acquisition')).toHaveLength(6);
    expect(await eve.ask('search', { words: 'acquisition', limit: 1 })).toEqual({ found: [] });
    const inside = { words: 'acquisition', conversation: dm.conversation.id };
    expect(await eve.ask('search', inside)).toEqual({ found: [] });
  });

  it('reads messages as they are now: edited, deleted, without secrets', async () => {
    const room = await team();
    const { tab: ada } = await room.person('ada', 'Ada');
    const first = await ada.say('general', 'the old wording');
    await ada.ask('edit', { key: newKey(), eventId: first.eventId, text: 'the new phrasing' });
    const gone = await ada.say('general', 'to be deleted, phrasing');
    await ada.ask('delete', { key: newKey(), eventId: gone.eventId });
    const secret = `ghp_${'aB3'.repeat(12)}`;
    await ada.say('general', `token ${secret} phrasing`);
    expect(await texts(ada, 'wording')).toEqual([]);
    expect(await texts(ada, 'deleted')).toEqual([]);
    const now = await texts(ada, 'phrasing');
    expect(now).toHaveLength(2);
    expect(now[1]).toBe('the new phrasing');
    expect(now.join()).not.toContain(secret);
    expect(await texts(ada, secret)).toEqual([]);
  });

  it('comes in pages that meet every message once', async () => {
    const room = await team();
    const { tab: ada } = await room.person('ada', 'Ada');
    for (let n = 0; n < 12; n++) await ada.say('general', `page ${n}`);
    const met: string[] = [];
    let cursor: string | undefined;
    do {
      const from = cursor === undefined ? {} : { cursor };
      const page = await ada.ask('search', { words: 'page', limit: 5, ...from });
      met.push(...page.found.map(({ excerpt }) => excerpt));
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(met).toEqual(Array.from({ length: 12 }, (_, n) => `page ${11 - n}`));
  });

  it('is bounded: words of some length, and so many searches a minute', async () => {
    const room = await team();
    const { tab: ada } = await room.person('ada', 'Ada');
    const refused = async (params: { words: string }): Promise<Refusal> =>
      ada.ask('search', params).then(
        () => expect.fail('was answered'),
        (error: unknown) => error as Refusal,
      );
    expect((await refused({ words: '' })).error.data.name).toBe('invalid_params');
    expect((await refused({ words: '?!' })).message).toContain('expected letters or digits');
    const long = 'a'.repeat(WEB_CHAT_LIMITS.soughtChars + 1);
    expect((await refused({ words: long })).error.data.name).toBe('invalid_params');
    const names: string[] = [];
    for (let n = 0; n <= WEB_RATES.searches.burst; n++)
      names.push(
        await ada.ask('search', { words: 'x' }).then(
          () => 'ok',
          (error: unknown) => (error as Refusal).error.data.name,
        ),
      );
    expect(names.at(-1)).toBe('rate_limited');
    // Other reads go on.
    expect((await ada.ask('open', { conversation: 'general' })).messages).toEqual([]);
  });
});
