// What the recipient's signals do to its own debt, on the wire: the table of the obligations text, row by row. Ada, a
// person, has asked the worker in a channel; the worker reacts by tool over a real transport.
import { describe, expect, it } from 'vitest';
import { type Cast, cast, openSet, resultIn, RETURN_MS, STEP_MS } from './debt-cast.ts';
import type { WireHarness } from './ways.ts';

interface Owed extends Cast {
  worker: WireHarness;
  chief: WireHarness;
  question: string;
  signal: (...signals: string[]) => Promise<void>;
  /** So many intervals pass. */
  wait: (intervals: number) => Promise<void>;
  /** The returns that have reached the worker. */
  returns: () => string[];
}

async function owed(): Promise<Owed> {
  const setting = await cast('websocket', 'worker');
  const { wire, join } = setting;
  const [worker, chief] = [await join('worker'), await join('chief')];
  const question = await wire.say('@worker which region?', {
    more: { recipients: ['agent:worker'], obligation: { blocks: 'halted', defaultAction: 'I take eu.' } },
  });
  await wire.pass(3_000);
  await worker.next(({ eventId }) => eventId === question);
  return {
    ...setting,
    worker,
    chief,
    question,
    signal: async (...signals) => {
      for (const signal of signals)
        resultIn(await worker.tool('chat.react', { inReplyTo: question, signal }));
    },
    wait: (intervals) => wire.pass(intervals * RETURN_MS + STEP_MS, STEP_MS),
    returns: () =>
      worker.seen.flatMap(({ eventId }) =>
        eventId.includes('/return-') ? [eventId.replace(question, '')] : [],
      ),
  };
}

async function debts({ wire }: Cast): Promise<Record<string, unknown>[]> {
  const { body } = await wire.call('GET', '/v1/obligations', await wire.token('operator', 'ops'));
  return body['obligations'] as Record<string, unknown>[];
}

async function inbox({ wire }: Cast): Promise<Record<string, unknown>[]> {
  const { body } = await wire.call('GET', '/v1/inbox', await wire.token('operator', 'ops'));
  return body['inbox'] as Record<string, unknown>[];
}

describe("the recipient's signals", () => {
  it.each(['seen', 'claimed', 'agree'])(
    '%s changes nothing: it comes back in its time [OBL/4/seen-changes-nothing, OBL/4/claimed-changes-nothing, OBL/4/agree-changes-nothing]',
    async (signal) => {
      const scene = await owed();
      await scene.signal(signal);
      await scene.wait(1);
      expect(scene.returns()).toEqual(['/return-1']);
    },
  );

  it.each([['working'], ['queued'], ['working', 'queued'], ['queued', 'queued']])(
    '%s %s puts the next return off by one interval, once in total [OBL/4/working-extends, OBL/4/queued-extends, OBL/4/extends-once]',
    async (...signals) => {
      const scene = await owed();
      await scene.signal(...signals);
      await scene.wait(1);
      expect(scene.returns()).toEqual([]);
      await scene.wait(1);
      expect(scene.returns()).toEqual(['/return-1']);
    },
  );

  it('done is recorded and shown, and the debt still returns [OBL/4/done-is-evidence, OBL/8/read-by-actor]', async () => {
    const scene = await owed();
    await scene.signal('done');
    expect(await debts(scene)).toMatchObject([{ eventId: scene.question, doneAt: expect.any(String) }]);
    const react = async (by: string, signal: string, more: object = {}): Promise<void> => {
      const event = scene.wire.event('', { by });
      const { text: _text, ...base } = event as unknown as Record<string, unknown>;
      await scene.wire.post({ ...base, type: 'reaction', targetEventId: scene.question, signal, ...more });
    };
    // What others signal is not the recipient's word: nothing is put off, and nothing escalates.
    for (const signal of ['working', 'declined', 'blocked']) await react('bob', signal);
    await scene.wait(1);
    expect(scene.returns()).toEqual(['/return-1']);
    expect(scene.chief.seen.filter(({ eventId }) => eventId.includes('/escalation-'))).toEqual([]);
    // The very same signal of the author closes it.
    await react('ada', 'done', { recipient: 'agent:worker' });
    expect(await debts(scene)).toEqual([]);
  });

  it.each(['declined', 'blocked'])(
    '%s escalates at once [OBL/4/declined-escalates, OBL/4/blocked-escalates]',
    async (signal) => {
      const scene = await owed();
      await scene.signal(signal);
      const told = await scene.chief.next(({ eventId }) => eventId.includes('/escalation-'));
      expect(told).toMatchObject({ policy: 'must_respond', mode: 'notify' });
      await scene.wait(3);
      expect(scene.returns()).toEqual([]);
    },
  );

  it('unclear pauses the returns and makes the author owe an explanation; an edit of the question resumes [OBL/4/unclear-pauses, OBL/4/unclear-opens-reciprocal, OBL/4/edit-resumes]', async () => {
    const scene = await owed();
    await scene.signal('unclear');
    expect(await debts(scene)).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ eventId: scene.question, state: 'paused' }),
        expect.objectContaining({ kind: 'reciprocal', owedBy: 'human:ada', owedTo: 'agent:worker' }),
      ]),
    );
    expect(await inbox(scene)).toMatchObject([{ kind: 'obligation', detail: { recipient: 'human:ada' } }]);
    await scene.wait(3);
    expect(scene.returns()).toEqual([]);
    const { eventId, at, platform, workspaceId, conversation, author } = scene.wire.event('', {});
    const edit = { eventId, at, platform, workspaceId, conversation, author };
    await scene.wire.post({
      ...edit,
      type: 'edit',
      targetEventId: scene.question,
      text: '@worker eu or us?',
    });
    expect(await debts(scene)).toMatchObject([{ eventId: scene.question, state: 'open' }]);
    expect(await inbox(scene)).toEqual([]);
    await scene.wait(1);
    expect(scene.returns()).toEqual(['/return-1']);
  });

  it('a new obligating event on the question resumes too [OBL/4/new-event-resumes]', async () => {
    const scene = await owed();
    await scene.signal('unclear');
    await scene.wire.say('@worker I mean the new one: eu or us?', {
      more: {
        replyTo: { eventId: scene.question },
        recipients: ['agent:worker'],
        obligation: { blocks: 'halted', defaultAction: 'I take eu.' },
      },
    });
    expect((await debts(scene)).map(({ kind, state }) => [kind, state])).toEqual([
      ['question', 'open'],
      ['question', 'open'],
    ]);
    await scene.wait(1);
    expect(scene.returns()).toContain('/return-1');
  });

  it("the author's debt has a ladder of its own: an agent that asked is reminded by knocks, at the longer interval of what was left to its mailbox, then its lead is asked [OBL/4/reciprocal-own-ladder, OBL/5/mailbox-as-notify, OBL/11/mailbox-returns-as-knock]", async () => {
    const { wire, join } = await cast('websocket', 'worker');
    const [author, worker, boss] = [await join('author'), await join('worker'), await join('boss')];
    const sent = await author.tool('chat.send_message', {
      target: 'agent:worker',
      text: 'Which one?',
      visibility: 'dm',
      directedness: 'to_me',
      obligation: { blocks: 'halted', defaultAction: 'I wait.' },
      idempotencyKey: 'reciprocal',
    });
    const question = String(resultIn(sent)['eventId']);
    await wire.pass(3_000);
    await worker.next(({ eventId }) => eventId === question);
    resultIn(await worker.tool('chat.react', { inReplyTo: question, signal: 'unclear' }));
    const asked = await author.next(({ eventId }) => eventId.includes('/unclear-'));
    expect(asked).toMatchObject({
      policy: 'must_respond',
      mode: 'notify',
      raw: { recipients: ['agent:author'] },
    });
    await wire.pass(RETURN_MS + 2 * STEP_MS, STEP_MS);
    expect(author.seen.filter(({ eventId }) => eventId.startsWith(asked.eventId))).toHaveLength(1);
    await wire.pass(8 * (RETURN_MS + STEP_MS), STEP_MS);
    expect(author.seen.filter(({ eventId }) => eventId.startsWith(`${asked.eventId}/return-`))).toMatchObject(
      [
        { mode: 'notify', policy: 'must_respond' },
        { mode: 'notify', policy: 'must_respond' },
        { mode: 'notify', policy: 'must_respond' },
      ],
    );
    const back = author.seen.flatMap(({ eventId }) => (eventId.startsWith(asked.eventId) ? [eventId] : []));
    expect(back).toEqual([asked.eventId, ...[1, 2, 3].map((n) => `${asked.eventId}/return-${n}`)]);
    expect(await boss.next(({ eventId }) => eventId.includes('/escalation-'))).toMatchObject({
      raw: { escalation: { blockedOn: 'agent:author' } },
    });
    expect(await openSet(author, 'owe')).toMatchObject([{ author: 'agent:worker', askedNow: 'agent:boss' }]);
  });
});
