// Gives every component below it the state and the actions of this tab's chat.
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { Trays } from './composer/tray.ts';
import type { ChatState } from './state/state.ts';
import { ChatClient } from './wire/client.ts';

const ChatContext = createContext<ChatClient | undefined>(undefined);
const TraysContext = createContext<Trays | undefined>(undefined);

export function ChatProvider({ token, children }: { token: string; children: ReactNode }): ReactNode {
  const [trays] = useState(() => new Trays(token));
  const [client] = useState(() => new ChatClient({ url: chatUrl(), token, wake: window, files: trays }));
  useEffect(() => {
    client.start();
    return () => client.stop();
  }, [client]);
  return (
    <ChatContext value={client}>
      <TraysContext value={trays}>{children}</TraysContext>
    </ChatContext>
  );
}

export function chatUrl(): string {
  const url = new URL('/web', location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.hash = '';
  return url.href;
}

export function useChatClient(): ChatClient {
  const client = useContext(ChatContext);
  if (client === undefined) throw new Error('only whoever is signed in gets here');
  return client;
}

/** The files that are about to be sent. */
export function useTrays(): Trays {
  const trays = useContext(TraysContext);
  if (trays === undefined) throw new Error('only whoever is signed in gets here');
  return trays;
}

export function useChatState(): ChatState {
  const client = useChatClient();
  return useSyncExternalStore(client.subscribe, client.state);
}
