// Commands in Slack, end to end: `/earshot …` and the shortcut "Why?", answered to whoever gave them alone. And
// `earshot why` with a link that somebody copied in Slack.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { earshot } from '../../replay/fake-io.ts';
import { upHere } from '../../server/here.ts';
import { folder } from '../../server/up.ts';
import { until } from '../../wire/host.ts';
import { type Acknowledged, actingOffice, postForm, type Way } from './acts.ts';
import { type Office, office } from './office.ts';
import { BOT, BOT_TOKEN, type Shown, SIGNING_SECRET, slackWorkspace, type Workspace } from './workspace.ts';

const WAYS: readonly Way[] = ['http', 'socket'];

/** The link that Slack copies. */
function linkTo({ channel }: Workspace, ts: string, thread?: string): string {
  const link = `https://tests.slack.com/archives/${channel}/p${ts.replace('.', '')}`;
  return thread === undefined ? link : `${link}?thread_ts=${thread}&cid=${channel}`;
}

/** Bob asks in the channel, the lead answers in the thread, and Bob goes on there. */
async function talk(o: Office): Promise<{ root: string; answer: Shown; next: string }> {
  const root = await o.slack.say('bob', `<@${BOT}> is the build green?`);
  await o.lead.reply(await o.handed(o.lead, root), 'It is.');
  const [answer] = await until(async () => {
    const posts = await o.posts();
    return posts.length === 1 && posts;
  });
  if (answer === undefined) throw new Error('no answer');
  const next = await o.slack.say('bob', 'and the tests?', { thread_ts: root });
  await o.handed(o.lead, next);
  return { root, answer, next };
}

async function message(o: Office, ts: string): Promise<Shown> {
  const found = (await o.slack.shown()).find((one) => one.ts === ts);
  if (found === undefined) throw new Error('there is no such message');
  return found;
}

/** Nobody but the one who asked has seen anything. */
async function quiet(o: Office, posts: number): Promise<void> {
  await o.wire.pass(2_000);
  expect(await o.posts()).toHaveLength(posts);
}

describe.each(WAYS)('over %s', (way) => {
  it('/earshot why is about the newest message of the channel, or the one behind a link, also in a thread', async () => {
    const { o, acts } = await actingOffice(way);
    expect(await acts.command('ada', 'why')).toMatchObject({ text: 'Nothing was heard here yet.' });
    const { root, answer, next } = await talk(o);
    expect((await acts.command('ada', 'why')).text).toMatch(/^bob, \S+:\n- lead must answer: /);
    const linked = await acts.command('ada', `why ${linkTo(o.slack, next, root)}`);
    expect(linked.text).toMatch(/^bob, \S+:\n- lead must answer/);
    const shown = await acts.command('ada', `why <${linkTo(o.slack, answer.ts, root)}|the answer>`);
    expect(shown.text).toMatch(/^lead, /);
    expect(o.slack.alone).toEqual([]);
    await quiet(o, 1);
  });

  it('the shortcut "Why?" is about the message it is taken on, and answered there to the one who took it', async () => {
    const { o, acts } = await actingOffice(way);
    const { root, answer, next } = await talk(o);
    for (const ts of [root, next, answer.ts]) {
      expect(await acts.shortcut('ada', await message(o, ts))).toMatchObject({ status: 200 });
    }
    const told = await until(() => o.slack.alone.length === 3 && o.slack.alone);
    expect(told.map(({ user }) => user)).toEqual(Array.from({ length: 3 }, () => o.slack.users.ada));
    const byPlace = told.map(({ text, thread_ts }) => [thread_ts, text.split('\n', 1)[0]?.split(',')[0]]);
    expect(byPlace).toEqual([
      [undefined, 'bob'],
      [root, 'bob'],
      [root, 'lead'],
    ]);
    expect(told[0]?.text).toMatch(/\n- lead must answer: /);
    await quiet(o, 1);
  });

  it('/earshot mode and leave change the mode once, however often Slack tells it', async () => {
    const { o, acts } = await actingOffice(way);
    await o.slack.say('bob', 'hello');
    await o.wire.pass(1_000);
    expect((await acts.command('bob', 'mode mention_only lead')).text).toBe(
      'lead hears only explicit calls here.',
    );
    const told: Acknowledged[] = [await acts.command('bob', 'leave @builder'), await acts.again()];
    expect(told.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^builder has left/),
      expect.stringMatching(/^builder has left/),
    ]);
    const rows = await o.wire.host.context.store.scan('log', 'byPosition', { limit: 100 });
    const modes = rows.flatMap(({ record: { event } }) => (event.type === 'mode' ? [event] : []));
    expect(modes).toMatchObject([
      { agent: 'lead', mode: 'mention_only', author: { id: o.slack.users.bob, displayName: 'bob' } },
      { agent: 'builder', mode: 'left', author: { id: o.slack.users.bob } },
    ]);
    expect((await acts.command('bob', '')).text).toMatch(/^Say "why"/);
    await quiet(o, 0);
  });

  it('what it does not know is acknowledged, counted by name, and changes nothing', async () => {
    const { o, acts } = await actingOffice(way);
    const ts = await o.slack.say('bob', 'hello');
    await acts.shortcut('ada', await message(o, ts), 'another_shortcut');
    await acts.interact({ type: 'view_submission', team: { id: o.slack.team } });
    await acts.command('ada', 'why', { team_id: 'T0OTHER' });
    expect(o.health().ignored).toEqual({
      'message_action.another_shortcut': 1,
      'interactive.view_submission': 1,
      unknown_team: 1,
    });
    expect(o.slack.alone).toEqual([]);
  });
});

const form = (payload: unknown): string =>
  new URLSearchParams({ payload: JSON.stringify(payload) }).toString();

describe('a request to …/actions', () => {
  it('that is not signed, wrongly signed or old is refused and not read', async () => {
    const o = await office();
    const body = form({ type: 'block_actions' });
    expect((await postForm(o, body, { secret: 'another' })).status).toBe(401);
    expect((await postForm(o, body, { ageMs: 6 * 60_000 })).status).toBe(401);
    expect(o.health().ignored).toEqual({ bad_signature: 1, stale: 1 });
  });

  it('that is malformed is refused by name', async () => {
    const o = await office();
    const cases = [
      ['{"type":"block_actions"}', 'payload: missing, and so is command'],
      ['payload=%7B', 'payload: not JSON'],
      [form({}), 'type: '],
      [form({ type: 'block_actions', user: { id: 'U1' } }), 'channel: '],
      [form({ type: 'message_action', user: { id: 'U1' } }), 'channel: '],
      ['command=%2Fearshot&team_id=T1&channel_id=C1', 'user_id: '],
    ] as const;
    for (const [body, problem] of cases)
      expect(await postForm(o, body)).toMatchObject({ status: 400, body: expect.stringContaining(problem) });
    expect(o.health().ignored).toEqual({ malformed: cases.length });
  });

  it('is answered with 503 while nobody is logged in, and Slack’s question who is there at once', async () => {
    const o = await office({ before: ({ dead }) => void dead.set(BOT_TOKEN, 'invalid_auth') });
    expect((await postForm(o, form({ type: 'block_actions' }))).status).toBe(503);
    expect((await postForm(o, 'ssl_check=1&token=x')).status).toBe(200);
  });

  it('is acknowledged in time when the host is slow, and the person is told afterwards', async () => {
    const { o, acts } = await actingOffice('http');
    await o.slack.say('bob', 'hello');
    const { store } = o.wire.host.context;
    const { scan } = store;
    const held = Promise.withResolvers<void>();
    store.scan = (async (...args: Parameters<typeof scan>) => {
      await held.promise;
      return scan.apply(store, args);
    }) as typeof scan;
    const answered = acts.command('ada', 'why');
    await until(async () => {
      await o.wire.pass(500);
      return Promise.race([answered, Promise.resolve(undefined)]);
    });
    expect(await answered).toEqual({ status: 200, body: '' });
    store.scan = scan;
    held.resolve();
    const told = await until(() => o.slack.alone[0]);
    expect(told).toMatchObject({ user: o.slack.users.ada, text: expect.stringMatching(/^bob, /) });
  });
});

it('a missing scope `commands` is told with what it costs', async () => {
  const o = await office({ before: (slack) => void (slack.scopes = ['chat:write']) });
  const { missing } = o.health() as { missing?: string[] };
  expect(missing).toContain('commands: has neither the command /earshot nor the shortcut "Why?"');
});

it('`earshot why LINK` answers for a message of a channel and of a thread', async () => {
  const slack = await slackWorkspace((end) => onTestFinished(end));
  const data = folder();
  writeFileSync(
    join(data, 'earshot.yaml'),
    `agents: [{ id: lead }]\nsurfaces:\n  - { type: slack, events: http, apiUrl: "${slack.apiUrl}" }\n`,
  );
  const env = { SLACK_SIGNING_SECRET: SIGNING_SECRET, SLACK_BOT_TOKEN: BOT_TOKEN };
  const host = await upHere({ data, env });
  slack.listen(`${host.url}/v1/surfaces/slack/events`);
  const root = await slack.say('ada', `<@${BOT}> is the build green?`);
  const next = await slack.say('bob', 'lunch was good', { thread_ts: root });
  const why = (link: string) => earshot(['why', link, '--data', host.data]);
  expect(await why(linkTo(slack, root))).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^ada: @earshot is the build green\?[^]*lead must answer/),
  });
  expect(await why(linkTo(slack, next, root))).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^bob: lunch was good/),
  });
  expect((await why(linkTo(slack, '1712345678.000100'))).err).toMatch(/There is no event/);
});
