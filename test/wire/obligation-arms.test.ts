// The conformance fixture of the obligations text on the wire: an author, a recipient whose model takes turns through the
// SDK, and the coordinators of both. Asserted is whether the recipient's model took a turn.
import { describe, expect, it } from 'vitest';
import type { Turn } from '../../src/agent/index.ts';
import { askBlocked, cast, openSet, resultIn, RETURN_MS, STEP_MS } from './debt-cast.ts';
import type { WireHostOptions } from './host.ts';
import type { WireHarness } from './ways.ts';

const QUESTION = 'Which of the two databases do I migrate?';

interface Arm {
  /** What the recipient's model read, in order: the event's id without the question's, and when, in intervals. */
  turns: { id: string; at: number; prompt: string; pulled: string }[];
  question: string;
  author: WireHarness;
  chief: WireHarness;
  boss: WireHarness;
  /** So many intervals pass. */
  pass: (intervals: number) => Promise<void>;
}

/** The recipient's model does `onFirst` with the question and is silent about everything else. */
async function play(
  onFirst: (turn: Turn) => Promise<unknown> = () => Promise.resolve(),
  options: WireHostOptions = {},
): Promise<Arm> {
  const { wire, join } = await cast('sdk', 'worker', options);
  const [author, chief, boss] = [await join('author'), await join('chief'), await join('boss')];
  const turns: Arm['turns'] = [];
  let asked = 0;
  let question = '';
  await join('worker', {
    onTurn: async (turn) => {
      const { eventId = '' } = turn.events.at(-1) ?? {};
      const at = Math.round((wire.clock.now() - asked) / RETURN_MS);
      const taken = { id: eventId.replace(question, ''), at, prompt: turn.user, pulled: '' };
      turns.push(taken);
      if (turns.length === 1) return void (await onFirst(turn));
      // A return is a knock. Its content is pulled with the tool it names.
      taken.pulled = (await turn.readThread()).text;
      return undefined;
    },
  });
  asked = wire.clock.now();
  question = await askBlocked(author, 'worker', QUESTION, { defaultAction: 'I migrate neither.' });
  await wire.pass(3_000);
  return {
    turns,
    question,
    author,
    chief,
    boss,
    pass: (intervals) => wire.pass(intervals * (RETURN_MS + STEP_MS), STEP_MS),
  };
}

async function besideThePoint(turn: Turn): Promise<void> {
  await turn.reply('Databases are lovely things.');
  await turn.react('done');
  await turn.react('seen');
}

/** Everything that anybody was told in arm D. */
async function playD(read: boolean): Promise<string> {
  const arm = await play(async (turn) => {
    await turn.reply('Databases are lovely things.');
    await turn.react('done');
    if (read) await turn.react('seen');
  });
  await arm.pass(5);
  const told = [
    arm.turns.map(({ id, at, prompt }) => [id, at, prompt]),
    arm.chief.seen.map(({ raw }) => raw),
    await openSet(arm.author, 'blocked_on'),
  ];
  // Ids and the marker of a fence are drawn anew in every run, and a reaction takes a place in the log.
  return JSON.stringify(told)
    .replaceAll(arm.question, 'QUESTION')
    .replaceAll(/(<<<chat )\S+?\\n|\\n\S+ chat>>>|"sequence":\d+/g, '');
}

const idsOf = ({ turns }: Arm): string[] => turns.map(({ id }) => id);

describe('the arms', () => {
  it('A: an answer beside the point, done and seen: it still returns, in a turn, as a knock without content that can be pulled [OBL/10/arm-a, OBL/5/return-is-injected, OBL/5/return-knock, OBL/5/content-pullable, OBL/3/nothing-closes-itself, OBL/4/done-is-evidence]', async () => {
    const arm = await play(besideThePoint);
    await arm.pass(1);
    expect(idsOf(arm)).toEqual(['', '/return-1']);
    const { prompt = '' } = arm.turns[1] ?? {};
    expect(prompt).toMatch(/KNOCK\nfrom: agent:author/);
    expect(prompt).toMatch(/where: dm:dm:author:worker/);
    expect(prompt).toMatch(/topic: owed answer, 1 min old, work halted/);
    expect(prompt).toMatch(/If nobody answers, the author will:\n<<<chat \S+\nI migrate neither\./);
    expect(prompt).not.toContain('databases do I migrate');
    expect(arm.turns[1]?.pulled).toContain(QUESTION);
    expect(await openSet(arm.author, 'blocked_on')).toHaveLength(1);
  });

  it.each(['author', 'boss'] as const)(
    'B: discharged by the %s, no turn of return is taken and nobody is escalated to, also after the reaction is taken back [OBL/10/arm-b, OBL/3/author-discharges, OBL/3/discharge-is-final]',
    async (who) => {
      const arm = await play(besideThePoint);
      const settled = { inReplyTo: arm.question, signal: 'agree', recipient: 'agent:worker' };
      expect(resultIn(await arm[who].tool('chat.react', settled))).toMatchObject({ discharged: true });
      resultIn(await arm[who].tool('chat.react', { ...settled, remove: true }));
      await arm.pass(6);
      expect(idsOf(arm)).toEqual(['']);
      expect(arm.chief.seen).toEqual([]);
      expect(await openSet(arm.author, 'blocked_on')).toEqual([]);
    },
  );

  it('C: silence: turns at t, 2t and 3t, equal gaps, then an escalation elsewhere and no fourth turn; nothing expires [OBL/10/arm-c, OBL/5/comes-back, OBL/5/flat-interval, OBL/5/escalates-after-three, OBL/3/nothing-expires]', async () => {
    const arm = await play();
    await arm.pass(3);
    expect(arm.turns.map(({ id, at }) => [id, at])).toEqual([
      ['', 0],
      ['/return-1', 1],
      ['/return-2', 2],
      ['/return-3', 3],
    ]);
    expect(arm.chief.seen).toEqual([]);
    await arm.pass(1);
    expect(arm.turns).toHaveLength(4);
    expect(arm.chief.seen).toMatchObject([{ policy: 'must_respond', mode: 'notify', reason: 'obligation' }]);
    expect(arm.author.seen).toEqual([]);
    await arm.pass(20);
    expect(arm.turns).toHaveLength(4);
    expect(await openSet(arm.author, 'blocked_on')).toMatchObject([
      { eventId: arm.question, state: 'escalated' },
    ]);
  });

  it('D: arm A with read state set and unset is byte-identical [OBL/10/arm-d, OBL/3/read-state-no-input, OBL/4/seen-changes-nothing]', async () => {
    expect(await playD(true)).toBe(await playD(false));
  });

  it('control: with returns switched off, A and C take no further turn [OBL/10/control]', async () => {
    const off: WireHostOptions = { obligations: { returns: false } };
    const a = await play(besideThePoint, off);
    await a.pass(5);
    expect(idsOf(a)).toEqual(['']);
    const c = await play(() => Promise.resolve(), off);
    await c.pass(5);
    expect([idsOf(c), c.chief.seen]).toEqual([[''], []]);
  });
});
