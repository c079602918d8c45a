// History as agents may see it. It was never decided, so who may see a message of it is asked when it is looked at: an
// agent that is bound there, to which its author may speak, and that has not left.
import { denies } from '../../attention/index.ts';
import type { LogRow } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';
import { placeOf } from '../kernel/conversation.ts';

type Deps = Pick<HostContext, 'rosterAt'>;

export function isBackfill({ record: { event, facts } }: LogRow): boolean {
  return facts.origin === 'backfill' && event.type === 'message';
}

export function maySeeBackfill({ rosterAt }: Deps, row: LogRow, agent: string): boolean {
  const { event, facts } = row.record;
  const roster = rosterAt(placeOf(event));
  const reader = roster.agents.find(({ id }) => id === agent);
  if (reader === undefined) return false;
  const left = facts.parent?.modes?.some((one) => one.agent === agent && one.mode === 'left') ?? false;
  const author = event.author.kind === 'agent' ? roster.byIdentity.get(event.author.id)?.id : undefined;
  return !left && !denies(reader, row.record, author);
}
