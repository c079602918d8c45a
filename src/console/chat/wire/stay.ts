// Makes one connection after another until it is aborted. Only a token that the host refuses ends it earlier.
import type { ChatNews } from '../state/state.ts';
import { type Pace, pause } from './pause.ts';
import { ChatRefusal } from './refusal.ts';
import { type ChatSocket, openSocket } from './socket.ts';

export interface StayOptions {
  url: string;
  pace: Pace;
  wake: EventTarget | undefined;
  hear: (news: ChatNews) => void;
  /** Signs in on a new connection. Throws the host's refusal. */
  greet: (socket: ChatSocket) => Promise<void>;
  /** Called when a connection has ended. */
  ended: (socket: ChatSocket | undefined) => void;
  /** Called when there is no connection for now. */
  lost: () => void;
  refused: (refusal: ChatRefusal) => void;
}

export async function stayConnected(signal: AbortSignal, options: StayOptions): Promise<void> {
  for (let failures = 0; !signal.aborted; failures++) {
    const refusal = await once(signal, options, () => (failures = 0));
    if (signal.aborted) return;
    if (refusal !== undefined) return options.refused(refusal);
    options.lost();
    await pause(options.pace(failures), signal, options.wake);
  }
}

/** Runs one connection to its end. A returned refusal means that only another token helps. */
async function once(
  signal: AbortSignal,
  { url, hear, greet, ended }: StayOptions,
  greeted: () => void,
): Promise<ChatRefusal | undefined> {
  let socket: ChatSocket | undefined;
  try {
    socket = await openSocket(url, hear);
    signal.addEventListener('abort', socket.close, { once: true });
    if (signal.aborted) socket.close();
    await greet(socket);
    greeted();
    await socket.closed;
  } catch (error) {
    if (error instanceof ChatRefusal && (error.why === 'unauthorized' || error.why === 'forbidden'))
      return error;
    // Anything else may be temporary, so the next attempt decides.
  } finally {
    ended(socket);
  }
  return undefined;
}
