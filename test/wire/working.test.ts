// People on a platform behind HTTP see that an agent is at work: whoever the agent is connected by, by a post to the
// source or in what it pulls. A sign is signed, sent once, and never in the way of a message.
import { describe, expect, it } from 'vitest';
import { until } from './host.ts';
import { hostWith, type Way } from './ways.ts';

const COMPOSED_MS = 2_500;
const SHOWS: readonly Way[] = ['pull', 'webhook', 'mcp', 'sdk'];

describe.each(SHOWS)('an agent over %s', (way) => {
  it('is shown at work while it has a question, and no longer once it has answered', async () => {
    const { promise: thought, resolve: think } = Promise.withResolvers<string>();
    const { wire, agent } = await hostWith(way, 'lead', { typing: true }, { onTurn: () => thought });
    const { signs } = wire.platform;
    const eventId = await wire.say('@lead is the build green?');
    await wire.pass(COMPOSED_MS);
    const asked = way === 'sdk' ? undefined : await agent.next((one) => one.eventId === eventId);
    await until(() => signs.length > 0, 'the sign');
    expect(signs[0]).toMatch(/^lead works in /);
    await wire.pass(4_000);
    expect(signs.length).toBeGreaterThan(1);
    expect(signs.filter((sign) => sign.includes('rests'))).toEqual([]);
    think('Green.');
    if (asked !== undefined) expect(await agent.reply(asked, 'Green.')).toMatchObject({ ok: true });
    await until(() => wire.platform.texts().includes('Green.'), 'the answer');
    await until(() => signs.at(-1)?.startsWith('lead rests'), 'the end of the sign');
    const count = signs.length;
    await wire.pass(10_000);
    expect(signs).toHaveLength(count);
  });
});

describe('a sign', () => {
  it('is not posted to a source that did not ask for it', async () => {
    const { wire, agent } = await hostWith('webhook', 'lead');
    const eventId = await wire.say('@lead is the build green?');
    await wire.pass(COMPOSED_MS);
    await agent.reply(await agent.next((one) => one.eventId === eventId), 'Green.');
    await until(() => wire.platform.texts().includes('Green.'), 'the answer');
    expect(wire.platform.signs).toEqual([]);
  });

  it('ends when the question is deleted, and after two minutes without an answer', async () => {
    const { wire, agent } = await hostWith('webhook', 'lead', { typing: true });
    const { signs } = wire.platform;
    const first = await wire.say('@lead is the build green?');
    await wire.pass(COMPOSED_MS);
    await agent.next((one) => one.eventId === first);
    await until(() => signs.length > 0, 'the sign');
    const { text: _, ...gone } = wire.event('', { id: 'gone' }) as unknown as Record<string, unknown>;
    await wire.post({ ...gone, type: 'delete', targetEventId: first });
    await until(() => signs.at(-1)?.startsWith('lead rests'), 'the end of the sign');
    const second = await wire.say('@lead and the tests?');
    await wire.pass(COMPOSED_MS);
    await agent.next((one) => one.eventId === second);
    await until(() => signs.at(-1)?.startsWith('lead works'), 'the second sign');
    await wire.pass(130_000, 4_000);
    await until(() => signs.at(-1)?.startsWith('lead rests'), 'the end of the second sign');
  });

  it('is in what a source pulls, until it fades', async () => {
    const { wire, agent } = await hostWith('webhook', 'lead');
    const token = await wire.token('surface', 'other');
    const pulled = async () => (await wire.call('GET', '/v1/outbox', token)).body['working'];
    const event = { ...wire.event('@lead is the build green?'), platform: 'other' };
    await wire.call('POST', '/v1/events', token, { events: [event] });
    expect(await pulled()).toBeUndefined();
    await wire.pass(COMPOSED_MS);
    const asked = await agent.next((one) => one.eventId === event.eventId);
    const place = { platform: 'other', conversationId: event.conversation.id };
    expect(await until(pulled, 'the sign')).toMatchObject([{ agent: 'lead', place }]);
    await agent.reply(asked, 'Green.');
    await until(async () => (await pulled()) === undefined, 'the end of the sign');
  });
});
