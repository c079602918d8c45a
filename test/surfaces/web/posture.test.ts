import { describe, expect, it } from 'vitest';
import { callTool } from '../../../src/host/tools/call.ts';
import type { ToolName } from '../../../src/protocol/tool-name.ts';
import { defaultGlyph } from '../../../src/protocol/glyphs.ts';
import { SIGNALS } from '../../../src/protocol/vocabulary.ts';
import { newKey, type Tab } from './tab.ts';
import { office } from './office.ts';

async function withLead() {
  const room = await office();
  const ada = await room.person('ada', 'Ada');
  const tool = async (name: ToolName, args: Record<string, unknown>) => {
    const result = await callTool(name, args, room.host.toolCaller('lead'));
    expect(result.isError).not.toBe(true);
    return result;
  };
  return { ...room, ada, tool };
}

function said(tab: Tab, text: string) {
  return tab.until('message', ({ message }) => message.text === text).then(({ message }) => message);
}

const send = { visibility: 'channel', directedness: 'ambient' } as const;

describe('what an agent chose to do, as people see it', () => {
  it('is a channel post, a mention, a thread reply, a direct message or a reaction [C2A-06-02/outbound/rendered-by-the-host]', async () => {
    const { ada, tool } = await withLead();
    const asked = await ada.tab.say('general', '@lead how is the release?');
    const inReplyTo = asked.eventId;

    const target = 'channel:general';
    await tool('chat.send_message', { ...send, target, inReplyTo, text: 'It is out.', idempotencyKey: 'a' });
    expect(await said(ada.tab, 'It is out.')).toMatchObject({
      conversation: 'general',
      author: { id: 'lead', kind: 'agent' },
      replyTo: { eventId: inReplyTo },
      mentions: [],
    });

    const mentions = ['human:ada'];
    const ask = { ...send, target, inReplyTo, mentions, directedness: 'to_other' };
    const text = '@Ada, shall I tell the others?';
    await tool('chat.send_message', { ...ask, text, idempotencyKey: 'b' });
    const mentioned = await said(ada.tab, text);
    expect(mentioned.mentions).toEqual([{ kind: 'human', id: 'ada', name: 'Ada' }]);

    const inThread = await ada.tab.say(asked.eventId, '@lead and the notes?');
    await tool('chat.send_message', {
      ...send,
      target: `thread:${asked.eventId}`,
      inReplyTo: inThread.eventId,
      visibility: 'thread',
      text: 'They are written.',
      idempotencyKey: 'c',
    });
    expect((await said(ada.tab, 'They are written.')).conversation).toBe(asked.eventId);

    const dm = await ada.tab.ask('create', { kind: 'dm', key: newKey(), with: 'agent:lead' });
    const quietly = await ada.tab.say(dm.conversation.id, 'who was on call?');
    await tool('chat.send_message', {
      ...send,
      target: `dm:${dm.conversation.id}`,
      inReplyTo: quietly.eventId,
      visibility: 'dm',
      text: 'I was.',
      idempotencyKey: 'd',
    });
    expect((await said(ada.tab, 'I was.')).conversation).toBe(dm.conversation.id);

    await tool('chat.react', { inReplyTo, signal: 'done' });
    const reaction = await ada.tab.until('reaction', ({ by }) => by.id === 'lead');
    expect(reaction).toMatchObject({ eventId: inReplyTo, signal: 'done', conversation: 'general' });
  });

  it('an answer for one person opens the direct message of the two, and nobody else sees it', async () => {
    const { ada, tool, person } = await withLead();
    const bob = await person('bob', 'Bob');
    const asked = await ada.tab.say('general', '@lead what is my salary?');
    const text = 'It is in your contract.';
    const args = { ...send, target: 'channel:general', inReplyTo: asked.eventId, idempotencyKey: 'a' };
    await tool('chat.send_message', { ...args, text, visibility: 'dm' });
    const { conversation } = await said(ada.tab, text);
    expect(conversation).toBe('dm:@ada:lead');
    const answer = await ada.tab.say(conversation, 'thanks, and my holidays?');
    expect(answer.conversation).toBe(conversation);
    const [page] = [await bob.tab.ask('open', { conversation: 'general' })];
    expect(page.messages.map((message) => message.text)).toEqual(['@lead what is my salary?']);
    await expect(bob.tab.ask('open', { conversation })).rejects.toThrow();
  });

  it('is shown by the glyph of its signal, and a glyph given back is that signal [C2A-06-02/signal/mapped-to-the-platform] [C2A-06-24/signal/mapped-to-glyphs]', async () => {
    const { ada, tool, store } = await withLead();
    const asked = await ada.tab.say('general', '@lead ready?');
    const target = 'channel:general';
    const inReplyTo = asked.eventId;
    await tool('chat.send_message', { ...send, target, inReplyTo, text: 'Shall I?', idempotencyKey: 'a' });
    const { eventId } = await said(ada.tab, 'Shall I?');
    for (const signal of SIGNALS) {
      await tool('chat.react', { inReplyTo, signal });
      const shown = await ada.tab.until(
        'reaction',
        (told) => told.signal === signal && told.by.id === 'lead',
      );
      expect(shown.glyph).toBe(defaultGlyph(signal));
      await ada.tab.ask('react', { key: newKey(), eventId, signal });
    }
    const rows = await store.scan('log', 'byPosition', { limit: 200 });
    const back = rows.flatMap(({ record: { event } }) =>
      event.type === 'reaction' && event.author.id === 'ada' ? [[event.targetEventId, event.signal]] : [],
    );
    expect(back).toEqual(SIGNALS.map((signal) => [eventId, signal]));
    const { messages } = await ada.tab.ask('open', { conversation: 'general' });
    const given = messages.find((message) => message.eventId === eventId)?.reactions;
    expect(given?.map(({ signal, glyph }) => [signal, glyph])).toEqual(
      SIGNALS.map((signal) => [signal, defaultGlyph(signal)]),
    );
  });
});
