// How one login of the GitHub surface lives: it logs in, reads what is new at once and then every so often, and while
// GitHub posts events as well, what a webhook has lost is found so. Of several logins, one reads each repository.
import type { Clock } from '../../runtime/clock.ts';
import { type Ended, type LoggedIn, type Run, type Session, startSession } from '../session.ts';
import type { Failure } from '../failure.ts';
import type { SurfaceHost } from '../surface.ts';
import { deadLogin, healthOf, type Login, type LoginDeps, logIn, missingSecret, secretOf } from './login.ts';
import type { Marks } from './marks.ts';
import { readNew } from './poll.ts';
import type { Known } from './read-message.ts';
import type { Taker } from './take.ts';

export interface GithubSessionDeps {
  clock: Clock;
  host: SurfaceHost;
  login: LoginDeps;
  marks: Marks;
  taker: Taker;
  known: (login: Login) => Known;
  everyMs: number;
  /** The last text of every issue, by its thread. */
  bodies: Map<string, string>;
  /** The platform has said who it is. Answers why the surface cannot use it. */
  loggedIn: (login: Login) => Promise<Failure | undefined>;
  /** A try to log in is over. */
  tried: () => void;
  /** Resolves once every login of the surface has said who it is, or could not. */
  introduced: () => Promise<void>;
  /** Whether no other login reads the repository. */
  reads: (repository: string) => boolean;
}

export function startGithubSession(deps: GithubSessionDeps): Session<Login> {
  const { clock, host } = deps;
  return startSession({
    clock,
    host,
    logIn: () => tryLogin(deps).finally(deps.tried),
    listen: (login, run) => listen(deps, login, run),
    words: { missing: missingSecret, dead: deadLogin },
  });
}

async function tryLogin(deps: GithubSessionDeps): Promise<LoggedIn<Login>> {
  const secret = secretOf(deps.login.credentials);
  const result = await logIn(deps.login);
  if (!result.ok) return { ok: false, failure: result.failure, secret };
  const failure = await deps.loggedIn(result.login);
  if (failure !== undefined) return { ok: false, failure, secret };
  return { ok: true, current: result.login, secret };
}

async function listen(deps: GithubSessionDeps, login: Login, run: Run): Promise<Ended> {
  const { clock, host, marks, taker, known, everyMs, bodies } = deps;
  const secret = secretOf(deps.login.credentials);
  await Promise.race([deps.introduced(), run.over]);
  await marks.load(login.repositories, login.at);
  host.health(healthOf(login));
  run.ready();
  while (!run.isOver()) {
    for (const repository of login.repositories) {
      if (run.isOver()) return undefined;
      if (!deps.reads(repository)) continue;
      const { isOver } = run;
      const polled = { login, marks, taker, known: known(login), bodies, now: () => clock.now(), isOver };
      const failure = await readNew(polled, repository);
      if (failure !== undefined && !run.isOver()) return { failure, secret };
    }
    await Promise.race([run.over, run.wait(everyMs)]);
  }
  return undefined;
}
