// What an agent has spent today, and what its budget makes of that. A day is a day of UTC. The sum is kept in the agent's
// record, in the commit that ends the turn; the levels are kept in memory, because every event is stamped with them.
import type { AttentionSettings } from '../../attention/index.ts';
import type { BudgetFacts } from '../../protocol/log-record.ts';
import type { TurnUsage } from '../../protocol/usage.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Store } from '../../store/store.ts';
import { type AgentRecord, readAgentRecord } from './agent-record.ts';
import type { Changes } from './changes.ts';

const DAY_MS = 24 * 3_600_000;

/** What was spent on one day. */
export interface Spent {
  /** Days since 1970. */
  day: number;
  turns: number;
  tokens: number;
  /** Of the tokens: those that nobody has counted. */
  estimatedTokens: number;
  usd: number;
}

export type Budget = NonNullable<AttentionSettings['agents'][number]['budget']>;

export function dayOf(now: number): number {
  return Math.floor(now / DAY_MS);
}

export function dayEndsAt(now: number): number {
  return (dayOf(now) + 1) * DAY_MS;
}

/** Undefined when nothing was spent today. */
export function spentToday(record: AgentRecord | undefined, now: number): Spent | undefined {
  return record?.spent?.day === dayOf(now) ? record.spent : undefined;
}

/** The record after one more turn. */
export function withUsage(record: AgentRecord, usage: TurnUsage | undefined, now: number): AgentRecord {
  const before = spentToday(record, now);
  const { turns = 0, tokens = 0, estimatedTokens = 0, usd = 0 } = before ?? {};
  const more = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
  // A harness reports a turn without any cost for what another turn has taken in.
  const isTurn = usage === undefined || more > 0;
  const spent: Spent = {
    day: dayOf(now),
    turns: turns + (isTurn ? 1 : 0),
    tokens: tokens + more,
    estimatedTokens: estimatedTokens + (usage?.source === 'estimated' ? more : 0),
    usd: usd + (usage?.costUsd ?? 0),
  };
  return { ...record, spent };
}

/** Undefined while there is something left. */
export function levelOf(
  budget: Budget | undefined,
  spent: Spent | undefined,
): BudgetFacts['level'] | undefined {
  if (budget === undefined || spent === undefined) return undefined;
  const shares = [
    share(spent.tokens, budget.tokensPerDay),
    share(spent.usd, budget.usdPerDay),
    share(spent.turns, budget.turnsPerDay),
  ];
  const most = Math.max(...shares);
  if (most >= budget.stopAt) return 'overspent';
  return most >= 1 ? 'spent' : undefined;
}

function share(spent: number, budget: number | undefined): number {
  return budget === undefined ? 0 : spent / budget;
}

/** What is said in the room when the budget is reached, and when somebody has to wait because of it. */
export function budgetLine(name: string, level: BudgetFacts['level']): string {
  return level === 'spent'
    ? `${name} has used its budget for today. Until 00:00 UTC it answers only when it is asked directly.`
    : `${name} has used up its budget for today and answers nobody until 00:00 UTC. Your message waits until then.`;
}

export interface Budgets {
  /** Agents that have used theirs, now, under these settings. */
  facts(settings: Pick<AttentionSettings, 'agents'>): readonly BudgetFacts[];
  /** Reads what these have spent, before settings give them a budget. */
  know(agents: readonly { id: string }[]): Promise<void>;
  /** Takes over what a commit has stored. */
  note(agent: string, spent: Spent): void;
}

const NONE: readonly BudgetFacts[] = [];

export async function createBudgets(
  store: Pick<Store, 'state'>,
  { agents: first }: AttentionSettings,
  clock: Pick<Clock, 'now'>,
  changes: Changes,
): Promise<Budgets> {
  const spent = new Map<string, Spent>();
  const know: Budgets['know'] = async (agents) => {
    for (const { id } of agents) {
      if (spent.has(id)) continue;
      const known = (await readAgentRecord(store, id)).spent;
      if (known !== undefined) spent.set(id, known);
    }
  };
  await know(first.filter(({ budget }) => budget !== undefined));
  changes.follow('agent', async (key) => {
    for (const id of key === undefined ? [...spent.keys()] : [key]) {
      const known = (await readAgentRecord(store, id)).spent;
      if (known !== undefined) spent.set(id, known);
    }
  });
  return {
    know,
    facts({ agents }) {
      if (spent.size === 0) return NONE;
      const now = clock.now();
      const facts: BudgetFacts[] = [];
      for (const { id: agent, budget } of agents) {
        const one = budget === undefined ? undefined : spent.get(agent);
        const level = one?.day === dayOf(now) ? levelOf(budget, one) : undefined;
        if (level !== undefined) facts.push({ agent, level, until: dayEndsAt(now) });
      }
      return facts;
    },
    note: (agent, one) => void spent.set(agent, one),
  };
}
