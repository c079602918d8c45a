// Shows who the person is, and lets them sign out. A tab may be somebody else than the rest of the browser.
import { type ReactNode, useState } from 'react';
import type { WebPerson } from '../../../protocol/web-chat.ts';
import { useClient } from '../../api/context.tsx';
import { forgetPersonOfTab, forgetTokens, isOnlyThisTab, personOfBrowser } from '../../page-tokens.ts';
import { Action, Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Face } from '../../ui/face.tsx';
import { becomeHere, becomeInNewTab, mintPerson } from './become.ts';
import { NameForm } from './name-form.tsx';
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
  const elsewhere = isOnlyThisTab() && personOfBrowser() !== undefined;
  return (
    <>
      <button type="button" className="identity" onClick={() => setOpen(true)} title="Who you are here">
        <Face author={{ ...me, kind: 'human' }} />
        <span className="identity-name">{me.name}</span>
        <span className="dim small">{elsewhere ? 'you, in this tab only' : 'you'}</span>
      </button>
      {open && (
        <Dialog title="Who you are here" close={close}>
          <p>
            You speak as <strong>{me.name}</strong> <span className="dim">(@{me.id})</span>
            {elsewhere ? ' in this tab. Other tabs of this browser are somebody else.' : '.'}
          </p>
          <NameForm key={me.name} me={me} label="What others call you" asked={false} />
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
          <div className="row">
            {elsewhere && <Button onClick={leaveTab}>Stop being {me.name} here</Button>}
            <Button tone="danger" onClick={signOut}>
              Sign out of this browser
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

function leaveTab(): void {
  forgetPersonOfTab();
  location.reload();
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
