// The agent is in the settings: its token, shown this once, the line to copy, and a live test that says how far it is.
import { type ReactNode, useEffect, useState } from 'react';
import type { AgentTestAnswer } from '../../protocol/settings-api.ts';
import { useClient } from '../api/context.tsx';
import { Action, Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { NewAgent } from './add-agent.tsx';
import { linesFor } from './agent-lines.ts';

/** How often the test is asked about. */
const ASK_MS = 500;
const OVER: ReadonlySet<AgentTestAnswer['state']> = new Set(['answered', 'silent', 'failed']);

export function AgentReady({
  agent,
  token,
  close,
}: {
  agent: NewAgent;
  token: string;
  close: () => void;
}): ReactNode {
  const line = linesFor(agent.way, { agent: agent.id, token, origin: location.origin });
  return (
    <Dialog title={`${agent.id} is added`} close={close}>
      <div className="stack">
        <p>
          This token is shown once. Keep it where {agent.id} runs:
          <code className="settings-line" data-testid="token">
            {token}
          </code>
        </p>
        {agent.way === 'webhook' ? (
          <p>
            Earshot posts to {agent.url}. What it posts is signed with
            <code className="settings-line">{agent.secret}</code>
          </p>
        ) : (
          <div className="stack-close">
            <p>Copy this:</p>
            <code className="settings-line" data-testid="line">
              {line}
            </code>
            <div className="row">
              <Button small onClick={() => void navigator.clipboard.writeText(line)}>
                Copy
              </Button>
            </div>
          </div>
        )}
        <AgentTest agent={agent.id} />
      </div>
    </Dialog>
  );
}

export function AgentTest({ agent }: { agent: string }): ReactNode {
  const client = useClient();
  const [test, setTest] = useState<AgentTestAnswer>();
  const path = `/v1/agents/${encodeURIComponent(agent)}/test`;
  const eventId = test?.eventId;
  const isOver = test !== undefined && OVER.has(test.state);
  useEffect(() => {
    if (eventId === undefined || isOver) return undefined;
    const abort = new AbortController();
    const ask = (): void =>
      void client
        .get<AgentTestAnswer>(`${path}/${encodeURIComponent(eventId)}`, {}, abort.signal)
        .then(setTest, () => undefined);
    const timer = setInterval(ask, ASK_MS);
    return () => {
      abort.abort();
      clearInterval(timer);
    };
  }, [client, path, eventId, isOver]);
  const begin = async (): Promise<void> => setTest(await client.post<AgentTestAnswer>(path));
  return (
    <section className="settings-test" aria-label="Live test">
      <div className="row">
        <Action tone="primary" act={begin}>
          {test === undefined ? 'Test it' : 'Test again'}
        </Action>
        <span className="dim">It is asked one question, in a private conversation.</span>
      </div>
      {test !== undefined && (
        <ol aria-live="polite" aria-label="How far it is">
          <Step done={test.connected || test.state !== 'waiting'}>
            {test.connected || test.state !== 'waiting'
              ? `${agent} is connected`
              : `waiting for ${agent} to connect…`}
          </Step>
          <Step done={test.state !== 'waiting'}>asked a question</Step>
          <Step done={test.state === 'answered'}>
            {test.answer === null ? test.words : `${agent} answered: ${test.answer}`}
          </Step>
        </ol>
      )}
    </section>
  );
}

function Step({ done, children }: { done: boolean; children: ReactNode }): ReactNode {
  return (
    <li>
      <span aria-hidden="true">{done ? '✓ ' : '· '}</span>
      {children}
    </li>
  );
}
