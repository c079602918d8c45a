// For a tab without a person: asks for a person's token, or for a name if an operator can make a token.
import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { becomeHere } from './become.ts';
import { NewPerson } from './new-person.tsx';
import { Problem } from '../../ui/problem.tsx';

export function PersonSignIn({
  operator,
  problem,
}: {
  operator: boolean;
  problem?: string | undefined;
}): ReactNode {
  return (
    <section className="chat-sign-in" aria-label="Chat">
      <div className="card">
        <h1>Who are you here?</h1>
        <Problem words={problem} />
        {operator && <NewPerson />}
        <TokenForm />
        <p className="dim small">
          A person’s token is made by the operator, and goes with a name:{' '}
          <code>npx earshot token create --kind person --subject ada --label Ada</code>
        </p>
      </div>
    </section>
  );
}

const TOKEN = /^[\w.~+/=-]{8,256}$/;

export function TokenForm(): ReactNode {
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState<string>();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // A pasted link is accepted too. The token is taken out of it.
    const given = /[#&?]person=([^&\s]+)/.exec(token)?.[1] ?? token.trim();
    if (TOKEN.test(given)) becomeHere(given);
    else setProblem('This is no token. Copy all of it, without quotes or spaces.');
  };
  return (
    <form className="stack-close" onSubmit={submit}>
      <label className="field">
        <span>A person’s token</span>
        <input
          className="input mono"
          type="password"
          autoComplete="off"
          value={token}
          placeholder="ear_…"
          onChange={(event) => setToken(event.target.value)}
        />
      </label>
      <Problem words={problem} />
      <div className="row">
        <Button type="submit" disabled={token.trim() === ''}>
          Sign in with the token
        </Button>
      </div>
    </form>
  );
}
