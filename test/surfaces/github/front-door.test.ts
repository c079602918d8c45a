// One login, several agents, end to end: nobody configured an account. A mention of the login is a call at the front door,
// and so are an assignment to it and a requested review.
import { expect, it } from 'vitest';
import { until } from '../../wire/host.ts';
import type { WireHarness } from '../../wire/ways.ts';
import { secret } from '../receiver.ts';
import { BOT, REPOSITORY, TOKEN } from './hub.ts';
import { type Office, type OfficeOptions, office } from './office.ts';

const DEFAULT = { conversations: [{ match: REPOSITORY, defaultResponder: 'builder' }] };
const shared = (attention: OfficeOptions['attention'] = DEFAULT): Promise<Office> =>
  office({ accounts: 'learnt', attention });

const woken = ({ seen }: WireHarness): string[] =>
  seen.flatMap(({ policy, eventId }) => (policy === 'must_not_respond' ? [] : [eventId]));

it('a mention is for the agent that is named beside it, whose answer has its name', async () => {
  const o = await shared();
  const number = await o.hub.open('ada', 'The build', '@earshot lead: is it green?');
  const seen = await o.handed(o.lead, `issue:${number}`);
  expect(seen.policy).toBe('must_respond');
  await o.lead.reply(seen, 'It is.');
  const [post] = await until(async () => {
    const posts = await o.posts(number);
    return posts.length === 1 && posts;
  });
  expect(post?.body).toMatch(/\n\*\*lead\*\*\n\nIt is\.$/);
  expect(woken(o.builder)).toEqual([]);
  // Below its answer, the login is that agent.
  const id = await o.hub.say('bob', number, '@earshot and the tests?');
  await o.handed(o.lead, `comment:${id}`);
  expect(woken(o.builder)).toEqual([]);
});

it('without a name it is for the default responder of the repository', async () => {
  const o = await shared();
  const number = await o.hub.open('ada', 'The build', '@earshot is it green?');
  expect(await o.handed(o.builder, `issue:${number}`)).toMatchObject({ policy: 'must_respond' });
  expect(woken(o.lead)).toEqual([]);
});

it('a team calls whom the settings say', async () => {
  const o = await shared({ ...DEFAULT, groups: { 'acme/ops': 'lead' } });
  const number = await o.hub.open('ada', 'The build', '@acme/ops is it green?');
  expect(await o.handed(o.lead, `issue:${number}`)).toMatchObject({ policy: 'must_respond' });
  expect(woken(o.builder)).toEqual([]);
});

it('an assignment to the login is one agent’s request', async () => {
  const o = await office({
    accounts: 'learnt',
    attention: DEFAULT,
    login: BOT,
    github: { credentials: { token: secret('GITHUB_TOKEN', TOKEN) } },
  });
  const number = await o.hub.open('ada', 'The build');
  await o.hub.call('ada', `POST /repos/${REPOSITORY}/issues/${number}/assignees`, { assignees: [BOT] });
  await o.hub.settled();
  await o.wire.pass(3_000);
  const seen = await o.builder.next(({ policy }) => policy === 'must_respond');
  expect(seen.text).toContain(`Assigned this to @${BOT}.`);
  expect(woken(o.lead)).toEqual([]);
});
