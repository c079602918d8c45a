// Whom a logged line was for, as far as its words and the decisions about it tell: whom it tags, to whom it is assigned,
// whose message it answers, which agents heard it as theirs. A line that was for somebody never becomes part of what
// another agent is asked. As context it is marked.
import { mentionsOf } from '../../attention/index.ts';
import { type Identity, identity, parseIdentity, SOMEBODY } from '../../protocol/identity.ts';
import type { LogRow } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';
import { placeOf } from '../kernel/conversation.ts';
import { unpackDecisions } from '../kernel/log-row.ts';

export const SAID_TO_LIMITS = {
  /** More are not named. Who reads "to Ada and Bob" does not need the rest. */
  names: 8,
} as const;

type Deps = Pick<HostContext, 'store' | 'rosterAt'>;

/** Empty: it was said to nobody in particular. `agent:lead`, `human:U1`, `role:ops`, `broadcast:here`, or `somebody`. */
export async function saidTo(context: Deps, row: LogRow): Promise<string[]> {
  const { event } = row.record;
  if (event.type !== 'message' && event.type !== 'edit') return [];
  const mentioned = mentionsOf(row.record, context.rosterAt(placeOf(event), row.conversation));
  const found = [
    ...mentioned.map(({ kind, id }) => identity(kind, id)),
    ...(event.type === 'message' ? (event.recipients ?? []).map(named) : []),
    ...(await answered(context, row)),
    ...heardBy(row),
  ];
  const others = [...new Set<string>(found)].filter((who) => who !== row.author);
  return others.length === 0 && isAimed(row) ? [SOMEBODY] : others.slice(0, SAID_TO_LIMITS.names);
}

/** The same for a line that may have been edited: whom it was for before, and whom since. */
export async function lineTo(context: Deps, row: LogRow, edit: LogRow | undefined): Promise<string[]> {
  const to = await saidTo(context, row);
  return edit === undefined ? to : [...new Set([...to, ...(await saidTo(context, edit))])];
}

/** Only such a line may join what the agent is asked. */
export function isForNobodyElse(to: readonly string[], agent: string): boolean {
  return to.every((who) => who === identity('agent', agent));
}

/** An id without a kind names an agent. */
function named(id: string): Identity {
  const parsed = parseIdentity(id);
  return parsed === undefined ? identity('agent', id) : identity(parsed.kind, parsed.id);
}

/** The author of the message that it answers. The root of a thread does not count: everybody there replies to it. */
async function answered({ store }: Deps, { record: { event } }: LogRow): Promise<string[]> {
  if (event.type !== 'message') return [];
  const eventId = event.replyTo?.eventId ?? event.inReplyTo;
  if (eventId === undefined || (event.conversation.kind === 'thread' && eventId === event.conversation.id))
    return [];
  const row = await store.get('log', eventId);
  return row === undefined ? [] : [row.author];
}

/** Agents for whom it was, by a name, an exchange or a fragment. Who was denied heard nothing. */
function heardBy(row: LogRow): Identity[] {
  return unpackDecisions(row.decisions, row.key)
    .filter(({ directedness, trace }) => directedness === 'to_me' && trace.rung !== 'admission')
    .map(({ agent }) => identity('agent', agent));
}

/** It calls somebody whom only the words name, such as a person who has no account here. */
function isAimed(row: LogRow): boolean {
  return unpackDecisions(row.decisions, row.key).some(({ trace }) => trace.rung === 'addressed_elsewhere');
}
