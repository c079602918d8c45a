// Nothing that is stored only grows. Every table has a stated bound, the docs say it, and retention cuts what it says.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CUTTERS } from '../../src/host/due/retention.ts';
import { TABLE_BOUNDS } from '../../src/host/due/table-bounds.ts';
import { connectWriter } from '../../src/store/sqlite/connect.ts';
import { migrate } from '../../src/store/sqlite/migrate.ts';
import type { AuditRow, InboxRow, OutboxRow, TokenRow } from '../../src/store/tables.ts';
import { world } from './world.ts';

describe('every table', () => {
  it('of the store has a bound, and none is stated for a table that does not exist', () => {
    const folder = mkdtempSync(join(tmpdir(), 'earshot-bounds-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'store.db');
    const db = connectWriter(file);
    migrate(db, file);
    const sql =
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
    const names = db
      .prepare(sql)
      .all()
      .map(({ name }) => String(name));
    db.close();
    expect(Object.keys(TABLE_BOUNDS).toSorted()).toEqual(names);
  });

  it('that retention bounds has a cutter, and the docs say each bound', () => {
    const byRetention = Object.entries(TABLE_BOUNDS).filter(([, { by }]) => by === 'retention');
    expect(Object.keys(CUTTERS).toSorted()).toEqual(byRetention.map(([name]) => name).toSorted());
    const page = readFileSync('docs/reference/configuration.md', 'utf8');
    for (const [name, { words }] of Object.entries(TABLE_BOUNDS)) {
      const line = page.split('\n').find((text) => text.startsWith(`| \`${name}\``) && text.includes(words));
      expect([name, line === undefined]).toEqual([name, false]);
    }
    expect(readFileSync('docs/operations.md', 'utf8')).toContain('#what-is-kept-and-how-long');
  });
});

const DAY = 24 * 3_600_000;

describe('retention', () => {
  it('cuts audit, closed and orphaned inbox items, sends that never were shown, and revoked tokens', async () => {
    const w = await world({ settings: { limits: { retentionMs: DAY } } });
    onTestFinished(() => w.host.stop());
    const now = w.clock.now();
    const audit: AuditRow = { key: 'a1', at: now, who: 'operator:x', what: 'looked', detail: {} };
    const item = (key: string, over: Partial<InboxRow>): InboxRow => ({
      key,
      kind: 'dead_letter',
      eventId: 'nowhere',
      agents: ['lead'],
      detail: {},
      createdAt: now,
      closedAt: null,
      open: 1,
      ...over,
    });
    const send: OutboxRow = {
      key: 'lead:k',
      agent: 'lead',
      surface: 'web',
      conversation: 'c/web/w/C1',
      kind: 'reaction',
      state: 'failed',
      eventId: 'never',
      inReplyTo: null,
      turnId: null,
      bodyHash: 'h',
      body: {},
      attempt: 1,
      dueAt: null,
      createdAt: now,
      platformId: null,
      error: 'refused',
    };
    const token = (key: string, revokedAt: number | null): TokenRow => ({
      key,
      kind: 'agent',
      subject: 'lead',
      scopes: [],
      label: '',
      createdAt: now,
      revokedAt,
    });
    const items = [
      item('closed', { open: 0, closedAt: now }),
      item('orphan', {}),
      item('approval', { kind: 'approval' }),
      item('debt', { kind: 'obligation' }),
    ];
    await w.store.transact({
      states: [],
      run: () => ({
        writes: [
          { table: 'audit', row: audit },
          ...items.map((row) => ({ table: 'inbox', row }) as const),
          { table: 'outbox', row: send },
          { table: 'token', row: token('revoked', now) },
          { table: 'token', row: token('valid', null) },
        ],
        result: undefined,
      }),
    });
    const keys = async () => ({
      audit: (await w.store.scan('audit', 'byPosition', { limit: 50 })).map(({ key }) => key),
      inbox: (await w.store.scan('inbox', 'byPosition', { limit: 50 })).map(({ key }) => key),
      outbox: (await w.store.scan('outbox', 'byPosition', { limit: 50 })).map(({ key }) => key),
      token: (await w.store.scan('token', 'all', { limit: 50 })).map(({ key }) => key),
    });
    await w.advance(DAY / 2);
    expect(await keys()).toMatchObject({ audit: ['a1'], outbox: ['lead:k'], token: ['revoked', 'valid'] });
    await w.advance(DAY);
    expect(await keys()).toEqual({ audit: [], inbox: ['approval', 'debt'], outbox: [], token: ['valid'] });
  });
});
