// What one person types in pieces is one turn, over every way: the fragments wait for the compose window, also where a
// harness pulls, and what happens to a fragment before it is handed over counts.
import { describe, expect, it } from 'vitest';
import { httpClient, type HttpClient } from '../../src/transport/http-client.ts';
import { type Called, type Line, until, type WireHost, wireHost } from './host.ts';
import { harness, hostWith, type Seen, type Way, type WireHarness, WAYS } from './ways.ts';

/** The specification's own example. */
const PIECES = ['when someone types', 'in', 'pieces', 'like this', 'the agent should wait'];
const QUIET_MS = 2_000;
/** The clock of the tests goes in steps of 500 ms. */
const SLACK_MS = 1_000;
const LEASE_MS = 60_000;
/** Longer than the longest window. */
const LATER_MS = 45_000;
/** Ways by which a harness takes deliveries when it wants to. */
const PULLS: readonly Way[] = ['pull', 'mcp'];
/** Ways that a harness may come by after the message was said. */
const LATE: readonly Way[] = ['websocket', 'pull', 'mcp', 'sdk'];

const texts = (agent: WireHarness): string[] => agent.seen.map(({ text }) => text);

/** Posts the lines at once, as a platform does that hands over what it has. */
async function typeAtOnce(wire: WireHost, lines: readonly string[], line: Line = {}): Promise<string[]> {
  const events = lines.map((text) => wire.event(text, line));
  await wire.post(...events);
  return events.map(({ eventId }) => eventId);
}

async function edit(wire: WireHost, targetEventId: string, text: string): Promise<void> {
  await wire.post(wire.event(text, { more: { type: 'edit', targetEventId } }));
}

async function remove(wire: WireHost, targetEventId: string): Promise<void> {
  await wire.post(wire.event('', { more: { type: 'delete', targetEventId, text: undefined } }));
}

/** Waits until the harness has been handed something, after the window. */
async function handed(wire: WireHost, agent: WireHarness): Promise<Seen> {
  await wire.pass(QUIET_MS + SLACK_MS);
  return agent.next(() => true);
}

describe.each(WAYS)('over %s', (way) => {
  it.each([0, 4])(
    'five fragments with the mention in number %i are one turn [C2A-06-02/buffered/one-turn, C2A-06-02/buffered/pieces-example, C2A-06-24/buffered/pieces-example, C2A-06-02/edits/fragments-merge, C2A-06-24/edits/fragments-merge]',
    async (named) => {
      const lines = PIECES.map((text, n) => (n === named ? `@lead ${text}` : text));
      const { wire, agent: lead } = await hostWith(way, 'lead');
      await wire.say('good morning', { by: 'bob' }); // so that the room is nobody's alone
      await typeAtOnce(wire, lines);
      await handed(wire, lead);
      expect(texts(lead)).toEqual([lines.join('\n')]);
      await wire.pass(10_000);
      expect(lead.seen).toHaveLength(1);
    },
  );

  it('fragments that come one by one are waited for [C2A-06-02/buffered/waits-2-to-5-seconds, C2A-06-24/buffered/waits-2-to-5-seconds]', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    await wire.say(`@lead ${PIECES[0]}`);
    for (const text of PIECES.slice(1)) {
      await wire.pass(1_500);
      expect(lead.seen).toEqual([]);
      await wire.say(text);
    }
    await wire.pass(1_500);
    expect(lead.seen).toEqual([]);
    await handed(wire, lead);
    expect(texts(lead)).toEqual([`@lead ${PIECES.join('\n')}`]);
  });

  it('lines of one author in two rooms are two turns [C2A-06-02/buffered/same-conversation-only]', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    await wire.post(wire.event('@lead check staging?'), wire.event('@lead and here?', { in: 'other' }));
    await wire.pass(2 * QUIET_MS + SLACK_MS);
    await until(() => lead.seen.length >= 2, 'both turns');
    expect(texts(lead).toSorted()).toEqual(['@lead and here?', '@lead check staging?']);
  });

  it('the window stays open while the author types, and not when somebody else does [C2A-06-02/buffered/waits-for-typing, C2A-06-24/buffered/waits-for-typing]', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    const types = (by: string): Promise<unknown> =>
      wire.post(wire.event('', { by, more: { type: 'typing', typing: true, text: undefined } }));
    await wire.say('@lead check staging?');
    for (let n = 0; n < 3; n++) {
      await types('ada');
      await wire.pass(QUIET_MS + SLACK_MS);
      expect(lead.seen).toEqual([]);
    }
    await wire.pass(10_000);
    await lead.next(({ text }) => text === '@lead check staging?');
    await wire.say('@lead and production?', { in: 'other' });
    await types('bob');
    await handed(wire, lead);
    await lead.next(({ text }) => text === '@lead and production?');
  });

  it('a fragment that must be answered makes the turn one that must be [C2A-06-02/minimal/5-human-turns]', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    await wire.say('@lead is the deploy blocked?');
    await wire.say('I only wonder.');
    const { policy, text } = await handed(wire, lead);
    expect([policy, text]).toEqual(['must_respond', '@lead is the deploy blocked?\nI only wonder.']);
  });

  it('an edit before it is handed over is what is read [C2A-06-02/edits/before-injection, C2A-06-02/buffered/injects-the-edit, C2A-06-24/edits/before-response]', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    const [first = ''] = await typeAtOnce(wire, ['@lead check staging', 'and tell me?']);
    await wire.pass(500);
    await edit(wire, first, '@lead check production');
    await handed(wire, lead);
    expect(texts(lead)).toEqual(['@lead check production\nand tell me?']);
  });

  it('an edit after it was handed over and before the answer brings all of it again, with the new words [C2A-06-24/edits/before-response]', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    const [first = ''] = await typeAtOnce(wire, ['@lead check staging', 'and tell me?']);
    await handed(wire, lead);
    await edit(wire, first, '@lead check production');
    await wire.pass(QUIET_MS + SLACK_MS);
    await lead.next(({ text }) => text === '@lead check production\nand tell me?');
    expect(lead.seen).toHaveLength(2);
  });

  it('a fragment that is deleted before it is handed over is not read', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    const [, second = ''] = await typeAtOnce(wire, [
      '@lead check staging',
      'the password is swordfish',
      'please?',
    ]);
    await wire.pass(500);
    await remove(wire, second);
    await handed(wire, lead);
    expect(texts(lead)).toEqual(['@lead check staging\nplease?']);
  });

  it('one answer settles all of it, whichever fragment it names', async () => {
    const { wire, agent: lead } = await hostWith(
      way,
      'lead',
      {},
      way === 'sdk' ? { onTurn: () => 'Both are fine.' } : {},
    );
    const ids = await typeAtOnce(wire, ['@lead check staging', 'and production?']);
    const seen = await handed(wire, lead);
    if (way !== 'sdk')
      expect(await lead.reply({ ...seen, eventId: ids[0] ?? '' }, 'Both are fine.')).toMatchObject({
        ok: true,
      });
    await until(() => wire.platform.texts().length > 0, 'the answer');
    await wire.pass(2 * LEASE_MS);
    expect(lead.seen).toHaveLength(1);
    const dispositions = await Promise.all(ids.map((id) => dispositionOf(wire, id)));
    expect(dispositions).toEqual([way === 'sdk' ? 'responded' : 'superseded', 'responded']);
  });
});

async function dispositionOf(wire: WireHost, eventId: string): Promise<unknown> {
  const token = await wire.token('operator', 'ops');
  const { body }: Called = await wire.call('GET', `/v1/why/${eventId}?agent=lead`, token);
  return (body['deliveries'] as { disposition: string | null }[])[0]?.disposition;
}

describe.each(WAYS.filter((way) => way !== 'sdk'))('composed by the host, over %s', (way) => {
  it('the words, mentions and attachments of all fragments are in it', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    const photo = { id: 'F1', kind: 'image', name: 'plan.png' };
    const mentions = [{ kind: 'agent', id: 'lead' }];
    await wire.say('@lead look at this', { more: { mentions, attachments: [photo] } });
    await wire.say('and tell me what is wrong?');
    const { text, raw } = await handed(wire, lead);
    expect(text).toBe('@lead look at this\nand tell me what is wrong?');
    expect(JSON.stringify(raw)).toContain('F1');
    if (raw['target'] !== undefined) expect(raw['target']).toMatchObject({ mentions: ['agent:lead'] });
  });
});

describe.each(LATE)('a harness that comes later, over %s', (way) => {
  it('gets what was typed in pieces meanwhile as one, and what was said a minute later as another', async () => {
    const wire = await wireHost();
    await typeAtOnce(wire, ['@lead check staging', 'and production?']);
    await wire.pass(LATER_MS);
    await typeAtOnce(wire, ['@lead and now?', 'is it done?']);
    const lead = await harness(wire, 'lead', way, { onTurn: () => 'Done.' });
    await wire.pass(QUIET_MS + SLACK_MS);
    await until(() => lead.seen.length >= 2, `two turns over ${way}`);
    expect(texts(lead)).toEqual(['@lead check staging\nand production?', '@lead and now?\nis it done?']);
  });
});

describe.each(PULLS)('a lease over %s', (way) => {
  it('that lapses hands the same merged event out again, under the same id', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    await typeAtOnce(
      wire,
      PIECES.map((text, n) => (n === 0 ? `@lead ${text}` : text)),
    );
    const first = await handed(wire, lead);
    await wire.pass(LEASE_MS + SLACK_MS);
    await until(() => lead.seen.length >= 2, 'the second hand-over');
    expect(lead.seen.map(({ eventId, text }) => [eventId, text])).toEqual([
      [first.eventId, `@lead ${PIECES.join('\n')}`],
      [first.eventId, `@lead ${PIECES.join('\n')}`],
    ]);
  });

  it('that lapsed, edited meanwhile, hands out the new words', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    const [first = ''] = await typeAtOnce(wire, ['@lead check staging', 'and tell me?']);
    await handed(wire, lead);
    await edit(wire, first, '@lead check production');
    await wire.pass(LEASE_MS + SLACK_MS);
    await lead.next(({ text }) => text === '@lead check production\nand tell me?');
  });
});

describe('a harness that pulls and declared buffered', () => {
  it('composes by itself and gets every fragment as it is', async () => {
    const capabilities = { injection: { buffered: true, notify: true, tool_mailbox: true } };
    const { wire, agent: lead } = await hostWith('pull', 'lead', {}, { capabilities });
    const lines = PIECES.map((text, n) => (n === 0 ? `@lead ${text}` : text));
    await typeAtOnce(wire, lines);
    await until(() => lead.seen.length >= PIECES.length, 'five events');
    expect(texts(lead)).toEqual(lines);
  });
});

describe('over HTTP', () => {
  it('a request that names its version is answered in it, whatever was initialized before', async () => {
    const wire = await wireHost();
    const client = async (version: string): Promise<HttpClient> =>
      httpClient({
        url: `${wire.url}/c2a`,
        token: await wire.token('agent', 'lead'),
        clock: wire.clock,
        headers: { 'c2a-version': version },
      });
    const full = await client('2026-06-02');
    await full.request('initialize', { protocolVersion: '2026-08-11' });
    await wire.say('@lead check staging?');
    await wire.pass(QUIET_MS);
    const pulled = await full.request('tools/call', { name: 'chat.wait_events', arguments: {} });
    expect(JSON.stringify(pulled)).toContain('"attention":{"policy":"must_respond"');
    const unknown = await (await client('1999-01-01')).request('ping');
    expect(unknown).toMatchObject({ ok: false });
  });
});

describe('over MCP', () => {
  it.each([
    ['a WebSocket session', 'websocket'],
    ['a harness that pulls', 'pull'],
  ] as const)(
    'the shape of events is the same after %s of the same agent agreed to another',
    async (_, other) => {
      const wire = await wireHost();
      const capabilities = { injection: { buffered: true, notify: true, tool_mailbox: true } };
      const before = await harness(wire, 'lead', other, { version: '2026-06-02', capabilities });
      await before.close();
      await wire.pass(1);
      const lead = await harness(wire, 'lead', 'mcp');
      await typeAtOnce(wire, ['@lead check staging', 'and production?']);
      const { raw } = await handed(wire, lead);
      expect(raw).toMatchObject({ content: '@lead check staging\nand production?', addressedToMe: true });
      expect(lead.seen).toHaveLength(1);
    },
  );

  it('somebody who stops typing closes the window of a pull that waits [C2A-06-02/buffered/waits-for-typing, C2A-06-24/buffered/waits-for-typing]', async () => {
    const { wire, agent: lead } = await hostWith('mcp', 'lead');
    const types = (typing: boolean) =>
      wire.post(wire.event('', { more: { type: 'typing', typing, text: undefined } }));
    await wire.say('@lead check staging?');
    await types(true);
    await wire.pass(4_000);
    expect(lead.seen).toEqual([]);
    await types(false);
    await wire.pass(1);
    await lead.next(({ text }) => text === '@lead check staging?');
  });
});
