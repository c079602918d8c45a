// Scoped ids on disk: after a restart every event has the id that it had, a repeat is a repeat, and a source's own id
// still means the event of its own place, for sources and for people at a terminal.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { LogEntry } from '../../src/protocol/operator-api.ts';
import { earshot } from '../replay/fake-io.ts';
import { upHere } from '../server/here.ts';
import { folder, type Listening } from '../server/up.ts';

const PLACES = [
  ['chat', 'w', 'general'],
  ['chat', 'w', 'random'],
  ['chat', 'w2', 'general'],
  ['irc', 'w', 'general'],
] as const;

function event(
  [platform, workspaceId, id]: (typeof PLACES)[number],
  more: Record<string, unknown> = {},
): object {
  return {
    eventId: '42',
    at: '2026-06-02T09:00:00Z',
    platform,
    workspaceId,
    conversation: { id, kind: 'channel' },
    author: { id: 'ada', kind: 'human', displayName: 'Ada' },
    type: 'message',
    text: `good morning ${platform} ${workspaceId} ${id}`,
    ...more,
  };
}

interface Result {
  eventId: string;
  status: string;
  seq: number;
}

async function post(host: Listening, ...events: object[]): Promise<Result[]> {
  const { body } = await host.post({ events });
  return (body as { events: Result[] }).events;
}

it('ids, repeats and names outlive the process [C2A-06-02/envelope/stable-source-event-id, C2A-06-02/minimal/9-retry-and-dedupe]', async () => {
  const data = folder();
  const config = join(data, 'earshot.yaml');
  writeFileSync(config, 'agents:\n  - id: lead\n');
  const first = await upHere({ data, config });
  const stored = await post(first, ...PLACES.map((place) => event(place)));
  expect(stored.map(({ status }) => status)).toEqual(PLACES.map(() => 'accepted'));
  await first.stop();

  const second = await upHere({ data, config });
  const again = await post(second, ...PLACES.map((place) => event(place)));
  expect(again).toEqual(stored.map((result) => ({ ...result, status: 'repeat' })));
  const edits = PLACES.map((place) =>
    event(place, { eventId: '43', type: 'edit', targetEventId: '42', text: 'good evening' }),
  );
  const edited = await post(second, ...edits);
  const { body } = await second.call('GET', '/v1/log?last=true&type=edit', second.tokens.operator);
  const log = (body as { log: LogEntry[] }).log;
  for (const [at, { eventId }] of edited.entries())
    expect(log.find((entry) => entry.eventId === eventId)).toMatchObject({
      targetEventId: stored[at]?.eventId,
    });

  const why = async (...argv: string[]) => (await earshot(['why', '42', '--data', data, ...argv])).out;
  expect(await why()).toMatch(/This is the one in c\/chat\/w\/general\. 3 other events have this id/);
  expect(await why('--in', 'c/irc/w/general')).toMatch(/^Ada: good morning irc w general/);
  const refused = await earshot(['why', '42', '--data', data, '--in', 'general']);
  expect(refused.code).toBe(1);
  expect(refused.err).toMatch(/3 events are called "42" by their sources: .*--in KEY/);
  expect((await second.call('GET', '/v1/doctor', second.tokens.operator)).body).toMatchObject({
    findings: [],
  });
});
