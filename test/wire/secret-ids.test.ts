// Secrets where nobody looks for them: in ids, in mentions, in disguise, across lines. None reaches an agent on any way,
// and the agent can still name what it means.
import { describe, expect, it } from 'vitest';
import { webRandom } from '../../src/agent/agent-deps.ts';
import type { Turn } from '../../src/agent/index.ts';
import { fake, SECRETS } from '../../src/host/security/secrets.fixture.ts';
import { type WireHost, wireHost } from './host.ts';
import { harness, hostWith, WAYS } from './ways.ts';

const [, TOKEN] = SECRETS['github classic token'] ?? ['', ''];
const SPLIT = `glpat-${fake(20).split('').toReversed().join('')}`;
const WIDE = `hf_${fake(34).toLowerCase()}`;
const PARTS = [TOKEN, SPLIT, WIDE].flatMap((secret) => [secret, secret.slice(4, 20), secret.slice(-12)]);

const TEXT = [
  'can you look at these?',
  `x${TOKEN}y`,
  `${SPLIT.slice(0, 12)}\u200b${SPLIT.slice(12)}`,
  `${SPLIT.slice(0, 12)}\n${SPLIT.slice(12)}`,
  WIDE.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)),
  'the password is hunter2x',
].join('\n');

function leaking(wire: WireHost, text: string, id: string, room: string) {
  const event = wire.event(text);
  return {
    ...event,
    eventId: `${id}-${TOKEN}`,
    conversation: { ...event.conversation, id: `${room}-${TOKEN}` },
    author: { ...event.author, id: `U-${TOKEN}`, displayName: `Ada ${SPLIT}` },
    attachments: [{ id: `F-${TOKEN}`, kind: 'file', name: `${SPLIT}.txt`, contentType: `x/${TOKEN}` }],
    mentions: [
      { kind: 'agent', id: 'lead' },
      { kind: 'human', id: `V-${SPLIT}` },
    ],
  };
}

function expectClean(what: string, shown: unknown): void {
  const text = (typeof shown === 'string' ? shown : JSON.stringify(shown)).normalize('NFKC');
  const bare = text.replaceAll('\u200b', '').replaceAll('\\n', '').replaceAll('\n', '');
  expect(bare.length, what).toBeGreaterThan(2);
  for (const part of [...PARTS, 'hunter2x']) expect(bare, what).not.toContain(part);
}

describe.each(WAYS)('over %s', (way) => {
  it('no secret in an id, a mention, a disguise or across lines reaches the agent, and it can still answer [C2A-06-02/security/redaction]', async () => {
    const prompts: string[] = [];
    const onTurn = (turn: Turn): string => {
      prompts.push(turn.prompt, JSON.stringify(turn.events));
      return 'I look.';
    };
    const { wire, agent: lead } = await hostWith(way, 'lead', {}, { onTurn });
    await wire.post(leaking(wire, 'before that', 'm0', 'room'));
    const asked = leaking(wire, `@lead ${TEXT}`, 'm1', 'room');
    const other = leaking(wire, '@lead and here?', 'm2', 'den');
    const posted = await wire.post(asked, other);
    expect(posted.map(({ status }) => status)).toEqual(['accepted', 'accepted']);
    await wire.pass(6_000);
    const seen = await lead.next(({ text }) => text.includes('can you look'), 'the question');
    const second = await lead.next(({ text }) => text.includes('and here'), 'the other question');
    expectClean('deliveries', lead.seen);
    expect(seen.eventId).toMatch(/^m1-redacted-[0-9a-f]{8}$/);
    // Two rooms whose ids hold the same secret are still two rooms.
    const ids = [seen, second].map(({ raw }) => JSON.stringify(raw['conversation']));
    expect(new Set(ids).size).toBe(2);
    const calls = [
      ['chat.read_thread', { inReplyTo: seen.eventId }],
      ['chat.list_events', {}],
      ['chat.list_events', { query: 'look' }],
      ['chat.react', { inReplyTo: seen.eventId, signal: 'seen' }],
      ['chat.read_thread', { inReplyTo: `nothing-${TOKEN}` }],
      ['chat.read_attachment', { inReplyTo: seen.eventId, attachmentId: `F-${TOKEN}` }],
    ] as const;
    for (const [name, args] of calls) expectClean(name, await lead.tool(name, args));
    const read = await lead.tool('chat.read_thread', { inReplyTo: seen.eventId });
    expect(read.ok && JSON.stringify(read.result)).toContain('can you look');
    if (way !== 'sdk') {
      const answered = await lead.reply(seen, 'I look.');
      expect(answered).toMatchObject({ ok: true });
      expectClean('the answer', answered);
    }
    await wire.pass(1_000);
    const shown = await wire.host.context.store.scan('log', 'byPosition', { limit: 100 });
    const replies = shown.flatMap(({ record: { event } }) =>
      event.type === 'message' && event.author.id === 'lead' ? [event.inReplyTo] : [],
    );
    expect(replies).toContain(asked.eventId);
    if (way === 'sdk') expectClean('prompts', prompts.join('\n'));
    expectClean('notifications', [lead.notes, 'nothing']);
    const stored = await wire.host.context.store.scan('prompt', 'byPosition', { limit: 100 });
    expectClean('stored prompts', [stored.map(({ text }) => text), 'nothing']);
  });
});

// Where a name ends in a word like "password", what the host puts behind it reads like its value.
it.each(['rotate-token', 'turn_2sO-lAYMhnSCz2BhItUpWD'])(
  'the records of the turn %s keep their ids in the log, and are found by them',
  async (turnId) => {
    const wire = await wireHost();
    const lead = await harness(wire, 'lead', 'websocket');
    const asked = await wire.say('@lead look at this', { in: 'room-12' });
    await wire.pass(3_000);
    await lead.next(({ eventId }) => eventId === asked);
    await lead.request('turn/started', { turnId, eventIds: [asked] });
    await lead.request('turn/ended', { turnId, outcome: 'silent' });
    const stored = await wire.host.context.store.scan('log', 'byPosition', { limit: 100 });
    const operator = await wire.token('operator', 'ops');
    const { body } = await wire.call('GET', '/v1/log?limit=100&after=0', operator);
    const shown = (body['log'] as { eventId: string }[]).map(({ eventId }) => eventId);
    expect(shown).toEqual(stored.map(({ key }) => key));
    const turns = shown.filter((id) => id.includes(turnId));
    expect(turns).toHaveLength(2);
    for (const id of turns) {
      const why = await wire.call('GET', `/v1/why/${encodeURIComponent(id)}`, operator);
      expect(why.body).toMatchObject({ event: { eventId: id } });
    }
  },
);

it('the ids that the SDK makes are of letters of which no word is made', () => {
  const ids = Array.from({ length: 100 }, () => webRandom.id());
  expect(new Set(ids).size).toBe(100);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
});
