// The logins of one GitHub: whose login does what. An agent acts through its own. A repository is read by the first login
// that works and sees it; a webhook may come through any of them.
import type { ChatEvent } from '../../protocol/chat-event.ts';
import { isOwnLogin, loginOf, pathOfLogin, Roll } from '../logins.ts';
import type { HistoryRequest, PostOutcome, Surface, SurfaceHost } from '../surface.ts';
import { Account, type AccountIdentity, type LoginOptions } from './account.ts';
import type { GithubOptions } from './github.ts';
import { historyOf } from './history.ts';
import { createMarks } from './marks.ts';
import { threadOf } from './place.ts';
import type { SayDeps } from './say.ts';
import { createThreadHandOver } from './take.ts';

/** What comes later than this was not told as it happened. */
const LATE_MS = 120_000;

export class GithubAccounts {
  readonly #options: GithubOptions;
  readonly #accounts: readonly Account[];

  constructor(options: GithubOptions) {
    const { clock, packages, repositories, apiUrl, everyMs, more = [] } = options;
    const logins: LoginOptions[] = [options, ...more];
    this.#options = options;
    const isHeard = logins.some(({ webhookSecret }) => webhookSecret !== undefined);
    const lateMs = isHeard ? LATE_MS : Math.max(LATE_MS, 2 * everyMs);
    this.#accounts = logins.map((login) => {
      const { credentials, webhookSecret } = login;
      const webhook = webhookSecret !== undefined;
      const deps = { packages, clock, credentials, repositories, webhook, apiUrl };
      return new Account({ options: login, clock, login: deps, everyMs, lateMs });
    });
  }

  async start(host: SurfaceHost): Promise<void> {
    const { clock } = this.#options;
    const roll = new Roll<LoginOptions, AccountIdentity>({ clock, host }, this.#logins);
    await roll.load();
    roll.begin();
    const shared = { host, roll, marks: createMarks(host.memory), handOver: createThreadHandOver(host) };
    const bodies = new Map<string, string>();
    await Promise.all(
      this.#accounts.map((account, index) => {
        const earlier = this.#accounts.slice(0, index);
        const reads = (repository: string): boolean =>
          !earlier.some(
            (one) => !roll.isOut(one.options) && one.login()?.repositories.includes(repository) === true,
          );
        return account.start({ ...shared, bodies, reads });
      }),
    );
  }

  async stop(): Promise<void> {
    await Promise.all(this.#accounts.map((account) => account.stop()));
  }

  /** Does it through the login of the agent. One that is the agent's alone needs no name in its posts. */
  say(agent: string, work: (deps: SayDeps) => Promise<PostOutcome>): Promise<PostOutcome> {
    const login = loginOf(this.#logins, agent);
    const account = this.#accounts.find(({ options }) => options === login);
    if (account === undefined) throw new Error('every login has an account');
    const isOnly = this.#accounts.length === 1;
    return account.say(isOnly ? login.agents?.length !== 1 : !isOwnLogin(login, agent), work);
  }

  /** From the first login that sees it. */
  async history(request: HistoryRequest): Promise<ChatEvent[]> {
    let problem: unknown;
    const thread = threadOf(request.place);
    for (const account of this.#accounts) {
      const [login, known] = [account.login(), account.known()];
      if (login === undefined || known === undefined || thread === undefined) continue;
      if (!login.repositories.includes(`${thread.owner}/${thread.repo}`)) continue;
      try {
        return await historyOf(login, known, request);
      } catch (error) {
        problem ??= error;
      }
    }
    if (problem !== undefined) throw problem;
    return [];
  }

  get takesRequests(): boolean {
    return this.#logins.some(({ webhookSecret }) => webhookSecret !== undefined);
  }

  /** Each login's webhook posts to an address of its own, because each has a secret of its own. */
  take: NonNullable<Surface['request']> = async (request) => {
    const heard = this.#accounts.filter(({ options }) => options.webhookSecret !== undefined);
    const account = heard.find(
      ({ options }) => pathOfLogin('events', options, this.#logins) === request.path,
    );
    if (account !== undefined) return account.take({ ...request, path: 'events' });
    const paths = heard.map(({ options }) => `…/${pathOfLogin('events', options, this.#logins)}`);
    return { status: 404, body: `GitHub posts to ${paths.join(' or ')} here.` };
  };

  get #logins(): LoginOptions[] {
    return this.#accounts.map(({ options }) => options);
  }
}
