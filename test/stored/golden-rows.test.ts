// Everything durable, byte for byte as it was first written. To record new lines on purpose (a new scene, or a format
// that has its migration): EARSHOT_RECORD_GOLDEN=1 npx vitest run test/stored/golden-rows.test.ts
import { readdirSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import type { ChatEventType } from '../../src/protocol/chat-event.ts';
import { TABLES } from '../../src/store/columns.ts';
import type { DeliveryState, InboxRow, OutboxState, TokenRow } from '../../src/store/tables.ts';
import { type GoldenFile, readGolden, recordGolden, writeGolden } from './golden-rows.ts';

const RULE = 'a stored format changes only with a migration (CONTRIBUTING.md)';

let files: GoldenFile[];
beforeAll(async () => {
  files = await recordGolden();
  if (process.env['EARSHOT_RECORD_GOLDEN'] === '1') for (const file of files) writeGolden(file);
});

it('everything the scenes store is what it was', () => {
  for (const { name, lines } of files) {
    const golden = readGolden(name);
    expect(lines.length, `${name}: ${RULE}`).toBe(golden.length);
    for (const [index, line] of lines.entries()) expect(line, `${name}: ${RULE}`).toBe(golden[index]);
  }
});

const shown = (name: string, pick: (row: Record<string, unknown>) => unknown): string[] => {
  const rows = readGolden(name).map(
    (line) => JSON.parse(line.split('\t')[1] ?? '') as Record<string, unknown>,
  );
  return [...new Set(rows.map((row) => String(pick(row))))].toSorted();
};
const idsOf = (ids: Record<string, true | 'never stored'>): string[] =>
  Object.keys(ids)
    .filter((id) => ids[id] === true)
    .toSorted();

const EVENTS: Record<ChatEventType, true | 'never stored'> = {
  message: true,
  edit: true,
  delete: true,
  reaction: true,
  membership: true,
  typing: true,
  progress: true,
  claim: true,
  mode: true,
  focus: 'never stored',
  disengage: true,
  turn: true,
  resolve: true,
  escalation: true,
  correction: true,
  opinion: true,
  tick: true,
};
const DELIVERIES: Record<DeliveryState, true | 'never stored'> = {
  held: true,
  queued: true,
  handed: true,
  accepted: true,
  turn_taken: true,
  settled: true,
  superseded: true,
  dead_lettered: true,
};
const OUTBOX: Record<OutboxState, true> = {
  awaiting_approval: true,
  queued: true,
  sending: true,
  unknown: true,
  visible: true,
  failed: true,
  lost: true,
  cancelled: true,
};
const INBOX: Record<InboxRow['kind'], true> = {
  loop_stopped: true,
  no_answer: true,
  declined: true,
  obligation: true,
  dead_letter: true,
  approval: true,
  lost_send: true,
  offer_unclaimed: true,
  leaked_token: true,
};
const TOKENS: Record<TokenRow['kind'], true> = { agent: true, surface: true, operator: true, person: true };

it('the golden files show every table, and every kind of row that the host stores', () => {
  const stored = readdirSync(new URL('golden/', import.meta.url)).toSorted();
  expect(stored).toEqual([...TABLES, 'state'].map((name) => `${name}.txt`).toSorted());
  expect(shown('log', ({ type }) => type)).toEqual(idsOf(EVENTS));
  expect(shown('log', ({ record }) => (record as { kind: string }).kind)).toEqual([
    'act',
    'control',
    'event',
    'tick',
  ]);
  expect(shown('delivery', ({ state }) => state)).toEqual(idsOf(DELIVERIES));
  expect(shown('outbox', ({ state }) => state)).toEqual(idsOf(OUTBOX));
  expect(shown('outbox', ({ kind }) => kind)).toEqual(['delete', 'edit', 'message', 'reaction']);
  expect(shown('inbox', ({ kind }) => kind)).toEqual(idsOf(INBOX));
  expect(shown('token', ({ kind }) => kind)).toEqual(idsOf(TOKENS));
  const prefixes = readGolden('state').map((line) => /: (\w+)/.exec(line)?.[1] ?? '');
  expect([...new Set(prefixes)].toSorted()).toEqual([
    'agent',
    'agreed',
    'c',
    'obligations',
    'sent',
    'surface',
    'tries',
  ]);
});
