// The versions that were in force, newest first: who brought each, when, what it changed, and the way back.
import type { ReactNode } from 'react';
import type { SettingsFileAnswer, ShownVersion, VersionsAnswer } from '../../protocol/settings-api.ts';
import { useClient } from '../api/context.tsx';
import { useAsked } from '../api/use-asked.ts';
import { Action } from '../ui/button.tsx';
import { Chip } from '../ui/chip.tsx';
import { ErrorNote, Waiting } from '../ui/note.tsx';
import { Time } from '../ui/time.tsx';

const WAYS: Record<ShownVersion['way'], string> = {
  start: 'at a start',
  file: 'from the file',
  page: 'from this page',
  command: 'by earshot reload',
};

export function Versions({
  settings,
  applied,
}: {
  settings: SettingsFileAnswer;
  applied: () => void;
}): ReactNode {
  const client = useClient();
  const asked = useAsked<VersionsAnswer>('/v1/settings/versions', { limit: 100 }, ['settings']);
  if (asked.error !== undefined) return <ErrorNote error={asked.error} again={asked.again} />;
  if (asked.answer === undefined) return <Waiting what="the versions" />;
  const back = (number: number): Promise<unknown> =>
    client.post(`/v1/settings/versions/${number}/back`, { basedOn: settings.number });
  return (
    <ol className="settings-versions" aria-label="Versions">
      {asked.answer.versions.map(({ number, version, at, by, way, words, hasText }) => (
        <li key={number} className="card">
          <div className="row">
            <b>Version {number}</b>
            <code>{version.slice(0, 8)}</code>
            <span className="dim grow">
              {by === way ? '' : `${by}, `}
              {WAYS[way]}, <Time at={at} />
            </span>
            {number === settings.number ? (
              <Chip kind="engage">in force</Chip>
            ) : (
              hasText && (
                <Action small act={() => back(number)} done={applied}>
                  Go back to this
                </Action>
              )
            )}
          </div>
          <ul className="settings-words">
            {words.map((word) => (
              <li key={word}>{word}</li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}
