// What people do on a platform that is no message: they agree by a button, or give a command. And what one alone sees.
import { afterEach, describe, expect, it } from 'vitest';
import type {
  DecidedQuestion,
  OutboundQuestion,
  PostOutcome,
  Surface,
  SurfaceAct,
  SurfaceHost,
} from '../../src/surfaces/surface.ts';
import { decline } from '../../src/host/operator/approvals.ts';
import { type World, type WorldOptions, world } from './world.ts';

let w: World;
let host: SurfaceHost;
let questions: OutboundQuestion[];
let decided: DecidedQuestion[];
/** What the platform answers when a question is to be shown as decided. */
let showing: PostOutcome[];
afterEach(async () => expect(await w.sound()).toEqual([]));

const withButtons = (surface: Surface): Surface => ({
  ...surface,
  capabilities: {
    ...surface.capabilities,
    threads: 'any',
    does: { ...surface.capabilities.does, questions: true, ephemeral: true },
  },
  start(given) {
    host = given;
    return surface.start(given);
  },
  ask(question) {
    questions.push(question);
    return surface.post(question);
  },
  decided(question) {
    decided.push(question);
    return Promise.resolve(showing.shift() ?? { type: 'visible', platformId: question.platformId });
  },
  fromLink: (link) =>
    link.startsWith('https://chat.example/')
      ? { place: { ...PLACE }, platformId: link.slice('https://chat.example/'.length) }
      : undefined,
});

const PLACE = { platform: 'web', workspaceId: 'w', conversationId: 'C1' };
const OWNER = 'web/w/olga';
const SETTINGS = { sensitive: [{ reason: 'money', words: ['refund'] }], approvers: [OWNER, 'role:owner'] };

async function room(options: WorldOptions = {}): Promise<World> {
  questions = [];
  decided = [];
  showing = [];
  return world({ surface: withButtons, settings: SETTINGS, ...options });
}

async function asked(text: string): Promise<string> {
  const id = await w.say(text);
  await w.advance(2_500);
  return id;
}

type Act = SurfaceAct extends infer A
  ? A extends SurfaceAct
    ? Omit<A, 'actId' | 'place' | 'person'>
    : never
  : never;
let acts = 0;

async function does(person: string, act: Act, place: SurfaceAct['place'] = PLACE): Promise<string> {
  const answered = host.act({ actId: `a${++acts}`, place, person, ...act });
  await w.advance(10);
  return (await answered).text;
}

const press = (
  person: string,
  choice: string,
  question = questions[0]?.idempotencyKey ?? '',
): Promise<string> => does(person, { type: 'choose', question, choice });

async function waiting(options: WorldOptions = {}): Promise<string> {
  w = await room(options);
  const lead = await w.harness('lead');
  const id = await asked('@lead can I have my money back?');
  expect(await lead.reply(id, 'Yes: a refund of 5.')).toMatchObject({ error: 'needs_approval' });
  await w.advance(10);
  return id;
}

describe('a send that needs a person’s word', () => {
  it('is a question with buttons where it was asked, without the words that wait', async () => {
    await waiting();
    expect(questions).toMatchObject([
      {
        text: expect.stringMatching(/approve/),
        choices: [{ id: 'approve' }, { id: 'decline' }, { id: 'show' }],
      },
    ]);
    expect(JSON.stringify(questions)).not.toContain('refund');
    expect(w.texts()).toHaveLength(1);
    expect(decided).toEqual([]);
  });

  it('is asked in the thread that its answer opens, and the answer follows there', async () => {
    const id = await waiting();
    expect(questions).toMatchObject([
      { place: { conversationId: id, parentId: 'C1', opens: { platformId: id } }, visibility: 'thread' },
    ]);
    await press('olga', 'approve');
    await w.advance(1_000);
    expect(w.platform.posts.at(-1)).toMatchObject({ place: { conversationId: id, parentId: 'C1' } });
    expect((await w.logged('message')).map(({ conversation }) => conversation)).toEqual([
      'c/web/w/C1',
      `c/web/w/${id}`,
      `c/web/w/${id}`,
    ]);
  });

  it('is posted when somebody who may approves it, once', async () => {
    const id = await waiting();
    expect(await press('olga', 'approve')).toMatch(/^Approved/);
    await w.advance(1_000);
    expect(w.texts().at(-1)).toBe('Yes: a refund of 5.');
    expect(await w.inbox()).toEqual([]);
    expect(await w.ended(id)).toBe('responded');
    expect(await press('olga', 'approve')).toMatch(/closed already/);
    expect(w.texts()).toHaveLength(2);
  });

  it('is decided once by two presses at the same time', async () => {
    await waiting();
    const told = await Promise.all([press('olga', 'approve'), press('olga', 'decline')]);
    await w.advance(1_000);
    expect(told).toEqual([expect.stringMatching(/^Approved/), expect.stringMatching(/closed already/)]);
    expect(w.texts().filter((text) => text === 'Yes: a refund of 5.')).toHaveLength(1);
    expect(decided.map(({ outcome }) => outcome)).toEqual(['Approved by olga.']);
  });

  it('is shown to whoever may decide, and declined', async () => {
    await waiting();
    expect(await press('olga', 'show')).toBe('lead wants to say:\n\nYes: a refund of 5.');
    expect(await press('olga', 'decline')).toMatch(/^Declined/);
    await w.advance(1_000);
    expect(await w.inbox()).toEqual([]);
    expect(w.texts()).not.toContain('Yes: a refund of 5.');
  });

  it('is not decided or shown by anybody else, who is told why', async () => {
    await waiting();
    for (const choice of ['approve', 'decline', 'show']) {
      const told = await press('ada', choice);
      expect(told).toMatch(/You may not decide this.*owner or operator/);
      expect(told).not.toContain('refund');
    }
    // The same id of another workspace is somebody else.
    const other = { ...PLACE, workspaceId: 'elsewhere' };
    const question = questions[0]?.idempotencyKey ?? '';
    expect(await does('olga', { type: 'choose', question, choice: 'approve' }, other)).toMatch(/may not/);
    expect(await press('olga', 'approve', 'lead:made-up')).toMatch(/not known/);
    expect((await w.inbox()).map(({ kind }) => kind)).toEqual(['approval']);
  });

  it('says who decided what once it is decided, and its buttons go', async () => {
    await waiting();
    await does('olga', {
      type: 'choose',
      question: questions[0]?.idempotencyKey ?? '',
      choice: 'approve',
      personName: 'Olga',
    });
    await w.advance(1_000);
    const [question] = questions;
    expect(decided).toMatchObject([{ ...question, platformId: 'p1', outcome: 'Approved by Olga.' }]);
  });

  it('says so too when it was declined in the inbox, or when nobody decided in time', async () => {
    await waiting();
    const [item] = await w.inbox();
    await decline(w.host, item?.key ?? '', 'operator:ops');
    await w.advance(1_000);
    expect(decided.map(({ outcome }) => outcome)).toEqual(['Declined by ops.']);
    await waiting({ settings: { ...SETTINGS, limits: { approvalMs: 20_000 } } });
    await w.advance(25_000);
    expect(decided.map(({ outcome }) => outcome)).toEqual(['Nobody decided in time.']);
  });

  it('shows the decision until the platform takes it, once', async () => {
    await waiting();
    showing = [
      { type: 'retry', afterMs: 5_000, error: 'slow down' },
      { type: 'unknown', error: 'lost' },
    ];
    await press('olga', 'approve');
    await w.advance(60_000);
    expect(decided).toHaveLength(3);
    expect(await press('olga', 'decline')).toMatch(/closed already/);
    await w.crash();
    await w.advance(1_000);
    expect(decided).toHaveLength(3);
  });

  it('shows after a crash what was decided before it, and at a press of a button that should be gone', async () => {
    await waiting();
    const gone: PostOutcome = { type: 'refused', error: 'not now' };
    showing = [gone, gone];
    await press('olga', 'approve');
    await w.advance(60_000);
    expect(decided).toHaveLength(1);
    await w.crash();
    await w.advance(1_000);
    expect(decided).toHaveLength(2);
    expect(await press('olga', 'decline')).toMatch(/closed already/);
    expect(decided.map(({ outcome }) => outcome)).toEqual(
      Array.from({ length: 3 }, () => 'Approved by olga.'),
    );
  });

  it('is asked in words where there are no buttons', async () => {
    w = await room({ surface: (surface) => surface });
    await w.crash();
    const lead = await w.harness('lead');
    await lead.reply(await asked('@lead can I have my money back?'), 'A refund.');
    await w.advance(10);
    expect(questions).toEqual([]);
    expect(w.texts()).toHaveLength(1);
  });
});

const command = (text: string, about?: string): Promise<string> =>
  does('ada', { type: 'command', text, ...(about !== undefined && { about }) });

describe('a command', () => {
  it('why tells the asker about the newest message, the one it was given on, or the one behind a link', async () => {
    w = await room();
    expect(await command('why')).toBe('Nothing was heard here yet.');
    const first = await w.say('lunch anybody?', { by: 'ben' });
    await w.say('@lead is it green?');
    expect(await command('why')).toMatch(/^ada, 2026-\S+Z:\n- lead must answer/);
    for (const told of [
      await command('why', first),
      await command(`why ${first}`),
      await command(`why https://chat.example/${first}`),
    ])
      expect(told).toMatch(/^ben, 2026-\S+Z:\n- lead /);
    expect(w.texts()).toEqual([]);
  });

  it('why tells nothing of other rooms', async () => {
    w = await room();
    await w.say('here');
    const elsewhere = await w.say('@lead in private', { in: 'D1', kind: 'dm' });
    expect(await command(`why ${elsewhere}`)).toBe('There is no such message here. Ask where it was said.');
  });

  it('mode and leave change the mode of an agent here, and repeat nothing', async () => {
    w = await room({ agents: [{ id: 'lead' }, { id: 'builder' }] });
    await w.say('hello');
    expect(await command('mode mention_only')).toBe('Name one of the agents here: lead, builder.');
    expect(await command('mode loud lead')).toMatch(/^Say "why"/);
    expect(await command('mode mention_only @lead')).toBe('lead hears only explicit calls here.');
    const act: SurfaceAct = {
      actId: 'same',
      place: PLACE,
      person: 'ada',
      type: 'command',
      text: 'leave builder',
    };
    for (const _ of ['told', 'told again']) {
      const left = host.act(act);
      await w.advance(10);
      expect((await left).text).toMatch(/^builder has left/);
    }
    expect((await w.logged('mode')).map(({ record: { event } }) => event)).toMatchObject([
      { agent: 'lead', mode: 'mention_only', author: { id: 'ada' } },
      { agent: 'builder', mode: 'left', author: { id: 'ada' } },
    ]);
    expect(await command('dance')).toMatch(/^Say "why"/);
    expect(await command('constructor')).toMatch(/^Say "why"/);
  });
});

describe('an ephemeral answer', () => {
  it('is for the one whom it answers, and opens no thread for the others', async () => {
    w = await room();
    const lead = await w.harness('lead');
    const id = await asked('@lead what is my balance?');
    expect(await lead.reply(id, 'It is 5.', { visibility: 'ephemeral' })).toMatchObject({ ok: true });
    const [post] = w.platform.posts;
    expect(post).toMatchObject({ visibility: 'ephemeral', onlyFor: 'ada', place: PLACE });
    expect(post?.place).not.toHaveProperty('opens');
  });

  it('is refused when nobody is named', async () => {
    w = await room();
    const lead = await w.harness('lead');
    await asked('hello');
    const sent = await lead.call('chat.send_message', {
      target: 'channel:C1',
      directedness: 'ambient',
      text: 'psst',
      visibility: 'ephemeral',
      idempotencyKey: 'k',
    });
    expect(sent).toMatchObject({ data: { name: 'no_private_way' } });
    expect(w.platform.posts).toEqual([]);
  });
});
