// A log that two hosts have written into one database, each event dealt to one of them at random, decided again.
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attend, emptyState, encodeState, type AttentionState } from '../../src/attention/index.ts';
import { decisionRow } from '../../src/cli/replay-report.ts';
import { checkDecisions } from '../../src/host/check/check-decisions.ts';
import type { Host } from '../../src/host/host.ts';
import { type ConversationState, hostStateCodec, placeOf } from '../../src/host/kernel/conversation.ts';
import { createRosters } from '../../src/host/kernel/in-force.ts';
import { packDecisions, unpackDecisions } from '../../src/host/kernel/log-row.ts';
import type { Scanned, Store } from '../../src/store/store.ts';
import type { LogRow } from '../../src/store/tables.ts';
import { cases } from '../long.ts';
import { earshot, file } from '../replay/fake-io.ts';
import { fixture } from '../server/fixture.ts';
import { StoreSchema } from './store-schema.ts';
import { attention, attentionInput, CONFIG_VERSION, play, talk, talkingHost } from './talking-host.ts';

const EVENTS = cases(800, 18_000);
/** Few, so that the two hosts write the same conversations at the same time. */
const ROOMS = 4;
const PAGE = 500;

let schema: StoreSchema;
let client: pg.Client;
let store: Store;
let exported: Scanned<LogRow>[];

beforeAll(async () => {
  schema = new StoreSchema();
  const stores = await Promise.all([1, 2].map(() => schema.open({ codec: hostStateCodec })));
  const hosts: Host[] = [];
  for (const each of stores) hosts.push(await talkingHost(each));
  await play(hosts, talk(EVENTS, ROOMS, 7));
  await Promise.all(hosts.map((host) => host.stop()));
  client = await schema.client();
  const { rows } = await client.query<{ batch: string }>('SELECT batch FROM node WHERE batch > 0');
  expect(rows).toHaveLength(2);
  store = await schema.open({ codec: hostStateCodec });
  exported = await everything();
});
afterAll(() => schema.dispose());

/** As a page of the log is read: in the order of positions, up to the horizon. */
async function everything(): Promise<Scanned<LogRow>[]> {
  const before = (await store.horizon()) + 1;
  const all: Scanned<LogRow>[] = [];
  for (let after = 0; ; ) {
    const { rows, reached } = await store.log.find({}, { after, before, limit: PAGE, descending: false });
    all.push(...rows);
    if (reached === undefined) return all;
    after = reached;
  }
}

/** Decisions are stored by what they have in common, so their order in one event is another. */
const byEvent = (text: string): string => text.split('\n').toSorted().join('\n');

describe('a log that two nodes have written', () => {
  it('has every event once, and in each conversation the order of its numbers', () => {
    // In a long run the hosts add that an agent is not connected.
    const said = exported.filter(({ key }) => /^talk-\d+-\d+$/.test(key));
    expect(new Set(said.map(({ key }) => key)).size).toBe(EVENTS);
    expect(said).toHaveLength(EVENTS);
    for (const rows of Map.groupBy(exported, ({ conversation }) => conversation).values())
      expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, at) => at + 1));
  });

  it('gives the decisions and the states that are stored, byte for byte', async () => {
    const rosterAt = createRosters(attention);
    const states = new Map<string, AttentionState>();
    for (const row of exported) {
      const { record, conversation, decisions } = row;
      const roster = rosterAt(placeOf(record.event), conversation);
      const folded = attend(states.get(conversation) ?? emptyState(), record, roster);
      states.set(conversation, folded.state);
      expect(JSON.stringify(packDecisions(folded.decisions))).toBe(JSON.stringify(decisions));
    }
    expect(states.size).toBe(2 * ROOMS);
    for (const [key, state] of states) {
      const kept = (await store.state(key)) as ConversationState;
      expect(encodeState(kept.attention)).toBe(encodeState(state));
    }
    // The oracle is not blind.
    const settings = { attention, configVersion: CONFIG_VERSION };
    expect(await checkDecisions(store, states.keys(), settings)).toEqual([]);
    const quieter = { ...attention, agents: attention.agents.slice(1) };
    expect(await checkDecisions(store, states.keys(), { ...settings, attention: quieter })).not.toEqual([]);
  });

  it('is found unchanged by a third host that decides it again', async () => {
    const { call } = await fixture({ wrapStore: () => store, attention: attentionInput });
    const period = { from: 0, to: Date.now() + 60_000 };
    const { body } = await call('POST', '/v1/replay', 'operator', period);
    expect(body).toMatchObject({ events: exported.length, different: 0, complete: true });
  });

  it('gives the same decisions as a recorded chat, byte for byte', async () => {
    // What a thread knows of its room is a fact of the record, and no part of a chat.
    const rooms = exported.filter(({ record }) => record.event.conversation.kind === 'channel');
    const lines = rooms.map(({ record }) => JSON.stringify({ ...record.event, at: record.at }));
    const config = file(JSON.stringify(attentionInput), '.yaml');
    const ran = await earshot(['replay', file(lines.join('\n')), '--config', config, '--json', '--strict']);
    expect(ran).toMatchObject({ code: 0, err: '' });
    const live = rooms.flatMap(({ decisions, key }) => unpackDecisions(decisions, key));
    expect(live.length).toBeGreaterThan(EVENTS);
    expect(byEvent(ran.out)).toBe(
      byEvent(live.map((each) => `${JSON.stringify(decisionRow(each))}\n`).join('')),
    );
  });
});
