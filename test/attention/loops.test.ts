// Two agents can talk for ever. The guard looks at each pair and at what the two ask each other: it advises at level 1,
// stops at level 2, and escalates once. Work between agents is never counted, however much there is. A person releases
// those whom they speak to, and nobody else.
import { describe, expect, it } from 'vitest';
import { startsTurn } from '../../src/attention/index.ts';
import {
  HOUR,
  MINUTE,
  type Outcome,
  type Room,
  type RoomOptions,
  SECOND,
  type SayOptions,
  room,
} from './room.ts';

const TOPICS = 'disk cache queue index shard proxy token cert quota cron lease batch dns tls ram cpu'.split(
  ' ',
);

/** nova and otto by turns, each in answer to the other. */
class Duel {
  readonly room: Room;
  readonly #text: (turn: number) => string;
  #turns = 0;
  #last: Outcome | undefined;
  constructor(target: Room, text: (turn: number) => string = aboutSomethingElse) {
    this.room = target;
    this.#text = text;
  }
  /** One more message; what it decides for the other. */
  next(more: SayOptions = {}): Outcome {
    const turn = this.#turns++;
    const [from, to] = turn % 2 === 0 ? ['nova', 'otto'] : ['otto', 'nova'];
    const reply = this.#last === undefined ? {} : { inReplyTo: this.#last };
    this.#last = this.room.say(from, `@${to} ${this.#text(turn)}`, { ...reply, ...more });
    return this.#last;
  }
  to(outcome: Outcome) {
    return outcome.of(outcome.record.event.author.id === 'nova' ? 'otto' : 'nova');
  }
  /** So many turns; the decisions about them. */
  go(count: number) {
    return Array.from({ length: count }, () => this.to(this.next()));
  }
  /** On which turn the two are stopped, at most `most`. */
  stoppedAt(most = 40): number {
    for (let turn = 1; turn <= most; turn++) if (this.to(this.next()).reason === 'loop_stopped') return turn;
    return Number.POSITIVE_INFINITY;
  }
}

/** Each time about something else, so that nothing repeats: they only ask each other. */
function aboutSomethingElse(turn: number): string {
  const topic = `${TOPICS[turn % 16]} ${TOPICS[(turn * 7 + (turn >> 4)) % 16]} ${TOPICS[(turn >> 4) % 16]}`;
  return `what about the ${topic} in the ${TOPICS[(turn * 5) % 16]} plan?`;
}

const duel = (options: RoomOptions = {}, text?: (turn: number) => string): Duel =>
  new Duel(room({ stepMs: 20 * SECOND, ...options }), text);
const newest = ({ log }: Room): string => log.at(-1)?.event.eventId ?? '';
const byTurns =
  (...lines: string[]) =>
  (turn: number) =>
    lines[turn % lines.length] ?? '';

describe('what an agent says to an agent', () => {
  const STATEMENTS = [
    'the build is green',
    'I have moved it to the second host',
    'sounds good, go ahead then',
    'Das Paket liegt jetzt im Archiv.',
    'El informe quedó en la carpeta.',
    '报告已经放好了。',
    'レポートを置きました。',
    'La copia è pronta.',
  ];
  it.each([
    ['@ann is it up? @otto has the log.', 'otto', 'agent_no_task'],
    ['@otto has the details.', 'otto', 'agent_no_task'],
    ['@otto is it up', 'otto', 'explicit'],
    ['@ann noted. @otto can you look?', 'otto', 'explicit'],
    ['@otto the export is broken. Can you look?', 'otto', 'explicit'],
  ])('%j: what it asks of %s is read sentence by sentence (%s)', (text, agent, row) => {
    expect(room().say('nova', text).of(agent).trace.row).toBe(row);
  });

  it.each(STATEMENTS)('%j obliges nobody by a mention, a reply or an exchange', (text) => {
    const r = room();
    const earlier = r.say('otto', 'the log has an odd line');
    for (const said of [
      r.say('nova', `@otto ${text}`),
      r.say('nova', text, { replyTo: earlier }),
      r.say('nova', text, { inReplyTo: earlier, target: { directedness: 'to_me' } }),
      r.say('nova', text),
    ]) {
      expect(startsTurn(said.of('otto'))).toBe(false);
      expect(said.who('must_respond')).toEqual([]);
    }
    expect(r.say('nova', `@otto ${text}`).of('otto').policy).not.toBe('must_respond');
  });

  it('that asks something obliges it, as before', () => {
    for (const text of ['is it green?', 'please restart it', 'can you look', 'I am blocked by the cert']) {
      expect(room().say('nova', `@otto ${text}`).of('otto')).toMatchObject({
        policy: 'must_respond',
        mode: 'buffered',
      });
    }
  });

  it.each([
    'It is done. Let me know if you need anything else!',
    'Happy to help. Is there anything else I can do for you?',
  ])('and offers help, asks nothing: %j', (text) => {
    expect(room().say('nova', `@otto ${text}`).of('otto')).toMatchObject({
      policy: 'may_respond',
      mode: 'notify',
      trace: { row: 'agent_no_task' },
    });
  });

  it('and offers help after a request, is a request', () => {
    const said = room().say('nova', '@otto Please review the page. Let me know if you have any questions!');
    expect(said.of('otto').policy).toBe('must_respond');
  });

  it('in a first direct message is answered; what replies inside it is a reply', () => {
    const r = room({ kind: 'dm', agents: ['nova', 'otto'] });
    const first = r.say('nova', 'the deploy is yours', { recipients: ['agent:otto'] });
    expect(first.of('otto')).toMatchObject({ policy: 'must_respond', reason: 'direct_message' });
    const reply = r.say('otto', 'I have it', { recipients: ['agent:nova'] });
    expect(startsTurn(reply.of('nova'))).toBe(false);
    expect(startsTurn(r.say('nova', 'it runs on the third host', { inReplyTo: reply }).of('otto'))).toBe(
      false,
    );
  });

  it('to the recipient it names is a task, but not when it only names whom it answers', () => {
    const r = room();
    const named = { recipients: ['agent:otto'], target: { recipient: 'agent:otto' } };
    const task = r.say('nova', 'the second host', named);
    expect(task.of('otto')).toMatchObject({ policy: 'must_respond', reason: 'assignment' });
    const back = { recipients: ['agent:nova'], inReplyTo: task };
    expect(startsTurn(r.say('otto', 'the third one too', back).of('nova'))).toBe(false);
  });

  it('as the next line of a request belongs to the request', () => {
    const r = room();
    expect(r.say('nova', '@otto please look at these').of('otto').policy).toBe('must_respond');
    const next = r.fold('message', 'nova', { text: 'the login page' }, { after: -9 * SECOND });
    expect(next.of('otto')).toMatchObject({ policy: 'must_respond', trace: { rung: 'fragment' } });
  });

  it('still lowers to what its sender declares', () => {
    const said = room().say('nova', '@otto is it green?', { target: { directedness: 'ambient' } });
    expect(said.of('otto').policy).toBe('must_not_respond');
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

  it.each(['Build 42.', 'not yet', 'yes', 'Done.'])(
    'with an answer: %j may be answered, it need not',
    (text) => {
      const r = room();
      const asked = r.say('nova', '@otto is it the new build?');
      expect(r.say('otto', text, { inReplyTo: asked }).of('nova')).toMatchObject({
        policy: 'may_respond',
        mode: 'buffered',
        trace: { row: 'answer_from_agent' },
      });
    },
  );

  it('and the answer reaches who asked, whatever was asked since', () => {
    const r = room();
    const answersTask = { facts: { answersTask: true as const } };
    const tasks = [1, 2, 3, 4, 5, 6].map((nr) => r.say('nova', `@otto please review change ${nr}`));
    for (const [at, task] of tasks.entries()) {
      const answer = r.say('otto', `Run ${at + 1} completed.`, {
        replyTo: { eventId: task.eventId, to: 'nova' },
        ...answersTask,
      });
      expect(answer.of('nova')).toMatchObject({ policy: 'may_respond', mode: 'buffered' });
    }
  });
});

describe('work is not a loop', () => {
  const WORK: [string, (turn: number) => string][] = [
    ['numbers', (turn) => (turn % 2 === 0 ? `Please review pull request ${4100 + turn}` : 'Done.')],
    [
      'names',
      (turn) =>
        turn % 2 === 0 ? `Please deploy ${TOPICS[(turn / 2) % 16]} to staging` : 'Deployed, it looks fine.',
    ],
    [
      'links',
      (turn) => (turn % 2 === 0 ? `Can you check https://ci.example/b/${turn}?` : 'It is red, a flaky test.'),
    ],
    [
      'a question behind each answer',
      (turn) =>
        turn % 2 === 0 ? `Please review change ${turn}` : `Change ${turn - 1} is fine. What is next?`,
    ],
    [
      'a question behind each answer that names nothing',
      (turn) => (turn % 2 === 0 ? `Please review change ${turn}` : 'All good. What comes next?'),
    ],
    [
      'Japanese',
      (turn) => (turn % 2 === 0 ? `変更${turn}をレビューしてください` : `変更${turn - 1}は問題ありません。`),
    ],
    ['German', (turn) => (turn % 2 === 0 ? `Bitte prüfe Rechnung ${turn}` : 'Geprüft, sie stimmt.')],
  ];
  it.each(WORK)('tasks with %s, each answered, never count', (_what, text) => {
    for (const stepMs of [SECOND, 10 * MINUTE]) {
      const d = duel({ stepMs }, text);
      expect(d.stoppedAt(120)).toBe(Number.POSITIVE_INFINITY);
      expect(d.to(d.next()).notice).toBeUndefined();
    }
  });

  it('what one side says never counts, however often and however similar', () => {
    const r = room({ stepMs: SECOND });
    for (let build = 1; build <= 60; build++) {
      for (const text of [`build ${build} failed, can you look?`, 'build failed, can you look?']) {
        expect(r.say('nova', `@otto ${text}`).of('otto').policy).toBe('must_respond');
      }
    }
  });

  it('the same routine, asked afresh each time, does not count', () => {
    const r = room();
    for (let day = 0; day < 20; day++) {
      const asked = r.say('nova', '@otto please run the smoke tests', { after: 3 * HOUR });
      expect(asked.of('otto').policy).toBe('must_respond');
      r.say('otto', 'All green.', { inReplyTo: asked });
    }
  });
});

describe('level 1', () => {
  it('is reached when the fifth turn only asks back: may_respond, with the notice', () => {
    const turns = duel().go(9);
    expect(turns.map(({ policy }) => policy)).toEqual([
      ...Array<string>(4).fill('must_respond'),
      ...Array<string>(5).fill('may_respond'),
    ]);
    expect(turns[3]?.notice).toBeUndefined();
    expect(turns[4]).toMatchObject({
      mode: 'buffered',
      notice: 'loop',
      trace: { row: 'explicit', facts: { loopLevel: 1, loopCount: 5 }, lowered: ['loop_advice'] },
    });
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
  it('stops ten turns that only ask each other, and escalates once [C2A-06-24/loops/stops-without-convergence, C2A-06-24/loops/escalates-once]', () => {
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
        people: 0,
      },
    ]);
    for (let turn = 0; turn < 20; turn++) {
      const further = d.next();
      expect(d.to(further).reason).toBe('loop_stopped');
      expect(further.effect('escalate')).toEqual([]);
    }
  });

  const LOOPS: [string, string[]][] = [
    ['an echo', ['please review the export']],
    [
      'an echo in other words of politeness',
      ['please review the export!', 'Could you kindly review the export? 🙏'],
    ],
    ['“no, you”', ['could you take it?', 'no, could you take it please?']],
    [
      '“no, you”, about a ticket',
      [
        'Could you take ticket 4101?',
        'Sorry, I am busy. Could you take 4101 instead?',
        'No, 4101 is yours. Please take it.',
        'I would rather not. Can you handle 4101?',
      ],
    ],
    ['asking the same after each answer', ['Is the export done?', 'Not yet, it is running.']],
    ['Italian thanks', ['Grazie mille! Ti serve altro?', 'Figurati, grazie a te! A te serve altro?']],
    ['German', ['Könntest du das übernehmen?', 'Nein, mach du das bitte. Kannst du?']],
    ['Japanese', ['これをお願いできますか？', 'いいえ、そちらでお願いできますか？']],
    ['Korean', ['이거 맡아 주시겠어요?', '아니요, 그쪽에서 해 주시겠어요?']],
    ['Chinese', ['你能处理一下吗？', '还是你来处理吧，可以吗？']],
    ['Spanish', ['¿Puedes encargarte tú?', 'No, mejor encárgate tú, ¿puedes?']],
    ['Polish', ['Zajmiesz się tym?', 'Nie, może ty się tym zajmiesz?']],
  ];
  it.each(LOOPS)('stops %s by the tenth turn', (_what, lines) => {
    expect(duel({}, byTurns(...lines)).stoppedAt()).toBeLessThanOrEqual(10);
    // Also when a harness does not say what it replies to, and people talk to others all the while.
    const r = room({ membership: { humans: 3 } });
    const d = new Duel(r, byTurns(...lines));
    let turns = 0;
    for (; turns < 40; turns++) {
      const said = d.next();
      if (d.to(said).reason === 'loop_stopped') break;
      r.say('ann', `@ben the figures for week ${turns} are in`);
      r.say('ben', 'lovely weather today');
    }
    expect(turns).toBeLessThan(10);
  });

  it('holds for the two and for nobody else [C2A-06-24/loops/stops-without-convergence]', () => {
    const d = duel({ agents: ['nova', 'otto', { id: 'iris', roles: ['ops'] }] });
    d.go(10);
    expect(d.room.say('nova', '@iris can you help?').of('iris').policy).toBe('must_respond');
    expect(d.room.say('iris', '@nova with what?').of('nova').policy).toBe('must_respond');
    expect(d.room.say('nova', '@otto can you help?').of('otto').reason).toBe('loop_stopped');
  });

  it('holds for a role that the other has', () => {
    const d = duel({ agents: ['nova', { id: 'otto', roles: ['ops'] }] });
    d.go(10);
    expect(d.room.say('nova', '@ops who can help?').of('otto').reason).toBe('loop_stopped');
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

  it('after repeating, a task with a new number, id or link goes through, and the same again does not', () => {
    const d = duel({}, byTurns('please review the export'));
    expect(d.stoppedAt()).toBeLessThanOrEqual(10);
    expect(d.to(d.next()).reason).toBe('loop_stopped');
    expect(d.room.say('nova', '@otto please review pull request 4107').of('otto').policy).toBe(
      'must_respond',
    );
  });

  it('finds an ask that goes round among three', () => {
    const r = room();
    const round = ['nova', 'otto', 'iris'];
    let last: Outcome | undefined;
    let turns = 0;
    for (; turns < 40; turns++) {
      const [from = '', to = ''] = [round[turns % 3], round[(turns + 1) % 3]];
      last = r.say(from, `@${to} could you take this one?`, { ...(last && { inReplyTo: last }) });
      if (last.of(to).reason === 'loop_stopped') break;
    }
    expect(turns).toBeLessThan(10);
  });

  it('does not take handing work on for going round', () => {
    const r = room();
    for (let nr = 0; nr < 20; nr++) {
      const first = r.say('nova', `@otto please get change ${nr} reviewed`);
      const second = r.say('otto', `@iris please get change ${nr} reviewed`, { inReplyTo: first });
      expect(second.of('iris').policy).toBe('must_respond');
      r.say('iris', 'Reviewed.', { inReplyTo: second });
      r.say('otto', 'Reviewed.', { inReplyTo: first });
    }
  });

  it('counts an exchange with somebody else’s agent', () => {
    const r = room({ agents: ['nova'] });
    let last: Outcome = r.say('agent:robo', '@nova could you take it?');
    let turns = 1;
    for (; turns < 40; turns++) {
      const ours = r.say('nova', 'could you take it?', { replyTo: { eventId: last.eventId, to: 'robo' } });
      last = r.say('agent:robo', 'could you take it?', { replyTo: ours });
      if (last.of('nova').reason === 'loop_stopped') break;
    }
    expect(turns).toBeLessThanOrEqual(3);
    expect(last.effect('escalate')).toMatchObject([{ agents: ['nova'] }]);
  });

  it('does not take two short answers for a repetition', () => {
    const r = room();
    const turns = [1, 2].flatMap(() => [r.say('nova', '@otto ready?'), r.say('otto', '@nova not yet')]);
    expect(turns.every((turn) => turn.effect('escalate').length === 0)).toBe(true);
  });

  it('begins anew after two hours of silence, unless it is stopped', () => {
    const d = duel();
    d.go(9);
    d.room.wait(3 * HOUR);
    expect(d.room.say('nova', '@otto is the mail queue empty?').of('otto').policy).toBe('must_respond');
    const stopped = duel();
    stopped.room.say('ann', 'good morning');
    stopped.go(10);
    stopped.room.wait(24 * HOUR);
    expect(stopped.to(stopped.next()).reason).toBe('loop_stopped');
  });

  it('goes round among three, prompted or not, and is stopped with its content', () => {
    const r = room({ stepMs: 20 * SECOND });
    r.say('ann', 'good morning');
    const ring = ['nova', 'otto', 'iris'];
    const decided = Array.from({ length: 14 }, (_, turn) => {
      const [from, to] = [ring[turn % 3] ?? '', ring[(turn + 1) % 3] ?? ''];
      return r.say(from, `@${to} could you take the invoice?`).of(to).reason;
    });
    expect(decided.indexOf('loop_stopped')).toBeGreaterThan(2);
    expect(decided.indexOf('loop_stopped')).toBeLessThan(10);
  });

  it('is over by itself where no people are who could release it', () => {
    const alone = duel();
    alone.go(10);
    const last = alone.to(alone.next());
    expect(last).toMatchObject({ reason: 'loop_stopped', trace: { facts: { releasedBy: 'time' } } });
    alone.room.wait(3 * HOUR);
    expect(alone.to(alone.next()).policy).toBe('must_respond');
  });
});

describe('a person', () => {
  const resets: [string, (r: Room) => unknown][] = [
    ['speaks to one of the two', (r) => r.say('ann', '@nova please go on')],
    ['replies to one of the two', (r) => r.say('ann', 'is that so?', { replyTo: newest(r) })],
    ['reacts to what one of the two said', (r) => r.react('ann', newest(r), 'agree')],
    [
      'edits a message so that it calls one of the two',
      (r) => {
        const said = r.say('ann', 'lovely weather today');
        r.edit('ann', said, '@nova please go on');
      },
    ],
  ];
  it.each(resets)(
    'who %s releases them, and a new loop is escalated anew [C2A-06-24/loops/escalates-once]',
    (_what, reset) => {
      const d = duel();
      d.go(10);
      expect(d.to(d.next()).reason).toBe('loop_stopped');
      reset(d.room);
      expect(d.go(4).map(({ policy }) => policy)).toEqual(Array<string>(4).fill('must_respond'));
      d.go(5);
      expect(d.next().effect('escalate')).toHaveLength(1);
    },
  );

  const passersBy: [string, (r: Room) => unknown][] = [
    ['speaks to nobody', (r) => r.say('ann', 'lovely weather today')],
    ['speaks to another person', (r) => r.say('ann', '@ben are the figures in?', { mentions: ['ben'] })],
    ['speaks to another agent', (r) => r.say('ann', '@iris are the figures in?')],
    ['thanks one of the two', (r) => r.say('ann', 'thanks @nova')],
    ['is denied', (r) => r.say('mallory', '@nova go on')],
  ];
  it.each(passersBy)('who %s releases nobody', (_what, pass) => {
    const agents = ['nova', 'otto', 'iris'].map((id) => ({ id, ignore: ['human:mallory'] }));
    const d = duel({ agents });
    d.go(9);
    pass(d.room);
    expect(d.to(d.next()).reason).toBe('loop_stopped');
    pass(d.room);
    expect(d.to(d.next()).reason).toBe('loop_stopped');
  });

  it('who answers in the thread of the two releases them, one in its room does not', () => {
    const r = room({ stepMs: 20 * SECOND });
    const d = new Duel(r.thread());
    d.go(10);
    r.say('ann', 'lovely weather today');
    expect(d.to(d.next()).reason).toBe('loop_stopped');
    d.room.say('ann', 'I would take the first one');
    expect(d.to(d.next()).reason).toBe('mention');
  });

  it.each([
    ['stop', 'the first turn'],
    ['leave', 'the first turn'],
  ])('who says “%s” to one of them ends it at once, until a person calls one of them', (word) => {
    const d = duel({}, (turn) => `please review pull request ${4100 + turn}`);
    d.go(3);
    d.room.say('ann', `@otto ${word}`);
    expect(d.to(d.next()).policy).toBe('must_not_respond');
    expect(d.next().effect('escalate')).toEqual([]);
    d.room.say('ann', 'lovely weather today');
    d.room.say('ben', 'thanks @otto');
    expect(d.go(6).every((decision) => !startsTurn(decision))).toBe(true);
    d.room.say('ben', '@otto please go on');
    expect(d.go(2).every((decision) => startsTurn(decision))).toBe(true);
  });
});

describe('the count', () => {
  it('begins anew when one of the two resolves something', () => {
    const d = duel();
    d.go(9);
    d.room.resolve('nova');
    expect(d.go(4).map(({ policy }) => policy)).toEqual(Array<string>(4).fill('must_respond'));
  });

  it('takes in only what is said to an agent', () => {
    const r = room({ stepMs: 20 * SECOND });
    for (let i = 0; i < 20; i++) r.say('nova', `I think the ${TOPICS[i % 16]} is stale`);
    expect(r.say('nova', '@otto is it ready?').of('otto').policy).toBe('must_respond');
    expect(r.state.loop.pairs).toHaveLength(1);
  });

  it('is off on an open floor', () => {
    const d = duel({ here: { openFloor: true } });
    expect(d.go(40).every(({ policy }) => policy === 'must_respond')).toBe(true);
  });

  it('is kept of four pairs; a pair that may be a loop is the last to go', () => {
    const agents = ['nova', 'otto', 'iris', 'juno', 'kilo', 'lima', 'mike'];
    const d = duel({ agents });
    d.go(8);
    for (const other of agents.slice(2)) {
      d.room.say('iris', `@${other === 'iris' ? 'juno' : other} is it ready?`);
    }
    expect(d.room.state.loop.pairs).toHaveLength(4);
    d.next();
    expect(d.to(d.next()).reason).toBe('loop_stopped');
  });
});
