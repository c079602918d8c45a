// One cell: a room, a scenario, and a limit of time.
import type { Client } from './client.ts';
import { type Column, NotHere, Unmet } from './columns/column.ts';
import type { Cell } from './results.ts';
import { Room, type RoomOptions } from './room.ts';

/** Real programs take seconds to start, more on a busy machine. */
const CELL_MS = 120_000;

export interface Tried {
  cell: Cell;
  /** The end of what `earshot run` logged, for whoever looks into a cell that fails. */
  log: string;
  ms: number;
}

export async function tryCell(
  client: Client,
  column: Column,
  place: Omit<RoomOptions, 'client'>,
): Promise<Tried> {
  const cannot = client.cannot?.[column.name] ?? column.cannot?.(client);
  if (cannot !== undefined) return { cell: { is: 'cannot', why: cannot }, log: '', ms: 0 };
  const began = performance.now();
  const room = await Room.open({ client, ...place });
  const limitMs = column.limitMs ?? CELL_MS;
  const limit = AbortSignal.timeout(limitMs);
  const late = new Promise<never>((_, reject) => {
    limit.addEventListener('abort', () => reject(new Unmet(`not within ${limitMs / 1_000} s`)));
  });
  let cell: Cell;
  try {
    const remark = await Promise.race([column.run(room), late]);
    cell = { is: 'holds', ...(remark === undefined ? {} : { remark }) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    cell = { is: error instanceof NotHere ? 'not tried' : 'fails', why };
  }
  const seen = `${room.log}\nasked: ${room.provider.asked.length}, others: ${room.provider.others.join(', ')}`;
  await room.close();
  return { cell, log: seen.slice(-6_000), ms: performance.now() - began };
}
