// A Slack export that never was: people, apps, channels, threads, edits, joins and several languages, drawn from a seed.
// The same seed and count give the same bytes. `expected` says what is in it, counted while it is made.
import { type Random, seededRandom } from '../../src/runtime/random.ts';

export interface MadeExport {
  files: Map<string, string>;
  expected: { said: number; joins: number; edited: number; replies: number; directBetweenPeople: number };
}

type Raw = Record<string, unknown>;

const PEOPLE = [
  'Ada',
  'Grace',
  'Linus',
  'Margaret',
  'Dennis',
  'Barbara',
  'Ken',
  'Radia',
  'Edsger',
  'Frances',
  'Alan',
  'Karen',
];
const APPS = ['Deploy Bot', 'Helper', 'Standup'];
const ROOMS = ['general', 'random', 'ops', 'frontend', 'backend', 'design', 'support', 'releases'];

const TALK: readonly string[] = [
  'the build is green again',
  'I will look at the flaky test after lunch',
  'does anybody know why staging is slow?',
  'merged, thanks!',
  'Kann sich jemand den Fehler im Login ansehen?',
  'Ich bin heute ab 15 Uhr weg',
  '¿alguien puede revisar mi PR?',
  'ya está desplegado',
  '誰かレビューお願いします',
  '了解です、ありがとう',
  'кто сегодня дежурит?',
  'le déploiement est terminé',
  'see <https://example.com/runbook|the runbook> &amp; the notes',
  '```\nnpm test\n``` fails on my machine',
  '&gt; is it blocked?\nnot any more',
  'lunch?',
  ':tada: shipped',
];
const ASKS: readonly string[] = [
  '@ can you deploy staging?',
  '@ what is the status of the release?',
  '@ please open a ticket for that',
  '@ kannst du das zurückrollen?',
  '@ ¿puedes revisar los logs?',
  '@ 状況を教えてください',
  'hey @, is production healthy?',
];
const ASIDES: readonly string[] = [
  '@ thanks!',
  'thank you @',
  'I asked @ about it yesterday and it was down',
  '@ danke dir',
  'ok @ 👍',
];
const ANSWERS: readonly string[] = [
  'Deploying now.',
  'Done: staging is on the newest commit.',
  'All checks are green.',
  'Which environment do you mean?',
];

const START = Date.UTC(2026, 9, 1) / 1_000;
const DAYS = 31;

const personId = (index: number): string => `U0P${String(index).padStart(3, '0')}`;
const appId = (index: number): string => `U0A${String(index).padStart(3, '0')}`;
const roomId = (index: number): string => `C0R${String(index).padStart(3, '0')}`;

export function makeSlackExport(seed: number, messages: number): MadeExport {
  const random = seededRandom(seed);
  const days = new Map<string, Raw[]>();
  const post = (folder: string, message: Raw): void => {
    const day = new Date(Number(message['ts']) * 1_000).toISOString().slice(0, 10);
    const path = `${folder}/${day}.json`;
    const list = days.get(path) ?? [];
    list.push(message);
    days.set(path, list);
  };
  const open: { folder: string; root: Raw; left: number; app: number | undefined }[] = [];
  for (let n = 0; n < messages; n++) {
    const at = START + ((n + random.next()) * DAYS * 86_400) / messages;
    const message = draw(random, at, n);
    const thread = random.next() < 0.35 ? open[Math.floor(random.next() * open.length)] : undefined;
    if (thread !== undefined) {
      reply(thread, message, random);
      post(thread.folder, message);
      if (--thread.left <= 0) open.splice(open.indexOf(thread), 1);
    } else {
      const folder = folderFor(random);
      const called = String(message['text']).match(/<@U0A(\d+)>/)?.[1];
      if (called !== undefined || random.next() < 0.1)
        open.push({
          folder,
          root: message,
          left: 1 + Math.floor(random.next() * 6),
          app: called === undefined ? undefined : Number(called),
        });
      post(folder, message);
    }
  }
  const files = new Map<string, string>(lists());
  for (const [path, list] of days)
    files.set(
      path,
      JSON.stringify(
        list.toSorted((a, b) => Number(a['ts']) - Number(b['ts'])),
        null,
        1,
      ),
    );
  return { files, expected: countOf(days) };
}

/** What is said between people is not told apart any further: it is left out as a whole. */
function countOf(days: ReadonlyMap<string, Raw[]>): MadeExport['expected'] {
  const expected = { said: 0, joins: 0, edited: 0, replies: 0, directBetweenPeople: 0 };
  for (const [path, list] of days) {
    for (const { subtype, edited, ts, thread_ts: root } of list) {
      if (path.startsWith('D0HUMAN/')) expected.directBetweenPeople++;
      else if (subtype === 'channel_join') expected.joins++;
      else {
        expected.said++;
        if (edited !== undefined) expected.edited++;
        if (root !== undefined && root !== ts) expected.replies++;
      }
    }
  }
  return expected;
}

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random.next() * list.length)] as T;

function folderFor(random: Random): string {
  const drawn = random.next();
  if (drawn < 0.02) return 'D0HUMAN';
  if (drawn < 0.04) return 'D0APP';
  return pick(random, ROOMS);
}

function draw(random: Random, at: number, n: number): Raw {
  const ts = `${Math.floor(at)}.${String(n % 1_000_000).padStart(6, '0')}`;
  const user = personId(Math.floor(random.next() * PEOPLE.length));
  const drawn = random.next();
  const app = Math.floor(random.next() * APPS.length);
  const call = (text: string): string => text.replace('@', `<@${appId(app)}>`);
  if (drawn < 0.02)
    return { type: 'message', subtype: 'channel_join', ts, user, text: `<@${user}> has joined the channel` };
  if (drawn < 0.1)
    return {
      type: 'message',
      subtype: 'bot_message',
      ts,
      bot_id: 'B0CI',
      username: 'CI',
      text: `build ${n} passed`,
      attachments: [{ fallback: 'ok' }],
    };
  if (drawn < 0.16) return { type: 'message', ts, user, text: call(pick(random, ASKS)) };
  if (drawn < 0.19) return { type: 'message', ts, user, text: call(pick(random, ASIDES)) };
  if (drawn < 0.22)
    return {
      type: 'message',
      ts,
      user,
      text: 'here it is',
      files: [{ id: `F${n}`, name: 'chart.png', mimetype: 'image/png', size: 2_048 }],
    };
  const message: Raw = {
    type: 'message',
    ts,
    user,
    text: pick(random, TALK),
    client_msg_id: `m-${n}`,
    team: 'T0ACME',
  };
  if (random.next() < 0.04) message['edited'] = { user, ts };
  if (random.next() < 0.08)
    message['reactions'] = [
      { name: pick(random, ['+1', 'tada', 'eyes', 'white_check_mark']), users: [personId(1)], count: 1 },
    ];
  return message;
}

/** The app that was called answers first; then people go on. */
function reply(thread: { root: Raw; app: number | undefined }, message: Raw, random: Random): void {
  message['thread_ts'] = thread.root['ts'];
  thread.root['thread_ts'] = thread.root['ts'];
  thread.root['reply_count'] = Number(thread.root['reply_count'] ?? 0) + 1;
  delete message['subtype'];
  delete message['edited'];
  delete message['bot_id'];
  delete message['username'];
  if (thread.app === undefined || random.next() < 0.4) {
    message['user'] ??= personId(0);
    return;
  }
  message['user'] = appId(thread.app);
  message['bot_id'] = `B0A${thread.app}`;
  message['text'] = pick(random, ANSWERS);
}

function lists(): [string, string][] {
  const users = [
    ...PEOPLE.map((name, index) => ({
      id: personId(index),
      team_id: 'T0ACME',
      name: name.toLowerCase(),
      is_bot: false,
      profile: { display_name: name },
    })),
    ...APPS.map((name, index) => ({
      id: appId(index),
      team_id: 'T0ACME',
      name: name.toLowerCase(),
      is_bot: true,
      profile: { real_name: name, display_name: '' },
    })),
  ];
  const everybody = users.map(({ id }) => id);
  return [
    ['users.json', JSON.stringify(users)],
    [
      'channels.json',
      JSON.stringify(ROOMS.map((name, index) => ({ id: roomId(index), name, members: everybody }))),
    ],
    [
      'dms.json',
      JSON.stringify([
        { id: 'D0HUMAN', members: [personId(0), personId(1)] },
        { id: 'D0APP', members: [personId(0), appId(1)] },
      ]),
    ],
    ['groups.json', '[]'],
    ['mpims.json', '[]'],
    ['integration_logs.json', '[]'],
  ];
}
