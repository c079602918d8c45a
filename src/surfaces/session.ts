// The life of a surface: log in, listen, and after whatever happens begin again. Nothing here ends the process and
// nothing gives up: a dead token is told as `down`, and a new one is noticed within half a minute.
import type { Clock } from '../runtime/clock.ts';
import type { Failure } from './failure.ts';
import type { Secret } from './secret.ts';
import type { SurfaceHealth, SurfaceHost } from './surface.ts';

export interface SessionDeps<Current> {
  clock: Clock;
  host: Pick<SurfaceHost, 'health'>;
  /** One try. Secrets are read anew each time, so that a new one in a file is taken up. */
  logIn(): Promise<LoggedIn<Current>>;
  /** Listens until `run.over`, or until the connection ends. Says how it is, and then that it is ready. */
  listen(current: Current, run: Run): Promise<Ended>;
  words: Words;
}

/** What a person has to do, in the platform's words. */
export interface Words {
  missing: (secret: Secret) => SurfaceHealth;
  dead: (secret: Secret, error: string) => SurfaceHealth;
}

/** `secret`: the one that did not work. A failure without one of its own is that of a missing secret. */
export type Ended = { failure: Failure | undefined; secret: Secret } | undefined;
export type LoggedIn<Current> =
  | { ok: true; current: Current; secret: Secret }
  | ({ ok: false } & NonNullable<Ended>);

export interface Run {
  /** The first try is over: the host need not wait any longer. */
  ready: () => void;
  isOver: () => boolean;
  over: Promise<void>;
  /** Shorter when the surface stops. */
  wait: (ms: number) => Promise<void>;
}

export interface Session<Current> {
  current(): Current | undefined;
  /** The platform has said that the login is dead. */
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

export function startSession<Current>(deps: SessionDeps<Current>): Session<Current> {
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

class Life<Current> {
  current: Current | undefined;
  #failures = 0;
  #isDead = false;
  #secret: Secret | undefined;
  readonly #stopping = new AbortController();
  /** Ends the listening. */
  #end: () => void = () => undefined;
  readonly #deps: SessionDeps<Current>;

  constructor(deps: SessionDeps<Current>) {
    this.#deps = deps;
  }

  async run(tried: () => void): Promise<void> {
    const { clock } = this.#deps;
    while (!this.#isStopped) {
      const result = await this.#deps.logIn();
      const since = clock.now();
      let ended: Ended;
      if (result.ok) {
        this.current = result.current;
        this.#secret = result.secret;
        ended = await this.#listen(result.current, tried);
      } else ended = result;
      if (this.#isStopped) break;
      if (ended !== undefined) {
        const waitMs = this.#tell(ended);
        tried();
        await this.#wait(waitMs);
      } else if (this.#isDead) await this.#wait(WAITS.accountMs);
      else if (clock.now() - since < WAITS.goodMs) await this.#wait(this.#nextWait());
      else this.#failures = 0;
    }
    tried();
  }

  lost(error: string): void {
    if (this.#secret === undefined) return;
    this.#isDead = true;
    this.#deps.host.health(this.#deps.words.dead(this.#secret, error));
    this.#end();
  }

  stop(): void {
    this.#stopping.abort();
    this.#end();
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  #listen(current: Current, tried: () => void): Promise<Ended> {
    this.#isDead = false;
    const over = new Promise<void>((resolve) => {
      this.#end = resolve;
    });
    return this.#deps.listen(current, {
      ready: tried,
      over,
      isOver: () => this.#isStopped || this.#isDead,
      wait: (ms) => this.#wait(ms),
    });
  }

  /** Says how it is, and answers how long to wait. */
  #tell({ failure, secret }: NonNullable<Ended>): number {
    const { host, clock, words } = this.#deps;
    if (failure === undefined || failure.type === 'account' || failure.type === 'refused') {
      host.health(failure === undefined ? words.missing(secret) : words.dead(secret, failure.error));
      return WAITS.accountMs;
    }
    const waitMs = failure.type === 'limited' ? failure.afterMs : this.#nextWait();
    host.health({ state: 'retrying', error: failure.error, nextAt: clock.now() + waitMs });
    return waitMs;
  }

  #nextWait(): number {
    return Math.min(WAITS.longestMs, WAITS.firstMs * 2 ** this.#failures++);
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
