// The pictures of ARCHITECTURE.md against the code. The arrows of a delivery and of a send are the maps that `move` obeys,
// and every transition that the owners offer stays on them. Offers, inbox items and sessions are played.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as delivery from '../../src/host/delivery/move.ts';
import {
  endOffer,
  newOffer,
  offerDue,
  openOffer,
  passOffer,
  restOffer,
} from '../../src/host/delivery/offers.ts';
import { closeItem, fileItem } from '../../src/host/inbox/inbox-row.ts';
import type { Change } from '../../src/host/kernel/change.ts';
import * as outbox from '../../src/host/outbox/outbox-row.ts';
import { closeSession, takeOver } from '../../src/host/session/session-row.ts';
import type { UnitView } from '../../src/store/store.ts';
import { aloneNode } from '../../src/store/nodes.ts';
import type { DeliveryRow, DeliveryState, OutboxState, TableName, Tables } from '../../src/store/tables.ts';
import { deliveryRow, outboxRow } from '../contract/store-rows.ts';

const PAGE = readFileSync(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8');

/** The arrows of the picture under a heading, `from --> to`, without how it begins. */
function arrows(heading: string): string[] {
  const [, section = ''] = PAGE.split(`### ${heading}\n`);
  const [, picture = ''] = /```mermaid\n([\s\S]*?)```/.exec(section) ?? [];
  const found = [...picture.matchAll(/^\s*(\w+) --> (\w+)/gm)].map(([, from, to]) => `${from} --> ${to}`);
  if (found.length === 0) throw new Error(`no picture under "${heading}" in ARCHITECTURE.md`);
  return found.toSorted();
}

function edges(moves: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(moves)
    .flatMap(([from, to]) => to.map((next) => `${from} --> ${next}`))
    .toSorted();
}

/** A view of these rows alone. */
function viewOf(rows: { [T in TableName]?: readonly Tables[T][] }, now = 1_000): UnitView {
  return {
    now,
    state: () => undefined,
    row: (table, key) =>
      (rows[table] as { key: string }[] | undefined)?.find((row) => row.key === key) as never,
  };
}

function written<T extends TableName>({ writes }: Change, table: T): Tables[T] | undefined {
  const write = writes.find((one) => 'row' in one && one.table === table);
  return write !== undefined && 'row' in write ? (write.row as Tables[T]) : undefined;
}

const isOver = (state: DeliveryState): boolean => delivery.DELIVERY_MOVES[state].length === 0;
const nameOf = ({ open }: Tables['offer']): string => (open === 1 ? 'offered' : 'offer_closed');

describe('a delivery', () => {
  const states = Object.keys(delivery.DELIVERY_MOVES) as DeliveryState[];
  const due = { dueAt: 5, dueFor: 'deadline' } as const;
  const TRANSITIONS: Record<string, (row: DeliveryRow) => delivery.Moved> = {
    lease: (row) => delivery.lease(row, 'buffered', 5),
    accept: (row) => delivery.accept(row, { ...row, attempt: 2 }),
    takeTurn: (row) => delivery.takeTurn(row, 't'),
    leaveTurn: (row) => delivery.leaveTurn(row),
    countAttempt: (row) => delivery.countAttempt(row, 2),
    giveBack: (row) => delivery.giveBack(row, due),
    releaseHeld: (row) => delivery.releaseHeld(row, due),
    revise: (row) => delivery.revise(row, due),
    deferUntil: (row) => delivery.deferUntil(row, 'deferred', 5),
    settle: (row) => delivery.settle(row, 'responded', null, 5),
    supersede: (row) => delivery.supersede(row, 'deleted', 5),
    replace: (row) => delivery.replace(row, 'other', 'retry', 5),
    mergeInto: (row) => delivery.mergeInto(row, 'other', 5),
    deadLetter: (row) => delivery.deadLetter(row, 'no_acknowledgement', 5),
  };

  it('has the arrows that `move` obeys', () => {
    expect(arrows('A delivery')).toEqual(edges(delivery.DELIVERY_MOVES));
  });
  it('makes no other move, by whatever transition', () => {
    const drawn = new Set(arrows('A delivery'));
    for (const from of states) {
      const row = deliveryRow('d', { state: from, open: isOver(from) ? 0 : 1 });
      for (const [name, transition] of Object.entries(TRANSITIONS)) {
        const next = transition(row).row;
        if (next === undefined || next.state === from) continue;
        expect([name, drawn.has(`${from} --> ${next.state}`)]).toEqual([name, true]);
        expect([name, next.open]).toEqual([name, isOver(next.state) ? 0 : 1]);
      }
    }
  });
  it('that ended never moves again', () => {
    for (const from of states.filter(isOver)) {
      const row = deliveryRow('d', { state: from, open: 0 });
      for (const transition of Object.values(TRANSITIONS)) {
        expect(transition(row)).toEqual({ writes: [], news: [], row: undefined });
      }
    }
  });
});

describe('a send', () => {
  const states = Object.keys(outbox.OUTBOX_MOVES) as OutboxState[];
  it('has the arrows that `moveOutbox` obeys, and the three that a platform proves', () => {
    const proved = ['failed', 'lost', 'cancelled'].map((from) => `${from} --> visible`);
    expect(arrows('A send')).toEqual([...edges(outbox.OUTBOX_MOVES), ...proved].toSorted());
  });
  it('makes no other move', () => {
    const drawn = new Set(arrows('A send'));
    for (const from of states) {
      const row = outboxRow('o', { state: from, dueAt: 5 });
      for (const to of states) {
        const next = outbox.moveOutbox(row, to);
        const legal = drawn.has(`${from} --> ${to}`) && !outbox.isEnded(row);
        expect([from, to, next !== undefined]).toEqual([
          from,
          to,
          legal || (from === to && !outbox.isEnded(row)),
        ]);
      }
      expect(outbox.becomeVisible(row).row.state).toBe('visible');
    }
  });
});

describe('the others', () => {
  const drawn = arrows('An offer, an inbox item, a session');

  it('an offer passes on, rests, and closes once', () => {
    const offer = newOffer({ key: 'e', conversation: 'c', seq: 1, at: 0 }, ['a', 'b'], false, () => 0, 10);
    const seen = new Set<string>();
    const note = (from: Tables['offer'], change: Change): void => {
      const next = written(change, 'offer');
      if (next !== undefined) seen.add(`${nameOf(from)} --> ${nameOf(next)}`);
    };
    for (const open of [1, 0] as const) {
      for (const turn of [0, 1]) {
        const row = { ...offer, open, turn };
        const view = viewOf({ offer: [row] });
        note(row, restOffer(row, 20));
        note(row, passOffer(view, 'e', offer.holders[turn] ?? ''));
        note(row, endOffer(view, 'e', 'deleted', undefined));
        if (open === 1) note(row, offerDue(view, row, undefined, 10));
      }
    }
    expect(written(openOffer(offer), 'offer')?.open).toBe(1);
    expect([...seen].toSorted()).toEqual(drawn.filter((arrow) => arrow.startsWith('offer')));
  });

  it('an inbox item is filed and closed once', () => {
    const filed = fileItem(
      { key: 'i', kind: 'offer_unclaimed', eventId: 'e', agents: [], detail: { conversation: 'c' } },
      1,
    );
    const row = written(filed, 'inbox');
    const closed = closeItem(row, 2)?.row;
    expect([row?.open, closed?.open, closeItem(closed, 3)]).toEqual([1, 0, undefined]);
    expect(drawn).toContain('filed --> item_closed');
  });

  it('a session opens with the next epoch, and closes once', async () => {
    let row: Tables['session'] | undefined;
    const agreement = { protocolVersion: '2026-06-02' } as Parameters<typeof takeOver>[2];
    const open = () =>
      takeOver(
        {
          store: { nodes: aloneNode() },
          apply: (unit) => {
            const outcome = unit.run(viewOf(row === undefined ? {} : { session: [row] }));
            row = written(outcome, 'session');
            return Promise.resolve(outcome.result);
          },
        },
        'lead',
        agreement,
        [],
      );
    const close = (epoch: number): Change =>
      closeSession(viewOf(row === undefined ? {} : { session: [row] }), 'lead', epoch);
    expect((await open())?.epoch).toBe(1);
    expect((await open())?.epoch).toBe(2);
    expect(close(1).writes).toEqual([]);
    row = written(close(2), 'session');
    expect(row?.closedAt).toBe(1_000);
    expect(close(2).writes).toEqual([]);
    expect((await open())?.epoch).toBe(3);
    expect(drawn.filter((arrow) => /opened|session/.test(arrow))).toEqual([
      'opened --> opened',
      'opened --> session_closed',
      'session_closed --> opened',
    ]);
  });
});
