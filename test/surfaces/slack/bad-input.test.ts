// What Slack, or somebody who pretends to be Slack, may send: nothing unsigned is stored, nothing malformed stops the
// stream, and everything that is left out is counted by name.
import { describe, expect, it } from 'vitest';
import { sign } from '../../../src/surfaces/slack/signature.ts';
import { until } from '../../wire/host.ts';
import { type Office, office } from './office.ts';
import { BOT, BOT_TOKEN, SIGNING_SECRET } from './workspace.ts';

interface Posting {
  path?: string;
  secret?: string;
  ageMs?: number;
  headers?: Record<string, string>;
}

async function post(
  o: Office,
  body: unknown,
  options: Posting = {},
): Promise<{ status: number; text: string }> {
  const { path = 'slack/events', secret = SIGNING_SECRET, ageMs = 0 } = options;
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const at = String(Math.floor((o.wire.clock.now() - ageMs) / 1_000));
  const response = await fetch(`${o.wire.url}/v1/surfaces/${path}`, {
    method: 'POST',
    body: bytes,
    headers: {
      'content-type': 'application/json',
      'x-slack-request-timestamp': at,
      'x-slack-signature': sign(secret, at, bytes),
      ...options.headers,
    },
  });
  return { status: response.status, text: await response.text() };
}

function said(o: Office, more: Record<string, unknown> = {}, team = o.slack.team): object {
  const ts = `${Math.floor(o.wire.clock.now() / 1_000)}.999001`;
  const event = {
    type: 'message',
    channel: o.slack.channel,
    user: o.slack.users.ada,
    text: 'hello',
    ts,
    ...more,
  };
  return { type: 'event_callback', team_id: team, event_id: 'Ev1', event };
}

async function stored(o: Office): Promise<number> {
  const rows = await o.wire.host.context.store.scan('log', 'byPosition', { limit: 100 });
  return rows.filter(({ type }) => type === 'message').length;
}

describe('a request', () => {
  it('that is not signed, wrongly signed or old is refused, and nothing is stored', async () => {
    const o = await office();
    const cases: Posting[] = [
      { secret: 'another secret' },
      { headers: { 'x-slack-signature': 'v0=00' } },
      { ageMs: 6 * 60_000 },
      { ageMs: -6 * 60_000 },
      { headers: { 'x-slack-request-timestamp': 'now' } },
    ];
    for (const one of cases) expect((await post(o, said(o), one)).status).toBe(401);
    expect(await stored(o)).toBe(0);
    expect(o.health().ignored).toEqual({ bad_signature: 2, stale: 2, unsigned: 1 });
    expect((await post(o, said(o))).status).toBe(200);
    expect(await stored(o)).toBe(1);
  });

  it('is answered after it is stored, and stored once however often it comes', async () => {
    const o = await office();
    const body = said(o);
    for (let n = 0; n < 3; n++) expect((await post(o, body)).status).toBe(200);
    expect(await stored(o)).toBe(1);
  });

  it('that asks who is there is answered with the challenge', async () => {
    const o = await office();
    expect(await post(o, { type: 'url_verification', challenge: 'c-1' })).toEqual({
      status: 200,
      text: 'c-1',
    });
  });

  it.each<[string, unknown, number, string]>([
    ['no JSON', '{', 400, 'not JSON'],
    ['no event', { type: 'event_callback', team_id: 'T1' }, 400, 'event'],
    ['another type', { type: 'something' }, 400, 'type'],
    ['a list', [], 400, 'body: '],
    ['larger than 1 MB', { text: 'x'.repeat(1_100_000) }, 413, 'larger'],
  ])('that is %s is refused by name', async (_, body, status, text) => {
    const o = await office();
    const answer = await post(o, body);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(text);
    expect(await stored(o)).toBe(0);
  });

  it.each<[string, Record<string, unknown>, number, Record<string, number>]>([
    ['a malformed message', { ts: 'yesterday' }, 400, { malformed: 1 }],
    ['an unknown type', { type: 'team_rename' }, 200, { team_rename: 1 }],
    ['an unknown subtype', { subtype: 'huddle_thread' }, 200, { 'message.huddle_thread': 1 }],
    ['an unknown field', { hologram: { deep: [1] } }, 200, {}],
    [
      'what the host does not take',
      { user: 'U\uD800' },
      200,
      { 'refused: author.id: not well-formed Unicode': 1 },
    ],
  ])('with %s does not stop the stream', async (_, more, status, ignored) => {
    const o = await office();
    expect((await post(o, said(o, more))).status).toBe(status);
    expect(o.health().ignored).toEqual(ignored);
    const before = await stored(o);
    const ts = await o.slack.say('ada', 'and on it goes');
    expect(await stored(o)).toBe(before + 1);
    expect(await o.wire.host.context.store.get('log', ts)).toBeDefined();
  });

  it('for another workspace is taken, counted and not stored', async () => {
    const o = await office();
    expect((await post(o, said(o, {}, 'T0OTHER'))).status).toBe(200);
    expect(await stored(o)).toBe(0);
    expect(o.health().ignored).toEqual({ unknown_team: 1 });
    const shared = { ...said(o, {}, 'T0OTHER'), authorizations: [{ team_id: o.slack.team }] };
    expect((await post(o, shared)).status).toBe(200);
    expect(await stored(o)).toBe(1);
  });

  it.each(['slack/elsewhere', 'web/events', 'nobody/events'])('to %s finds nothing', async (path) => {
    const o = await office();
    expect((await post(o, said(o), { path })).status).toBe(404);
  });
});

describe('a token', () => {
  it('that is revoked while it runs: down with what to do, sends are kept, and back within a minute of a new one', async () => {
    const o = await office();
    const seen = await o.handed(o.lead, await o.slack.say('ada', `<@${BOT}> is the build green?`));
    o.slack.dead.set(BOT_TOKEN, 'token_revoked');
    const answer = o.lead.reply(seen, 'It is.');
    await until(() => o.health().state === 'down');
    expect(o.health()).toMatchObject({
      error: 'token_revoked',
      fix: expect.stringMatching(/SLACK_BOT_TOKEN/),
    });
    await o.wire.say('the others work');
    await o.wire.pass(45_000, 5_000);
    expect(await o.posts()).toEqual([]);
    o.slack.dead.clear();
    await o.wire.pass(60_000, 5_000);
    await answer;
    await until(() => o.health().state === 'up');
    expect(await o.posts()).toMatchObject([{ text: 'It is.' }]);
  });

  it('that is wrong from the start keeps nobody from starting', async () => {
    const o = await office({ before: ({ dead }) => void dead.set(BOT_TOKEN, 'invalid_auth') });
    expect(o.health()).toMatchObject({ state: 'down', error: 'invalid_auth' });
    expect((await post(o, said(o))).status).toBe(503);
    o.slack.dead.clear();
    await o.wire.pass(31_000, 1_000);
    await until(() => o.health().state === 'up');
    expect((await post(o, said(o))).status).toBe(200);
  });

  it('that may not do everything: what is missing, and what that costs', async () => {
    const o = await office({
      before: (workspace) => {
        workspace.scopes = ['chat:write', 'channels:history', 'users:read'];
      },
    });
    const { state, missing } = o.health() as { state: string; missing?: string[] };
    expect(state).toBe('limited');
    expect(missing).toContain('reactions:write: cannot react');
    expect(missing?.some((line) => line.startsWith('chat:write:'))).toBe(false);
  });
});
