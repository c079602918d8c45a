// The floor of the stream bench: a WebSocket server that sends every frame back, in a process of its own.
import { WebSocketServer } from 'ws';

const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
server.on('connection', (socket) => socket.on('message', (data) => socket.send(data, { binary: false })));
server.on('listening', () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  process.send?.({ port, readyMs: 0, openMs: 0 });
});
process.on('message', (message) => {
  if ((message as { type: string }).type === 'stop') process.exit(0);
});
process.on('disconnect', () => process.exit(0));
