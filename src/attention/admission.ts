// Admission comes before everything else. Earshot consumes a pairing code itself. An author without `channel.respond`
// for an agent is denied: the message is stored and audited. Neither ever becomes context for a model.
import type { LogRecord } from '../protocol/log-record.ts';
import type { Heard } from './heard.ts';
import type { RosterAgent } from './roster.ts';
import { foldText } from './text.ts';

/** The code must be the whole message. `earshot pair` issues it; the host knows whether it is still valid. */
const PAIRING_CODE = /^\s*claim-[a-z0-9]{4}-[a-z0-9]{4}\s*$/;

export function isPairingCode(folded: string): boolean {
  return folded.length <= 64 && PAIRING_CODE.test(folded);
}

/** The same for text that is not folded yet. */
export function isPairingText(text: string): boolean {
  return text.length <= 64 && isPairingCode(foldText(text));
}

export function isDenied(heard: Heard, agent: RosterAgent): boolean {
  return denies(agent, heard.record, heard.author.agent?.id);
}

/** Works for any record, decided or not. `authorAgent`: the agent whose account wrote it, if it was an agent's. */
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
