// GET /v1/why: for every event and every agent an answer in words, and what became of it since.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseConfig } from '../../src/cli/config.ts';
import { LADDER } from '../../src/attention/index.ts';
import { MATRIX } from '../../src/attention/matrix.ts';
import type { ChatEvent } from '../../src/protocol/chat-event.ts';
import type { LogPage, StateUsed, WhyAnswer } from '../../src/protocol/operator-api.ts';
import { type Fixture, fixture, message, send, START } from './fixture.ts';

async function why({ call }: Fixture, event: string, agent?: string): Promise<WhyAnswer> {
  const query = agent === undefined ? '' : `?agent=${agent}`;
  const { status, body, text } = await call(
    'GET',
    `/v1/why/${encodeURIComponent(event)}${query}`,
    'operator',
  );
  expect([event, status, status === 200 ? '' : text]).toEqual([event, 200, '']);
  return body as unknown as WhyAnswer;
}

const RULES = new Set([...LADDER.map(({ id }) => id), ...MATRIX.map(({ id }) => id)].map(String));
/** A rule's name where it is no word of English, and anything in quotes that is one. */
function namesARule(text: string): boolean {
  const named = [...text.matchAll(/[a-z]+(?:_[a-z]+)+|"([a-z_]+)"/g)].map(
    ([whole, quoted]) => quoted ?? whole,
  );
  return named.some((word) => word.includes('_') || RULES.has(word)) || /\bRule \d/.test(text);
}

/** Everything the recorded stand-up has, what agents do besides, and an agent that is bound elsewhere. */
async function recorded() {
  const attention = parseConfig(readFileSync('examples/earshot.yaml', 'utf8'), 'earshot.yaml');
  const host = await fixture({
    attention: {
      ...attention,
      agents: [...attention.agents, { id: 'elsewhere', conversations: ['other/place/only'] }],
    },
  });
  const lines = readFileSync('examples/standup.jsonl', 'utf8').trim().split('\n');
  for (const line of lines) {
    const event = JSON.parse(line) as ChatEvent;
    const at = typeof event.at === 'number' ? event.at : Date.parse(event.at);
    if (at > host.clock.now()) host.clock.advance(at - host.clock.now());
    // Agents' acts too, as their tools would have written them.
    await host.host.committer.commit(await host.host.committer.prepare(event, 'dev', 'source'));
  }
  await host.host.ingest(
    [
      message('before my time', { origin: 'backfill', platform: 'demo', workspaceId: 'acme' }),
      { ...message(''), text: undefined, type: 'typing', typing: true },
      { ...message(''), text: undefined, type: 'membership', membership: { humans: 2, complete: true } },
      { ...message(''), text: undefined, type: 'mode', agent: 'lead', mode: 'follow' },
    ],
    'dev',
  );
  return { host, agents: [...attention.agents.map(({ id }) => id), 'elsewhere', 'nobody'] };
}

it('answers for every event of a recorded chat and every agent, in words without rule names', async () => {
  const { host, agents } = await recorded();
  const { log } = (await host.call('GET', '/v1/log?limit=200', 'operator')).body as unknown as LogPage;
  expect(log.length).toBeGreaterThan(35);
  expect(new Set(log.map(({ type }) => type)).size).toBeGreaterThan(4);
  const statuses = new Set<string>();
  for (const { eventId } of log) {
    for (const agent of agents) {
      const { agents: told } = await why(host, eventId, agent);
      const [one] = told;
      expect([eventId, told.length, one?.agent]).toEqual([eventId, 1, agent]);
      const words = [one?.headline ?? '', ...(one?.steps ?? []), ...(one?.since.map((s) => s.words) ?? [])];
      expect(words[0]).toMatch(new RegExp(`^${agent} .{10,}\\.$`));
      expect(words.filter((text) => text.trim() === '' || namesARule(text))).toEqual([]);
      statuses.add(one?.status ?? '');
    }
    const whole = await why(host, eventId);
    expect(whole.agents.map(({ agent }) => agent)).toEqual(expect.arrayContaining(agents.slice(0, -1)));
  }
  expect(statuses).toEqual(new Set(['asked', 'not_bound', 'author', 'unasked', 'unknown_agent']));
});

it('tells what happened since: answered, edited, reacted to', async () => {
  const host = await fixture();
  const asked = message('@lead can you look?');
  await host.call('POST', '/v1/events', 'dev', asked);
  host.clock.advance(5_000);
  expect((await why(host, asked.eventId, 'lead')).agents[0]?.since).toMatchObject([
    { kind: 'handed', words: 'It waits for lead to connect.' },
  ]);
  await host.tool('lead', 'chat.send_message', send(asked.eventId));
  const edit = { ...message('@lead can you look at it now?'), type: 'edit', targetEventId: asked.eventId };
  const react = {
    ...message(''),
    text: undefined,
    type: 'reaction',
    targetEventId: asked.eventId,
    signal: 'agree',
  };
  await host.call('POST', '/v1/events', 'dev', { events: [edit, react] });
  const { later, agents } = await why(host, asked.eventId);
  expect(later.map(({ words }) => words)).toEqual(
    expect.arrayContaining(['lead answered it.', 'Ada edited it.', 'Ada reacted with "agree".']),
  );
  expect(agents.find(({ agent }) => agent === 'lead')?.since[0]).toMatchObject({ kind: 'settled' });
});

it('tells what happened since: claimed, escalated, dead-lettered and handed over again', async () => {
  const host = await fixture();
  const asked = message('@builder what is red?');
  await host.call('POST', '/v1/events', 'dev', asked);
  await host.tool('builder', 'chat.claim', { inReplyTo: asked.eventId, ttlMs: 60_000 });
  expect((await why(host, asked.eventId)).later).toContainEqual(
    expect.objectContaining({ kind: 'claimed', agent: 'builder', words: 'builder took it.' }),
  );
  const other = message('@builder please answer');
  await host.call('POST', '/v1/events', 'dev', other);
  await host.tool('builder', 'chat.react', { inReplyTo: other.eventId, signal: 'declined' });
  const escalated = await why(host, other.eventId);
  expect(escalated.later.map(({ kind }) => kind)).toContain('escalated');
  expect(escalated.later.find(({ kind }) => kind === 'escalated')?.words).toContain(
    'because another agent did not answer',
  );
  // To nobody above: a person is asked.
  const third = message('@lead please answer');
  await host.call('POST', '/v1/events', 'dev', third);
  await host.tool('lead', 'chat.react', { inReplyTo: third.eventId, signal: 'declined' });
  expect((await why(host, third.eventId)).later.map(({ words }) => words).join()).toContain(
    'A person was asked. lead had to answer and declined',
  );
  const fourth = message('@lead and this?');
  await host.call('POST', '/v1/events', 'dev', fourth);
  const [row] = await host.store.scan('delivery', 'bySource', { eq: [fourth.eventId], limit: 1 });
  const path = `/v1/deliveries/${encodeURIComponent(row?.key ?? '')}/redeliver`;
  expect((await host.call('POST', path, 'operator')).status).toBe(200);
  expect((await why(host, fourth.eventId)).later).toContainEqual(
    expect.objectContaining({ kind: 'redelivered', words: 'It waits for lead to connect (attempt 2).' }),
  );
});

it('takes an id, a follow-up’s id, the page’s link and the API’s own', async () => {
  const host = await fixture();
  const eventId = 'C1/17.5?x=1#y';
  await host.call('POST', '/v1/events', 'dev', message('@lead hello', { eventId }));
  const coded = encodeURIComponent(eventId);
  for (const given of [
    eventId,
    `${eventId}/claimed`,
    `${eventId}/reminder-2`,
    `http://127.0.0.1:7575/#/timeline?event=${coded}`,
    `http://127.0.0.1:7575/#/timeline?agent=lead&why=${coded}`,
    `http://127.0.0.1:7575/#/why/${coded}`,
    `https://earshot.example/?event=${coded}`,
    `http://127.0.0.1:7575/v1/why/${coded}`,
  ]) {
    expect((await why(host, given)).event.eventId).toBe(eventId);
  }
  const { status, text } = await host.call('GET', '/v1/why/http:%2F%2Fx', 'operator');
  expect([status, text]).toEqual([404, expect.stringContaining('copy it from') as string]);
});

it('cuts secrets out of everything it tells', async () => {
  const host = await fixture();
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const event = message(`@lead use ${secret}`, { author: { id: 'x', kind: 'human', displayName: secret } });
  await host.call('POST', '/v1/events', 'dev', event);
  const answers = await Promise.all(
    [
      `/v1/why/${event.eventId}`,
      '/v1/log',
      `/v1/log?author=x&from=${START}`,
      '/v1/agents',
      '/v1/stats',
      '/v1/conversations',
    ].map((path) => host.call('GET', path, 'operator')),
  );
  for (const { status, text } of answers) expect([status, text.includes(secret)]).toEqual([200, false]);
});

it('tells what was remembered when it was decided, in words', async () => {
  const host = await fixture();
  const post = async (text: string, more: Record<string, unknown> = {}): Promise<string> => {
    const event = message(text, more);
    await host.call('POST', '/v1/events', 'dev', event);
    host.clock.advance(1_000);
    return event.eventId;
  };
  const remembered = async (event: string, agent: string): Promise<Record<string, string>> => {
    const { status, body } = await host.call('GET', `/v1/why/${event}/state?agent=${agent}`, 'operator');
    expect(status).toBe(200);
    const { remembered: rows } = body as unknown as StateUsed;
    for (const { words } of rows) expect(namesARule(words.replace('mention_only', ''))).toBe(false);
    return Object.fromEntries(rows.map(({ what, words }) => [what, words]));
  };
  const first = await post('@lead can you look?');
  expect(await remembered(first, 'lead')).toMatchObject({
    'its mode': 'auto, as usual here',
    'it last spoke': 'never here',
    'the author': 'had not spoken here before',
  });
  await host.call('POST', '/v1/agents/lead/mode', 'operator', {
    conversation: 'general',
    mode: 'mention_only',
  });
  const second = await post('and what about the tests?');
  expect(await remembered(second, 'lead')).toMatchObject({
    'its mode': 'mention_only, set here',
    people: expect.stringContaining('1 person has spoken') as string,
  });
  // It is the state before the event, not the one of now.
  expect(await remembered(first, 'lead')).toMatchObject({ 'its mode': 'auto, as usual here' });
  expect((await host.call('GET', `/v1/why/${first}/state`, 'operator')).status).toBe(400);
});

it('tells of every turn about a message how it ended, why, and what it has cost', async () => {
  const host = await fixture();
  const [asked, failed] = [message('@lead which region?'), message('@lead and which size?')];
  await host.call('POST', '/v1/events', 'dev', asked);
  const { turns } = host.host.sessionDeps;
  await turns.start('lead', 't1', [asked.eventId]);
  host.clock.advance(2_000);
  const usage = {
    inputTokens: 900,
    outputTokens: 40,
    costUsd: 0.0123,
    model: 'm-1',
    source: 'reported' as const,
  };
  await turns.end('lead', 't1', 'silent', { usage });
  const [turn] = (await why(host, asked.eventId, 'lead')).agents[0]?.turns ?? [];
  expect(turn).toMatchObject({ turnId: 't1', failed: false, usage });
  expect(turn?.words).toContain('without an answer, though one was due');
  expect(Date.parse(turn?.endedAt ?? '') - Date.parse(turn?.startedAt ?? '')).toBe(2_000);

  await host.call('POST', '/v1/events', 'dev', failed);
  await turns.start('lead', 't2', [failed.eventId]);
  const running = (await why(host, failed.eventId, 'lead')).agents[0]?.turns;
  expect(running).toEqual([{ turnId: 't2', startedAt: expect.any(String) as string }]);
  await turns.end('lead', 't2', 'failed', { error: 'no space left', retryable: false });
  expect((await why(host, failed.eventId, 'lead')).agents[0]?.turns).toMatchObject([
    { turnId: 't2', failed: true, words: 'It failed: no space left.', error: 'no space left' },
  ]);
});
