// Which agents are focused, and until when. Focus survives a restart: it is in each agent's record.
import { readAgentRecord } from './agent-record.ts';
import type { HostContext } from './context.ts';

/** It is read from each agent's record, and again when another host has changed it. */
export async function createFocus(
  { store, changes }: Pick<HostContext, 'store' | 'changes'>,
  first: readonly { id: string }[],
) {
  const focus = new Map<string, number>();
  const know = async (agents: readonly { id: string }[]): Promise<void> => {
    for (const { id } of agents) {
      const { focusUntil } = focus.has(id) ? { focusUntil: 0 } : await readAgentRecord(store, id);
      if (focusUntil > 0) focus.set(id, focusUntil);
    }
  };
  await know(first);
  const known = new Set(first.map(({ id }) => id));
  changes.follow('agent', async (key) => {
    for (const id of key === undefined ? known : [key])
      focus.set(id, (await readAgentRecord(store, id)).focusUntil);
  });
  return {
    know: (agents: readonly { id: string }[]) => {
      for (const { id } of agents) known.add(id);
      return know(agents);
    },
    until: (agent: string): number => focus.get(agent) ?? 0,
    set: (agent: string, until: number) => void focus.set(agent, until),
    at: (now: number): readonly { agent: string; until: number }[] =>
      focus.size === 0
        ? NOBODY
        : [...focus].filter(([, until]) => until > now).map(([agent, until]) => ({ agent, until })),
  };
}

const NOBODY: readonly never[] = [];
