// The settings view, for operators: who is here and how patient everybody is, as a form or as the file itself. Nothing
// counts before it was checked: what changes in words, and what the last week's log would have decided otherwise.
import { type ReactNode, useState } from 'react';
import type { SettingsFileAnswer } from '../../protocol/settings-api.ts';
import { useAsked } from '../api/use-asked.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote, Waiting } from '../ui/note.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { AddAgent } from './add-agent.tsx';
import { FileText } from './file-text.tsx';
import { SettingsForm } from './form.tsx';
import './settings.css';
import { Taken } from './taken.tsx';
import { Versions } from './versions.tsx';

const TABS = [
  { id: 'form', title: 'Agents and rooms' },
  { id: 'file', title: 'The file' },
  { id: 'versions', title: 'Versions' },
] as const;
type Tab = (typeof TABS)[number]['id'];

export function Settings(): ReactNode {
  const { answer, error, waiting, again } = useAsked<SettingsFileAnswer>('/v1/settings/file', {}, [
    'settings',
  ]);
  const [tab, setTab] = useState<Tab>('form');
  const [adding, setAdding] = useState(false);
  return (
    <section className="view" aria-labelledby="settings-title">
      <header className="view-head">
        <h1 id="settings-title">Settings</h1>
        {answer !== undefined && (
          <p>
            Version {answer.number} <code>{answer.version.slice(0, 8)}</code> is in force
          </p>
        )}
        <div className="push">
          <Button tone="primary" disabled={answer === undefined} onClick={() => setAdding(true)}>
            Add an agent
          </Button>
        </div>
      </header>
      {error !== undefined && <ErrorNote error={error} again={again} />}
      {waiting && <Waiting what="the settings" />}
      {answer !== undefined && (
        <div className="view-body stack">
          <Notes answer={answer} />
          {answer.taken !== null && (
            <Taken key={`taken ${answer.number}`} taken={answer.taken} again={again} />
          )}
          <Tabs label="Settings" tabs={TABS} chosen={tab} choose={setTab} />
          {tab === 'form' && <SettingsForm key={answer.number} settings={answer} applied={again} />}
          {tab === 'file' && <FileText key={answer.number} settings={answer} applied={again} />}
          {tab === 'versions' && <Versions settings={answer} applied={again} />}
          {adding && (
            <div className="settings-dialog">
              <AddAgent settings={answer} applied={again} close={() => setAdding(false)} />
            </div>
          )}
        </div>
      )}
    </section>
  );
}

function Notes({ answer }: { answer: SettingsFileAnswer }): ReactNode {
  const { file, home, problems, afterRestart } = answer;
  return (
    <>
      {file === null && (
        <p className="note" role="status">
          <span>
            This is the demo: there is no settings file yet. The first change that you apply writes {home}. At
            the next start the host reads it, and the demo’s own agents play only with{' '}
            <code>npm start -- --demo</code>, or <code>earshot up --demo</code> outside of a clone.
          </span>
        </p>
      )}
      {problems.length > 0 && (
        <div className="note" data-tone="error" role="alert">
          <span>The file on disk was not taken, and these settings stay in force:</span>
          <ul>
            {problems.map(({ message }) => (
              <li key={message} className="settings-problem">
                {message}
              </li>
            ))}
          </ul>
        </div>
      )}
      {afterRestart.length > 0 && (
        <p className="note" data-tone="warn" role="status">
          After a restart of the host these count too: {afterRestart.join(', ')}.
        </p>
      )}
    </>
  );
}
