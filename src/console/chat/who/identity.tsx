// Shows who the person is in this tab, and lets them become somebody else, here or in another tab.
import { type ReactNode, useState } from 'react';
import type { WebPerson } from '../../../protocol/web-chat.ts';
import { useClient } from '../../api/context.tsx';
import { forgetTokens } from '../../page-tokens.ts';
import { Action, Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Face } from '../face.tsx';
import { becomeHere, becomeInNewTab, mintPerson } from './become.ts';
import { NewPerson } from './new-person.tsx';
import { TokenForm } from './sign-in.tsx';

interface IdentityProps {
  me: WebPerson;
  people: readonly WebPerson[];
  operator: boolean;
}

export function Identity({ me, people, operator }: IdentityProps): ReactNode {
  const [open, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <button type="button" className="identity" onClick={() => setOpen(true)} title="Who am I in this tab?">
        <Face author={{ ...me, kind: 'human' }} />
        <span className="identity-name">{me.name}</span>
        <span className="dim small">you, in this tab</span>
      </button>
      {open && (
        <Dialog title="Who are you in this tab?" close={close}>
          <p>
            You speak as <strong>{me.name}</strong> <span className="dim">(@{me.id})</span>.
          </p>
          {operator && <Others people={people.filter(({ id }) => id !== me.id)} />}
          {operator && (
            <section className="stack-close" aria-label="Somebody new">
              <h3>Somebody new</h3>
              <NewPerson done={close} />
            </section>
          )}
          <section className="stack-close" aria-label="With a token">
            <h3>With a token</h3>
            <TokenForm />
          </section>
          {!operator && (
            <Button tone="danger" onClick={signOut}>
              Sign out of this tab
            </Button>
          )}
        </Dialog>
      )}
    </>
  );
}

function signOut(): void {
  forgetTokens();
  location.reload();
}

function Others({ people }: { people: readonly WebPerson[] }): ReactNode {
  const client = useClient();
  if (people.length === 0) return null;
  return (
    <section className="stack-close" aria-label="Somebody who is here">
      <h3>Somebody who is here</h3>
      <ul className="stack-close">
        {people.map((person) => (
          <li key={person.id} className="row">
            <Face author={{ ...person, kind: 'human' }} />
            <span className="grow">{person.name}</span>
            <Action small act={async () => becomeHere(await mintPerson(client, person))}>
              Be {person.name} here
            </Action>
            <Action small act={async () => becomeInNewTab(await mintPerson(client, person))}>
              In a new tab
            </Action>
          </li>
        ))}
      </ul>
    </section>
  );
}
