// Work is not a loop, and a loop is not work: through real transports, with people talking to others all the while.
import { describe, expect, it } from 'vitest';
import { until, type WireHost } from './host.ts';
import { type Says, talk } from './talk.ts';
import { hostWith, type ToolResult, WAYS } from './ways.ts';

const STOPPED = 'so they are stopped here';

/** People who talk to each other, to nobody, and to an agent that is not part of it. */
async function smallTalk(wire: WireHost, round: number): Promise<void> {
  await wire.say(`@bob the figures of week ${round} are in`, {
    by: 'carol',
    more: { mentions: [{ kind: 'human', id: 'bob' }] },
  });
  await wire.say(round % 2 === 0 ? 'lunch at noon?' : 'the coffee machine works again', { by: 'bob' });
}

const notices = ({ platform }: WireHost): string[] =>
  platform.texts().filter((text) => text.includes(STOPPED));

const isNotWoken = (result: ToolResult): boolean => result.ok && 'notWoken' in result.result;

describe.each(WAYS)('what an agent says to an agent, over %s', (way) => {
  it('obliges nobody by a mention or a reply that asks nothing', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    const asked = await wire.say('@lead is the export done?');
    await wire.pass(3_000);
    const seen = await lead.next(({ eventId }) => eventId === asked, 'the question');
    const sent = await lead.reply(seen, 'Yes, @builder has moved it to the second host.');
    const { eventId } = sent.ok ? sent.result : {};
    expect((await wire.why(String(eventId), 'builder')).decision).toMatchObject({
      directedness: 'to_me',
      policy: 'may_respond',
      mode: 'notify',
      trace: { row: 'agent_no_task' },
    });
    // What it asks it puts to the person whom it tags.
    const both = await wire.say('@ada is that enough? @builder has the log of it.', {
      by: 'lead',
      byKind: 'agent',
    });
    expect((await wire.why(both, 'builder')).decision).toMatchObject({ trace: { row: 'agent_no_task' } });
    // A person's mention obliges, whatever the words.
    const told = await wire.say('@builder the export is yours');
    expect((await wire.why(told, 'builder')).decision).toMatchObject({ policy: 'must_respond' });
  });

  it('obliges by a question; its answer comes with the words, and thanks end it [C2A-06-24/loops/no-reply-to-thanks]', async () => {
    const room = await talk(way, {
      lead: ({ text }) => {
        if (text.includes('get it')) return '@builder which host is the export on?';
        return text.includes('third host') ? '@builder thanks a lot!' : undefined;
      },
      builder: ({ text }) => (text.includes('which host') ? 'It is on the third host.' : 'You are welcome!'),
    });
    await room.wire.say('@lead please get it sorted out');
    await room.settle();
    expect(room.of('builder').turns.map(({ policy, text }) => [policy, text])).toEqual([
      ['must_respond', expect.stringContaining('which host')],
    ]);
    expect(room.of('lead').turns.at(-1)).toMatchObject({
      policy: 'may_respond',
      mode: 'buffered',
      text: expect.stringContaining('third host'),
    });
    expect(room.agentTurns()).toHaveLength(2);
    expect(room.wire.platform.texts()).not.toContain('You are welcome!');
  });

  it('in a first direct message is answered; a reply inside it is a reply', async () => {
    const room = await talk(way, {
      lead: ({ text }) => (text.includes('go') ? undefined : 'The fourth one is slower.'),
      builder: () => 'I have moved it to the third host.',
    });
    const lead = room.of('lead').harness;
    await lead.tool('chat.send_message', {
      target: 'agent:builder',
      text: 'the export is yours now',
      visibility: 'dm',
      directedness: 'to_me',
      idempotencyKey: 'dm-1',
    });
    await room.settle();
    expect(room.of('builder').turns).toMatchObject([{ policy: 'must_respond' }]);
    expect(room.of('lead').turns).toEqual([]);
  });
});

const SERVICES = 'billing search login export mail cart feed chat maps docs'.split(' ');
const CITIES = ['Oslo', 'Lima', 'Kyoto', 'Accra'];

/** Tasks that read alike: they differ in a number, in names or in a link. */
function task(nr: number): string {
  const service = SERVICES[nr % SERVICES.length];
  const alike = [
    `Please review pull request ${4100 + nr}`,
    `Please deploy ${service} for ${CITIES[(nr * 3) % CITIES.length]} to staging`,
    `Can you check https://ci.example/job/${service}/${nr}?`,
  ];
  return alike[nr % alike.length] ?? '';
}

const ANSWERS: [string, (nr: number) => string][] = [
  ['answered in a word', () => 'Done.'],
  ['answered with a question for more', () => 'It is fine. What comes next?'],
  ['answered by a report that reads like an order', (nr) => `Run ${nr} completed without errors.`],
];

describe('work is not a loop', () => {
  it.each(ANSWERS)('forty tasks, each %s, go through, and nobody is told otherwise', async (_how, answer) => {
    let handed = 0;
    const next: Says = () => (handed < 40 ? `@builder ${task(handed++)}` : undefined);
    const room = await talk('websocket', { lead: next, builder: (_, turn) => `@lead ${answer(turn)}` });
    await room.wire.say('@lead please work through the list');
    for (let round = 0; round < 45; round++) {
      if (handed === 40) break;
      await room.settle(2);
      await smallTalk(room.wire, round);
    }
    await room.settle();
    expect(handed).toBe(40);
    expect(room.of('builder').turns).toHaveLength(40);
    expect(room.agentTurns().filter((turn) => turn.notices.includes('loop'))).toEqual([]);
    expect(notices(room.wire)).toEqual([]);
    expect(room.of('lead').results.every((result) => result.ok && !('notWoken' in result.result))).toBe(true);
  });

  it.each(WAYS.filter((way) => way !== 'websocket'))('nor over %s', async (way) => {
    let handed = 0;
    const next: Says = () =>
      handed < 12 ? `@builder Please review pull request ${4100 + handed++}` : undefined;
    const room = await talk(way, { lead: next, builder: () => '@lead Done.' });
    await room.wire.say('@lead please work through the list');
    await room.settle();
    expect(room.of('builder').turns).toHaveLength(12);
    expect(notices(room.wire)).toEqual([]);
  });

  it('what one side reports or asks is never stopped, however often and however similar', async () => {
    const { wire, agent: builder } = await hostWith('websocket', 'builder');
    for (let build = 1; build <= 40; build++) {
      await wire.say(`@builder build ${build} failed`, { by: 'lead', byKind: 'agent' });
      const asked = await wire.say(`@builder build ${build} failed, can you look?`, {
        by: 'lead',
        byKind: 'agent',
      });
      expect((await wire.why(asked, 'builder')).decision).toMatchObject({ policy: 'must_respond' });
    }
    await wire.pass(5_000);
    await until(() => builder.seen.length >= 40, 'the reports');
    expect(notices(wire)).toEqual([]);
  });
});

const LOOPS: [string, readonly [string, string]][] = [
  ['an echo of politeness', ['Could you kindly look at the export? 🙏', 'please look at the export!']],
  ['“no, you”', ['could you take it?', 'no, could you take it please?']],
  ['thanks with a question, in Italian', ['Grazie mille! Ti serve altro?', 'Grazie a te! A te serve altro?']],
  ['“no, you”, in German', ['Könntest du das übernehmen?', 'Nein, mach du das bitte. Kannst du?']],
  ['“no, you”, in Japanese', ['これをお願いできますか？', 'いいえ、そちらでお願いできますか？']],
];

/** lead and builder throw the two lines at each other, whatever they hear. */
const pingPong = ([ours, theirs]: readonly [string, string]): Record<'lead' | 'builder', Says> => ({
  lead: () => `@builder ${ours}`,
  builder: () => `@lead ${theirs}`,
});

describe('a loop is not work', () => {
  it.each(LOOPS)(
    '%s is stopped by the tenth turn while people talk to others, and the room is told once [C2A-06-24/loops/stops-without-convergence, C2A-06-24/loops/escalates-once, C2A-06-24/loops/escalates-to-a-human]',
    async (_what, lines) => {
      const room = await talk('websocket', pingPong(lines));
      await room.wire.say('@lead please begin');
      for (let round = 0; round < 12; round++) {
        await room.settle(1);
        await smallTalk(room.wire, round);
      }
      await room.settle();
      expect(room.agentTurns().length).toBeLessThan(10);
      expect(notices(room.wire)).toHaveLength(1);
      expect(notices(room.wire)[0]).toMatch(/^(lead and builder|builder and lead) were repeating themselves/);
      // The line itself wakes nobody and starts nothing.
      const said = room.wire.platform.texts().length;
      await room.wire.pass(600_000, 20_000);
      expect(room.wire.platform.texts()).toHaveLength(said);
    },
  );

  it.each(WAYS)(
    'is stopped over %s, and the sender reads whom it did not wake and who can help',
    async (way) => {
      const room = await talk(way, pingPong(['could you take it?', 'no, could you take it please?']));
      await room.wire.say('@lead please begin');
      await room.settle();
      expect(room.agentTurns().length).toBeLessThan(10);
      expect(notices(room.wire)).toHaveLength(1);
      const told = ['lead', 'builder'].flatMap((agent) => room.of(agent).results.filter(isNotWoken));
      expect(told).toHaveLength(1);
      const [result] = told;
      const other = room.of('lead').results.some(isNotWoken) ? 'builder' : 'lead';
      expect(result).toMatchObject({
        result: { status: 'sent', notWoken: [{ agent: other, why: 'repeating', releasedBy: 'person' }] },
        text: expect.stringContaining(`Posted, but ${other} was not woken: you and ${other} were repeating`),
      });
      // It was posted, as the status says.
      expect(room.wire.platform.texts().at(-2)).toMatch(/could you take it/);
    },
  );

  it('a sender whose post is not visible yet is told the same', async () => {
    const room = await talk('websocket', pingPong(['could you take it?', 'no, could you take it please?']));
    await room.wire.say('@lead please begin');
    await room.settle();
    await room.wire.say('@lead stop');
    await room.settle(1);
    room.wire.platform.onPost = () => 'retry';
    const sending = room.of('lead').harness.tool('chat.send_message', {
      target: 'channel:general',
      text: '@builder could you take it?',
      visibility: 'channel',
      directedness: 'ambient',
      idempotencyKey: 'later',
    });
    await room.wire.pass(20_000);
    expect(await sending).toMatchObject({
      result: { status: 'pending', notWoken: [{ agent: 'builder', why: 'told', releasedBy: 'person' }] },
    });
  });

  it('thanks and agreement end it at once', async () => {
    const room = await talk('websocket', {
      lead: ({ text }) =>
        text.includes('begin') ? '@builder is the export done?' : '@builder sounds good, thanks a lot!',
      builder: ({ text }) => (text.includes('export done') ? '@lead yes, it is.' : '@lead no, thank you!'),
    });
    await room.wire.say('@lead please begin');
    await room.settle();
    expect(room.agentTurns()).toHaveLength(2);
    expect(notices(room.wire)).toEqual([]);
  });

  it('tells the model before, and the notice reaches it', async () => {
    const topics = SERVICES.map((service) => `what about the ${service}?`);
    let asked = 0;
    const asks =
      (to: string): Says =>
      () =>
        `@${to} ${topics[asked++ % topics.length]}`;
    const room = await talk('sdk', { lead: asks('builder'), builder: asks('lead') });
    await room.wire.say('@lead please begin');
    await room.settle();
    const told = room.agentTurns().map((turn) => turn.notices.includes('loop'));
    expect(told.filter((notice) => !notice)).toHaveLength(4);
    expect(told.length).toBe(9);
  });
});

describe('a person', () => {
  const noYou = pingPong(['could you take it?', 'no, could you take it please?']);

  it('releases those whom they speak to, and not every pair of the room', async () => {
    const room = await talk('websocket', {
      ...noYou,
      reviewer: () => '@tester could you take the other one?',
      tester: () => '@reviewer no, could you take the other one?',
    });
    await room.wire.say('@lead please begin');
    await room.wire.say('@reviewer please begin', { by: 'bob' });
    await room.settle();
    expect(notices(room.wire)).toHaveLength(2);
    const before = [room.of('builder').turns.length, room.of('tester').turns.length];
    await room.wire.say('@lead please go on');
    await room.settle();
    expect(room.of('builder').turns.length).toBeGreaterThan(before[0] ?? 0);
    expect(room.of('tester').turns).toHaveLength(before[1] ?? 0);
    expect(notices(room.wire)).toHaveLength(3);
  });

  it.each(['@builder stop', '@builder leave'])(
    'who says “%s” ends it at once, until a person calls one of them',
    async (words) => {
      let nr = 0;
      const room = await talk('websocket', {
        lead: () => `@builder Please review pull request ${4100 + nr++}`,
        builder: () => '@lead Done. What comes next?',
      });
      await room.wire.say('@lead please begin');
      for (let round = 0; round < 4; round++) await room.settle(1);
      expect(room.of('builder').turns.length).toBeGreaterThan(1);
      await room.wire.say(words);
      await room.settle(2);
      const ended = room.agentTurns().length;
      for (let round = 0; round < 5; round++) {
        await smallTalk(room.wire, round);
        await room.settle(1);
      }
      expect(room.agentTurns()).toHaveLength(ended);
      expect(notices(room.wire)).toEqual([]);
      await room.wire.say('@builder please go on', { by: 'bob' });
      await room.settle(6);
      expect(room.agentTurns().length).toBeGreaterThan(ended);
    },
  );
});
