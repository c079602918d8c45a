// `turn.ask` against the real host under a virtual clock: whose words count as the answer, and what becomes of the rest.
import { afterEach, describe, expect, it } from 'vitest';
import type { Answer, AskOptions, ConnectOptions, Turn } from '../../src/agent/index.ts';
import { TurnCancelled } from '../../src/agent/index.ts';
import { type SayOptions, testHost, type TestHost } from '../../src/testing/index.ts';

let host: TestHost;
/** A handler that is meant to throw is logged; everything else is a fault. */
let expectProblems = false;
afterEach(async () => {
  if (expectProblems) host.problems.length = 0;
  expectProblems = false;
  await host.close();
});

interface Asked {
  /** What each turn was about, in order. */
  turns: string[];
  answers: Answer[];
  thrown: unknown[];
}

const QUESTION = 'May I deploy it?';

/** `lead` asks about what begins with "deploy", says how it was answered, and answers everything else at once. */
async function asking(
  ask: AskOptions = {},
  then: (answer: Answer, turn: Turn) => string | void | Promise<string | void> = ({ type, text }) =>
    `${type}: ${text}`,
  connect: ConnectOptions = {},
): Promise<Asked> {
  const asked: Asked = { turns: [], answers: [], thrown: [] };
  host = await testHost({ agents: ['lead', 'builder'] });
  await host.agent(
    'lead',
    async (turn) => {
      asked.turns.push(turn.text);
      if (!turn.text.startsWith('@lead deploy')) return `about ${turn.text}`;
      try {
        const answer = await turn.ask(QUESTION, ask);
        asked.answers.push(answer);
        return await then(answer, turn);
      } catch (error) {
        asked.thrown.push(error);
        throw error;
      }
    },
    connect,
  );
  await host.say('ada', '@lead deploy it please', { id: 'q1' });
  await host.advance(3_000);
  return asked;
}

const said = (): string[] => host.visible('lead').map(({ text }) => text);
const question = (): string => host.visible('lead')[0]?.eventId ?? '';
const edit = (id: string): SayOptions => ({ more: { type: 'edit', targetEventId: id } });
const remove = (eventId: string, targetEventId: string) =>
  host.host.ingest(
    [
      {
        eventId,
        at: host.clock.now(),
        platform: 'test',
        workspaceId: 'w',
        conversation: { id: 'general', kind: 'channel' },
        author: { id: 'ada', kind: 'human' },
        type: 'delete',
        targetEventId,
      },
    ],
    'test',
  );

describe('an answer', () => {
  it.each<[string, Answer['type']]>([
    ['yes', 'agree'],
    ['ok!', 'agree'],
    ['yes please', 'agree'],
    ['Sí, claro', 'agree'],
    ['はい', 'agree'],
    ['no', 'declined'],
    ['No, the other one', 'declined'],
    ['nein', 'declined'],
    ['only to staging', 'answer'],
  ])('"%s" is %s, taken into the turn that asked', async (text, type) => {
    const { turns, answers } = await asking();
    expect(said()).toEqual([QUESTION]);
    await host.say('ada', text, { id: 'a1' });
    await host.advance(10_000);
    expect(answers).toMatchObject([{ type, text, event: { eventId: 'a1' } }]);
    expect(said()).toEqual([QUESTION, `${type}: ${text}`]);
    expect(host.visible('lead')[1]).toMatchObject({ replyTo: 'a1' });
    expect(turns).toHaveLength(1);
    expect((await host.why('a1', 'lead')).disposition).toBe('responded');
  });

  it.each([
    ['agree', 'agree'],
    ['declined', 'declined'],
    ['done', 'answer'],
  ] as const)('the reaction %s is %s', async (signal, type) => {
    const { turns, answers } = await asking();
    await host.react('ada', question(), signal);
    await host.advance(10_000);
    expect(answers).toMatchObject([{ type, text: '' }]);
    expect(turns).toHaveLength(1);
  });

  it('waits out the compose window: "yes" / "but wait for Bob" is not a yes [C2A-06-02/respond/user-input-needed]', async () => {
    const { turns, answers } = await asking();
    await host.say('ada', 'yes', { id: 'a1' });
    await host.advance(1_500);
    expect(answers).toEqual([]);
    await host.say('ada', 'but wait for Bob', { id: 'a2' });
    await host.advance(10_000);
    expect(answers).toMatchObject([{ type: 'answer', text: 'yes\nbut wait for Bob' }]);
    expect(turns).toHaveLength(1);
    expect((await host.why('a1', 'lead')).disposition).not.toBeNull();
    expect((await host.why('a2', 'lead')).disposition).toBe('responded');
  });

  it('that is edited within the window counts as edited', async () => {
    const { answers } = await asking();
    await host.say('ada', 'yes', { id: 'a1' });
    await host.advance(1_000);
    await host.say('ada', 'no', { id: 'a2', ...edit('a1') });
    await host.advance(10_000);
    expect(answers).toMatchObject([{ type: 'declined', text: 'no' }]);
  });

  it('that is deleted within the window is none', async () => {
    const { answers } = await asking({ timeoutMs: 60_000 });
    await host.say('ada', 'yes', { id: 'a1' });
    await host.advance(1_000);
    const removed = remove('a2', 'a1');
    await host.advance(90_000);
    expect(await removed).toMatchObject([{ status: 'accepted' }]);
    expect(answers).toEqual([{ type: 'none', why: 'timeout' }]);
  });

  it('needs no further word: the person sees that it was heard, and is not answered again', async () => {
    const { turns } = await asking({}, () => undefined);
    await host.say('ada', 'no', { id: 'a1' });
    await host.advance(600_000);
    expect(said()).toEqual([QUESTION]);
    expect(host.reactions('lead')).toMatchObject([{ signal: 'seen', on: 'a1' }]);
    expect(turns).toHaveLength(1);
    expect((await host.why('a1', 'lead')).disposition).toBe('acknowledged');
  });

  it('comes again as a turn of its own when the handler breaks on it', async () => {
    expectProblems = true;
    const { turns } = await asking({}, () => {
      throw new Error('broken');
    });
    await host.say('ada', 'yes', { id: 'a1' });
    await host.advance(20_000);
    expect(turns).toEqual(['@lead deploy it please', 'yes']);
    expect(said()).toEqual([QUESTION, 'lead ran into a problem and is trying again.', 'about yes']);
  });
});

describe('what does not answer keeps its normal way', () => {
  it('somebody else’s yes is a turn of its own, afterwards', async () => {
    const { turns, answers } = await asking();
    await host.say('bob', '@lead yes do that', { id: 'b1' });
    await host.advance(10_000);
    expect(answers).toEqual([]);
    await host.say('ada', 'no', { id: 'a1' });
    await host.advance(10_000);
    expect(answers).toMatchObject([{ type: 'declined' }]);
    expect(turns).toEqual(['@lead deploy it please', '@lead yes do that']);
  });

  it('a question back is a turn of its own, and the ask stays open', async () => {
    const { turns, answers } = await asking();
    await host.say('ada', '@lead which version is it?', { id: 'a1' });
    await host.advance(10_000);
    expect(answers).toEqual([]);
    await host.react('ada', question(), 'agree');
    await host.advance(10_000);
    expect(answers).toMatchObject([{ type: 'agree' }]);
    expect(turns).toEqual(['@lead deploy it please', '@lead which version is it?']);
  });

  it('a reaction on something else answers nothing', async () => {
    const { answers } = await asking({ timeoutMs: 30_000 });
    await host.react('ada', 'q1', 'agree');
    await host.advance(60_000);
    expect(answers).toEqual([{ type: 'none', why: 'timeout' }]);
  });

  it('what comes after the answer waits for its own turn', async () => {
    const wait = (): Promise<void> => new Promise((resolve) => host.clock.after(20_000, resolve));
    const { turns } = await asking({}, async () => {
      await wait();
      return 'done';
    });
    await host.say('ada', 'yes');
    await host.advance(5_000);
    await host.say('ada', '@lead and tell me the version', { id: 'a2' });
    await host.advance(60_000);
    expect(turns).toEqual(['@lead deploy it please', '@lead and tell me the version']);
    expect(said()).toEqual([QUESTION, 'done', 'about @lead and tell me the version']);
  });
});

describe('no answer', () => {
  it('is none after the time given, and the turn’s own time has stood still meanwhile', async () => {
    const { answers } = await asking({ timeoutMs: 500_000 }, undefined, { limits: { turnMs: 5_000 } });
    await host.advance(490_000);
    expect(answers).toEqual([]);
    await host.advance(20_000);
    expect(answers).toEqual([{ type: 'none', why: 'timeout' }]);
    expect(said()).toEqual([QUESTION, 'none: undefined']);
  });

  it('holds up no other conversation, however few turns run at once', async () => {
    const { turns } = await asking({}, undefined, { limits: { concurrentTurns: 1 } });
    await host.say('eve', '@lead what is new?', { in: 'other' });
    await host.advance(10_000);
    expect(turns).toEqual(['@lead deploy it please', '@lead what is new?']);
    await host.say('ada', 'yes');
    await host.advance(10_000);
    expect(said()).toEqual([QUESTION, 'about @lead what is new?', 'agree: yes']);
  });

  it('when somebody says stop: the turn is cancelled and says nothing more', async () => {
    const { answers, thrown } = await asking();
    await host.say('ada', '@lead stop');
    await host.advance(60_000);
    expect(answers).toEqual([]);
    expect(thrown).toMatchObject([{ why: 'stopped' }]);
    expect(thrown[0]).toBeInstanceOf(TurnCancelled);
    expect(said().filter((text) => text.startsWith('none'))).toEqual([]);
  });

  it('when the message that led to it is edited: the new words are a turn of their own', async () => {
    const { turns, answers } = await asking({}, () => undefined);
    await host.say('ada', '@lead what is the version?', { id: 'q2', ...edit('q1') });
    await host.advance(10_000);
    expect(answers).toEqual([{ type: 'none', why: 'edited' }]);
    expect(turns).toEqual(['@lead deploy it please', '@lead what is the version?']);
  });

  it('when something urgent comes in: the next step of the turn takes it', async () => {
    const steps: string[] = [];
    const { answers } = await asking({}, async (_, turn) => {
      const interrupt = await turn.step();
      steps.push(...(interrupt?.events ?? []).map(({ text }) => text));
      return 'on it';
    });
    await host.say('bob', '@lead URGENT: production is down, emergency', { id: 'u1' });
    await host.advance(10_000);
    expect(answers).toEqual([{ type: 'none', why: 'interrupted' }]);
    expect(steps).toEqual(['@lead URGENT: production is down, emergency']);
  });

  it('when an agent that can be stopped anywhere gets something urgent: its turn makes way', async () => {
    const { turns, thrown } = await asking({}, undefined, { interrupts: 'anytime' });
    await host.say('ada', '@lead URGENT: production is down, emergency', { id: 'u1' });
    await host.advance(10_000);
    expect(thrown).toMatchObject([{ why: 'interrupted' }]);
    expect(turns).toEqual(['@lead deploy it please', '@lead URGENT: production is down, emergency']);
  });

  it('when the host refuses the question: none, with what to do instead', async () => {
    host = await testHost({ agents: ['lead'] });
    const long = 'May I deploy what is on the main branch to production now?';
    const answers: Answer[] = [];
    await host.agent('lead', async (turn) => {
      await turn.reply(long);
      answers.push(await turn.ask(long));
    });
    await host.say('ada', '@lead deploy it');
    await host.advance(10_000);
    expect(answers).toMatchObject([{ type: 'none', why: 'refused' }]);
    expect(answers[0]?.text).toMatch(/same/i);
  });

  it('when the turn ends without waiting for it', async () => {
    host = await testHost({ agents: ['lead'] });
    const answers: Promise<Answer>[] = [];
    await host.agent('lead', async (turn) => {
      if (turn.text === 'yes') return 'about yes';
      answers.push(turn.ask(QUESTION));
      await new Promise<void>((resolve) => host.clock.after(5_000, resolve));
      return undefined;
    });
    await host.say('ada', '@lead deploy it');
    await host.advance(10_000);
    expect(await Promise.all(answers)).toEqual([{ type: 'none', why: 'over' }]);
    await host.say('ada', 'yes');
    await host.advance(10_000);
    expect(said()).toEqual([QUESTION, 'about yes']);
  });
});

describe('several questions', () => {
  it('at once are put one after the other', async () => {
    host = await testHost({ agents: ['lead'] });
    await host.agent('lead', async (turn) => {
      const all = await Promise.all(['First one?', 'Second one?'].map((text) => turn.ask(text)));
      return all.map(({ type }) => type).join(' ');
    });
    await host.say('ada', '@lead deploy it');
    await host.advance(5_000);
    expect(said()).toEqual(['First one?']);
    await host.say('ada', 'yes');
    await host.advance(5_000);
    expect(said()).toEqual(['First one?', 'Second one?']);
    await host.say('ada', 'no');
    await host.advance(5_000);
    expect(said()).toEqual(['First one?', 'Second one?', 'agree declined']);
    expect(host.turns('lead')).toBe(1);
  });

  it('are bounded: one more than may wait is refused', async () => {
    host = await testHost({ agents: ['lead'] });
    const options = { limits: { waitingAsks: 1 } };
    const why: unknown[] = [];
    await host.agent(
      'lead',
      async (turn) => {
        const first = turn.ask('First one?');
        why.push((await turn.ask('Second one?')).why);
        await first;
      },
      options,
    );
    await host.say('ada', '@lead deploy it');
    await host.advance(5_000);
    expect(why).toEqual(['refused']);
    expect(said()).toEqual(['First one?']);
  });
});

describe('somebody else, somewhere else', () => {
  it('only the one who was asked answers', async () => {
    const { answers } = await asking({ who: 'human:bob' });
    await host.say('bob', 'hello all', { id: 'b0' });
    await host.say('ada', '@lead go on then', { id: 'a1' });
    await host.advance(5_000);
    expect(answers).toEqual([]);
    await host.say('bob', '@lead yes do it', { id: 'b1' });
    await host.advance(10_000);
    expect(answers).toMatchObject([{ type: 'agree', event: { author: { id: 'bob' } } }]);
  });

  it('of several the first who answers decides, whoever it is', async () => {
    const { answers } = await asking({ who: ['human:bob', 'human:cyd'] });
    await host.say('dan', '@lead yes', { id: 'd1' });
    await host.advance(5_000);
    expect(answers).toEqual([]);
    await host.say('cyd', '@lead no', { id: 'c1' });
    await host.say('bob', '@lead yes', { id: 'b1' });
    await host.advance(10_000);
    expect(answers).toMatchObject([{ type: 'declined', event: { author: { id: 'cyd' } } }]);
  });

  it('asked in another conversation, the answer comes from there and the reply stays here', async () => {
    host = await testHost({ agents: ['lead'] });
    await host.agent('lead', async (turn) => {
      if (turn.conversation.id === 'D1') return 'hello';
      const { type } = await turn.ask(QUESTION, { target: 'dm:D1', who: 'human:bob' });
      return type;
    });
    await host.say('bob', 'hi', { in: 'D1', inKind: 'dm' });
    await host.advance(5_000);
    await host.say('ada', '@lead deploy it', { id: 'q1' });
    await host.advance(5_000);
    await host.say('bob', 'yes', { in: 'D1', inKind: 'dm', id: 'b2' });
    await host.advance(60_000);
    expect(host.visible('lead').map((message) => [message.in, message.text])).toEqual([
      ['D1', 'hello'],
      ['D1', QUESTION],
      ['general', 'agree'],
    ]);
    expect(host.reactions('lead')).toMatchObject([{ signal: 'seen', on: 'b2' }]);
  });
});

describe('the process', () => {
  it('ends while it asks: the answer is a turn of the next one, which sees the question', async () => {
    host = await testHost({ agents: ['lead'] });
    const first = await host.agent('lead', async (turn) => {
      await turn.ask(QUESTION);
    });
    await host.say('ada', '@lead deploy it', { id: 'q1' });
    await host.advance(5_000);
    const closed = first.close();
    await host.advance(10_000);
    await closed;
    const prompts: string[] = [];
    await host.agent('lead', (turn) => {
      prompts.push(turn.prompt);
      return `about ${turn.text}`;
    });
    await host.say('ada', 'yes', { id: 'a1' });
    await host.advance(60_000);
    expect(said()).toEqual([QUESTION, 'about yes']);
    expect(prompts).toHaveLength(1);
    expect(prompts[0]).toContain(QUESTION);
  });
});
