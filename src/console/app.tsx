// The whole page. An operator sees everything, a person with their own token sees only the chat, and anybody else sees
// how to get a token.
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { OperatorProvider } from './api/context.tsx';
import { Chat } from './chat/index.tsx';
import { forgetTokens, keepTokens, onOtherTab, openPageTokens, type PageTokens } from './page-tokens.ts';
import { OtherToken } from './other-token.tsx';
import { Shell } from './shell/shell.tsx';
import { SignIn } from './sign-in.tsx';
import { OopsBoundary } from './ui/oops.tsx';

export function App({ first }: { first: PageTokens }): ReactNode {
  const [session, setSession] = useState(first);
  // Opening a second link with a token in the same tab only changes the fragment.
  useEffect(() => {
    const arrived = (): void => {
      if (/[#&?](?:operator|person)=/.test(location.hash)) setSession(openPageTokens());
    };
    window.addEventListener('hashchange', arrived);
    return () => window.removeEventListener('hashchange', arrived);
  }, []);
  useEffect(() => onOtherTab(() => setSession(openPageTokens())), []);
  const signIn = useCallback((operator: string) => {
    keepTokens({ operator, person: undefined });
    setSession((now) => ({ ...now, operator }));
  }, []);
  const decline = useCallback(() => setSession((now) => ({ ...now, offered: undefined })), []);
  const { operator, person, offered } = session;
  const take = useCallback(() => {
    if (offered === undefined) return;
    keepTokens({ operator: offered, person: undefined });
    setSession((now) => ({ ...now, operator: offered, offered: undefined }));
  }, [offered]);
  const signOut = useCallback(() => {
    forgetTokens();
    setSession({ operator: undefined, person: undefined });
  }, []);

  if (operator !== undefined && offered !== undefined)
    return <OtherToken current={operator} keep={decline} take={take} />;
  if (operator !== undefined) {
    return (
      <OperatorProvider key={operator} token={operator}>
        <Shell person={person} signIn={signIn} signOut={signOut} />
      </OperatorProvider>
    );
  }
  if (person !== undefined) {
    return (
      <div className="shell alone">
        <main className="main">
          <OopsBoundary key="chat">
            <Chat token={person} />
          </OopsBoundary>
        </main>
      </div>
    );
  }
  return <SignIn signIn={signIn} />;
}
