// A form that asks the host for something: busy while it waits, with what went wrong in words.
import { type FormEvent, useState } from 'react';
import { wordsOf } from '../api/error.ts';

export interface Submit {
  busy: boolean;
  problem: string | undefined;
  /** Runs it. For `onSubmit`, and for buttons that do the same in another way. */
  run: (act: () => Promise<unknown>) => Promise<void>;
  onSubmit: (act: () => Promise<unknown>) => (event: FormEvent) => void;
}

export function useSubmit(words: (error: unknown) => string = wordsOf): Submit {
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const run = async (act: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await act();
    } catch (error) {
      setProblem(words(error));
    } finally {
      setBusy(false);
    }
  };
  const onSubmit = (act: () => Promise<unknown>) => (event: FormEvent) => {
    event.preventDefault();
    void run(act);
  };
  return { busy, problem, run, onSubmit };
}
