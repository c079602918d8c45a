// Chooses for which messages of a room the browser tells the person. The browser is asked for permission only by a
// click.
import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { NOTIFY, type Notify, useNotifyChoice } from './choice.ts';

const WORDS: Readonly<Record<Notify, string>> = {
  all: 'All messages',
  mentions: 'Mentions and direct messages',
  nothing: 'Nothing',
};

export function NotifyChoice({ person, room }: { person: string; room: string }): ReactNode {
  const [choice, choose] = useNotifyChoice(person, room);
  return (
    <fieldset className="choices stack-close">
      <legend>Notify me about</legend>
      {NOTIFY.map((one) => (
        <label key={one} className="row">
          <input type="radio" name="notify" checked={one === choice} onChange={() => choose(one)} />
          {WORDS[one]}
        </label>
      ))}
      <Permission />
    </fieldset>
  );
}

function Permission(): ReactNode {
  const [permission, setPermission] = useState(() =>
    'Notification' in window ? Notification.permission : undefined,
  );
  if (permission === 'granted') return <p className="dim small">In this browser, for what you do not see.</p>;
  if (permission === 'default')
    return (
      <p>
        <Button onClick={() => void Notification.requestPermission().then(setPermission)}>
          Turn on notifications in this browser
        </Button>
      </p>
    );
  return (
    <p className="dim small">
      {permission === 'denied'
        ? 'This browser blocks notifications from here. Allow them in its settings for this page.'
        : 'This browser has no notifications here. It needs https, or this machine’s own address.'}
    </p>
  );
}
