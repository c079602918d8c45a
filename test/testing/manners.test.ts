// What an agent author tests with the kit, and the scripted agents themselves.
import { afterEach, describe, expect, it } from 'vitest';
import {
  duplicateProne,
  eager,
  looping,
  polite,
  slow,
  testHost,
  type TestHost,
  type TestHostOptions,
} from '../../src/testing/index.ts';

let host: TestHost;
afterEach(() => host.close());

const open = async (options: Partial<TestHostOptions> = {}): Promise<TestHost> => {
  host = await testHost({ agents: ['lead'], ...options });
  return host;
};
const texts = (by: string): string[] => host.visible(by).map(({ text }) => text);

describe('an agent under test', () => {
  it('answers what it is asked, once, and `why` says why it was woken', async () => {
    await open();
    await host.agent('lead', (turn) => `I read: ${turn.text}`);
    const asked = await host.say('ada', '@lead is the deploy blocked?');
    expect(host.visible()).toHaveLength(1);
    await host.advance(5_000);
    expect(texts('lead')).toEqual(['I read: @lead is the deploy blocked?']);
    expect(host.visible('lead')).toMatchObject([{ replyTo: asked, in: 'general' }]);
    expect(host.turns('lead')).toBe(1);
    expect(await host.why(asked, 'lead')).toMatchObject({
      policy: 'must_respond',
      directedness: 'to_me',
      reason: 'mention',
      disposition: 'responded',
    });
  });

  it('"thanks": no turn, one signal', async () => {
    await open();
    await host.agent('lead', eager());
    await host.say('ada', '@lead is the deploy blocked?');
    await host.advance(5_000);
    const thanks = await host.say('ada', '@lead thanks!');
    await host.advance(60_000);
    expect(host.turns('lead')).toBe(1);
    expect(host.reactions()).toMatchObject([{ by: 'lead', signal: 'seen', on: thanks }]);
    expect(host.visible('lead')).toHaveLength(1);
  });

  it('is not woken by what people say to each other', async () => {
    await open();
    await host.agent('lead', eager());
    const chatter = await host.say('ada', 'lunch?');
    await host.advance(60_000);
    expect(host.turns('lead')).toBe(0);
    expect(await host.why(chatter, 'lead')).toMatchObject({ policy: 'must_not_respond' });
  });

  it('that is not configured is refused, with those that are', async () => {
    await open();
    await expect(host.agent('nobody', eager())).rejects.toThrow('no agent "nobody": name one of lead');
  });

  it('and a handler that throws is no secret', async () => {
    const failing = await testHost({ agents: ['lead'] });
    await failing.agent('lead', () => {
      throw new Error('no model today');
    });
    await failing.say('ada', '@lead hello?');
    await failing.advance(5_000);
    await expect(failing.close()).rejects.toThrow('no model today');
    await open();
  });
});

describe('scripted agents', () => {
  it('polite: answers what it must, and leaves an offer to others', async () => {
    await open({
      agents: [
        { id: 'lead', roles: ['ops'] },
        { id: 'builder', roles: ['ops'] },
      ],
    });
    await host.agent('lead', polite());
    await host.agent('builder', polite());
    await host.say('ada', '@ops can you check the deploy?');
    await host.advance(60_000);
    expect(host.visible('lead')).toEqual([]);
    expect((await host.inbox()).map(({ kind }) => kind)).toEqual(['offer_unclaimed']);
    await host.say('ada', '@lead is the deploy blocked?');
    await host.advance(5_000);
    expect(host.visible('lead')).toHaveLength(1);
  });

  it('slow: three fragments become one answer, also when one comes while it thinks', async () => {
    await open();
    await host.agent(
      'lead',
      slow(
        10_000,
        eager((text) => `You said: ${text}`),
      ),
    );
    await host.say('ada', '@lead the deploy');
    await host.advance(1_000);
    await host.say('ada', 'of the web app');
    await host.advance(6_000);
    expect(host.turns('lead')).toBe(1);
    await host.say('ada', '@lead is it blocked?');
    await host.advance(60_000);
    expect(texts('lead')).toEqual(['You said: @lead the deploy\nof the web app\n@lead is it blocked?']);
  });

  it('duplicate-prone: one visible message for a key, and a long text never twice', async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const here = await testHost({ agents: ['lead'], networkMs: 300, seed });
      await here.agent(
        'lead',
        duplicateProne(() => 'The deploy is blocked by the failing migration of invoices.'),
      );
      await here.say('ada', '@lead is the deploy blocked?');
      await here.advance(60_000);
      expect(here.visible('lead'), `seed ${seed}`).toHaveLength(1);
      await here.close();
    }
    await open();
    await host.agent(
      'lead',
      duplicateProne(() => 'Yes.'),
    );
    await host.say('ada', '@lead is the deploy blocked?');
    await host.advance(60_000);
    // Two keys and a word: as far as the host can tell, it was meant twice.
    expect(texts('lead')).toEqual(['Yes.', 'Yes.']);
  });

  it('looping: a pair is stopped, and the room is told', async () => {
    await open({ agents: ['lead', 'builder'] });
    await host.agent('lead', looping('builder'));
    await host.agent('builder', looping('lead'));
    await host.say('ada', '@lead please go through the list with builder');
    await host.advance(10 * 60_000);
    const said = host.visible().length;
    expect(host.turns('lead') + host.turns('builder')).toBeLessThanOrEqual(11);
    expect(host.turns('builder')).toBeGreaterThan(2);
    expect(host.visible().filter(({ text }) => text.includes('so they are stopped here'))).toHaveLength(1);
    expect(await host.inbox()).toEqual([]);
    await host.advance(60 * 60_000);
    expect(host.visible()).toHaveLength(said);
  });
});

async function run(seed: number) {
  const here = await testHost({
    agents: ['ann', 'ben', 'cy'],
    conversations: [{ match: 'test/w/general', openFloor: true }],
    networkMs: 200,
    seed,
  });
  const answer = eager((text) => `${Number(/\d+$/.exec(text)?.[0]) + 1}`);
  for (const id of ['ann', 'ben', 'cy'])
    await here.agent(id, async (turn, desk) => {
      await desk.wait(desk.chance() * 2_000);
      await answer(turn, desk);
    });
  await here.say('will', 'Count. 0');
  await here.advance(30_000);
  const seen = { visible: here.visible(), reactions: here.reactions(), at: here.clock.now() };
  await here.close();
  return seen;
}

describe('a seed', () => {
  it('makes the same run again, down to ids and times, and another seed another', async () => {
    await open();
    const first = await run(7);
    expect(first.visible.length).toBeGreaterThan(10);
    expect(await run(7)).toEqual(first);
    expect((await run(8)).visible).not.toEqual(first.visible);
  });
});

describe('an open floor', () => {
  const floor = { agents: ['ann', 'ben', 'cy'], conversations: [{ match: '*', openFloor: true }] };

  it('hears nothing that was not claimed: the host refuses it', async () => {
    await open(floor);
    const refusals: (string | undefined)[] = [];
    for (const id of ['ann', 'ben'])
      await host.agent(id, async (turn) => {
        refusals.push((await turn.reply('1')).error);
      });
    await host.say('will', 'Count. 0');
    await host.advance(60_000);
    expect(refusals).toEqual(['claim_first', 'claim_first']);
    expect(host.visible()).toHaveLength(1);
  });

  it('goes on with what an agent says: everybody else may claim it, also who was answered', async () => {
    await open(floor);
    for (const id of ['ann', 'ben'])
      await host.agent(id, (turn, desk) =>
        host.visible().length < 3 ? eager(() => 'Next.')(turn, desk) : undefined,
      );
    await host.say('will', 'Count. 0');
    await host.advance(60_000);
    const [, first, second] = host.visible();
    expect(second?.replyTo).toBe(first?.eventId);
    const others = ['ann', 'ben', 'cy'].filter((id) => id !== second?.by);
    for (const id of others) {
      expect(await host.why(second?.eventId ?? '', id)).toMatchObject({
        directedness: 'ambient',
        policy: 'may_respond',
        reason: 'open_floor',
      });
    }
  });

  it('leaves what an agent says to one other to that one', async () => {
    await open(floor);
    await host.agent('ann', looping('ben'));
    await host.say('will', '@ann please ask ben');
    await host.advance(10_000);
    const asked = host.visible('ann').at(-1)?.eventId ?? '';
    expect(await host.why(asked, 'ben')).toMatchObject({ directedness: 'to_me', policy: 'must_respond' });
    expect(await host.why(asked, 'cy')).toMatchObject({ directedness: 'to_other' });
  });
});
