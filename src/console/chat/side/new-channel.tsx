// Creates a channel from a name. If it exists already, it is opened.
import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { useChatClient } from '../context.tsx';
import { WEB_NAME_CHARS } from '../limits.ts';
import { chatWords } from '../wire/refusal.ts';
import { Problem } from '../../ui/problem.tsx';

interface NewChannelProps {
  done: (conversation: string) => void;
  close: () => void;
}

export function NewChannel({ done, close }: NewChannelProps): ReactNode {
  const client = useChatClient();
  const [name, setName] = useState('');
  const { busy, problem, onSubmit } = useSubmit(chatWords);
  const submit = onSubmit(async () => {
    const { id } = await client.create({ kind: 'channel', name: name.trim() });
    close();
    done(id);
  });
  return (
    <Dialog title="New channel" close={close}>
      <form className="stack" onSubmit={submit}>
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
        <Problem words={problem} />
        <div className="row">
          <Button type="submit" tone="primary" disabled={busy || name.trim() === ''}>
            Create channel
          </Button>
          <Button onClick={close}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
