// Labelled inputs: a choice, and a line of text.
import type { ReactNode } from 'react';

interface SelectProps {
  label: string;
  value: string;
  options: readonly (string | { value: string; title: string })[];
  onChange: (value: string) => void;
  /** The name of the empty value. Without it there is no empty value. */
  none?: string;
  hideLabel?: boolean;
  /** Its words are long. */
  wide?: boolean;
}

export function Select({ label, value, options, onChange, none, hideLabel, wide }: SelectProps): ReactNode {
  const all = options.map((option) =>
    typeof option === 'string' ? { value: option, title: option } : option,
  );
  // A value from the address is shown even if it is unknown.
  if (value !== '' && !all.some((option) => option.value === value)) all.push({ value, title: value });
  return (
    <label className="field" data-wide={wide === true ? '' : undefined}>
      <span className={hideLabel === true ? 'hidden' : undefined}>{label}</span>
      <select
        className="input"
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        {none !== undefined && <option value="">{none}</option>}
        {all.map((option) => (
          <option key={option.value} value={option.value}>
            {option.title}
          </option>
        ))}
      </select>
    </label>
  );
}
