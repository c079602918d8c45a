// Two hosts on one store. What one of them changes, the other knows: at once where it reads through the store, else
// within the second in which it looks for changes.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createApply } from '../../src/host/kernel/change.ts';
import { createChanges } from '../../src/host/kernel/changes.ts';
import { createPairing } from '../../src/host/security/pairing.ts';
import { createTokens } from '../../src/host/security/tokens.ts';
import { negotiate } from '../../src/protocol/initialize.ts';
import type { RecordFacts } from '../../src/protocol/log-record.ts';
import { seededRandom } from '../../src/runtime/random.ts';
import { type World, world } from './world.ts';

const SECOND = 1_000;
const agents = [{ id: 'lead', budget: { turnsPerDay: 1 } }];

let one: World;
let other: World;

beforeEach(async () => {
  one = await world({ agents, shared: true });
  other = await world({ agents, beside: one });
});

afterEach(async () => {
  expect(await one.sound()).toEqual([]);
  expect(await other.sound()).toEqual([]);
});

/** The facts that the other host puts on what is said to it. */
async function factsThere(text = 'and now?'): Promise<RecordFacts> {
  const id = await other.say(text, { id: `there-${other.clock.now()}` });
  return (await other.store.get('log', id))?.record.facts ?? {};
}

it('roles that were granted count for both', async () => {
  expect(await factsThere()).not.toHaveProperty('authorRoles');
  const { code } = await createPairing(one.host.context).issue({ role: 'admin' });
  await one.say(code, { id: 'paired' });
  await one.advance(SECOND);
  expect(await factsThere()).toMatchObject({ authorRoles: ['admin'] });
});

it('an agent that asks to be left alone is left alone by both, and by both no longer', async () => {
  const lead = await one.harness('lead');
  await lead.call('chat.focus', { ttlMs: 60 * SECOND });
  await one.advance(SECOND);
  expect(await factsThere()).toMatchObject({ focus: [{ agent: 'lead' }] });
  await lead.call('chat.focus', { ttlMs: 0 });
  await one.advance(SECOND);
  expect(await factsThere()).not.toHaveProperty('focus');
});

it('a budget that is used up is used up for both', async () => {
  const lead = await one.harness('lead');
  const id = await one.say('@lead is it green?', { id: 'asked' });
  await lead.start('t1', id);
  await lead.reply(id, 'Yes.', { turnId: 't1' });
  await lead.end('t1', 'answered');
  await one.advance(SECOND);
  expect(await factsThere()).toMatchObject({ budget: [{ agent: 'lead', level: expect.any(String) }] });
});

it('what an agent agreed to counts with both: at once over HTTP, its glyphs soon', async () => {
  const capabilities = { injection: { buffered: true }, glyphs: { done: '🎉' } };
  const agreed = negotiate({ protocolVersion: '2026-06-02', capabilities });
  if (!agreed.ok) throw new Error(agreed.error.message);
  await one.host.agreements.note('lead', agreed.agreement, 'http');
  await other.host.agreements.renew('lead');
  expect(other.host.agreements.overHttp('lead')).toEqual(agreed.agreement);
  const again = negotiate({ protocolVersion: '2026-06-02', capabilities: { glyphs: { done: '🏁' } } });
  if (!again.ok) throw new Error(again.error.message);
  await one.host.agreements.note('lead', again.agreement, 'session');
  await one.advance(SECOND);
  expect(other.host.context.glyphsOf('lead').done).toEqual(['🏁']);
  // What the other host still remembers of an agent must not undo what this one has just stored.
  await one.host.agreements.note('lead', agreed.agreement, 'session');
  await other.host.agreements.note('lead', again.agreement, 'session');
  await one.advance(SECOND);
  expect(one.host.context.glyphsOf('lead').done).toEqual(['🏁']);
});

describe('a conversation that one host began', () => {
  it('is found by the other at once, by its id, its key, and near another', async () => {
    await one.say('hello', { in: 'C7' });
    const { places } = other.host;
    expect(await places.find('C7', undefined)).toBe('c/web/w/C7');
    await one.say('hello', { in: 'C8', more: { workspaceId: 'a/b' } });
    expect(await places.withId('C8')).toEqual(['c/web/a%2Fb/C8']);
    await one.say('hello', { in: 'C8', more: { workspaceId: 'w-2' } });
    expect(await places.withId('C8')).toHaveLength(2);
    expect(await places.find('C8', undefined)).toBeUndefined();
    const near = {
      platform: 'web',
      workspaceId: 'w-2',
      conversation: { id: 'C1', kind: 'channel' },
    } as const;
    expect(await places.find('C8', near)).toBe('c/web/w-2/C8');
    expect(await places.find('c/web/w-2/C8', undefined)).toBe('c/web/w-2/C8');
    expect(await places.find('C9', undefined)).toBeUndefined();
  });

  it('is where an agent of the other can write', async () => {
    await one.say('@lead which database?', { in: 'C7' });
    const lead = await other.harness('lead');
    const text = { text: 'The red one.', visibility: 'channel', directedness: 'ambient' };
    const sent = await lead.call('chat.send_message', {
      target: 'channel:C7',
      inReplyTo: 'e1',
      idempotencyKey: 'k',
      ...text,
    });
    expect(sent).toMatchObject({ ok: true });
  });
});

it('a platform names what one host posted, and the other knows what it means', async () => {
  const lead = await one.harness('lead');
  const id = await one.say('@lead which database?', { id: 'asked' });
  expect((await lead.reply(id, 'The red one.')).ok).toBe(true);
  await one.advance(0);
  const [sent] = await one.outbox();
  expect(sent).toMatchObject({ state: 'visible', platformId: expect.any(String) });
  const reaction = await other.react(sent?.platformId ?? '', 'agree');
  const row = await other.store.get('log', reaction);
  expect(row?.record.event).toMatchObject({ targetEventId: sent?.eventId });
});

const ports = async () => {
  const { store, clock } = one;
  const { log } = one.host.context;
  const apply = createApply(store);
  const made = async (seed: number) => {
    const changes = await createChanges({ store, clock, log });
    return { changes, tokens: createTokens({ store, apply, clock, random: seededRandom(seed), changes }) };
  };
  return { here: await made(7), there: await made(8) };
};

describe('tokens', () => {
  it('one that was revoked here is refused there, and whoever has connections of it is told', async () => {
    const { here, there } = await ports();
    const heard: (number | null)[] = [];
    there.tokens.listen(({ revokedAt }) => heard.push(revokedAt));
    const { token, row } = await here.tokens.issue({ kind: 'person', subject: 'ada', label: 'Ada' });
    expect((await there.tokens.authenticate(token)).ok).toBe(true);
    await there.changes.look();
    expect(heard).toEqual([null]);
    await here.tokens.revoke(row.key);
    await there.changes.look();
    expect(heard).toEqual([null, expect.any(Number)]);
    expect(await there.tokens.authenticate(token)).toMatchObject({ ok: false, why: 'revoked' });
  });

  it('a host that missed more than the list holds looks at all of them', async () => {
    const { here, there } = await ports();
    const { token, row } = await here.tokens.issue({ kind: 'person', subject: 'ada', label: 'Ada' });
    expect((await there.tokens.authenticate(token)).ok).toBe(true);
    await here.tokens.revoke(row.key);
    for (let n = 0; n < 300; n++) await here.tokens.rename({ subject: 'ada', label: `Ada ${n}` });
    for (let n = 0; n < 300; n++) await here.tokens.issue({ kind: 'operator', subject: `o${n}`, label: '' });
    const heard = new Set<string>();
    there.tokens.listen(({ key, revokedAt }) => void (revokedAt !== null && heard.add(key)));
    await there.changes.look();
    expect([...heard]).toEqual([row.key]);
    expect((await there.tokens.authenticate(token)).ok).toBe(false);
  });
});

it('a host that is alone stores no list of changes', async () => {
  const alone = await world({ agents });
  const lead = await alone.harness('lead');
  await lead.call('chat.focus', { ttlMs: 60 * SECOND });
  expect(await alone.store.state('changed')).toBeUndefined();
  expect(await one.store.state('changed')).toBeUndefined();
});
