// One tab: signs in with `hello`, then asks and is told. Its writes are done in the order in which they came. A tab that
// does not read what it is told is cut; it comes back and is told what it has missed.
import { wireError } from '../../protocol/errors.ts';
import type { RpcParams } from '../../protocol/jsonrpc.ts';
import { WEB_CHAT_LIMITS } from '../../protocol/web-chat.ts';
import type { Cancel, Clock } from '../../runtime/clock.ts';
import type { Schedule } from '../../runtime/schedule.ts';
import type { RpcAnswer, RpcHandlers } from '../../transport/requests.ts';
import { createPeer, type Peer } from '../../transport/peer.ts';
import type { Transport } from '../../transport/transport.ts';
import type { RateLimiter } from '../security/rate-limit.ts';
import { type AskedMethod, KIND, answersFor, read } from './answers.ts';
import { type Greeting, greet } from './hello.ts';
import type { Notice } from './notices.ts';
import type { Person } from './people.ts';
import { Refused, stopping, tooFast } from './refusals.ts';
import type { Room, Told } from './room.ts';

export interface TabDeps {
  clock: Clock;
  schedule: Schedule;
  room: () => Promise<Room>;
  instance: string;
  isConnected: (agent: string) => boolean;
  /** Whose token this is; undefined when it lets nobody in. */
  signIn: (token: string) => Promise<SignedIn | undefined>;
  limits: { writes: RateLimiter; reads: RateLimiter };
  draining: () => boolean;
  log: { warn(fields: Record<string, unknown>, message: string): void };
}
export interface SignedIn {
  person: Person;
  /** Called once the tab is known to be this person's; gives back how to forget it, or undefined when it is one too many. */
  admit(close: () => void): (() => void) | undefined;
}

/** Told and not read by then, a tab is cut. Requests of one tab at once, beyond which it is told to wait. */
const UNREAD_BYTES = 1_048_576;
const CONCURRENT = 32;
const TABS_RETRY_MS = 10_000;

export class Tab {
  readonly peer: Peer;
  readonly #deps: TabDeps;
  #person: Person | undefined;
  #answers: Readonly<Record<AskedMethod, (params: unknown) => Promise<unknown>>> | undefined;
  #saidHello = false;
  /** Until the greeting is out, what is told waits here. */
  #waiting: { notice: Notice; position: number | undefined }[] | undefined = [];
  /** One write after the other. */
  #writing: Promise<unknown> = Promise.resolve();
  #cancelSilence: Cancel = () => undefined;
  readonly #leave: (() => void)[] = [];

  constructor(transport: Transport, deps: TabDeps) {
    this.#deps = deps;
    this.peer = createPeer(transport, {
      clock: deps.clock,
      handlers: this.#handlers(),
      limits: { concurrent: CONCURRENT },
      onError: (error) => deps.log.warn({ err: error, person: this.#person?.id }, 'a tab'),
      onClose: () => this.#ended(),
    });
    this.#expectWithin(WEB_CHAT_LIMITS.helloMs);
  }

  /** Resolves when what was asked to be written has been. */
  async written(): Promise<void> {
    await this.#writing;
  }

  #handlers(): RpcHandlers {
    const asked = (Object.keys(KIND) as AskedMethod[]).map((method) => [
      method,
      (params: RpcParams | undefined) => this.#answer(() => this.#ask(method, params)),
    ]);
    return {
      ...(Object.fromEntries(asked) as RpcHandlers),
      hello: (params) => this.#answer(() => this.#hello(params)),
      ping: () => this.#answer(() => Promise.resolve({})),
    };
  }

  async #answer(run: () => Promise<unknown>): Promise<RpcAnswer> {
    if (this.#person !== undefined) this.#expectWithin(WEB_CHAT_LIMITS.silentMs);
    try {
      return { ok: true, result: await run() };
    } catch (error) {
      if (error instanceof Refused) return { ok: false, error: error.error };
      throw error; // the peer answers `internal` and logs it
    }
  }

  async #hello(params: unknown): Promise<unknown> {
    const { token, resumeFrom } = read('hello', params);
    const again = wireError('invalid_request', { problem: 'this connection has said hello' });
    if (this.#saidHello) throw new Refused(again);
    this.#saidHello = true;
    if (this.#deps.draining()) throw stopping();
    const signedIn = await this.#deps.signIn(token);
    if (signedIn === undefined) {
      // The answer first, then the close.
      this.#deps.schedule(() => this.peer.close('unauthorized'));
      throw new Refused(wireError('unauthorized'));
    }
    const { person } = signedIn;
    const forget = signedIn.admit(() => this.peer.close('unauthorized'));
    if (forget === undefined) {
      this.#deps.schedule(() => this.peer.close('normal'));
      throw tooFast(TABS_RETRY_MS);
    }
    this.#leave.push(forget);
    if (this.peer.isClosed) return this.#ended();
    const room = await this.#deps.room();
    if (this.peer.isClosed) return undefined;
    this.#leave.push(
      room.join({ person: person.id, tell: (...told) => this.#tell(...told), drop: () => this.#cut() }),
    );
    const { instance, isConnected } = this.#deps;
    const greeting = await greet({ room, instance, isConnected }, person, resumeFrom);
    this.#person = person;
    this.#answers = answersFor(room, person);
    this.#expectWithin(WEB_CHAT_LIMITS.silentMs);
    this.#deps.schedule(() => this.#goOn(greeting));
    return greeting.result;
  }

  /** After the answer: what was missed, then what was told meanwhile and is not in it. */
  #goOn({ missed, position }: Greeting): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const { notice } of missed satisfies readonly Told[]) this.#send(notice);
    for (const told of waiting) {
      if (told.position === undefined || told.position > position) this.#send(told.notice);
    }
  }

  async #ask(method: AskedMethod, params: unknown): Promise<unknown> {
    const answers = this.#answers;
    if (answers === undefined || this.#person === undefined) {
      const error = wireError('not_initialized');
      throw new Refused({ ...error, message: 'Say "hello" with a token first.' });
    }
    if (this.#deps.draining()) throw stopping();
    const { writes, reads } = this.#deps.limits;
    const taken = (KIND[method] === 'write' ? writes : reads).take(this.#person.id);
    if (!taken.ok) throw tooFast(taken.retryAfterMs);
    if (KIND[method] === 'read') return answers[method](params);
    const done = this.#writing.then(() => answers[method](params));
    this.#writing = done.catch(() => undefined);
    return done;
  }

  #tell(notice: Notice, position?: number): void {
    if (this.#waiting === undefined) this.#send(notice);
    else if (this.#waiting.length < WEB_CHAT_LIMITS.resumeRows) this.#waiting.push({ notice, position });
    else this.#cut();
  }

  #send({ method, params }: Notice): void {
    this.peer.notify(method, params);
    if (this.peer.buffered > UNREAD_BYTES) this.#cut();
  }

  #cut(): void {
    this.peer.close('lost');
  }

  #expectWithin(ms: number): void {
    this.#cancelSilence();
    if (this.peer.isClosed) return;
    this.#cancelSilence = this.#deps.clock.after(ms, () => this.peer.close('normal'));
  }

  #ended(): void {
    this.#cancelSilence();
    for (const leave of this.#leave.splice(0)) leave();
  }
}
