// Whatever is posted wherever in whatever order and batches, crashes in between: each source's id of each place is one
// event with one id of its own, told the same every time, and a name means the event of the place where it is said.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortKey } from '../../src/attention/index.ts';
import { scopedId } from '../../src/host/kernel/event-id.ts';
import { withTag } from '../../src/protocol/derived-id.ts';
import { cases } from '../long.ts';
import { type World, world } from '../host/world.ts';

const IDS = ['1', '2', 'evt_1', 'evt_1/claimed', 'act_1', `1~${'a'.repeat(12)}`];
const ROOMS = [
  { platform: 'chat', workspaceId: 'w', conversation: { id: 'C1', kind: 'channel' } },
  { platform: 'chat', workspaceId: 'w', conversation: { id: 'C2', kind: 'channel' } },
  // Its room is another one: what amends a message of a thread belongs there, wherever it was told.
  { platform: 'chat', workspaceId: 'w', conversation: { id: '1', kind: 'thread', parentId: 'C9' } },
  { platform: 'chat', workspaceId: 'w2', conversation: { id: 'C1', kind: 'channel' } },
  { platform: 'irc', workspaceId: 'w', conversation: { id: 'C1', kind: 'channel' } },
] as const;

const step = fc.record({
  room: fc.nat(ROOMS.length - 1),
  id: fc.constantFrom(...IDS),
  /** What it edits, if it is an edit. */
  target: fc.option(fc.constantFrom(...IDS), { nil: undefined, freq: 2 }),
});
const batch = fc.record({ steps: fc.array(step, { minLength: 1, maxLength: 6 }), crash: fc.boolean() });

function eventOf(w: World, { room, id, target }: { room: number; id: string; target: string | undefined }) {
  const event = w.event('nothing of note', { id, more: ROOMS[room] ?? {} });
  return target === undefined ? event : { ...event, type: 'edit', targetEventId: target };
}

describe('ids', () => {
  it('are one event of one place each, in any order, any batches and over crashes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 6 }), async (batches) => {
        const w = await world();
        const known = new Map<string, string>();
        for (const { steps, crash } of batches) {
          const results = await w.ingest(...steps.map((one) => eventOf(w, one)));
          for (const [at, { room, id }] of steps.entries()) {
            const result = results[at];
            const key = `${room} ${id}`;
            expect(result).toMatchObject({ status: known.has(key) ? 'repeat' : 'accepted' });
            if (known.has(key)) expect(result?.eventId).toBe(known.get(key));
            known.set(key, result?.eventId ?? '');
          }
          if (crash) await w.crash();
        }
        expect(new Set(known.values()).size).toBe(known.size);
        for (const row of await w.logged()) {
          expect(row.sourceId ?? row.key).toBe(row.record.event.sourceId ?? row.record.event.eventId);
          if (row.sourceId !== undefined) expect(row.key).toBe(scopedId(row.conversation, row.sourceId));
        }
        expect(await w.sound()).toEqual([]);
      }),
      { numRuns: cases(40, 400) },
    );
  });

  it('that name an event known there mean that one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 20 }), async (steps) => {
        const w = await world();
        const known = new Map<string, string>();
        for (const one of steps) {
          const { room, id, target } = one;
          const [result] = await w.ingest(eventOf(w, one));
          if (result?.status !== 'accepted') continue;
          const row = await w.store.get('log', result.eventId);
          const event = row?.record.event;
          const own = known.get(`${room} ${target ?? ''}`);
          if (event?.type === 'edit' && own !== undefined) expect(event.targetEventId).toBe(own);
          // Whatever it means, it is nothing of another platform or workspace.
          const meant = event?.type === 'edit' ? await w.store.get('log', event.targetEventId) : undefined;
          if (meant !== undefined) {
            const { platform, workspaceId } = meant.record.event;
            expect({ platform, workspaceId }).toEqual({
              platform: event?.platform,
              workspaceId: event?.workspaceId,
            });
          }
          known.set(`${room} ${id}`, result.eventId);
        }
      }),
      { numRuns: cases(40, 400) },
    );
  });
});

it('two events of one conversation never share a key in its state', () => {
  const shapes: ((n: number) => string)[] = [
    String,
    (n) => `17488900${n}.000100`,
    (n) => `evt_${n}`,
    (n) => `$${n.toString(36)}:matrix.org`,
    (n) => withTag(String(n), 'Xk3vQ1mZ9aTc'),
    (n) => scopedId('c/chat/w/C1', `${n}`),
    (n) => `out_${n.toString(16).padStart(12, '0')}-4c1b-9e7f-102132435465`,
  ];
  const ids = shapes.flatMap((shape) => Array.from({ length: 1_000 }, (_, n) => shape(n)));
  const keys = new Set(ids.map(shortKey));
  expect(keys.size).toBe(new Set(ids).size);
});
