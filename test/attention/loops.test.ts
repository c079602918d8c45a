// Two agents can talk for ever: the guard advises at level 1, stops at level 2, and escalates once. Counted are agent
// messages that would start another agent's turn; any admitted human, by words or a signal, resets the count.
import { describe, expect, it } from 'vitest';
import { startsTurn } from '../../src/attention/index.ts';
import { HOUR, MINUTE, type Outcome, type Room, type RoomOptions, SECOND, room } from './room.ts';

const TOPICS = 'disk cache queue index shard proxy token cert quota cron lease batch dns tls ram cpu'.split(
  ' ',
);

/** nova and otto by turns, each time about something else, so that nothing repeats. */
class Duel {
  readonly room: Room;
  #turns = 0;
  constructor(target: Room) {
    this.room = target;
  }
  /** One more message; what it decides for the other. */
  next(after = 0): Outcome {
    const turn = this.#turns++;
    const [from, to] = turn % 2 === 0 ? ['nova', 'otto'] : ['otto', 'nova'];
    const topic = `${TOPICS[turn % 16]} ${TOPICS[(turn * 7 + (turn >> 4)) % 16]} ${TOPICS[(turn >> 4) % 16]}`;
    return this.room.say(
      from ?? '',
      `@${to} what about the ${topic} in the ${TOPICS[(turn * 5) % 16]} plan?`,
      { after },
    );
  }
  to(outcome: Outcome) {
    return outcome.of(outcome.record.event.author.id === 'nova' ? 'otto' : 'nova');
  }
  /** So many turns; the decisions about them. */
  go(count: number, after = 0) {
    return Array.from({ length: count }, () => this.to(this.next(after)));
  }
}

const duel = (options: RoomOptions = {}): Duel => new Duel(room({ stepMs: 20 * SECOND, ...options }));

describe('level 1', () => {
  it('is reached with the fifth engaged agent turn since a human: may_respond, with the notice', () => {
    const turns = duel().go(9);
    expect(turns.map(({ policy }) => policy)).toEqual([
      ...Array<string>(4).fill('must_respond'),
      ...Array<string>(5).fill('may_respond'),
    ]);
    expect(turns[3]?.notice).toBeUndefined();
    expect(turns[4]).toMatchObject({
      mode: 'buffered',
      notice: 'loop',
      trace: { row: 'explicit', facts: { loopLevel: 1, agentTurns: 5 }, lowered: ['loop_advice'] },
    });
  });

  it('is reached with five turns in sixty seconds', () => {
    const d = duel({ limits: { loopAdviceTurns: 5 } });
    d.go(2, 0);
    d.room.wait(2 * MINUTE);
    expect(d.go(5).map(({ trace }) => trace.facts['loopLevel'] ?? 0)).toEqual([0, 0, 1, 1, 1]);
  });

  it('lowers nothing but an obligation to answer, and never a human’s message', () => {
    const d = duel();
    d.go(6);
    const human = d.room.say('ann', '@nova is it ready?').of('nova');
    expect(human).toMatchObject({ policy: 'must_respond' });
    expect(human.notice).toBeUndefined();
  });
});

describe('level 2', () => {
  it('stops an exchange of ten turns without progress, and escalates once [C2A-06-24/loops/stops-without-convergence, C2A-06-24/loops/escalates-once]', () => {
    const d = duel();
    d.go(9);
    const tenth = d.next();
    expect(d.to(tenth)).toMatchObject({
      policy: 'must_not_respond',
      mode: 'tool_mailbox',
      reason: 'loop_stopped',
      trace: { row: 'loop_stopped', facts: { loopLevel: 2, cause: 'unproductive' } },
    });
    expect(tenth.effects).toEqual([
      {
        type: 'escalate',
        eventId: tenth.eventId,
        why: 'loop_stopped',
        cause: 'unproductive',
        agents: ['otto', 'nova'],
      },
    ]);
    for (let turn = 0; turn < 20; turn++) {
      const further = d.next();
      expect(d.to(further).reason).toBe('loop_stopped');
      expect(further.effect('escalate')).toEqual([]);
    }
  });

  it('holds for every agent in the room, whoever speaks, and for role offers [C2A-06-24/loops/stops-without-convergence]', () => {
    const d = duel({ agents: ['nova', 'otto', { id: 'iris', roles: ['ops'] }] });
    d.go(10);
    expect(d.room.say('nova', '@iris can you help?').of('iris').reason).toBe('loop_stopped');
    expect(d.room.say('nova', '@ops who can help?').of('iris').reason).toBe('loop_stopped');
  });

  it('does not hold for what a human asks, nor for an obligation', () => {
    const d = duel();
    d.go(10);
    const owed = {
      recipients: ['agent:otto'],
      obligation: { blocks: 'halted', defaultAction: 'I wait' } as const,
    };
    expect(d.room.say('nova', 'which one do I take?', owed).of('otto')).toMatchObject({
      policy: 'must_respond',
      reason: 'obligation',
    });
    expect(d.room.say('ann', '@otto is it ready?').of('otto').policy).toBe('must_respond');
  });

  it.each([
    ['a resolve', (d: Duel) => d.room.resolve('nova')],
    ['progress', (d: Duel) => d.room.progress('nova', 'half way')],
  ])(
    'waits for thirty turns when there was %s among them [C2A-06-24/loops/stops-without-convergence]',
    (_what, progress) => {
      const d = duel();
      d.go(5);
      progress(d);
      const turns = d.go(24);
      expect(turns.every((turn) => turn.reason === 'mention' && startsTurn(turn))).toBe(true);
      const last = d.next();
      expect(d.to(last)).toMatchObject({
        reason: 'loop_stopped',
        trace: { facts: { cause: 'hard_limit', agentTurns: 30 } },
      });
      expect(last.effect('escalate')).toMatchObject([{ cause: 'hard_limit' }]);
    },
  );

  it('catches a slow loop that humans keep interrupting: thirty turns in a day, one every ten minutes', () => {
    const d = duel({ stepMs: 10 * MINUTE });
    const reasons: string[] = [];
    for (let round = 0; round < 10; round++) {
      reasons.push(...d.go(3).map(({ reason }) => reason));
      d.room.say('ann', 'lovely weather today');
    }
    expect(reasons.slice(0, 29)).toEqual(Array<string>(29).fill('mention'));
    expect(reasons[29]).toBe('loop_stopped');
    expect(d.room.state.loop.stopped).toBe('day_limit');
    // Small talk does not lift it, a human addressing one of them does.
    expect(d.to(d.next()).reason).toBe('loop_stopped');
    d.room.say('ann', '@nova go on please');
    expect(d.to(d.next()).reason).toBe('mention');
  });

  it('does not add up over more than a day', () => {
    const d = duel({ stepMs: HOUR });
    for (let round = 0; round < 20; round++) {
      expect(d.go(3).map(({ reason }) => reason)).toEqual(Array<string>(3).fill('mention'));
      d.room.say('ann', 'lovely weather today');
    }
  });

  it('stops a repeated near-identical exchange at once [C2A-06-24/loops/stops-without-convergence, C2A-06-24/loops/escalates-once]', () => {
    const r = room();
    const lines = [1, 2].flatMap((round) => [
      r.say('nova', `@otto please check job ${round} of the nightly build again!`),
      r.say('otto', `@nova I have checked job ${round}, please confirm that it is green.`),
    ]);
    expect(
      lines.map((line) => Object.values(line.decisions).some((decision) => decision && startsTurn(decision))),
    ).toEqual([true, true, true, false]);
    expect(lines[3]?.of('nova').trace.facts).toMatchObject({ cause: 'repeating' });
    expect(lines[3]?.effect('escalate')).toHaveLength(1);
  });

  it('does not take two short answers for a repetition', () => {
    const r = room();
    const turns = [1, 2, 3].flatMap(() => [r.say('nova', '@otto ready?'), r.say('otto', '@nova not yet')]);
    expect(turns.every((turn) => turn.effect('escalate').length === 0)).toBe(true);
  });

  it('stops a pair at twenty turns within a minute, progress or not', () => {
    const d = duel({ stepMs: 2 * SECOND });
    d.room.progress('nova', 'half way');
    const turns = d.go(20);
    expect(turns[18]?.reason).toBe('mention');
    expect(turns[19]).toMatchObject({ reason: 'loop_stopped', trace: { facts: { cause: 'pair_rate' } } });
  });
});

describe('the count', () => {
  const resets: [string, (r: Room) => unknown][] = [
    ['a human who speaks to nobody', (r) => r.say('ann', 'lovely weather today')],
    ['a human’s signal', (r) => r.react('ann', 'e1', 'seen')],
  ];
  it.each(resets)('is reset by %s', (_what, reset) => {
    const d = duel();
    d.go(9);
    reset(d.room);
    expect(d.go(4).map(({ policy }) => policy)).toEqual(Array<string>(4).fill('must_respond'));
  });

  it('and the stop are lifted by a human; a new loop is escalated anew [C2A-06-24/loops/escalates-once]', () => {
    const d = duel();
    d.go(10);
    d.room.say('ann', 'what is going on here');
    expect(d.to(d.next()).reason).toBe('mention');
    d.go(8);
    expect(d.next().effect('escalate')).toHaveLength(1);
  });

  it('is reset in a thread by a human in its room', () => {
    const r = room({ stepMs: 20 * SECOND });
    const d = new Duel(r.thread());
    d.go(10);
    expect(d.to(d.next()).reason).toBe('loop_stopped');
    r.say('ann', 'lovely weather today');
    expect(d.to(d.next()).reason).toBe('mention');
  });

  it('is not reset by one who is denied, nor by another agent', () => {
    const d = duel({ agents: ['nova', 'otto', 'iris'].map((id) => ({ id, ignore: ['human:mallory'] })) });
    d.go(9);
    d.room.say('mallory', 'go on, go on');
    d.room.react('mallory', 'e1', 'agree');
    d.room.say('iris', 'I think the cache is stale');
    expect(d.to(d.next()).reason).toBe('loop_stopped');
  });

  it('takes in only turns that would engage somebody', () => {
    const r = room({ stepMs: 20 * SECOND });
    for (let i = 0; i < 20; i++) r.say('nova', `I think the ${TOPICS[i % 16]} is stale`);
    expect(r.say('nova', '@otto is it ready?').of('otto').policy).toBe('must_respond');
  });

  it('is off on an open floor', () => {
    const d = duel({ here: { openFloor: true } });
    expect(d.go(40).every(({ policy }) => policy === 'must_respond')).toBe(true);
  });
});

describe('an exchange between agents ends by itself', () => {
  it('with a thanks: nobody is woken by it [C2A-06-24/loops/no-reply-to-thanks]', () => {
    const r = room();
    const asked = r.say('nova', '@otto which build is it?');
    const answered = r.say('otto', 'Build 42.', { inReplyTo: asked });
    const thanked = r.say('nova', 'thanks!', { inReplyTo: answered });
    expect(thanked.of('otto')).toMatchObject({
      policy: 'ack_only',
      mode: 'silent',
      trace: { row: 'thanks_to_me' },
    });
    expect(thanked.effects).toEqual([]);
  });

  it('with an answer: it may be answered, it need not', () => {
    const r = room();
    const asked = r.say('nova', '@otto which build is it?');
    expect(r.say('otto', 'Build 42.', { inReplyTo: asked }).of('nova')).toMatchObject({
      policy: 'may_respond',
      intent: 'answer',
      trace: { row: 'answer_from_agent' },
    });
  });
});
