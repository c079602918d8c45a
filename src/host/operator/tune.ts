// What the host's own corrections say about each agent's dial. The log of the last weeks is folded again; for every line
// that a person wrote and that named nobody, the scorer says how likely it was for each agent, without any bias. The
// corrections are the labels. It reads a bounded part of the log, in pages, and changes nothing.
import { ATTENTION_MOST, type AttentionSettings, attentionNumber } from '../../attention/index.ts';
import type { CorrectionLabel } from '../../protocol/correction.ts';
import type { SettingsEdit } from '../../protocol/settings-api.ts';
import type { TuneAnswer, TunedAgent } from '../../protocol/tune-api.ts';
import type { LogRow } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';
import { Refold, yieldToEventLoop } from './refold.ts';
import { takesTurn } from './shown.ts';
import { CORRECTIONS_LEAST, type Dial, SURE_ENOUGH, type Weighed, fitDial } from './tune-fit.ts';

export const TUNE_LIMITS = {
  periodMs: 28 * 24 * 3_600_000,
  /** Records that are looked at. With more in the period, the newest count. */
  records: 40_000,
  page: 200,
} as const;

export async function tune({ store, clock, attention }: HostContext): Promise<TuneAnswer> {
  const evidence = new Evidence(attention);
  const { periodMs, records, page } = TUNE_LIMITS;
  const start = (await store.log.seek({ at: clock.now() - periodMs })) ?? Number.MAX_SAFE_INTEGER;
  const { before: older, total } = await store.log.extent(undefined, start);
  const left = Math.max(0, total - older - records);
  const first = (await store.log.seek({ offset: older + left })) ?? Number.MAX_SAFE_INTEGER;
  for (let at = first - 1; ; ) {
    const { rows, reached } = await store.log.find({}, { after: at, limit: page });
    for (const row of rows) evidence.add(row);
    if (reached === undefined) break;
    at = reached;
    await yieldToEventLoop();
  }
  const agents = attention.agents
    .map(({ id }) => evidence.of(id))
    .filter(({ corrections }) => corrections > 0);
  const edits = agents.flatMap((one) => editsFor(attention, one));
  return { agents, edits, complete: left === 0, words: wordsOf(agents) };
}

interface Judged {
  probability: number;
  woken: boolean;
}

interface Said {
  label: CorrectionLabel;
  by: string;
}

class Evidence {
  readonly #settings: AttentionSettings;
  readonly #now: Refold;
  /** The same with every dial at its end and no bias: it tells the probability of whatever is weighed. */
  readonly #open: Refold;
  readonly #judged = new Map<string, Map<string, Judged>>();
  readonly #said = new Map<string, Map<string, Said[]>>();

  constructor(settings: AttentionSettings) {
    this.#settings = settings;
    this.#now = new Refold(settings);
    this.#open = new Refold({
      ...settings,
      agents: settings.agents.map((agent) => ({ ...agent, attention: ATTENTION_MOST, attentionBias: 0 })),
      conversations: settings.conversations.map((here) => ({ ...here, attention: undefined })),
    });
  }

  add(row: LogRow): void {
    const { event } = row.record;
    if (event.type === 'correction') this.#correct(event.agent, event.targetEventId, row, event.label);
    if (event.type !== 'message' || event.author.kind !== 'human') {
      this.#now.fold(row);
      return;
    }
    const open = this.#open.decide(row, this.#now).decisions;
    const decided = this.#now.fold(row);
    for (const { agent, trace } of open) {
      const { probability } = trace.facts;
      if (typeof probability !== 'number') continue;
      const own = decided.find((one) => one.agent === agent);
      const lines = this.#judged.get(agent) ?? new Map<string, Judged>();
      this.#judged.set(
        agent,
        lines.set(row.key, { probability, woken: own !== undefined && takesTurn(own) }),
      );
    }
  }

  /** The newest word of the same person counts. */
  #correct(agent: string, target: string, { author }: LogRow, label: CorrectionLabel): void {
    const lines = this.#said.get(agent) ?? new Map<string, Said[]>();
    const others = (lines.get(target) ?? []).filter(({ by }) => by !== author);
    this.#said.set(agent, lines.set(target, [...others, { label, by: author }]));
  }

  of(agent: string): TunedAgent {
    const judged = this.#judged.get(agent) ?? new Map<string, Judged>();
    const said = this.#said.get(agent) ?? new Map<string, Said[]>();
    const labelled = [...said].flatMap(([target, all]) =>
      all.filter(({ label }) => label !== 'withdrawn').map(({ label }) => ({ target, label })),
    );
    const corrected = labelled.flatMap(({ target, label }): Weighed[] => {
      const line = judged.get(target);
      if (line === undefined) return [];
      return [{ probability: line.probability, answer: label === 'should_have_answered' }];
    });
    const uncorrected = [...judged]
      .filter(([target]) => !said.has(target))
      .map(([, { probability, woken }]): Weighed => ({ probability, answer: woken }));
    const { dial, ...found } = fitDial(corrected, uncorrected, dialOf(this.#settings, agent));
    const moves =
      corrected.length >= CORRECTIONS_LEAST &&
      found.sure >= SURE_ENOUGH &&
      (dial.attention !== found.attention.now || dial.bias !== found.bias.now);
    const answer = corrected.filter((one) => one.answer).length;
    const tuned = {
      agent,
      corrections: labelled.length,
      weighed: corrected.length,
      should: { answer, quiet: corrected.length - answer },
      ...found,
      moves,
    };
    return { ...tuned, words: agentWords(tuned) };
  }
}

function dialOf({ agents }: AttentionSettings, id: string): Dial {
  const { attention = 'balanced', attentionBias: bias = 0 } = agents.find((agent) => agent.id === id) ?? {};
  return { attention: attentionNumber(attention), bias };
}

function editsFor(
  { agents }: AttentionSettings,
  { agent, moves, attention, bias }: TunedAgent,
): SettingsEdit[] {
  const index = agents.findIndex(({ id }) => id === agent);
  if (!moves || index < 0) return [];
  const set = (key: string, { now, fitted }: TunedAgent['bias']): SettingsEdit[] =>
    now === fitted ? [] : [{ op: 'set', path: ['agents', index, key], value: fitted }];
  return [...set('attention', attention), ...set('attentionBias', bias)];
}

function agentWords(one: Omit<TunedAgent, 'words'>): string {
  const { agent, weighed, should, attention, bias, sure, moves, right } = one;
  const few = weighed < CORRECTIONS_LEAST;
  if (few) {
    const only = `${agent}: ${weighed} ${weighed === 1 ? 'correction is' : 'corrections are'} about lines that named nobody`;
    return `${only}, and ${CORRECTIONS_LEAST} are needed to learn from. Nothing moves.`;
  }
  const said = `${agent}: ${weighed} corrections (${should.quiet} × quiet, ${should.answer} × answer)`;
  if (!moves) {
    return `${said} do not say clearly which way: ${percent(sure)} of the draws agree, ${percent(SURE_ENOUGH)} are needed. Nothing moves.`;
  }
  const dial = `attention ${attention.now} → ${attention.fitted} (${attention.low} to ${attention.high})`;
  const shift = `bias ${bias.now} → ${bias.fitted} (${bias.low} to ${bias.high})`;
  const better = `${right.fitted} of them would have been right, ${right.now} are now`;
  return `${said}: ${dial}, ${shift}. ${percent(sure)} of the draws move that way; ${better}.`;
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

function wordsOf(agents: readonly TunedAgent[]): string {
  if (agents.length === 0)
    return 'Nobody has corrected an agent here in the last four weeks: there is nothing to learn from.';
  const moved = agents.filter(({ moves }) => moves).length;
  if (moved === 0) return 'The corrections are too few, or do not agree: the settings stay as they are.';
  return `The settings of ${moved === 1 ? 'one agent' : `${moved} agents`} would change. Nothing has changed yet.`;
}
