import { describe, expect, it } from 'vitest';
import { callTool } from '../../../src/host/tools/call.ts';
import type { ToolName } from '../../../src/protocol/tool-name.ts';
import { newKey } from './tab.ts';
import { office } from './office.ts';

async function asked(text = '@lead can you look?') {
  const room = await office();
  const ada = await room.person('ada');
  const { eventId, states } = await ada.tab.say('general', text);
  const tool = (name: ToolName, args: Record<string, unknown>, agent = 'lead') =>
    callTool(name, { inReplyTo: eventId, ...args }, room.host.toolCaller(agent));
  const told = (state: string) =>
    ada.tab.until(
      'state',
      (news) => news.eventId === eventId && news.states.some((one) => one.state === state),
    );
  return { ...room, ada, eventId, states, tool, told };
}

describe('what agents do with a message, as its author sees it', () => {
  it('waits for an agent that is not there', async () => {
    const { states, ada } = await asked();
    expect(states).toEqual([{ agent: 'lead', state: 'queued' }]);
    const { messages } = await ada.tab.ask('open', { conversation: 'general' });
    expect(messages[0]?.states).toEqual(states);
  });

  it('is claimed, with the time at which the claim ends', async () => {
    const { tool, told } = await asked();
    await tool('chat.react', { signal: 'working' });
    const { states } = await told('claimed');
    expect(states).toEqual([{ agent: 'lead', state: 'claimed', until: expect.any(String) as string }]);
  });

  it('is put off', async () => {
    const { tool, told } = await asked();
    await tool('chat.defer', { reason: 'after lunch', ttlMs: 60_000 });
    expect((await told('deferred')).states).toEqual([
      { agent: 'lead', state: 'deferred', until: '2026-06-02T09:01:00.000Z' },
    ]);
  });

  it('is acknowledged by a signal alone', async () => {
    const { tool, told, ada, eventId } = await asked('@lead the build is green again');
    await tool('chat.react', { signal: 'seen' });
    expect((await told('acknowledged')).states).toEqual([{ agent: 'lead', state: 'acknowledged' }]);
    expect(await ada.tab.until('reaction')).toMatchObject({
      eventId,
      signal: 'seen',
      by: { id: 'lead', kind: 'agent' },
    });
  });

  it('is declined, and so not answered', async () => {
    const { tool, told } = await asked();
    await tool('chat.react', { signal: 'declined' });
    expect((await told('not_answered')).states).toEqual([{ agent: 'lead', state: 'not_answered' }]);
  });

  it.each([
    [true, 'retrying'],
    [false, 'failed'],
  ])('failed (to be tried again: %s), without the error, and not as silence', async (retryable, state) => {
    const { host, told, eventId } = await asked();
    const { turns } = host.sessionDeps;
    await turns.start('lead', 't1', [eventId]);
    await turns.end('lead', 't1', 'failed', { error: 'Not logged in', retryable });
    expect((await told(state)).states).toEqual([{ agent: 'lead', state }]);
  });

  it('what the host says about an agent is marked, and what the agent says is not', async () => {
    const { host, ada, eventId, tool } = await asked();
    const { turns } = host.sessionDeps;
    await turns.start('lead', 't1', [eventId]);
    await turns.end('lead', 't1', 'failed', { error: 'Not logged in', retryable: true });
    const told = await ada.tab.until('message', ({ message: { author } }) => author.id === 'lead');
    expect(told.message).toMatchObject({
      text: 'Lead ran into a problem and is trying again.',
      notice: true,
    });
    const place = { target: 'channel:general', visibility: 'channel', directedness: 'to_me' };
    await tool('chat.send_message', { ...place, text: 'It is green.', idempotencyKey: 'k1' });
    const said = await ada.tab.until('message', ({ message: { text } }) => text === 'It is green.');
    expect(said.message.notice).toBeUndefined();
    const { messages } = await ada.tab.ask('open', { conversation: 'general' });
    expect(messages.map(({ notice }) => notice)).toEqual([undefined, true, undefined]);
  });

  it('says nothing of agents that merely overhear', async () => {
    const { states, ada } = await asked('good morning everybody');
    expect(states).toEqual([]);
    await ada.tab.say('general', 'and to you');
    const told = ada.tab.told.flatMap((one) => (one.method === 'state' ? one.params.states : []));
    expect(told).toEqual([]);
  });

  it('ends with the message', async () => {
    const { ada, eventId, told } = await asked();
    await told('queued');
    await ada.tab.ask('delete', { key: newKey(), eventId });
    const gone = await ada.tab.until('state', (news) => news.eventId === eventId && news.states.length === 0);
    expect(gone.conversation).toBe('general');
  });

  it('follows an edit to the agent it now names', async () => {
    const { ada, eventId, told } = await asked('good morning');
    await ada.tab.ask('edit', { key: newKey(), eventId, text: '@builder good morning, please build' });
    expect((await told('queued')).states).toEqual([{ agent: 'builder', state: 'queued' }]);
  });
});

describe('where messages come from', () => {
  it('stamps who is there on every message: a complete read', async () => {
    const { store, person } = await office();
    const ada = await person('ada');
    await person('bob');
    const { eventId } = await ada.tab.say('general', 'hello');
    const row = await store.get('log', eventId);
    expect(row?.record.facts.membership).toMatchObject({ humans: 2, agents: 2, complete: true });
    const dm = await ada.tab.ask('create', { kind: 'dm', key: newKey(), with: 'agent:lead' });
    const direct = await ada.tab.say(dm.conversation.id, 'hello');
    const there = await store.get('log', direct.eventId);
    expect(there?.record.facts.membership).toMatchObject({ humans: 1, agents: 1, complete: true });
    expect(direct.states).toEqual([{ agent: 'lead', state: 'queued' }]);
  });

  it('tells everybody of a person who is new, renamed, comes or goes', async () => {
    const { person, tokens } = await office();
    const ada = await person('ada');
    await tokens.issue({ kind: 'person', subject: 'bob', label: 'Bob' });
    const is = (name: string, connected: boolean) =>
      ada.tab.until(
        'presence',
        (news) => news.kind === 'human' && news.person.name === name && news.person.connected === connected,
      );
    await is('Bob', false);
    const bob = await person('bob', 'Robert');
    await is('Robert', true);
    await bob.tab.close();
    await is('Robert', false);
  });
});
