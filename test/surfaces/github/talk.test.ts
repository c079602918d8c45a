// GitHub end to end: people write in issues, two agents are there, and the counterpart says what people see.
import { describe, expect, it } from 'vitest';
import { until } from '../../wire/host.ts';
import { secret } from '../receiver.ts';
import { BOT, REPOSITORY, type Shown, TOKEN } from './hub.ts';
import { type Office, office } from './office.ts';
import { readable } from './subject.ts';

/** Somebody asks in a busy issue, and the lead answers. */
async function answered(o: Office): Promise<{ number: number; question: string; answer: Shown }> {
  const number = await o.hub.open('bob', 'The build is red', 'since noon');
  await o.hub.say('bob', number, 'it was green yesterday');
  const question = `comment:${await o.hub.say('ada', number, '@earshot is the build green?')}`;
  await o.hub.say('bob', number, 'I looked at the logs');
  const seen = await o.handed(o.lead, question);
  expect(seen).toMatchObject({ policy: 'must_respond', text: '@earshot is the build green?' });
  expect(await o.lead.reply(seen, 'It is **green**.')).toMatchObject({ ok: true });
  const [answer] = await posted(o, number, 1);
  if (answer === undefined) throw new Error('no answer');
  return { number, question, answer };
}

function posted(o: Office, number: number, count: number): Promise<Shown[]> {
  return until(async () => {
    const posts = await o.posts(number);
    return posts.length === count && posts;
  });
}

const woken = ({ seen }: Office['lead']): string[] =>
  seen.flatMap(({ policy, eventId }) => (policy === 'must_not_respond' ? [] : [eventId]));

async function rows(o: Office) {
  return o.wire.host.context.store.scan('log', 'byPosition', { limit: 100 });
}

describe('two agents in a busy repository', () => {
  it('a mention is one turn and one comment in the issue, under the agent’s name; the other agent is quiet', async () => {
    const o = await office();
    const { number, question, answer } = await answered(o);
    expect(answer.body).toMatch(/^<!-- earshot:\S+ -->\n\*\*lead\*\*\n\nIt is \*\*green\*\*\.$/);
    expect(woken(o.lead)).toEqual([question]);
    expect(woken(o.builder)).toEqual([]);
    await o.hub.settled();
    const echoes = o.hub.told.filter(({ event, payload }) => {
      const { login } = payload['sender'] as { login: string };
      return event === 'issue_comment' && login === 'earshot[bot]';
    });
    expect(echoes).toHaveLength(1);
    const ours = (await rows(o)).filter(({ author }) => author === 'agent:lead');
    expect(ours.map(({ record }) => record.event)).toMatchObject([
      { text: 'It is **green**.', conversation: { id: `${REPOSITORY}#${number}` } },
    ]);
  });

  it('a mention in the body of a new issue is answered there', async () => {
    const o = await office();
    const number = await o.hub.open('ada', 'The build is red', '@earshot why?');
    const seen = await o.handed(o.lead, `issue:${number}`);
    expect(seen).toMatchObject({ policy: 'must_respond', text: '> The build is red\n\n@earshot why?' });
    await o.lead.reply(seen, 'A test fails.');
    expect(await posted(o, number, 1)).toHaveLength(1);
  });

  it('the untagged follow-up is answered', async () => {
    const o = await office();
    const { number } = await answered(o);
    const next = `comment:${await o.hub.say('ada', number, 'and the tests?')}`;
    const followUp = await o.handed(o.lead, next);
    expect(followUp.policy).toBe('must_respond');
    await o.lead.reply(followUp, 'Green too.');
    const posts = await posted(o, number, 2);
    expect(posts.map(({ body }) => readable(body))).toEqual(['It is **green**.', 'Green too.']);
    expect(woken(o.builder)).toEqual([]);
  });

  it('thanks are one reaction and no turn', async () => {
    const o = await office();
    const { number } = await answered(o);
    const id = await o.hub.say('ada', number, 'thanks!');
    await o.wire.pass(5_000);
    await until(() => o.hub.reactions.length > 0);
    expect(o.hub.reactions).toMatchObject([
      { on: `issues/comments/${id}`, login: 'earshot[bot]', content: 'eyes' },
    ]);
    const turns = o.lead.seen.filter(
      ({ eventId, policy }) => eventId === `comment:${id}` && policy !== 'ack_only',
    );
    expect(turns).toEqual([]);
    expect(await o.posts(number)).toHaveLength(1);
  });

  it('an edit before the answer is used', async () => {
    const o = await office();
    const number = await o.hub.open('bob', 'A release');
    const id = await o.hub.say('ada', number, '@earshot deploy the old one');
    const body = '@earshot deploy the new one';
    await o.hub.call('ada', `PATCH /repos/${REPOSITORY}/issues/comments/${id}`, { body });
    await o.wire.pass(3_000);
    const seen = await o.lead.next(({ text }) => text.includes('the new one'));
    expect(await o.lead.reply(seen, 'The new one is out.')).toMatchObject({ ok: true });
    await posted(o, number, 1);
  });

  it('a delete cancels', async () => {
    const o = await office();
    const { number } = await answered(o);
    const id = await o.hub.say('ada', number, 'and the tests?');
    const seen = await o.handed(o.lead, `comment:${id}`);
    await o.hub.call('ada', `DELETE /repos/${REPOSITORY}/issues/comments/${id}`);
    await o.hub.settled();
    await o.wire.pass(1_000);
    expect(await o.lead.reply(seen, 'Green too.')).toMatchObject({ ok: false });
    expect(await o.posts(number)).toHaveLength(1);
  });

  it('an assignment is a request to the agent, and one to a person is not', async () => {
    const o = await office({ login: BOT, github: { credentials: { token: secret('GITHUB_TOKEN', TOKEN) } } });
    const number = await o.hub.open('ada', 'The build is red');
    const route = `POST /repos/${REPOSITORY}/issues/${number}/assignees`;
    await o.hub.call('ada', route, { assignees: ['bob'] });
    await o.hub.call('ada', route, { assignees: [BOT] });
    await o.hub.settled();
    await o.wire.pass(3_000);
    const seen = await o.lead.next(({ policy }) => policy === 'must_respond');
    expect(seen.text).toBe('Assigned this to @earshot-bot.');
    expect(woken(o.lead)).toEqual([seen.eventId]);
    expect(woken(o.builder)).toEqual([]);
  });
});

describe('what a model writes', () => {
  it('pings nobody but whom it mentions', async () => {
    const o = await office();
    const number = await o.hub.open('ada', 'Tell everybody', '@earshot tell everybody');
    const seen = await o.handed(o.lead, `issue:${number}`);
    await o.lead.reply(seen, '@acme/everybody @bob and @ada: done', { mentions: ['human:ada'] });
    const [post] = await posted(o, number, 1);
    expect(post?.body.match(/@\w[\w/-]*/g)).toEqual(['@ada']);
  });
});

describe('what came before', () => {
  it('is context for whoever is called below it, and wakes nobody', async () => {
    let number = 0;
    const o = await office({
      async before(hub) {
        number = await hub.open('bob', 'The build is red', '@earshot look at this one day');
        await hub.say('bob', number, 'it was green yesterday');
      },
    });
    const id = await o.hub.say('ada', number, '@earshot is the build green?');
    await o.handed(o.lead, `comment:${id}`);
    const texts = (await rows(o)).map(({ record: { event } }) => 'text' in event && event.text);
    expect(texts).toEqual([
      '> The build is red\n\n@earshot look at this one day',
      'it was green yesterday',
      '@earshot is the build green?',
    ]);
    expect(woken(o.lead)).toEqual([`comment:${id}`]);
  });
});
