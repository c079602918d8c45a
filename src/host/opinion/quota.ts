// How often a second opinion may be asked: for at most one decision in a hundred, so many times an hour, and within a
// budget of tokens a day. Counted since the host started, for this host alone. Beyond a limit nobody is asked, and the
// scorer's verdict stands at once. The limits are those in force; what was counted stays when they change.
import type { ChatEvent } from '../../protocol/chat-event.ts';
import type { HostContext } from '../kernel/context.ts';
import { createHeldLines, type HeldLines } from './held-lines.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Decisions for each that may be asked about. */
const DECISIONS_EACH = 100;
/** Bytes of a question for each token that it is taken to cost, where the model does not say. */
export const BYTES_A_TOKEN = 4;

/** `changed`: a "no" took the line away. `refused`: attention was unsure, and a limit said that nobody is asked. */
export const OPINION_COUNTS = ['asked', 'changed', 'late', 'failed', 'refused'] as const;
export type OpinionCount = (typeof OPINION_COUNTS)[number];

/** How a question ended. */
export type OpinionEnd = 'answered' | 'late' | 'failed';

/** How the questions to the model in force go. */
export interface OpinionHealth {
  model: string;
  asked: number;
  /** How many questions in a row came to nothing, up to the newest, and how that ended. */
  inVain: number;
  last: OpinionEnd | null;
}

export interface OpinionQuota {
  /** The time that the record of this event grants. Undefined: nobody would be asked about it. */
  waitMs(event: ChatEvent): number | undefined;
  decided(decisions: number): void;
  /** The model to ask. Undefined: the quota was used up or the setting removed meanwhile. */
  take(): string | undefined;
  spent(tokens: number): void;
  ended(model: string, how: OpinionEnd): void;
  changed(): void;
  /** Attention was unsure about a line, and nobody was asked. */
  refused(): void;
  /** Undefined: the settings in force name no model. */
  health(): OpinionHealth | undefined;
  /** Lines that wait for an answer. */
  readonly held: HeldLines;
  readonly counts: Readonly<Record<OpinionCount, number>>;
}

/** `context` gives the settings in force, so they may change while the host runs. */
export function createOpinionQuota(
  context: Pick<HostContext, 'clock' | 'settings'>,
  hasModel: boolean,
): OpinionQuota {
  const { clock } = context;
  const counts: Record<OpinionCount, number> = { asked: 0, changed: 0, late: 0, failed: 0, refused: 0 };
  let decisions = 0;
  let asked: number[] = [];
  let day = 0;
  let tokens = 0;
  let health: OpinionHealth | undefined;
  const limits = () => (hasModel ? context.settings.secondOpinion : undefined);
  const healthOf = (model: string): OpinionHealth => {
    if (health?.model !== model) health = { model, asked: 0, inVain: 0, last: null };
    return health;
  };
  const mayAsk = (): boolean => {
    const most = limits();
    if (most === undefined) return false;
    const now = clock.now();
    asked = asked.filter((at) => at > now - HOUR_MS);
    const today = Math.floor(now / DAY_MS);
    if (today !== day) [day, tokens] = [today, 0];
    if (asked.length >= most.perHour || tokens >= most.budgetTokensADay) return false;
    return (counts.asked + 1) * DECISIONS_EACH <= decisions;
  };
  return {
    counts,
    held: createHeldLines(),
    waitMs(event) {
      return isAskedAbout(event) && mayAsk() ? limits()?.timeoutMs : undefined;
    },
    decided(more) {
      decisions += more;
    },
    take() {
      const model = mayAsk() ? limits()?.model : undefined;
      if (model === undefined) return undefined;
      asked.push(clock.now());
      counts.asked++;
      healthOf(model).asked++;
      return model;
    },
    spent(more) {
      tokens += more;
    },
    ended(model, how) {
      if (how !== 'answered') counts[how]++;
      if (model !== limits()?.model) return;
      const of = healthOf(model);
      of.inVain = how === 'answered' ? 0 : of.inVain + 1;
      of.last = how;
    },
    changed() {
      counts.changed++;
    },
    refused() {
      if (limits() !== undefined) counts.refused++;
    },
    health() {
      const model = limits()?.model;
      return model === undefined ? undefined : healthOf(model);
    },
  };
}

/** What a person says now. */
export function isAskedAbout({ type, author, origin }: ChatEvent): boolean {
  return type === 'message' && author.kind === 'human' && origin !== 'backfill';
}
