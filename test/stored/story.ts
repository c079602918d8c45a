// What happened in the house of the fixture, up to the moment its host stopped. Work of every kind is left open, so
// that whoever opens the file next has something to go on with.
import { createPairing } from '../../src/host/security/pairing.ts';
import { createTokens } from '../../src/host/security/tokens.ts';
import { markRead } from '../../src/host/server/web-chat/read-marks.ts';
import { seededRandom } from '../../src/runtime/random.ts';
import type { Harness } from '../host/harness.ts';
import type { World, WorldOptions } from '../host/world.ts';

export const HOUSE: WorldOptions = {
  agents: [
    { id: 'lead' },
    { id: 'builder', lead: 'lead', roles: ['ops'] },
    { id: 'tester', lead: 'lead', roles: ['ops'] },
  ],
  settings: { sensitive: [{ reason: 'money', words: ['refund'] }] },
};

const MINUTE = 60_000;

export async function playStory(w: World): Promise<void> {
  const [lead, builder] = [await w.harness('lead'), await w.harness('builder', { obligations: true })];
  await talk(w, lead);
  await debts(w, builder);
  await keys(w);
  await leaveOpen(w, lead, builder);
}

/** Rooms with a past: an exchange, a thread, a mode, a private word, a loop of two agents. */
async function talk(w: World, lead: Harness): Promise<void> {
  const asked = await w.say('@lead can you check the deploy?', { id: 'asked' });
  await w.advance(2_500);
  await lead.start('t1', asked);
  await lead.reply(asked, 'It is fine. Shall I go on?', { turnId: 't1' });
  await lead.end('t1', 'answered');
  await w.react(asked, 'agree', { by: 'bob' });
  await w.say('what do you mean, @lead?', {
    id: 'threaded',
    in: asked,
    kind: 'thread',
    parent: 'C1',
    by: 'bob',
  });
  await w.advance(2_500);
  await lead.reply('threaded', 'The green one.');
  await w.say('@lead leave', { in: 'C4', by: 'carol', id: 'left' });
  await w.say('lead, a word in private', { in: 'D1', kind: 'dm', id: 'private' });
  for (let n = 0; n < 8; n++) {
    const [by, to] = n % 2 === 0 ? ['builder', 'tester'] : ['tester', 'builder'];
    await w.say(`@${to} item ${n}?`, { by, byKind: 'agent', in: 'C5' });
  }
  await w.advance(10_000);
}

async function debts(w: World, builder: Harness): Promise<void> {
  const obligation = { blocks: 'halted', defaultAction: 'I wait.' };
  await w.say('which database?', { id: 'owed', in: 'C6', more: { recipients: ['builder'], obligation } });
  await w.advance(16 * MINUTE); // one return
  await builder.start('t2', 'owed');
  await builder.end('t2', 'silent');
  await w.say('and which port?', { id: 'paid', in: 'C6', more: { recipients: ['tester'], obligation } });
  await w.react('paid', 'done', { in: 'C6', more: { recipient: 'agent:tester' } });
}

async function keys(w: World): Promise<void> {
  const ports = { store: w.store, clock: w.clock, random: seededRandom(7) };
  const tokens = createTokens(ports);
  await tokens.issue({ kind: 'agent', subject: 'lead', label: 'the lead' });
  const { row } = await tokens.issue({ kind: 'operator', subject: 'ops', label: 'gone' });
  await tokens.revoke(row.key.slice(0, 12));
  const { code } = await createPairing(ports).issue({ role: 'owner' });
  await w.say(code, { by: 'ada', in: 'D1', kind: 'dm', id: 'pairing' });
  await markRead(w.store, 'ada', 'c/web/w/C1', 3);
}

/** The last minute before the host stops. */
async function leaveOpen(w: World, lead: Harness, builder: Harness): Promise<void> {
  const refund = await w.say('@lead give the money back?', { in: 'C7', id: 'refund' });
  await w.advance(2_500);
  await lead.reply(refund, 'I will refund it.', { idempotencyKey: 'refund' });
  const claimed = await w.say('@ops can you check the build?', { in: 'C8', id: 'claimed' });
  await builder.call('chat.claim', { inReplyTo: claimed, ttlMs: 30 * MINUTE });
  await w.say('@ops can you check the tests?', { in: 'C8', id: 'offered', by: 'bob' });
  await w.say('@lead read this', { in: 'C9', id: 'accepted', by: 'carol' });
  await w.say('@lead and start on this', { in: 'C9', id: 'taken', by: 'dora' });
  await w.advance(2_500);
  await lead.start('t3', 'taken');
  await w.say('@tester nobody is there', { in: 'C9', id: 'queued', by: 'emil' });
  await builder.call('chat.focus', { ttlMs: 10 * MINUTE });
  await w.say('@builder not now', { in: 'C9', id: 'held', by: 'fred' });
  await w.say('@lead write the report', { in: 'C2', id: 'report', by: 'gina' });
  await w.advance(2_500);
  w.platform.script = ['hang', 'hang'];
  void lead.reply('report', 'Report one of three', { idempotencyKey: 'report' });
  await w.advance(0);
  void lead.reply('accepted', 'I have read it.', { idempotencyKey: 'read' });
  await w.host.ingest([w.event('@lead stop', { in: 'C2', by: 'gina', id: 'stop' })], 'web');
  await w.drain();
}
