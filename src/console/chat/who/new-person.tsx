// An operator can speak as anybody: this makes a token for a name and uses it here or in a new tab.
import { type ReactNode, useState } from 'react';
import { useClient } from '../../api/context.tsx';
import { Button } from '../../ui/button.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { WEB_NAME_CHARS } from '../limits.ts';
import { becomeHere, becomeInNewTab, mintPerson, personId } from './become.ts';
import { Problem } from '../../ui/problem.tsx';

export function NewPerson({ done }: { done?: () => void }): ReactNode {
  const client = useClient();
  const [name, setName] = useState('');
  const { busy, problem, run, onSubmit } = useSubmit();
  const id = personId(name);
  const become = (how: (token: string) => void) => async (): Promise<void> => {
    how(await mintPerson(client, { id, name: name.trim() }));
    done?.();
  };
  return (
    <form className="stack-close" onSubmit={onSubmit(become(becomeHere))}>
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
      <Problem words={problem} />
      <div className="row">
        <Button type="submit" tone="primary" disabled={busy || id === ''}>
          {id === '' ? 'Go on' : `Be ${name.trim()} here`}
        </Button>
        <Button disabled={busy || id === ''} onClick={() => void run(become(becomeInNewTab))}>
          In a new tab
        </Button>
      </div>
    </form>
  );
}
