// One line of text and a button: a name, or a name written once more to be sure.
import { type ReactNode, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { chatWords } from './wire/refusal.ts';

interface OneLineFormProps {
  label: string;
  first: string;
  /** What the button says about what is written. */
  act: (text: string) => string;
  ready: (text: string) => boolean;
  run: (text: string) => Promise<unknown>;
  maxLength: number;
  danger?: boolean;
  autoComplete?: string;
}

export function OneLineForm(props: OneLineFormProps): ReactNode {
  const { label, first, act, ready, run, maxLength, danger = false, autoComplete = 'off' } = props;
  const [text, setText] = useState(first);
  const { busy, problem, onSubmit } = useSubmit(chatWords);
  const given = text.trim();
  return (
    <form className="name-form" onSubmit={onSubmit(() => run(given))}>
      <label className="field">
        <span>{label}</span>
        <input
          className="input"
          value={text}
          maxLength={maxLength}
          autoComplete={autoComplete}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <Button type="submit" tone={danger ? 'danger' : 'plain'} disabled={busy || !ready(given)}>
        {act(given)}
      </Button>
      <Problem words={problem} small />
    </form>
  );
}
