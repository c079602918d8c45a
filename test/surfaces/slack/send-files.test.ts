// Files that agents send to Slack: the text and then its files, once each, whatever breaks on the way. The counterpart
// says what people see.
import { describe, expect, it } from 'vitest';
import type { Fault } from '../fault-proxy.ts';
import { until } from '../../wire/host.ts';
import { type Office, office } from './office.ts';
import { BOT, type Shown } from './workspace.ts';

const CSV = 'day,builds\nmonday,7\n';
const FILES = [
  { name: 'builds.csv', text: CSV },
  { name: 'chart.png', base64: Buffer.from([137, 80, 78, 71, 0, 255]).toString('base64') },
];

/** Ada asks for the numbers, and the lead answers with files. */
async function answered(o: Office, attachments: object[] = FILES): Promise<{ root: string; answer: Answer }> {
  const root = await o.slack.say('ada', `<@${BOT}> how many builds?`);
  const question = await o.handed(o.lead, root);
  const answer = o.lead.reply(question, 'Here are the numbers.', { attachments });
  return { root, answer };
}
type Answer = ReturnType<Office['lead']['reply']>;

const isShare = ({ files = [] }: Shown): boolean => files.length > 0;

/** Everything of the send that people see: the texts, and the names of files in each share. */
async function shown(o: Office): Promise<{ texts: string[]; shares: string[][] }> {
  const posts = await o.posts();
  return {
    texts: posts.flatMap((post) => (isShare(post) ? [] : [post.text])),
    shares: posts.filter(isShare).map(({ files = [] }) => files.map(({ name }) => name)),
  };
}

async function logged(o: Office) {
  const rows = await o.wire.host.context.store.scan('log', 'byPosition', { limit: 100 });
  return rows.filter(({ author }) => author === 'agent:lead');
}

/** Until the send is visible as the host knows it. */
function visible(o: Office): Promise<unknown> {
  return until(async () => {
    await o.wire.pass(1_000);
    return (await logged(o)).length > 0;
  }, 'the send in the log');
}

const ONCE = { texts: ['Here are the numbers.'], shares: [['builds.csv', 'chart.png']] };

describe('files of an agent on Slack', () => {
  it('come after its text in the same thread; they are one event, and another agent reads them', async () => {
    const o = await office();
    const { root, answer } = await answered(o);
    expect(await answer).toMatchObject({ ok: true, result: { status: 'sent' } });
    expect(await shown(o)).toEqual(ONCE);
    expect((await o.posts()).map(({ thread_ts }) => thread_ts)).toEqual([root, root]);
    await o.wire.pass(5_000);
    const rows = await logged(o);
    expect(rows).toHaveLength(1);
    const event = rows[0]?.record.event;
    expect(event).toMatchObject({
      text: 'Here are the numbers.',
      attachments: [
        { kind: 'file', name: 'builds.csv', bytes: CSV.length, contentType: 'text/csv' },
        { kind: 'image', name: 'chart.png', bytes: 6, contentType: 'image/png' },
      ],
    });
    const [file] = event !== undefined && 'attachments' in event ? (event.attachments ?? []) : [];
    const read = await o.builder.tool('chat.read_attachment', { attachmentId: file?.id });
    expect(read).toMatchObject({ ok: true, result: { text: CSV, eventId: rows[0]?.key } });
    const asked = o.slack.proxy.requests.filter(({ path }) => path.endsWith('/files.info'));
    expect(asked).toHaveLength(1); // where it is shared, and never for the bytes
  });

  it('are known when Slack hands them back as an event before it answers', async () => {
    const o = await office();
    const { answer } = await answered(o);
    await answer;
    await o.wire.pass(5_000);
    const back = o.slack.told.filter(({ event }) => event['subtype'] === 'file_share');
    expect(back).toHaveLength(1);
    expect(await logged(o)).toHaveLength(1);
    expect(await shown(o)).toEqual(ONCE);
  });

  const STEPS = [
    'files.getUploadURLExternal',
    'upload/v1',
    'chat.postMessage',
    'files.completeUploadExternal',
    'files.info',
  ];
  const BROKEN: Fault[] = ['limited', 'failed', 'reset_before', 'reset_after'];

  it.each(STEPS)('are shown once when %s is limited, fails and breaks before and after', async (step) => {
    const o = await office();
    const faults = [...BROKEN];
    o.slack.proxy.fault = (path) => (path.includes(step) ? (faults.shift() ?? 'pass') : 'pass');
    const { answer } = await answered(o);
    await visible(o);
    await answer;
    expect(faults).toEqual([]);
    expect(await shown(o)).toEqual(ONCE);
    expect(await logged(o)).toHaveLength(1);
  });

  it('that Slack does not take leave no text behind, and the agent is told why', async () => {
    const o = await office();
    o.slack.refused.set('files.getUploadURLExternal', 'missing_scope');
    const { answer } = await answered(o);
    expect(await answer).toMatchObject({
      ok: false,
      name: 'not_delivered',
      message: expect.stringContaining('missing_scope'),
    });
    expect(await shown(o)).toEqual({ texts: [], shares: [] });
    const { store } = o.wire.host.context;
    expect(await store.stats()).toMatchObject({ file: 0 });
  });

  it('whose upload has expired are uploaded again', async () => {
    const o = await office();
    let times = 0;
    o.slack.proxy.fault = (path) => {
      if (!path.includes('files.completeUploadExternal') || times++ > 0) return 'pass';
      o.slack.refused.set('files.completeUploadExternal', 'file_not_found');
      return 'pass';
    };
    const { answer } = await answered(o);
    await until(() => o.slack.proxy.requests.some(({ path }) => path.endsWith('/files.info')));
    o.slack.refused.clear();
    await visible(o);
    await answer;
    expect(await shown(o)).toEqual(ONCE);
  });

  it('are not uploaded to an address that is not Slack’s', async () => {
    const o = await office();
    o.slack.uploadsTo = 'https://uploads.example.com/x';
    const { answer } = await answered(o);
    expect(await answer).toMatchObject({ ok: false, name: 'not_delivered' });
    expect(await shown(o)).toEqual({ texts: [], shares: [] });
  });
});
