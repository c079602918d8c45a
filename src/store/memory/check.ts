// The invariants of a sound store, checked on the memory disk. The findings have the same words as SQLite's.
import type { StateCodec } from '../store.ts';
import type { DeliveryRow, LogRow } from '../tables.ts';
import type { Disk } from './disk.ts';

const ENDED: ReadonlySet<string> = new Set(['settled', 'superseded', 'dead_lettered']);

export function checkDisk(disk: Disk, codec: StateCodec): string[] {
  return [...checkLog(disk), ...checkDeliveries(disk), ...checkStates(disk, codec)];
}

function checkLog(disk: Disk): string[] {
  const seqs = new Map<string, number[]>();
  for (const [, { doc }] of disk.tables.log.entries()) {
    const { conversation, seq } = JSON.parse(doc) as LogRow;
    seqs.set(conversation, [...(seqs.get(conversation) ?? []), seq]);
  }
  return [...seqs]
    .filter(([, list]) => {
      const first = Math.min(...list);
      return new Set(list).size !== list.length || Math.max(...list) - first + 1 !== list.length;
    })
    .map(([conversation]) => `the log of conversation ${conversation} has a gap or a repeated seq`);
}

function checkDeliveries(disk: Disk): string[] {
  const findings: string[] = [];
  for (const [key, { doc }] of disk.tables.delivery.entries()) {
    const { open, state, source } = JSON.parse(doc) as DeliveryRow;
    if ((open === 1) === ENDED.has(state)) {
      findings.push(`delivery ${key} is marked open but ended, or closed but not ended`);
    }
    if (open === 1 && disk.tables.log.get(source) === undefined) {
      findings.push(`open delivery ${key} is about an event that is not in the log`);
    }
  }
  return findings;
}

function checkStates(disk: Disk, codec: StateCodec): string[] {
  const findings: string[] = [];
  for (const [key, { text }] of disk.states) {
    try {
      codec.decode(key, text);
    } catch (error) {
      findings.push(`state ${key} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return findings;
}
