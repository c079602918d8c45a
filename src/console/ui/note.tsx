// Notes for empty, waiting and failed views.
import type { ReactNode } from 'react';
import { wordsOf } from '../api/error.ts';
import { Button } from './button.tsx';

export function Empty({ title, children }: { title: string; children?: ReactNode }): ReactNode {
  return (
    <div className="empty">
      <strong>{title}</strong>
      {children}
    </div>
  );
}

export function ErrorNote({ error, again }: { error: unknown; again?: () => void }): ReactNode {
  return (
    <div className="note" data-tone="error" role="alert">
      <span>{wordsOf(error)}</span>
      {again !== undefined && (
        <Button small onClick={again}>
          Try again
        </Button>
      )}
    </div>
  );
}

export function Waiting({ what }: { what: string }): ReactNode {
  return (
    <div className="empty" role="status">
      Reading {what}…
    </div>
  );
}
