// How the GitHub surface lives: it logs in, reads what is new at once and then every so often, and while GitHub posts
// events as well, what a webhook has lost is found so.
import type { Clock } from '../../runtime/clock.ts';
import { type Ended, type Run, type Session, startSession } from '../session.ts';
import type { SurfaceAccount, SurfaceHost } from '../surface.ts';
import { deadLogin, healthOf, type Login, type LoginDeps, logIn, missingSecret, secretOf } from './login.ts';
import type { Marks } from './marks.ts';
import { readNew } from './poll.ts';
import type { Known } from './read-message.ts';
import type { Taker } from './take.ts';

export interface GithubSessionDeps {
  clock: Clock;
  host: SurfaceHost;
  login: LoginDeps;
  /** The agents that speak through the login. */
  agents: SurfaceAccount['agents'];
  marks: Marks;
  taker: Taker;
  known: (login: Login) => Known;
  everyMs: number;
}

export function startGithubSession(deps: GithubSessionDeps): Session<Login> {
  const { clock, host } = deps;
  const secret = secretOf(deps.login.credentials);
  return startSession({
    clock,
    host,
    async logIn() {
      const result = await logIn(deps.login);
      if (!result.ok) return { ok: false, failure: result.failure, secret };
      const { self, workspace: workspaceId } = result.login;
      const name = self.login.replace(/\[bot\]$/, '');
      host.accounts([{ id: self.login, workspaceId, agents: deps.agents, name }]);
      return { ok: true, current: result.login, secret };
    },
    listen: (login, run) => listen(deps, login, run),
    words: { missing: missingSecret, dead: deadLogin },
  });
}

async function listen(deps: GithubSessionDeps, login: Login, run: Run): Promise<Ended> {
  const { host, marks, taker, known, everyMs } = deps;
  const secret = secretOf(deps.login.credentials);
  const bodies = new Map<string, string>();
  await marks.load(login.repositories, login.at);
  host.health(healthOf(login));
  run.ready();
  while (!run.isOver()) {
    for (const repository of login.repositories) {
      if (run.isOver()) return undefined;
      const failure = await readNew({ login, marks, taker, known: known(login), bodies }, repository);
      if (failure !== undefined && !run.isOver()) return { failure, secret };
    }
    await Promise.race([run.over, run.wait(everyMs)]);
  }
  return undefined;
}
