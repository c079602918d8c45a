// The matrix in eight languages: what calls for no reply gets none, what is merely visible allows none, and what is
// urgent to me is immediate, whatever the language it is said in.
import { describe, expect, it } from 'vitest';
import { CASES as SENTENCES, sentences } from '../../src/attention/intent/cases.fixture.ts';
import { AGENTS, type Room, type RoomOptions, room } from './room.ts';

const OPS: RoomOptions = { agents: [{ id: 'nova', roles: ['ops'] }, 'otto', 'iris'] };
const OWNER: RoomOptions = {
  agents: [{ id: 'nova', owns: { conversations: ['T1'], streams: [] } }, 'otto', 'iris'],
};

/** A thread in which nova has spoken, and spoke last. */
function joined(): Room {
  const thread = room().thread();
  thread.say('nova', 'I have restarted the job.');
  return thread;
}

describe('gratitude and social filler', () => {
  const social = Object.values(SENTENCES).flatMap(({ thanks, ack }) => sentences(`${thanks} | ${ack}`));

  it.each([
    ['a human', 'ann'],
    ['an agent', 'otto'],
  ])(
    'of %s get no reply in any language [C2A-06-02/quiet/gratitude, C2A-06-24/quiet/social-filler, C2A-06-24/loops/no-reply-to-thanks, C2A-06-24/loops/no-reply-to-ack, C2A-06-02/attention/full-path-is-reserved]',
    (_who, author) => {
      expect(social.length).toBeGreaterThan(60);
      for (const text of [...social, 'thanks', 'got it', 'nice']) {
        const said = room().say(author, `@nova ${text}`);
        expect({ text, ...said.of('nova') }).toMatchObject({
          text,
          directedness: 'to_me',
          policy: 'ack_only',
          mode: 'silent',
          reason: 'thanks',
        });
        // One receipt for a human, none for an agent: a receipt for a receipt is a loop too.
        const seen = [{ type: 'signal', agent: 'nova', eventId: said.eventId, signal: 'seen' }];
        expect(said.effects).toEqual(author === 'ann' ? seen : []);
      }
    },
  );

  it.each([
    ['in a thread it is in', () => joined().say('ann', 'thanks everyone')],
    ['to a role', () => room(OPS).say('ann', '@ops thanks!')],
    ['in a thread it owns', () => room(OWNER).thread().say('ann', 'great, thanks')],
  ])('%s start no turn [C2A-06-02/quiet/gratitude, C2A-06-24/loops/no-reply-to-thanks]', (_where, said) => {
    expect(said().of('nova')).toMatchObject({
      directedness: 'to_my_role',
      policy: 'must_not_respond',
      mode: 'tool_mailbox',
      reason: 'thanks',
    });
  });
});

describe('what is merely visible', () => {
  const all = Object.values(SENTENCES).flatMap((byIntent) => Object.values(byIntent).flatMap(sentences));

  it('never allows an answer nor shows its content, whatever it says, in any language [C2A-06-02/matrix/visible-is-no-reason, C2A-06-24/quiet/visible-is-no-reason, C2A-06-02/harness/ambient-never-full-content, C2A-06-24/policy/must-not-respond, C2A-06-02/core/delivery-is-not-injection, C2A-06-24/core/delivery-is-not-injection, C2A-06-02/attention/full-path-is-reserved]', () => {
    expect(all.length).toBeGreaterThan(250);
    for (const text of all) {
      const said = room({ agents: ['otto', 'iris'] }).say('ann', text);
      for (const agent of ['otto', 'iris']) {
        const { directedness, policy, mode, decision } = said.of(agent);
        expect({ text, directedness, policy, decision }).toEqual({
          text,
          directedness: text.startsWith('@nova') ? 'to_other' : 'ambient',
          policy: 'must_not_respond',
          decision: 'observe',
        });
        expect(['tool_mailbox', 'digest']).toContain(mode);
      }
      expect(said.effects).toEqual([]);
    }
  });
});

describe('urgency', () => {
  const urgent = (['urgent', 'safety', 'cancel'] as const).flatMap((intent) =>
    Object.values(SENTENCES).flatMap((byIntent) =>
      sentences(byIntent[intent] ?? '')
        .filter((text) => text !== '')
        .map((text) => ({ intent, text })),
    ),
  );

  it.each(urgent)(
    'to me is immediate: "$text" ($intent) [C2A-06-02/immediate/urgent-mention, C2A-06-02/immediate/cancellation, C2A-06-02/immediate/safety, C2A-06-24/mode/immediate, C2A-06-02/immediate/urgent-priority]',
    ({ intent, text }) => {
      expect(room().say('ann', `@nova ${text}`).of('nova')).toMatchObject({
        directedness: 'to_me',
        policy: 'must_respond',
        mode: 'immediate',
        priority: 'urgent',
        intent,
        trace: { row: 'interrupt' },
      });
    },
  );

  it('is immediate from the lead, and only urgent from any other agent [C2A-06-02/immediate/urgent-priority]', () => {
    const led = { agents: [{ id: 'nova', lead: 'otto' }, 'otto', 'iris'] };
    for (const text of ['production is down', 'cancel that', 'I leaked the API key']) {
      expect(room(led).say('otto', `@nova ${text}`).of('nova')).toMatchObject({
        mode: 'immediate',
        priority: 'urgent',
      });
      expect(room(led).say('iris', `@nova ${text}`).of('nova')).toMatchObject({
        mode: 'buffered',
        priority: 'urgent',
      });
    }
  });

  it.each([
    'is it ready?',
    'approved',
    'the cache is old',
    'can you check?',
    "I'm blocked on the review",
    'thanks',
  ])('is not in everything to me: "%s" is normal [C2A-06-02/immediate/urgent-priority]', (text) => {
    const decision = room().say('ann', `@nova ${text}`).of('nova');
    expect(decision.priority).toBe('normal');
    expect(decision.mode).not.toBe('immediate');
  });

  it('not to me is neither immediate nor a reason to answer', () => {
    const said = room().say('ann', 'production is down');
    for (const agent of AGENTS) {
      expect(said.of(agent)).toMatchObject({
        policy: 'must_not_respond',
        mode: 'tool_mailbox',
        priority: 'normal',
      });
    }
  });
});
