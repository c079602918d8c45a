// A digest says how the work stands: how far it is, who holds what, what was resolved, which signals were given. Figures,
// names and ids, and not a word of what anybody wrote; once a period, and never something to answer.
import { describe, expect, it } from 'vitest';
import { resultIn, STEP_MS } from './debt-cast.ts';
import { until, type WireHost, wireHost } from './host.ts';
import { type HarnessOptions, harness, type Way, webhookFor, type WireHarness } from './ways.ts';

const DIGEST_MS = 60_000;
/** The ways that digests go. MCP has no capability for them: what they cover stays in its mailbox. */
const DIGESTED = ['websocket', 'pull', 'webhook', 'sdk'] as const;
const TAKES_DIGESTS: HarnessOptions = {
  capabilities: { injection: { buffered: true, notify: true, tool_mailbox: true, digest: true } },
};

interface Scene {
  wire: WireHost;
  lead: WireHarness;
  builder: WireHarness;
  /** The texts of the digests that reached the lead. */
  digests: () => string[];
}

async function scene(way: Way, secret = 'kumquat'): Promise<Scene & { task: string }> {
  const webhooks = way === 'webhook' ? [await webhookFor('lead')] : [];
  const host = { limits: { digestMs: DIGEST_MS }, webhooks };
  const wire = await wireHost({ host });
  const read: string[] = [];
  const onTurn: HarnessOptions['onTurn'] = ({ digests }) =>
    void read.push(...digests.map(({ text }) => text));
  const lead = await harness(wire, 'lead', way, { ...TAKES_DIGESTS, onTurn });
  const builder = await harness(wire, 'builder', 'websocket', TAKES_DIGESTS);
  const digests = (): string[] =>
    way === 'sdk' ? read : lead.seen.filter(({ mode }) => mode === 'digest').map(({ text }) => text);
  const task = await wire.say(`@builder please build the ${secret} branch`);
  await builder.next(({ eventId }) => eventId === task);
  return { wire, lead, builder, digests, task };
}

async function report({ builder }: Scene, task: string, progressToken: string, done: number, total?: number) {
  const message = `kumquat ${done}`;
  const figures = { progressToken, progress: done, message, eventId: task };
  await builder.notify('notifications/progress', total === undefined ? figures : { ...figures, total });
}

/** The digest waits for the next turn of an agent that only reads prompts. */
async function digested(now: Scene): Promise<string> {
  await now.wire.pass(DIGEST_MS + STEP_MS, STEP_MS);
  await now.wire.say('@lead are you there?');
  await now.wire.pass(3_000);
  await now.lead.next(({ text }) => text.includes('are you there'));
  return until(() => now.digests().at(-1), 'the digest');
}

describe.each(DIGESTED)('over %s', (way) => {
  it('carries the last figures of every piece of work, by who reported them [C2A-06-02/digest/periodic, C2A-06-02/progress/digested, C2A-06-24/mode/digest-rolls-up]', async () => {
    const now = await scene(way);
    await report(now, now.task, 'compile', 1, 5);
    await report(now, now.task, 'compile', 4, 5);
    await report(now, now.task, 'tests', 17);
    const text = await digested(now);
    expect(text).toBe(
      'channel:general: 3 progress by agent:builder; progress: agent:builder 4/5, agent:builder 17',
    );
    expect(text).not.toContain('kumquat');
  });

  it('says who holds claims, what was resolved and which signals were given, and nothing of the words [C2A-06-02/digest/periodic]', async () => {
    const now = await scene(way);
    const open = await now.wire.say('can somebody look at the kumquat build?');
    resultIn(await now.builder.tool('chat.claim', { inReplyTo: open }));
    resultIn(await now.builder.tool('chat.react', { inReplyTo: now.task, signal: 'queued' }));
    resultIn(await now.builder.tool('chat.resolve', { inReplyTo: now.task, note: 'kumquat built' }));
    const text = await digested(now);
    expect(text).toBe(
      `channel:general: claimed: agent:builder 1; resolved: ${now.task} by agent:builder; signals: queued 1`,
    );
  });
});

it('comes once a period, must not be answered, and is silent about what the agent may not read [C2A-06-02/digest/must-not-respond, C2A-06-24/mode/digest-rolls-up]', async () => {
  const now = await scene('websocket');
  const { wire, lead, builder, task } = now;
  const quiet = await wire.say('@builder between us: the plan is kumquat', { in: 'dm-ada', kind: 'dm' });
  await wire.pass(3_000);
  await builder.next(({ eventId }) => eventId === quiet);
  const settled = resultIn(await builder.tool('chat.resolve', { inReplyTo: quiet }));
  expect(settled).toEqual({ resolved: [quiet] });
  await report(now, task, 'compile', 1, 5);
  // The host has other things to see to before the period is over: this one is due at once.
  resultIn(await builder.tool('chat.defer', { inReplyTo: task, reason: 'later', ttlMs: STEP_MS }));
  await wire.pass(DIGEST_MS / 2, STEP_MS);
  expect(lead.seen.filter(({ mode }) => mode === 'digest')).toEqual([]);
  await wire.pass(DIGEST_MS / 2 + STEP_MS, STEP_MS);
  const [digest, ...more] = lead.seen.filter(({ mode }) => mode === 'digest');
  expect([digest?.policy, more]).toEqual(['must_not_respond', []]);
  expect(digest?.text).not.toContain('dm-ada');
  await wire.pass(3 * DIGEST_MS, STEP_MS);
  expect(lead.seen.filter(({ mode }) => mode === 'digest')).toHaveLength(1);
  await report(now, task, 'compile', 2, 5);
  await wire.pass(DIGEST_MS + STEP_MS, STEP_MS);
  expect(lead.seen.filter(({ mode }) => mode === 'digest').map(({ text }) => text)).toEqual([
    expect.stringContaining('1/5'),
    expect.stringContaining('2/5'),
  ]);
});
