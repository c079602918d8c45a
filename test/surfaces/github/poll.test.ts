// GitHub without a public address, and what a webhook has lost: what is new is found in the lists, once, and what was
// missed is not answered as new.
import { describe, expect, it, onTestFinished } from 'vitest';
import { VirtualClock } from '../../../src/runtime/clock.ts';
import { type GithubOptions, githubSurface } from '../../../src/surfaces/github/github.ts';
import type { Surface, SurfaceHealth, SurfaceHost } from '../../../src/surfaces/surface.ts';
import type { SourceEvent } from '../../../src/protocol/source-event.ts';
import { START, until } from '../../wire/host.ts';
import { secret } from '../receiver.ts';
import { BOT, githubHub, type Hub, REPOSITORY, TOKEN } from './hub.ts';
import { office } from './office.ts';
import { PACKAGES, readable } from './subject.ts';

const MINUTE = 60_000;
const credentials = { token: secret('GITHUB_TOKEN', TOKEN) };
const issue = (number: number): string => `issue:${number}`;

/** A host that keeps what it is handed and what the surface wants to remember. */
interface Kept {
  host: SurfaceHost;
  events: SourceEvent[];
  memory: Map<string, string>;
  health: SurfaceHealth[];
  answer: 'accepted' | 'unavailable';
}

function keeper(memory = new Map<string, string>()): Kept {
  const seen = new Set<string>();
  const kept: Kept = { events: [], memory, health: [], answer: 'accepted', host: undefined as never };
  kept.host = {
    ingest: (given) =>
      Promise.resolve(
        given.map((event) => {
          const { eventId } = event;
          if (kept.answer === 'unavailable')
            return {
              eventId,
              status: 'refused',
              error: { code: 'unavailable', message: 'The store is busy.' },
            };
          const isRepeat = seen.has(eventId);
          seen.add(eventId);
          if (!isRepeat) kept.events.push(event as SourceEvent);
          return { eventId, status: isRepeat ? 'repeat' : 'accepted', seq: seen.size };
        }),
      ),
    accounts: () => undefined,
    memory: {
      get: (key) => Promise.resolve(memory.get(key)),
      set: (key, value) => Promise.resolve(void memory.set(key, value)),
    },
    known: () => Promise.resolve([]),
    health: (state) => void kept.health.push(state),
    ignored: () => undefined,
    act: () => Promise.resolve({ text: '' }),
  };
  return kept;
}

interface Polling {
  hub: Hub;
  clock: VirtualClock;
  kept: Kept;
  /** A further host on the same GitHub, with what the first one remembers. */
  again(): Promise<Kept>;
  stop(): Promise<void>;
  /** Lets at least so much time pass, until the lists have been read. */
  pass(ms: number): Promise<void>;
  ids(kept?: Kept): string[];
}

async function polling(more: Partial<GithubOptions> = {}): Promise<Polling> {
  const clock = new VirtualClock(START);
  const hub = await githubHub(
    (end) => onTestFinished(end),
    () => clock.now(),
  );
  let running: Surface | undefined;
  const start = async (memory?: Map<string, string>): Promise<Kept> => {
    const kept = keeper(memory);
    const options = { id: 'github', clock, packages: PACKAGES, credentials, repositories: [REPOSITORY] };
    const surface = githubSurface({ ...options, everyMs: MINUTE, apiUrl: hub.apiUrl, ...more });
    running = surface;
    const before = reads();
    await surface.start(kept.host);
    await until(() => reads() > before || kept.health.at(-1)?.state !== 'up');
    return kept;
  };
  /** Every round ends with the comments of reviews. */
  const reads = (): number =>
    hub.proxy.requests.filter(({ path }) => path.includes('/pulls/comments')).length;
  const kept = await start();
  onTestFinished(() => running?.stop());
  return {
    hub,
    clock,
    kept,
    again: () => start(kept.memory),
    stop: async () => running?.stop(),
    async pass(ms) {
      const before = reads();
      clock.advance(ms);
      await until(() => {
        if (reads() > before) return hub.proxy.underWay === 0;
        clock.advance(1_000);
        return false;
      });
    },
    ids: (of = kept) => of.events.map(({ eventId }) => eventId),
  };
}

describe('without webhooks', () => {
  it('what is new is found by the next look, in its order, and once', async () => {
    const p = await polling();
    const number = await p.hub.open('ada', 'The build', `@${BOT} is it green?`);
    p.clock.advance(2_000);
    const first = await p.hub.say('bob', number, 'no');
    p.clock.advance(2_000);
    const second = await p.hub.say('ada', number, 'yes');
    await p.pass(MINUTE);
    await until(() => p.ids().includes(`comment:${second}`));
    for (let n = 0; n < 3; n++) await p.pass(MINUTE);
    // GitHub does not tell whether the words of an issue have changed since, so they are told once more.
    const said = p.kept.events.filter(({ type }) => type === 'message');
    expect(said.map(({ eventId }) => eventId)).toEqual([
      issue(number),
      `comment:${first}`,
      `comment:${second}`,
    ]);
    const words = p.kept.events.flatMap((one) =>
      'text' in one && one.eventId.startsWith('issue') ? [one.text] : [],
    );
    expect(new Set(words).size).toBe(1);
    expect(p.kept.events.every(({ origin }) => origin === undefined)).toBe(true);
    expect(p.kept.events[0]).toMatchObject({ mentions: [{ kind: 'agent', id: BOT }] });
  });

  it('what was there before the first look is nobody’s business', async () => {
    const p = await polling();
    await p.stop();
    p.kept.memory.clear();
    const number = await p.hub.open('ada', 'The build', `@${BOT} is it green?`);
    p.clock.advance(5 * MINUTE);
    const next = await p.again();
    await p.pass(MINUTE);
    expect(next.events).toEqual([]);
    // What is said there later has it as context.
    const id = await p.hub.say('ada', number, 'and now?');
    await p.pass(MINUTE);
    await until(() => p.ids(next).includes(`comment:${id}`));
    expect(next.events[0]).toMatchObject({ eventId: issue(number), origin: 'backfill' });
  });

  it('an edit of a comment and one of the body are told', async () => {
    const p = await polling();
    const number = await p.hub.open('ada', 'The build', 'is red');
    const id = await p.hub.say('ada', number, 'old words');
    await p.pass(MINUTE);
    await until(() => p.kept.events.length === 2);
    await p.hub.call('ada', `PATCH /repos/${REPOSITORY}/issues/comments/${id}`, { body: 'new words' });
    await p.hub.call('ada', `PATCH /repos/${REPOSITORY}/issues/${number}`, { body: 'is green' });
    await p.pass(MINUTE);
    await until(() => p.kept.events.length === 4);
    await p.pass(MINUTE);
    const edits = p.kept.events.filter(({ type }) => type === 'edit');
    expect(edits).toMatchObject([
      { targetEventId: issue(number), text: '> The build\n\nis green' },
      { targetEventId: `comment:${id}`, text: 'new words' },
    ]);
  });

  it('an assignment is told, with the id that a webhook gives it', async () => {
    const p = await polling();
    const number = await p.hub.open('ada', 'The build');
    await p.hub.call('ada', `POST /repos/${REPOSITORY}/issues/${number}/assignees`, { assignees: [BOT] });
    await p.pass(MINUTE);
    const told = await until(() =>
      p.kept.events.find((one) => one.type === 'message' && one.subtype === 'assigned'),
    );
    expect(told).toMatchObject({ recipients: [BOT], author: { id: 'ada' } });
    expect(told.eventId).toMatch(new RegExp(`^${issue(number)}:assigned:${BOT}:`));
  });

  it('a mention is answered, and the follow-up too', async () => {
    const o = await office({ webhook: false, login: BOT, github: { credentials, everyMs: 5_000 } });
    const polled = (id: string): Promise<object> =>
      until(async () => {
        await o.wire.pass(1_000);
        return o.logged(id);
      });
    const number = await o.hub.open('ada', 'The build', `@${BOT} is it green?`);
    await polled(issue(number));
    const seen = await o.handed(o.lead, issue(number));
    expect(seen.policy).toBe('must_respond');
    await o.lead.reply(seen, 'It is.');
    await until(async () => (await o.posts(number)).length === 1);
    const id = await o.hub.say('ada', number, 'and the tests?');
    await polled(`comment:${id}`);
    await o.lead.reply(await o.handed(o.lead, `comment:${id}`), 'Green too.');
    const posts = await until(async () => {
      const all = await o.posts(number);
      return all.length === 2 && all;
    });
    expect(posts.map(({ body }) => readable(body))).toEqual(['It is.', 'Green too.']);
    await o.wire.pass(12_000);
    const rows = await o.wire.host.context.store.scan('log', 'byPosition', { limit: 100 });
    expect(rows.filter(({ author, type }) => author === 'agent:lead' && type === 'message')).toHaveLength(2);
  });
});

describe('while the host was down', () => {
  it('what was said is filled once, as missed, behind what was known', async () => {
    const p = await polling();
    const number = await p.hub.open('ada', 'The build');
    await p.pass(MINUTE);
    await until(() => p.kept.events.length === 1);
    await p.stop();
    p.clock.advance(5 * MINUTE);
    const inOld = await p.hub.say('ada', number, 'and the tests?');
    const fresh = await p.hub.open('bob', 'Another');
    p.clock.advance(30 * MINUTE);
    const next = await p.again();
    await until(() => next.events.length >= 3);
    await p.pass(MINUTE);
    // The host knows the first issue already.
    const missed = next.events.filter(
      ({ type, eventId }) => type === 'message' && !p.ids().includes(eventId),
    );
    expect(missed.map(({ eventId }) => eventId).toSorted()).toEqual([`comment:${inOld}`, issue(fresh)]);
    expect(missed.map(({ origin }) => origin)).toEqual(['gap', 'gap']);
  });

  it('a thousand comments are filled at once, each behind its issue, in order', async () => {
    const p = await polling();
    await p.stop();
    p.clock.advance(2 * MINUTE);
    const numbers = [await p.hub.open('ada', 'The build'), await p.hub.open('bob', 'The docs')];
    const said: string[] = [];
    for (let count = 0; count < 1_000; count++) {
      if (count % 50 === 0) p.clock.advance(1_000);
      if (count === 600) numbers.push(await p.hub.open('ada', 'The tests'));
      const number = numbers[count % numbers.length] ?? 1;
      said.push(`comment:${await p.hub.say('ada', number, `line ${count}`)}`);
    }
    const next = await p.again();
    // No time passes: what is left is read at once.
    await until(() => p.ids(next).length >= said.length + numbers.length);
    const messages = next.events.filter(({ type }) => type === 'message');
    for (const number of numbers) {
      const thread = messages.filter(({ conversation }) => conversation.id.endsWith(`#${number}`));
      const ids = thread.map(({ eventId }) => eventId);
      expect(ids[0]).toBe(issue(number));
      expect(ids.slice(1)).toEqual(said.filter((id) => ids.includes(id)));
    }
    expect(new Set(messages.map(({ eventId }) => eventId))).toEqual(
      new Set([...said, ...numbers.map(issue)]),
    );
    const mark = Number(p.kept.memory.get(`heard/${REPOSITORY}`));
    expect(mark).toBe(Math.floor(p.clock.now() / 1_000) * 1_000);
  });

  it('a mark is not moved past what the store could not take', async () => {
    const p = await polling();
    const mark = (): string | undefined => p.kept.memory.get(`heard/${REPOSITORY}`);
    const before = mark();
    expect(before).toBeDefined();
    p.kept.answer = 'unavailable';
    p.clock.advance(2 * MINUTE);
    const number = await p.hub.open('ada', 'The build');
    p.clock.advance(MINUTE);
    await until(() => p.kept.health.at(-1)?.state === 'retrying');
    expect(mark()).toBe(before);
    p.kept.answer = 'accepted';
    await until(() => {
      p.clock.advance(1_000);
      return p.ids().includes(issue(number));
    });
    await until(() => mark() !== before);
  });

  it.each(['limited', 'failed', 'reset_before'] as const)(
    'a list that is %s is read again',
    async (fault) => {
      const p = await polling();
      const number = await p.hub.open('ada', 'The build');
      p.hub.proxy.fault = (path) => (path.includes('/issues/comments') ? fault : 'pass');
      p.clock.advance(MINUTE);
      await until(() => p.kept.health.at(-1)?.state === 'retrying');
      expect(p.ids()).toEqual([]);
      p.hub.proxy.fault = () => 'pass';
      await until(() => {
        p.clock.advance(1_000);
        return p.ids().includes(issue(number));
      });
      expect(p.kept.health.at(-1)?.state).toBe('up');
    },
  );
});

describe('beside webhooks', () => {
  it('what one has lost is found, and what came by it is not told again', async () => {
    const o = await office({ github: { everyMs: 10_000 } });
    const number = await o.hub.open('ada', 'The build');
    await o.hub.call('ada', `POST /repos/${REPOSITORY}/issues/${number}/assignees`, { assignees: ['bob'] });
    await o.hub.settled();
    o.hub.tells = () => false;
    const id = await o.hub.say('ada', number, '@earshot is it green?');
    await o.wire.pass(12_000);
    const seen = await o.handed(o.lead, `comment:${id}`);
    expect(seen.policy).toBe('must_respond');
    const rows = await o.wire.host.context.store.scan('log', 'byPosition', { limit: 100 });
    const ids = rows.map(({ key }) => key);
    expect(ids).toHaveLength(new Set(ids).size);
    expect(ids.filter((key) => key.includes(':assigned:'))).toHaveLength(1);
    expect(rows.filter(({ type }) => type === 'edit')).toEqual([]);
  });
});
