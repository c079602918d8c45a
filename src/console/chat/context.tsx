// Gives every component below it the state and the actions of this tab's chat.
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import type { ChatState } from './state/state.ts';
import { ChatClient } from './wire/client.ts';

const ChatContext = createContext<ChatClient | undefined>(undefined);

export function ChatProvider({ token, children }: { token: string; children: ReactNode }): ReactNode {
  const [client] = useState(() => new ChatClient({ url: chatUrl(), token, wake: window }));
  useEffect(() => {
    client.start();
    return () => client.stop();
  }, [client]);
  return <ChatContext value={client}>{children}</ChatContext>;
}

function chatUrl(): string {
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

export function useChatState(): ChatState {
  const client = useChatClient();
  return useSyncExternalStore(client.subscribe, client.state);
}
