// Everything about one agent: its state, its modes and the buttons that change them, its queue, debts and claims.
import type { ReactNode } from 'react';
import type { ShownAgent, ShownClaim, ShownLoop } from '../../protocol/operator-api.ts';
import { Obligations } from '../inbox/obligations.tsx';
import { Face } from '../ui/face.tsx';
import { Table } from '../ui/table.tsx';
import { Ago, Left } from '../ui/time.tsx';
import { stateOf } from './agents.tsx';
import { Progress } from './progress.tsx';
import { Queue } from './queue.tsx';
import { Steer } from './steer.tsx';

export function AgentDetail({ agent, changed }: { agent: ShownAgent; changed: () => void }): ReactNode {
  const { obligations, claims, loops } = agent;
  return (
    <div className="agent-detail stack">
      <header className="row agent-head">
        <Face
          author={{ id: agent.id, kind: 'agent', name: agent.name }}
          connected={agent.connected}
          size="large"
        />
        <div>
          <h2 className="agent-title">{agent.name}</h2>
          <p className="dim small">{[agent.id, ...agent.aliases].join(', ')}</p>
        </div>
      </header>
      {agent.failing !== null && (
        <p className="note" data-tone="error" role="status">
          {stateOf(agent)}
        </p>
      )}
      <dl className="facts">
        <State agent={agent} />
        <Progress agent={agent.id} />
      </dl>
      <Steer agent={agent} changed={changed} />
      <Queue agent={agent} changed={changed} />
      <Obligations
        title="Owes"
        none="It owes nobody an answer."
        obligations={obligations.owes}
        changed={changed}
      />
      <Obligations
        title="Waits for"
        none="It waits for nobody."
        obligations={obligations.blockedOn}
        changed={changed}
      />
      <Claims claims={claims} />
      <Loops loops={loops} />
    </div>
  );
}

function State({ agent }: { agent: ShownAgent }): ReactNode {
  const { busy, focusUntil, spent, lead, roles, lastSeenAt, connected, lastSession } = agent;
  return (
    <>
      <dt>now</dt>
      <dd>
        {stateOf(agent)}
        {busy !== null && busy.since !== null && (
          <span className="dim">
            {' '}
            since <Ago at={busy.since} />, {busy.eventIds.length}{' '}
            {busy.eventIds.length === 1 ? 'event' : 'events'}, {busy.sends} sent
          </span>
        )}
        {!connected && lastSeenAt !== null && (
          <span className="dim">
            , last seen <Ago at={lastSeenAt} />
          </span>
        )}
      </dd>
      {focusUntil !== null && (
        <>
          <dt>focus</dt>
          <dd>
            <Left until={focusUntil} />
          </dd>
        </>
      )}
      <dt>today</dt>
      <dd>{spentWords(spent)}</dd>
      {lastSession !== null && (
        <>
          <dt>session</dt>
          <dd>
            {lastSession.epoch}, protocol {lastSession.protocolVersion}, opened{' '}
            <Ago at={lastSession.openedAt} />
          </dd>
        </>
      )}
      {lead !== null && (
        <>
          <dt>led by</dt>
          <dd>{lead}</dd>
        </>
      )}
      {roles.length > 0 && (
        <>
          <dt>roles</dt>
          <dd>{roles.join(', ')}</dd>
        </>
      )}
    </>
  );
}

const SPENT_WORDS = {
  within: '',
  spent: ': its budget is used, so it answers only what must be answered',
  overspent: ': its budget is used up, so it answers nobody until 00:00 UTC',
} as const;

function of(limit: number | undefined): string {
  return limit === undefined ? '' : ` of ${limit.toLocaleString()}`;
}

function spentWords({ turns, tokens, tokensEstimated, usd, budget, level }: ShownAgent['spent']): string {
  const guess = tokensEstimated * 2 > tokens ? '~' : '';
  const parts = [
    `${turns.toLocaleString()}${of(budget?.turnsPerDay)} ${turns === 1 ? 'turn' : 'turns'}`,
    `${guess}${tokens.toLocaleString()}${of(budget?.tokensPerDay)} tokens`,
  ];
  if (usd > 0 || budget?.usdPerDay !== undefined) parts.push(`$${usd.toFixed(2)}${of(budget?.usdPerDay)}`);
  return `${parts.join(', ')}${SPENT_WORDS[level]}`;
}

function Claims({ claims }: { claims: readonly ShownClaim[] }): ReactNode {
  if (claims.length === 0) return null;
  return (
    <section className="stack-close">
      <h3>Claims</h3>
      <Table
        label="Claims"
        rows={claims}
        rowKey={(claim) => `${claim.conversation} ${claim.token}`}
        columns={[
          {
            title: 'What',
            cell: ({ eventId, scope }) =>
              scope === 'conversation' ? 'the conversation' : (eventId ?? 'an older message'),
          },
          { title: 'Where', cell: ({ conversationId }) => conversationId },
          { title: 'Ends', cell: ({ until }) => <Left until={until} /> },
        ]}
      />
    </section>
  );
}

const LEVELS = ['counting', 'told that it may stay silent', 'stopped'] as const;

function Loops({ loops }: { loops: readonly ShownLoop[] }): ReactNode {
  if (loops.length === 0) return null;
  return (
    <section className="stack-close">
      <h3>Agents talking to agents</h3>
      <Table
        label="Loops"
        rows={loops}
        rowKey={({ conversation, agents }) => `${conversation} ${agents.join(' ')}`}
        columns={[
          { title: 'Where', cell: ({ id }) => id },
          { title: 'Who', cell: ({ agents }) => agents.join(', ') },
          { title: 'Counted', number: true, cell: ({ count }) => count },
          {
            title: 'Level',
            cell: ({ level, cause }) => `${level}: ${LEVELS[level]}${cause === null ? '' : ` (${cause})`}`,
          },
        ]}
      />
    </section>
  );
}
