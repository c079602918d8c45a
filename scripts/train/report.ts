// What training says of itself: how good it is on rooms kept aside, and on each group of rooms when it is learned from the
// others.
import { ATTENTION, engagesFrom } from '../../src/attention/scorer/bands.ts';
import type { ScorerParameters } from '../../src/attention/scorer/score.ts';
import type { LabelledRoom } from '../labelled-rooms.ts';
import { type Copy, LEARNING, learned } from './learn.ts';
import { measured, probabilities, words } from './measure.ts';

/** Every fifth room is for validation. */
const VALIDATION = 5;
export const isValidation = (room: number): boolean => room % VALIDATION === 2;

/** At these limits, in thousandths, the report says how good it is: the notches of the dial. */
const LIMITS = Object.values(ATTENTION).map(engagesFrom);
const BALANCED = engagesFrom(ATTENTION.balanced);

export function reportOf(
  copies: readonly Copy[],
  parameters: ScorerParameters,
  rooms: number,
  seed: number,
): string {
  const lines = [
    `rooms ${rooms}, seed ${seed}, trees ${LEARNING.trees} of ${LEARNING.leaves} leaves; precision recall F1 on the rooms kept aside`,
  ];
  for (const { name, rows } of copies) {
    const found = probabilities(parameters, rows);
    lines.push(`${name} (${rows.count} lines)`);
    lines.push(`  exchange rule  ${words(measured(rows, isValidation, (row) => rows.rule[row] === 1))}`);
    for (const limit of LIMITS) {
      const at = measured(rows, isValidation, (row) => (found[row] ?? 0) >= limit);
      lines.push(`  from ${String(limit / 10).padStart(2)} %      ${words(at)}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** Where all rooms are of one domain, neighbouring years are joined to so many groups. */
const YEAR_GROUPS = 5;

/** A domain is what stands before the first slash of a session ("ubuntu/train/2004-11-15_03"). */
export function groupsOf(rooms: readonly LabelledRoom[]): string[] {
  const sessions = rooms.map((room) => room[0]?.session ?? '');
  const domains = sessions.map((session) => session.split('/', 1)[0] ?? '');
  if (new Set(domains).size > 1) return domains;
  const dates = sessions.map((session) => /\d{4}(?=-\d\d)/.exec(session)?.[0] ?? session);
  const order = dates.toSorted();
  const first = Array.from(
    { length: YEAR_GROUPS },
    (_, group) => order[Math.floor((group * order.length) / YEAR_GROUPS)] ?? '',
  );
  return dates.map((date) => {
    const from = first.findLastIndex((begin) => begin <= date);
    const last = order.findLast((other) => first[from + 1] === undefined || other < (first[from + 1] ?? ''));
    return first[from] === last ? date : `${first[from]} to ${last ?? date}`;
  });
}

/** Each group left out in turn. Told of the rooms as they are. */
export function leaveOutTable(copies: readonly Copy[], groups: readonly string[], seed: number): string {
  const [asTheyAre] = copies;
  if (asTheyAre === undefined) return '';
  const { rows } = asTheyAre;
  const lines = [...new Set(groups)].toSorted().map((group) => {
    const isIn = (room: number): boolean => groups[room] === group;
    const found = probabilities(
      learned(copies, (room) => !isIn(room), seed, 0),
      rows,
    );
    const rule = measured(rows, isIn, (row) => rows.rule[row] === 1);
    const scored = measured(rows, isIn, (row) => (found[row] ?? 0) >= BALANCED);
    return `${group.padEnd(16)} exchange rule ${words(rule)}  learned from the others ${words(scored)}`;
  });
  return `${lines.join('\n')}\n`;
}
