// A reaction on an agent's own message is a signal back to it: agree means proceed, declined revise, done already
// handled. It costs a turn only when it answers what the agent has asked.
import { describe, expect, it } from 'vitest';
import { SIGNALS } from '../../src/protocol/vocabulary.ts';
import { type Room, room } from './room.ts';

const ask = (r: Room) => r.say('nova', 'May I deploy it, ann?', { mentions: ['ann'] });
const tell = (r: Room) => r.say('nova', 'I have restarted the job.');

describe('a reaction', () => {
  it.each(SIGNALS)(
    '%s on an agent’s own message is a signal for that agent and for no other [C2A-06-02/signal/on-own-message, C2A-06-24/signal/on-own-message]',
    (signal) => {
      const r = room();
      const message = tell(r);
      const reacted = r.react('ann', message, signal);
      expect(reacted.of('nova')).toMatchObject({
        refersTo: message.eventId,
        directedness: 'to_me',
        reason: 'signal',
        trace: { row: 'signal', facts: { signal, onOwnMessage: true } },
      });
      for (const other of ['otto', 'iris']) {
        expect(reacted.of(other)).toMatchObject({
          directedness: 'to_other',
          policy: 'must_not_respond',
          mode: 'tool_mailbox',
        });
      }
    },
  );

  it.each(SIGNALS)(
    '%s that answers nothing is quiet [C2A-06-02/signal/inbound-is-quiet, C2A-06-02/signal/inbound-may-oblige]',
    (signal) => {
      const r = room();
      expect(r.react('ann', tell(r), signal).of('nova')).toMatchObject({
        policy: 'must_not_respond',
        mode: 'tool_mailbox',
        decision: 'observe',
      });
    },
  );

  it.each(SIGNALS)(
    '%s on a person’s message is a signal for nobody [C2A-06-02/signal/on-own-message]',
    (signal) => {
      const r = room();
      const reacted = r.react('ben', r.say('ann', 'the disk is full'), signal);
      expect(reacted.who('must_not_respond')).toEqual(['nova', 'otto', 'iris']);
      expect(Object.values(reacted.decisions).some((decision) => decision?.directedness === 'to_me')).toBe(
        false,
      );
    },
  );

  it.each([
    {
      req: ['C2A-06-02/signal/agree-proceeds', 'C2A-06-24/signal/agree-proceeds'],
      signal: 'agree',
      intent: 'approval',
    },
    {
      req: ['C2A-06-02/signal/declined-revises', 'C2A-06-24/signal/declined-revises'],
      signal: 'declined',
      intent: 'rejection',
    },
    {
      req: ['C2A-06-02/signal/done-is-handled', 'C2A-06-24/signal/done-is-handled'],
      signal: 'done',
      intent: 'answer',
    },
  ] as const)(
    '$signal on what the agent asked is its answer: $intent, and the question is closed',
    ({ signal, intent }) => {
      const r = room();
      const question = ask(r);
      const reacted = r.react('ann', question, signal);
      expect(reacted.who('must_not_respond')).toEqual(['otto', 'iris']);
      expect(reacted.of('nova')).toMatchObject({
        decision: 'engage',
        directedness: 'to_me',
        policy: 'must_respond',
        mode: 'buffered',
        intent,
        trace: { facts: { signal, answersAsk: true } },
      });
      // Answered: neither a second reaction nor a later "ok" is an answer any more.
      expect(r.react('ben', question, signal).of('nova').policy).toBe('must_not_respond');
      expect(r.say('ann', '@nova ok').of('nova').intent).toBe('ack');
    },
  );

  it('of an agent on what an agent asked is a knock that may be answered [C2A-06-02/signal/inbound-is-quiet]', () => {
    const r = room();
    const question = r.say('nova', '@otto may I deploy it?');
    expect(r.react('otto', question, 'agree').of('nova')).toMatchObject({
      policy: 'may_respond',
      mode: 'notify',
      intent: 'approval',
    });
  });

  it.each(SIGNALS.filter((signal) => !['agree', 'declined', 'done'].includes(signal)))(
    '%s on what the agent asked leaves the question open [C2A-06-02/signal/inbound-may-oblige, C2A-06-02/signal/inbound-is-quiet]',
    (signal) => {
      const r = room();
      expect(r.react('ann', ask(r), signal).of('nova')).toMatchObject({
        policy: 'must_not_respond',
        mode: 'tool_mailbox',
      });
      expect(r.say('ann', '@nova ok').of('nova').intent).toBe('approval');
    },
  );

  it('taken back answers nothing', () => {
    const r = room();
    const question = ask(r);
    expect(r.react('ann', question, 'agree', { removed: true }).of('nova').policy).toBe('must_not_respond');
    expect(r.say('ann', '@nova ok').of('nova').intent).toBe('approval');
  });

  it('of one who is denied answers nothing', () => {
    const r = room({ agents: [{ id: 'nova', ignore: ['human:mallory'] }, 'otto'] });
    const question = ask(r);
    expect(r.react('mallory', question, 'agree').of('nova')).toMatchObject({
      decision: 'denied',
      mode: 'silent',
    });
    expect(r.say('ann', '@nova ok').of('nova').intent).toBe('approval');
  });

  it('on a message the state has forgotten is known by the log’s facts [C2A-06-02/signal/on-own-message]', () => {
    const original = { eventId: 'old', authorId: 'agent:nova', textHash: 1, addressed: [], answeredBy: [] };
    expect(room().react('ann', 'old', 'done', { facts: { original } }).of('nova')).toMatchObject({
      directedness: 'to_me',
      mode: 'tool_mailbox',
    });
  });
});
