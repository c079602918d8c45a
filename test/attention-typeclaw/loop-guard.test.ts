// The peer-bot loop guard and the group-chat nudge: two notices, at most one a turn, neither changes a decision.
import { describe, expect, it } from 'vitest';
import { type Outcome, type Room, SECOND } from '../attention/room.ts';
import { busy, credit, solo, toldTo } from './rooms.ts';

const PEERS = { agents: ['toto', 'lala'] };

/** Lala mentions toto, again and again, in other words each time. */
function bot(r: Room, times: number, after = 0): Outcome[] {
  return Array.from({ length: times }, (_, i) =>
    r.say('lala', `point ${'x'.repeat(i + 1)}`, { mentions: ['toto'], after }),
  );
}
const notices = (outcomes: readonly Outcome[]): (string | undefined)[] =>
  outcomes.map((outcome) => outcome.of('toto').notice);
const quiet = (n: number): undefined[] => Array.from({ length: n }, () => undefined);

describe('the loop guard', () => {
  it('trips at the fifth engaged peer turn since the last human, however slow [TC/loop-guard/five-since-human]', () => {
    const r = solo(PEERS);
    expect(notices(bot(r, 6, 3_600 * SECOND))).toEqual([...quiet(4), 'loop', 'loop']);
  });

  it('trips at five within 60 s [TC/loop-guard/five-in-a-minute]', () => {
    const r = solo({ ...PEERS, stepMs: SECOND });
    expect(notices(bot(r, 5))).toEqual([...quiet(4), 'loop']);
  });

  it('counts five whatever is said and whatever the limits are [TC/loop-guard/five-since-human]', () => {
    for (const limits of [{}, { loopAdviceTurns: 2, loopStopTurns: 3 }, { loopAdviceTurns: 30 }]) {
      const r = solo({ ...PEERS, limits });
      const said = Array.from({ length: 12 }, () => r.say('lala', 'no, you', { mentions: ['toto'] }));
      expect(notices(said)).toEqual([...quiet(4), ...Array.from({ length: 8 }, () => 'loop')]);
    }
  });

  it('counts for each agent what engaged that agent [TC/loop-guard/counts-engaged-peer-turns]', () => {
    const r = solo(PEERS);
    for (let i = 0; i < 3; i++) r.say('agent:robo', `one ${i}`, { mentions: ['toto'] });
    for (let i = 0; i < 4; i++)
      expect(r.say('agent:robo', `two ${i}`, { mentions: ['lala'] }).of('lala').notice).toBeUndefined();
    expect(r.say('agent:robo', 'one 4', { mentions: ['toto'] }).of('toto').notice).toBeUndefined();
    const both = r.say('agent:robo', 'both', { mentions: ['toto', 'lala'] });
    expect([both.of('toto').notice, both.of('lala').notice]).toEqual(['loop', 'loop']);
  });

  it('is reset by any message of a human, also one for nobody [TC/loop-guard/human-resets]', () => {
    for (const text of ['toto?', 'hm']) {
      const r = busy({ ...PEERS, stepMs: SECOND });
      expect(notices(bot(r, 5)).at(-1)).toBe('loop');
      r.say('ann', text);
      expect(notices(bot(r, 5))).toEqual([...quiet(4).map(() => 'group'), 'loop']);
    }
  });

  it('counts what engages and not what is observed [TC/loop-guard/counts-engaged-peer-turns]', () => {
    const r = solo(PEERS);
    bot(r, 2);
    for (let i = 0; i < 10; i++) expect(toldTo(r.say('lala', `to myself ${i}`))).toBe('observe');
    expect(notices(bot(r, 3))).toEqual([undefined, undefined, 'loop']);
  });

  it('counts every engaging message: mention, reply, credit and alias, of ours and of others [TC/loop-guard/counts-engaged-peer-turns]', () => {
    const r = solo(PEERS);
    const said = r.say('agent:robo', 'hi', { mentions: ['toto'] });
    const ours = r.say('toto', 'hello', { inReplyTo: said });
    r.say('agent:robo', 'well', { replyTo: ours });
    r.say('agent:robo', 'so');
    r.say('lala', 'hey toto');
    expect(r.state.loop.peers.count).toBe(4);
    expect(r.say('lala', 'hey toto again').of('toto').notice).toBe('loop');
  });

  it('counts per conversation [TC/loop-guard/per-conversation]', () => {
    const [here, there] = [solo({ ...PEERS, id: 'C1' }), solo({ ...PEERS, id: 'C2' })];
    bot(here, 4);
    expect(notices(bot(there, 4))).toEqual(quiet(4));
    expect(notices(bot(here, 1))).toEqual(['loop']);
  });

  it('changes no decision, however long it goes on [TC/loop-guard/advisory]', () => {
    const r = solo({ ...PEERS, stepMs: SECOND });
    const said = Array.from({ length: 60 }, () =>
      r.say('lala', 'no, after you my friend', { mentions: ['toto'] }),
    );
    const first = said[0]?.of('toto');
    for (const outcome of said) {
      const { decision, mode, directedness, reason } = outcome.of('toto');
      expect({ decision, mode, directedness, reason }).toEqual({
        decision: 'engage',
        mode: first?.mode,
        directedness: 'to_me',
        reason: 'mention',
      });
      expect(outcome.effects).toEqual([]);
    }
    expect(notices(said.slice(4)).every((notice) => notice === 'loop')).toBe(true);
  });
});

describe('the group notice', () => {
  it('rides on every engaged turn among several humans [TC/nudge/in-groups]', () => {
    const r = busy();
    const ours = credit(r, 'ann');
    const engaged = [
      r.say('ann', 'so?'),
      r.say('ben', 'toto?'),
      r.say('ben', 'hey', { mentions: ['toto'] }),
      r.say('ben', 'hey', { replyTo: ours }),
    ];
    expect(engaged.map((outcome) => outcome.of('toto').reason)).toEqual([
      'sticky',
      'name',
      'mention',
      'reply',
    ]);
    expect(notices(engaged)).toEqual(['group', 'group', 'group', 'group']);
  });

  it('does not ride on what is observed [TC/nudge/in-groups]', () => {
    expect(notices([busy().say('ann', 'hm')])).toEqual([undefined]);
  });

  it('does not ride with at most one human [TC/nudge/not-with-one-human]', () => {
    const r = solo();
    expect(
      notices([r.say('ann', 'hm'), r.say('ann', 'toto?'), r.say('ann', '', { mentions: ['toto'] })]),
    ).toEqual(quiet(3));
  });

  it('gives way to the loop notice: one a turn [TC/nudge/one-notice]', () => {
    const r = busy(PEERS);
    expect(notices(bot(r, 6))).toEqual(['group', 'group', 'group', 'group', 'loop', 'loop']);
  });

  it.each([
    ['two by the member list', { humans: 2 }, false],
    ['one by a fresh list, though two spoke', { humans: 1 }, true],
    ['two spoke, the list is stale', { humans: 1, ageMs: 90 * SECOND }, false],
  ])(
    'means by several humans what the decision means: %s [TC/nudge/one-definition]',
    (_what, members, isAlone) => {
      const r = busy();
      r.members(members);
      const plain = r.say('ann', 'hm').of('toto');
      const named = r.say('ann', 'toto?').of('toto');
      expect(plain.decision === 'engage').toBe(isAlone);
      expect(named.notice === undefined).toBe(isAlone);
    },
  );
});
