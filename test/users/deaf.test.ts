// "Deaf", "fragments", "edits": what people say to an agent and it does not take in. Default preset.
import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND, room } from '../attention/room.ts';
import { team, woken } from './rooms.ts';

describe('it does not hear', () => {
  it('a mention on a cold cache is dropped without a log line (128301): here the very first record decides, with its trace', () => {
    const said = room().say('ann', 'hey', { mentions: ['nova'], displayName: null });
    expect(said.of('nova')).toMatchObject({ decision: 'engage', policy: 'must_respond' });
    expect(said.of('nova').trace).toEqual({ rung: 'mention', row: 'explicit', facts: {} });
    for (const other of ['otto', 'iris']) {
      expect(said.of(other)).toMatchObject({
        decision: 'observe',
        trace: { rung: 'addressed_elsewhere', facts: { by: 'mention' } },
      });
    }
  });

  it('a mention is cut at the first hyphen and goes to another agent (agent-relay 1466): here the longest name wins', () => {
    const agents = ['lead', 'lead-2', 'lead-2-eu', 'relay', 'relay-worker'];
    for (const name of agents) {
      const r = team({ agents });
      expect(woken(r.say('ann', `@${name} can you look?`))).toEqual([name]);
      expect(woken(r.say('ann', `could you look, @${name}?`))).toEqual([name]);
    }
  });

  it('a name nobody has is cut to one that somebody has (agent-relay 1466): here it reaches nobody', () => {
    const r = team({ agents: ['lead', 'relay'] });
    expect(woken(r.say('ann', '@lead-9 can you look?'))).toEqual([]);
    expect(woken(r.say('ann', '@relay-worker-eu can you look?'))).toEqual([]);
    expect(woken(r.say('ann', 'mail lead@relay.example about it'))).toEqual([]);
  });

  it('somebody it has tagged answers without tagging back and is ignored (TypeClaw 936): here they owe it an answer', () => {
    const r = team();
    r.say('nova', '@ben which branch should I deploy?', { mentions: ['ben'] });
    r.say('cat', 'did you see the game?');
    const answer = r.say('ben', 'the release branch');
    expect(answer.of('nova')).toMatchObject({ directedness: 'to_me', reason: 'exchange', intent: 'answer' });
    expect(woken(answer)).toEqual(['nova']);
  });

  it('a bare “yes” to its question is taken for small talk (TypeClaw 936): here it is an approval', () => {
    const r = team();
    const asked = r.say('ann', '@nova deploy it');
    r.say('nova', 'Shall I deploy to production now?', { inReplyTo: asked });
    const yes = r.say('ann', 'yes');
    expect(yes.of('nova')).toMatchObject({ policy: 'must_respond', intent: 'approval' });
    // The same word once more answers nothing.
    r.say('nova', 'Deployed.', { inReplyTo: yes });
    expect(r.say('ann', 'ok').of('nova').policy).toBe('ack_only');
  });
});

describe('it hears halves', () => {
  it('two lines within 100 ms become two turns (130416): here the second carries the first one’s decision', () => {
    const r = team({ stepMs: 80 });
    r.wait(MINUTE);
    const first = r.say('ann', '@nova can you look at');
    const second = r.say('ann', 'the billing service');
    expect(first.of('nova').reason).toBe('mention');
    expect(second.of('nova')).toMatchObject({
      directedness: 'to_me',
      reason: 'fragment',
      trace: { as: 'mention' },
    });
    expect(second.of('otto').directedness).not.toBe('to_me');
  });

  it('the line before the mention is lost (130416): here it joins the turn, and what was said to others does not', () => {
    const r = team({ stepMs: SECOND });
    r.wait(MINUTE);
    r.say('ann', 'ben, lunch?', { mentions: ['ben'] });
    // Typed on without a pause, it is still for ben.
    r.say('ann', 'or a walk');
    r.wait(3 * SECOND);
    const line = r.say('ann', 'the billing service is slow');
    const asked = r.say('ann', '@nova can you look?');
    expect(asked.of('nova').leadIn).toEqual([line.record.seq]);
  });

  it('steady typing starves the turn for ever (104106): here the window ends 30 s after its first line', () => {
    const r = team({ agents: ['nova'], stepMs: SECOND });
    r.wait(MINUTE);
    r.say('ann', '@nova the thing is');
    const { firstAt } = r.state.windows[0] ?? { firstAt: 0 };
    for (let i = 0; i < 28; i++) {
      r.typing('ann');
      expect(r.state.windows[0]?.until).toBeLessThanOrEqual(firstAt + 30 * SECOND);
    }
    expect(r.say('ann', 'well').of('nova').reason).toBe('fragment');
    r.typing('ann');
    r.say('ben', 'hm');
    expect(r.say('ann', 'well').of('nova').reason).not.toBe('fragment');
  });

  it('every fragment gets a reaction of its own (64190): here the first one stands for all', () => {
    const r = team({ stepMs: SECOND });
    const facts = { focus: [{ agent: 'nova', until: r.now + 30 * MINUTE }] };
    const said = ['@nova can you check', 'the billing service', 'and the mail queue?'].map((text) =>
      r.say('ann', text, { facts }),
    );
    expect(said.map((outcome) => outcome.of('nova').policy)).toEqual(said.map(() => 'must_respond'));
    expect(said.flatMap((outcome) => outcome.effect('signal'))).toHaveLength(1);
  });
});

describe('it does not notice changes', () => {
  it('an edit is applied to nothing (20173): here a waiting message is amended', () => {
    const r = team();
    const asked = r.say('ann', '@nova deploy to staging');
    const edit = r.edit('ann', asked, '@nova deploy to production');
    expect(edit.effects).toEqual([
      { type: 'amend', agent: 'nova', eventId: asked.eventId, by: edit.eventId },
    ]);
  });

  it('a mention added by an edit is never seen (20173): here it is delivered', () => {
    const r = team();
    const said = r.say('ann', 'can somebody look?');
    expect(woken(said)).toEqual([]);
    expect(woken(r.edit('ann', said, '@otto can you look?'))).toEqual(['otto']);
  });

  it('an edit to somebody else leaves the first one working on it (20173): here it is called off', () => {
    const r = team();
    const asked = r.say('ann', '@nova can you look?');
    const edit = r.edit('ann', asked, '@otto can you look?');
    expect(edit.effect('supersede')).toMatchObject([{ agent: 'nova', why: 'edited_away' }]);
    expect(woken(edit)).toEqual(['otto']);
  });

  it('after the answer an edit starts it all again (20173): here it may reconsider, and only if words changed', () => {
    const r = team();
    const asked = r.say('ann', '@nova what is 2+2?');
    r.say('nova', 'Four.', { inReplyTo: asked });
    expect(r.edit('ann', asked, '@nova WHAT is 2+2?').decisions).toEqual({});
    expect(r.edit('ann', asked, '@nova what is 2+3?').of('nova')).toMatchObject({
      policy: 'may_respond',
      reason: 'edited_after_response',
    });
  });

  it('a delete cancels nothing (53654): here the waiting message is withdrawn and the turn stopped', () => {
    const r = team();
    const asked = r.say('ann', '@nova drop the database');
    expect(r.remove('ann', asked).effects).toEqual([
      { type: 'supersede', agent: 'nova', eventId: asked.eventId, why: 'deleted' },
      { type: 'cancel_turn', agent: 'nova', eventId: asked.eventId, why: 'deleted' },
    ]);
  });
});
