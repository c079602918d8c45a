// How deliveries end, on the wire: one disposition each, kept; what the policy allows; what silence, a failure, a
// deadline, an edit and a repeat make of them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resultIn } from './debt-cast.ts';
import { MINUTE, type RoomHost, roomHost, type Said, type WireRoom } from './room.ts';
import { hostWith, type WireHarness } from './ways.ts';

let host: RoomHost;
beforeAll(async () => {
  host = await roomHost({ agents: [{ id: 'nova', lead: 'otto' }, { id: 'otto' }], finished: afterAll });
});

function nova(): WireHarness {
  const found = host.agents.get('nova');
  if (found === undefined) throw new Error('nova is not connected');
  return found;
}

async function crowd(): Promise<WireRoom> {
  const r = host.room();
  await r.say('ann', 'morning');
  await r.say('ben', 'morning all');
  return r;
}

interface Delivered {
  eventId: string;
  state: string;
  disposition: string | null;
  why: string | null;
  settledAt: string | null;
  policy: string;
  attempt: number;
}

/** Everything that was delivered to nova about the event, the first first. */
async function deliveries({ eventId }: { eventId: string }, agent = 'nova'): Promise<Delivered[]> {
  const { body } = await host.wire.call(
    'GET',
    `/v1/why/${eventId}?agent=${agent}`,
    await host.wire.token('operator', 'ops'),
  );
  return body['deliveries'] as Delivered[];
}

async function first(said: Said): Promise<Delivered | undefined> {
  return (await deliveries(said)).find(({ eventId }) => eventId === said.eventId);
}

async function asked(text = '@nova is it up?'): Promise<{ r: WireRoom; said: Said }> {
  const r = await crowd();
  const said = await r.say('ann', text);
  await said.of('nova');
  return { r, said };
}

let turns = 0;

/** A turn about the event that does `work` and ends so. */
async function turn(
  said: { eventId: string },
  outcome: string,
  work: () => Promise<unknown> = () => Promise.resolve(),
) {
  const turnId = `turn-${++turns}`;
  await nova().request('turn/started', { turnId, eventIds: [said.eventId] });
  await work();
  await nova().request('turn/ended', { turnId, outcome });
}

describe('must_respond', () => {
  it('ends responded by an answer, by done and by resolve, once, and keeps it [C2A-06-02/disposition/responded, C2A-06-02/disposition/exactly-one, C2A-06-02/disposition/must-respond-ends, C2A-06-02/policy/must-respond, C2A-06-02/tools/resolve]', async () => {
    const answered = await asked();
    await answered.r.say('nova', 'It is.', { inReplyTo: answered.said });
    const done = await asked();
    resultIn(await nova().tool('chat.react', { inReplyTo: done.said.eventId, signal: 'done' }));
    const resolved = await asked();
    expect(resultIn(await nova().tool('chat.resolve', { inReplyTo: resolved.said.eventId }))).toEqual({
      resolved: [resolved.said.eventId],
    });
    for (const { r, said } of [answered, done, resolved]) {
      expect(await first(said)).toMatchObject({ disposition: 'responded', settledAt: expect.any(String) });
      // Nothing that comes later changes how it ended.
      await nova().tool('chat.react', { inReplyTo: said.eventId, signal: 'blocked' });
      await r.edit('ann', said, '@nova is it up now?');
      expect(await first(said)).toMatchObject({ disposition: 'responded' });
    }
  });

  it('is not met by silence: the same harness is reminded once, then it failed and goes to the lead, to nobody else [C2A-06-02/disposition/failed, C2A-06-02/policy/must-respond, C2A-06-02/stale/same-harness-first, C2A-06-02/stale/escalates-to-one]', async () => {
    const { said } = await asked();
    await turn(said, 'silent');
    const again = await nova().next(({ eventId }) => eventId === `${said.eventId}/reminder-2`);
    expect(again).toMatchObject({ policy: 'must_respond', notices: ['reminder'] });
    expect(host.agents.get('otto')?.seen.some(({ eventId }) => eventId.startsWith(said.eventId))).toBe(false);
    await turn(again, 'silent');
    expect((await deliveries(said)).at(-1)).toMatchObject({ disposition: 'failed', why: 'no_answer' });
    const told = await host.agents
      .get('otto')
      ?.next(({ eventId }) => eventId.startsWith(`${said.eventId}/escalated-nova`));
    expect(told).toMatchObject({ policy: 'must_respond' });
  });

  it('can be deferred with a reason, stays open, and comes back when its time is over [C2A-06-02/disposition/deferred, C2A-06-02/tools/defer]', async () => {
    const { r, said } = await asked();
    expect(
      resultIn(
        await nova().tool('chat.defer', {
          inReplyTo: said.eventId,
          reason: 'after the deploy',
          ttlMs: MINUTE,
        }),
      ),
    ).toMatchObject({ disposition: 'deferred' });
    expect(await first(said)).toMatchObject({ disposition: 'deferred', settledAt: null });
    await r.wait(MINUTE + 1_000);
    const back = await nova().next(({ eventId }) => eventId === `${said.eventId}/lapsed-2`);
    expect(back).toMatchObject({ policy: 'must_respond' });
  });

  it('is claimed while somebody owns it, and a signal is no answer to a question: acknowledged only where a signal is all that was asked [C2A-06-02/disposition/claimed, C2A-06-02/disposition/acknowledged, C2A-06-02/disposition/acknowledged-must-satisfy]', async () => {
    const owned = await asked();
    resultIn(await nova().tool('chat.react', { inReplyTo: owned.said.eventId, signal: 'working' }));
    expect(await first(owned.said)).toMatchObject({ disposition: 'claimed', settledAt: null });
    for (const [text, signal] of [
      ['@nova which region?', 'agree'],
      ['@nova which region?', 'seen'],
      ['@nova please restart the worker', 'seen'],
    ] as const) {
      const open = await asked(text);
      resultIn(await nova().tool('chat.react', { inReplyTo: open.said.eventId, signal }));
      expect([text, signal, await first(open.said)]).toMatchObject([
        text,
        signal,
        { disposition: null, settledAt: null },
      ]);
    }
    const remark = await asked('@nova the build is green');
    resultIn(await nova().tool('chat.react', { inReplyTo: remark.said.eventId, signal: 'agree' }));
    expect(await first(remark.said)).toMatchObject({
      disposition: 'acknowledged',
      settledAt: expect.any(String),
    });
  });

  it('carries a deadline; after it the same harness is asked again and told to check the thread, after the second it may answer and the lead is asked [C2A-06-02/stale/carries-a-deadline, C2A-06-02/stale/expired-downgrade-or-check, C2A-06-02/stale/same-harness-first, C2A-06-02/quiet/stale]', async () => {
    const { r, said } = await asked();
    const seen = await nova().next(({ eventId }) => eventId === said.eventId);
    expect(seen.raw['attention']).toMatchObject({ deadlineMs: 5 * MINUTE });
    await r.wait(5 * MINUTE + 1_000);
    const again = await nova().next(({ eventId }) => eventId === `${said.eventId}/expired-2`);
    expect(again).toMatchObject({
      policy: 'must_respond',
      raw: { attention: { requiresThreadCheck: true } },
    });
    expect(host.agents.get('otto')?.seen.some(({ eventId }) => eventId.startsWith(said.eventId))).toBe(false);
    await r.wait(5 * MINUTE + 1_000);
    await host.agents
      .get('otto')
      ?.next(({ eventId }) => eventId.startsWith(`${said.eventId}/escalated-nova`));
    expect((await deliveries(said)).at(-1)?.policy).toBe('may_respond');
  });
});

/** Said so long ago, and handed over only now. */
function late(ageMs: number): { more: Record<string, unknown> } {
  return { more: { origin: 'gap', at: host.wire.clock.now() - ageMs } };
}

describe('every other policy', () => {
  it('may_respond that says nothing ends ignored, without retry or complaint [C2A-06-02/disposition/ignored, C2A-06-02/quiet/silence-is-valid]', async () => {
    const r = await crowd();
    const question = await r.say('ann', '@nova is it up?');
    await question.of('nova');
    await r.say('nova', 'It is.', { inReplyTo: question });
    await r.say('ben', 'lunch?');
    const said = await r.say('ann', 'then we ship it today');
    expect((await said.of('nova')).policy).toBe('may_respond');
    await turn(said, 'silent');
    expect(await deliveries(said)).toMatchObject([{ disposition: 'ignored' }]);
    await r.wait(10 * MINUTE);
    expect(await deliveries(said)).toHaveLength(1);
    const { body } = await host.wire.call('GET', '/v1/inbox', await host.wire.token('operator', 'ops'));
    expect(JSON.stringify(body['inbox'])).not.toContain(said.eventId);
  });

  it('must_not_respond that is handed over at all, a digest, ends ignored; ack_only is settled by the host [C2A-06-02/disposition/must-not-respond-ends, C2A-06-02/disposition/ack-only-ends]', async () => {
    const { wire, agent } = await hostWith(
      'websocket',
      'lead',
      { host: { limits: { digestMs: MINUTE } } },
      { capabilities: { injection: { notify: true, digest: true, tool_mailbox: true } } },
    );
    await wire.say('build 7 passed', { more: { subtype: 'log', author: { id: 'ci', kind: 'system' } } });
    const thanks = await wire.say('@lead thanks!');
    await wire.pass(MINUTE + 5_000, 5_000);
    const digest = await agent.next(({ mode }) => mode === 'digest');
    const ops = await wire.token('operator', 'ops');
    const { body } = await wire.call('GET', '/v1/deliveries?agent=lead', ops);
    expect(body['deliveries']).toMatchObject([
      { eventId: digest.eventId, policy: 'must_not_respond', disposition: 'ignored' },
    ]);
    expect((await wire.why(thanks, 'lead')).decision).toMatchObject({ policy: 'ack_only' });
    expect(wire.platform.shown).toMatchObject([{ type: 'reaction', signal: 'seen', targetEventId: thanks }]);
  });

  it('what was edited or deleted before an answer ends superseded, and the harness is told [C2A-06-02/disposition/superseded, C2A-06-02/quiet/superseded, C2A-06-02/edits/deleted-before-response, C2A-06-02/cancel/notification, C2A-06-02/cancel/pending-event, C2A-06-24/edits/deleted-before-response]', async () => {
    const edited = await asked();
    await edited.r.edit('ann', edited.said, '@nova is it up again?');
    const fresh = await nova().next(({ text }) => text === '@nova is it up again?');
    expect(fresh).toMatchObject({ policy: 'must_respond', raw: { refersTo: edited.said.eventId } });
    expect(await first(edited.said)).toMatchObject({ state: 'superseded', disposition: 'superseded' });
    // The new words are for somebody else.
    const elsewhere = await asked();
    await elsewhere.r.edit('ann', elsewhere.said, '@otto is it up?');
    expect(await first(elsewhere.said)).toMatchObject({ state: 'superseded', why: 'edited_away' });
    const deleted = await asked();
    await deleted.r.remove('ann', deleted.said);
    expect(await first(deleted.said)).toMatchObject({ state: 'superseded', why: 'deleted' });
    expect(nova().notes).toContainEqual({
      method: 'notifications/cancelled',
      params: expect.objectContaining({ eventId: deleted.said.eventId, reason: expect.any(String) }),
    });
    // What was not handed over yet never is.
    const { wire } = host;
    const offline = await roomHost({ agents: [{ id: 'solo' }] });
    await offline.agents.get('solo')?.close();
    const r = offline.room();
    const pending = await r.say('ann', '@solo is it up?');
    await r.remove('ann', pending);
    expect(wire).not.toBe(offline.wire);
    const { body } = await offline.wire.call(
      'GET',
      '/v1/deliveries?agent=solo',
      await offline.wire.token('operator', 'ops'),
    );
    expect(body['deliveries']).toMatchObject([{ eventId: pending.eventId, state: 'superseded' }]);
  });

  it('what was edited after the answer may be reconsidered: a new event that says so, if the words changed [C2A-06-02/edits/after-response, C2A-06-24/edits/after-response]', async () => {
    const { r, said } = await asked();
    await r.say('nova', 'It is.', { inReplyTo: said });
    await r.edit('ann', said, '@nova is it UP?');
    const edit = await r.edit('ann', said, '@nova is the backup running?');
    const again = await nova().next(({ text }) => text === '@nova is the backup running?');
    expect(again).toMatchObject({ policy: 'may_respond', reason: 'edited_after_response' });
    expect(nova().seen.some(({ text }) => text === '@nova is it UP?')).toBe(false);
    expect(edit.eventId).not.toBe(said.eventId);
  });

  it('a message received twice is one event and answered once [C2A-06-02/quiet/duplicate, C2A-06-02/minimal/9-retry-and-dedupe]', async () => {
    const { wire } = host;
    const event = wire.event('@nova is it up?', { in: (await crowd()).id });
    const [once] = await wire.post(event);
    const [twice] = await wire.post(event);
    expect([once?.status, twice?.status]).toEqual(['accepted', 'repeat']);
    await nova().next(({ eventId }) => eventId === once?.eventId);
    await wire.pass(1_000);
    expect(nova().seen.filter(({ eventId }) => eventId === once?.eventId)).toHaveLength(1);
  });

  it('what comes late after a gap is not answered as if it were new [C2A-06-02/quiet/stale]', async () => {
    const r = await crowd();
    expect((await (await r.say('ann', '@nova is it up?', late(60 * MINUTE))).of('nova')).policy).toBe(
      'may_respond',
    );
    expect((await (await r.say('ann', '@nova is it up?', late(26 * 60 * MINUTE))).of('nova')).policy).toBe(
      'must_not_respond',
    );
  });
});
