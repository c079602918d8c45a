// Reactions of agents that share an account are one reaction on the platform. The second agent's is there already, and
// one that is taken back stays for as long as another agent holds it. The log has each agent's own.
import type { Place, RosterAgent } from '../../attention/index.ts';
import type { OutboxRow } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';
import { reactionBodyOf } from '../outbox/outbox-row.ts';

/** How many of an agent's newest sends in the conversation are looked through. */
const LOOKED_BACK = 64;
/** How many agents of the account are looked at. */
const FELLOWS_MAX = 50;

/** The same reaction of another agent through the same account, while it is visible. */
export async function heldByFellow(
  context: HostContext,
  row: OutboxRow,
  place: Place,
): Promise<OutboxRow | undefined> {
  for (const { id } of fellowsOf(context, row.agent, place).slice(0, FELLOWS_MAX)) {
    const newest = await context.store.scan('outbox', 'byAgentConversation', {
      eq: [id, row.conversation],
      limit: LOOKED_BACK,
      descending: true,
    });
    const last = newest.find((one) => one.state === 'visible' && isSame(one, row));
    if (last !== undefined && reactionBodyOf(last).remove !== true) return last;
  }
  return undefined;
}

/** Those who react through the same login. Without a login that is known, those with the same configured account. */
function fellowsOf(context: HostContext, agent: string, place: Place): readonly RosterAgent[] {
  const roster = context.rosterAt(place);
  const learnt = context.accounts.of(place, agent);
  const shares = ({ id }: RosterAgent): boolean => {
    if (learnt !== undefined) return context.accounts.of(place, id)?.id === learnt.id;
    return [...roster.accounts.values()].some((holders) =>
      [agent, id].every((one) => holders.some((holder) => holder.id === one)),
    );
  };
  return roster.agents.filter((other) => other.id !== agent && shares(other));
}

function isSame(one: OutboxRow, other: OutboxRow): boolean {
  if (one.kind !== 'reaction' || one.surface !== other.surface) return false;
  const [left, right] = [reactionBodyOf(one), reactionBodyOf(other)];
  return left.targetEventId === right.targetEventId && left.glyph === right.glyph;
}
