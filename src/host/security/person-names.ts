// Which names a person may have. A name must not be taken for an agent, a role, everybody, somebody else or the reader:
// people and agents decide by it who has spoken.
import { type AttentionSettings, foldText } from '../../attention/index.ts';
import { looksLike } from '../../protocol/look-alikes.ts';
import { meansTheReader, personIdOf, personName } from '../../protocol/person-name.ts';

/** Words that mean everybody after an @. */
export const BROADCAST_NAMES = ['here', 'channel', 'everyone'] as const;

interface Named {
  id: string;
  name: string;
}

interface Known {
  agents: AttentionSettings['agents'];
  people: ReadonlyMap<string, Named>;
}

/** The name as it is kept, or what is wrong with it. `id` is whose name it becomes; a new person has none yet. */
export function checkPersonName(
  { agents, people }: Known,
  given: string,
  id?: string,
): { ok: true; name: string } | { ok: false; problem: string } {
  const name = personName(given);
  if (name === '') return no('Write a name that others can read');
  if (meansTheReader(name)) return no(`"${name}" means whoever reads it: choose a name that others can use`);
  const seen = asSeen(name);
  const isAgent = agents.some((agent) =>
    [agent.id, agent.name ?? agent.id, ...agent.aliases].some((known) => asSeen(known) === seen),
  );
  if (isAgent) return no(`An agent is called "${name}": choose another name`);
  const words = [...agents.flatMap((agent) => agent.roles), ...BROADCAST_NAMES];
  if (words.some((word) => asSeen(word) === seen))
    return no(`"${name}" means several at once here: choose another name`);
  const others = [...people.values()].filter((one) => one.id !== id);
  if (others.some((one) => asSeen(one.name) === seen || asSeen(one.id) === seen))
    return no(`Somebody here is called "${name}": choose another name`);
  return { ok: true, name };
}

/** A new person: the id comes from the name and must be free. An existing person needs an operator for another link. */
export function checkNewPerson(
  known: Known,
  given: string,
): { ok: true; person: Named } | { ok: false; problem: string } {
  const checked = checkPersonName(known, given);
  if (!checked.ok) return checked;
  const { name } = checked;
  const id = personIdOf(name);
  const problem =
    id === ''
      ? 'Write a name with at least one letter from a to z, or a digit'
      : known.people.has(id) || known.agents.some((agent) => agent.id === id)
        ? `Somebody here has the id "${id}": choose another name`
        : undefined;
  return problem === undefined ? { ok: true, person: { id, name } } : { ok: false, problem };
}

function no(problem: string): { ok: false; problem: string } {
  return { ok: false, problem };
}

function asSeen(name: string): string {
  return foldText(looksLike(name)).trim();
}
