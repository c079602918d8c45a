// From when to when: a few usual periods, and two fields for any other. Times in the address are ISO, in the fields
// local.
import type { ReactNode } from 'react';
import { Select } from '../ui/field.tsx';
import { localTime } from '../ui/local-time.ts';

interface PeriodFieldProps {
  from: string;
  to: string;
  change: (changes: { from: string; to: string }) => void;
}

const HOUR_MS = 3_600_000;
const PERIODS = [
  { value: 'hour', title: 'the last hour', since: (now: Date) => new Date(now.getTime() - HOUR_MS) },
  { value: 'today', title: 'today', since: (now: Date) => new Date(now.toDateString()) },
  { value: 'day', title: 'the last 24 hours', since: (now: Date) => new Date(now.getTime() - 24 * HOUR_MS) },
  { value: 'week', title: 'the last 7 days', since: (now: Date) => new Date(now.getTime() - 168 * HOUR_MS) },
] as const;
const OTHER = { value: 'other', title: 'from … to …' };

export function PeriodField({ from, to, change }: PeriodFieldProps): ReactNode {
  const isSet = from !== '' || to !== '';
  const choose = (id: string): void => {
    const period = PERIODS.find(({ value }) => value === id);
    if (period !== undefined) change({ from: period.since(new Date()).toISOString(), to: '' });
    else if (id === '') change({ from: '', to: '' });
    else change({ from: PERIODS[1].since(new Date()).toISOString(), to: '' });
  };
  return (
    <>
      <Select
        hideLabel
        label="Time"
        none="any time"
        value={isSet ? OTHER.value : ''}
        options={[...PERIODS.map(({ value, title }) => ({ value, title })), OTHER]}
        onChange={choose}
      />
      {isSet && (
        <>
          <TimeInput label="From" value={from} change={(iso) => change({ from: iso, to })} />
          <TimeInput label="To" value={to} change={(iso) => change({ from, to: iso })} />
        </>
      )}
    </>
  );
}

interface TimeInputProps {
  label: string;
  value: string;
  change: (iso: string) => void;
}

function TimeInput({ label, value, change }: TimeInputProps): ReactNode {
  return (
    <label className="field period">
      <span>{label}</span>
      <input
        className="input"
        type="datetime-local"
        value={localTime(new Date(value))}
        onChange={({ target }) => change(target.value === '' ? '' : new Date(target.value).toISOString())}
      />
    </label>
  );
}
