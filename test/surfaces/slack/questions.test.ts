// Approvals by buttons in Slack, end to end: the real host and the real SDK, and the counterpart says what people see.
import { describe, expect, it } from 'vitest';
import { until } from '../../wire/host.ts';
import { type Acts, actingOffice, buttonsOf, type Way } from './acts.ts';
import type { Office, OfficeOptions } from './office.ts';
import { BOT, type Shown } from './workspace.ts';

const WAYS: readonly Way[] = ['http', 'socket'];
const WAITS = 'A person has to approve my answer before I can post it.';

/** Ada may approve what is about money, Bob may not. */
const APPROVERS: OfficeOptions = {
  host: ({ team, users }) => ({
    sensitive: [{ reason: 'money', words: ['refund'] }],
    approvers: [`slack/${team}/${users.ada}`],
  }),
};

interface Waiting {
  o: Office;
  acts: Acts;
  root: string;
  question: Shown;
}

/** Bob asks, and the lead's answer waits for a person. */
async function waiting(way: Way, options: OfficeOptions = {}): Promise<Waiting> {
  const { o, acts } = await actingOffice(way, { ...APPROVERS, ...options });
  const root = await o.slack.say('bob', `<@${BOT}> can I have my money back?`);
  const asked = await o.handed(o.lead, root);
  expect(await o.lead.reply(asked, 'Yes: a refund of 5.')).toMatchObject({ ok: false });
  const [question] = await until(async () => {
    const posts = await o.posts();
    return posts.length === 1 && posts;
  }, 'the question');
  if (question === undefined) throw new Error('there is no question');
  return { o, acts, root, question };
}

const seenNow = async (o: Office, ts: string): Promise<Shown> => {
  const found = (await o.posts()).find((one) => one.ts === ts);
  if (found === undefined) throw new Error('it is gone');
  return found;
};

describe.each(WAYS)('an answer that waits for a person, over %s', (way) => {
  it('is a question with buttons in its thread; who may not is told alone; who may approves; it is posted once', async () => {
    const { o, acts, root, question } = await waiting(way);
    const { users } = o.slack;
    expect(question).toMatchObject({ thread_ts: root, username: 'lead', text: WAITS });
    expect(buttonsOf(question)).toEqual(['Approve', 'Decline', 'Show it to me']);
    expect(JSON.stringify(question)).not.toContain('refund');

    expect(await acts.press('bob', question, 'Approve')).toMatchObject({ status: 200 });
    const refused = await until(() => o.slack.alone[0], 'the word to Bob');
    expect(refused).toMatchObject({ user: users.bob, thread_ts: root, by: 'response_url' });
    expect(refused.text).toMatch(/^You may not decide this/);
    expect(await o.posts()).toHaveLength(1);
    expect(buttonsOf(await seenNow(o, question.ts))).toHaveLength(3);

    await acts.press('ada', question, 'Show it to me');
    const shown = await until(() => o.slack.alone[1], 'the text for Ada');
    expect(shown).toMatchObject({
      user: users.ada,
      text: expect.stringContaining('Yes: a refund of 5.'),
    });

    await acts.press('ada', question, 'Approve');
    await o.wire.pass(1_000);
    const posts = await until(async () => {
      const all = await o.posts();
      return all.length === 2 && buttonsOf(all[0] ?? question).length === 0 && all;
    }, 'the answer');
    expect(posts).toMatchObject([
      { ts: question.ts, thread_ts: root },
      { text: 'Yes: a refund of 5.', thread_ts: root, username: 'lead' },
    ]);
    expect(posts[0]?.text).toBe(`${WAITS}\nApproved by ada.`);
    expect(JSON.stringify(posts[0]?.blocks)).toContain('Approved by ada.');
    expect(o.slack.alone.slice(2)).toMatchObject([
      { user: users.ada, text: 'Approved. It is posted now.', thread_ts: root },
    ]);

    // The same once more, and another button under an old view of the message.
    await acts.again();
    await acts.press('ada', question, 'Decline');
    await until(() => o.slack.alone.length === 5, 'two more words to Ada');
    await o.wire.pass(5_000);
    expect(await o.posts()).toEqual(posts);
    expect(o.slack.alone.slice(3).map(({ text }) => text)).toEqual(
      Array.from({ length: 2 }, () => expect.stringMatching(/closed already/)),
    );
    // Our own change of the message is told by Slack too, and is no event.
    const rows = await o.wire.host.context.store.scan('log', 'byPosition', { limit: 100 });
    expect(rows.filter(({ type }) => type === 'edit')).toEqual([]);
    expect(o.health().ignored).toEqual({});
  });

  it('is not posted when it is declined, and the question says who did that', async () => {
    const { o, acts, question } = await waiting(way);
    await acts.press('ada', question, 'Decline');
    await o.wire.pass(3_000);
    const ended = await until(async () => {
      const now = await seenNow(o, question.ts);
      return buttonsOf(now).length === 0 && now;
    }, 'the end of the question');
    expect(ended.text).toBe(`${WAITS}\nDeclined by ada.`);
    expect((await o.posts()).map(({ text }) => text)).not.toContain('Yes: a refund of 5.');
    await o.lead.next(({ notices }) => notices.includes('declined'), 'the refusal');
  });
});

describe('a question with buttons', () => {
  it('loses them too when it is decided in the inbox, or too late', async () => {
    const { o, question } = await waiting('http');
    const token = await o.wire.token('operator', 'ops');
    const { body } = await o.wire.call('GET', '/v1/inbox?open=true', token);
    const [item] = body['inbox'] as { key: string }[];
    await o.wire.call('POST', `/v1/inbox/${encodeURIComponent(item?.key ?? '')}/approve`, token);
    await until(async () => (await seenNow(o, question.ts)).text === `${WAITS}\nApproved by ops.`);
    const late = await waiting('http', {
      host: (slack) => ({ ...APPROVERS.host?.(slack), limits: { approvalMs: 20_000 } }),
    });
    await late.o.wire.pass(25_000);
    await until(
      async () => (await seenNow(late.o, late.question.ts)).text === `${WAITS}\nNobody decided in time.`,
    );
  });

  it('is asked in plain blocks where Slack knows no Markdown in them, and the next message has Markdown', async () => {
    const { o, question } = await waiting('http', {
      before: (workspace) => void (workspace.markdownBlocks = false),
    });
    expect(question.blocks?.map(({ type }) => type)).toEqual(['section', 'actions']);
    const ts = await o.slack.say('ada', `<@${BOT}> is the build green?`);
    await o.lead.reply(await o.handed(o.lead, ts), 'It is **green**.');
    await until(async () => (await o.posts()).some(({ text }) => text === 'It is **green**.'));
  });

  it('is asked once, and found when the answer to asking was lost', async () => {
    let lost = 0;
    const { o, question } = await waiting('http', {
      before: ({ proxy }) => {
        proxy.fault = (path) => (path.endsWith('/chat.postMessage') && lost++ === 0 ? 'reset_after' : 'pass');
      },
    });
    await o.wire.pass(10_000);
    expect(lost).toBe(1);
    expect(await o.posts()).toMatchObject([{ ts: question.ts }]);
  });

  it('tells the person by an ephemeral message where Slack’s address for the answer does not work', async () => {
    const { o, acts, root, question } = await waiting('http');
    o.slack.responseUrl = () => 'https://elsewhere.example/hook';
    await acts.press('bob', question, 'Decline');
    expect(await until(() => o.slack.alone[0])).toMatchObject({
      user: o.slack.users.bob,
      by: 'ephemeral',
      thread_ts: root,
    });
  });
});
