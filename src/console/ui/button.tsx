// A button, and a button that calls the host. That one is busy during the call and shows a failure beside it.
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { useSubmit } from './use-submit.ts';

export type Tone = 'plain' | 'primary' | 'danger' | 'quiet';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  tone?: Tone;
  small?: boolean;
}

export function Button({ tone = 'plain', small, ...rest }: ButtonProps): ReactNode {
  return (
    <button
      type="button"
      className="button"
      data-tone={tone}
      data-small={small === true ? '' : undefined}
      {...rest}
    />
  );
}

interface ActionProps extends Omit<ButtonProps, 'onClick'> {
  act: () => Promise<unknown>;
  /** Called after success. */
  done?: () => void;
}

export function Action({ act, done, children, disabled, ...rest }: ActionProps): ReactNode {
  const { busy, problem, run } = useSubmit();
  const begin = (): void =>
    void run(async () => {
      await act();
      done?.();
    });
  return (
    <>
      <Button {...rest} disabled={disabled === true || busy} aria-busy={busy} onClick={begin}>
        {children}
      </Button>
      {problem !== undefined && (
        <span className="note small" data-tone="error" role="alert">
          {problem}
        </span>
      )}
    </>
  );
}
