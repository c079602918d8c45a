// A labelled line of text.
import type { ReactNode } from 'react';

interface TextFieldProps {
  label: string;
  value: string;
  change: (value: string) => void;
  placeholder?: string;
}

export function TextField({ label, value, change, placeholder }: TextFieldProps): ReactNode {
  return (
    <label className="field">
      <span>{label}</span>
      <input
        className="input"
        value={value}
        placeholder={placeholder}
        onChange={(event) => change(event.target.value)}
      />
    </label>
  );
}
