// A question that must be answered first, in the browser's modal dialog.
import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from './button.tsx';

interface DialogProps {
  title: string;
  close: () => void;
  children: ReactNode;
}

export function Dialog({ title, close, children }: DialogProps): ReactNode {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => ref.current?.showModal(), []);
  return (
    <dialog ref={ref} className="dialog" aria-label={title} onClose={close}>
      <div className="row">
        <h2>{title}</h2>
        <Button tone="quiet" small onClick={close} aria-label="Close">
          ✕
        </Button>
      </div>
      {children}
    </dialog>
  );
}
