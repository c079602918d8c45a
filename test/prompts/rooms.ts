// The rooms whose prompts are kept as files. Each is played on the real host with the real SDK, under virtual time, and
// answers with the prompts that the lead's model read, in order.
import type { ConnectOptions, Turn } from '../../src/agent/index.ts';
import { eager, testHost, type TestHost } from '../../src/testing/index.ts';
import { callTool } from '../../src/host/tools/call.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** What people of these rooms are called. Ids are what a platform would give them. */
const PEOPLE: Readonly<Record<string, { id: string; displayName?: string }>> = {
  ada: { id: 'U1', displayName: 'Ada' },
  bob: { id: 'U2', displayName: 'Bob Brandt' },
  cyn: { id: 'U3', displayName: 'Cyn' },
  /** The person at the keyboard of the web chat. */
  you: { id: 'you', displayName: 'You' },
  hanna: { id: 'U11', displayName: 'Hanna' },
  luc: { id: 'U12', displayName: 'Luc' },
  ines: { id: 'U13', displayName: 'Inés' },
  yuki: { id: 'U14', displayName: '由紀' },
  amal: { id: 'U15', displayName: 'أمل' },
  ravi: { id: 'U16', displayName: 'रवि' },
  wei: { id: 'U17', displayName: '小伟' },
  olga: { id: 'U18', displayName: 'Ольга' },
};

const CAST = [
  { id: 'lead', name: 'Lena', aliases: ['chief'], roles: ['ops'] },
  { id: 'builder', name: 'Builder', lead: 'lead' },
  { id: 'reviewer', roles: ['review'], lead: 'lead' },
];

type Answer = (turn: Turn) => string | undefined | Promise<string | undefined>;

class Room {
  readonly prompts: string[] = [];
  readonly host: TestHost;
  readonly #place: { in: string; inKind: 'channel' | 'dm' | 'thread'; parentId?: string };

  constructor(host: TestHost, place: Partial<Room['place']> = {}) {
    this.host = host;
    this.#place = { in: 'C1', inKind: 'channel', ...place };
  }

  get place(): { in: string; inKind: 'channel' | 'dm' | 'thread'; parentId?: string } {
    return this.#place;
  }

  /** The lead's model: it remembers what it read and answers what the room says. */
  async lead(answer: Answer = () => undefined, options: ConnectOptions = {}): Promise<void> {
    await this.host.agent(
      'lead',
      async (turn) => {
        this.prompts.push(turn.prompt);
        return answer(turn);
      },
      options,
    );
  }

  async say(who: string, text: string, more: Record<string, unknown> = {}): Promise<string> {
    const { id, ...name } = PEOPLE[who] ?? { id: who };
    const author = { id, kind: 'human', ...name };
    return this.host.say(id, text, { ...this.#place, more: { author, ...more } });
  }

  /** Time for a compose window to close and for its turn to end. */
  settle(): Promise<void> {
    return this.host.advance(5 * SECOND);
  }
}

async function open(place: Partial<Room['place']> = {}, more: object = {}): Promise<Room> {
  return new Room(await testHost({ agents: CAST, ...more }), place);
}

const ROOMS: Readonly<Record<string, () => Promise<Room>>> = {
  async 'busy-channel'() {
    const room = await open();
    await room.lead(() => 'It went out at noon.');
    await room.host.agent(
      'builder',
      eager(() => 'On it.'),
    );
    await room.say('ada', 'morning all');
    await room.say('bob', '@builder please review the payment code, account 4711');
    await room.settle();
    await room.say('cyn', 'the coffee machine is broken again');
    await room.say('ada', 'Bob, can you tell the landlord?');
    await room.host.advance(10 * SECOND);
    await room.say('bob', '@reviewer and you look at the tests');
    await room.host.advance(8 * SECOND);
    await room.say('bob', '@lead what is for lunch?');
    await room.settle();
    await room.say('ada', '@lead did the release go out?');
    await room.settle();
    return room;
  },

  async thread() {
    const room = await open({ in: 'T1', inKind: 'thread', parentId: 'C1' });
    await room.lead(({ text }) => (text.includes('green') ? 'Yes, since nine.' : 'I will look.'));
    await room.say('ada', '@lead is main green?');
    await room.settle();
    await room.say('bob', 'it was red yesterday');
    await room.host.advance(MINUTE);
    await room.say('ada', '@lead and why was it red?');
    await room.settle();
    return room;
  },

  async dm() {
    const elsewhere = { conversations: ['test/w/C1'] };
    const agents = [CAST[0], { ...CAST[1], ...elsewhere }, { ...CAST[2], ...elsewhere }];
    const room = await open({ in: 'D1', inKind: 'dm' }, { agents });
    await room.lead(() => 'Tuesday.');
    await room.say('you', 'when is the release?');
    await room.settle();
    await room.say('you', 'and who signs it off?');
    await room.settle();
    return room;
  },

  async 'role-offer'() {
    const room = await open();
    await room.lead(async (turn) => {
      const claim = await turn.claim();
      room.prompts.push(`(the result of chat_claim)\n${claim.text}`);
      return 'Restarting it.';
    });
    await room.say('ada', 'the queue has been growing since six');
    await room.host.advance(40 * SECOND);
    await room.say('bob', '@ops can one of you restart the worker?');
    await room.settle();
    return room;
  },

  async fragments() {
    const room = await open();
    await room.lead(() => 'Both are fine.');
    await room.say('ada', 'the nightly job is odd');
    await room.host.advance(6 * SECOND);
    await room.say('ada', '@lead can you check');
    await room.host.advance(SECOND);
    await room.say('ada', 'the export');
    await room.host.advance(SECOND);
    await room.say('ada', 'and the import?', {
      attachments: [{ id: 'F1', kind: 'file', name: 'log.txt', bytes: 2048 }],
    });
    await room.settle();
    return room;
  },

  async edit() {
    const room = await open();
    await room.lead(() => 'It is green.');
    const asked = await room.say('ada', '@lead is staging green?');
    await room.settle();
    await room.say('ada', '@lead is production green?', { type: 'edit', targetEventId: asked });
    await room.settle();
    return room;
  },

  async knock() {
    const agents = [{ ...CAST[0], owns: { conversations: ['C1'] } }, CAST[1], CAST[2]];
    const room = await open({}, { agents });
    await room.lead(() => 'I have read it.');
    await room.say('bob', 'does anybody know who owns the billing cron?');
    await room.host.advance(MINUTE);
    await room.say('ada', '@lead anything new here?');
    await room.settle();
    return room;
  },

  async digest() {
    const room = await open({}, { settings: { limits: { digestMs: MINUTE } } });
    await room.lead(() => 'Four of five.');
    await room.host.agent('builder', () => 'Started.');
    const task = await room.say('ada', '@builder please build the release branch');
    for (const progress of [1, 4]) {
      const { sessionDeps } = room.host.host;
      const figures = {
        progressToken: 'build',
        progress,
        total: 5,
        message: `step ${progress}`,
        eventId: task,
      };
      await Promise.all([sessionDeps.progress('builder', figures), room.host.advance(SECOND)]);
    }
    await room.host.advance(2 * MINUTE);
    await room.say('ada', '@lead how far is the build?');
    await room.settle();
    return room;
  },

  async 'loop-advice'() {
    const room = await open();
    let asked = 0;
    const ask = (other: string) => async (turn: Turn) => {
      asked += 1;
      await turn.reply(`@${other} could you look at item ${asked}?`, {
        mentions: [`agent:${other}`],
        recipient: `agent:${other}`,
      });
    };
    await room.lead(async (turn) => {
      await ask('builder')(turn);
      return undefined;
    });
    await room.host.agent('builder', ask('lead'));
    await room.say('ada', '@lead please go through the list with builder');
    await room.host.advance(2 * MINUTE);
    // The last of them is the one with the advice.
    const advised = room.prompts.filter((prompt) => prompt.includes('gone back and forth'));
    room.prompts.splice(0, room.prompts.length, ...advised.slice(0, 1));
    return room;
  },

  async obligation() {
    const room = await open();
    await room.lead(() => 'Keep both until Friday.');
    await room.say('ada', 'may I drop the old tables?', {
      recipients: ['agent:lead'],
      obligation: { blocks: 'halted', defaultAction: 'keep them and double the disk' },
    });
    await room.settle();
    return room;
  },

  async 'quiet-hour'() {
    const room = await open();
    await room.lead(() => 'Now I can look.');
    const focus = callTool('chat.focus', { ttlMs: 30 * MINUTE }, room.host.host.toolCaller('lead'));
    await room.host.advance(SECOND);
    await focus;
    await room.say('ada', '@lead could you review my change today?');
    await room.host.advance(10 * MINUTE);
    await room.say('bob', 'I have looked at it already, two small things');
    await room.host.advance(25 * MINUTE);
    return room;
  },

  async 'eight-languages'() {
    const room = await open();
    await room.lead(() => '20:00 UTC.');
    await room.say('hanna', 'Die Rechnungen von März fehlen noch.');
    await room.say('luc', 'Je les ai envoyées hier.');
    await room.say('ines', '@builder ¿puedes mirar el servidor?');
    await room.say('amal', 'سأكون غائبة غدًا');
    await room.say('ravi', 'सर्वर धीमा है');
    await room.say('wei', '我在看日志');
    await room.say('olga', 'Спасибо всем!');
    await room.host.advance(40 * SECOND);
    await room.say('yuki', '@lead リリースは何時ですか？');
    await room.settle();
    return room;
  },

  /** The same channel for a program that reads a text and writes one: it can call nothing. */
  async 'no-tools'() {
    const room = await open();
    await room.lead(() => 'Noon.', { modelTools: false, offers: 'take' });
    await room.say('bob', 'see the picture', {
      attachments: [{ id: 'F2', kind: 'image', name: 'shelf.png' }],
    });
    await room.host.advance(40 * SECOND);
    await room.say('ada', '@lead when do we meet?');
    await room.settle();
    await room.say('bob', '@ops can one of you restart the worker?');
    await room.settle();
    return room;
  },
};

export const ROOM_NAMES = Object.keys(ROOMS);

/** Plays a room. The text is what the lead's model read, turn by turn. */
export async function promptsOf(name: string): Promise<string> {
  const play = ROOMS[name];
  if (play === undefined) throw new Error(`there is no room "${name}"`);
  const room = await play();
  await room.host.close();
  const turns = room.prompts.map((prompt, index) => `===== ${index + 1} =====\n${prompt}\n`);
  return turns.join('\n');
}
