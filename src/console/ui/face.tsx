// A picture for a person or an agent: initials in a colour that belongs to them, round for people, square for agents. A
// dot shows presence if it is known.
import type { ReactNode } from 'react';
import type { WebAuthor } from '../../protocol/web-chat.ts';

interface FaceProps {
  author: WebAuthor;
  connected?: boolean | undefined;
  size?: 'small' | 'large';
}

export function Face({ author, connected, size }: FaceProps): ReactNode {
  return (
    <span
      className="face"
      data-kind={author.kind}
      data-colour={colourOf(author)}
      data-small={size === 'small' ? '' : undefined}
      data-large={size === 'large' ? '' : undefined}
      aria-hidden="true"
    >
      {initialsOf(author.name)}
      {connected !== undefined && <span className="presence" data-on={connected ? '' : undefined} />}
    </span>
  );
}

/** As many colours as style/theme.css has. */
const COLOURS = 10;

/** A number from 0 to 9, from the id alone: the same in every browser, and after a change of the name. */
export function colourOf({ id, kind }: Pick<WebAuthor, 'id' | 'kind'>): number {
  let hash = 0;
  for (const char of `${kind}:${id}`) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) >>> 0;
  return hash % COLOURS;
}

/** "Ada Lovelace" is AL, "lead" is Le: one letter would be the same for too many. */
export function initialsOf(name: string): string {
  const [first = '', second = ''] = name.trim().split(/[\s._-]+/u);
  const letters = Array.from(first);
  const [head = '?', next = ''] =
    second === '' ? letters : [letters[0], Array.from(second)[0]?.toUpperCase()];
  return `${head.toUpperCase()}${next}`;
}
