// The life of the surface: log in, listen, and after whatever happens begin again. Nothing here ends the process and
// nothing gives up: a dead token is told as `down`, and a new one is noticed within half a minute.
import type { Clock } from '../../runtime/clock.ts';
import type { Secret } from '../secret.ts';
import type { SurfaceHost } from '../surface.ts';
import type { Failure, SlackApi } from './api.ts';
import { type GapDeps, fillGaps, placesBefore } from './gap.ts';
import { type LoggedIn, deadLogin, healthOf, logIn, missingSecret } from './login.ts';
import { type Opened, type Socket, openSocket, type SocketDeps } from './socket.ts';
import type { People } from './people.ts';
import type { Login, Taker } from './take.ts';

export interface SessionDeps {
  clock: Clock;
  host: SurfaceHost;
  people: People;
  taker: Taker;
  botToken: Secret;
  makeApi: (token: string) => SlackApi;
  /** Called after every login, with the scopes that it lacks. */
  loggedIn: (login: Login, missing: readonly string[]) => void;
  /** Missing: events come over HTTP. */
  socket?: Pick<SocketDeps, 'Client' | 'apiUrl'> & { appToken: Secret };
}

export interface Session {
  current(): { api: SlackApi; login: Login } | undefined;
  /** Slack has said that the login is dead. */
  lost(error: string): void;
  /** Resolves after the first try to log in. */
  ready: Promise<void>;
  stop(): Promise<void>;
}

const WAITS = {
  /** A dead login is tried again this often. */
  accountMs: 30_000,
  firstMs: 1_000,
  longestMs: 30_000,
  /** The first try keeps the host's start waiting for no longer. */
  readyMs: 5_000,
  /** A connection that lasted at least so long was a good one. */
  goodMs: 10_000,
} as const;

export function startSession(deps: SessionDeps): Session {
  const life = new Life(deps);
  const tried = Promise.withResolvers<void>();
  const running = life.run(tried.resolve);
  const cancel = deps.clock.after(WAITS.readyMs, tried.resolve);
  return {
    current: () => life.current,
    lost: (error) => life.lost(error),
    ready: tried.promise.finally(cancel),
    async stop() {
      life.stop();
      await running;
    },
  };
}

class Life {
  current: { api: SlackApi; login: Login } | undefined;
  #failures = 0;
  #isDead = false;
  readonly #stopping = new AbortController();
  /** Ends the listening. */
  #end: () => void = () => undefined;
  readonly #deps: SessionDeps;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
  }

  async run(tried: () => void): Promise<void> {
    const { host, botToken } = this.#deps;
    while (!this.#isStopped) {
      const token = await botToken.read();
      const api = token === undefined ? undefined : this.#deps.makeApi(token);
      const result: LoggedIn | undefined = api === undefined ? undefined : await logIn(api);
      if (api === undefined || result === undefined) {
        host.health(missingSecret(botToken));
        tried();
        await this.#wait(WAITS.accountMs);
      } else if (result.ok) {
        this.current = { api, login: result.login };
        this.#isDead = false;
        this.#deps.loggedIn(result.login, result.missing);
        await this.#listen(this.current, result.missing, tried);
      } else {
        const waitMs = this.#tell(result.failure, botToken);
        tried();
        await this.#wait(waitMs);
      }
    }
  }

  lost(error: string): void {
    this.#isDead = true;
    this.#deps.host.health(deadLogin(this.#deps.botToken, error));
    this.#end();
  }

  stop(): void {
    this.#stopping.abort();
    this.#end();
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Until the connection ends, the login dies, or the surface stops. */
  async #listen(
    current: { api: SlackApi; login: Login },
    missing: readonly string[],
    tried: () => void,
  ): Promise<void> {
    const { host, clock, socket } = this.#deps;
    const places = await placesBefore(host);
    const opened = socket === undefined ? undefined : await this.#open(socket);
    if (opened?.ok === false) {
      tried();
      await this.#wait(this.#tell(opened.failure, socket?.appToken ?? this.#deps.botToken));
      return;
    }
    host.health(healthOf(missing));
    tried();
    const since = clock.now();
    const filling = fillGaps(this.#gapDeps(current), places).catch(() => host.ignored('gap_not_filled'));
    await this.#untilOver(opened?.socket);
    opened?.socket.close();
    await filling;
    if (this.#isDead) await this.#wait(WAITS.accountMs);
    else if (clock.now() - since < WAITS.goodMs) await this.#wait(this.#nextWait());
    else this.#failures = 0;
  }

  async #open({ appToken, ...rest }: NonNullable<SessionDeps['socket']>): Promise<Opened> {
    const token = await appToken.read();
    const { clock, taker, host } = this.#deps;
    if (token === undefined) return { ok: false, failure: { type: 'account', error: 'missing' } };
    const take = (body: unknown): ReturnType<Taker['take']> => taker.take(body);
    return openSocket({ ...rest, appToken: token, clock, take, ignored: (what) => host.ignored(what) });
  }

  #gapDeps({ api, login }: { api: SlackApi; login: Login }): GapDeps {
    const { people, clock, taker } = this.#deps;
    const isOver = (): boolean => this.#isStopped || this.#isDead;
    const wait = (ms: number): Promise<void> => this.#wait(ms);
    return { api, login, people, clock, taker, isOver, wait };
  }

  /** Says how it is, and answers how long to wait. */
  #tell(failure: Failure, secret: Secret): number {
    const { host, clock } = this.#deps;
    const { type } = failure;
    if (type === 'account' || type === 'refused') {
      const isMissing = failure.error === 'missing';
      host.health(isMissing ? missingSecret(secret) : deadLogin(secret, failure.error));
      return WAITS.accountMs;
    }
    const waitMs = type === 'limited' ? failure.afterMs : this.#nextWait();
    host.health({ state: 'retrying', error: failure.error, nextAt: clock.now() + waitMs });
    return waitMs;
  }

  #nextWait(): number {
    return Math.min(WAITS.longestMs, WAITS.firstMs * 2 ** this.#failures++);
  }

  #untilOver(socket: Socket | undefined): Promise<void> {
    if (this.#isStopped || this.#isDead) return Promise.resolve();
    return new Promise((resolve) => {
      this.#end = resolve;
      void socket?.closed.then(resolve);
    });
  }

  #wait(ms: number): Promise<void> {
    const { signal } = this.#stopping;
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        cancel();
        signal.removeEventListener('abort', done);
        resolve();
      };
      const cancel = this.#deps.clock.after(ms, done);
      signal.addEventListener('abort', done);
    });
  }
}
