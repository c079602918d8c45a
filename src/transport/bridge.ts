// Joins two transports: copies frames both ways and closes both together. `earshot connect --stdio` uses it between
// standard streams and a WebSocket. It never looks into a frame, so it works with every version of the protocol.
import { type CloseReason, listen, TRANSPORT_LIMITS, type Transport, TransportClosed } from './transport.ts';

/** With more bytes than this waiting on one side, that side counts as gone. A transport cannot pause its sender. */
const UNREAD_BYTES = 4 * TRANSPORT_LIMITS.bufferedBytes;

/** Starts both; resolves once both are closed, with the first reason, and never rejects. */
export async function bridge(
  a: Transport,
  b: Transport,
  onError: (error: Error) => void = ignore,
): Promise<CloseReason> {
  const toB = pipe(b, onError);
  const toA = pipe(a, onError);
  const ends = [join(a, b, toB, onError), join(b, a, toA, onError)];
  // Starts the far side first, so that every frame read here can be passed on.
  await begin(b);
  toB.open();
  await begin(a);
  toA.open();
  const reason = await Promise.race(ends);
  await Promise.all(ends);
  return reason;
}

interface Pipe {
  forward: (frame: string) => void;
  /** Releases the frames that came before the target was started. */
  open: () => void;
}

function pipe(to: Transport, onError: (error: Error) => void): Pipe {
  let held: string[] | undefined = [];
  return {
    forward: (frame) => (held === undefined ? forward(frame, to, onError) : held.push(frame)),
    open: () => {
      const waiting = held ?? [];
      held = undefined;
      for (const frame of waiting) forward(frame, to, onError);
    },
  };
}

function join(
  from: Transport,
  to: Transport,
  { forward: onmessage }: Pipe,
  onerror: (error: Error) => void,
): Promise<CloseReason> {
  const { promise, resolve } = Promise.withResolvers<CloseReason>();
  const onclose = (reason: CloseReason): void => {
    resolve(reason);
    to.close(reason);
  };
  listen(from, { onmessage, onerror, onclose });
  return promise;
}

function forward(frame: string, to: Transport, onError: (error: Error) => void): void {
  try {
    to.send(frame);
  } catch (error) {
    if (error instanceof TransportClosed) return;
    onError(error instanceof Error ? error : new Error('a frame could not be copied', { cause: error }));
    to.close('too_large');
    return;
  }
  if (to.buffered <= UNREAD_BYTES) return;
  onError(new Error(`${to.buffered} bytes are left unread: the connection is cut`));
  to.close('lost');
}

/** A failed start has closed the transport. The other end hears of that close. */
async function begin(transport: Transport): Promise<void> {
  try {
    await transport.start();
  } catch (error) {
    if (!(error instanceof TransportClosed)) throw error;
  }
}
function ignore(): void {}
