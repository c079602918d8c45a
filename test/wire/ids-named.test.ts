// What a source says later may use its own id: the target of an edit, a delete or a reaction, what a reply answers, the
// root of a thread. It means the event of the place where it is said, and never one of another platform or workspace.
import { describe, expect, it } from 'vitest';
import type { LogEntry, WhyAnswer } from '../../src/protocol/operator-api.ts';
import { until, type WireHost } from './host.ts';
import { forty2, type Scope, SCOPES } from './scopes.ts';
import { type Post, SOURCE_WAYS, sourceOver } from './sources.ts';
import { hostWith, type WireHarness } from './ways.ts';

interface Said {
  wire: WireHost;
  lead: WireHarness;
  post: Post;
  /** The event id of each 42. */
  ids: Record<Scope, string>;
}

/** 42 was said everywhere and has reached the agent. */
async function said(way: (typeof SOURCE_WAYS)[number]): Promise<Said> {
  const { wire, agent: lead } = await hostWith('websocket', 'lead');
  const post = await sourceOver(wire, way);
  const results = await post(...SCOPES.map((scope) => forty2(wire, scope)));
  const ids = Object.fromEntries(results.map(({ eventId }, at) => [SCOPES[at], eventId])) as Said['ids'];
  await wire.pass(3_000);
  for (const scope of SCOPES) await lead.next(({ eventId }) => eventId === ids[scope], scope);
  return { wire, lead, post, ids };
}

/** What has happened to an event since, by kind. */
async function later(wire: WireHost, eventId: string): Promise<string[]> {
  const path = `/v1/why/${encodeURIComponent(eventId)}`;
  const { body } = await wire.call('GET', path, await wire.token('operator', 'ops'));
  const changes = (body as unknown as WhyAnswer).later.map(({ kind }) => kind);
  return changes.filter((kind) => kind === 'edited' || kind === 'deleted' || kind === 'reacted');
}

async function logged(wire: WireHost, eventId: string): Promise<LogEntry | undefined> {
  const { body } = await wire.call('GET', '/v1/log?last=true&limit=200', await wire.token('operator', 'ops'));
  return (body['log'] as LogEntry[]).find((entry) => entry.eventId === eventId);
}

const ACTS = {
  edit: { type: 'edit', targetEventId: '42', text: '@lead what about tomorrow?' },
  delete: { type: 'delete', targetEventId: '42', text: undefined },
  reaction: { type: 'reaction', targetEventId: '42', signal: 'agree', text: undefined },
} as const;
const BECAME = { edit: 'edited', delete: 'deleted', reaction: 'reacted' } as const;
const KINDS = Object.keys(ACTS) as (keyof typeof ACTS)[];

describe.each(SOURCE_WAYS)('over %s', (way) => {
  describe.each(SCOPES)('what is said of 42 in %s', (scope) => {
    it.each(KINDS)('reaches that one alone: %s', async (kind) => {
      const { wire, post, ids } = await said(way);
      const [act] = await post(forty2(wire, scope, { eventId: '43', ...ACTS[kind] }));
      expect(act).toMatchObject({ eventId: '43', status: 'accepted', seq: 2 });
      await wire.pass(3_000);
      for (const one of SCOPES)
        expect(await later(wire, ids[one]), one).toEqual(one === scope ? [BECAME[kind]] : []);
      expect(await logged(wire, '43')).toMatchObject({ targetEventId: ids[scope] });
    });
  });

  it('a reply means the message of its own place', async () => {
    const { wire, post, ids } = await said(way);
    for (const [at, scope] of SCOPES.entries()) {
      const eventId = `reply-${at}`;
      await post(forty2(wire, scope, { eventId, replyTo: { eventId: '42' } }));
      expect(await logged(wire, eventId), scope).toMatchObject({ replyTo: ids[scope] });
    }
  });
});

it('an edit is handed to the agent with its words, and only there', async () => {
  const { wire, lead, post, ids } = await said('http');
  await post(forty2(wire, 'another platform', { eventId: '43', ...ACTS.edit }));
  await wire.pass(3_000);
  const edited = await lead.next(({ text }) => text.includes('what about tomorrow?'));
  expect(edited.eventId).toMatch(/^42~[\w-]{12}\/edit-2$/);
  expect(edited.raw).toMatchObject({ refersTo: ids['another platform'], source: { eventId: '42' } });
  expect(lead.seen).toHaveLength(SCOPES.length + 1);
});

it('a delete withdraws the delivery of its own place, and no other', async () => {
  const { wire, lead, post, ids } = await said('http');
  await post(forty2(wire, 'another workspace', { eventId: '43', ...ACTS.delete }));
  const withdrawn = await until(() => lead.notes.find(({ method }) => method === 'notifications/cancelled'));
  expect(withdrawn.params).toMatchObject({ eventId: ids['another workspace'] });
  expect(lead.notes).toHaveLength(1);
});

describe('a name that is not known where it is said', () => {
  it.each(KINDS)('means nothing elsewhere: %s', async (kind) => {
    const { wire, agent: lead } = await hostWith('websocket', 'lead');
    await wire.post(forty2(wire, 'a room'));
    for (const scope of SCOPES.slice(1, -1))
      await wire.post(forty2(wire, scope, { eventId: scope, ...ACTS[kind] }));
    await wire.pass(3_000);
    expect(await later(wire, '42')).toEqual([]);
    expect(lead.notes).toEqual([]);
  });

  it('means the parent of a thread, where the thread has no such message', async () => {
    const { wire } = await hostWith('websocket', 'lead');
    await wire.post(forty2(wire, 'another platform'), forty2(wire, 'a room'));
    const [root] = await wire.post(forty2(wire, 'a room'));
    await wire.post(forty2(wire, 'a thread of the room', { eventId: 'r1', replyTo: { eventId: '42' } }));
    expect(await logged(wire, 'r1')).toMatchObject({ replyTo: root?.eventId });
    expect(root?.eventId).toMatch(/^42~/);
  });

  it('means a message in a thread, where the platform names the room alone', async () => {
    const { wire } = await hostWith('websocket', 'lead');
    await wire.post(forty2(wire, 'another platform'));
    const [inThread] = await wire.post(forty2(wire, 'a thread of the room'));
    await wire.post(forty2(wire, 'a room', { eventId: 'r1', ...ACTS.reaction }));
    expect(await logged(wire, 'r1')).toMatchObject({ targetEventId: inThread?.eventId });
  });
});

it('the event id works too, in its own workspace and not in another', async () => {
  const { wire, post, ids } = await said('http');
  const targetEventId = ids['another room'];
  const act = (scope: Scope, eventId: string) =>
    post(forty2(wire, scope, { ...ACTS.reaction, eventId, targetEventId }));
  await act('another room', 'r1');
  await act('a room', 'r2');
  await act('another platform', 'r3');
  await act('another workspace', 'r4');
  expect(await later(wire, targetEventId)).toEqual(['reacted']);
  for (const near of ['r1', 'r2']) expect(await logged(wire, near)).toMatchObject({ targetEventId });
  for (const far of ['r3', 'r4'])
    expect((await logged(wire, far))?.targetEventId).toMatch(new RegExp(`^${targetEventId}~`));
});

it('a message, its edit and its deletion may come in one batch', async () => {
  const { wire } = await hostWith('websocket', 'lead');
  await wire.post(forty2(wire, 'a room'));
  const there = (more: Record<string, unknown>) => forty2(wire, 'another platform', more);
  const [message] = await wire.post(
    there({}),
    there({ eventId: '43', ...ACTS.edit }),
    there({ eventId: '44', ...ACTS.delete }),
  );
  expect(await later(wire, message?.eventId ?? '')).toEqual(['edited', 'deleted']);
  expect(await later(wire, '42')).toEqual([]);
  expect((await logged(wire, message?.eventId ?? ''))?.text).toBeUndefined();
});

async function ask(wire: WireHost, path: string) {
  const { status, body } = await wire.call('GET', `/v1/why/${path}`, await wire.token('operator', 'ops'));
  return { status, body: body as unknown as WhyAnswer & { error: { code: string; message: string } } };
}

describe('why', () => {
  it('finds by the event id, and says who else has that id and how to ask for them', async () => {
    const { wire, ids } = await said('http');
    const { body } = await ask(wire, '42');
    expect(body.event).toMatchObject({ eventId: '42', conversationKey: 'c/chat/w/general' });
    expect(body.namesakes?.map(({ eventId }) => eventId).toSorted()).toEqual(
      SCOPES.slice(1)
        .map((scope) => ids[scope])
        .toSorted(),
    );
    for (const other of body.namesakes ?? []) {
      const chosen = await ask(wire, `42?conversation=${encodeURIComponent(other.conversationKey)}`);
      expect(chosen.body.event).toMatchObject({ eventId: other.eventId, sourceId: '42' });
    }
    const byEventId = await ask(wire, encodeURIComponent(ids['another room']));
    expect(byEventId.body.event).toMatchObject({ sourceId: '42', conversation: { id: 'random' } });
    expect(byEventId.body.namesakes).toBeUndefined();
  });

  it('finds by the id of a conversation where only one has it, and lists those that have it otherwise', async () => {
    const { wire, ids } = await said('http');
    expect((await ask(wire, '42?conversation=random')).body.event.eventId).toBe(ids['another room']);
    const { status, body } = await ask(wire, '42?conversation=general');
    expect([status, body.error.code]).toEqual([409, 'ambiguous']);
    for (const key of ['c/chat/w/general', 'c/chat/w2/general', 'c/irc/w/general'])
      expect(body.error.message).toContain(key);
    expect(body.error.message).toMatch(/conversation=KEY, --in KEY/);
    expect((await ask(wire, '42?conversation=nowhere')).status).toBe(404);
  });

  it('lists what only sources call so', async () => {
    const { wire } = await hostWith('websocket', 'lead');
    await wire.post(...SCOPES.slice(0, 2).map((scope) => forty2(wire, scope, { eventId: 'act_7' })));
    const { status, body } = await ask(wire, 'act_7');
    expect([status, body.error.code]).toEqual([409, 'ambiguous']);
    expect((await ask(wire, 'act_7?conversation=random')).body.event).toMatchObject({ sourceId: 'act_7' });
  });
});
