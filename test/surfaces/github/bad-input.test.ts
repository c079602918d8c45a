// What GitHub, or somebody who pretends to be GitHub, may send: nothing unsigned is stored, nothing malformed stops the
// stream, and everything that is left out is counted by name.
import { describe, expect, it } from 'vitest';
import { sign } from '../../../src/surfaces/github/signature.ts';
import { until } from '../../wire/host.ts';
import { secret } from '../receiver.ts';
import { BOT, REPOSITORY, TOKEN, WEBHOOK_SECRET } from './hub.ts';
import { type Office, office } from './office.ts';

interface Posting {
  path?: string;
  secret?: string;
  headers?: Record<string, string | undefined>;
}

async function post(
  o: Office,
  body: unknown,
  options: Posting = {},
): Promise<{ status: number; text: string }> {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const headers = {
    'content-type': 'application/json',
    'x-github-event': 'issue_comment',
    'x-github-delivery': 'd-1',
    'x-hub-signature-256': sign(options.secret ?? WEBHOOK_SECRET, bytes),
    ...options.headers,
  };
  const given = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const response = await fetch(`${o.wire.url}/v1/surfaces/${options.path ?? 'github/events'}`, {
    method: 'POST',
    body: bytes,
    headers: Object.fromEntries(given) as Record<string, string>,
  });
  return { status: response.status, text: await response.text() };
}

function said(o: Office, more: Record<string, unknown> = {}, comment: Record<string, unknown> = {}): object {
  const at = new Date(o.wire.clock.now()).toISOString();
  const ada = { login: 'ada', type: 'User' };
  const times = { created_at: at, updated_at: at };
  return {
    action: 'created',
    repository: { full_name: REPOSITORY },
    sender: ada,
    issue: { number: 1, title: 'One', body: '', user: ada, ...times },
    comment: { id: 900, body: 'hello', user: ada, ...times, ...comment },
    ...more,
  };
}

async function stored(o: Office): Promise<string[]> {
  const rows = await o.wire.host.context.store.scan('log', 'byPosition', { limit: 100 });
  return rows.map(({ key }) => key);
}

describe('a request', () => {
  it('that is not signed or wrongly signed is refused, and nothing is stored', async () => {
    const o = await office();
    const cases: Posting[] = [
      { secret: 'another secret' },
      { headers: { 'x-hub-signature-256': 'sha256=00' } },
      { headers: { 'x-hub-signature-256': undefined } },
    ];
    for (const one of cases) expect((await post(o, said(o), one)).status).toBe(401);
    expect(await stored(o)).toEqual([]);
    expect(o.health().ignored).toEqual({ bad_signature: 2, unsigned: 1 });
    expect((await post(o, said(o))).status).toBe(200);
    expect(await stored(o)).toEqual(['issue:1', 'comment:900']);
  });

  it('is stored once however often it comes', async () => {
    const o = await office();
    const body = said(o);
    for (let n = 0; n < 3; n++) expect((await post(o, body)).status).toBe(200);
    expect(await stored(o)).toHaveLength(2);
  });

  it.each<[string, unknown, number, string]>([
    ['no JSON', '{', 400, 'not JSON'],
    ['a list', [], 400, 'body: '],
    ['no comment', { action: 'created', repository: { full_name: REPOSITORY } }, 400, 'issue: '],
    ['no name of a repository', { action: 'created', repository: { full_name: 'app' } }, 400, 'full_name'],
    ['larger than 1 MB', { text: 'x'.repeat(1_100_000) }, 413, 'larger'],
  ])('that is %s is refused by name', async (_, body, status, text) => {
    const o = await office();
    const answer = await post(o, body);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(text);
    expect(await stored(o)).toEqual([]);
  });

  it.each<[string, Record<string, unknown>, Posting, number, Record<string, number>]>([
    ['no event', {}, { headers: { 'x-github-event': undefined } }, 400, { malformed: 1 }],
    ['an unknown event', {}, { headers: { 'x-github-event': 'star' } }, 200, { star: 1 }],
    ['a greeting', {}, { headers: { 'x-github-event': 'ping' } }, 200, {}],
    ['another repository', { repository: { full_name: 'acme/other' } }, {}, 200, { unknown_repository: 1 }],
    ['another installation', { installation: { id: 1 } }, {}, 200, { unknown_installation: 1 }],
    ['an unknown action', { action: 'pinned' }, {}, 200, {}],
  ])('with %s is left out, and the stream goes on', async (_, more, options, status, ignored) => {
    const o = await office();
    expect((await post(o, said(o, more), options)).status).toBe(status);
    expect(o.health().ignored).toEqual(ignored);
    expect(await stored(o)).toEqual([]);
    const number = await o.hub.open('ada', 'and on it goes');
    expect(await stored(o)).toEqual([`issue:${number}`]);
  });

  it('with an unknown field is taken, and with what the host does not take it is counted with the reason', async () => {
    const o = await office();
    expect((await post(o, said(o, { hologram: { deep: [1] } }))).status).toBe(200);
    const odd = { id: 901, user: { login: 'a\uD800', type: 'User' } };
    expect((await post(o, said(o, {}, odd))).status).toBe(200);
    expect(await stored(o)).toEqual(['issue:1', 'comment:900']);
    expect(o.health().ignored).toEqual({ 'refused: author.id: not well-formed Unicode': 1 });
  });

  it.each(['github/hooks', 'nobody/events'])('to %s finds nothing', async (path) => {
    const o = await office();
    expect((await post(o, said(o), { path })).status).toBe(404);
  });
});

describe('a token', () => {
  const asBot = {
    login: BOT,
    github: { credentials: { token: secret('GITHUB_TOKEN', TOKEN) } },
  };

  it('that is revoked while it runs: down with what to do, sends are kept, and back within a minute of a new one', async () => {
    const o = await office(asBot);
    const number = await o.hub.open('ada', 'The build', `@${BOT} is it green?`);
    const seen = await o.handed(o.lead, `issue:${number}`);
    o.hub.dead.add(TOKEN);
    const answer = o.lead.reply(seen, 'It is.');
    await until(() => o.health().state === 'down');
    expect(o.health()).toMatchObject({
      error: 'Bad credentials',
      fix: expect.stringMatching(/GITHUB_TOKEN/),
    });
    await o.wire.say('the others work');
    await o.wire.pass(45_000, 5_000);
    expect(await o.posts(number)).toEqual([]);
    o.hub.dead.clear();
    await o.wire.pass(60_000, 5_000);
    await answer;
    await until(() => o.health().state === 'up');
    expect(await o.posts(number)).toHaveLength(1);
  });

  it('that is wrong from the start keeps nobody from starting', async () => {
    const o = await office({ ...asBot, before: ({ dead }) => void dead.add(TOKEN) });
    expect(o.health()).toMatchObject({ state: 'down', error: 'Bad credentials' });
    expect((await post(o, said(o))).status).toBe(503);
    o.hub.dead.clear();
    await o.wire.pass(31_000, 1_000);
    await until(() => o.health().state === 'up');
    expect((await post(o, said(o))).status).toBe(200);
  });

  it.each([
    [secret('GITHUB_TOKEN', undefined), 'GITHUB_TOKEN is missing'],
    [secret('GITHUB_TOKEN', ''), 'Bad credentials'],
  ])('that is missing is told by its name', async (token, error) => {
    const o = await office({
      ...asBot,
      before: ({ dead }) => void dead.add(''),
      github: { credentials: { token } },
    });
    expect(o.health()).toMatchObject({ state: 'down', error });
  });

  it('that may not do everything: what is missing, and what that costs', async () => {
    const o = await office({
      ...asBot,
      github: { ...asBot.github, repositories: [REPOSITORY, 'acme/secret'] },
      before: (hub) => {
        hub.scopes = 'read:user';
      },
    });
    expect(o.health()).toMatchObject({
      state: 'limited',
      missing: [
        'repo: cannot answer',
        expect.stringMatching(/^acme\/secret: hears and says nothing there \(Not Found/),
      ],
    });
  });
});

describe('the key of an app', () => {
  it('that is no key is told at once', async () => {
    const privateKey = secret('GITHUB_PRIVATE_KEY', 'nonsense');
    const o = await office({ github: { credentials: { appId: 1, privateKey } } });
    expect(o.health()).toMatchObject({ state: 'down', error: 'it is no private key in PEM' });
  });

  it('of an app that is not installed: what that costs', async () => {
    const o = await office({ github: { repositories: [REPOSITORY, 'bob/notes'] } });
    expect(o.health()).toMatchObject({
      state: 'limited',
      missing: ['bob/notes: the app is not installed there'],
    });
  });
});
