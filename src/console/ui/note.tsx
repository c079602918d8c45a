// Notes for empty, waiting and failed views.
import { type ReactNode, useState } from 'react';
import { ApiError, wordsOf } from '../api/error.ts';
import { Button } from './button.tsx';

interface EmptyProps {
  title: string;
  /** Drawn above the title. */
  icon?: ReactNode;
  /** A command that fills the view, to copy. */
  command?: string;
  /** The title is the heading of the whole view. */
  alone?: boolean;
  children?: ReactNode;
}

/** An empty place that teaches: what it is for, and how to fill it. */
export function Empty({ title, icon, command, alone, children }: EmptyProps): ReactNode {
  return (
    <div className="empty">
      {icon !== undefined && <span className="empty-icon">{icon}</span>}
      {alone === true ? <h1>{title}</h1> : <strong>{title}</strong>}
      {children}
      {command !== undefined && <CopyLine text={command} />}
    </div>
  );
}

/** A command line with a button that copies it. */
export function CopyLine({ text }: { text: string }): ReactNode {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <span className="copy-line">
      <code>{text}</code>
      <Button small tone="quiet" onClick={() => void copy()}>
        {copied ? 'Copied' : 'Copy'}
      </Button>
    </span>
  );
}

export function ErrorNote({ error, again }: { error: unknown; again?: () => void }): ReactNode {
  return (
    <div className="note" data-tone="error" role="alert">
      {/* Above every view it stands already what to do when the host is away. */}
      <span>
        {isAway(error) ? 'This could not be read, because the host does not answer.' : wordsOf(error)}
      </span>
      {again !== undefined && (
        <Button small onClick={again}>
          Try again
        </Button>
      )}
    </div>
  );
}

function isAway(error: unknown): boolean {
  return error instanceof ApiError && error.status === 0;
}

export function Waiting({ what }: { what: string }): ReactNode {
  return (
    <div className="empty" role="status">
      Reading {what}…
    </div>
  );
}
