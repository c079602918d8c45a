import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../runtime/clock.ts';
import type { ClientAddress } from '../security/client-address.ts';
import { STRANGER_LIMITS } from '../security/stranger-limits.ts';
import { Doorstep, type Waiting } from './doorstep.ts';

const LOCAL: ClientAddress = { key: '127.0.0.1', shared: true };
const OTHER: ClientAddress = { key: '198.51.100.7', shared: false };
const { replaced, sharedReplaced } = STRANGER_LIMITS;

interface Guest extends Waiting {
  name: string;
}

function doorstep({ all = 2_000, anAddress = 1_000, hasRoom = false } = {}) {
  const clock = new VirtualClock(0);
  const came: string[] = [];
  const room = { free: hasRoom };
  const door = new Doorstep<Guest>({
    clock,
    bounds: { all, anAddress },
    hasRoom: () => room.free,
    letIn: ({ name }) => void came.push(name),
  });
  const wait = (address: ClientAddress, count: number, name = ''): void => {
    for (let nth = 0; nth < count; nth++) door.add({ address, name: `${name}${nth}` });
  };
  const pass = (ms: number): void => {
    for (let at = 0; at < ms; at += 10) clock.advance(10);
  };
  return { door, came, room, wait, pass };
}

/** How many of an address come in before one has to wait. */
function passing(door: Doorstep<Guest>, address: ClientAddress): number {
  let count = 0;
  while (count < 10_000 && door.mayEnter(address)) count++;
  return count;
}

describe('the doorstep', () => {
  it('lets everybody in as long as nobody has to go', () => {
    expect(passing(doorstep({ hasRoom: true }).door, OTHER)).toBe(10_000);
  });

  it('lets an address replace so many strangers, and another address as many more', () => {
    const { door } = doorstep();
    expect(passing(door, LOCAL)).toBe(sharedReplaced.burst);
    expect(passing(door, OTHER)).toBe(replaced.burst);
  });

  it('lets those who wait in as they came, at the rate of their address', () => {
    const { door, came, wait, pass } = doorstep();
    passing(door, LOCAL);
    passing(door, OTHER);
    wait(LOCAL, 900, 'l');
    wait(OTHER, 900, 'o');
    pass(1_000);
    const of = (letter: string) => came.filter((name) => name.startsWith(letter));
    expect(of('l')).toEqual(Array.from({ length: sharedReplaced.perMinute / 60 }, (_, nth) => `l${nth}`));
    expect(of('o')).toEqual(Array.from({ length: replaced.perMinute / 60 }, (_, nth) => `o${nth}`));
    expect(door.size).toBe(1_800 - came.length);
  });

  it('lets nobody pass who comes after others of the same address', () => {
    const { door, room, wait } = doorstep();
    wait(LOCAL, 1);
    room.free = true;
    expect(door.mayEnter(LOCAL)).toBe(false);
    expect(door.mayEnter(OTHER)).toBe(true);
  });

  it('lets in whoever has room by now, a few at a time', () => {
    const { door, came, room, wait, pass } = doorstep();
    passing(door, LOCAL);
    wait(LOCAL, 200);
    room.free = true;
    pass(10);
    expect(came.length).toBeGreaterThan(0);
    expect(came.length).toBeLessThan(100);
    pass(1_000);
    expect([came.length, door.size]).toEqual([200, 0]);
  });

  it('is bounded, in all and per address: whoever waited longest comes in', () => {
    const { door, wait } = doorstep({ all: 6, anAddress: 4 });
    wait(OTHER, 4, 'o');
    expect(door.add({ address: OTHER, name: 'o4' })?.name).toBe('o0');
    wait(LOCAL, 2, 'l');
    expect(door.add({ address: LOCAL, name: 'l2' })?.name).toBe('o1');
    expect(door.size).toBe(6);
  });
});
