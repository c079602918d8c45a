// The chat: conversations with people and agents, as the person whose token this tab holds. Without a token it shows
// how to get one.
import type { ReactNode } from 'react';
import './chat.css';
import './room/room.css';
import './composer/composer.css';
import './guide/guide.css';
import { ChatProvider } from './context.tsx';
import { ChatPage } from './page.tsx';
import { PersonSignIn } from './who/sign-in.tsx';

export interface ChatProps {
  /** The person's token. Undefined when an operator looks without one. */
  token: string | undefined;
  /** Opens the panel that explains a decision. Missing for people who may not see it. */
  onWhy?: (eventId: string, agent?: string) => void;
}

export function Chat({ token, onWhy }: ChatProps): ReactNode {
  if (token === undefined) return <PersonSignIn operator={onWhy !== undefined} />;
  return (
    <ChatProvider key={token} token={token}>
      <ChatPage onWhy={onWhy} />
    </ChatProvider>
  );
}
