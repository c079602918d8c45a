// What people do about people: invite somebody, and change their own name. Both are audited in the unit that does them.
import { PERSON_NAME_CHARS } from '../../protocol/person-name.ts';
import type { WebPerson } from '../../protocol/web-chat.ts';
import { auditWrite } from '../kernel/audit.ts';
import type { Also } from '../security/tokens.ts';
import type { Person } from './people.ts';
import { checkNewPerson, checkPersonName } from '../security/person-names.ts';
import { invalidInput, notAllowed } from './refusals.ts';
import type { WebRoom } from './room.ts';

/** Operators invite over HTTP, whatever this says. */
export function mayInvite({ context }: Pick<WebRoom, 'context'>): boolean {
  return context.settings.invites === 'everybody';
}

export async function invitePerson(
  room: WebRoom,
  by: Person,
  given: string,
): Promise<{ person: WebPerson; token: string }> {
  if (!mayInvite(room))
    throw notAllowed('invite', 'Only an operator invites people here. Ask one, or set "invites: everybody".');
  const checked = checkNewPerson(await known(room), given);
  if (!checked.ok) throw invalidInput(checked.problem);
  const { person } = checked;
  const token = await room.people.add(person, audited(room, by, 'person_invited', { person: person.id }));
  return { person: { ...person, connected: false }, token };
}

export async function renamePerson(room: WebRoom, { id }: Person, given: string): Promise<WebPerson> {
  const { agents, people } = await known(room);
  const checked = checkPersonName({ agents, people }, given, id);
  if (!checked.ok) throw invalidInput(checked.problem);
  const { name } = checked;
  const before = people.get(id);
  if (before === undefined || before.name !== name || before.unnamed === true) {
    const detail = { from: before?.name.slice(0, PERSON_NAME_CHARS) ?? '', to: name };
    await room.people.rename(id, name, audited(room, { id, name }, 'person_renamed', detail));
  }
  return { id, name, connected: true };
}

async function known({ context, people }: WebRoom) {
  return { agents: context.attention.agents, people: await people.all() };
}

function audited(room: WebRoom, { id }: Person, what: string, detail: Record<string, unknown>): Also {
  return (now) => [auditWrite(room.context, now, `human:${id}`, what, detail)];
}
