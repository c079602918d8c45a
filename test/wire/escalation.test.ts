// An escalation is an event of its own with one recipient. It says who is asked now, wherever one looks: in the event
// that is delivered, in the log, in `why`, in the open set of whoever waits, and in the inbox. Its list is always true:
// an entry leaves it with its debt, everywhere and at once.
import { describe, expect, it } from 'vitest';
import { askBlocked, type Cast, cast, openSet, resultIn, RETURN_MS, STEP_MS } from './debt-cast.ts';
import type { Seen, WireHarness } from './ways.ts';
import { WAYS } from './ways.ts';

/** Long enough for three returns and the escalation after them. Each may come a step late. */
const SPENT_MS = 4 * (RETURN_MS + STEP_MS) + STEP_MS;
const settledBy = (recipient: string) => ({ signal: 'agree', recipient });

interface Escalated extends Cast {
  author: WireHarness;
  worker: WireHarness;
  boss: WireHarness;
  first: string;
  second: string;
}

/** The worker is silent on two questions, of the author and of the boss; both are with its lead by now. */
async function escalated(setting: Cast): Promise<Escalated> {
  const { wire, join } = setting;
  const [author, worker, boss] = [await join('author'), await join('worker'), await join('boss')];
  const first = await askBlocked(author, 'worker', 'Which database?', { blocks: 'degraded' });
  await wire.pass(4 * STEP_MS, STEP_MS);
  const second = await askBlocked(boss, 'worker', 'Which region?', { defaultAction: 'I take eu.' });
  await wire.pass(SPENT_MS, STEP_MS);
  return { ...setting, author, worker, boss, first, second };
}

async function settle(who: WireHarness, question: string): Promise<Record<string, unknown>> {
  return resultIn(await who.tool('chat.react', { inReplyTo: question, ...settledBy('agent:worker') }));
}

const isEscalation = ({ eventId }: Seen): boolean => eventId.includes('/escalation-');
const itemsOf = ({ raw }: Seen): string[] =>
  (raw['escalation'] as { items: { eventId: string }[] }).items.map(({ eventId }) => eventId);

async function inboxOf({ wire }: Cast): Promise<Record<string, unknown>[]> {
  const { body } = await wire.call('GET', '/v1/inbox', await wire.token('operator', 'ops'));
  return body['inbox'] as Record<string, unknown>[];
}

async function shown({ wire }: Cast): Promise<Record<string, unknown>[]> {
  const { body } = await wire.call('GET', '/v1/obligations', await wire.token('operator', 'ops'));
  return body['obligations'] as Record<string, unknown>[];
}

async function logged({ wire }: Cast, type: string): Promise<Record<string, unknown>[]> {
  const { body } = await wire.call('GET', `/v1/log?type=${type}`, await wire.token('operator', 'ops'));
  return body['log'] as Record<string, unknown>[];
}

describe('an escalation names its new recipient', () => {
  it('in the event that is delivered to it, with the whole list [OBL/5/escalation-obliges-one, OBL/5/to-the-coordinator, OBL/5/escalations-merge]', async () => {
    const scene = await cast('websocket', 'chief');
    const chief = await scene.join('chief');
    const { first, second } = await escalated(scene);
    const told = await chief.next((seen) => isEscalation(seen) && itemsOf(seen).length === 2);
    expect(told).toMatchObject({
      policy: 'must_respond',
      mode: 'notify',
      reason: 'obligation',
      raw: {
        recipients: ['agent:chief'],
        obligation: { blocks: 'halted', defaultAction: 'I take eu.' },
        escalation: {
          blockedOn: 'agent:worker',
          items: [
            { eventId: second, author: 'agent:boss', recipient: 'agent:worker', blocks: 'halted' },
            { eventId: first, author: 'agent:author', recipient: 'agent:worker', blocks: 'degraded' },
          ],
        },
      },
    });
    expect(JSON.stringify(told.raw)).not.toMatch(/Which/);
    for (const [question, text] of [
      [first, 'Which database?'],
      [second, 'Which region?'],
    ]) {
      const { events } = resultIn(await chief.tool('chat.read_thread', { inReplyTo: question }));
      expect(events).toMatchObject([{ content: [{ text }] }]);
    }
  });

  it('in the log, in why and to whoever waits [OBL/0/open-looks-open]', async () => {
    const scene = await cast('websocket', 'author');
    const { wire, author, boss, first, second } = await escalated(scene);
    expect(await logged(scene, 'escalation')).toMatchObject([
      {
        targetEventId: first,
        recipients: ['agent:chief'],
        blockedOn: 'agent:worker',
        author: { kind: 'system' },
      },
      { targetEventId: second, recipients: ['agent:chief'], blockedOn: 'agent:worker' },
    ]);
    const { body } = await wire.call('GET', `/v1/why/${first}`, await wire.token('operator', 'ops'));
    const told = (body['later'] as { words: string }[]).map(({ words }) => words).join(' ');
    expect(told).toMatch(/agent:worker does not answer.*agent:chief is asked now/);
    expect(await openSet(author, 'blocked_on')).toMatchObject([
      { eventId: first, recipient: 'agent:worker', state: 'escalated', askedNow: 'agent:chief' },
    ]);
    expect(await openSet(boss, 'blocked_on')).toMatchObject([{ eventId: second, askedNow: 'agent:chief' }]);
    expect(await shown(scene)).toContainEqual(
      expect.objectContaining({ eventId: first, owedBy: 'agent:worker', askedNow: 'agent:chief' }),
    );
  });

  it('in the inbox, when it is a person, once for the whole list [OBL/5/else-to-a-human]', async () => {
    const scene = await cast('websocket', 'author', {
      agents: [{ id: 'author', lead: 'boss' }, { id: 'worker' }, { id: 'boss' }],
      attention: { owner: 'olivia' },
    });
    const { author, first } = await escalated(scene);
    expect(await inboxOf(scene)).toMatchObject([
      {
        kind: 'obligation',
        words: expect.stringMatching(/human:olivia is asked now.*agent:worker.*2 questions/),
        detail: { recipient: 'human:olivia', blockedOn: 'agent:worker' },
      },
    ]);
    expect(await openSet(author, 'blocked_on')).toMatchObject([{ eventId: first, askedNow: 'human:olivia' }]);
  });
});

it('a model reads who does not answer and what waits, with the words of the authors inside the fence', async () => {
  const scene = await cast('sdk', 'chief');
  const prompts: string[] = [];
  await scene.join('chief', { onTurn: ({ user }) => void prompts.push(user) });
  const { first, second } = await escalated(scene);
  const prompt = prompts.findLast((text) => text.includes('escalated_from: agent:worker')) ?? '';
  const [, fence = ''] = /<<<chat (\S+)/.exec(prompt) ?? [];
  const quoted = prompt.slice(prompt.indexOf(`<<<chat ${fence}`), prompt.indexOf(`${fence} chat>>>`));
  expect(quoted.split('\n').slice(1)).toEqual([
    `[${second} agent:boss halted] I take eu.`,
    `[${first} agent:author degraded] I wait.`,
    '',
  ]);
});

describe.each(WAYS)('lists close with their debt, over %s', (way) => {
  it('a discharged debt leaves the list of the escalation, of the open set and of the page at once; the last one ends it [OBL/11/escalation-closes, OBL/9/one-call-each]', async () => {
    const scene = await cast(way, 'chief');
    const chief = await scene.join('chief');
    const { wire, author, boss, first, second } = await escalated(scene);
    const told = await chief.next(isEscalation);
    const listOf = async (): Promise<unknown> => (await openSet(chief, 'owe')).map(({ items }) => items);
    expect(await listOf()).toEqual([[second, first]]);
    expect(await settle(author, first)).toMatchObject({ discharged: true });
    expect(await listOf()).toEqual([[second]]);
    expect((await shown(scene)).map(({ eventId }) => eventId)).not.toContain(first);
    expect(await settle(boss, second)).toMatchObject({ discharged: true });
    expect(await openSet(chief, 'owe')).toEqual([]);
    expect(await shown(scene)).toEqual([]);
    const { body } = await wire.call(
      'GET',
      '/v1/deliveries?agent=chief',
      await wire.token('operator', 'ops'),
    );
    const open = (body['deliveries'] as { settledAt: string | null }[]).filter(
      ({ settledAt }) => settledAt === null,
    );
    expect([told.eventId, open]).toEqual([told.eventId, []]);
  });

  it('discharging the merged one takes off the own entries and leaves the debts open [OBL/5/merged-discharge-stays-above]', async () => {
    const scene = await cast(way, 'author');
    const { author, boss, first, second } = await escalated(scene);
    const [owed] = (await openSet(author, 'may_discharge')).filter(({ eventId }) => eventId !== first);
    expect(owed).toMatchObject({ recipient: 'agent:chief', items: [second, first] });
    const escalation = owed?.eventId ?? '';
    const close = async (who: WireHarness) =>
      resultIn(await who.tool('chat.react', { inReplyTo: escalation, ...settledBy('agent:chief') }));
    expect(await close(author)).toMatchObject({
      discharged: false,
      notDischarged: { reason: 'others_wait' },
    });
    expect(await openSet(author, 'blocked_on')).toMatchObject([
      { eventId: first, state: 'open', askedNow: 'agent:worker' },
    ]);
    expect(await close(boss)).toMatchObject({ discharged: true });
    expect((await openSet(boss, 'blocked_on')).map(({ eventId }) => eventId)).toEqual([second]);
    expect(await openSet(author, 'blocked_on')).toHaveLength(1);
  });
});

it('what waits to be handed over is shortened too, and what comes back has the present list', async () => {
  const scene = await cast('websocket', 'chief');
  const { wire, author, first, second } = await escalated(scene);
  await settle(author, first);
  const chief = await scene.join('chief');
  await wire.pass(3_000);
  await chief.next(isEscalation);
  expect(chief.seen.filter(isEscalation).map(itemsOf)).toEqual([[second]]);
  await wire.pass(2 * RETURN_MS, STEP_MS);
  expect(itemsOf(await chief.next(({ eventId }) => eventId.includes('/return-')))).toEqual([second]);
});

it('an inbox item loses an entry with its debt, and closes with the last one', async () => {
  const scene = await cast('websocket', 'author', {
    agents: [{ id: 'author', lead: 'boss' }, { id: 'worker' }, { id: 'boss' }],
  });
  const { author, boss, first, second } = await escalated(scene);
  const listed = async (): Promise<unknown> =>
    (await inboxOf(scene)).map(({ detail }) =>
      (detail as { items: { eventId: string }[] }).items.map(({ eventId }) => eventId),
    );
  expect(await listed()).toEqual([[second, first]]);
  await settle(author, first);
  expect(await listed()).toEqual([[second]]);
  await settle(boss, second);
  expect(await inboxOf(scene)).toEqual([]);
});

it("a coordinator's own signal moves the escalation on, to the next who is asked [OBL/4/declined-escalates]", async () => {
  const scene = await cast('websocket', 'chief', {
    agents: [
      { id: 'author', lead: 'boss' },
      { id: 'worker', lead: 'chief' },
      { id: 'chief', lead: 'director' },
      { id: 'boss' },
      { id: 'director' },
    ],
  });
  const [chief, director] = [await scene.join('chief'), await scene.join('director')];
  const { author, first } = await escalated(scene);
  const told = await chief.next(isEscalation);
  resultIn(await chief.tool('chat.react', { inReplyTo: told.eventId, signal: 'declined' }));
  expect(await director.next(isEscalation)).toMatchObject({
    raw: { recipients: ['agent:director'], escalation: { blockedOn: 'agent:chief' } },
  });
  expect(await openSet(author, 'blocked_on')).toMatchObject([{ eventId: first, askedNow: 'agent:director' }]);
});
