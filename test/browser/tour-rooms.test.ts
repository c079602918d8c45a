// The second walk over the page: rooms, invitations, files, search, settings, growing and failed answers, a first visit,
// what is unread. Everything of the first walk must hold here too (judge.ts). It runs in the long lane; the dialogs have
// quick tests of their own in the gate.
import { describe, it } from 'vitest';
import { personToken } from '../console/person.ts';
import { LONG } from '../long.ts';
import { upHere } from '../server/here.ts';
import { newKey, signIn } from '../surfaces/web/tab.ts';
import { useBrowser } from './browser.ts';
import { field, say, visit } from './chat-people.ts';
import type { SeenKinds } from './contrast.ts';
import { judge, visitStop } from './judge.ts';
import { open, SHOTS_KEPT } from './page.ts';
import { act, stage, untilAborted } from './stage.ts';
import { ROOM_STOPS, SETTINGS_STOPS } from './tour-rooms.ts';

const browser = useBrowser();
const TOUR_MS = 600_000;
/** More than a screen. */
const LINES = 30;

describe.runIf(LONG || SHOTS_KEPT)('can be read in every state of every control', () => {
  it(
    'where rooms, people, files and words are dealt with, and where answers grow and fail',
    async () => {
      const host = await stage();
      const page = await visit(browser(), host, 'Ada', { operator: true, expected: /400 \(Bad Request\)/ });
      const seen: SeenKinds = new Map();
      for (const stop of [...ROOM_STOPS, ...SETTINGS_STOPS]) await visitStop(page, host, stop, seen);
    },
    TOUR_MS,
  );

  it(
    'on a first visit, with what is unread, and where the browser asks about notifications and tokens',
    async () => {
      const host = await upHere();
      const seen: SeenKinds = new Map();
      const { people, operator } = host.tokens as unknown as {
        people: Record<string, string>;
        operator: string;
      };
      const owner = await open(browser(), host, {
        hash: `#person=${people['you'] ?? ''}&operator=${operator}`,
      });
      await owner.getByRole('region', { name: 'Your name' }).waitFor();
      await judge(owner, host, 'first-visit', seen);

      act(host, 'lead', async (turn) => {
        turn.stream().write('This is what I know **so far**: the build is green, and ');
        return untilAborted(turn);
      });
      await owner.getByText('2 not connected').waitFor();
      await say(owner, '@lead tell me slowly');
      await owner.locator('.message[data-growing]').filter({ hasText: 'so far' }).waitFor();
      await judge(owner, host, 'chat-growing', seen);

      const bob = await visit(browser(), host, 'Bob');
      const { tab } = await signIn(host.url, await personToken(host, 'ada', 'Ada'));
      await tab.ask('create', { kind: 'channel', key: newKey(), name: 'releases' });
      await bob.getByRole('button', { name: 'releases' }).click();
      await bob.getByRole('heading', { name: '#releases' }).waitFor();
      await tab.say('general', '@Bob the first new one');
      for (let n = 0; n < LINES; n++) await tab.say('general', `line ${n}`);
      const dm = await tab.ask('create', { kind: 'dm', key: newKey(), with: 'human:bob' });
      await tab.say(dm.conversation.id, 'just you');
      await bob.getByRole('button', { name: /general.*mentions you.*unread/ }).waitFor();
      await judge(bob, host, 'unread', seen);
      await bob.getByRole('button', { name: /general.*unread/ }).click();
      await bob.getByRole('button', { name: 'Jump to first unread' }).waitFor();
      await judge(bob, host, 'unread-jump', seen);
      await bob.getByRole('button', { name: 'Jump to first unread' }).click();
      await bob.getByRole('separator', { name: 'New messages' }).waitFor();
      await judge(bob, host, 'unread-line', seen);

      for (const permission of ['default', 'granted', 'denied']) {
        await bob.evaluate(
          `Object.defineProperty(Notification, 'permission', { get: () => '${permission}', configurable: true })`,
        );
        await bob.getByRole('button', { name: 'Settings of #general' }).click();
        await bob.getByLabel('All messages').click();
        await judge(bob, host, `notifications-${permission}`, seen);
        await bob.getByRole('button', { name: 'Close' }).click();
      }

      const made = await host.call('POST', '/v1/tokens', operator, { kind: 'operator', subject: 'visitor' });
      await owner.goto(`${host.url}/#operator=${String(made.body['token'])}`);
      await owner.getByRole('heading', { name: 'Use another token?' }).waitFor();
      await judge(owner, host, 'other-token', seen);
      await owner.getByRole('button', { name: 'Keep mine' }).click();
      await owner.goto(`${host.url}/#person=${await personToken(host, 'grace', 'Grace')}`);
      await owner.getByRole('button', { name: 'Grace you, in this tab only' }).click();
      await judge(owner, host, 'identity-other', seen);
      await field(owner).waitFor();
    },
    TOUR_MS,
  );
});
