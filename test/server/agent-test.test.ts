// The live test of an agent, over HTTP: how far its question is, whatever moment it is asked in.
import { expect, it, onTestFinished } from 'vitest';
import type { AgentTestAnswer } from '../../src/protocol/settings-api.ts';
import { internalSurface } from '../../src/surfaces/internal/internal.ts';
import { type Fixture, fixture } from './fixture.ts';

/** A host whose web chat shows what is posted when the test says so. */
async function slowHost() {
  const waiting: (() => void)[] = [];
  let isOver = false;
  const web = internalSurface('web');
  const post: typeof web.post = async (message) => {
    if (!isOver) await new Promise<void>((resolve) => waiting.push(resolve));
    return web.post(message);
  };
  const show = () => waiting.splice(0).forEach((go) => go());
  const host = await fixture({ surfaces: [{ ...web, post }] });
  onTestFinished(() => {
    isOver = true;
    show();
  });
  return { host, waiting, show };
}

async function asked(host: Fixture) {
  const { body } = await host.call('POST', '/v1/agents/lead/test', 'operator');
  return body as unknown as AgentTestAnswer;
}

async function look(host: Fixture, { eventId }: AgentTestAnswer) {
  const { body } = await host.call('GET', `/v1/agents/lead/test/${eventId}`, 'operator');
  return body as unknown as AgentTestAnswer;
}

async function answer(host: Fixture, { eventId }: AgentTestAnswer, text: string) {
  const said = {
    target: 'dm:dm:@operator-ops:lead',
    text,
    inReplyTo: eventId,
    visibility: 'dm',
    directedness: 'to_other',
    idempotencyKey: `k-${eventId}`,
  };
  const result = await host.tool('lead', 'chat.send_message', said);
  expect(result.isError ?? false, JSON.stringify(result)).toBe(false);
}

it('is not over before its answer is shown', async () => {
  const { host, waiting, show } = await slowHost();
  const test = await asked(host);
  expect(test).toMatchObject({ state: 'waiting', answer: null });
  const sent = answer(host, test, 'I hear you.');
  await expect.poll(() => waiting.length).toBe(1);
  expect(await look(host, test)).toMatchObject({ state: 'working', answer: null });
  show();
  await sent;
  expect(await look(host, test)).toMatchObject({ state: 'answered', answer: 'I hear you.' });
});

it('shows the answer to its own question, not to the one before', async () => {
  const { host, waiting, show } = await slowHost();
  const first = await asked(host);
  const firstSent = answer(host, first, 'The first answer.');
  await expect.poll(() => waiting.length).toBe(1);
  show();
  await firstSent;
  const second = await asked(host);
  const secondSent = answer(host, second, 'The second answer.');
  await expect.poll(() => waiting.length).toBe(1);
  expect(await look(host, second)).toMatchObject({ state: 'working', answer: null });
  show();
  await secondSent;
  expect(await look(host, second)).toMatchObject({ state: 'answered', answer: 'The second answer.' });
  expect(await look(host, first)).toMatchObject({ state: 'answered', answer: 'The first answer.' });
});
