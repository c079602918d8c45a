// The chat of a tab as a fold over what the host tells: whatever comes twice, late or out of turn, every message is
// there once, in the order of the log, as it is now.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pendingIn } from '../../src/console/chat/state/sends.ts';
import { type ChatAction, type ChatState, INITIAL, reduce } from '../../src/console/chat/state/state.ts';
import { ADA, after, BOB, find, hello, LEAD, news, page, said, shown, told } from './messages.ts';

const reading: ChatAction = { type: 'reading', conversation: 'general' };
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);
const pageOf = (from: number, to: number, more = false, before?: string): ChatAction =>
  page(
    range(from, to).map((n) => said(n)),
    more,
    before,
  );

const edited = (n: number, text: string, at: number): ChatAction =>
  news('edited', {
    position: String(at),
    conversation: 'general',
    eventId: `e${n}`,
    text,
    mentions: [],
    editedAt: new Date(2_000_000 + at).toISOString(),
  });
const reaction = (n: number, at: number, removed = false): ChatAction =>
  news('reaction', {
    position: String(at),
    conversation: 'general',
    eventId: `e${n}`,
    signal: 'agree',
    glyph: '+',
    by: BOB,
    removed,
  });
const types = (typing: boolean): ChatAction =>
  news('typing', { conversation: 'general', author: LEAD, typing });
const inThread = (n: number): ChatAction => told(n, 100 + n, { conversation: 'e1' });
const seen = (state: ChatState): number =>
  pendingIn(state.sends, 'general').length +
  (state.rooms.get('general')?.held.filter(({ message }) => message.text === 'hello').length ?? 0);

describe('messages', () => {
  it('shows what is told once, in the order of the log, however often it is told', () => {
    const state = after([hello(), pageOf(1, 2), told(3), told(3), told(2), told(4)]);
    expect(shown(state)).toEqual(['e1', 'e2', 'e3', 'e4']);
    // What came with a page has its place there, whatever is told of it again.
    expect(shown(after([hello(), pageOf(1, 4), told(2), told(5), told(1)]))).toEqual(
      range(1, 5).map((n) => `e${n}`),
    );
  });

  it('joins the first page with what was told before it came, and with what the page does not have yet', () => {
    const state = after([hello(), told(4), reading, told(5), pageOf(2, 4, true), told(6)]);
    expect(shown(state)).toEqual(['e2', 'e3', 'e4', 'e5', 'e6']);
    expect(state.rooms.get('general')?.more).toBe(true);
  });

  it('puts older pages in front, and keeps none that belongs to a stretch it has dropped', () => {
    const opened = after([hello(), pageOf(11, 20, true), pageOf(1, 10, false, 'e11')]);
    expect(shown(opened)).toEqual(range(1, 20).map((n) => `e${n}`));
    expect(opened.rooms.get('general')?.more).toBe(false);
    const dropped = after([hello(), pageOf(31, 40, true), pageOf(1, 10, false, 'e11')], opened);
    expect(shown(dropped)).toEqual(range(31, 40).map((n) => `e${n}`));
  });

  it('does not grow without bound where nobody looks', () => {
    const state = after([hello(), ...range(1, 300).map((n) => told(n))]);
    expect(shown(state)).toHaveLength(200);
    expect(shown(state).at(-1)).toBe('e300');
    // What was cut off comes with its page; nothing is missing between.
    expect(shown(after([pageOf(251, 300, true)], state))).toEqual(range(251, 300).map((n) => `e${n}`));
  });
});

describe('edits, deletions, reactions and states', () => {
  it('change the message that is here', () => {
    const state = after([hello(), pageOf(1, 2), edited(1, 'better', 101), reaction(1, 102)]);
    expect(find(state, 'e1')).toMatchObject({ text: 'better', reactions: [{ signal: 'agree', by: [BOB] }] });
    expect(find(after([reaction(1, 103, true)], state), 'e1')?.reactions).toEqual([]);
  });

  it('wait for a message whose page is not loaded yet', () => {
    const state = after([
      hello(),
      pageOf(11, 12, true),
      edited(3, 'first', 101),
      edited(3, 'better', 102),
      reaction(3, 103),
    ]);
    const loaded = after([pageOf(1, 10, false, 'e11')], state);
    expect(find(loaded, 'e3')).toMatchObject({ text: 'better', reactions: [{ signal: 'agree' }] });
    expect(loaded.rooms.get('general')?.early.size).toBe(0);
  });

  it('are not undone by a page that was made before they happened', () => {
    const gone = news('deleted', { position: '103', conversation: 'general', eventId: 'e2' });
    const working = news('state', {
      conversation: 'general',
      eventId: 'e1',
      states: [{ agent: 'lead', state: 'answered' }],
    });
    const before = after([
      hello(),
      pageOf(1, 2),
      reading,
      edited(1, 'better', 101),
      reaction(1, 102),
      gone,
      working,
    ]);
    const state = after([pageOf(1, 2)], before);
    expect(find(state, 'e1')).toMatchObject({
      text: 'better',
      reactions: [{ signal: 'agree' }],
      states: [{ agent: 'lead', state: 'answered' }],
    });
    expect(find(state, 'e2')).toMatchObject({ deleted: true, text: '' });
  });

  it('keep an edit that is newer than the page, and yield to a page that is newer than the edit', () => {
    const newer = { ...said(3), text: 'newest', editedAt: new Date(9_000_000).toISOString() };
    const state = after([hello(), edited(3, 'old', 101), page([newer])]);
    expect(find(state, 'e3')?.text).toBe('newest');
  });

  it('show also where it is quoted', () => {
    const reply = { replyTo: { eventId: 'e1', author: BOB, excerpt: 'message 1' } };
    const state = after([hello(), page([said(1), said(2, reply)]), edited(1, 'better', 101)]);
    expect(find(state, 'e2')?.replyTo?.excerpt).toBe('better');
    const gone = news('deleted', { position: '102', conversation: 'general', eventId: 'e1' });
    expect(find(after([gone], state), 'e2')?.replyTo).toEqual({ eventId: 'e1', author: BOB });
  });

  it('show also at the message above a thread', () => {
    const thread = { id: 'e1', kind: 'thread' as const, title: 'x', parentId: 'general', agents: [] };
    const opened: ChatAction = {
      type: 'page',
      conversation: thread,
      page: { messages: [], more: false, root: said(1) },
    };
    const state = after([hello(), pageOf(1, 2), opened, edited(1, 'better', 101)]);
    expect(state.rooms.get('e1')?.root?.text).toBe('better');
  });
});

describe('sending', () => {
  const send: ChatAction = {
    type: 'send',
    send: { key: 'k1', conversation: 'general', text: 'hello', atMs: 0 },
  };
  const mine = { author: ADA, text: 'hello' };
  const sent: ChatAction = { type: 'sent', key: 'k1', message: said(3, mine) };

  it.each([
    ['the answer comes first', [sent, told(3, 103, mine)]],
    ['the news comes first', [told(3, 103, mine), sent]],
    [
      'the connection is lost before both, and both come again',
      [{ type: 'status', status: 'lost' }, hello({ resumed: true }), told(3, 103, mine), sent],
    ],
    [
      'the connection is lost after the news',
      [
        told(3, 103, mine),
        { type: 'status', status: 'lost' },
        hello({ resumed: true }),
        told(3, 103, mine),
        sent,
      ],
    ],
    [
      'too much was missed, and it is in the page',
      [{ type: 'status', status: 'lost' }, hello(), sent, page([said(2), said(3, mine)])],
    ],
  ] as [string, ChatAction[]][])('shows a message once at every moment when %s', (_, actions) => {
    let state = after([hello(), pageOf(1, 2), send]);
    expect(seen(state)).toBe(1);
    for (const action of actions) {
      state = reduce(state, action);
      expect(seen(state)).toBe(1);
    }
    expect(state.sends).toEqual([]);
    expect(shown(state).filter((id) => id === 'e3')).toHaveLength(1);
  });

  it('keeps what was refused, with the reason, and under the same key', () => {
    const refused = after([
      hello(),
      pageOf(1, 2),
      send,
      { type: 'not_sent', key: 'k1', problem: 'Too fast.' },
    ]);
    expect(refused.sends).toMatchObject([{ key: 'k1', problem: 'Too fast.' }]);
    const again = after([{ type: 'resend', key: 'k1' }], refused);
    expect(again.sends).toEqual([{ key: 'k1', conversation: 'general', text: 'hello', atMs: 0 }]);
    expect(after([{ type: 'discard', key: 'k1' }], refused).sends).toEqual([]);
  });

  it('takes two messages with the same words for two', () => {
    const second: ChatAction = {
      type: 'send',
      send: { key: 'k2', conversation: 'general', text: 'hello', atMs: 1 },
    };
    const state = after([hello(), pageOf(1, 2), send, second, told(3, 103, mine)]);
    expect(pendingIn(state.sends, 'general').map(({ key }) => key)).toEqual(['k2']);
  });

  it('places one’s own by the log when somebody else was faster', () => {
    const state = after([
      hello(),
      pageOf(1, 2),
      send,
      { type: 'sent', key: 'k1', message: said(4, mine) },
      told(3, 103),
      told(4, 104, mine),
    ]);
    expect(shown(state)).toEqual(['e1', 'e2', 'e3', 'e4']);
  });
});

describe('coming back', () => {
  it('resumes from the newest news and not from where the host is, so that a second loss loses nothing', () => {
    const lost = after([hello(), pageOf(1, 2), told(3, 120), { type: 'status', status: 'lost' }]);
    expect(lost.position).toBe('120');
    const back = after([hello({ resumed: true, position: '150' })], lost);
    expect(back.position).toBe('120');
    expect(after([told(4, 130)], back).position).toBe('130');
    expect(shown(back)).toEqual(['e1', 'e2', 'e3']);
  });

  it('drops what it shows when too much has happened', () => {
    const back = after([hello(), pageOf(1, 2), hello({ position: '900' })]);
    expect(shown(back)).toEqual([]);
    expect(back.position).toBe('900');
  });

  it('does not count as unread what the greeting has counted', () => {
    const conversations = [
      { id: 'general', kind: 'channel' as const, title: 'general', agents: [], unread: 2 },
    ];
    const back = after([
      hello({ resumed: true, position: '103', conversations }),
      told(2, 102),
      told(3, 103),
    ]);
    expect(back.conversations.get('general')?.unread).toBe(2);
    expect(after([told(4, 104)], back).conversations.get('general')?.unread).toBe(3);
  });
});

describe('the list', () => {
  it('counts what others write where nobody looks, up to a bound, and not one’s own', () => {
    const state = after([
      hello(),
      ...range(1, 150).map((n) => told(n, 100 + n)),
      told(151, 251, { author: ADA }),
    ]);
    expect(state.conversations.get('general')?.unread).toBe(100);
    const watched = after([hello(), { type: 'watching', conversation: 'general' }, told(1)]);
    expect(watched.conversations.get('general')?.unread).toBe(0);
  });

  it('counts the first message of a new conversation once', () => {
    const dm = { id: 'dm', kind: 'dm' as const, title: 'Bob', agents: [], unread: 1 };
    const state = after([
      hello(),
      news('conversation', { position: '100', conversation: dm }),
      told(1, 101, { conversation: 'dm' }),
    ]);
    expect(state.conversations.get('dm')?.unread).toBe(1);
  });

  it('counts a thread’s replies at its message, each once, whether the page had them or not', () => {
    const thread = { id: 'e1', kind: 'thread' as const, title: 'x', parentId: 'general', agents: [] };
    const conversation = news('conversation', { position: '101', conversation: thread });
    const counted = { ...said(1), thread: { conversation: 'e1', replies: 1, lastAt: said(5).at } };
    const state = after([hello(), conversation, page([counted]), inThread(5), inThread(6), inThread(6)]);
    expect(find(state, 'e1')?.thread).toMatchObject({ replies: 2 });
  });

  it('shows who types until they stop, speak, or are silent for long', () => {
    expect(after([hello(), types(true)]).typing).toHaveLength(1);
    expect(after([hello(), types(true), types(false)]).typing).toEqual([]);
    expect(after([hello(), types(true), told(1, 101, { author: LEAD })]).typing).toEqual([]);
    expect(after([hello(), types(true), { type: 'tick', nowMs: 8_001 }]).typing).toEqual([]);
  });
});

it('comes to the same whatever is repeated and wherever the connection is lost', () => {
  const step = fc.record({ n: fc.integer({ min: 1, max: 12 }), cut: fc.boolean(), twice: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      // The host's log: messages 1 to n in order, told from wherever the tab says it is.
      let state = after([hello({ position: '0' }), page([])], INITIAL);
      let logged = 0;
      const tell = (from: number): void => {
        for (const n of range(from + 1, logged)) state = reduce(state, told(n, n));
      };
      for (const { n, cut, twice } of steps) {
        const heard = Number(state.position);
        logged += n;
        if (!cut) tell(heard);
        if (twice) tell(Math.max(0, heard - 3));
        if (!cut) continue;
        state = after(
          [{ type: 'status', status: 'lost' }, hello({ resumed: true, position: String(logged) })],
          state,
        );
        tell(Number(state.position));
      }
      expect(shown(state)).toEqual(range(1, logged).map((n) => `e${n}`));
    }),
  );
});
