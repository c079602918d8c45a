// A load balancer without sticky sessions: every connection goes to any node that takes it.
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Random } from '../../../src/runtime/random.ts';

export class Balancer {
  readonly #ports: () => readonly number[];
  readonly #random: Random;
  readonly #resends: boolean;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(ports: () => readonly number[], random: Random, resends: boolean) {
    this.#ports = ports;
    this.#random = random;
    this.#resends = resends;
    this.#server = createServer((client) => {
      this.#keep(client);
      void this.#pass(client);
    });
  }

  /** `ports`: asked for each connection. `resends`: what a node has not answered at all goes to the next one, as `proxy_next_upstream` of nginx does it. */
  static async over(ports: () => readonly number[], random: Random, resends = false): Promise<Balancer> {
    const balancer = new Balancer(ports, random, resends);
    balancer.#server.listen(0, '127.0.0.1');
    await once(balancer.#server, 'listening');
    return balancer;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the balancer does not listen');
    return `http://127.0.0.1:${address.port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #pass(client: Socket): Promise<void> {
    const ports = this.#ports();
    const first = Math.floor(this.#random.next() * ports.length);
    const asked: Buffer[] = [];
    let upstream: Socket | undefined;
    client.on('data', (data) => {
      asked.push(data);
      upstream?.write(data);
    });
    for (let nth = 0; nth < ports.length && !client.destroyed; nth++) {
      const next = connect(ports[(first + nth) % ports.length] ?? 0, '127.0.0.1');
      this.#keep(next);
      client.on('close', () => next.destroy());
      const taken = await once(next, 'connect').then(
        () => true,
        () => false,
      );
      if (!taken) continue;
      upstream = next;
      for (const data of asked) upstream.write(data);
      upstream.on('data', (data) => client.write(data));
      await new Promise((resolve) => next.once('close', resolve));
      if (!this.#resends || upstream.bytesRead > 0) break;
    }
    client.destroy();
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true).on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
  }
}
