// The demo as people start it: a real `earshot up` without a configuration, messages over HTTP, answers in the outbox.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startProvider } from '../runners/provider/server.ts';
import { upHere } from '../server/here.ts';
import { folder, harness, type Listening, message, run, until, up } from '../server/up.ts';

const DEMO = { argv: ['--demo'] };

interface Out {
  idempotencyKey: string;
  eventId: string;
  agent: string;
  text?: string;
  replyTo?: string;
}

async function outbox(host: Listening): Promise<Out[]> {
  const { body } = await host.call('GET', '/v1/outbox', host.tokens.surfaces['dev']);
  return body['messages'] as Out[];
}

/** What is said to this message, once it is there. */
function answerTo(host: Listening, eventId: string): Promise<Out> {
  return until(async () => (await outbox(host)).find(({ replyTo }) => replyTo === eventId));
}

describe('earshot up without a configuration', () => {
  it('answers what is posted, and a restart resumes what was under way', async () => {
    const first = await up(DEMO);
    expect(first.line).toMatchObject({ demo: { agents: ['lead', 'builder', 'reviewer'], model: null } });
    const hello = message('@lead are you there?');
    expect((await first.post(hello)).status).toBe(202);
    expect(await answerTo(first, hello.eventId)).toMatchObject({
      agent: 'lead',
      text: expect.stringMatching(/^I am here/),
    });

    const slow = message('@builder build it');
    await first.post(slow);
    expect(await first.stop()).toBe(0);
    expect(first.err()).not.toContain('"level":"error"');

    const second = await upHere({ demo: true, data: first.data });
    expect(await answerTo(second, slow.eventId)).toMatchObject({
      agent: 'builder',
      text: 'Built, in 5 steps.',
    });
    expect(await second.stop()).toBe(0);
  });

  it('an agent of yours takes the place of the one in the demo, until it leaves', async () => {
    const host = await upHere({ demo: true });
    const mine = harness(host, 'lead');
    await mine.said('answer hello');
    const hello = message('@lead are you there?');
    await host.post(hello);
    expect(await answerTo(host, hello.eventId)).toMatchObject({ text: 'Hello Ada, I am here.' });
    const other = message('@reviewer hm');
    await host.post(other);
    expect(await answerTo(host, other.eventId)).toMatchObject({ agent: 'reviewer' });

    mine.child.kill();
    await until(() => Promise.resolve(host.err().includes('the demo answers for this agent again')));
    const later = message('@lead are you there?');
    await host.post(later);
    expect(await answerTo(host, later.eventId)).toMatchObject({
      agent: 'lead',
      text: expect.stringMatching(/^I am here/),
    });
    expect(await host.stop()).toBe(0);
  });

  it('a model in the environment plays the lead; when it fails, the others and the host go on', async () => {
    const provider = await startProvider(({ nth }) =>
      nth === 1 ? 'I am a model, and I am here.' : { status: 400, error: 'no credit left' },
    );
    onTestFinished(() => provider.close());
    const env = { OPENAI_BASE_URL: provider.openaiUrl, OPENAI_API_KEY: provider.key };
    const host = await up({ ...DEMO, env });
    expect(host.line).toMatchObject({ demo: { model: expect.stringMatching(/^openai\//) } });
    const hello = message('@lead are you there?');
    await host.post(hello);
    expect(await answerTo(host, hello.eventId)).toMatchObject({ text: 'I am a model, and I am here.' });
    expect(provider.requests[0]?.said).toContain('are you there?');
    await host.post(message('@lead and now?'));
    await provider.request(2);
    const other = message('@reviewer hm');
    await host.post(other);
    expect(await answerTo(host, other.eventId)).toMatchObject({ agent: 'reviewer' });
    expect(await host.stop()).toBe(0);
  });

  it('a model that cannot be used leaves the lead to its script, and the host up', async () => {
    const host = await up({ ...DEMO, env: { EARSHOT_MODEL: 'nonsense' } });
    expect(host.line).toMatchObject({ demo: { model: null } });
    expect(host.err()).toContain('the lead is played by a script');
    const hello = message('@lead are you there?');
    await host.post(hello);
    expect(await answerTo(host, hello.eventId)).toMatchObject({ text: expect.stringMatching(/^I am here/) });
    expect(await host.stop()).toBe(0);
  });
});

function write(yaml: string): { data: string; file: string } {
  const data = folder();
  const file = join(data, 'own.yaml');
  writeFileSync(file, yaml);
  return { data, file };
}

describe('earshot up with a configuration', () => {
  it('runs no demo', async () => {
    const { data, file } = write('agents: [{ id: lead }]\n');
    const host = await up({ data, argv: ['--config', file] });
    expect(host.line).toMatchObject({ agents: ['lead'], demo: null });
    expect(await host.stop()).toBe(0);
  });

  it('--demo plays those of its agents that the demo knows, and says when there are none', async () => {
    const { data, file } = write('agents: [{ id: builder }, { id: nova }]\n');
    const host = await up({ data, argv: ['--config', file, '--demo'] });
    expect(host.line).toMatchObject({ demo: { agents: ['builder'] } });
    expect(await host.stop()).toBe(0);
    const other = write('agents: [{ id: nova }]\n');
    const ran = await run(['up', '--demo', '--config', other.file, '--data', other.data], other.data);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain("has none of the demo's agents (lead, builder, reviewer)");
  });
});
