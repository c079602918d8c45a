// The chat: conversations with people and agents, as the person whose token this tab holds. Without a token it shows
// how to get one.
import type { ReactNode } from 'react';
import './chat.css';
import './room/room.css';
import './room/notice.css';
import './room/question.css';
import './room/files.css';
import './composer/composer.css';
import './markdown/markdown.css';
import './search/search.css';
import './guide/guide.css';
import { ChatProvider } from './context.tsx';
import { ChatPage } from './page.tsx';
import { loadParser } from './markdown/load-parser.ts';
import { PersonSignIn } from './who/sign-in.tsx';

// Beside the connection, so that it is here with the first messages.
loadParser();

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
      <ChatPage token={token} onWhy={onWhy} />
    </ChatProvider>
  );
}
