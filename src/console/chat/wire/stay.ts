// One connection after another, for as long as somebody wants to be connected. Only a token that is no good ends it.
import type { ChatNews } from '../state/state.ts';
import { type Pace, pause } from './pause.ts';
import { ChatRefusal } from './refusal.ts';
import { type ChatSocket, openSocket } from './socket.ts';

export interface StayOptions {
  url: string;
  pace: Pace;
  wake: EventTarget | undefined;
  hear: (news: ChatNews) => void;
  /** Signs in on a new connection; throws what the host said. */
  greet: (socket: ChatSocket) => Promise<void>;
  /** This connection is no more. */
  ended: (socket: ChatSocket | undefined) => void;
  /** There is none now, and there will be again. */
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

/** One connection, to its end. What is given back ends them all: only another token helps. */
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
    // Anything else may pass: the next attempt will tell.
  } finally {
    ended(socket);
  }
  return undefined;
}
