// What each notch of an agent's dial would have done with the log of the last week: its turns, and lines that would wake
// it or leave it alone. Everybody else's settings stay as they are. Asked about one conversation, only the dial there
// differs, and only its lines and those of its threads count.
import {
  ATTENTION,
  ATTENTION_NOTCHES,
  type AttentionNotch,
  type AttentionSettings,
  attentionNumber,
  dialRule,
  matches,
  patternOf,
  type Place,
} from '../../attention/index.ts';
import type { ReplayDifference } from '../../protocol/operator-api.ts';
import type { DialAnswer, DialNotch } from '../../protocol/settings-api.ts';
import type { LogRow } from '../../store/tables.ts';
import { HttpError } from '../http/http-error.ts';
import type { HostContext } from '../kernel/context.ts';
import { placeOf, readConversation } from '../kernel/conversation.ts';
import { textOf } from '../kernel/log-row.ts';
import { DifferenceReport } from './differences.ts';
import { Refold } from './refold.ts';
import { DIFFERENCE_LIMITS, type WeekWork, decideWeekAgain } from './settings-difference.ts';

export async function dialOverWeek(
  context: HostContext,
  agent: string,
  conversation?: string,
): Promise<DialAnswer> {
  const { attention } = context;
  const own = attention.agents.find(({ id }) => id === agent);
  if (own === undefined) throw new HttpError(404, 'not_found', `There is no agent "${agent}" here.`);
  const there =
    conversation === undefined ? undefined : (await readConversation(context.store, conversation))?.place;
  const work = new DialWork(attention, agent, there);
  await decideWeekAgain(context, work, new AbortController().signal);
  return {
    agent,
    now: dialBySettings(context, own, there),
    notches: ATTENTION_NOTCHES.map((notch) => work.notch(notch)),
    complete: work.complete,
  };
}

function dialBySettings(
  { rosterAt }: HostContext,
  { id, attention = 'balanced' }: AttentionSettings['agents'][number],
  there: Place | undefined,
): number {
  const here = there === undefined ? undefined : rosterAt(there).known.find((one) => one.id === id);
  return here?.attention ?? attentionNumber(attention);
}

class DialWork implements WeekWork {
  state: WeekWork['state'] = 'running';
  done = 0;
  of = 0;
  complete = true;
  readonly #agent: string;
  readonly #pattern: string | undefined;
  readonly #now: Refold;
  readonly #notches: ReadonlyMap<AttentionNotch, { would: Refold; report: DifferenceReport }>;

  constructor(settings: AttentionSettings, agent: string, there: Place | undefined) {
    this.#agent = agent;
    this.#pattern = there === undefined ? undefined : patternOf(there);
    this.#now = new Refold(settings);
    this.#notches = new Map(
      ATTENTION_NOTCHES.map((notch) => [
        notch,
        {
          would: new Refold(withDial(settings, agent, notch, there)),
          report: new DifferenceReport(false, 'turns'),
        },
      ]),
    );
  }

  warm(row: LogRow): void {
    if (!this.#concerns(row)) return;
    this.#now.fold(row);
    for (const { would } of this.#notches.values()) would.fold(row);
  }

  fold(row: LogRow): void {
    const { event } = row.record;
    this.done++;
    if (!this.#concerns(row)) return;
    const about = {
      at: row.at,
      author: event.author.displayName ?? event.author.id,
      conversation: event.conversation,
      text: textOf(row),
    };
    const own = (one: { agent: string }): boolean => one.agent === this.#agent;
    const before = this.#now.fold(row).filter(own);
    for (const { would, report } of this.#notches.values()) {
      const after = would.fold(row).filter(own);
      report.add({
        about,
        before,
        after,
        rosters: { before: this.#now.rosterOf(row), after: would.rosterOf(row) },
      });
    }
  }

  /** What happens in other conversations changes nothing here. */
  #concerns({ record }: LogRow): boolean {
    return this.#pattern === undefined || matches(this.#pattern, placeOf(record.event));
  }

  notch(notch: AttentionNotch): DialNotch {
    const found = this.#notches.get(notch)?.report.answer();
    const { turnsAfter = 0, turnsAdded = 0, turnsSaved = 0, differences = [] } = found ?? {};
    const some = (turned: boolean): ReplayDifference[] =>
      differences
        .filter(
          ({ before, after }) => (after?.turn === true) === turned && (before?.turn === true) !== turned,
        )
        .slice(0, DIFFERENCE_LIMITS.examples);
    return {
      notch,
      number: ATTENTION[notch],
      turns: turnsAfter,
      turnsAdded,
      turnsSaved,
      added: some(true),
      saved: some(false),
      words: wordsOf(turnsAfter, turnsAdded, turnsSaved),
    };
  }
}

function withDial(
  settings: AttentionSettings,
  agent: string,
  attention: AttentionNotch,
  there: Place | undefined,
): AttentionSettings {
  if (there !== undefined) {
    const { at, isNew, rule } = dialRule(settings, there, agent, attention);
    return { ...settings, conversations: settings.conversations.toSpliced(at, isNew ? 0 : 1, rule) };
  }
  return {
    ...settings,
    agents: settings.agents.map((one) => (one.id === agent ? { ...one, attention } : one)),
  };
}

function wordsOf(turns: number, added: number, saved: number): string {
  const all = `${turns} ${turns === 1 ? 'turn' : 'turns'}`;
  if (added === 0 && saved === 0) return `${all}, as now`;
  const changes = [
    ...(added === 0 ? [] : [`woken ${added} × more`]),
    ...(saved === 0 ? [] : [`left alone ${saved} × more`]),
  ];
  return `${all}: ${changes.join(', ')}`;
}
