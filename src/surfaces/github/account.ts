// One login on GitHub: an account with a token, or an app. It hears for itself, and its agents comment and react through it.
// A surface has one for all of its agents, or one for each.
import type { Clock } from '../../runtime/clock.ts';
import type { Failure } from '../failure.ts';
import type { Roll } from '../logins.ts';
import type { Secret } from '../secret.ts';
import type { Session } from '../session.ts';
import { takeSigned } from '../signed-request.ts';
import type { PostOutcome, Surface, SurfaceAccount, SurfaceHost } from '../surface.ts';
import { type Credentials, type Login, type LoginDeps, secretOf } from './login.ts';
import type { Marks } from './marks.ts';
import type { Known } from './read-message.ts';
import type { Self } from './read-text.ts';
import type { SayDeps } from './say.ts';
import { startGithubSession } from './session.ts';
import { signatureProblem } from './signature.ts';
import { createTaker, type Taker } from './take.ts';

/** One login: its secrets, and whose it is. */
export interface LoginOptions {
  credentials: Credentials;
  /** GitHub posts the events. Missing: the lists are all there is, or another login hears them. */
  webhookSecret?: Secret;
  /** The agents that speak through the login. Left out: all, or all that have none of their own. */
  agents?: readonly string[] | undefined;
}

/** Who a login is, as it is remembered. */
export type AccountIdentity = Pick<SurfaceAccount, 'id' | 'workspaceId' | 'name'> & { isApp: boolean };

export interface AccountDeps {
  options: LoginOptions;
  clock: Clock;
  /** How it logs in. */
  login: LoginDeps;
  /** How often the lists are read. */
  everyMs: number;
  /** What comes later than this was not told as it happened. */
  lateMs: number;
}

/** What a login is started with. What they share is the same for all of them. */
export interface AccountStart {
  host: SurfaceHost;
  roll: Roll<LoginOptions, AccountIdentity>;
  marks: Marks;
  handOver: Taker['handOver'];
  bodies: Map<string, string>;
  /** Whether no other login reads the repository. */
  reads: (repository: string) => boolean;
}

interface Running extends AccountStart {
  session: Session<Login>;
  taker: Taker;
}

export class Account {
  readonly options: LoginOptions;
  readonly #deps: AccountDeps;
  #running: Running | undefined;

  constructor(deps: AccountDeps) {
    this.#deps = deps;
    this.options = deps.options;
  }

  async start(given: AccountStart): Promise<void> {
    const { clock, login, everyMs } = this.#deps;
    const { host, roll, marks, handOver, bodies, reads } = given;
    const { options } = this;
    const known = (current: Login): Known => this.#known(current, given);
    const session = (): Login | undefined => (roll.isIntroduced ? this.login() : undefined);
    const taker = createTaker({ host, handOver, known, login: session });
    const running = startGithubSession({
      clock,
      host: { ...host, health: (state) => roll.note(options, state) },
      login,
      marks,
      taker,
      known,
      everyMs,
      bodies,
      reads,
      loggedIn: (current) => this.#loggedIn(current, roll),
      tried: () => roll.tried(options),
      introduced: () => roll.introduced,
    });
    this.#running = { ...given, session: running, taker };
    await running.ready;
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
    return login === undefined || this.#running === undefined ? undefined : this.#known(login, this.#running);
  }

  /** `persona`: the post says which agent it is from. */
  async say(persona: boolean, work: (deps: SayDeps) => Promise<PostOutcome>): Promise<PostOutcome> {
    const login = this.login();
    if (login === undefined) {
      const secret = secretOf(this.options.credentials);
      if ((await secret.read()) === undefined)
        return { type: 'refused', scope: 'account', error: `${secret.name} is missing` };
      return { type: 'retry', error: 'not logged in to GitHub yet' };
    }
    const outcome = await work({ apiFor: (owner) => login.apiFor(owner), self: login.self, persona });
    if (outcome.type === 'refused' && outcome.scope === 'account') this.#running?.session.lost(outcome.error);
    return outcome;
  }

  take: NonNullable<Surface['request']> = async (given) => {
    const { webhookSecret: secret } = this.options;
    const running = this.#running;
    if (running === undefined || secret === undefined) return { status: 503, body: 'not started yet' };
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
  };

  async #loggedIn({ self, workspace }: Login, roll: AccountStart['roll']): Promise<Failure | undefined> {
    const name = self.login.replace(/\[bot\]$/, '');
    const identity = { id: self.login, workspaceId: workspace, name, isApp: self.isApp };
    const error = roll.problem(this.options, identity);
    if (error !== undefined) return { type: 'refused', code: 'login', error };
    await roll.learn(this.options, identity);
    return undefined;
  }

  #known({ workspace, self }: Login, { roll, marks }: Pick<AccountStart, 'roll' | 'marks'>): Known {
    const { clock, lateMs } = this.#deps;
    const others = roll.others(this.options).map(({ id, isApp }): Self => ({ login: id, isApp }));
    return { workspace, self, others, now: clock.now(), lateMs, heardUntil: marks.of };
  }
}
