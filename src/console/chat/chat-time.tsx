// The time of a message in hours and minutes. The day stands between the messages.
import type { ReactNode } from 'react';

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hour12: false });

export function ChatTime({ at, short }: { at: string; short?: boolean }): ReactNode {
  return (
    <time
      className={short === true ? 'time short' : 'time'}
      dateTime={at}
      title={new Date(at).toLocaleString()}
    >
      {CLOCK.format(new Date(at))}
    </time>
  );
}
