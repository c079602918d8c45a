// Chat changes after it arrives. An edit is attended again on its words alone, a delete withdraws what is pending;
// what has been answered may be reconsidered, once the words really changed.
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, type Room, room, SECOND } from './room.ts';
import { hashText, foldText } from '../../src/attention/index.ts';

const asked = (r: Room) => r.say('ann', '@nova is the deploy blocked?');

describe('an edit before the response', () => {
  it('of a pending message amends its delivery and makes no second one', () => {
    const r = room();
    const first = asked(r);
    const edit = r.edit('ann', first, '@nova is the rollback blocked?');
    expect(edit.decisions).toEqual({});
    expect(edit.effects).toEqual([
      { type: 'amend', agent: 'nova', eventId: first.eventId, by: edit.eventId },
    ]);
  });

  it('that takes the mention away ends the pending delivery, and gives it to whom it names now [C2A-06-02/quiet/superseded]', () => {
    const r = room();
    const first = asked(r);
    const edit = r.edit('ann', first, '@otto is the deploy blocked?');
    expect(edit.effects).toEqual([
      { type: 'supersede', agent: 'nova', eventId: first.eventId, why: 'edited_away' },
    ]);
    expect(edit.of('nova')).toMatchObject({
      refersTo: first.eventId,
      directedness: 'to_other',
      policy: 'must_not_respond',
      mode: 'tool_mailbox',
      reason: 'edited_away',
    });
    expect(edit.of('otto')).toMatchObject({
      refersTo: first.eventId,
      policy: 'must_respond',
      reason: 'mention',
    });
    expect(edit.decisions['iris']).toBeUndefined();
  });

  it('of thanks into a request is delivered: there was nothing pending to amend', () => {
    const r = room();
    const first = r.say('ann', '@nova thanks!');
    expect(first.of('nova')).toMatchObject({ policy: 'ack_only', mode: 'silent' });
    const edit = r.edit('ann', first, '@nova thanks, and can you restart it?');
    expect(edit.of('nova')).toMatchObject({
      refersTo: first.eventId,
      policy: 'must_respond',
      mode: 'buffered',
    });
    expect(edit.effect('amend')).toHaveLength(0);
  });

  it('into "stop" or "leave" is obeyed like a message that says so', () => {
    const r = room();
    const first = asked(r);
    const edit = r.edit('ann', first, '@nova stop');
    expect(edit.of('nova')).toMatchObject({ policy: 'ack_only', reason: 'stop_request' });
    expect(edit.effect('acknowledge')).toHaveLength(1);
    expect(r.say('ann', 'and what about the tests?').of('nova').directedness).not.toBe('to_me');
  });

  it('into a pairing code is never context', () => {
    const r = room();
    const first = asked(r);
    const edit = r.edit('ann', first, 'claim-ab12-cd34');
    expect(edit.of('nova')).toMatchObject({ decision: 'claim', mode: 'silent', reason: 'pairing' });
  });

  it('that adds a mention is a new delivery', () => {
    const r = room();
    const first = r.say('ann', 'is the deploy blocked?');
    const edit = r.edit('ann', first, '@nova is the deploy blocked?');
    expect(edit.of('nova')).toMatchObject({
      eventId: edit.eventId,
      refersTo: first.eventId,
      policy: 'must_respond',
      mode: 'buffered',
    });
    expect(edit.effects).toEqual([]);
    expect(r.edit('ann', first, '@nova is the deploy still blocked?').effect('amend')).toHaveLength(1);
  });

  it('that adds a mention brings what its author said before the message, and not the message itself', () => {
    const r = room({ stepMs: SECOND });
    const before = r.say('ann', 'the build is red').record.seq;
    const first = r.say('ann', 'can you look?');
    r.say('ann', 'and I am off for lunch');
    expect(r.edit('ann', first, '@nova can you look?').of('nova').leadIn).toEqual([before]);
  });

  it.each([
    ['only its case or width', '@NOVA Is the ｄｅｐｌｏｙ blocked?'],
    ['nothing', '@nova is the deploy blocked?'],
  ])('that changes %s is no edit', (_what, text) => {
    const r = room();
    const first = asked(r);
    expect(r.edit('ann', first, text)).toMatchObject({ decisions: {}, effects: [] });
  });

  it('moves no counters, no exchanges and nobody’s turn', () => {
    const r = room();
    const first = r.say('ann', 'is the deploy blocked?');
    const before = r.state;
    r.edit('ann', first, '@nova is the deploy blocked?');
    expect({ ...r.state, at: 0, seq: 0, recent: [] }).toEqual({ ...before, at: 0, seq: 0, recent: [] });
  });

  it('by one who is denied reaches nobody', () => {
    const r = room({ agents: [{ id: 'nova', ignore: ['human:mallory'] }, 'otto'] });
    const first = r.say('mallory', 'look at this');
    const edit = r.edit('mallory', first, '@nova look at this');
    expect(edit.of('nova')).toMatchObject({ decision: 'denied', policy: 'must_not_respond', mode: 'silent' });
    expect(r.remove('mallory', first).effects).toEqual([]);
  });
});

function answered() {
  const r = room();
  const first = asked(r);
  r.say('nova', 'No, it is green.', { inReplyTo: first });
  return { r, first };
}

describe('an edit after the response', () => {
  it('is a new event that may be answered, marked as an edit [C2A-06-02/edits/after-response, C2A-06-24/edits/after-response]', () => {
    const { r, first } = answered();
    const edit = r.edit('ann', first, '@nova is the rollback blocked?');
    expect(edit.of('nova')).toMatchObject({
      eventId: edit.eventId,
      refersTo: first.eventId,
      directedness: 'to_me',
      policy: 'may_respond',
      mode: 'buffered',
      reason: 'edited_after_response',
      trace: { rung: 'amendment', row: 'amendment', facts: { answered: true } },
    });
    expect(edit.effects).toEqual([]);
  });

  it('brings nothing that its author has said since to nobody', () => {
    const r = room({ stepMs: SECOND });
    const first = asked(r);
    r.say('nova', 'No, it is green.', { inReplyTo: first });
    r.wait(DAY);
    r.say('ben', 'good morning');
    expect(r.say('ann', 'the disk is full').of('nova').directedness).toBe('ambient');
    expect(r.edit('ann', first, '@nova is the rollback blocked?').of('nova').leadIn).toBeUndefined();
  });

  it('that takes the mention away leaves what was said before it with its answer', () => {
    const r = room({ stepMs: SECOND });
    r.say('ann', 'the build is red');
    const first = asked(r);
    r.say('nova', 'No, it is green.', { inReplyTo: first });
    expect(r.edit('ann', first, '@ben is the deploy blocked?').effect('supersede')).toHaveLength(1);
    expect(r.say('ann', '@nova one more thing?').of('nova').leadIn).toBeUndefined();
  });

  it('is none when only a typo of case went away [C2A-06-02/edits/after-response]', () => {
    const { r, first } = answered();
    expect(r.edit('ann', first, '@nova is the DEPLOY blocked?').decisions).toEqual({});
  });

  it('that the state has forgotten is known from the log’s facts [C2A-06-02/edits/after-response]', () => {
    const r = room();
    const text = '@nova is the deploy blocked?';
    const original = {
      eventId: 'old',
      authorId: 'ann',
      textHash: hashText(foldText(text)),
      addressed: ['nova'],
    };
    const edit = (facts: { answeredBy: string[] }, words: string) =>
      r.wait(HOUR).edit('ann', 'old', words, { facts: { original: { ...original, ...facts } } });
    expect(edit({ answeredBy: ['nova'] }, '@nova and now?').of('nova').reason).toBe('edited_after_response');
    expect(edit({ answeredBy: [] }, '@nova and now?').effect('amend')).toHaveLength(1);
    expect(edit({ answeredBy: [] }, text).decisions).toEqual({});
  });

  it('of nothing we know changes nothing', () => {
    expect(room().edit('ann', 'never-seen', '@nova hello?')).toMatchObject({ decisions: {}, effects: [] });
  });
});

describe('a delete', () => {
  it('before the response cancels the pending event and the turn [C2A-06-02/edits/deleted-before-response, C2A-06-24/edits/deleted-before-response]', () => {
    const r = room();
    const first = asked(r);
    const removed = r.remove('ann', first);
    expect(removed.effects).toEqual([
      { type: 'supersede', agent: 'nova', eventId: first.eventId, why: 'deleted' },
      { type: 'cancel_turn', agent: 'nova', eventId: first.eventId, why: 'deleted' },
    ]);
    expect(removed.of('nova')).toMatchObject({
      refersTo: first.eventId,
      policy: 'must_not_respond',
      mode: 'silent',
      reason: 'deleted',
    });
    expect(r.remove('ann', first).effects).toEqual([]);
    expect(r.edit('ann', first, '@nova hello again?').decisions).toEqual({});
  });

  it('frees what was claimed on it [C2A-06-24/edits/deleted-before-response]', () => {
    const r = room({ agents: [{ id: 'nova', roles: ['ops'] }, 'otto'] });
    const first = r.say('ann', '@ops who can look?');
    r.claim('nova', first);
    r.remove('ann', first);
    expect(r.state.claims).toEqual([]);
  });

  it('after the response withdraws nothing', () => {
    const r = room();
    const first = asked(r);
    r.say('nova', 'No, it is green.', { inReplyTo: first });
    expect(r.remove('ann', first)).toMatchObject({ decisions: {}, effects: [] });
  });

  it('of a question an agent has put makes a later "ok" a mere acknowledgement', () => {
    const r = room();
    const question = r.say('nova', 'May I deploy it, ann?', { mentions: ['ann'] });
    r.remove('nova', question);
    expect(r.say('ann', '@nova ok').of('nova').intent).toBe('ack');
  });
});
