// The open deliveries of an agent, oldest first. Each has a button to deliver it again.
import type { ReactNode } from 'react';
import { POLICY_PHRASES } from '../../attention/decision-phrase.ts';
import type { DeliveriesPage, ShownAgent, ShownDelivery } from '../../protocol/operator-api.ts';
import { useClient } from '../api/context.tsx';
import { useAsked } from '../api/use-asked.ts';
import { Action, Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { Table } from '../ui/table.tsx';
import { Ago, Left } from '../ui/time.tsx';
import { openWhy } from '../why/use-why.ts';

const SHOWN = 50;

export function Queue({ agent, changed }: { agent: ShownAgent; changed: () => void }): ReactNode {
  const { queue } = agent;
  const asked = useAsked<DeliveriesPage>('/v1/deliveries', { limit: 200 }, [
    'deliver',
    'settled',
    'withdraw',
  ]);
  const mine = (asked.answer?.deliveries ?? []).filter((one) => one.agent === agent.id).slice(0, SHOWN);
  return (
    <section className="stack-close">
      <h3>
        Queue: {queue.open}
        {queue.more ? '+' : ''} open, {queue.mustRespond} must be answered
      </h3>
      {asked.error !== undefined && <ErrorNote error={asked.error} again={asked.again} />}
      {mine.length > 0 && <Deliveries label="Queue" deliveries={mine} changed={changed} />}
    </section>
  );
}

interface DeliveriesProps {
  label: string;
  deliveries: readonly ShownDelivery[];
  changed: () => void;
  withAgent?: boolean;
}

/** Deliveries with their state and reason, and the button that delivers one again. */
export function Deliveries({ label, deliveries, changed, withAgent }: DeliveriesProps): ReactNode {
  const client = useClient();
  const agent = { title: 'Agent', cell: (row: ShownDelivery) => row.agent };
  return (
    <Table
      label={label}
      rows={deliveries}
      rowKey={({ key }) => key}
      columns={[
        ...(withAgent === true ? [agent] : []),
        {
          title: 'Message',
          wide: true,
          cell: ({ source, eventId, text, agent: by }) => (
            <Button tone="quiet" small title={`${eventId}: why?`} onClick={() => openWhy(source, by)}>
              <span className="cut">{text ?? eventId}</span>
            </Button>
          ),
        },
        { title: 'Decision', cell: ({ policy }) => <span title={policy}>{POLICY_PHRASES[policy]}</span> },
        { title: 'State', cell: stateCell },
        { title: 'Attempt', number: true, cell: ({ attempt }) => attempt },
        { title: 'Since', cell: ({ createdAt }) => <Ago at={createdAt} /> },
        {
          title: '',
          cell: ({ key }) => (
            <Action
              small
              act={() => client.post(`/v1/deliveries/${encodeURIComponent(key)}/redeliver`)}
              done={changed}
            >
              Redeliver
            </Action>
          ),
        },
      ]}
    />
  );
}

const STATE_WORDS: Readonly<Record<string, string>> = {
  held: 'kept back',
  queued: 'waits',
  handed: 'on its way',
  accepted: 'arrived',
  turn_taken: 'at work on it',
  settled: 'over',
  superseded: 'replaced',
  dead_lettered: 'given up',
};

function stateCell({ state, why, error, dueAt }: ShownDelivery): ReactNode {
  // It failed, and is handed over again after a pause.
  if (state === 'held' && error !== undefined && dueAt !== null)
    return (
      <span title={error}>
        tries again, <Left until={dueAt} past="now" />
      </span>
    );
  const words = STATE_WORDS[state] ?? state;
  return (
    <span
      title={why === null ? state : `${state}: ${why}`}
      data-failed={state === 'dead_lettered' ? '' : undefined}
    >
      {why === null ? words : `${words}: ${why.replaceAll('_', ' ')}`}
    </span>
  );
}
