// Slack end to end: people write in a workspace, two agents are there, and the counterpart says what people see.
import { describe, expect, it } from 'vitest';
import { until } from '../../wire/host.ts';
import { type Office, office } from './office.ts';
import { BOT } from './workspace.ts';

/** Somebody asks in a busy channel, and the lead answers. */
async function answered(o: Office): Promise<{ root: string; answer: string }> {
  await o.slack.say('bob', 'lunch was good');
  await o.slack.say('bob', 'did anybody see the game?');
  const root = await o.slack.say('ada', `<@${BOT}> is the build green?`);
  await o.slack.say('bob', 'it was a great game');
  const question = await o.handed(o.lead, root);
  expect(question).toMatchObject({ policy: 'must_respond', text: '@earshot is the build green?' });
  expect(await o.lead.reply(question, 'It is **green**.')).toMatchObject({ ok: true });
  const [answer] = await until(async () => {
    const posts = await o.posts();
    return posts.length > 0 && posts;
  });
  return { root, answer: answer?.ts ?? '' };
}

const woken = ({ seen }: Office['lead']): string[] =>
  seen.flatMap(({ policy, eventId }) => (policy === 'must_not_respond' ? [] : [eventId]));

describe('two agents in a busy channel', () => {
  it('a mention is one turn and one reply in its thread, under the agent’s name; the other agent is quiet', async () => {
    const o = await office();
    const { root } = await answered(o);
    expect(await o.posts()).toMatchObject([{ text: 'It is **green**.', thread_ts: root, username: 'lead' }]);
    expect(woken(o.lead)).toEqual([root]);
    expect(woken(o.builder)).toEqual([]);
    const echo = o.slack.told.filter(({ event }) => event['user'] === BOT && event['type'] === 'message');
    expect(echo).toHaveLength(1);
    const rows = await o.wire.host.context.store.scan('log', 'byPosition', { limit: 100 });
    expect(rows.filter(({ author }) => author === 'agent:lead')).toHaveLength(1);
  });

  it('the untagged follow-up in the thread is answered there', async () => {
    const o = await office();
    const { root } = await answered(o);
    const next = await o.slack.say('ada', 'and the tests?', { thread_ts: root });
    const followUp = await o.handed(o.lead, next);
    expect(followUp.policy).toBe('must_respond');
    await o.lead.reply(followUp, 'Green too.');
    const posts = await until(async () => {
      const all = await o.posts();
      return all.length === 2 && all;
    });
    expect(posts.map(({ thread_ts }) => thread_ts)).toEqual([root, root]);
    expect(woken(o.builder)).toEqual([]);
  });

  it('thanks are one reaction and no turn', async () => {
    const o = await office();
    const { root } = await answered(o);
    const thanks = await o.slack.say('ada', 'thanks!', { thread_ts: root });
    await o.wire.pass(5_000);
    const message = await until(async () =>
      (await o.slack.shown()).find(({ ts, reactions = [] }) => ts === thanks && reactions.length > 0),
    );
    expect(message.reactions).toMatchObject([{ name: 'eyes', users: [BOT] }]);
    expect(o.lead.seen.filter(({ eventId, policy }) => eventId === thanks && policy !== 'ack_only')).toEqual(
      [],
    );
    expect(await o.posts()).toHaveLength(1);
    // Our own reaction is told by Slack too, and changes nothing.
    const rows = await o.wire.host.context.store.scan('log', 'byPosition', { limit: 100 });
    expect(rows.filter(({ type }) => type === 'reaction')).toHaveLength(1);
  });

  it('an edit before the answer is used', async () => {
    const o = await office();
    const { channel } = o.slack;
    const ts = await o.slack.say('ada', `<@${BOT}> deploy the old one`);
    await o.slack.call('ada', 'chat.update', { channel, ts, text: `<@${BOT}> deploy the new one` });
    await o.wire.pass(3_000);
    const seen = await o.lead.next(({ text }) => text.includes('the new one'));
    expect(await o.lead.reply(seen, 'The new one is out.')).toMatchObject({ ok: true });
    await until(async () => (await o.posts()).length === 1);
    expect((await o.posts())[0]).toMatchObject({ thread_ts: ts });
  });

  it('a delete cancels, also in a thread that Slack does not name', async () => {
    const o = await office();
    const { channel } = o.slack;
    const { root } = await answered(o);
    const ts = await o.slack.say('ada', 'and the tests?', { thread_ts: root });
    const seen = await o.handed(o.lead, ts);
    await o.slack.call('ada', 'chat.delete', { channel, ts });
    await o.wire.pass(1_000);
    expect(await o.lead.reply(seen, 'Green too.')).toMatchObject({ ok: false });
    expect(await o.posts()).toHaveLength(1);
  });

  it('a reaction on an answer in a thread is about that answer', async () => {
    const o = await office();
    const { root, answer } = await answered(o);
    await o.slack.call('ada', 'reactions.add', { channel: o.slack.channel, timestamp: answer, name: '+1' });
    await o.wire.pass(1_000);
    const rows = await o.wire.host.context.store.scan('log', 'byPosition', { limit: 100 });
    const reaction = rows.find(({ type, author }) => type === 'reaction' && author.startsWith('human:'));
    expect(reaction?.record.event).toMatchObject({
      signal: 'agree',
      conversation: { id: root, kind: 'thread' },
    });
  });

  it('a direct message is for the agent', async () => {
    const attention = { conversations: [{ match: '*', defaultResponder: 'lead' }] };
    const o = await office({ attention });
    const { channel } = await o.slack.call('ada', 'conversations.open', { users: BOT });
    const { id } = channel as { id: string };
    const ts = await o.slack.say('ada', 'is the build green?', { channel: id });
    const seen = await o.handed(o.lead, ts);
    expect(seen).toMatchObject({ policy: 'must_respond', reason: 'direct_message' });
    expect(await o.lead.reply(seen, 'It is.')).toMatchObject({ ok: true });
    const told = await until(() =>
      o.slack.told.find(({ event }) => event['user'] === BOT && event['type'] === 'message'),
    );
    expect(told.event).toMatchObject({ channel: id, text: 'It is.' });
    expect(told.event).not.toHaveProperty('thread_ts');
  });
});

describe('an agent corrects itself', () => {
  it('in the thread: people see the new words once, nobody is pinged or woken, and Slack’s word of it is no second event', async () => {
    const o = await office();
    await answered(o);
    const { store } = o.wire.host.context;
    const [sent] = await store.scan('outbox', 'bySurface', { eq: ['slack', 'visible'], limit: 1 });
    const eventId = sent?.eventId;
    const text = `It was **red**, <@${o.slack.users.bob}> and builder know.`;
    expect(await o.lead.tool('chat.edit_message', { eventId, text })).toMatchObject({ ok: true });
    const [post, ...others] = await o.posts();
    expect(others).toEqual([]);
    expect(post?.text).toMatch(/^It was \*\*red\*\*, /);
    expect(post?.text).not.toContain(`<@${o.slack.users.bob}>`);
    expect(post).toMatchObject({ username: 'lead' });
    await o.wire.pass(5_000);
    expect(woken(o.builder)).toEqual([]);
    expect(await o.lead.tool('chat.delete_message', { eventId })).toMatchObject({ ok: true });
    expect(await o.posts()).toEqual([]);
    const told = o.slack.told.map(({ event }) => event['subtype']);
    expect(told).toEqual(expect.arrayContaining(['message_changed', 'message_deleted']));
    const rows = await store.scan('log', 'byPosition', { limit: 100 });
    const amended = rows.filter(({ type }) => type === 'edit' || type === 'delete');
    expect(amended.map(({ type, author }) => [type, author])).toEqual([
      ['edit', 'agent:lead'],
      ['delete', 'agent:lead'],
    ]);
  });

  it('also where the server knows no Markdown', async () => {
    const o = await office({ before: (slack) => void (slack.markdown = false) });
    await answered(o);
    const { store } = o.wire.host.context;
    const [sent] = await store.scan('outbox', 'bySurface', { eq: ['slack', 'visible'], limit: 1 });
    const edit = { eventId: sent?.eventId, text: 'It was red & <b>late</b>.' };
    expect(await o.lead.tool('chat.edit_message', edit)).toMatchObject({ ok: true });
    expect(await o.posts()).toMatchObject([{ text: 'It was red &amp; &lt;b&gt;late&lt;/b&gt;.' }]);
  });

  it('what a person has deleted there is gone: an edit of it is refused', async () => {
    const o = await office();
    const { answer } = await answered(o);
    await o.slack.call('bot', 'chat.delete', { channel: o.slack.channel, ts: answer });
    await o.wire.pass(1_000);
    const { store } = o.wire.host.context;
    const [sent] = await store.scan('outbox', 'bySurface', { eq: ['slack', 'visible'], limit: 1 });
    const refused = await o.lead.tool('chat.edit_message', { eventId: sent?.eventId, text: 'Back.' });
    expect(refused).toMatchObject({ ok: false, name: 'already_deleted' });
  });
});

describe('what a model writes', () => {
  it('pings nobody but whom it mentions', async () => {
    const o = await office();
    const ts = await o.slack.say('ada', `<@${BOT}> tell everybody`);
    const seen = await o.handed(o.lead, ts);
    const { users } = o.slack;
    await o.lead.reply(seen, `<!channel> @here <@${users.bob}> and @ada: done`, {
      mentions: [`human:${users.ada}`],
    });
    const [post] = await until(async () => {
      const all = await o.posts();
      return all.length === 1 && all;
    });
    const pings = post?.text.match(/<[@!][^>]*>/g);
    expect(pings).toEqual([`<@${users.ada}>`]);
    expect(post?.text).not.toMatch(/@here/);
  });
});
