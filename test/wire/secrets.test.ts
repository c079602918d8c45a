// Secrets in names: attachments, display names and the other small texts of an event are searched as texts are, and no
// way out shows one.
import { describe, expect, it } from 'vitest';
import { SECRETS } from '../../src/host/security/secrets.fixture.ts';
import type { Turn } from '../../src/agent/index.ts';
import type { WireHost } from './host.ts';
import { hostWith, WAYS } from './ways.ts';

const [, TOKEN] = SECRETS['github classic token'] ?? ['', ''];
const [, KEY] = SECRETS['stripe key'] ?? ['', ''];

/** A message with a secret in every small text. */
function leaking(wire: WireHost, text: string, line: { in?: string; by?: string; more?: object } = {}) {
  const event = wire.event(text, line as never);
  return {
    ...event,
    author: { ...event.author, displayName: `Ada ${TOKEN}` },
    conversation: { ...event.conversation, title: `Keys: ${KEY}` },
    attachments: [
      { id: 'F1', kind: 'file', name: `deploy ${TOKEN}.txt` },
      { id: 'F2', kind: 'image', name: 'plan.png' },
    ],
    ...line.more,
  };
}

function expectClean(what: string, shown: unknown): void {
  const text = typeof shown === 'string' ? shown : JSON.stringify(shown);
  expect(text.length, what).toBeGreaterThan(2);
  for (const secret of [TOKEN, KEY, TOKEN.slice(0, 24)]) expect(text, what).not.toContain(secret);
}

describe.each(WAYS)('a secret in a name, over %s', (way) => {
  it('reaches no delivery, knock, tool result, prompt or page [C2A-06-02/security/redaction]', async () => {
    const prompts: string[] = [];
    const onTurn = (turn: Turn): void => void prompts.push(turn.prompt, JSON.stringify(turn.events));
    const agents = [{ id: 'lead', roles: ['ops'] }];
    const { wire, agent: lead } = await hostWith(way, 'lead', { agents }, { onTurn });
    await wire.post(leaking(wire, 'by the way'));
    const obligation = { blocks: 'halted', defaultAction: `I use ${KEY}.` };
    const role = { mentions: [{ kind: 'role', id: 'ops' }] };
    const asked = leaking(wire, '@lead can you look at these?', {
      more: { obligation, recipients: ['lead'] },
    });
    const offered = leaking(wire, '@ops can somebody look?', { in: 'ops', more: role });
    await wire.post(asked, offered);
    await wire.pass(6_000);
    const seen = await lead.next(({ eventId }) => eventId === asked.eventId, 'the question');
    const knock = await lead.next(({ eventId }) => eventId === offered.eventId, 'the offer');
    expect(JSON.stringify(seen.raw)).toContain('redacted');
    expectClean('deliveries', lead.seen);
    expect(JSON.stringify(knock.raw)).toContain('redacted');
    const calls = [
      ['chat.read_thread', { inReplyTo: asked.eventId }],
      ['chat.list_events', {}],
      ['chat.open_set', { query: 'owe' }],
      ['chat.claim', { inReplyTo: offered.eventId }],
    ] as const;
    for (const [name, args] of calls) {
      const answer = await lead.tool(name, args);
      expect(answer.ok, name).toBe(true);
      expectClean(name, answer);
    }
    if (way === 'sdk') expectClean('prompts', prompts.join('\n'));
    expectClean('notifications', [lead.notes, 'nothing']);
    const operator = await wire.token('operator', 'ops');
    for (const path of ['/v1/log', `/v1/why/${asked.eventId}`, '/v1/conversations', '/v1/obligations'])
      expectClean(path, (await wire.call('GET', path, operator)).body);
    // The log itself does not hold them, so that nothing that reads it later can show them.
    const rows = await wire.host.context.store.scan('log', 'byPosition', { limit: 100 });
    expectClean('the log', rows);
  });
});

it('names without secrets stay as they are, and an edit is searched too', async () => {
  const { wire, agent: lead } = await hostWith('websocket', 'lead');
  const asked = wire.event('@lead can you look?', {
    more: { attachments: [{ id: 'F', kind: 'file', name: 'a.txt' }] },
  });
  await wire.post(asked);
  await wire.pass(3_000);
  const seen = await lead.next(({ eventId }) => eventId === asked.eventId, 'the question');
  expect(JSON.stringify(seen.raw)).toContain('a.txt');
  const edit = leaking(wire, '@lead can you look at this one?');
  await wire.post({ ...edit, type: 'edit', targetEventId: asked.eventId });
  await wire.pass(3_000);
  const edited = await lead.next(({ text }) => text.includes('this one'), 'the edit');
  expectClean('the edit', edited.raw);
});
