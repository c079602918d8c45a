// When, not whether: fragments inside a compose window, agents in focus, messages caught up after a gap, history.
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, type Room, SECOND, room } from './room.ts';

const quick = (): Room => room({ stepMs: SECOND });

const focused = (r: Room, text: string) =>
  r.say('ann', text, { facts: { focus: [{ agent: 'nova', until: r.now + HOUR }] } });

const late = (ageMs: number) => {
  const r = room();
  return r
    .say('ann', '@nova is it ready?', { sentAt: r.now + 10 * SECOND - ageMs, facts: { origin: 'gap' } })
    .of('nova');
};

describe('fragments', () => {
  it('of one author within the compose window are decided as the first was', () => {
    const r = quick();
    r.say('ann', '@nova when someone types');
    for (const text of ['in', 'pieces', 'like this', 'the agent should wait']) {
      expect(r.say('ann', text).of('nova')).toMatchObject({
        directedness: 'to_me',
        policy: 'must_respond',
        mode: 'buffered',
        reason: 'fragment',
        trace: { rung: 'fragment', as: 'mention', row: 'explicit' },
      });
    }
  });

  it('after the window, or of another author, are on their own', () => {
    const r = quick();
    r.say('ann', '@nova when someone types');
    expect(r.say('ben', 'in').of('nova').reason).toBe('ambient');
    expect(r.say('ann', 'pieces', { after: 5 * SECOND }).of('nova').reason).not.toBe('fragment');
  });

  it('are merged for thirty seconds at most, and a typing sign keeps the window open till then', () => {
    const r = quick();
    r.say('ann', '@nova when someone types');
    r.typing('ann');
    expect(r.say('ann', 'in', { after: 6 * SECOND }).of('nova').reason).toBe('fragment');
    const reasons = Array.from(
      { length: 14 },
      () => r.say('ann', 'more', { after: SECOND }).of('nova').reason,
    );
    // The first came at second 1, these every two seconds from 11: the one at 33 begins a turn of its own.
    expect(reasons.findIndex((reason) => reason !== 'fragment')).toBe(11);
  });

  it('that name somebody else are no fragments', () => {
    const r = quick();
    r.say('ann', '@nova when someone types');
    expect(r.say('ann', '@otto is it ready?').of('nova').reason).toBe('addressed_elsewhere');
    expect(r.say('ann', 'in pieces').of('otto').reason).toBe('fragment');
  });

  it('said to nobody just before join the turn as its lead-in, older ones do not', () => {
    const r = quick();
    r.say('ann', 'long ago');
    r.wait(MINUTE);
    const lines = [r.say('ann', 'the disk is full'), r.say('ann', 'since noon')].map(
      ({ record }) => record.seq,
    );
    r.say('ben', 'oh no');
    expect(r.say('ann', '@nova can you look?').of('nova').leadIn).toEqual(lines);
  });
});

describe('focus', () => {
  it('holds what must be answered until it ends, and tells the human once', () => {
    const r = room();
    const until = r.now + HOUR;
    const said = focused(r, '@nova is it ready?');
    expect(said.of('nova')).toMatchObject({
      policy: 'must_respond',
      mode: 'buffered',
      heldUntil: until,
      trace: { lowered: ['focus'] },
    });
    expect(said.effects).toEqual([
      { type: 'signal', agent: 'nova', eventId: said.eventId, signal: 'queued' },
    ]);
  });

  it.each(['production is down', 'cancel that', 'I leaked the API key'])(
    'is pierced by a human’s "%s"',
    (text) => {
      const said = focused(room(), `@nova ${text}`);
      expect(said.of('nova')).toMatchObject({ mode: 'immediate' });
      expect(said.of('nova').heldUntil).toBeUndefined();
      expect(said.effects).toEqual([]);
    },
  );

  it('of one agent holds nothing of another', () => {
    expect(focused(room(), '@otto is it ready?').of('otto').heldUntil).toBeUndefined();
  });
});

describe('a message caught up after a gap', () => {
  it('within its deadline is decided as ever', () => {
    expect(late(MINUTE)).toMatchObject({ policy: 'must_respond', mode: 'buffered' });
  });

  it('past its deadline may be answered, need not be', () => {
    expect(late(6 * MINUTE)).toMatchObject({
      policy: 'may_respond',
      mode: 'buffered',
      trace: { lowered: ['stale_gap'] },
    });
  });

  it('of the day before is not answered at all', () => {
    expect(late(DAY + MINUTE)).toMatchObject({
      directedness: 'to_me',
      policy: 'must_not_respond',
      mode: 'tool_mailbox',
      trace: { lowered: ['stale_gap'] },
    });
  });
});

describe('history', () => {
  const backfill = { facts: { origin: 'backfill' } } as const;

  it('is decided for nobody and has no effects, yet tells who has spoken', () => {
    const thread = room().thread();
    expect(thread.say('ann', '@nova please leave', backfill)).toMatchObject({ decisions: {}, effects: [] });
    thread.say('nova', 'I have restarted the job.', backfill);
    expect(thread.say('ben', 'which job was it?').of('nova')).toMatchObject({
      policy: 'must_respond',
      reason: 'thread_question',
    });
  });

  it('of one who is denied is not even remembered', () => {
    const r = room({ agents: [{ id: 'nova', ignore: ['human:mallory'] }] });
    r.say('mallory', 'hello', backfill);
    expect(r.state.speakers).toEqual([]);
  });
});
