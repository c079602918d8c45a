// Pull requests: a review thread is a thread of its own, a requested review is a request, and a link leads to its message.
import { describe, expect, it } from 'vitest';
import { until } from '../../wire/host.ts';
import { secret } from '../receiver.ts';
import { BOT, REPOSITORY, type Shown, TOKEN } from './hub.ts';
import { type Office, type OfficeOptions, office } from './office.ts';
import { readable } from './subject.ts';

const asBot: OfficeOptions = {
  login: BOT,
  github: { credentials: { token: secret('GITHUB_TOKEN', TOKEN) } },
};

/** Somebody opens a pull request; answers with its number. */
async function pullRequest(o: Office, body = ''): Promise<number> {
  const pull = { title: 'Mend the build', body, head: 'fix', base: 'main' };
  const { number } = await o.hub.call<{ number: number }>('ada', `POST /repos/${REPOSITORY}/pulls`, pull);
  await o.hub.settled();
  return number;
}

async function review(o: Office, number: number, body: string, more: object = {}): Promise<number> {
  const route = `POST /repos/${REPOSITORY}/pulls/${number}/comments`;
  const comment = { body, path: 'README.md', line: 1, side: 'RIGHT', ...more };
  const { id } = await o.hub.call<{ id: number }>('ada', route, comment);
  await o.hub.settled();
  return id;
}

async function replies(o: Office, number: number): Promise<Shown[]> {
  const all = await o.hub.call<Shown[]>('ada', `GET /repos/${REPOSITORY}/pulls/${number}/comments`);
  return all.filter(({ user }) => user.login === BOT);
}

describe('a review thread', () => {
  it('is answered where it was asked, and its follow-up too', async () => {
    const o = await office(asBot);
    const number = await pullRequest(o);
    const root = await review(o, number, `@${BOT} why this line?`);
    const seen = await o.handed(o.lead, `review_comment:${root}`);
    expect(seen.policy).toBe('must_respond');
    expect(await o.logged(seen.eventId)).toMatchObject({
      conversation: { id: `${REPOSITORY}#${number}/r${root}`, parentId: REPOSITORY },
    });
    await o.lead.reply(seen, 'It was missing.');
    await until(async () => (await replies(o, number)).length === 1);
    const next = await review(o, number, 'and the test?', { in_reply_to_id: root });
    await o.lead.reply(await o.handed(o.lead, `review_comment:${next}`), 'It follows.');
    const all = await until(async () => {
      const posts = await replies(o, number);
      return posts.length === 2 && posts;
    });
    expect(all.map(({ body, in_reply_to_id: to }) => [readable(body), to])).toEqual([
      ['It was missing.', root],
      ['It follows.', root],
    ]);
    expect(await o.posts(number)).toEqual([]);
  });

  it('an answer in it is edited, with mark and name kept, and deleted; what GitHub tells of it is no second event', async () => {
    const o = await office(asBot);
    const number = await pullRequest(o);
    const seen = await o.handed(o.lead, `review_comment:${await review(o, number, `@${BOT} why?`)}`);
    const answer = await o.lead.reply(seen, 'It was mising.');
    const eventId = answer.ok ? answer.result['eventId'] : undefined;
    const [before] = await replies(o, number);
    const text = 'It was missing, says @ada.';
    expect(await o.lead.tool('chat.edit_message', { eventId, text })).toMatchObject({ ok: true });
    await o.hub.settled();
    const [after] = await replies(o, number);
    expect(after?.body.split('\n').slice(0, 2)).toEqual(before?.body.split('\n').slice(0, 2));
    expect(readable(after?.body ?? '')).toMatch(/^It was missing, says @\S?ada\.$/);
    expect(readable(after?.body ?? '')).not.toContain('@ada');
    expect(await o.lead.tool('chat.delete_message', { eventId })).toMatchObject({ ok: true });
    await o.hub.settled();
    expect(await replies(o, number)).toEqual([]);
    expect(await o.lead.tool('chat.delete_message', { eventId })).toMatchObject({
      result: { replayed: true },
    });
    const told = o.hub.told.map(({ payload }) => payload['action']);
    expect(told).toEqual(expect.arrayContaining(['edited', 'deleted']));
    const rows = await o.wire.host.context.store.scan('log', 'byPosition', { limit: 100 });
    const amended = rows.filter(({ type }) => type === 'edit' || type === 'delete');
    expect(amended.map(({ type, author }) => [type, author])).toEqual([
      ['edit', 'agent:lead'],
      ['delete', 'agent:lead'],
    ]);
  });

  it('has reactions of its own', async () => {
    const o = await office(asBot);
    const number = await pullRequest(o);
    const root = await review(o, number, `@${BOT} why this line?`);
    const seen = await o.handed(o.lead, `review_comment:${root}`);
    for (const signal of ['agree', 'working'])
      expect(await o.lead.tool('chat.react', { inReplyTo: seen.eventId, signal })).toMatchObject({
        ok: true,
      });
    await until(() => o.hub.reactions.length > 0);
    // GitHub has nothing for working: it counts as shown, and nobody is told of a failure.
    await o.wire.pass(5_000);
    expect(o.hub.reactions).toMatchObject([{ on: `pulls/comments/${root}`, content: '+1' }]);
    const { store } = o.wire.host.context;
    expect(await store.scan('outbox', 'bySurface', { eq: ['github', 'failed'], limit: 5 })).toEqual([]);
  });
});

describe('a pull request', () => {
  it('whose review is requested from the agent is a request to it', async () => {
    const o = await office(asBot);
    const number = await pullRequest(o);
    const route = `POST /repos/${REPOSITORY}/pulls/${number}/requested_reviewers`;
    await o.hub.call('ada', route, { reviewers: [BOT] });
    await o.hub.settled();
    await o.wire.pass(3_000);
    const seen = await o.lead.next(({ text }) => text.includes('Requested a review'));
    expect(seen.policy).toBe('must_respond');
    await o.lead.reply(seen, 'I will look.');
    await until(async () => (await o.posts(number)).length === 1);
  });

  it('that is reviewed says so in its thread', async () => {
    const o = await office(asBot);
    const number = await pullRequest(o);
    const route = `POST /repos/${REPOSITORY}/pulls/${number}/reviews`;
    const { id } = await o.hub.call<{ id: number }>('bob', route, {
      event: 'APPROVE',
      body: `@${BOT} merge it?`,
    });
    await o.hub.settled();
    const seen = await o.handed(o.lead, `review:${id}`);
    expect(seen).toMatchObject({
      policy: 'must_respond',
      text: `Approved these changes.\n\n@${BOT} merge it?`,
    });
  });
});

/** What `earshot why` answers to a link: the status, and the words of the event. */
async function why(o: Office, link: string): Promise<[number, string | undefined]> {
  const path = `/v1/why/${encodeURIComponent(link)}`;
  const { status, body } = await o.wire.call('GET', path, await o.wire.token('operator', 'ops'));
  return [status, (body as { event?: { text?: string } }).event?.text];
}

describe('earshot why', () => {
  it('takes a link to any comment of a review thread', async () => {
    const o = await office(asBot);
    const number = await pullRequest(o);
    const root = await review(o, number, 'why this line?');
    const reply = await review(o, number, 'and that one?', { in_reply_to_id: root });
    const at = `http://127.0.0.1/${REPOSITORY}/pull/${number}#discussion_r`;
    expect(await why(o, `${at}${root}`)).toEqual([200, 'why this line?']);
    expect(await why(o, `${at}${reply}`)).toEqual([200, 'and that one?']);
    expect((await why(o, `${at}999`))[0]).toBe(404);
  });

  it('takes a link of GitHub, also to what an agent said', async () => {
    const o = await office();
    const number = await o.hub.open('ada', 'The build', '@earshot is it green?');
    const seen = await o.handed(o.lead, `issue:${number}`);
    await o.lead.reply(seen, 'It is.');
    const [post] = await until(async () => {
      const posts = await o.posts(number);
      return posts.length === 1 && posts;
    });
    const at = `http://127.0.0.1/${REPOSITORY}/issues/${number}`;
    expect(await why(o, at)).toEqual([200, '> The build\n\n@earshot is it green?']);
    expect(await why(o, `${at}#issuecomment-${post?.id}`)).toEqual([200, 'It is.']);
    expect((await why(o, `${at}#issuecomment-999`))[0]).toBe(404);
  });
});
