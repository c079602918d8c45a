// Who is whose lead, for escalations. This comes from the agents' configuration, never from what is said in chat.
import type { ObligationDirectory } from '../../attention/index.ts';
import type { Identity } from '../../protocol/identity.ts';
import type { HostContext } from './context.ts';

export function directoryOf({ attention }: Pick<HostContext, 'attention'>): ObligationDirectory {
  const leads = new Map(attention.agents.map((agent) => [`agent:${agent.id}`, agent.lead]));
  const owner: Identity = `human:${attention.owner ?? 'owner'}`;
  return {
    coordinatorOf: (identity) => {
      const lead = leads.get(identity);
      return lead === undefined ? undefined : `agent:${lead}`;
    },
    isHuman: (identity) => identity.startsWith('human:'),
    owner,
  };
}

export function leadOf({ attention }: Pick<HostContext, 'attention'>, agent: string): string | undefined {
  return attention.agents.find(({ id }) => id === agent)?.lead;
}
