// An answer that grows: people who have the room open see it while the model writes, everybody else gets the message at
// the end. Over the real sockets, with the SDK as the harness.
import { describe, expect, it } from 'vitest';
import type { AnswerStream, Turn } from '../../src/agent/index.ts';
import { GROWING_LIMITS } from '../../src/protocol/growing-limits.ts';
import { newKey, type Tab } from '../surfaces/web/tab.ts';
import { SECRETS } from '../../src/host/security/secrets.fixture.ts';
import { type Team, team } from '../surfaces/web/team.ts';
import { rawHarness } from './raw-harness.ts';

/** A turn that writes what the test tells it to. */
interface Writing {
  turn: Turn;
  out: AnswerStream;
  /** Ends the handler with this answer. */
  answer: (text?: string) => void;
}

/** Every turn of the agent, in the order in which they began. */
function writer(on: Team, agent: string): { next: () => Promise<Writing> } {
  const begun: Writing[] = [];
  const waiting: ((writing: Writing) => void)[] = [];
  on.agent(agent, (_, turn) => {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    turn.signal.addEventListener('abort', () => resolve(undefined));
    const writing = { turn, out: turn.stream(), answer: resolve };
    const first = waiting.shift();
    if (first === undefined) begun.push(writing);
    else first(writing);
    return promise;
  });
  return {
    next: () => {
      const first = begun.shift();
      if (first !== undefined) return Promise.resolve(first);
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
}

/** What a tab shows of a growing answer after everything it was told, by event id. */
function growth(tab: Tab): Map<string, string> {
  const shown = new Map<string, string>();
  for (const { method, params } of tab.told) {
    if (method === 'withdrawn') shown.delete(params.eventId);
    if (method === 'message') shown.delete(params.message.eventId);
    if (method !== 'growing') continue;
    const before = shown.get(params.eventId) ?? '';
    expect(params.from).toBeLessThanOrEqual(before.length);
    shown.set(params.eventId, before.slice(0, params.from) + params.text);
  }
  return shown;
}

/** Every text that the tab has ever shown of growing answers. */
function everShown(tab: Tab): string[] {
  return tab.told.map((_, index) =>
    [...growth({ told: tab.told.slice(0, index + 1) } as Tab).values()].join(),
  );
}

async function seen(tab: Tab, words: string): Promise<void> {
  await tab.until('growing', () => [...growth(tab).values()].some((text) => text.includes(words)));
}

const WORDS = 'The deploy waits for the database. It has been waiting for an hour, and nobody knows why. ';

async function* pieces(): AsyncGenerator<string> {
  yield 'One, ';
  yield 'two, three.';
}

describe('a growing answer', () => {
  it('is seen by a tab while it grows, and its message takes its place', async () => {
    const house = await team();
    const ada = await house.person('ada');
    const lead = writer(house, 'lead');
    const question = await ada.tab.say('general', '@lead is the deploy blocked?');
    const { out, answer, turn } = await lead.next();
    expect(turn.streams).toBe(true);
    out.write('The deploy ');
    await seen(ada.tab, 'The');
    out.write('waits for the data');
    out.write('base. ');
    await seen(ada.tab, 'The deploy waits for the');
    expect(ada.tab.texts()).toEqual([question.text]);
    // Somebody who comes in the middle sees what is there.
    const bob = await house.person('bob');
    const { growing = [], messages } = await bob.tab.ask('open', { conversation: 'general' });
    expect(growing.map(({ text }) => text)).toEqual([[...growth(ada.tab).values()][0]]);
    expect(growing[0]).toMatchObject({
      conversation: 'general',
      author: { id: 'lead', kind: 'agent', name: 'Lead' },
    });
    expect(messages).toHaveLength(1);
    answer('The deploy waits for the database. Sorry.');
    const { message } = await ada.tab.until('message', ({ message: { author } }) => author.id === 'lead');
    expect(message).toMatchObject({
      eventId: growing[0]?.eventId,
      text: 'The deploy waits for the database. Sorry.',
    });
    await bob.tab.until('message', ({ message: { eventId } }) => eventId === message.eventId);
    expect(ada.tab.told.some(({ method }) => method === 'withdrawn')).toBe(false);
    const after = await bob.tab.ask('open', { conversation: 'general' });
    expect(after.growing).toBeUndefined();
    expect(after.messages.map(({ text }) => text)).toEqual([question.text, message.text]);
  });

  it('is one message by turn.stream and by out.end(), whatever the handler returns', async () => {
    const house = await team();
    const ada = await house.person('ada');
    house.agent('lead', async (_, turn) => {
      await turn.stream(pieces());
      return undefined;
    });
    house.agent('builder', async (_, turn) => {
      const out = turn.stream();
      out.write('Four, five.');
      await out.end();
      return out.text;
    });
    await ada.tab.say('general', '@lead count?');
    await ada.tab.until('message', ({ message: { author } }) => author.id === 'lead');
    await ada.tab.say('general', '@builder go on?');
    await ada.tab.until('message', ({ message: { author } }) => author.id === 'builder');
    const last = await ada.tab.say('general', 'thanks everybody');
    await ada.tab.until('message', ({ message: { eventId } }) => eventId === last.eventId);
    expect(ada.tab.texts().filter((text) => /One|Four/.test(text))).toEqual([
      'One, two, three.',
      'Four, five.',
    ]);
  });

  it('reaches neither another agent nor the log before its end', async () => {
    const house = await team();
    const ada = await house.person('ada');
    const heard: string[] = [];
    house.agent('builder', (_, turn) => {
      heard.push(turn.prompt);
      return undefined;
    });
    const lead = writer(house, 'lead');
    await ada.tab.say('general', '@lead is the deploy blocked?');
    const { out, answer } = await lead.next();
    out.write('Zebra words that nobody keeps. ');
    await seen(ada.tab, 'Zebra words');
    const log = async (): Promise<string> =>
      (await house.host.call('GET', '/v1/log?limit=100', house.host.tokens.operator)).text;
    expect(await log()).not.toContain('Zebra');
    await ada.tab.say('general', '@builder what does Lead say?');
    await expect.poll(() => heard.length).toBeGreaterThan(0);
    answer('All is well.');
    await ada.tab.until('message', ({ message: { text } }) => text === 'All is well.');
    // Another text than what was written takes the same place.
    expect(ada.tab.told.some(({ method }) => method === 'withdrawn')).toBe(false);
    expect([...growth(ada.tab).values()]).toEqual([]);
    expect(await log()).not.toContain('Zebra');
    expect(heard.join()).not.toContain('Zebra');
  });

  it.each(['edit', 'delete'] as const)('goes away when its question is changed: %s', async (method) => {
    const house = await team();
    const ada = await house.person('ada');
    const lead = writer(house, 'lead');
    const { eventId } = await ada.tab.say('general', '@lead is the deploy blocked?');
    const first = await lead.next();
    first.out.write(WORDS);
    await seen(ada.tab, 'The deploy waits');
    if (method === 'edit')
      await ada.tab.ask('edit', { key: newKey(), eventId, text: '@lead is the deploy of Friday blocked?' });
    else await ada.tab.ask('delete', { key: newKey(), eventId });
    await ada.tab.until('withdrawn');
    expect([...growth(ada.tab).values()]).toEqual([]);
    first.out.write('More words that come too late. ');
    if (method === 'delete') {
      expect((await ada.tab.ask('open', { conversation: 'general' })).growing).toBeUndefined();
      return;
    }
    const second = await lead.next();
    second.answer('Friday is fine.');
    await ada.tab.until('message', ({ message: { text } }) => text === 'Friday is fine.');
    expect([...growth(ada.tab).values()]).toEqual([]);
    expect(everShown(ada.tab).join()).not.toContain('too late');
  });

  it('goes away when a person says stop, and nothing of its turn is shown after that', async () => {
    const house = await team();
    const ada = await house.person('ada');
    const lead = writer(house, 'lead');
    await ada.tab.say('general', '@lead tell me everything');
    const { out, turn } = await lead.next();
    out.write(WORDS);
    await seen(ada.tab, 'The deploy waits');
    await ada.tab.say('general', '@lead stop');
    await ada.tab.until('withdrawn');
    out.write('One more thing for you. ');
    await expect.poll(() => turn.signal.aborted).toBe(true);
    expect([...growth(ada.tab).values()]).toEqual([]);
    expect(everShown(ada.tab).join()).not.toContain('One more thing');
  });

  it('goes away with its session: a newer one fences the older', async () => {
    const house = await team();
    const ada = await house.person('ada');
    const lead = writer(house, 'lead');
    await ada.tab.say('general', '@lead is the deploy blocked?');
    const { out } = await lead.next();
    out.write(WORDS);
    await seen(ada.tab, 'The deploy waits');
    // A newer session takes over. The older one is fenced, and what it had shown is gone.
    const newer = writer(house, 'lead');
    await ada.tab.until('withdrawn');
    out.write('Words of the older session. ');
    const again = await newer.next();
    again.out.write('Words of the newer session. ');
    await seen(ada.tab, 'Words of the newer');
    expect(everShown(ada.tab).join()).not.toContain('Words of the older');
    again.answer('Words of the newer session. Done.');
    await ada.tab.until('message', ({ message: { text } }) => text.endsWith('Done.'));
    expect([...growth(ada.tab).values()]).toEqual([]);
  });

  it('goes away when its turn fails', async () => {
    const house = await team();
    const ada = await house.person('ada');
    const failing = Promise.withResolvers<undefined>();
    house.agent('lead', (_, turn) => {
      turn.stream().write(WORDS);
      return failing.promise;
    });
    await ada.tab.say('general', '@lead is the deploy blocked?');
    await seen(ada.tab, 'The deploy waits');
    failing.reject(new Error('the model is gone'));
    await ada.tab.until('withdrawn');
    expect([...growth(ada.tab).values()]).toEqual([]);
  });

  it('is not seen by strangers of a direct message', async () => {
    const house = await team();
    const ada = await house.person('ada');
    const bob = await house.person('bob');
    const lead = writer(house, 'lead');
    const { conversation } = await ada.tab.ask('create', { kind: 'dm', key: newKey(), with: 'agent:lead' });
    await ada.tab.say(conversation.id, 'a secret question?');
    const { out, answer } = await lead.next();
    out.write(WORDS);
    await seen(ada.tab, 'The deploy waits');
    answer(`${WORDS}Done.`);
    await ada.tab.until('message', ({ message: { text } }) => text.endsWith('Done.'));
    await bob.tab.say('general', 'hello');
    await bob.tab.until('message');
    expect(bob.tab.told.filter(({ method }) => method === 'growing' || method === 'withdrawn')).toEqual([]);
    await expect(bob.tab.ask('open', { conversation: conversation.id })).rejects.toThrow();
  });
});

describe('what a growing answer never shows', () => {
  const [, TOKEN] = SECRETS['github classic token'] ?? ['', ''];

  it.each([
    ['a token', 'The token is ', TOKEN, ' and that was it.'],
    ['a wrapped token', 'The token: ', `${TOKEN.slice(0, 20)}\n${TOKEN.slice(20)}`, ' and that was it.'],
    ['a quoted password', 'It says password = "', 'correct horse 9 battery', '" and that was it.'],
  ])('a secret that comes in pieces: %s', async (_, before, secret, after) => {
    const house = await team();
    const ada = await house.person('ada');
    const lead = await rawHarness(house, 'lead');
    await ada.tab.say('general', '@lead what is it?');
    const grow = await lead.turn();
    const half = secret.slice(0, secret.length / 2);
    for (const text of [before, before + half, before + secret, before + secret + after]) {
      expect(await grow(text)).toMatchObject({ more: true });
      const { growing = [] } = await ada.tab.ask('open', { conversation: 'general' });
      const shown = growing.map((one) => one.text).join();
      for (const part of [half, secret.slice(-8)]) expect(shown).not.toContain(part);
    }
    const { growing = [] } = await ada.tab.ask('open', { conversation: 'general' });
    expect(growing.map((one) => one.text).join()).toMatch(/\[redacted\].* and that was/s);
    expect(everShown(ada.tab).join()).not.toContain(half);
  });

  it.each(['NO_REPLY', '**NO_REPLY**', 'no_reply. This is for Bob, not for me.'])(
    'silence: %s',
    async (silence) => {
      const house = await team();
      const ada = await house.person('ada');
      const lead = await rawHarness(house, 'lead');
      await ada.tab.say('general', '@lead is the deploy blocked?');
      const grow = await lead.turn();
      for (let end = 1; end <= silence.length + 1; end += 2) await grow(silence.slice(0, end));
      expect((await ada.tab.ask('open', { conversation: 'general' })).growing).toBeUndefined();
      expect(everShown(ada.tab).join('')).toBe('');
      // The word in a sentence is no silence, so the same turn can go on.
      await grow('The word NO_REPLY means that I have nothing to say.');
      const { growing = [] } = await ada.tab.ask('open', { conversation: 'general' });
      expect(growing.map(({ text }) => text)).toEqual(['The word NO_REPLY means that I have nothing to']);
    },
  );

  it.each([
    ['its words may need an agreement', 'host: { sensitive: [{ reason: money, words: [refund] }] }', 'agree'],
    [
      'it needs an agreement',
      'host: { sensitive: [{ reason: all of lead, agents: [lead] }] }',
      'all of lead',
    ],
  ])('what waits for a person: %s', async (_, config, reason) => {
    const house = await team(config);
    const ada = await house.person('ada');
    const lead = await rawHarness(house, 'lead');
    await ada.tab.say('general', '@lead is the deploy blocked?');
    const grow = await lead.turn();
    expect(await grow(WORDS)).toMatchObject({
      length: 0,
      more: false,
      reason: expect.stringContaining(reason),
    });
    expect((await ada.tab.ask('open', { conversation: 'general' })).growing).toBeUndefined();
  });

  it('what nobody asked for: an event that is not for the agent, a turn that was not started or has ended', async () => {
    const house = await team();
    const ada = await house.person('ada');
    const lead = await rawHarness(house, 'lead');
    const other = await ada.tab.say('general', '@builder is the deploy blocked?');
    const frame = { turnId: 't1', target: 'channel:general', visibility: 'channel', from: 0, text: WORDS };
    const refused = { length: 0, more: false };
    expect(await lead.request('turn/growing', frame)).toMatchObject(refused);
    expect(
      await lead.request('turn/growing', { ...frame, turnId: 't2', inReplyTo: other.eventId }),
    ).toMatchObject(refused);
    await ada.tab.say('general', '@lead and you?');
    const grow = await lead.turn();
    await grow(WORDS);
    await seen(ada.tab, 'The deploy waits');
    await lead.request('turn/ended', { turnId: grow.turnId, outcome: 'silent' });
    await ada.tab.until('withdrawn');
    expect(await grow(`${WORDS}More of it.`)).toMatchObject(refused);
    expect((await ada.tab.ask('open', { conversation: 'general' })).growing).toBeUndefined();
  });

  it('anything of a harness that has not agreed to it', async () => {
    const house = await team();
    const ada = await house.person('ada');
    const lead = await rawHarness(house, 'lead', { streaming: false });
    await ada.tab.say('general', '@lead is the deploy blocked?');
    const grow = await lead.turn();
    expect(grow.streams).toBeUndefined();
    await expect(grow(WORDS)).rejects.toThrow('streaming');
  });

  it('more than its limits: characters, frames a second, a frame that leaves something out', async () => {
    const house = await team();
    const ada = await house.person('ada');
    const lead = await rawHarness(house, 'lead');
    await ada.tab.say('general', '@lead tell me everything');
    const grow = await lead.turn();
    expect(await grow('six ', 100)).toEqual({ length: 0, more: true });
    const { chars, frameChars, framesPerSecond } = GROWING_LIMITS;
    const piece = 'word '.repeat(frameChars / 5);
    let length = 0;
    for (let at = 0; at < chars / frameChars; at++) ({ length } = await grow(piece, length));
    expect(length).toBe(chars);
    expect(await grow('and more ', length)).toMatchObject({ length: chars, more: false });
    const shown = (await ada.tab.ask('open', { conversation: 'general' })).growing?.[0]?.text;
    expect(shown?.length).toBeGreaterThan(chars - 10);
    expect(shown?.length).toBeLessThanOrEqual(chars);
    // A harness that sends frames without a pause has some of them not taken, and loses nothing: the answer says where
    // to go on.
    const burst = await Promise.all(Array.from({ length: 2 * framesPerSecond }, () => grow('a b c ', 0)));
    expect(burst.filter(({ length: has }) => has === chars).length).toBeGreaterThan(framesPerSecond / 2);
  });
});
