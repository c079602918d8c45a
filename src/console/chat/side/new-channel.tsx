// Creates a channel from a name. If it exists already, it is opened.
import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useChatClient } from '../context.tsx';
import { WEB_NAME_CHARS } from '../limits.ts';
import { chatWords } from '../wire/refusal.ts';

interface NewChannelProps {
  done: (conversation: string) => void;
  close: () => void;
}

export function NewChannel({ done, close }: NewChannelProps): ReactNode {
  const client = useChatClient();
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      const { id } = await client.create({ kind: 'channel', name: name.trim() });
      close();
      done(id);
    } catch (error) {
      setProblem(chatWords(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title="New channel" close={close}>
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <label className="field">
          <span>Name</span>
          <input
            className="input"
            value={name}
            maxLength={WEB_NAME_CHARS}
            placeholder="releases"
            autoComplete="off"
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <p className="dim small">
          Everybody here can read and write in a channel. Agents listen where the configuration binds them.
        </p>
        {problem !== undefined && (
          <p className="note" data-tone="error" role="alert">
            {problem}
          </p>
        )}
        <div className="row">
          <Button type="submit" tone="primary" disabled={busy || name.trim() === ''}>
            Make it
          </Button>
          <Button onClick={close}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
