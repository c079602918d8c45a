// The host inside a program of one's own: what `earshot/host` promises beyond the examples that run from the package.
import { expect, it } from 'vitest';
import { connect } from '../../src/agent/index.ts';
import { type OpinionModel, startHost, type StartHostOptions, stateCodecFor } from '../../src/embed/index.ts';
import { seededRandom, VirtualClock } from '../../src/runtime/index.ts';
import { openMemoryStore } from '../../src/store/memory/index.ts';
import { sourceSurface } from '../../src/surfaces/source/source.ts';

async function start(more: Partial<StartHostOptions> = {}) {
  const clock = new VirtualClock(Date.UTC(2026, 5, 2));
  const attention = more.attention ?? { agents: [{ id: 'lead' }, { id: 'builder' }] };
  const store = openMemoryStore({ clock, codec: stateCodecFor(attention) });
  const posted: { agent: string; text: string }[] = [];
  const deliver = (id: string, body: string) => {
    posted.push(JSON.parse(body) as { agent: string; text: string });
    return Promise.resolve({ type: 'visible' as const, platformId: id });
  };
  const host = await startHost({
    store,
    clock,
    random: seededRandom(1),
    attention,
    surfaces: [sourceSurface({ id: 'room', platform: 'room', maxChars: 4_000, deliver })],
    ...more,
  });
  let count = 0;
  const say = (text: string, by = 'ada', fields: Record<string, unknown> = {}) =>
    host.ingest(
      [
        {
          eventId: `evt_${++count}`,
          at: clock.now(),
          platform: 'room',
          workspaceId: 'w',
          conversation: { id: 'general', kind: 'channel' },
          author: { id: by, kind: 'human' },
          type: 'message',
          text,
          ...fields,
        },
      ],
      'room',
    );
  const until = async (done: () => boolean): Promise<void> => {
    while (!done()) {
      clock.advance(100);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { host, clock, store, posted, say, until };
}

it('lets an agent in this process answer, and leaves no timer behind when all is closed', async () => {
  const { host, clock, store, posted, say, until } = await start();
  const lead = connect({
    agent: 'lead',
    clock,
    random: seededRandom(2),
    transport: () => host.link('lead'),
  }).onTurn(async () => 'No.');
  expect(await say('@lead is it blocked?')).toEqual([{ eventId: 'evt_1', status: 'accepted', seq: 1 }]);
  await until(() => posted.length > 0);
  expect(posted).toMatchObject([{ agent: 'lead', text: 'No.' }]);
  await lead.close();
  await host.stop();
  await store.close();
  expect(clock.pending()).toBe(0);
});

it('names the agents there are when one is asked for that is not', async () => {
  const { host } = await start();
  expect(() => host.link('nova')).toThrow('there is no agent "nova": name one of lead, builder');
  await host.stop();
});

it('keeps the secrets it was told from agents, besides what looks like one', async () => {
  const { host, clock, say, until } = await start({ secrets: ['open sesame'] });
  const prompts: string[] = [];
  const random = seededRandom(2);
  const transport = () => host.link('lead');
  const lead = connect({ agent: 'lead', clock, random, transport }).onTurn(async (turn) => {
    prompts.push(turn.prompt);
    return undefined;
  });
  await say('@lead say open sesame, with AKIAIOSFODNN7EXAMPLF');
  await until(() => prompts.length > 0);
  expect(prompts[0]).toContain('@lead say');
  expect(prompts[0]).not.toMatch(/sesame|AKIA/);
  await lead.close();
  await host.stop();
});

it('asks the second opinion of the program that it runs in, by the name in the settings', async () => {
  const questions: { prompt: string; model: string }[] = [];
  const opinionModel: OpinionModel = {
    ask({ prompt }, _, model) {
      questions.push({ prompt, model });
      return Promise.resolve({ text: 'no' });
    },
  };
  const attention = { agents: [{ id: 'lead', attention: 'keen' as const }] };
  const settings = { secondOpinion: { model: 'mine' } };
  const { host, clock, store, posted, say, until } = await start({ opinionModel, attention, settings });
  const transport = () => host.link('lead');
  const heard: string[] = [];
  const lead = connect({ agent: 'lead', clock, random: seededRandom(2), transport }).onTurn(async (turn) => {
    heard.push(turn.prompt);
    return 'ada: which browser do you use for the login page?';
  });
  const room = { membership: { humans: 4, agents: 1, complete: true, at: clock.now() } };
  for (let n = 0; n < 130; n++)
    await say(`line ${n}`, 'zoe', { conversation: { id: 'idle', kind: 'channel' } });
  await say('anyone here who knows the billing export?', 'ben', room);
  await say('@lead the login page shows a 401 after the token expires', 'ada', room);
  await until(() => posted.length > 0);
  for (const by of ['cat', 'ben', 'cat', 'ben', 'cat', 'ben', 'cat', 'ben']) {
    clock.advance(10_000);
    await say(`${by === 'cat' ? 'ben' : 'cat'}: what is wrong with the totals?`, by, room);
  }
  clock.advance(10_000);
  await say('hm, strange', 'ada', room);
  await until(() => questions.length > 0);
  expect(questions).toMatchObject([{ model: 'mine', prompt: expect.stringContaining('hm, strange') }]);
  const after = clock.now() + 10_000;
  await until(() => clock.now() > after);
  expect(heard).toHaveLength(1);
  await lead.close();
  await host.stop();
  await store.close();
});

it('says what is wrong with its settings', async () => {
  await expect(start({ settings: { limits: { sendWaitMs: -1 } } })).rejects.toThrow(/sendWaitMs/);
});

it.each([
  ['webhooks', { webhooks: [{ agent: 'lead', url: 'https://example.com/', secret: 'whsec_dG9vIHNob3J0' }] }],
  ['sources', { sources: [{ id: 'room', secret: `whsec_${Buffer.alloc(65).toString('base64')}` }] }],
])('refuses a secret under %s that cannot sign, before anything is delivered', async (key, settings) => {
  await expect(start({ settings })).rejects.toThrow(/a webhook secret holds 24 to 64 bytes, not \d+/);
  await expect(start({ settings })).rejects.toThrow(key);
});
