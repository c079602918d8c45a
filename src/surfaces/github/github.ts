// GitHub as a surface: some repositories, through one login for all agents or one for each. Events are posted by GitHub or
// asked for. Everything that GitHub may do wrong is an outcome or a state of health, never a crash.
import type { Clock } from '../../runtime/clock.ts';
import { DOES_NOTHING, type Surface } from '../surface.ts';
import type { LoginOptions } from './account.ts';
import { GithubAccounts } from './accounts.ts';
import { amend } from './amend.ts';
import { messageAt } from './link.ts';
import { type Packages, workspaceOf } from './login.ts';
import { PLATFORM } from './place.ts';
import { find, post, react } from './say.ts';
import { MAX_CHARS } from './write.ts';

/** The first login, and what is the same for all. */
export interface GithubOptions extends LoginOptions {
  id: string;
  clock: Clock;
  packages: Packages;
  /** `owner/name` */
  repositories: readonly string[];
  /** How often the lists are read. */
  everyMs: number;
  /** Further logins on the same GitHub, with agents of their own. */
  more?: readonly LoginOptions[] | undefined;
  /** Another address than GitHub's own. */
  apiUrl?: string | undefined;
}

/** How many comments one text may become. */
const MAX_PARTS = 10;
export function capabilitiesOf({ webhook }: { webhook: boolean }): Surface['capabilities'] {
  return {
    // A deleted comment is in no list.
    hears: { edits: true, deletes: webhook, reactions: false, typing: false, bots: true },
    does: { ...DOES_NOTHING, edits: true, deletes: true, reactions: true },
    threads: 'topics',
    membership: false,
    idempotentForMs: 0,
    findable: true,
    maxChars: MAX_CHARS,
    maxParts: MAX_PARTS,
  };
}

export function githubSurface(options: GithubOptions): Surface {
  const { id, apiUrl } = options;
  const accounts = new GithubAccounts(options);
  return {
    id,
    platform: PLATFORM,
    capabilities: capabilitiesOf({ webhook: accounts.takesRequests }),
    start: (host) => accounts.start(host),
    stop: () => accounts.stop(),
    post: (message) => accounts.say(message.agent, (deps) => post(deps, message)),
    react: (reaction) => accounts.say(reaction.agent, (deps) => react(deps, reaction)),
    amend: (amendment) => accounts.say(amendment.agent, (deps) => amend(deps, amendment)),
    find: (message) => accounts.say(message.agent, (deps) => find(deps, message)),
    history: (request) => accounts.history(request),
    fromLink: (link) => messageAt(link, workspaceOf(apiUrl)),
    ...(accounts.takesRequests && { request: (given) => accounts.take(given) }),
  };
}
