// The mode of an agent per conversation, and the buttons for mode, disengage and focus.
import { type ReactNode, useState } from 'react';
import type { ActAnswer, ConversationsPage, ShownAgent } from '../../protocol/operator-api.ts';
import type { ConversationMode } from '../../protocol/vocabulary.ts';
import { useClient } from '../api/context.tsx';
import { useAsked } from '../api/use-asked.ts';
import { placeText } from '../timeline/words.ts';
import { Action } from '../ui/button.tsx';
import { Select } from '../ui/field.tsx';

const MODES: readonly { mode: ConversationMode; title: string; means: string }[] = [
  { mode: 'auto', title: 'Auto', means: 'the rules decide, with the dial of the settings' },
  { mode: 'mention_only', title: 'Mute', means: 'only when mentioned, named or written to' },
  { mode: 'follow', title: 'Follow', means: 'threads it has spoken in come in batches' },
  { mode: 'left', title: 'Leave', means: 'hears nothing until it is called back' },
];
const FOCUS_MS = 30 * 60_000;

export function Steer({ agent, changed }: { agent: ShownAgent; changed: () => void }): ReactNode {
  const client = useClient();
  const asked = useAsked<ConversationsPage>('/v1/conversations', { limit: 200 }, ['logged']);
  const bound = (asked.answer?.conversations ?? []).filter(({ agents }) => agents.includes(agent.id));
  const [chosen, choose] = useState<string>();
  const [said, say] = useState<string>();
  const here = bound.find(({ key }) => key === chosen) ?? bound[0];
  const mode = here?.modes[agent.id] ?? 'auto';
  const notch = here?.dials[agent.id];
  const act = async (what: string, body: Record<string, unknown>): Promise<void> => {
    say(undefined);
    const { words } = await client.post<ActAnswer>(
      `/v1/agents/${encodeURIComponent(agent.id)}/${what}`,
      body,
    );
    say(words);
    changed();
    asked.again();
  };
  return (
    <section className="card" aria-label="Steer">
      {here === undefined ? (
        <p className="dim">Nobody has spoken yet where it is bound: there is nothing to steer.</p>
      ) : (
        <>
          <div className="row">
            <Select
              label="In conversation"
              value={here.key}
              options={bound.map((one) => ({ value: one.key, title: placeText(one) }))}
              onChange={choose}
            />
            <p className="mode-now">
              mode <b title={mode}>{MODES.find((one) => one.mode === mode)?.title.toLowerCase()}</b>:{' '}
              {MODES.find((one) => one.mode === mode)?.means}
              {notch !== undefined && (
                <>
                  ; dial <b>{notch}</b>, as somebody asked in the chat
                </>
              )}
            </p>
          </div>
          <div className="row">
            {MODES.map((one) => (
              <Action
                key={one.mode}
                title={one.means}
                aria-pressed={one.mode === mode}
                act={() => act('mode', { conversation: here.key, mode: one.mode })}
              >
                {one.title}
              </Action>
            ))}
            <Action
              title="ends the exchanges it is in"
              act={() => act('disengage', { conversation: here.key })}
            >
              Disengage
            </Action>
            {agent.focusUntil === null ? (
              <Action title="leave it alone for half an hour" act={() => act('focus', { ttlMs: FOCUS_MS })}>
                Focus 30 min
              </Action>
            ) : (
              <Action act={() => act('focus', { ttlMs: 0 })}>End focus</Action>
            )}
          </div>
        </>
      )}
      {said !== undefined && (
        <p className="note small" data-tone="good" role="status">
          {said}
        </p>
      )}
      <Elsewhere agent={agent} />
    </section>
  );
}

function Elsewhere({ agent: { modes } }: { agent: ShownAgent }): ReactNode {
  if (modes.length === 0) return null;
  return (
    <p className="small dim">
      Modes of its own:{' '}
      {modes
        .map(
          ({ id, title, mode }) =>
            `${title ?? id}: ${MODES.find((one) => one.mode === mode)?.title.toLowerCase() ?? mode}`,
        )
        .join(', ')}
    </p>
  );
}
