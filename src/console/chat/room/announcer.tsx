// The newest message of somebody else, said to whoever listens to the page instead of looking at it.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useChatState } from '../context.tsx';

export function Announcer({ conversation }: { conversation: string }): ReactNode {
  const { rooms, me } = useChatState();
  const room = rooms.get(conversation);
  const last = room?.opened === true ? room.held.at(-1)?.message : undefined;
  const known = useRef<string | undefined>(undefined);
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (last === undefined || last.eventId === known.current) return;
    // What was there when the conversation was opened is read by whoever goes there.
    const first = known.current === undefined;
    known.current = last.eventId;
    if (!first && last.author.id !== me?.id) setSaid(`${last.author.name}: ${last.text}`);
  }, [last, me]);
  return (
    <p className="hidden" aria-live="polite">
      {said}
    </p>
  );
}
