// What callers without a session have agreed to. A session carries its own agreement; a call over HTTP has none, so the
// last `initialize` over HTTP counts for the agent's calls over HTTP, and for no other way.
import { type Agreement, negotiate } from '../../protocol/initialize.ts';

/** For a caller that negotiates nothing (MCP, plain HTTP): the short event, and fragments composed by the host. */
export const BASE_AGREEMENT: Agreement = baseProfile();

export interface Agreements {
  of(agent: string): Agreement;
  agree(agent: string, agreement: Agreement): void;
}

export function createAgreements(): Agreements {
  const agreed = new Map<string, Agreement>();
  return {
    of: (agent) => agreed.get(agent) ?? BASE_AGREEMENT,
    agree: (agent, agreement) => agreed.set(agent, agreement),
  };
}

function baseProfile(): Agreement {
  const outcome = negotiate({ protocolVersion: '2026-06-24' });
  if (!outcome.ok) throw new Error('the base profile is always spoken');
  return outcome.agreement;
}
