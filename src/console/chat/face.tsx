// A picture for a person or an agent: the first letter, round for people, square for agents. A dot shows presence if it
// is known.
import type { ReactNode } from 'react';
import type { WebAuthor } from '../../protocol/web-chat.ts';

export function Face({
  author,
  connected,
}: {
  author: WebAuthor;
  connected?: boolean | undefined;
}): ReactNode {
  const letter = Array.from(author.name.trim())[0]?.toUpperCase() ?? '?';
  return (
    <span className="face" data-kind={author.kind} aria-hidden="true">
      {letter}
      {connected !== undefined && <span className="presence" data-on={connected ? '' : undefined} />}
    </span>
  );
}
