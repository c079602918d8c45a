// The person of the first start: the id under which the token is kept, and a name until they choose one. To others
// nobody is "You".

/** The person whom the banner's link signs in. */
export const PERSON = 'you';
/** What earlier versions called them. */
export const OLD_LABEL = 'You';
const NO_NAME = 'Owner';

/** Accounts that say nothing about who uses them. */
const NOBODY: ReadonlySet<string> = new Set(
  'admin administrator app container daemon debian docker earshot guest host me node nobody root runner service system test ubuntu user vagrant you'.split(
    ' ',
  ),
);
const PLAIN = /^[a-z]{2,20}$/i;

/** The system user's name if it is a plain one that no agent has. Otherwise "Owner". */
export function firstPersonName(user: string | undefined, agents: readonly string[]): string {
  if (user === undefined || !PLAIN.test(user)) return NO_NAME;
  const small = user.toLowerCase();
  if (NOBODY.has(small) || agents.some((agent) => agent.toLowerCase() === small)) return NO_NAME;
  return `${user.slice(0, 1).toUpperCase()}${user.slice(1)}`;
}
