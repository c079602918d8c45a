// The page's connection against a real host: two people, losses in the middle of sending, a token that is taken away.
import { expect, it, onTestFinished } from 'vitest';
import type { ChatState } from '../../src/console/chat/state/state.ts';
import { ChatClient } from '../../src/console/chat/wire/client.ts';
import { upHere } from '../server/here.ts';
import { type Listening, up } from '../server/up.ts';
import { personToken } from './person.ts';

const ROOM = 'general';
const SOON_MS = 30;

function connect(host: Listening, token: string): ChatClient {
  const client = new ChatClient({ url: `${host.url.replace('http', 'ws')}/web`, token, pace: () => SOON_MS });
  onTestFinished(() => client.stop());
  client.start();
  client.show(ROOM);
  return client;
}

function when(client: ChatClient, holds: (state: ChatState) => boolean): Promise<ChatState> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!holds(client.state())) return;
      stop();
      resolve(client.state());
    };
    const stop = client.subscribe(look);
    look();
  });
}

const texts = ({ rooms }: ChatState): string[] =>
  rooms.get(ROOM)?.held.map(({ message }) => message.text) ?? [];
const isOpen = ({ rooms }: ChatState): boolean => rooms.get(ROOM)?.opened === true;

it('shows each what the other writes, changes, signals and takes back', async () => {
  const host = await upHere();
  const ada = connect(host, await personToken(host, 'ada', 'Ada'));
  const bob = connect(host, await personToken(host, 'bob', 'Bob'));
  await Promise.all([when(ada, isOpen), when(bob, isOpen)]);
  ada.post(ROOM, 'hello @bob');
  const heard = await when(bob, (state) => texts(state).includes('hello @bob'));
  const message = heard.rooms.get(ROOM)?.held[0]?.message;
  expect(message).toMatchObject({ author: { name: 'Ada' }, mentions: [{ kind: 'human', id: 'bob' }] });
  const eventId = message?.eventId ?? '';
  await bob.react(eventId, 'agree', false);
  await when(ada, ({ rooms }) => rooms.get(ROOM)?.held[0]?.message.reactions[0]?.by[0]?.id === 'bob');
  await ada.edit(eventId, 'hello all');
  await when(bob, (state) => texts(state).includes('hello all'));
  await expect(bob.edit(eventId, 'mine now')).rejects.toThrow('own messages');
  await ada.remove(eventId);
  await when(bob, ({ rooms }) => rooms.get(ROOM)?.held[0]?.message.deleted === true);
  const { id } = await ada.create({ kind: 'channel', name: 'Releases' });
  await when(bob, ({ conversations }) => conversations.has(id));
});

it('loses and doubles nothing when the host is killed while both are sending', async () => {
  const first = await up();
  const ada = connect(first, await personToken(first, 'ada', 'Ada'));
  const bob = connect(first, await personToken(first, 'bob', 'Bob'));
  await Promise.all([when(ada, isOpen), when(bob, isOpen)]);
  const said: string[] = [];
  const say = (client: ChatClient, text: string): void => {
    said.push(text);
    client.post(ROOM, text);
  };
  for (let n = 0; n < 12; n++) say(n % 2 === 0 ? ada : bob, `before ${n}`);
  await when(ada, (state) => texts(state).length >= 3);
  await first.stop('SIGKILL');
  await when(ada, ({ status }) => status === 'lost');
  for (let n = 0; n < 6; n++) say(n % 2 === 0 ? ada : bob, `during ${n}`);
  expect(ada.state().sends.length).toBeGreaterThan(2);
  await upHere({ data: first.data, port: Number(new URL(first.url).port) });
  for (const client of [ada, bob]) {
    const { sends } = await when(
      client,
      (state) => state.sends.length === 0 && texts(state).length >= said.length,
    );
    expect(sends).toEqual([]);
    expect(texts(client.state()).toSorted()).toEqual(said.toSorted());
  }
  // Both see the same order, and each sees their own in the order in which they wrote them.
  expect(texts(bob.state())).toEqual(texts(ada.state()));
  for (const [at, start] of ['before', 'during'].entries()) {
    const own = said.filter((text, index) => text.startsWith(start) && index % 2 === 0);
    expect(
      texts(ada.state()).filter((text) => own.includes(text)),
      `${at}`,
    ).toEqual(own);
  }
});

it('is told of what was written while it was away, once', async () => {
  const host = await upHere();
  const token = await personToken(host, 'ada', 'Ada');
  const ada = connect(host, token);
  const bob = connect(host, await personToken(host, 'bob', 'Bob'));
  await Promise.all([when(ada, isOpen), when(bob, isOpen)]);
  bob.post(ROOM, 'one');
  await when(ada, (state) => texts(state).length === 1);
  ada.stop();
  for (const text of ['two', 'three']) bob.post(ROOM, text);
  await when(bob, ({ sends, rooms }) => sends.length === 0 && rooms.get(ROOM)?.held.length === 3);
  ada.start();
  expect(texts(await when(ada, (state) => texts(state).length >= 3))).toEqual(['one', 'two', 'three']);
});

it('stops and says so when its token is revoked', async () => {
  const host = await upHere();
  const made = await host.call('POST', '/v1/tokens', host.tokens.operator, {
    kind: 'person',
    subject: 'eve',
  });
  const eve = connect(host, String(made.body['token']));
  await when(eve, ({ status }) => status === 'live');
  await host.call('DELETE', `/v1/tokens/${String(made.body['key'])}`, host.tokens.operator);
  const { problem } = await when(eve, ({ status }) => status === 'refused');
  expect(problem).toContain('not valid');
});
