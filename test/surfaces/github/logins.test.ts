// One login for each agent, still one surface: an app for the lead and an account for the builder. What both hear is one
// event, and each agent comments and reacts as itself.
import { describe, expect, it } from 'vitest';
import { until } from '../../wire/host.ts';
import type { WireHarness } from '../../wire/ways.ts';
import { secret } from '../receiver.ts';
import { APP, BUILDER, BUILDER_TOKEN, REPOSITORY, type Shown, WEBHOOK_SECRET } from './hub.ts';
import { type Office, type OfficeOptions, office } from './office.ts';
import { readable } from './subject.ts';

const MINUTE = 60_000;
const BUILDER_LOGIN = {
  agents: ['builder'],
  credentials: { token: secret('GITHUB_TOKEN_BUILDER', BUILDER_TOKEN) },
  webhookSecret: secret('GITHUB_WEBHOOK_SECRET_BUILDER', WEBHOOK_SECRET),
};

async function twoLogins(options: OfficeOptions = {}): Promise<Office> {
  const o = await office({
    accounts: 'learnt',
    ...options,
    webhook: false,
    github: { agents: ['lead'], more: [BUILDER_LOGIN], everyMs: MINUTE, ...options.github },
  });
  const events = `${o.wire.url}/v1/surfaces/github/events`;
  if (options.webhook !== false) o.hub.listen(`${events}/lead`, `${events}/builder`);
  return o;
}

const woken = ({ seen }: WireHarness): string[] =>
  seen.flatMap(({ policy, eventId }) => (policy === 'must_not_respond' ? [] : [eventId]));

async function commentsBy(o: Office, number: number, login: string, count: number): Promise<Shown[]> {
  return until(async () => {
    await o.wire.pass(500);
    const all = (await o.hub.comments(number)).filter(({ user }) => user.login === login);
    return all.length === count && all;
  });
}

/** Ids of everything that was said, as often as it is in the log. */
async function said(o: Office): Promise<string[]> {
  const rows = await o.wire.host.context.store.scan('log', 'byPosition', { limit: 1_000 });
  return rows.flatMap(({ key, type, author }) =>
    type === 'message' ? [author.startsWith('agent:') ? author : key] : [],
  );
}

describe('an app and an account in one repository', () => {
  it('a mention of each is for its agent, is one event, and is answered as itself', async () => {
    const o = await twoLogins();
    const number = await o.hub.open('ada', 'The build', '@earshot is it green?');
    await o.lead.reply(await o.handed(o.lead, `issue:${number}`), 'It is.');
    const [answer] = await commentsBy(o, number, APP, 1);
    const id = await o.hub.say('bob', number, `@${BUILDER} can you build it?`);
    const seen = await o.handed(o.builder, `comment:${id}`);
    expect(seen).toMatchObject({ policy: 'must_respond', reason: 'mention' });
    await o.builder.reply(seen, 'I can.');
    const [other] = await commentsBy(o, number, BUILDER, 1);
    expect([answer, other].map((one) => one?.body.split('\n').slice(1).join('\n'))).toEqual([
      'It is.',
      'I can.',
    ]);
    await o.wire.pass(2 * MINUTE, 10_000);
    expect(await said(o)).toEqual([`issue:${number}`, 'agent:lead', `comment:${id}`, 'agent:builder']);
    expect([woken(o.lead), woken(o.builder)]).toEqual([[`issue:${number}`], [`comment:${id}`]]);
  });

  it('the reactions of each are its own', async () => {
    const o = await twoLogins();
    const number = await o.hub.open('ada', 'The build', `@earshot @${BUILDER} is it green?`);
    for (const who of [o.lead, o.builder]) {
      const { eventId } = await o.handed(who, `issue:${number}`);
      expect(await who.tool('chat.react', { inReplyTo: eventId, signal: 'seen' })).toMatchObject({
        ok: true,
      });
    }
    await until(() => o.hub.reactions.length === 2);
    expect(o.hub.reactions.map(({ login, content }) => [login, content])).toEqual([
      [APP, 'eyes'],
      [BUILDER, 'eyes'],
    ]);
  });

  it('an assignment to a login is for its agent', async () => {
    const o = await twoLogins();
    const number = await o.hub.open('ada', 'The build');
    await o.hub.call('ada', `POST /repos/${REPOSITORY}/issues/${number}/assignees`, { assignees: [BUILDER] });
    await o.hub.settled();
    await o.wire.pass(3_000);
    const seen = await o.builder.next(({ policy }) => policy === 'must_respond');
    expect(seen.text).toContain(`Assigned this to @${BUILDER}.`);
    expect(woken(o.lead)).toEqual([]);
  });
});

const POLLS = /\/issues\/comments$/;

describe('polling', () => {
  it('is done by one login, the first that sees the repository; the next takes over when it is dead', async () => {
    const o = await twoLogins({
      webhook: false,
      github: {
        agents: ['builder'],
        credentials: BUILDER_LOGIN.credentials,
        more: [
          {
            agents: ['lead'],
            credentials: { token: secret('GITHUB_TOKEN_LEAD', 'ghp-tests-of-earshot') },
          },
        ],
      },
    });
    const polls = (): string[] => [
      ...new Set(o.hub.calls.flatMap(({ token, path }) => (POLLS.test(path) ? [token] : []))),
    ];
    const number = await o.hub.open('ada', 'The build');
    const first = await o.hub.say('ada', number, 'one');
    await until(async () => {
      await o.wire.pass(10_000, 5_000);
      return o.logged(`comment:${first}`);
    });
    expect(polls().filter((token) => token.startsWith('ghp-'))).toEqual([BUILDER_TOKEN]);
    o.hub.dead.add(BUILDER_TOKEN);
    const second = await o.hub.say('ada', number, 'two');
    await until(async () => {
      await o.wire.pass(10_000, 5_000);
      return o.logged(`comment:${second}`);
    });
    expect(o.health()).toMatchObject({
      state: 'limited',
      missing: [expect.stringMatching(/^login builder: .*put it into GITHUB_TOKEN_BUILDER/)],
    });
    const once = [`issue:${number}`, `comment:${first}`, `comment:${second}`];
    expect((await said(o)).toSorted()).toEqual(once.toSorted());
  });
});

describe('one token is revoked', () => {
  it('its sends are kept, the other goes on; back within a minute', async () => {
    const o = await twoLogins();
    const number = await o.hub.open('ada', 'The build', `@earshot @${BUILDER} is it green?`);
    const toLead = await o.handed(o.lead, `issue:${number}`);
    const toBuilder = await o.handed(o.builder, `issue:${number}`);
    o.hub.dead.add(BUILDER_TOKEN);
    const kept = o.builder.reply(toBuilder, 'I can build it.');
    await until(async () => {
      await o.wire.pass(500);
      return o.health().state === 'limited';
    });
    await o.lead.reply(toLead, 'It is.');
    expect((await commentsBy(o, number, APP, 1)).map(({ body }) => readable(body))).toEqual(['It is.']);
    o.hub.dead.clear();
    const renewedAt = o.wire.clock.now();
    await commentsBy(o, number, BUILDER, 1);
    expect(o.wire.clock.now() - renewedAt).toBeLessThanOrEqual(60_000);
    expect(await kept).toMatchObject({ ok: true });
    await until(() => o.health().state === 'up');
  });
});

it('a repository that only one login sees is heard through it', async () => {
  const o = await twoLogins({ before: (hub) => void hub.blind.add(BUILDER_TOKEN) });
  expect(o.health()).toMatchObject({
    state: 'limited',
    missing: [expect.stringMatching(/^login builder: acme/)],
  });
  const number = await o.hub.open('ada', 'The build', '@earshot is it green?');
  await o.lead.reply(await o.handed(o.lead, `issue:${number}`), 'It is.');
  await commentsBy(o, number, APP, 1);
});
