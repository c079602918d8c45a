// An operator can speak as anybody: this makes a token for a name and uses it here or in a new tab.
import { type FormEvent, type ReactNode, useState } from 'react';
import { wordsOf } from '../../api/error.ts';
import { useClient } from '../../api/context.tsx';
import { Button } from '../../ui/button.tsx';
import { WEB_NAME_CHARS } from '../limits.ts';
import { becomeHere, becomeInNewTab, mintPerson, personId } from './become.ts';

export function NewPerson({ done }: { done?: () => void }): ReactNode {
  const client = useClient();
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const id = personId(name);
  const become = async (how: (token: string) => void): Promise<void> => {
    if (id === '') return setProblem('Write a name with at least one letter from a to z, or a digit.');
    setBusy(true);
    setProblem(undefined);
    try {
      how(await mintPerson(client, { id, name: name.trim() }));
      done?.();
    } catch (error) {
      setProblem(wordsOf(error));
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void become(becomeHere);
  };
  return (
    <form className="stack-close" onSubmit={submit}>
      <label className="field">
        <span>Your name</span>
        <input
          className="input"
          value={name}
          maxLength={WEB_NAME_CHARS}
          autoComplete="off"
          placeholder="Ada"
          onChange={(event) => setName(event.target.value)}
        />
      </label>
      {problem !== undefined && (
        <p className="note" data-tone="error" role="alert">
          {problem}
        </p>
      )}
      <div className="row">
        <Button type="submit" tone="primary" disabled={busy || name.trim() === ''}>
          {id === '' ? 'Be them in this tab' : `Be ${name.trim()} in this tab`}
        </Button>
        <Button disabled={busy || name.trim() === ''} onClick={() => void become(becomeInNewTab)}>
          In a new tab
        </Button>
      </div>
    </form>
  );
}
