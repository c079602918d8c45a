// Every connection of the server, from its first byte. It is a stranger's until a valid token is shown on it. Strangers
// have bounded room, in all and per address, and bounded time; the one that was quiet longest makes room for the next.
// So whoever has a token gets in: their room is theirs, and the moment they need as strangers is short.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Cancel, Clock } from '../../runtime/clock.ts';
import type { Count, Metrics } from '../../runtime/metrics.ts';
import { nextTurn } from '../../runtime/schedule.ts';
import { type AddressOf, type ClientAddress, createAddressOf } from '../security/client-address.ts';
import { OldestFirst } from '../security/oldest-first.ts';
import { createRateLimiter, type RateLimiter, type Taken } from '../security/rate-limit.ts';
import { type Room, STRANGER_LIMITS } from '../security/stranger-limits.ts';
import { Doorstep } from './doorstep.ts';

/** What a stranger was refused or cut for. */
export type TurnedAway = 'room' | 'address' | 'slow' | 'requests' | 'wrong_tokens' | 'bodies' | 'full';

export interface StrangersOptions {
  clock: Clock;
  room: Room;
  trustedProxies: readonly string[];
  metrics: Metrics;
  log: Record<'info' | 'warn', (fields: Record<string, unknown>, message: string) => void>;
}

export interface StrangerCounts {
  strangers: number;
  waiting: number;
  known: number;
  bodies: number;
  turnedAway: Record<TurnedAway, number>;
}

interface Guest {
  socket: Socket;
  address: ClientAddress;
  /** The key of the token last shown here. Undefined: a stranger. */
  token: string | undefined;
  /** When a stranger is cut. */
  until: number;
}

/** One line in the log at most so often, however many are turned away. */
const SAY_EVERY_MS = 60_000;
const PASSED: Taken = { ok: true };

export class Strangers {
  readonly #options: StrangersOptions;
  readonly #addressOf: AddressOf;
  readonly #guests = new Map<Socket, Guest>();
  readonly #line: OldestFirst<Guest>;
  readonly #doorstep: Doorstep<Guest>;
  readonly #bodies: OldestFirst<Guest>;
  readonly #perToken = new Map<string, number>();
  #known = 0;
  readonly #limits: Record<'requests' | 'sharedRequests' | 'wrongTokens', RateLimiter>;
  readonly #turned: Readonly<Record<TurnedAway, Count>>;
  #cancelSweep: Cancel | undefined;
  #quietUntil = 0;
  #hinted = false;

  constructor(options: StrangersOptions) {
    this.#options = options;
    const { room, clock, metrics, trustedProxies } = options;
    this.#addressOf = createAddressOf(trustedProxies);
    const {
      connectionsAnAddress,
      waitingAnAddress,
      bodies,
      bodiesAnAddress,
      requests,
      sharedRequests,
      wrongTokens,
    } = STRANGER_LIMITS;
    const anAddress = Math.min(connectionsAnAddress, Math.ceil(room.strangers / 2));
    this.#line = new OldestFirst({ all: room.strangers, anAddress });
    this.#doorstep = new Doorstep({
      clock,
      bounds: { all: room.waiting, anAddress: Math.min(waitingAnAddress, Math.ceil(room.waiting / 2)) },
      hasRoom: (address) => !this.#line.isFull(address),
      letIn: (guest) => this.#letIn(guest),
    });
    this.#bodies = new OldestFirst({ all: bodies, anAddress: bodiesAnAddress });
    this.#limits = {
      requests: createRateLimiter(requests, clock),
      sharedRequests: createRateLimiter(sharedRequests, clock),
      wrongTokens: createRateLimiter(wrongTokens, clock),
    };
    metrics.gauge(
      'earshot_connections',
      'Open connections, with a token shown on them (known) or not, or waiting to be read.',
      () => [
        [{ who: 'known' }, this.#known],
        [{ who: 'stranger' }, this.#line.size],
        [{ who: 'waiting' }, this.#doorstep.size],
      ],
    );
    const turned = metrics.counter(
      'earshot_turned_away_total',
      'Strangers refused or cut since the start, by reason.',
    );
    const count = (why: TurnedAway): Count => turned.of({ why });
    this.#turned = {
      room: count('room'),
      address: count('address'),
      slow: count('slow'),
      requests: count('requests'),
      wrong_tokens: count('wrong_tokens'),
      bodies: count('bodies'),
      full: count('full'),
    };
  }

  counts(): StrangerCounts {
    const turnedAway = Object.fromEntries(
      Object.entries(this.#turned).map(([why, { value }]) => [why, value]),
    );
    return {
      strangers: this.#line.size,
      waiting: this.#doorstep.size,
      known: this.#known,
      bodies: this.#bodies.size,
      turnedAway: turnedAway as Record<TurnedAway, number>,
    };
  }

  watch(server: Server): void {
    server.on('connection', (socket) => this.#arrive(socket));
  }

  /** Cuts those who are left. Nobody waits for a stranger when the host stops. */
  stop(): void {
    this.#cancelSweep?.();
    this.#doorstep.stop();
    for (const { socket } of [...this.#line, ...this.#doorstep]) socket.destroy();
  }

  /** A request begins, whoever it is from. Its time runs until the answer has been read. */
  begin({ socket }: IncomingMessage, response: ServerResponse): void {
    const guest = this.#guestAt(socket);
    if (guest === undefined) return;
    this.#expect(guest, STRANGER_LIMITS.requestMs);
    response.once('close', () => {
      this.#bodies.delete(guest);
      const { idleMs, sharedIdleMs } = STRANGER_LIMITS;
      this.#expect(guest, guest.address.shared ? sharedIdleMs : idleMs);
    });
  }

  /** The address that a request counts for, as long as no token has been shown on its connection. */
  addressOfStranger(request: IncomingMessage): string | undefined {
    const guest = this.#guests.get(request.socket);
    if (guest === undefined || guest.token !== undefined) return undefined;
    return this.#clientOf(request).key;
  }

  /** Counts a request without a token. */
  request(request: IncomingMessage): Taken {
    if (!(request.socket instanceof Socket)) return PASSED;
    const { key, shared } = this.#clientOf(request);
    const taken = this.#limits[shared ? 'sharedRequests' : 'requests'].take(key);
    if (!taken.ok) this.#turnedAway('requests');
    return taken;
  }

  /** A body comes in for which no token has been shown. */
  body(request: IncomingMessage): void {
    const guest = this.#guestAt(request.socket);
    if (guest === undefined) return;
    const going = this.#bodies.add(guest, this.#clientOf(request));
    if (going !== undefined) this.#cut(going.item, 'bodies');
  }

  /** The connection is a WebSocket from now on, and a stranger's again: a proxy may have used it for others before. */
  upgrade(request: IncomingMessage): void {
    const guest = this.#guestAt(request.socket);
    if (guest === undefined) return;
    this.#forgetToken(guest);
    guest.address = this.#clientOf(request);
    this.#enter(guest, STRANGER_LIMITS.helloMs);
  }

  /** A valid token was shown. False when its holder, or all holders together, have no room left. */
  known({ socket }: IncomingMessage, token: string): boolean {
    const guest = this.#guestAt(socket);
    if (guest === undefined || guest.token === token) return true;
    const { room } = this.#options;
    const count = this.#perToken.get(token) ?? 0;
    if ((guest.token === undefined && this.#known >= room.known) || count >= room.knownAToken) {
      this.#turnedAway('full');
      return false;
    }
    this.#forgetToken(guest);
    this.#line.delete(guest);
    guest.token = token;
    this.#known++;
    this.#perToken.set(token, count + 1);
    return true;
  }

  /** A token was shown that is not valid. Whoever guesses too often is told to wait. */
  wrongToken(request: IncomingMessage): Taken {
    const guest = this.#guestAt(request.socket);
    if (guest === undefined) return PASSED;
    if (guest.token !== undefined) {
      this.#forgetToken(guest);
      this.#enter(guest, STRANGER_LIMITS.requestMs);
    }
    const taken = this.#limits.wrongTokens.take(this.#clientOf(request).key);
    if (!taken.ok) this.#turnedAway('wrong_tokens');
    return taken;
  }

  #arrive(socket: Socket): void {
    if (socket.destroyed) return;
    const guest = this.#register(socket);
    if (this.#doorstep.mayEnter(guest.address)) return this.#enter(guest, STRANGER_LIMITS.headMs);
    // Node begins to read after this turn, so it is paused after that.
    nextTurn(() => void (this.#doorstep.has(guest) && socket.pause()));
    const first = this.#doorstep.add(guest);
    if (first !== undefined) this.#letIn(first);
  }

  #letIn(guest: Guest): void {
    this.#enter(guest, STRANGER_LIMITS.headMs);
    guest.socket.resume();
  }

  /** Undefined for a request without a connection, as tests make them. */
  #guestAt(socket: Socket): Guest | undefined {
    const there = this.#guests.get(socket);
    if (there !== undefined || !(socket instanceof Socket) || socket.destroyed) return there;
    const guest = this.#register(socket);
    this.#enter(guest, STRANGER_LIMITS.headMs);
    return guest;
  }

  #register(socket: Socket): Guest {
    const guest: Guest = {
      socket,
      address: this.#addressOf(socket.remoteAddress),
      token: undefined,
      until: 0,
    };
    this.#guests.set(socket, guest);
    socket.once('close', () => this.#gone(guest));
    return guest;
  }

  #clientOf({ socket, headers }: IncomingMessage): ClientAddress {
    const forwarded = headers['x-forwarded-for'];
    const client = this.#addressOf(socket.remoteAddress, forwarded);
    if (forwarded !== undefined && client.shared && !this.#hinted) {
      this.#hinted = true;
      this.#options.log.info(
        {},
        'requests come through a proxy on this machine. If it is yours, set "trustedProxies: [loopback]" under "host", so that strangers are told apart',
      );
    }
    return client;
  }

  /** Takes a stranger in as the newest. */
  #enter(guest: Guest, ms: number): void {
    const going = this.#line.add(guest, guest.address);
    this.#expect(guest, ms);
    if (going !== undefined) this.#cut(going.item, going.bound === 'all' ? 'room' : 'address');
    this.#cancelSweep ??= this.#options.clock.after(STRANGER_LIMITS.sweepMs, () => this.#sweep());
  }

  #expect(guest: Guest, ms: number): void {
    guest.until = this.#now() + ms;
  }

  #sweep(): void {
    this.#cancelSweep = undefined;
    const now = this.#now();
    for (const guest of this.#line) if (now >= guest.until) this.#cut(guest, 'slow');
    if (this.#line.size > 0)
      this.#cancelSweep ??= this.#options.clock.after(STRANGER_LIMITS.sweepMs, () => this.#sweep());
  }

  #cut(guest: Guest, why: TurnedAway): void {
    this.#line.delete(guest);
    guest.socket.destroy();
    this.#turnedAway(why);
  }

  #gone(guest: Guest): void {
    this.#guests.delete(guest.socket);
    this.#line.delete(guest);
    this.#doorstep.delete(guest);
    this.#bodies.delete(guest);
    this.#forgetToken(guest);
  }

  #forgetToken(guest: Guest): void {
    if (guest.token === undefined) return;
    const left = (this.#perToken.get(guest.token) ?? 1) - 1;
    if (left === 0) this.#perToken.delete(guest.token);
    else this.#perToken.set(guest.token, left);
    guest.token = undefined;
    this.#known--;
  }

  /** Browsers open connections in advance and leave them, so those that were only slow are counted and not logged. */
  #turnedAway(why: TurnedAway): void {
    this.#turned[why].value++;
    const now = this.#now();
    if (why === 'slow' || now < this.#quietUntil) return;
    this.#quietUntil = now + SAY_EVERY_MS;
    this.#options.log.warn({ ...this.counts() }, REASONS[why]);
  }

  #now(): number {
    const { clock } = this.#options;
    return clock.elapsed?.() ?? clock.now();
  }
}

const REASONS: Readonly<Record<TurnedAway, string>> = {
  room: 'too many connections without a token: the oldest are cut',
  address: 'one address has too many connections without a token: its oldest are cut',
  slow: 'a connection without a token took too long',
  requests: 'one address sends too many requests without a token: they are refused',
  wrong_tokens: 'one address tries many wrong tokens: they are refused',
  bodies: 'too many bodies without a token at once: the oldest are cut',
  full: 'no room for another connection with a token: it is refused. Raise "ulimit -n" if that is the reason',
};
