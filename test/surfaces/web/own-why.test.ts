// The sentence under a person's own message, over the web chat's wire: for the author alone, and only what anybody may
// know.
import { describe, expect, it } from 'vitest';
import type { WebChatNews } from '../../../src/protocol/web-chat.ts';
import { newKey } from './tab.ts';
import { office } from './office.ts';
import { team } from './team.ts';

async function said(text: string) {
  const room = await office();
  const [ada, bob] = [await room.person('ada'), await room.person('bob')];
  const { eventId, why } = await ada.tab.say('general', text);
  const until = (words: string | undefined) =>
    ada.tab.until('state', (news) => news.eventId === eventId && news.why?.words === words);
  return { ...room, ada, bob, eventId, why, until };
}

describe('the author of a message is told', () => {
  it('that nobody was asked, and how to ask', async () => {
    const { why } = await said('is anybody looking at the build?');
    expect(why).toEqual({ kind: 'unasked', words: 'Nobody was asked: use @ to choose who answers' });
  });

  it('that an agent is offline, since when it works once it is there, and nothing more once it has answered', async () => {
    const room = await team();
    const { tab } = await room.person('ada');
    const { eventId, why } = await tab.say('general', '@lead can you look?');
    expect(why).toEqual({ kind: 'waiting', words: 'Lead is offline and gets it when it is back' });
    const news = (isIt: (one: WebChatNews<'state'>) => boolean) =>
      tab.until('state', (one) => one.eventId === eventId && isIt(one));
    const answer = Promise.withResolvers<string>();
    room.agent('lead', () => answer.promise);
    const working = await news((one) => one.why?.words === 'Lead is working on it');
    expect(working.why).toMatchObject({ kind: 'waiting', since: expect.any(String) as string });
    answer.resolve('It is green.');
    const { why: none } = await news(({ states }) => states.some(({ state }) => state === 'answered'));
    expect(none).toBeUndefined();
    const { messages } = await tab.ask('open', { conversation: 'general' });
    expect(messages[0]?.why).toBeUndefined();
  });

  it('of each agent in one sentence when several are asked', async () => {
    const { why } = await said('@lead and @builder, can you look?');
    expect(why?.words).toBe('builder and Lead are offline and get it when they are back');
  });

  it.each([
    ['@laed is the deploy blocked?', 'laed'],
    ['is @Bilder-2 there?', 'Bilder-2'],
  ])('that "%s" names nobody who is here', async (text, name) => {
    const { why } = await said(text);
    expect(why?.words).toBe(`Nobody here is called “${name}”: use @ to choose who answers`);
  });

  it.each([['`@laed` is a typo, is it not?'], ['write to jo@lead.example?'], ['is @slack/web-api new?']])(
    'that nobody was asked by "%s", which only looks as if it named somebody',
    async (text) => {
      expect((await said(text)).why?.words ?? '').not.toContain('is called');
    },
  );

  it.each([['thanks everybody!'], ['@bob lunch?'], ['thanks @laed']])(
    'nothing about "%s", which waits for no agent',
    async (text) => {
      expect((await said(text)).why).toBeUndefined();
    },
  );

  it('nothing any more once an edit asks somebody', async () => {
    const { ada, eventId, until } = await said('can you look?');
    await ada.tab.ask('edit', { key: newKey(), eventId, text: '@builder can you look?' });
    await until('builder is offline and gets it when it is back');
  });
});

describe('nobody else is told', () => {
  it('neither at once, nor with a page, nor live, and never an error', async () => {
    const { bob, ada, host, eventId } = await said('@lead can you look?');
    await host.sessionDeps.turns.start('lead', 't1', [eventId]);
    await host.sessionDeps.turns.end('lead', 't1', 'failed', { error: 'Not logged in', retryable: true });
    await bob.tab.until('state', ({ states }) => states.some(({ state }) => state === 'retrying'));
    const { messages } = await bob.tab.ask('open', { conversation: 'general' });
    expect(messages[0]?.why).toBeUndefined();
    const told = bob.tab.told.filter((one) => one.method === 'state' || one.method === 'message') as {
      params: WebChatNews<'state'> | WebChatNews<'message'>;
    }[];
    expect(told.length).toBeGreaterThan(1);
    expect(JSON.stringify(told)).not.toContain('why');
    const own = await ada.tab.ask('open', { conversation: 'general' });
    expect(JSON.stringify([own, ada.tab.told])).not.toContain('Not logged in');
  });
});
