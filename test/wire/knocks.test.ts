// A knock says what kind of task waits, how many, where and how old, in the host's own words, and not a byte of what
// people wrote. What it withholds is pulled with the tool it names.
import { describe, expect, it } from 'vitest';
import { isKnockTopic } from '../../src/protocol/knock-topic.ts';
import { askBlocked, cast, resultIn, RETURN_MS, STEP_MS } from './debt-cast.ts';
import { type WireHost, type WireHostOptions } from './host.ts';
import { hostWith, type Seen, WAYS, type Way, type WireHarness } from './ways.ts';

const THREAD = { in: 't-1', thread: 'general' } as const;

interface Knock {
  topic: string;
  from: string;
  where: string;
  pullWith: string;
}

const knockOf = ({ raw }: Seen): Knock | undefined => raw['knock'] as Knock | undefined;

/** Two agents have spoken in the thread, the other one last: what follows there is a knock for each. */
async function inThread(
  way: Way,
  options: WireHostOptions = {},
): Promise<{ wire: WireHost; lead: WireHarness; topics: () => string[] }> {
  const { wire, agent: lead } = await hostWith(way, 'lead', options, { onTurn: spokenTo });
  await wire.say('@lead shall we ship?', THREAD);
  await wire.pass(3_000);
  const first = await lead.next(({ text }) => text.includes('shall we ship'));
  if (way !== 'sdk') resultIn(await lead.reply(first, 'Yes.'));
  await wire.pass(1_000);
  await wire.say('I built it this morning.', { ...THREAD, by: 'builder', byKind: 'agent' });
  const topics = (): string[] => lead.seen.flatMap((seen) => knockOf(seen)?.topic ?? []);
  return { wire, lead, topics };
}

/** Knocks that wait ride on the agent's next turn. */
const ridden: string[] = [];
function spokenTo(
  turn: Parameters<NonNullable<Parameters<typeof hostWith>[3]>['onTurn'] & object>[0],
): string {
  ridden.push(...turn.knocks.map(({ knock }) => knock?.topic ?? ''));
  return 'Yes.';
}

const WITHOUT_SDK = WAYS.filter((way) => way !== 'sdk');

describe.each(WITHOUT_SDK)('over %s', (way) => {
  it('says how many questions and requests wait in the thread and how old the oldest is, never a word of them [C2A-06-02/notify/knock-fields, C2A-06-02/notify/content-withheld, C2A-06-02/notify/topic-is-the-hosts, C2A-06-02/notify/pull-with]', async () => {
    // The lease of a pull is longer than the test, so that nothing comes twice.
    const { wire, lead, topics } = await inThread(way, { host: { limits: { visibilityMs: 3_600_000 } } });
    const asked = [
      ['what about the kumquat migration?', 'bob'],
      ['which region does the kumquat go to?', 'carol'],
      ['please also restart the kumquat worker', 'bob'],
    ] as const;
    for (const [text, by] of asked) {
      await wire.say(text, { ...THREAD, by });
      await wire.pass(61_000, STEP_MS);
    }
    await lead.next((seen) => knockOf(seen)?.topic.includes('request') === true, 'the third knock');
    expect(topics()).toEqual([
      'question in your thread',
      '2 questions in your thread, oldest 1 min',
      '2 questions and a request in your thread, oldest 2 min',
    ]);
    for (const seen of lead.seen.filter((one) => knockOf(one) !== undefined)) {
      expect(JSON.stringify(seen.raw)).not.toContain('kumquat');
      const { pullWith } = knockOf(seen) as Knock;
      expect(pullWith).toBe('chat.read_thread');
      const read = resultIn(await lead.tool('chat.read_thread', { inReplyTo: seen.eventId }));
      expect(JSON.stringify(read)).toContain('kumquat');
    }
  });

  it('names the kind of task that the platform knows, and begins to count anew once the agent has spoken', async () => {
    const { wire, lead, topics } = await inThread(way);
    await wire.say('what about the kumquat migration?', { ...THREAD, by: 'bob' });
    await wire.pass(3_000);
    const knock = await lead.next((seen) => knockOf(seen) !== undefined);
    resultIn(await lead.reply(knock, 'It went well.'));
    await wire.pass(1_000);
    await wire.say('Twice.', { ...THREAD, by: 'builder', byKind: 'agent' });
    await wire.say('the kumquat looks odd', {
      ...THREAD,
      by: 'carol',
      more: { subtype: 'review_requested' },
    });
    await wire.pass(3_000);
    await lead.next((seen) => knockOf(seen)?.topic.includes('review') === true);
    expect(topics()).toEqual(['question in your thread', 'review request in your thread']);
  });
});

it('reaches a model of the SDK with its next turn, in the same words', async () => {
  ridden.length = 0;
  const { wire } = await inThread('sdk');
  await wire.say('what about the kumquat migration?', { ...THREAD, by: 'bob' });
  await wire.pass(61_000, STEP_MS);
  await wire.say('please also restart the kumquat worker', { ...THREAD, by: 'carol' });
  await wire.pass(3_000);
  await wire.say('@lead and you?', THREAD);
  await wire.pass(5_000);
  expect(ridden).toEqual([
    'question in your thread',
    'a question and a request in your thread, oldest 1 min',
  ]);
});

it('a role mention says what is asked of the role, an owed answer what hangs on it and how many wait', async () => {
  const { wire, join } = await cast('websocket', 'chief', {
    agents: [
      { id: 'author', lead: 'boss' },
      { id: 'worker', lead: 'chief', roles: ['ops'] },
      { id: 'chief' },
      { id: 'boss' },
    ],
  });
  const [author, worker, chief] = [await join('author'), await join('worker'), await join('chief')];
  await wire.say('please restart the kumquat', {
    more: { mentions: [{ kind: 'role', id: 'ops' }] },
  });
  await wire.pass(3_000);
  expect(knockOf(await worker.next((seen) => knockOf(seen) !== undefined))?.topic).toBe(
    'request to your role',
  );
  await askBlocked(author, 'worker', 'Which kumquat?', { blocks: 'degraded' });
  await wire.pass(1_000);
  await askBlocked(author, 'worker', 'And where?', { blocks: 'halted' });
  await wire.pass(5 * (RETURN_MS + STEP_MS), STEP_MS);
  const returned = await worker.next(({ eventId }) => eventId.endsWith('/return-1'));
  expect(knockOf(returned)?.topic).toBe('owed answer, 1 min old, work slowed');
  const escalated = chief.seen.flatMap((seen) => knockOf(seen)?.topic ?? []);
  expect(escalated.at(0)).toBe('2 owed answers, oldest 4 min, work halted');
  expect(escalated.every(isKnockTopic)).toBe(true);
});
