// The settings file as text. A mistake stands beside its line.
import { type ReactNode, useState } from 'react';
import type { SettingsFileAnswer } from '../../protocol/settings-api.ts';
import { Action } from '../ui/button.tsx';
import { Checked } from './checked.tsx';
import { useCheck } from './use-check.ts';

export function FileText({
  settings,
  applied,
}: {
  settings: SettingsFileAnswer;
  applied: () => void;
}): ReactNode {
  const [text, setText] = useState(settings.text);
  const checking = useCheck();
  const wrong = checking.checked?.ok === false ? checking.checked.problems : [];
  const lines = text.split('\n');
  return (
    <div className="stack">
      <p className="dim">
        {settings.file ?? settings.home}. <code>kept</code> stands for a secret that stays as it is.
      </p>
      <div className="settings-file">
        <ol className="settings-lines mono" aria-hidden="true">
          {lines.map((_, index) => (
            <li key={index} data-wrong={wrong.some(({ line }) => line === index + 1) ? '' : undefined}>
              {index + 1}
            </li>
          ))}
        </ol>
        <textarea
          className="input mono"
          aria-label="Settings file"
          spellCheck={false}
          wrap="off"
          rows={Math.max(12, lines.length + 1)}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            checking.forget();
          }}
        />
      </div>
      <div className="row">
        <Action tone="primary" disabled={text === settings.text} act={() => checking.check({ text })}>
          Check
        </Action>
      </div>
      <Checked checking={checking} basedOn={settings.number} applied={applied} />
    </div>
  );
}
