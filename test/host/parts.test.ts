// A text that is too long for one message of its surface: several messages and one event. Each part is posted, found and
// retried by itself, so that a lost answer or a kill at any moment leaves no hole and shows nothing twice.
import { afterEach, describe, expect, it } from 'vitest';
import { cutText } from '../../src/host/outbox/split-text.ts';
import type { CommitFault } from '../../src/store/memory/open.ts';
import type { Surface } from '../../src/surfaces/surface.ts';
import type { Step } from './fake-surface.ts';
import { type World, world } from './world.ts';

let w: World;
afterEach(async () => expect(await w.sound()).toEqual([]));

const MINUTE = 60_000;
const LONG = ['one '.repeat(20), 'two '.repeat(20), 'three '.repeat(14)]
  .map((part) => part.trim())
  .join('\n\n');
const PARTS = LONG.split('\n\n');
const KEYS = ['lead:k', 'lead:k#2', 'lead:k#3'];

const short =
  (maxChars = 100, maxParts = 20) =>
  (surface: Surface): Surface => ({
    ...surface,
    capabilities: { ...surface.capabilities, maxChars, maxParts },
  });

/** A platform that takes short messages, and cannot be asked for one. */
const deaf = (surface: Surface): Surface => ({
  ...short()(surface),
  capabilities: { ...short()(surface).capabilities, findable: false },
});

async function asked(text = '@lead tell me all', more = {}): Promise<string> {
  const id = await w.say(text, more);
  await w.advance(2_500);
  return id;
}

const keys = (): string[] => w.platform.seen.map(({ key }) => key);

async function said(): Promise<string[]> {
  const rows = await w.logged('message');
  return rows.flatMap(({ record: { event } }) =>
    event.author.id === 'lead' && event.type === 'message' ? [event.text ?? ''] : [],
  );
}

describe('a text that is too long for one message', () => {
  it('is several messages, in order, and one event', async () => {
    w = await world({ surface: short() });
    const lead = await w.harness('lead');
    const id = await asked();
    expect(await lead.reply(id, LONG, { idempotencyKey: 'k' })).toMatchObject({ ok: true });
    expect(w.texts()).toEqual(PARTS);
    expect(keys()).toEqual(KEYS);
    expect(w.platform.posts.map(({ part }) => part)).toEqual([1, 2, 3].map((number) => ({ number, of: 3 })));
    expect(w.platform.posts.map(({ replyTo }) => replyTo?.platformId)).toEqual([id, undefined, undefined]);
    expect(await said()).toEqual([LONG]);
    expect(await w.ended(id)).toBe('responded');
  });

  it('is named by every part: reactions, replies, edits and deletes find it', async () => {
    w = await world({ surface: short() });
    const lead = await w.harness('lead');
    await lead.reply(await asked(), LONG, { idempotencyKey: 'k' });
    const [row] = await w.outbox();
    for (const name of ['p1', 'p2', 'p3']) {
      const reaction = await w.react(name, 'done');
      expect((await w.store.get('log', reaction))?.record.event).toMatchObject({
        targetEventId: row?.eventId,
      });
      const reply = await w.say('and then?', { more: { replyTo: { eventId: name, authorId: 'lead' } } });
      expect((await w.store.get('log', reply))?.record.event).toMatchObject({
        replyTo: { eventId: row?.eventId },
      });
    }
    await w.advance(2_500);
    await lead.call('chat.react', { inReplyTo: row?.eventId, signal: 'done' });
    await w.remove('p2', { by: 'lead', byKind: 'agent' });
    expect((await w.store.get('log', row?.eventId ?? ''))?.record.event).not.toHaveProperty('text');
  });

  it('is replied to at its last part', async () => {
    w = await world({ surface: short(), agents: [{ id: 'lead' }, { id: 'builder', lead: 'lead' }] });
    const lead = await w.harness('lead');
    const builder = await w.harness('builder');
    const id = await asked('@lead who builds it?');
    const task = `${LONG}\n\n@builder can you build it?`;
    await lead.reply(id, task, {
      recipient: 'agent:builder',
      directedness: 'to_me',
      mentions: ['agent:builder'],
    });
    await w.advance(2_500);
    await builder.reply(builder.got.at(-1)?.eventId ?? '', 'It is built.');
    await w.advance(1_000);
    expect(w.platform.posts.at(-1)?.replyTo?.platformId).toBe(`p${w.platform.seen.length - 1}`);
    // One ping, where the name stands.
    expect(w.platform.posts.slice(0, -1).map(({ mentions }) => mentions.length)).toEqual([0, 0, 0, 1]);
  });

  it('is refused by name before anything is posted when it needs more messages than the surface takes', async () => {
    w = await world({ surface: short(100, 2) });
    const lead = await w.harness('lead');
    const id = await asked();
    expect(await lead.reply(id, LONG)).toMatchObject({
      ok: false,
      error: 'too_large',
      data: { limit: 2, unit: 'messages of 100 characters each' },
    });
    expect(w.platform.posts).toEqual([]);
    expect(await lead.reply(id, 'In short: yes.')).toMatchObject({ ok: true });
  });

  it('says which part was refused', async () => {
    w = await world({ surface: short() });
    const lead = await w.harness('lead');
    w.platform.script = ['visible', 'refused'];
    expect(await lead.reply(await asked(), LONG)).toMatchObject({
      ok: false,
      error: 'not_delivered',
      data: { problem: 'part 2 of 3: the channel is archived' },
    });
    expect(w.texts()).toEqual(PARTS.slice(0, 1));
  });

  it('is finished once it has begun, also after a stop', async () => {
    w = await world({ surface: short() });
    const lead = await w.harness('lead');
    const id = await asked();
    w.platform.script = ['visible', 'retry', 'retry'];
    void lead.reply(id, LONG);
    await w.advance(10);
    await w.say('@lead stop');
    await w.advance(MINUTE);
    expect(w.texts().filter((text) => PARTS.includes(text))).toEqual(PARTS);
  });

  it.each(Array.from({ length: 8 }, (_, nth) => nth))(
    'is shown once when the answer to its last part is lost, and commit %i after that by the store',
    async (nth) => {
      let left = Infinity;
      const commit = (): CommitFault => (left-- === 0 ? 'lost' : 'none');
      w = await world({ surface: short(), faults: { commit } });
      const lead = await w.harness('lead');
      const id = await asked();
      w.platform.script = ['visible', 'visible', 'unknown_shown'];
      w.platform.onPost = ({ part }) => {
        if (part?.number === PARTS.length) left = Math.min(left, nth);
      };
      void lead.reply(id, LONG);
      await w.advance(MINUTE);
      expect(w.texts()).toEqual(PARTS);
      expect(await said()).toEqual([LONG]);
      w.errors.length = 0; // the commit that was lost
    },
  );

  it('keeps its cuts when the limit of the surface changes in between', async () => {
    let limit = 100;
    w = await world({ surface: (surface) => short(limit)(surface) });
    const lead = await w.harness('lead');
    const id = await asked();
    w.platform.script = ['visible', 'hang'];
    void lead.reply(id, LONG, { idempotencyKey: 'k' });
    await w.advance(10);
    limit = 40;
    await w.crash(MINUTE);
    await w.advance(MINUTE);
    expect(w.texts()).toEqual(PARTS);
  });

  it('keeps the keys of its parts apart from what an agent calls its messages', async () => {
    w = await world({ surface: short() });
    w.platform.idempotentPosts = true;
    const lead = await w.harness('lead');
    await lead.reply(await asked(), LONG, { idempotencyKey: 'k' });
    await lead.reply(await asked('@lead more'), 'And this.', { idempotencyKey: 'k#2' });
    await lead.reply(await asked('@lead and more'), `${LONG} again`, { idempotencyKey: 'k#3' });
    await w.advance(1_000);
    expect(w.texts()).toEqual([...PARTS, 'And this.', ...PARTS.slice(0, 2), `${PARTS[2]} again`]);
    expect(new Set(keys()).size).toBe(7);
  });
});

/** An answer of 30,000 characters with everything that is hard to cut. */
const REPORT = Array.from({ length: 44 }, (_, index) =>
  [
    `## Step ${index}: 日本語の見出し 👩‍👩‍👧‍👦`,
    'A paragraph with `code`, **bold words** and [a link](https://example.org/a_(b)). '.repeat(3),
    `1. first\n   - nested\n     - deeper\n\n     \`\`\`sh\n     echo ${'x'.repeat(60)}\n     \`\`\`\n2. second`,
    `| name | value |\n| --- | --- |\n${`| key ${index} | ${'v'.repeat(20)} |\n`.repeat(4)}`,
    `\`\`\`ts\n${`const value${index} = compute(${index});\n`.repeat(4)}\`\`\``,
  ].join('\n\n'),
).join('\n\n');

it('an answer of 30,000 characters arrives whole, whatever happens between its parts', async () => {
  expect(REPORT.length).toBeGreaterThan(30_000);
  w = await world({ surface: short(2_900) });
  const lead = await w.harness('lead');
  const id = await asked();
  const fates: Step[] = ['visible', 'hang', 'unknown_shown', 'visible', 'unknown_lost', 'retry', 'throw'];
  w.platform.script = Array.from({ length: 60 }, (_, index) => fates[index % fates.length] ?? 'visible');
  void lead.reply(id, REPORT, { idempotencyKey: 'k' });
  for (let kills = 0; kills < 30; kills++) {
    await w.advance(20_000);
    await w.crash(1_000);
  }
  w.platform.script = [];
  await w.advance(10 * MINUTE);
  const parts = cutText(REPORT, 2_900);
  expect(w.texts()).toEqual(parts.map(({ opened, body, closed }) => opened + body + closed));
  expect(parts.map(({ gap, body }) => gap + body).join('')).toBe(REPORT.trimEnd());
  expect(await said()).toEqual([REPORT]);
  expect(await w.ended(id)).toBe('responded');
});

describe('a kill or a lost answer', () => {
  const steps: Step[] = ['hang', 'unknown_shown', 'unknown_lost', 'retry', 'throw', 'account'];
  const moments = steps.flatMap((step) =>
    [0, 1, 2].flatMap((at) => [true, false].map((kill) => ({ step, at, kill }))),
  );

  it.each(moments)(
    'at part $at + 1 ($step, killed: $kill) leaves no hole and no repeat',
    async ({ step, at, kill }) => {
      w = await world({ surface: short() });
      const lead = await w.harness('lead');
      const id = await asked();
      w.platform.script = [...Array.from({ length: at }, () => 'visible' as const), step];
      void lead.reply(id, LONG, { idempotencyKey: 'k' });
      await w.advance(10);
      if (kill) await w.crash(1_000);
      await w.advance(5 * MINUTE);
      expect(keys()).toEqual(KEYS);
      expect(w.texts()).toEqual(PARTS);
      expect(await said()).toEqual([LONG]);
      expect(await w.ended(id)).toBe('responded');
    },
  );

  it('is looked for under the key of the part', async () => {
    w = await world({ surface: short() });
    const lead = await w.harness('lead');
    w.platform.script = ['visible', 'unknown_shown'];
    void lead.reply(await asked(), LONG, { idempotencyKey: 'k' });
    await w.advance(MINUTE);
    expect(w.platform.finds).toEqual(['lead:k#2']);
  });
});

const echoed = (id: string, marks: object): Promise<{ status: string; eventId: string }[]> =>
  w.ingest({ ...w.event('two', { id, by: 'lead', byKind: 'agent' }), ...marks });

describe('a part that the platform hands back', () => {
  it('is no second event, by its key or by its id, before and after the others are visible', async () => {
    w = await world({ surface: short() });
    const lead = await w.harness('lead');
    w.platform.script = ['visible', 'hang'];
    void lead.reply(await asked(), LONG, { idempotencyKey: 'k' });
    await w.advance(10);
    const [row] = await w.outbox();
    const part = { status: 'repeat', eventId: row?.eventId, seq: 0 };
    expect(await echoed('x1', { echoOf: 'lead:k', platformId: 'p1' })).toMatchObject([part]);
    expect(await echoed('x2', { platformId: 'p1' })).toMatchObject([part]);
    expect(await said()).toEqual([]);
    await w.crash(MINUTE);
    await w.advance(MINUTE);
    expect(w.texts()).toEqual(PARTS);
    for (const [id, key, platformId] of [
      ['x3', 'lead:k#2', 'p2'],
      ['x4', 'lead:k', 'p1'],
    ])
      expect(await echoed(id ?? '', { echoOf: key, platformId })).toMatchObject([
        { status: 'repeat', eventId: row?.eventId },
      ]);
    expect(await said()).toEqual([LONG]);
    expect((await w.outbox())[0]?.platformId).toBe('p3');
  });

  it('says more than an answer that never comes, also where the platform cannot be asked', async () => {
    w = await world({ surface: deaf });
    const lead = await w.harness('lead');
    w.platform.script = ['visible', 'hang'];
    void lead.reply(await asked(), LONG, { idempotencyKey: 'k' });
    await w.advance(10);
    await echoed('x2', { echoOf: 'lead:k#2', platformId: 'p-two' });
    await w.advance(5 * MINUTE);
    expect(w.platform.posts.map(({ idempotencyKey }) => idempotencyKey)).toEqual(KEYS);
    expect(await said()).toEqual([LONG]);
    expect(await w.inbox()).toEqual([]);
  });

  it('proves that part visible, so it is not posted again', async () => {
    w = await world({ surface: short() });
    const lead = await w.harness('lead');
    w.platform.script = ['visible', 'unknown_shown'];
    w.platform.findKnows = false;
    void lead.reply(await asked(), LONG, { idempotencyKey: 'k' });
    await w.advance(10);
    await echoed('x2', { echoOf: 'lead:k#2', platformId: 'p2' });
    await w.advance(5 * MINUTE);
    expect(keys()).toEqual(KEYS);
    expect(await said()).toEqual([LONG]);
  });
});
