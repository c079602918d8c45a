// Short stories that make the host store one of everything: every kind of log row, every state of a delivery, of the
// outbox and of the inbox, tokens, codes, marks. Each is played on the memory store with a stepped clock and seeded
// chance, so the bytes it leaves are the same on every run.
import { createSurfaceMemory } from '../../src/host/surfaces/surface-memory.ts';
import { createApply } from '../../src/host/kernel/change.ts';
import { createPairing } from '../../src/host/security/pairing.ts';
import { createTokens } from '../../src/host/security/tokens.ts';
import type { ChatEvent } from '../../src/protocol/chat-event.ts';
import { hostId } from '../../src/protocol/derived-id.ts';
import { approve, decline } from '../../src/host/operator/approvals.ts';
import { auditWrite } from '../../src/host/kernel/audit.ts';
import { markRead } from '../../src/host/web-chat/read-marks.ts';
import { type Agreement, negotiate } from '../../src/protocol/initialize.ts';
import { callTool } from '../../src/host/tools/call.ts';
import { seededRandom } from '../../src/runtime/random.ts';
import type { World, WorldOptions } from '../host/world.ts';

export interface Scene {
  name: string;
  options?: WorldOptions;
  play: (w: World) => Promise<void>;
}

const TEAM = [
  { id: 'lead' },
  { id: 'builder', lead: 'lead', roles: ['ops'] },
  { id: 'tester', lead: 'lead' },
];
const MINUTE = 60_000;

/** A harness that pulls and composes by itself, so nothing waits for it in a window. */
const COMPOSES = composingPuller();

function composingPuller(): Agreement {
  const injection = { buffered: true, notify: true, tool_mailbox: true };
  const capabilities = { injection, glyphs: { done: ['🎉', '🥳'] } };
  const outcome = negotiate({ protocolVersion: '2026-06-24', capabilities });
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.agreement;
}

export const SCENES: readonly Scene[] = [
  { name: 'talk', options: { agents: TEAM }, play: talk },
  { name: 'acts', options: { agents: TEAM }, play: acts },
  { name: 'deliveries', options: { agents: TEAM }, play: deliveries },
  { name: 'dead letters', options: { settings: { limits: { handAttempts: 2 } } }, play: deadLetters },
  {
    name: 'sends',
    options: {
      settings: { sensitive: [{ reason: 'money', words: ['refund'] }], limits: { sendAttempts: 2 } },
      findSecrets: (text) => (text.includes('hunter2') ? [[12, 19]] : []),
    },
    play: sends,
  },
  { name: 'offers', options: { agents: TEAM }, play: offers },
  { name: 'loops', options: { agents: [{ id: 'a' }, { id: 'b', lead: 'a' }] }, play: loops },
  { name: 'obligations', options: { agents: TEAM }, play: obligations },
  { name: 'keys', options: { agents: TEAM }, play: keys },
  {
    name: 'parts',
    options: {
      surface: (surface) => ({
        ...surface,
        capabilities: {
          ...surface.capabilities,
          maxChars: 40,
          does: { ...surface.capabilities.does, ephemeral: true },
        },
      }),
    },
    play: parts,
  },
  { name: 'amendments', play: amendments },
  { name: 'settings', options: { agents: TEAM }, play: settings },
  {
    name: 'files',
    options: {
      surface: (surface) => ({
        ...surface,
        capabilities: {
          ...surface.capabilities,
          does: { ...surface.capabilities.does, files: true },
          files: { maxBytes: 1_000, apart: true },
        },
        async post(message) {
          await message.notes?.write('F1');
          return surface.post(message);
        },
      }),
    },
    play: files,
  },
];

/** A text in two messages, of which people see one; and one that a single reader sees. */
async function parts(w: World): Promise<void> {
  const lead = await w.harness('lead');
  const first = await w.say('@lead what is your balance?', { in: 'C7' });
  await w.advance(2_500);
  await lead.reply(first, 'It is 5.', { target: 'channel:C7', visibility: 'ephemeral' });
  const asked = await w.say('@lead tell me all', { in: 'C8' });
  await w.advance(2_500);
  w.platform.script = ['visible', 'hang'];
  void lead.reply(asked, 'This is the first half of it.\n\nThis is the second half.', {
    target: 'channel:C8',
  });
  await w.advance(10);
}

/** A file that people see after its text, and one that they do not see yet. */
async function files(w: World): Promise<void> {
  const lead = await w.harness('lead');
  const attachments = [{ name: 'numbers.csv', text: 'day,builds' }];
  const first = await w.say('@lead the numbers?', { in: 'C9' });
  await w.advance(2_500);
  await lead.reply(first, 'Here.', { target: 'channel:C9', attachments });
  const second = await w.say('@lead the picture?', { in: 'C10' });
  await w.advance(2_500);
  w.platform.script = ['visible', 'hang'];
  const picture = [{ name: 'chart.png', base64: 'iVBORw==' }];
  void lead.reply(second, 'Here.', { target: 'channel:C10', attachments: picture });
  await w.advance(10);
}

async function talk(w: World): Promise<void> {
  w.platform.members = { humans: 2, agents: 3, complete: true, afterMs: 500 };
  const lead = await w.harness('lead');
  const asked = await w.say('@lead can you check the deploy?');
  await w.advance(2_500);
  await lead.start('t1', asked);
  await lead.reply(asked, 'It is fine. Shall I go on?', { turnId: 't1' });
  await lead.end('t1', 'answered');
  await w.advance(1_000);
  await w.react(asked, 'agree', { by: 'bob' });
  const remark = await w.say('yes, and tell bob', {
    more: { mentions: [{ id: 'bob', kind: 'human' }], replyTo: { eventId: asked } },
  });
  await w.edit(remark, 'yes, and tell bob and carol');
  const slip = await w.say('@lead my password is swordfish', { by: 'bob' });
  await w.remove(slip, { by: 'bob' });
  await w.say('what does @lead think of this?', { in: asked, kind: 'thread', parent: 'C1', by: 'carol' });
  await w.say('thanks @lead', { by: 'bob' });
  await w.typing(true, { by: 'bob' });
  await w.say('lead, a word in private', { in: 'D1', kind: 'dm' });
  await w.say('deployed 41 to production', { by: 'ci', byKind: 'system', in: 'S1', kind: 'system' });
  await lead.call('chat.send_message', {
    target: 'agent:builder',
    text: 'Please build the branch.',
    visibility: 'dm',
    directedness: 'to_me',
    idempotencyKey: 'to-builder',
  });
  await w.advance(3_000);
}

async function acts(w: World): Promise<void> {
  const [lead, builder] = [await w.harness('lead'), await w.harness('builder')];
  const work = await w.say('@lead please look at the build');
  await w.advance(2_500);
  await lead.call('chat.claim', { inReplyTo: work, ttlMs: MINUTE });
  builder.peer.notify('notifications/progress', {
    progressToken: 'b',
    progress: 1,
    total: 3,
    message: 'compiling',
    eventId: work,
  });
  await w.advance(16 * MINUTE); // the claim lapses: a tick; then a digest
  const next = await w.say('@lead and the tests?');
  await w.advance(2_500);
  await lead.start('t2', next);
  await lead.call('chat.disengage', { target: 'channel:C1', turnId: 't2' });
  await lead.end('t2', 'silent');
  await lead.call('chat.resolve', { inReplyTo: next });
  await lead.call('chat.set_mode', { target: 'channel:C1', mode: 'follow' });
  await w.say('@builder only when I mention you', { by: 'bob' });
  await w.say('@tester be quieter here', { by: 'bob' });
  const { type: _type, ...place } = w.event('', { by: 'bob' });
  await w.host.committer.record({
    ...place,
    type: 'opinion',
    eventId: hostId('act', 'opinion-1'),
    author: { id: 'second-opinion', kind: 'system' },
    targetEventId: next,
    agent: 'lead',
    verdict: 'not_for',
  } as ChatEvent);
  const { text: _, ...byHand } = w.event('', { by: 'carol' });
  await w.ingest({ ...byHand, type: 'mode', mode: 'left', agent: 'tester' });
  await lead.call('chat.focus', { ttlMs: 10 * MINUTE });
  await lead.call('chat.react', { inReplyTo: next, signal: 'working' });
  await w.advance(1_000);
}

async function deliveries(w: World): Promise<void> {
  const [lead, builder] = [
    await w.harness('lead', { onDeliver: ({ eventId }) => (eventId === 'handed' ? 'ignore' : 'ack') }),
    await w.harness('builder'),
  ];
  const answered = await w.say('@lead is it green?', { id: 'answered' });
  await w.advance(2_500);
  await lead.reply(answered, 'It is.');
  const silent = await w.say('and @builder should know', { id: 'silent', by: 'bob' });
  await w.advance(2_500);
  await builder.start('t3', silent);
  await w.host.prompts.told('builder', { turnId: 't3', prompt: 'what the model read' });
  await builder.end('t3', 'silent');
  await w.say('@lead please check', { id: 'accepted', by: 'carol' });
  const later = await w.say('@builder check it later', { id: 'deferred', by: 'dora' });
  await w.say('@builder check it now', { id: 'taken', by: 'emil' });
  const edited = await w.say('@lead read this', { id: 'edited', by: 'fred' });
  await w.advance(2_500);
  await builder.call('chat.defer', { inReplyTo: later, reason: 'busy', ttlMs: MINUTE });
  await builder.start('t4', 'taken');
  await w.edit(edited, '@lead read that', { by: 'fred' });
  await w.say('@lead and this', { id: 'handed', by: 'gina' });
  await w.advance(2_500);
  await builder.call('chat.focus', { ttlMs: 10 * MINUTE });
  await w.say('@builder not now', { id: 'held', by: 'hugo' });
  await w.say('@tester nobody is there', { id: 'queued', by: 'ivan' });
}

async function deadLetters(w: World): Promise<void> {
  await w.say('@lead one?');
  const puller = { ...w.host.toolCaller('lead'), agreement: COMPOSES };
  for (let n = 0; n < 4; n++) {
    const waited = callTool('chat.wait_events', { timeoutMs: 1 }, puller);
    await w.advance(MINUTE + 1);
    await waited;
  }
  const pulled = callTool('chat.wait_events', { timeoutMs: 1 }, puller);
  await w.say('@lead taken by a pull', { in: 'C2' });
  await w.advance(1);
  await pulled;
  const lead = await w.harness('lead');
  const declined = await w.say('@lead please check the deploy', { by: 'bob' });
  await w.advance(2_500);
  await lead.call('chat.react', { inReplyTo: declined, signal: 'declined' });
  const never = await w.say('@lead please check the build', { by: 'carol' });
  await w.advance(2_500);
  for (const turn of ['t5', 't6']) {
    await lead.start(turn, lead.turns.at(-1)?.eventId ?? never);
    await lead.end(turn, 'silent');
    await w.advance(1_000);
  }
}

async function sends(w: World): Promise<void> {
  const lead = await w.harness('lead');
  const reply = async (by: string, text: string, ...script: World['platform']['script']): Promise<void> => {
    const id = await w.say('@lead can you check?', { by, id: `asked-by-${by}` });
    await w.advance(2_500);
    w.platform.script = script;
    void lead.reply(id, text, { idempotencyKey: `k-${by}` });
    await w.advance(100);
  };
  await reply('ada', 'It is fine.');
  await reply('bob', 'I will refund it.');
  await reply('carol', 'I will refund that too.');
  await reply('dora', 'And a refund for dora.');
  await approve(w.host.context, 'approval:lead:k-carol', 'human:ada');
  await decline(w.host, 'approval:lead:k-dora', 'human:ada');
  await reply('emil', 'This is refused.', 'refused');
  await reply('eva', 'Perhaps you see this.', 'unknowable');
  w.platform.findKnows = false;
  await reply('fred', 'Nobody knows of this.', 'unknown_shown');
  await w.say('thanks @lead', { by: 'ada' });
  await w.say('@lead thanks!', { in: 'C2', by: 'gina' });
  await w.say('the key is  hunter2, @lead', { in: 'C3', by: 'hugo' });
  await w.advance(2_500);
  w.platform.script = ['retry', 'hang'];
  void lead.call('chat.send_message', said('C2', 'Tried again later.'));
  void lead.call('chat.send_message', said('C3', 'No answer ever comes.'));
  await w.advance(0);
  await w.say('@lead thanks again!', { in: 'C2', by: 'gina' });
  w.platform.script = ['hang'];
  await w.host.ingest([w.event('@lead stop', { in: 'C2', by: 'gina' })], 'web');
  await createSurfaceMemory(w.host.context, 'web').set('offset', '42');
}

function said(conversation: string, text: string): Record<string, unknown> {
  return {
    target: `channel:${conversation}`,
    text,
    visibility: 'channel',
    directedness: 'ambient',
    idempotencyKey: `to-${conversation}`,
  };
}

async function offers(w: World): Promise<void> {
  const builder = await w.harness('builder');
  await w.say('@ops can you check the deploy?');
  await w.advance(20_001);
  const claimed = await w.say('@ops can you check the build?', { by: 'bob' });
  await builder.call('chat.claim', { inReplyTo: claimed });
  await w.say('@ops can you check the tests?', { by: 'carol' });
}

async function loops(w: World): Promise<void> {
  await w.harness('a');
  await w.harness('b');
  for (let n = 0; n < 24; n++) {
    const [by, to] = n % 2 === 0 ? ['a', 'b'] : ['b', 'a'];
    await w.say(`@${to} can you look at item ${n * 7919}?`, { by, byKind: 'agent' });
    await w.advance(20_000);
  }
}

async function obligations(w: World): Promise<void> {
  const obligation = { blocks: 'halted', defaultAction: 'I wait.' };
  const [builder, tester] = [await w.harness('builder', { obligations: true }), await w.harness('tester')];
  const owed = await w.say('which database?', { id: 'owed', more: { recipients: ['builder'], obligation } });
  await w.advance(61 * MINUTE); // three returns and an escalation to the lead
  await w.say('which one?', { id: 'unclear', by: 'bob', more: { recipients: ['tester'], obligation } });
  await tester.call('chat.react', { inReplyTo: 'unclear', signal: 'unclear' });
  await w.say('done yet?', { id: 'closed', by: 'carol', more: { recipients: ['tester'], obligation } });
  const toTester = { by: 'carol', more: { recipient: 'agent:tester' } };
  await w.react('closed', 'done', toTester);
  await w.react('nobody-knows', 'done', toTester);
  await w.edit(owed, 'which of the databases?');
  await builder.call('chat.react', { inReplyTo: owed, signal: 'done' });
  await w.say('anybody?', { id: 'refused', more: { recipients: ['role:ops'], obligation } });
  await w.advance(1_000);
}

async function keys(w: World): Promise<void> {
  const random = seededRandom(7);
  const ports = { store: w.store, apply: createApply(w.store), clock: w.clock, random };
  const tokens = createTokens(ports);
  for (const kind of ['agent', 'surface', 'operator', 'person'] as const) {
    await tokens.issue({ kind, subject: `${kind}-1`, label: `the ${kind}` });
  }
  const { row } = await tokens.issue({
    kind: 'agent',
    subject: 'gone',
    scopes: ['agent:connect'],
    label: '',
  });
  await w.advance(1_000);
  await tokens.revoke(row.key.slice(0, 12));
  const pairing = createPairing(ports);
  const { code } = await pairing.issue({ role: 'owner' });
  await pairing.issue({ role: 'guest', ttlMs: MINUTE });
  await w.say(code, { by: 'ada' });
  await w.say('hello', { by: 'ada' });
  await markRead(createApply(w.store), 'ada', 'c/web/w/C1', 2);
  await w.host.agreements.note('builder', COMPOSES, 'http');
  const lead = await w.harness('lead');
  await lead.call('chat.list_events', { target: 'channel:C1' });
  await lead.call('chat.read_thread', { target: 'channel:nowhere' });
  await w.store.transact({
    states: [],
    run: ({ now }) => ({
      writes: [auditWrite({ random }, now, 'operator:ops', 'mode', { agent: 'lead', mode: 'left' })],
      result: undefined,
    }),
  });
  const leaked = await tokens.issue({ kind: 'agent', subject: 'leaky', label: '' });
  await w.say(`use ${leaked.token}`, { by: 'ada', in: 'C2' });
  lead.close();
  await w.advance(1_000);
}

/** An agent edits what it has said, is cut off, and deletes it. */
async function amendments(w: World): Promise<void> {
  const lead = await w.harness('lead');
  await lead.reply(await w.say('@lead one?'), 'yess');
  const [sent] = await w.store.scan('outbox', 'bySurface', { eq: ['web', 'visible'], limit: 1 });
  const { eventId } = sent ?? {};
  await lead.call('chat.edit_message', { eventId, text: 'yes' });
  await lead.call('chat.delete_message', { eventId });
  await lead.reply(await w.say('@lead two?'), 'noo');
  const visible = await w.store.scan('outbox', 'bySurface', { eq: ['web', 'visible'], limit: 9 });
  const next = visible.findLast(({ kind }) => kind === 'message');
  w.platform.amendScript = ['hang'];
  void lead.call('chat.edit_message', { eventId: next?.eventId, text: 'no' });
}

async function settings(w: World): Promise<void> {
  await w.say('@lead hello');
  const { attention, settings: host } = w.host.context;
  const [agent, ...others] = attention.agents;
  if (agent === undefined) throw new Error('there is a team');
  const fewer = { ...attention, agents: [{ ...agent, roles: ['oncall'] }, ...others] };
  const origin = { by: 'ops', way: 'page', text: 'agents: []\n', words: ['lead gets role oncall'] } as const;
  await w.host.changeSettings({ attention: fewer, settings: host, configVersion: 'other' }, origin);
  await w.advance(1_000);
}
