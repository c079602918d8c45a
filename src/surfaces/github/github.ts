// GitHub as a surface: one login, some repositories. Events are posted by GitHub or asked for; agents comment through the
// one login. Everything that GitHub may do wrong is an outcome or a state of health, never a crash.
import type { Clock } from '../../runtime/clock.ts';
import type { Secret } from '../secret.ts';
import type { Session } from '../session.ts';
import { takeSigned } from '../signed-request.ts';
import { DOES_NOTHING, type PostOutcome, type Surface, type SurfaceHost } from '../surface.ts';
import { amend } from './amend.ts';
import { historyOf } from './history.ts';
import { messageAt } from './link.ts';
import {
  type Credentials,
  type Login,
  type LoginDeps,
  type Packages,
  secretOf,
  workspaceOf,
} from './login.ts';
import { createMarks } from './marks.ts';
import { PLATFORM } from './place.ts';
import type { Known } from './read-message.ts';
import { find, post, react, type SayDeps } from './say.ts';
import { startGithubSession } from './session.ts';
import { signatureProblem } from './signature.ts';
import { createTaker, type Taker } from './take.ts';
import { MAX_CHARS } from './write.ts';

export interface GithubOptions {
  id: string;
  clock: Clock;
  packages: Packages;
  credentials: Credentials;
  /** `owner/name` */
  repositories: readonly string[];
  /** How often the lists are read. */
  everyMs: number;
  /** GitHub posts the events. Missing: the lists are all there is. */
  webhookSecret?: Secret;
  /** The agents that speak through the login. Left out: all. */
  agents?: readonly string[] | undefined;
  /** Another address than GitHub's own. */
  apiUrl?: string | undefined;
}

/** How many comments one text may become. */
const MAX_PARTS = 10;
/** What comes later than this was not told as it happened. */
const LATE_MS = 120_000;

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
  const { id, apiUrl, webhookSecret } = options;
  const app = new App(options);
  return {
    id,
    platform: PLATFORM,
    capabilities: capabilitiesOf({ webhook: webhookSecret !== undefined }),
    start: (host) => app.start(host),
    stop: () => app.stop(),
    post: (message) => app.say((deps) => post(deps, message)),
    react: (reaction) => app.say((deps) => react(deps, reaction)),
    amend: (amendment) => app.say((deps) => amend(deps, amendment)),
    find: (message) => app.say((deps) => find(deps, message)),
    async history(request) {
      const [login, known] = [app.login(), app.known()];
      return login === undefined || known === undefined ? [] : historyOf(login, known, request);
    },
    fromLink: (link) => messageAt(link, workspaceOf(apiUrl)),
    ...(webhookSecret !== undefined && { request: (given) => app.take(webhookSecret, given) }),
  };
}

/** The login, and what it takes in while it runs. */
class App {
  readonly #options: GithubOptions;
  #running:
    | { host: SurfaceHost; session: Session<Login>; taker: Taker; known: (login: Login) => Known }
    | undefined;

  constructor(options: GithubOptions) {
    this.#options = options;
  }

  async start(host: SurfaceHost): Promise<void> {
    const { clock, everyMs, webhookSecret, packages, credentials, repositories, apiUrl } = this.#options;
    const { agents = '*' } = this.#options;
    const marks = createMarks(host.memory);
    const known = ({ workspace, self }: Login): Known => ({
      workspace,
      self,
      now: clock.now(),
      lateMs: webhookSecret === undefined ? Math.max(LATE_MS, 2 * everyMs) : LATE_MS,
      heardUntil: marks.of,
    });
    const taker = createTaker({ host, known, login: () => this.login() });
    const webhook = webhookSecret !== undefined;
    const login: LoginDeps = { packages, clock, credentials, repositories, webhook, apiUrl };
    const session = startGithubSession({ clock, host, login, agents, marks, taker, known, everyMs });
    this.#running = { host, taker, session, known };
    await session.ready;
  }

  async stop(): Promise<void> {
    await this.#running?.session.stop();
    this.#running = undefined;
  }

  login(): Login | undefined {
    return this.#running?.session.current();
  }

  known(): Known | undefined {
    const login = this.login();
    return login === undefined ? undefined : this.#running?.known(login);
  }

  async say(work: (deps: SayDeps) => Promise<PostOutcome>): Promise<PostOutcome> {
    const { agents, credentials } = this.#options;
    const login = this.login();
    if (login === undefined) {
      const secret = secretOf(credentials);
      if ((await secret.read()) === undefined)
        return { type: 'refused', scope: 'account', error: `${secret.name} is missing` };
      return { type: 'retry', error: 'not logged in to GitHub yet' };
    }
    const persona = agents?.length !== 1;
    const outcome = await work({ apiFor: (owner) => login.apiFor(owner), self: login.self, persona });
    if (outcome.type === 'refused' && outcome.scope === 'account') this.#running?.session.lost(outcome.error);
    return outcome;
  }

  async take(secret: Secret, given: Parameters<NonNullable<Surface['request']>>[0]) {
    const running = this.#running;
    if (running === undefined) return { status: 503, body: 'not started yet' };
    const { host, taker } = running;
    return takeSigned(
      {
        platform: 'GitHub',
        secret,
        host,
        problem: signatureProblem,
        take: (body, { headers }) => taker.take(headers['x-github-event'], body),
      },
      given,
    );
  }
}
