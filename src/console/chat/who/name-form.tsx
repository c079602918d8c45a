// Where a person says what others shall call them: once when nobody has chosen a name yet, and any time later.
import type { ReactNode } from 'react';
import type { WebPerson } from '../../../protocol/web-chat.ts';
import { useChatClient, useChatState } from '../context.tsx';
import { PERSON_CHARS } from '../limits.ts';
import { OneLineForm } from '../one-line-form.tsx';

interface NameFormProps {
  me: WebPerson;
  label: string;
  /** The question goes away when it is answered, also with the name that is there. */
  asked: boolean;
}

export function NameForm({ me, label, asked }: NameFormProps): ReactNode {
  const client = useChatClient();
  return (
    <OneLineForm
      label={label}
      first={me.name}
      act={(name) => (asked && name === me.name ? `Keep ${me.name}` : 'Save the name')}
      ready={(name) => name !== '' && (asked || name !== me.name)}
      run={(name) => client.rename(name)}
      maxLength={PERSON_CHARS}
      autoComplete="nickname"
    />
  );
}

/** Asked in the page, not over it: the chat goes on meanwhile. */
export function AskName(): ReactNode {
  const { me } = useChatState();
  if (me?.unnamed !== true) return null;
  return (
    <section className="ask-name" aria-label="Your name">
      <NameForm me={me} label="What shall others call you?" asked />
    </section>
  );
}
