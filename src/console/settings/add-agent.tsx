// Adds an agent: who it is, how it runs, what that changes, then its token (once), the line to copy and a live test.
import { type ReactNode, useState } from 'react';
import type { SettingsEdit, SettingsFileAnswer } from '../../protocol/settings-api.ts';
import { useClient } from '../api/context.tsx';
import { Action } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Select } from '../ui/field.tsx';
import { AgentReady } from './agent-ready.tsx';
import { newWebhookSecret, WAY_TITLES, type Way, WAYS } from './agent-lines.ts';
import { Checked } from './checked.tsx';
import { fieldsOf, wordsIn } from './form-edits.ts';
import { TextField } from './text-field.tsx';
import { useCheck } from './use-check.ts';

export interface NewAgent {
  id: string;
  name: string;
  roles: string;
  lead: string;
  way: Way;
  url: string;
  secret: string;
}

interface AddAgentProps {
  settings: SettingsFileAnswer;
  applied: () => void;
  close: () => void;
}

export function AddAgent({ settings, applied, close }: AddAgentProps): ReactNode {
  const client = useClient();
  const checking = useCheck();
  const [agent, setAgent] = useState<NewAgent>(() => ({
    id: '',
    name: '',
    roles: '',
    lead: '',
    way: 'program',
    url: '',
    secret: newWebhookSecret(),
  }));
  const [token, setToken] = useState<string>();
  // The version that the draft is based on: the list behind the dialog may already show a newer one.
  const [basedOn] = useState(settings.number);
  const change = (changes: Partial<NewAgent>): void => {
    setAgent({ ...agent, ...changes });
    checking.forget();
  };
  const added = async (): Promise<void> => {
    const made = await client.post<{ token: string }>('/v1/tokens', {
      kind: 'agent',
      subject: agent.id,
      label: 'made on the page',
    });
    setToken(made.token);
  };
  if (token !== undefined) return <AgentReady agent={agent} token={token} close={close} />;
  const isReady = agent.id !== '' && (agent.way !== 'webhook' || agent.url !== '');
  return (
    <Dialog title="Add an agent" close={close}>
      <div className="stack">
        <div className="settings-fields">
          <TextField
            label="Id"
            placeholder="nova"
            value={agent.id}
            change={(id) => change({ id: id.trim() })}
          />
          <TextField label="Name" placeholder="Nova" value={agent.name} change={(name) => change({ name })} />
          <TextField
            label="Roles, by commas"
            placeholder="oncall"
            value={agent.roles}
            change={(roles) => change({ roles })}
          />
          <Select
            label="Lead"
            none="nobody"
            value={agent.lead}
            options={fieldsOf(settings.attention).agents.map(({ id }) => id)}
            onChange={(lead) => change({ lead })}
          />
          <Select
            label="How it runs"
            wide
            value={agent.way}
            options={WAYS.map((way) => ({ value: way, title: WAY_TITLES[way] }))}
            onChange={(way) => change({ way: way as Way })}
          />
          {agent.way === 'webhook' && (
            <TextField
              label="Its address"
              placeholder="https://…"
              value={agent.url}
              change={(url) => change({ url: url.trim() })}
            />
          )}
        </div>
        <div className="row">
          <Action disabled={!isReady} act={() => checking.check({ edits: editsFor(agent) })}>
            Check
          </Action>
        </div>
        <Checked
          checking={checking}
          basedOn={basedOn}
          applied={applied}
          andThen={added}
          action={`Add ${agent.id}`}
        />
      </div>
    </Dialog>
  );
}

function editsFor({ id, name, roles, lead, way, url, secret }: NewAgent): SettingsEdit[] {
  const words = wordsIn(roles);
  const value = {
    id,
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    ...(words.length === 0 ? {} : { roles: words }),
    ...(lead === '' ? {} : { lead }),
  };
  const agent: SettingsEdit = { op: 'add', path: ['agents'], value };
  if (way !== 'webhook') return [agent];
  return [agent, { op: 'add', path: ['host', 'webhooks'], value: { agent: id, url, secret } }];
}
