// The agents view: who is connected and busy, what waits for each agent, what it owes and has claimed, and the buttons
// to steer it.
import type { ReactNode } from 'react';
import type { AgentsPage, ShownAgent } from '../../protocol/operator-api.ts';
import { useAsked } from '../api/use-asked.ts';
import { SurfaceNotes } from '../home/surfaces.tsx';
import { useFilters } from '../route.ts';
import { Face } from '../ui/face.tsx';
import { ICONS } from '../ui/icons.tsx';
import { Empty, ErrorNote, Waiting } from '../ui/note.tsx';
import { AgentDetail } from './agent-detail.tsx';
import './agents.css';

/** As many as the host lists at once. */
const SHOWN = 200;
/** News that may change what is shown of an agent. */
const NEWS = ['session', 'deliver', 'settled', 'withdraw', 'logged', 'inbox'];

export function Agents(): ReactNode {
  const { answer, error, waiting, again } = useAsked<AgentsPage>('/v1/agents', { limit: SHOWN }, NEWS);
  const [{ agent: chosen }, change] = useFilters(['agent'] as const);
  const agents = (answer?.agents ?? []).toSorted((a, b) => urgencyOf(b) - urgencyOf(a));
  const agent = agents.find(({ id }) => id === chosen) ?? agents[0];
  return (
    <section className="view" aria-labelledby="agents-title">
      <header className="view-head">
        <h1 id="agents-title">Agents</h1>
        {answer !== undefined && (
          <p>
            {agents.filter(({ connected }) => connected).length} of {agents.length}
            {answer.nextCursor === undefined ? '' : ' (the first of more)'} connected
          </p>
        )}
      </header>
      <SurfaceNotes />
      {error !== undefined && <ErrorNote error={error} again={again} />}
      {waiting && <Waiting what="the agents" />}
      {answer !== undefined && agent === undefined && (
        <Empty title="No agent is configured" icon={ICONS.agents} command="npx earshot init">
          <p>
            Here you see who is connected, what waits for each, and what it owes. Agents are listed under{' '}
            <code>agents:</code> in earshot.yaml; each gets a token and connects with it.
          </p>
        </Empty>
      )}
      {agent !== undefined && (
        <div className="agents">
          <ul className="agent-list" aria-label="Agents">
            {agents.map((one) => (
              <li key={one.id}>
                <button
                  type="button"
                  className="agent-item"
                  aria-pressed={one.id === agent.id}
                  onClick={() => change({ agent: one.id })}
                >
                  <AgentLine agent={one} />
                </button>
              </li>
            ))}
          </ul>
          <AgentDetail key={agent.id} agent={agent} changed={again} />
        </div>
      )}
    </section>
  );
}

function AgentLine({ agent }: { agent: ShownAgent }): ReactNode {
  const { id, connected, queue, obligations, claims, loops } = agent;
  const level = Math.max(0, ...loops.map((loop) => loop.level));
  const marks: [count: number, text: string, tone?: 'warn'][] = [
    [queue.mustRespond, 'to answer', 'warn'],
    [queue.open, 'queued'],
    [obligations.owes.length, 'owed', 'warn'],
    [obligations.blockedOn.length, 'waiting for others'],
    [claims.length, claims.length === 1 ? 'claim' : 'claims'],
    [level, 'loop', 'warn'],
    [agent.spent.level === 'within' ? 0 : 1, 'budget used', 'warn'],
  ];
  return (
    <>
      <Face author={{ id, kind: 'agent', name: agent.name }} connected={connected} />
      <span className="agent-name">{id}</span>
      <span className="agent-state" data-failing={agent.failing === null ? undefined : ''}>
        {stateOf(agent)}
      </span>
      <span className="agent-marks">
        {marks
          .filter(([count]) => count > 0)
          .map(([count, text, tone]) => (
            <span key={text} className="chip" data-kind={tone ?? 'observe'}>
              <span>{markText(count, text)}</span>
            </span>
          ))}
      </span>
    </>
  );
}

/** Those that fail come first, then those that keep somebody waiting. */
function urgencyOf({ failing, connected, queue, spent }: ShownAgent): number {
  if (failing !== null) return 3;
  if (!connected && queue.mustRespond > 0) return 2;
  return spent.level === 'within' ? 0 : 1;
}

function markText(count: number, text: string): string {
  if (text === 'budget used') return text;
  if (text === 'loop') return count > 1 ? 'stopped: going in circles' : 'told it may stop';
  return `${count} ${text}`;
}

export function stateOf({
  connected,
  busy,
  failing,
  focusUntil,
}: Pick<ShownAgent, 'connected' | 'busy' | 'failing' | 'focusUntil'>): string {
  if (!connected) return 'not connected';
  if (failing !== null) return `failing: ${failing.error ?? 'no reason was given'}`;
  if (busy !== null) return 'in a turn';
  return focusUntil === null ? 'idle' : 'in focus';
}
