// The common settings as a form: each agent, and what holds everywhere. The rest is in the file.
import { type ReactNode, useState } from 'react';
import type { SettingsFileAnswer } from '../../protocol/settings-api.ts';
import { Action, Button } from '../ui/button.tsx';
import { Select } from '../ui/field.tsx';
import { AttentionDial } from './attention-dial.tsx';
import { Checked } from './checked.tsx';
import { type AgentFields, editsFor, fieldsOf, type FormFields } from './form-edits.ts';
import { rulesOf } from './room-rules.ts';
import { TextField } from './text-field.tsx';
import type { RoomDialsProps } from './room-dial-list.tsx';
import { useCheck } from './use-check.ts';
import { useRooms } from './use-rooms.ts';

const MODES = ['auto', 'follow', 'mention_only', 'left'];

export function SettingsForm({
  settings,
  applied,
}: {
  settings: SettingsFileAnswer;
  applied: () => void;
}): ReactNode {
  const [before] = useState(() => fieldsOf(settings.attention));
  const [fields, setFields] = useState<FormFields>(before);
  const checking = useCheck();
  const rooms = useRooms();
  const change = (changes: Partial<FormFields>): void => {
    setFields({ ...fields, ...changes });
    checking.forget();
  };
  const edits = editsFor(settings.attention, before, fields);
  const ids = fields.agents.map(({ id }) => id);
  return (
    <div className="stack">
      <ul className="settings-agents" aria-label="Agents">
        {fields.agents.map((agent, index) => (
          <li key={agent.id} className="card">
            <AgentCard
              agent={agent}
              others={ids.filter((id) => id !== agent.id)}
              dials={{
                agent: agent.id,
                rooms,
                rules: rulesOf(settings.attention),
                before: before.dials,
                dials: fields.dials,
                changeDials: (dials) => change({ dials }),
              }}
              change={(changes) =>
                change({
                  agents: fields.agents.map((one, at) => (at === index ? { ...one, ...changes } : one)),
                })
              }
            />
          </li>
        ))}
      </ul>
      <section className="card stack" aria-label="Everywhere">
        <h2>Everywhere</h2>
        <div className="settings-fields">
          <Select
            label="Answers a lone person who names nobody"
            none="nobody in particular"
            value={fields.defaultResponder}
            options={ids}
            onChange={(defaultResponder) => change({ defaultResponder })}
          />
          <Select
            label="Agents start in the mode"
            none="auto, as usual"
            value={fields.mode}
            options={MODES}
            onChange={(mode) => change({ mode })}
          />
          <TextField
            label="Wait for more lines of the same person, in ms"
            value={fields.composeMs}
            change={(composeMs) => change({ composeMs })}
          />
        </div>
      </section>
      <div className="row">
        <Action tone="primary" disabled={edits.length === 0} act={() => checking.check({ edits })}>
          Check
        </Action>
        <Button disabled={edits.length === 0} onClick={() => change(before)}>
          Start over
        </Button>
      </div>
      <Checked checking={checking} basedOn={settings.number} applied={applied} />
    </div>
  );
}

function AgentCard({
  agent,
  others,
  dials,
  change,
}: {
  agent: AgentFields;
  others: readonly string[];
  dials: Omit<RoomDialsProps, 'hasOwn'>;
  change: (changes: Partial<AgentFields>) => void;
}): ReactNode {
  const { id, isRemoved } = agent;
  const text = (
    label: string,
    key: Exclude<keyof AgentFields, 'isRemoved' | 'id' | 'lead' | 'attention'>,
  ): ReactNode => <TextField label={label} value={agent[key]} change={(value) => change({ [key]: value })} />;
  return (
    <fieldset className="stack settings-agent" aria-label={id}>
      <div className="row">
        <h2 className="grow">{id}</h2>
        <Button small tone={isRemoved ? 'plain' : 'danger'} onClick={() => change({ isRemoved: !isRemoved })}>
          {isRemoved ? 'Keep' : 'Remove'}
        </Button>
      </div>
      {isRemoved ? (
        <p className="dim">It will be taken out. What it still has to answer becomes a dead letter.</p>
      ) : (
        <div className="settings-fields">
          {text('Name', 'name')}
          {text('Further names, by commas', 'aliases')}
          {text('Roles, by commas', 'roles')}
          <Select
            label="Lead"
            none="nobody"
            value={agent.lead}
            options={others}
            onChange={(lead) => change({ lead })}
          />
          {text('Answers to (*, human:ID, role:NAME)', 'respondTo')}
          {text('Turns a day', 'turnsPerDay')}
          {text('US dollars a day', 'usdPerDay')}
        </div>
      )}
      {!isRemoved && (
        <AttentionDial {...dials} value={agent.attention} change={(attention) => change({ attention })} />
      )}
    </fieldset>
  );
}
