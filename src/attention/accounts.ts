// Accounts: by which ids a platform knows our agents. Some are configured. Others a surface has learnt from its platform;
// a record keeps those that its event names (`facts.accounts`), so that a replay knows the same. An account is one
// agent's own, or several agents share it: then a mention of it is a call at their front door (front-door.ts).
import type { RecordFacts } from '../protocol/log-record.ts';
import type { Roster, RosterAgent } from './roster.ts';
import { shortKey } from './state.ts';

const NOBODY: readonly RosterAgent[] = [];

/** Every agent that speaks through the account, bound here or not. What is configured counts before what was learnt. */
export function holdersOf(
  account: string,
  roster: Roster,
  { accounts }: RecordFacts,
): readonly RosterAgent[] {
  const configured = roster.accounts.get(account);
  if (configured !== undefined) return configured;
  const learnt = accounts?.find(({ id }) => id === account);
  if (learnt === undefined) return NOBODY;
  const { agents } = learnt;
  return agents === '*' ? roster.known : roster.known.filter(({ id }) => agents.includes(id));
}

/** The agent whose own account it is. Undefined when nobody has it, or several. */
export function ownerOf(account: string, roster: Roster, facts: RecordFacts): RosterAgent | undefined {
  const holders = holdersOf(account, roster, facts);
  return holders.length === 1 ? holders[0] : undefined;
}

/** An account as it is known in one place: `slack/T1/U1` is U1 in the workspace T1 of Slack, and nobody elsewhere. */
export function accountAt(
  account: string,
  { platform, workspaceId }: { platform: string; workspaceId: string },
): string {
  const prefix = `${platform}/${workspaceId}/`;
  return account.startsWith(prefix) ? account.slice(prefix.length) : account;
}

/** The key of an identity: `agent:lead`, `human:U1`, or a bare id. An account of an agent is that agent. */
export function keyOf(identity: string, roster: Roster, facts: RecordFacts): string {
  const id = identity.replace(/^(?:human|agent):/, '');
  const agent = roster.byIdentity.get(identity) ?? ownerOf(id, roster, facts);
  return agent?.key ?? shortKey(id);
}
