// Between a store and the database: passes everything on, and on demand loses a connection at the worst moment, when a
// commit is on its way.
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * What becomes of the next commit. `answer_lost`: the database makes it, and the connection is cut before the answer.
 * `at_once`: it is sent, and the connection is cut at the same time. `not_sent`: the connection is cut first. `late`: the
 * connection is cut, and the commit reaches the database only when `deliver` is called. `unanswered`: the database makes it,
 * and the connection is cut only when `deliver` is called.
 */
export type Cut = 'answer_lost' | 'at_once' | 'not_sent' | 'late' | 'unanswered';

export class CuttingProxy {
  readonly #target: URL;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #next: { cut: Cut; at: string } | undefined;
  #late: (() => Promise<string>) | undefined;
  cuts = 0;
  #refuses = false;
  /** What nodes tell each other by NOTIFY does not arrive. */
  swallowsNotifications = false;
  swallowed = 0;
  /** Statements that were sent to the database: extended ones, and simple ones such as BEGIN. */
  sent = { extended: 0, simple: 0 };

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((client) => this.#pass(client));
  }

  static async to(target: string): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the proxy does not listen');
    const url = new URL(this.#target);
    url.port = String(address.port);
    return url.href;
  }

  /** `at`: the commit is what has this in it. With a transaction open that is its end. */
  cutNext(cut: Cut, at: CommitMark = COMMIT_MARK.call): void {
    this.#next = { cut, at };
  }

  /** Lets the late commit arrive, or cuts the unanswered connection. Resolves with what the database said. */
  deliver(): Promise<string> {
    if (this.#late === undefined) throw new Error('nothing is late');
    return this.#late();
  }

  /** From now on every connection is cut at once, until `accept`. */
  refuse(): void {
    this.#refuses = true;
  }

  accept(): void {
    this.#refuses = false;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #pass(client: Socket): void {
    if (this.#refuses) {
      client.destroy();
      return;
    }
    const server = connect(Number(this.#target.port), this.#target.hostname);
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined).setNoDelay(true);
    }
    const told = notificationFilter(
      (data) => client.write(data),
      () => this.swallowed++,
    );
    server
      .on('data', (data) => (this.swallowsNotifications ? told(data) : client.write(data)))
      .on('close', () => client.destroy());
    client.on('close', () => server.end());
    const count = messageCounter((type) => {
      if (type === 'S') this.sent.extended++;
      if (type === 'Q') this.sent.simple++;
    });
    client.on('data', (data) => {
      count(data);
      if (this.#next !== undefined && data.includes(this.#next.at))
        this.#cut(this.#next.cut, data, client, server);
      else server.write(data);
    });
  }

  #cut(cut: Cut, data: Buffer, client: Socket, server: Socket): void {
    this.#next = undefined;
    this.cuts++;
    client.removeAllListeners('close');
    if (cut === 'unanswered') {
      this.#late = unanswered(data, client, server);
      return;
    }
    if (cut !== 'answer_lost') client.destroy();
    if (cut === 'not_sent') {
      server.destroy();
      return;
    }
    const send = async (): Promise<string> => {
      let said = '';
      server.removeAllListeners('data').on('data', (answer) => {
        said += answer.toString('latin1');
        if (!said.includes(IDLE)) return;
        client.destroy();
        server.end();
      });
      server.write(data);
      await once(server, 'close');
      return said;
    };
    if (cut === 'late') this.#late = send;
    else void send();
  }
}

/** Sends the commit and keeps the answer back. Returns how to cut the connection. */
function unanswered(data: Buffer, client: Socket, server: Socket): () => Promise<string> {
  let said = '';
  server
    .removeAllListeners('data')
    .on('data', (answer) => {
      said += answer.toString('latin1');
    })
    .write(data);
  return async () => {
    client.destroy();
    server.end();
    if (!server.closed) await once(server, 'close');
    return said;
  };
}

/** The database is ready for the next statement, and in no transaction. */
const IDLE = 'Z\0\0\0\x05I';

/** The name of the prepared statement that commits, or the end of a transaction. */
export const COMMIT_MARK = { call: '\0commit_1\0', end: 'COMMIT\0' } as const;
export type CommitMark = (typeof COMMIT_MARK)[keyof typeof COMMIT_MARK];

/** Tells the type of every message. The first one of a connection has none. */
function messageCounter(tell: (type: string) => void): (data: Buffer) => void {
  let rest = Buffer.alloc(0);
  let isFirst = true;
  return (data) => {
    rest = Buffer.concat([rest, data]);
    for (;;) {
      const head = isFirst ? 0 : 1;
      if (rest.length < head + 4) return;
      const end = head + rest.readInt32BE(head);
      if (rest.length < end) return;
      if (!isFirst) tell(String.fromCharCode(rest[0] ?? 0));
      isFirst = false;
      rest = rest.subarray(end);
    }
  };
}

/** Passes every message of the server on but notifications. */
function notificationFilter(pass: (data: Buffer) => void, swallow: () => void): (data: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (data) => {
    rest = Buffer.concat([rest, data]);
    while (rest.length >= 5) {
      const end = 1 + rest.readInt32BE(1);
      if (rest.length < end) return;
      if (rest[0] === NOTIFICATION) swallow();
      else pass(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
  };
}

const NOTIFICATION = 'A'.charCodeAt(0);
