// What an import says at its end: what was read, what was left out, which apps are in it, and what the agents would have
// spent. For people, or as one JSON object.
import { displayName, printableLine } from '../../protocol/identity.ts';
import type { Paint } from '../../runtime/terminal.ts';
import { dayOfMs, number } from '../report/numbers.ts';
import { namesText } from '../report/page.ts';
import type { Tally } from '../report/tally.ts';
import { plural } from '../totals.ts';
import type { AccountLine } from './account.ts';
import type { ChosenAgents } from './agents.ts';
import type { App } from './apps.ts';
import type { ImportStats } from './pass.ts';

export interface ImportSummary {
  path: string;
  platform: string;
  stats: ImportStats;
  account: readonly AccountLine[];
  apps: readonly App[];
  chosen: ChosenAgents;
  warnings: readonly string[];
  tally: Tally;
  out: string | undefined;
  report: string | undefined;
}

const APPS_NAMED = 8;

const some = (count: number, word: string): string => `${number(count)} ${plural(count, word)}`;

export function summaryText(summary: ImportSummary, paint: Paint): string {
  const { path, platform, stats, account, apps, chosen, warnings, tally, out, report } = summary;
  const { messages, rooms, threads, people, from, to } = stats;
  const others = [...stats.others].map(([type, count]) => some(count, type)).join(', ');
  const lines = [
    paint('bold', `${some(messages, 'message')} from ${dayOfMs(from)} to ${dayOfMs(to)}`),
    `  ${some(rooms.size, 'room')}, ${some(threads.size, 'thread')}, ${number(people.size)} ${people.size === 1 ? 'person' : 'people'}, ${some(apps.length, 'app')}${others === '' ? '' : `; also ${others}`}`,
    ...accountText(
      'left out:',
      account.filter(({ kept }) => !kept),
    ),
    ...accountText(
      'kept, with less:',
      account.filter(({ kept }) => kept),
    ),
    ...appsText(apps),
    'agents:',
    ...chosen.notes.map((note) => `  ${printableLine(note, 400)}`),
    ...tally.agents.map(
      ({ id, totals }) =>
        `  ${paint('bold', id)}: ${some(totals.turns, 'turn')}; answering every mention ${number(totals.mentionTurns)}, every message ${number(totals.everythingTurns)}`,
    ),
    ...warnings.map((warning) => `note: ${warning}`),
    ...(out === undefined || out === '-' ? [] : [`lines written to ${out}: earshot replay ${out}`]),
    report === undefined
      ? `for a report: earshot import ${platform} ${path} --report report.html`
      : `report written to ${report}`,
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function accountText(head: string, lines: readonly AccountLine[]): string[] {
  if (lines.length === 0) return [];
  return [
    head,
    ...lines.map(
      ({ count, words, names }) => `  ${words}: ${number(count)} (${printableLine(namesText(names), 300)})`,
    ),
  ];
}

function appsText(apps: readonly App[]): string[] {
  if (apps.length === 0) return [];
  const rest = apps.length - APPS_NAMED;
  const named = apps
    .slice(0, APPS_NAMED)
    .map(
      ({ id, name, posts, calls }) =>
        `  ${displayName(name)} (${displayName(id)}): ${number(posts)} ${plural(posts, 'message')}, called ${number(calls)} ${plural(calls, 'time')}`,
    );
  return [
    'apps; make one an agent with --agent NAME:',
    ...named,
    ...(rest > 0 ? [`  and ${number(rest)} more`] : []),
  ];
}

/** For machines. The counts are those of the text. */
export function summaryRow(summary: ImportSummary): Record<string, unknown> {
  const { platform, stats, account, apps, chosen, tally, out, report } = summary;
  const { messages, rooms, threads, people, from, to } = stats;
  return {
    kind: 'import',
    platform,
    messages,
    others: Object.fromEntries(stats.others),
    rooms: rooms.size,
    threads: threads.size,
    people: people.size,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    account: account.map(({ kind, kept, count, names }) => ({ kind, kept, count, names })),
    apps,
    notes: [...chosen.notes, ...summary.warnings],
    agents: tally.agents.map(({ id, totals }) => ({
      id,
      turns: totals.turns,
      mentionTurns: totals.mentionTurns,
      everythingTurns: totals.everythingTurns,
    })),
    out: out ?? null,
    report: report ?? null,
  };
}
