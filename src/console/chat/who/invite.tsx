// Invites somebody: a name becomes a person, and a link that signs them in. The link is shown once.
import { type ReactNode, useRef, useState } from 'react';
import { useClient } from '../../api/context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { useChatClient, useChatState } from '../context.tsx';
import { PERSON_CHARS } from '../limits.ts';
import { chatWords } from '../wire/refusal.ts';
import { mintPerson, personId } from './become.ts';
import { Problem } from '../../ui/problem.tsx';

type Make = (name: string) => Promise<string>;

/** Operators make the token over HTTP. Others ask the chat, if the settings let everybody invite. */
export function Invite({ operator, close }: { operator: boolean; close: () => void }): ReactNode {
  return operator ? <AsOperator close={close} /> : <AsPerson close={close} />;
}

function AsOperator({ close }: { close: () => void }): ReactNode {
  const client = useClient();
  const { people } = useChatState();
  const make: Make = async (name) => {
    const id = personId(name);
    if (id === '') throw new Error('Write a name with at least one letter from a to z, or a digit.');
    if (people.has(id)) throw new Error(`Somebody here has the id "${id}": choose another name.`);
    return mintPerson(client, { id, name });
  };
  return <InviteDialog make={make} close={close} />;
}

function AsPerson({ close }: { close: () => void }): ReactNode {
  const client = useChatClient();
  return <InviteDialog make={(name) => client.invite(name)} close={close} />;
}

function InviteDialog({ make, close }: { make: Make; close: () => void }): ReactNode {
  const [name, setName] = useState('');
  const [link, setLink] = useState<string>();
  const { busy, problem, onSubmit } = useSubmit(chatWords);
  const submit = onSubmit(async () => {
    const token = await make(name.trim());
    setLink(`${location.origin}${location.pathname}#person=${encodeURIComponent(token)}`);
  });
  return (
    <Dialog title="Invite somebody" close={close}>
      {link === undefined ? (
        <form className="stack" onSubmit={submit}>
          <label className="field">
            <span>Their name</span>
            <input
              className="input"
              value={name}
              maxLength={PERSON_CHARS}
              placeholder="Ada"
              autoComplete="off"
              onChange={(event) => setName(event.target.value)}
            />
          </label>
          <p className="dim small">Others see this name. They can change it themselves.</p>
          <Problem words={problem} />
          <div className="row">
            <Button type="submit" tone="primary" disabled={busy || name.trim() === ''}>
              Make a link
            </Button>
            <Button onClick={close}>Cancel</Button>
          </div>
        </form>
      ) : (
        <InviteLink name={name.trim()} link={link} close={close} />
      )}
    </Dialog>
  );
}

function InviteLink({ name, link, close }: { name: string; link: string; close: () => void }): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    field.current?.select();
    // Browsers offer the clipboard only over https and on this machine. The link is selected either way.
    try {
      await navigator.clipboard.writeText(link);
      setCopied(true);
    } catch {
      setCopied(false);
    }
  };
  return (
    <div className="stack">
      <label className="field">
        <span>A link for {name}</span>
        <input
          ref={field}
          className="input mono"
          readOnly
          value={link}
          onFocus={(event) => event.target.select()}
        />
      </label>
      <p className="dim small">
        It signs in whoever has it, and is not shown again. Send it to {name} alone, not in this chat.
      </p>
      {isLoopback(location.hostname) && (
        <p className="note small">
          It works on this computer only, as this page is open at {location.host}. Open the page at the
          address that others use, then invite.
        </p>
      )}
      <div className="row">
        <Button tone="primary" autoFocus onClick={() => void copy()}>
          {copied ? 'Copied' : 'Copy the link'}
        </Button>
        <Button onClick={close}>Done</Button>
        <span className="hidden" role="status">
          {copied ? 'The link is copied.' : ''}
        </span>
      </div>
    </div>
  );
}

function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || name.startsWith('127.');
}
