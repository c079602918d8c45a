// A line between a client and the host that a test can cut: a plain TCP relay on loopback. Cutting it loses whatever was
// under way, as a network does.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { WireHost } from './host.ts';

export interface Line {
  url: string;
  /** Ends every open connection. New ones are relayed as before. */
  cut(): void;
}

export async function lineTo(wire: WireHost): Promise<Line> {
  const sockets = new Set<Socket>();
  const port = Number(new URL(wire.url).port);
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far);
    far.pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  wire.finished(() => {
    cut();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, cut };
}
