// Settings applied again and again over HTTP while events are posted, on the real store: there a commit takes time, and
// events are prepared under one version while another one comes into force. Afterwards every stored decision must be what
// the pure fold gives under the version that its record names.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { storeFile } from '../../src/cli/data-dir.ts';
import { resolveConfig } from '../../src/cli/host-config.ts';
import { checkDecisions } from '../../src/host/check/check-decisions.ts';
import { checkRows } from '../../src/host/check/check-rows.ts';
import { conversationKeys, hostStateCodec } from '../../src/host/kernel/conversation.ts';
import { settingsByVersion } from '../../src/host/kernel/settings-row.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import type { LogRow } from '../../src/store/tables.ts';
import { cases } from '../long.ts';
import { upHere } from './here.ts';
import { folder, message } from './up.ts';

const ONE = `agents:
  - { id: lead, aliases: [chief], accounts: [U7] }
  - { id: builder, lead: lead, roles: [oncall] }
conversations: [{ match: '*/*/room-1', defaultResponder: builder }]
`;
const OTHER = `agents:
  - { id: lead, respondTo: ['human:ann'], roles: [oncall] }
  - { id: builder, aliases: [chief], accounts: [U7] }
  - { id: nova, roles: [oncall], lead: lead }
conversations: [{ match: '*/*/room-1', defaultResponder: nova }]
`;
const LINES = ['@lead are you there?', 'chief, look at this', '@oncall help', 'and what now?', '@nova hi'];
/** So many that nobody writes more than a person may. */
const AUTHORS = ['ann', ...Array.from({ length: 60 }, (_, n) => `person-${n}`)];
/** Events in one request, and requests that are under way at once. */
const TOGETHER = 10;
const SPEAKERS = 4;
const CHANGES = cases(50, 200);
/** In all no more than the source and the one account may say at once, however fast the machine is. */
const EVENTS_A_CHANGE = 4_000 / CHANGES;

it('no event is lost, and none is decided by half of two versions', async () => {
  const data = folder();
  const config = join(data, 'earshot.yaml');
  writeFileSync(config, ONE);
  const host = await upHere({ data, config });
  const { operator, surfaces } = host.tokens;
  const posted: string[] = [];
  const over = new AbortController();
  let n = 0;
  let changes = 0;
  let changed = Promise.withResolvers<void>();
  const speak = async (room: number): Promise<void> => {
    while (!over.signal.aborted) {
      if (n >= (changes + 1) * EVENTS_A_CHANGE) {
        await changed.promise;
        continue;
      }
      const events = Array.from({ length: TOGETHER }, () => {
        n++;
        // Every tenth is by an account that is another agent under the other settings.
        const person = { id: AUTHORS[n % AUTHORS.length], kind: 'human' };
        const author = n % 10 === 0 ? { id: 'U7', kind: 'agent' } : person;
        return message(LINES[n % LINES.length] ?? '', {
          eventId: `load-${n}`,
          author,
          conversation: { id: `room-${room}`, kind: 'channel' },
        });
      });
      const { body } = await host.call('POST', '/v1/events', surfaces['dev'], { events });
      for (const { eventId, status } of body['events'] as { eventId: string; status: string }[]) {
        expect(status).toBe('accepted');
        posted.push(eventId);
      }
    }
  };
  const started = systemClock.now();
  const speakers = Array.from({ length: SPEAKERS }, (_, room) => speak(room + 1));
  for (let flip = 1; flip <= CHANGES; flip++) {
    const text = flip % 2 === 1 ? OTHER : ONE;
    const applied = await host.call('POST', '/v1/settings/apply', operator, { text, basedOn: flip });
    expect(applied.body).toMatchObject({ number: flip + 1 });
    changes = flip;
    changed.resolve();
    changed = Promise.withResolvers<void>();
  }
  over.abort();
  changed.resolve();
  await Promise.all(speakers);
  const seconds = (systemClock.now() - started) / 1_000;
  await host.stop();

  const store = await openSqliteStore({ file: storeFile(data), clock: systemClock, codec: hostStateCodec });
  try {
    const rows: LogRow[] = [];
    for (let after = 0; ; ) {
      const page = await store.scan('log', 'byPosition', { after, limit: 1_000 });
      rows.push(...page);
      const last = page.at(-1);
      if (last === undefined) break;
      after = last.position;
    }
    const stored = new Set(rows.map(({ key }) => key));
    expect(posted.filter((id) => !stored.has(id))).toEqual([]);
    const earlier = await settingsByVersion(store);
    const by = Map.groupBy(rows, ({ record }) => record.facts.configVersion ?? 'none');
    expect(by.size).toBe(2);
    for (const [version, some] of by) {
      expect(earlier.has(version)).toBe(true);
      expect(some.length).toBeGreaterThan(50);
    }
    const accounts = new Set(
      rows.flatMap(({ record: { event, facts } }) =>
        event.author.kind === 'agent' ? [`${event.author.id} ${facts.configVersion}`] : [],
      ),
    );
    expect(accounts.size).toBe(2); // each version knows it as one agent
    const { attention, version: configVersion } = await resolveConfig({ config, data }, {});
    const conversations = await conversationKeys(store, '', 1_000);
    expect(await checkDecisions(store, conversations, { attention, configVersion, earlier })).toEqual([]);
    expect(await checkRows(store)).toEqual([]);
    console.info(`${posted.length} events in ${seconds.toFixed(1)} s, ${by.size} versions in turn`);
  } finally {
    await store.close();
  }
});
