// What the host asks Slack for: what was said before, who is there, the bytes of a file, a conversation with a person.
import { describe, expect, it, onTestFinished } from 'vitest';
import { VirtualClock } from '../../../src/runtime/clock.ts';
import type { OutboundMessage, Surface, SurfaceHost, SurfacePlace } from '../../../src/surfaces/surface.ts';
import { START, until } from '../../wire/host.ts';
import { office } from './office.ts';
import { slackOver } from './subject.ts';
import { BOT, slackWorkspace, type Workspace } from './workspace.ts';

const HOST: SurfaceHost = {
  ingest: () => Promise.resolve([]),
  accounts: () => undefined,
  memory: { get: () => Promise.resolve(undefined), set: () => Promise.resolve() },
  known: () => Promise.resolve([]),
  health: () => undefined,
  ignored: () => undefined,
  act: () => Promise.resolve({ text: '' }),
};

async function started(): Promise<{
  slack: Workspace;
  surface: Surface;
  place: SurfacePlace;
  clock: VirtualClock;
}> {
  const clock = new VirtualClock(START);
  const slack = await slackWorkspace(
    (end) => onTestFinished(end),
    () => clock.now(),
  );
  const surface = slackOver(slack, clock);
  await surface.start(HOST);
  onTestFinished(() => surface.stop());
  const place = { platform: 'slack', workspaceId: slack.team, conversationId: slack.channel };
  return { slack, surface, place, clock };
}

const signal = new AbortController().signal;

describe('what was said before', () => {
  it('is told to the first turn, with names and without what nobody said', async () => {
    const { slack, surface, place, clock } = await started();
    await slack.say('ada', 'the build is red');
    await slack.say('bob', `I know <@${slack.users.ada}>`);
    const before = clock.now() + 60_000;
    const told = await surface.history?.({ place, before, limit: 10, signal });
    expect(told?.map(({ author, type }) => [author.displayName, type])).toEqual([
      ['ada', 'message'],
      ['bob', 'message'],
    ]);
    expect(told?.[1]).toMatchObject({ text: 'I know @ada', mentions: [{ id: slack.users.ada }] });
    expect(await surface.history?.({ place, before, limit: 1, signal })).toHaveLength(1);
  });

  it('of a thread leaves out its root, which is in the channel', async () => {
    const { slack, surface, place, clock } = await started();
    const root = await slack.say('ada', 'the build is red');
    await slack.say('bob', 'since when?', { thread_ts: root });
    const thread = { ...place, conversationId: root, parentId: slack.channel };
    const told = await surface.history?.({ place: thread, before: clock.now() + 60_000, limit: 10, signal });
    expect(told).toMatchObject([{ text: 'since when?', conversation: { id: root, kind: 'thread' } }]);
  });

  it('does not hold up the answer to Slack', async () => {
    const { slack, surface, place, clock } = await started();
    slack.proxy.fault = (path) => (path.includes('conversations.history') ? 'hang' : 'pass');
    const told = surface.history?.({ place, before: clock.now(), limit: 10, signal });
    await until(() => slack.proxy.requests.some(({ fault }) => fault === 'hang'));
    clock.advance(1_500);
    expect(await told).toEqual([]);
  });
});

const post = (place: OutboundMessage['place'], createdAt: number): OutboundMessage => ({
  idempotencyKey: 'lead:k1',
  eventId: 'out_1',
  createdAt,
  agent: 'lead',
  persona: { name: 'lead' },
  place,
  text: 'once',
  part: { number: 1, of: 1 },
  visibility: 'channel',
  mentions: [],
});

describe('a post whose answer was lost', () => {
  it.each([0, 1, -1])(
    'is found when our clock is %i hours ahead, in a channel and in a thread',
    async (hours) => {
      const { slack, surface, place } = await started();
      const root = await slack.say('ada', 'the build is red');
      const places = [place, { ...place, conversationId: root, parentId: slack.channel }];
      for (const where of places) {
        const message = post(where, START + hours * 3_600_000);
        expect(await surface.find(message)).toEqual({ type: 'absent' });
        const posted = await surface.post(message);
        expect(posted.type).toBe('visible');
        for (let n = 0; n < 5; n++) await slack.say('bob', `line ${n}`);
        expect(await surface.find(message)).toEqual(posted);
      }
    },
  );

  it('is not looked for among more than can be read, and then nobody can tell', async () => {
    const { slack, surface, place } = await started();
    const root = await slack.say('ada', 'the build is red');
    slack.pages = 'endless';
    const message = post(place, START);
    expect(await surface.find(message)).toMatchObject({ type: 'unknowable' });
    const thread = { ...place, conversationId: root, parentId: slack.channel };
    expect(await surface.find(post(thread, START))).toMatchObject({ type: 'unknowable' });
  });

  it.each([
    ['limited', 'unknown'],
    ['failed', 'unknown'],
    ['reset_before', 'unknown'],
  ] as const)('is looked for again when the answer is %s', async (fault, type) => {
    const { slack, surface, place } = await started();
    slack.proxy.fault = () => fault;
    expect(await surface.find(post(place, START))).toMatchObject({ type });
  });

  it('cannot be found where the app may not read', async () => {
    const { surface, place } = await started();
    const gone = { ...place, conversationId: 'C0GONE' };
    expect(await surface.find(post(gone, START))).toMatchObject({ type: 'unknowable' });
    expect(await surface.post(post(gone, START))).toMatchObject({ type: 'refused' });
  });
});

it('who is there: people and apps', async () => {
  const { slack, surface, place } = await started();
  expect(await surface.members?.(place)).toEqual({ humans: 3, agents: 1, complete: true });
  slack.proxy.fault = () => 'failed';
  expect(await surface.members?.(place)).toBeUndefined();
});

it('a conversation with a person', async () => {
  const { slack, surface } = await started();
  const opened = await surface.direct?.(slack.users.ada, 'lead');
  expect(opened).toMatchObject({
    type: 'place',
    place: { platform: 'slack', workspaceId: slack.team, conversation: { kind: 'dm' } },
  });
  expect(await surface.direct?.('U0NOBODY', 'lead')).toMatchObject({
    type: 'refused',
    error: 'user_not_found',
  });
});

async function upload(slack: Workspace, text: string): Promise<string> {
  const length = Buffer.byteLength(text);
  const asked = await slack.call('ada', 'files.getUploadURLExternal', { filename: 'notes.txt', length });
  await fetch(String(asked['upload_url']), { method: 'POST', body: text });
  await slack.call('ada', 'files.completeUploadExternal', {
    files: [{ id: asked['file_id'], title: 'notes' }],
    channel_id: slack.channel,
    initial_comment: `<@${BOT}> see the notes`,
  });
  return String(asked['file_id']);
}

describe('the bytes of a file', () => {
  it('are read by its id, through the host', async () => {
    const o = await office();
    const attachmentId = await upload(o.slack, 'remember the milk');
    o.slack.file = { url_private: `${o.slack.proxy.url}/files-pri/${attachmentId}/notes.txt` };
    await o.wire.pass(3_000);
    const seen = await o.lead.next(({ text }) => text.includes('see the notes'));
    expect(JSON.stringify(seen.raw)).toContain(attachmentId);
    const read = await o.lead.tool('chat.read_attachment', { attachmentId, inReplyTo: seen.eventId });
    expect(JSON.stringify(read)).toContain('remember the milk');
  });

  it('are never fetched from elsewhere with our token', async () => {
    const { slack, surface, place } = await started();
    let asked = 0;
    slack.file = { url_private: 'https://files.example.com/x', mimetype: 'text/plain' };
    slack.proxy.fault = () => {
      asked++;
      return 'pass';
    };
    const request = {
      place,
      eventId: '1.1',
      attachment: { id: 'F1', kind: 'file' as const },
      maxBytes: 10,
      signal,
    };
    expect(await surface.attachment?.(request)).toEqual({
      type: 'refused',
      error: 'the file is kept outside of Slack',
    });
    expect(asked).toBe(1);
    slack.file = { url_private: `${slack.apiUrl}x`, size: 11 };
    expect(await surface.attachment?.(request)).toEqual({ type: 'too_large' });
  });
});
