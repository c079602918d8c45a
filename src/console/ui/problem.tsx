// What went wrong, beside what somebody has just done. Nothing as long as nothing did.
import type { ReactNode } from 'react';

export function Problem({ words, small }: { words: string | undefined; small?: boolean }): ReactNode {
  if (words === undefined) return null;
  return (
    <p className={small === true ? 'note small' : 'note'} data-tone="error" role="alert">
      {words}
    </p>
  );
}
