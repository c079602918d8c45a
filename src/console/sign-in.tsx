// For somebody without a token: how to get one, and a field for it. The token is tried before it is stored.
import { type FormEvent, type ReactNode, useState } from 'react';
import { createClient } from './api/client.ts';
import { wordsOf } from './api/error.ts';
import { becomeHere } from './chat/who/become.ts';
import { parseRoute } from './route.ts';
import { Brand } from './shell/brand.tsx';
import { Button } from './ui/button.tsx';
import { Problem } from './ui/problem.tsx';

interface SignInProps {
  signIn: (token: string) => void;
  /** What is wrong with the token that is here. */
  problem?: string;
}

export function SignIn({ signIn, problem: first }: SignInProps): ReactNode {
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState(first);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isPersonal(token.trim())) {
      becomeHere(token.trim());
      return;
    }
    setBusy(true);
    setProblem(undefined);
    try {
      await createClient(token.trim()).get('/v1/agents');
      signIn(token.trim());
    } catch (error) {
      setProblem(wordsOf(error));
      setBusy(false);
    }
  };
  return (
    <main className="sign-in">
      <form onSubmit={(event) => void submit(event)}>
        <Brand />
        <h1>Sign in</h1>
        {isMessageLink() && (
          <p className="note">
            This link leads to a message. Open your own invitation in this browser once; from then on such
            links just open.
          </p>
        )}
        <p className="dim">
          With an operator’s token you see everything, with a person’s the chat. The host prints a link to
          this page with both in it when it starts. To make another token, run in its folder:
        </p>
        <code>npx earshot token create --kind operator --subject me</code>
        <label className="field">
          <span>Token</span>
          <input
            className="input mono"
            type="password"
            autoComplete="off"
            placeholder="ear_…"
            value={token}
            onChange={(event) => setToken(event.target.value)}
          />
        </label>
        <Problem words={problem} />
        <Button type="submit" tone="primary" disabled={busy || token.trim() === ''}>
          {busy ? 'Asking the host…' : 'Sign in'}
        </Button>
      </form>
    </main>
  );
}

function isMessageLink(): boolean {
  return parseRoute(location.hash).query.has('message');
}

/** Recognized by its prefix. The chat says what is wrong with it, if anything. */
function isPersonal(token: string): boolean {
  return token.startsWith('ear_p_');
}
