// Admission, before anything else: a pairing code is consumed and never becomes context; an author without
// `channel.respond` for this agent is denied, which is stored and audited but never context either.
import type { LogRecord } from '../protocol/log-record.ts';
import type { Heard } from './heard.ts';
import type { RosterAgent } from './roster.ts';
import { foldText } from './text.ts';

/** The whole message, nothing around it. Issued by `earshot pair`; whether it is still valid the host knows. */
const PAIRING_CODE = /^\s*claim-[a-z0-9]{4}-[a-z0-9]{4}\s*$/;

export function isPairingCode(folded: string): boolean {
  return folded.length <= 64 && PAIRING_CODE.test(folded);
}

/** The same for text as it was written. */
export function isPairingText(text: string): boolean {
  return text.length <= 64 && isPairingCode(foldText(text));
}

export function isDenied(heard: Heard, agent: RosterAgent): boolean {
  return denies(agent, heard.record, heard.author.agent?.id);
}

/** Also for what was never decided. `authorAgent`: whose account the author's is, if it is an agent's. */
export function denies(
  agent: RosterAgent,
  { event: { author }, facts }: Pick<LogRecord, 'event' | 'facts'>,
  authorAgent: string | undefined,
): boolean {
  if (agent.admitsAll) return false;
  const own = authorAgent === undefined ? `${author.kind}:${author.id}` : `agent:${authorAgent}`;
  const identities = new Set(['*', own, ...(facts.authorRoles ?? []).map((role) => `role:${role}`)]);
  if (agent.ignore.some((identity) => identities.has(identity))) return true;
  return !agent.respondTo.some((identity) => identities.has(identity));
}
