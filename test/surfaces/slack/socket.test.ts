// Slack over Socket Mode: the real client against a server of ours. What happens while nobody is connected is filled.
import { SocketModeClient } from '@slack/socket-mode';
import { describe, expect, it, onTestFinished } from 'vitest';
import { VirtualClock } from '../../../src/runtime/clock.ts';
import type { Secret } from '../../../src/surfaces/secret.ts';
import type { IngestResult, SurfaceHealth, SurfaceHost } from '../../../src/surfaces/surface.ts';
import { START, until } from '../../wire/host.ts';
import { type Office, office } from './office.ts';
import { secret } from '../receiver.ts';
import { slackOver } from './subject.ts';
import { type SocketServer, socketServer } from './socket-server.ts';
import { APP_TOKEN, BOT, slackWorkspace, type Workspace } from './workspace.ts';

const MINUTE = 60_000;

async function overSocket(
  appToken: Secret = secret('SLACK_APP_TOKEN', APP_TOKEN),
): Promise<{ o: Office; socket: SocketServer }> {
  let socket: SocketServer | undefined;
  const o = await office({
    http: false,
    slack: { socket: { Client: SocketModeClient, appToken } },
    before: async (workspace) => {
      socket = await socketServer(workspace, onTestFinished);
    },
  });
  if (socket === undefined) throw new Error('no socket');
  return { o, socket };
}

async function logged(o: Office, ts: string): Promise<Record<string, unknown> | undefined> {
  return (await o.wire.host.context.store.get('log', ts))?.record.event;
}

describe('over Socket Mode', () => {
  it('an event is acknowledged after it is stored, and answered', async () => {
    const { o, socket } = await overSocket();
    expect(o.health().state).toBe('up');
    const stored: Promise<unknown>[] = [];
    socket.onAck = ({ event }) => void stored.push(logged(o, String(event['ts'])));
    const ts = await o.slack.say('ada', `<@${BOT}> is the build green?`);
    const seen = await o.handed(o.lead, ts);
    expect(await o.lead.reply(seen, 'It is.')).toMatchObject({ ok: true });
    await until(async () => (await o.posts()).length === 1);
    expect(await stored[0]).toMatchObject({ text: '@earshot is the build green?' });
    expect(socket.waiting.size).toBe(0);
  });

  it('what was said while it was disconnected is filled once, as missed, and answered in its thread', async () => {
    const { o, socket } = await overSocket();
    const root = await o.slack.say('ada', `<@${BOT}> is the build green?`);
    await o.lead.reply(await o.handed(o.lead, root), 'It is.');
    await until(async () => (await o.posts()).length === 1);
    socket.drop();
    await until(() => socket.open.length === 0);
    const inRoom = await o.slack.say('ada', `<@${BOT}> and the docs?`);
    const inThread = await o.slack.say('ada', 'and the tests?', { thread_ts: root });
    const another = await o.slack.say('bob', 'a new topic');
    const below = await o.slack.say('ada', 'below the new topic', { thread_ts: another });
    await until(async () => {
      await o.wire.pass(1_000);
      return socket.open.length > 0 && (await logged(o, below));
    });
    for (const ts of [inRoom, inThread, another, below])
      expect(await logged(o, ts)).toMatchObject({ origin: 'gap' });
    expect(await logged(o, below)).toMatchObject({
      conversation: { id: another, parentId: o.slack.channel },
    });
    const missed = await o.handed(o.lead, inThread);
    expect(missed.policy).toBe('must_respond');
    await o.lead.reply(missed, 'Green too.');
    await until(async () => (await o.posts()).length === 2);
    expect(o.lead.seen.filter(({ eventId }) => eventId === root)).toHaveLength(1);
    // Heard as it happens again.
    const live = await o.slack.say('bob', 'back again');
    await until(() => logged(o, live));
    expect(await logged(o, live)).not.toHaveProperty('origin');
  });

  it('it connects again when Slack asks for it', async () => {
    const { o, socket } = await overSocket();
    socket.refresh();
    await until(async () => {
      await o.wire.pass(1_000);
      return socket.count === 2 && socket.open.length === 1;
    });
    const ts = await o.slack.say('ada', 'still there?');
    await until(() => logged(o, ts));
  });

  it('a token that is revoked while it reconnects is told with what to do, and a new one is taken up', async () => {
    let token = APP_TOKEN;
    const { o, socket } = await overSocket({
      name: 'the file app-token',
      read: () => Promise.resolve(token),
    });
    o.slack.dead.set(APP_TOKEN, 'invalid_auth');
    socket.drop();
    await until(async () => {
      await o.wire.pass(1_000);
      return o.health().state === 'down';
    });
    expect(o.health()).toMatchObject({
      error: 'invalid_auth',
      fix: expect.stringContaining('the file app-token'),
    });
    token = 'xapp-another';
    await o.wire.pass(MINUTE, 5_000);
    await until(() => o.health().state === 'up');
    expect(socket.open).toHaveLength(1);
  });

  it('a missing token is told by its name, and the host starts', async () => {
    const { o } = await overSocket(secret('SLACK_APP_TOKEN', undefined));
    expect(o.health()).toMatchObject({ state: 'down', error: 'SLACK_APP_TOKEN is missing' });
    await o.wire.say('the others work');
  });

  it('whatever else comes over it is acknowledged and counted', async () => {
    const { o, socket } = await overSocket();
    socket.waiting.set('e1', { event: {} });
    socket.send({ type: 'options', envelope_id: 'e1', payload: {} });
    await until(() => socket.waiting.size === 0);
    expect(o.health().ignored).toEqual({ 'socket.options': 1 });
  });

  it('without a store nothing is acknowledged', async () => {
    const clock = new VirtualClock(START);
    const slack = await slackWorkspace(
      (end) => onTestFinished(end),
      () => clock.now(),
    );
    const socket = await socketServer(slack, onTestFinished);
    const host = fakeHost('unavailable');
    const surface = await started(slack, host.host, clock);
    onTestFinished(() => surface.stop());
    await slack.say('ada', 'hello');
    await until(() => host.asked === 1);
    host.answer = 'accepted';
    await slack.say('ada', 'hello again');
    await until(() => socket.acknowledged.length === 1);
    expect([...socket.waiting.values()].map(({ event }) => event['text'])).toEqual(['hello']);
  });
});

async function started(slack: Workspace, host: SurfaceHost, clock: VirtualClock) {
  const socket = { Client: SocketModeClient, appToken: secret('SLACK_APP_TOKEN', APP_TOKEN) };
  const surface = slackOver(slack, clock, { socket });
  await surface.start(host);
  return surface;
}

/** A host that says what became of every event. */
function fakeHost(first: 'accepted' | 'unavailable') {
  const made = {
    answer: first,
    asked: 0,
    health: [] as SurfaceHealth[],
    host: undefined as unknown as SurfaceHost,
  };
  const result = (eventId: string): IngestResult =>
    made.answer === 'accepted'
      ? { eventId, status: 'accepted', seq: 1 }
      : { eventId, status: 'refused', error: { code: 'unavailable', message: 'The store is busy.' } };
  made.host = {
    ingest(events) {
      made.asked++;
      return Promise.resolve(events.map(({ eventId }) => result(eventId)));
    },
    accounts: () => undefined,
    memory: { get: () => Promise.resolve(undefined), set: () => Promise.resolve() },
    known: () => Promise.resolve([]),
    health: (state) => void made.health.push(state),
    ignored: () => undefined,
    act: () => Promise.resolve({ text: '' }),
  };
  return made;
}
