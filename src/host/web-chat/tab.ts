// One browser tab. It signs in with `hello`, then sends requests and receives notices. Its writes run in the order in
// which they arrive. A tab that does not read its notices is disconnected; when it reconnects, it gets what it missed.
import { type WireError, wireError } from '../../protocol/errors.ts';
import type { RpcParams } from '../../protocol/jsonrpc.ts';
import { WEB_CHAT_LIMITS } from '../../protocol/web-chat.ts';
import type { Cancel, Clock } from '../../runtime/clock.ts';
import type { Schedule } from '../../runtime/schedule.ts';
import type { RpcAnswer, RpcHandlers } from '../../transport/requests.ts';
import { createPeer, type Peer } from '../../transport/peer.ts';
import type { Transport } from '../../transport/transport.ts';
import { storeRefusal } from '../kernel/store-refusal.ts';
import type { RateLimiter } from '../security/rate-limit.ts';
import type { Shares } from '../security/shares.ts';
import { type AskedMethod, METHOD_KIND, createAnswers, readWebParams } from './answers.ts';
import { type Greeting, greet } from './hello.ts';
import type { Notice } from './notices.ts';
import type { Person } from './people.ts';
import { Refused, notNow, tooFast } from './refusals.ts';
import type { WebRoom, PlacedNotice } from './room.ts';

export interface TabDeps {
  clock: Clock;
  schedule: Schedule;
  room: () => Promise<WebRoom>;
  instance: string;
  isConnected: (agent: string) => boolean;
  /** The owner of the token. Else it is not valid for the web chat; `words`: why, where that is worth saying. */
  signIn: (token: string) => Promise<SignedIn | { words: string | undefined }>;
  limits: Readonly<Record<'write' | 'read' | 'search', RateLimiter>>;
  shares: Pick<Shares, 'run' | 'read' | 'connected'>;
  draining: () => boolean;
  log: { warn(fields: Record<string, unknown>, message: string): void };
}
export interface SignedIn {
  person: Person;
  /** Counts the tab. Returns a function that forgets it, or undefined when the person has too many tabs. */
  admit(close: () => void): (() => void) | undefined;
}

/** A tab with more unread bytes than this is disconnected at the next notice, and its requests wait. */
const UNREAD_BYTES = 1_048_576;
/** With more unread answers than this it is disconnected at once. A few files fit. */
const UNREAD_ANSWERS_BYTES = 8_388_608;
/** Requests of one tab at once. Further ones are told to wait. */
const CONCURRENT = 32;
const TABS_RETRY_MS = 10_000;

export class Tab {
  readonly peer: Peer;
  readonly #deps: TabDeps;
  #person: Person | undefined;
  #answers: Readonly<Record<AskedMethod, (params: unknown) => Promise<unknown>>> | undefined;
  #saidHello = false;
  /** The greeting covers the log up to here. */
  #covered = 0;
  /** Notices that wait until the greeting has been sent. Undefined after that. */
  #waiting: { notice: Notice; position: number | undefined }[] | undefined = [];
  /** Ends with the last write. Writes run one after the other. */
  #writing: Promise<unknown> = Promise.resolve();
  #cancelSilence: Cancel = () => undefined;
  readonly #leave: (() => void)[] = [];

  constructor(transport: Transport, deps: TabDeps) {
    this.#deps = deps;
    this.peer = createPeer(transport, {
      clock: deps.clock,
      handlers: this.#handlers(),
      limits: { concurrent: CONCURRENT, pauseBytes: UNREAD_BYTES, unreadBytes: UNREAD_ANSWERS_BYTES },
      onError: (error) => deps.log.warn({ err: error, person: this.#person?.id }, 'a tab'),
      onClose: () => this.#ended(),
    });
    this.#expectWithin(WEB_CHAT_LIMITS.helloMs);
  }

  /** Resolves when all requested writes are done. */
  async written(): Promise<void> {
    await this.#writing;
  }

  #handlers(): RpcHandlers {
    const asked = (Object.keys(METHOD_KIND) as AskedMethod[]).map((method) => [
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
      const refusal = storeRefusal(error);
      if (refusal !== undefined) return { ok: false, error: notNow(refusal.retryAfterMs).error };
      throw error; // the peer answers `internal` and logs it
    }
  }

  async #hello(params: unknown): Promise<unknown> {
    const { token, resumeFrom } = readWebParams('hello', params);
    const again = wireError('invalid_request', { problem: 'this connection has said hello' });
    if (this.#saidHello) throw new Refused(again);
    this.#saidHello = true;
    if (this.#deps.draining()) throw notNow();
    const signedIn = await this.#deps.signIn(token);
    if ('words' in signedIn) {
      // The answer must go out before the connection closes.
      this.#deps.schedule(() => this.peer.close('unauthorized'));
      throw new Refused(revoked(signedIn.words));
    }
    const { person } = signedIn;
    const forget = signedIn.admit(() => this.peer.close('unauthorized'));
    if (forget === undefined) {
      this.#deps.schedule(() => this.peer.close('normal'));
      throw tooFast(TABS_RETRY_MS);
    }
    const { shares } = this.#deps;
    this.#leave.push(
      forget,
      shares.connected(`person:${person.id}`, () => this.peer.buffered),
    );
    if (this.peer.isClosed) return this.#ended();
    const room = await this.#deps.room();
    if (this.peer.isClosed) return undefined;
    this.#leave.push(
      room.join({ person: person.id, tell: (...told) => this.#tell(...told), drop: () => this.#cut() }),
    );
    const { instance, isConnected } = this.#deps;
    const greeting = await greet({ room, instance, isConnected }, person, resumeFrom);
    this.#person = person;
    this.#answers = createAnswers(room, person);
    this.#expectWithin(WEB_CHAT_LIMITS.silentMs);
    this.#deps.schedule(() => this.#goOn(greeting));
    return greeting.result;
  }

  /** Sends, after the greeting, the missed notices and then those that arrived meanwhile and are newer. */
  #goOn({ missed, position }: Greeting): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const { notice } of missed satisfies readonly PlacedNotice[]) this.#send(notice);
    this.#covered = position;
    for (const told of waiting) this.#tell(told.notice, told.position);
  }

  async #ask(method: AskedMethod, params: unknown): Promise<unknown> {
    const answers = this.#answers;
    if (answers === undefined || this.#person === undefined) {
      const error = wireError('not_initialized');
      throw new Refused({ ...error, message: 'Say "hello" with a token first.' });
    }
    if (this.#deps.draining()) throw notNow();
    const kind = METHOD_KIND[method];
    const taken = this.#deps.limits[kind].take(this.#person.id);
    if (!taken.ok) throw tooFast(taken.retryAfterMs);
    if (kind !== 'write') return this.#read(this.#person.id, () => answers[method](params));
    const done = this.#writing.then(() => answers[method](params));
    this.#writing = done.catch(() => undefined);
    return done;
  }

  /** The tabs of a person take turns with each other, and with all others who read. */
  #read(person: string, read: () => Promise<unknown>): Promise<unknown> {
    const { shares } = this.#deps;
    const who = `person:${person}`;
    return shares.run<unknown>({ who, lane: 'read', refuse }, async () => {
      const result = await read();
      shares.read(who, fileBytes(result));
      return result;
    });
  }

  #tell(notice: Notice, position?: number): void {
    if (position !== undefined && position <= this.#covered) return;
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

function refuse(retryAfterMs: number): never {
  throw tooFast(retryAfterMs);
}

function fileBytes(result: unknown): number {
  const { base64 } = Object(result) as { base64?: unknown };
  return typeof base64 === 'string' ? base64.length : 0;
}

/** With words, a person reads them as they are. */
function revoked(words: string | undefined): WireError {
  const error = wireError('unauthorized');
  return words === undefined ? error : { ...error, message: words, data: { ...error.data, forPeople: true } };
}
