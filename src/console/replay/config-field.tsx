// The configuration to try, as text, with a list of ready-made changes.
import type { ReactNode } from 'react';
import { Select } from '../ui/field.tsx';
import { TRIALS, tryChange } from './config.ts';

export function ConfigField({ text, change }: { text: string; change: (text: string) => void }): ReactNode {
  return (
    <section className="card">
      <div className="row">
        <h2>With</h2>
        <Select
          hideLabel
          label="Change"
          none="change something…"
          value=""
          options={TRIALS.map(({ id, title }) => ({ value: id, title }))}
          onChange={(id) => change(tryChange(text, id))}
        />
      </div>
      <label className="field">
        <span>Begins with the rules of this host. Change them, or paste another earshot.yaml.</span>
        <textarea
          className="input mono"
          rows={10}
          spellCheck={false}
          aria-label="Configuration"
          value={text}
          onChange={(event) => change(event.target.value)}
        />
      </label>
    </section>
  );
}
